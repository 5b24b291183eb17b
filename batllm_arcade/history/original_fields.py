"""Convert parts of the original game's sessions: settings, states, commands."""

from __future__ import annotations

import math
from dataclasses import replace

from batllm_arcade.brains.protocol import Decision
from batllm_arcade.core.armour import rounded_health
from batllm_arcade.core.commands import Command, Nothing, canonical, parse
from batllm_arcade.core.geometry import rounded, wrapped
from batllm_arcade.core.model import BotState, Rules, RulesError, rules_from
from batllm_arcade.history.node import HistoryError, Node

_SHIELD_MORE = 18  # degrees that its shields block beyond `shield_size`
_SAME = 1e-6  # how far apart two figures may be that mean the same: it rounds nothing, we round every play
_RAW_LIMIT = 64 * 1024
_FIGURES = {
    "bot_diameter": 0.1,
    "bot_step_length": 0.03,
    "bullet_damage": 5,
    "shield_size": 70,
    "shield_initial_state": True,
    "initial_health": 30,
    "turns_per_round": 8,
    "total_rounds": 2,
}
"""Its settings, as shipped, for a file that leaves one out."""
_ALWAYS = {"arena_width": 1, "arena_height": 1, "bots_collide": False, "free_move": True}
"""Figures that the original game has no setting for."""


def turns_of(entry: Node) -> list[Node]:
    """Return a round's turns that have plays."""
    turns = entry["turns"].items("turn")
    return [turn for turn in turns if turn["plays"].value]


def start_of(entry: Node) -> Node:
    """Return the bots' states at the start of a round; those of its first turn if the round has none."""
    given = entry.get("initial_state", None)
    return turns_of(entry)[0]["pre_state"] if given.value is None else given


def ids(states: Node) -> tuple[str, str]:
    """Return the two bots' ids, the lower number first; raise HistoryError unless there are two."""
    if not isinstance(states.value, dict) or len(states.value) != 2:
        raise states.refuse("does not hold two bots")
    left, right = sorted(states.value, key=lambda name: (len(name), name))
    return left, right


def rules_of(entry: Node, rounds: list[Node]) -> Rules:
    """Convert the original's settings to rules long enough for all turns; raise HistoryError if they are invalid."""
    snapshot = entry.get("gameplay_settings_snapshot", {})
    if not isinstance(snapshot.value, dict):
        raise snapshot.refuse("is no object")
    figure = {name: snapshot.value.get(name, default) for name, default in _FIGURES.items()}
    turns, length = figure["turns_per_round"], figure["total_rounds"]
    longest = max(len(turns_of(one)) for one in rounds)
    node = {name: Node(value, name, snapshot) for name, value in figure.items()}
    try:
        return rules_from(
            {
                **_ALWAYS,
                "bot_radius": node["bot_diameter"].number() / 2,
                "step_length": node["bot_step_length"].number(),
                "bullet_damage": figure["bullet_damage"],
                "shield_degrees": min(180, node["shield_size"].number() + _SHIELD_MORE),
                "initial_health": figure["initial_health"],
                "initial_shield": figure["shield_initial_state"],
                "total_rounds": max(length, len(rounds)) if type(length) is int else length,
                "turns_per_round": max(turns, longest) if type(turns) is int else turns,
            }
        )
    except RulesError as error:
        raise HistoryError(f"{snapshot.where}: {error}") from None


def state(node: Node) -> BotState:
    """Return a recorded bot state, rounded as ours are; raise HistoryError if it is invalid."""
    x, y, rot, health = (node[key].number() for key in ("x", "y", "rot", "health"))
    up = node["shield"].one_of((True, False, 0, 1))
    return BotState(rounded(x), rounded(y), wrapped(rot), rounded_health(health), bool(up))


def same(one: BotState, other: BotState) -> bool:
    """Return whether two states agree within the original's precision."""
    turned = abs(one.rot - other.rot) % 360
    away = max(abs(one.x - other.x), abs(one.y - other.y), min(turned, 360 - turned))
    return away <= _SAME and one.health == other.health and one.shield == other.shield


def answer(play: Node | None) -> tuple[Decision, Command, str]:
    """Return a play's decision and command, and the reason if the bot does nothing."""
    if play is None:
        return Decision("", None), Nothing("the file has no play here"), "the file has no play here"
    raw = text_of(play, "llm_response")
    written = text_of(play, "cmd") or raw
    command = parse(_token(written), free_move=True)
    decision = Decision(raw[:_RAW_LIMIT], None if isinstance(command, Nothing) else command.token)
    if len(raw) > _RAW_LIMIT:
        decision = replace(decision, raw_cut=len(raw))
    if not isinstance(command, Nothing):
        return decision, command, ""
    reason = command.reason if raw.strip() and written != "ERR" else "the original game took it for no command"
    return decision, Nothing(reason), reason


def _token(written: str) -> str:
    """Return a command in our spelling: the original takes angles of any size and sign, and exponents."""
    text = written.strip()
    head, rest = text[:1].upper(), text[1:]
    if head not in ("M", "C", "A") or not rest or rest != rest.strip() or len(rest) > 40:
        return text
    try:
        figure = float(rest)
    except ValueError:
        return text
    if not math.isfinite(figure) or abs(figure) > 1e9:
        return text
    if head != "M":
        turn = (
            math.fmod(figure if head == "C" else -figure, 360) if abs(figure) > 360 else figure * (-1) ** (head == "A")
        )
        head, figure = ("A", -turn) if turn < 0 else ("C", turn)
    return head + canonical(f"{figure:.9f}")


def text_of(node: Node, key: str) -> str:
    """Return the text under a key, "" if it is missing or of another type."""
    value = node.value.get(key) if isinstance(node.value, dict) else None
    return value if isinstance(value, str) else ""
