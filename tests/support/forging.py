"""Forged sessions are played again, so that only what nobody played is wrong in them."""

from __future__ import annotations

from typing import Any

from batllm_arcade.core import rules as game_outcome
from batllm_arcade.core import rules as game_rules
from batllm_arcade.core.commands import Nothing
from batllm_arcade.core.model import Arena, rules_from
from batllm_arcade.history import schema
from batllm_arcade.history.schema import Node, arena_of

Session = dict[str, Any]


def simulated(session: Session) -> Session:
    """The session with the states and results that its starts and commands lead to."""
    for game in session["games"]:
        rules, arena = rules_from(game["rules"]), arena_of(Node(game["initial_state"], "start"))
        rounds, game["rounds"] = game["rounds"], []
        for entry in rounds:
            if game_outcome.knocked_out(arena) is not None:
                break
            game["rounds"].append(entry)
            entry["initial_state"] = schema.states(arena, battery=bool(rules.battery))
            arena = _plays(entry, arena, rules)
        whole = len(game["rounds"]) == rules.total_rounds or game_outcome.knocked_out(arena) is not None
        end = game_outcome.outcome(arena, rules) if whole else game_outcome.Result(None, "aborted")
        game |= {"result": {"winner": end.winner, "reason": end.reason}, "total_rounds": len(game["rounds"])}
    return session


def _plays(entry: dict[str, Any], arena: Arena, rules: Any) -> Arena:
    turns, entry["turns"] = entry["turns"], []
    for play in turns:
        if game_outcome.knocked_out(arena) is not None:
            break
        bot, command = play["order"], Nothing() if play["cmd"] == "ERR" else game_rules.read_command(play["cmd"], rules)
        charged = bool(rules.battery)
        play["pre_state"] = schema.state(arena.bot(bot), battery=charged)
        arena, _ = game_rules.step(arena, bot, command, rules)
        after = [schema.state(arena.bot(each), battery=charged) for each in (bot, 1 - bot)]
        play |= {"post_state": after[0], "opponent_state": after[1]}
        entry["turns"].append(play)
    whole = len(entry["turns"]) == 2 * rules.turns_per_round
    over = game_outcome.knocked_out(arena) is not None
    entry["ended"] = "knockout" if over else "complete" if whole else "abandoned"
    return arena
