"""Lines of `pairs.jsonl` and what workers send, read as a stranger's: every figure in its range, none against another.

What is read holds the known keys alone, and so is a line as a league writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, TypeVar, cast

from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.core.outcome import outcome
from batllm_arcade.history.loader import parsed_json
from batllm_arcade.history.node import HistoryError, Node
from batllm_arcade.league.plan import ScheduledPair
from batllm_arcade.league.statistics.outcome import FAULTS, OUTCOMES, outcome_of
from batllm_arcade.league.statistics.pair_line import GameLine, PairLine

LARGEST_LINE = 1024 * 1024
"""Bytes of the longest line that is read."""
REASONS = ("knockout", "points", "draw", "forfeit")
MOST = 10**12
"""The largest count."""
_FAULTS = frozenset(FAULTS)
T = TypeVar("T")


def pair_of_line(text: bytes, rules: Rules | None = None) -> PairLine:
    """Return the pair of a line; raise HistoryError if it is none. `rules` are those of its games, where known."""
    try:
        return pair_of(parsed_json(text.decode("utf-8")), rules)
    except (ValueError, RecursionError):
        raise HistoryError("it is no JSON") from None


def pair_of(values: Any, rules: Rules | None = None) -> PairLine:
    """Return the pair that plain values are; raise HistoryError, which names the place, if they are none."""
    node = Node(values, "it")
    names = [name.text() for name in node["players"].items("player")]
    if len(names) != 2 or names[0] == names[1]:
        raise node["players"].refuse("must be two")
    found = {
        "pair": node["pair"].count(1),
        "players": names,
        "seed": node["seed"].whole(),
        "games": [_game(game, names, place, rules) for place, game in enumerate(node["games"].items("game"))],
        "outcome": node["outcome"].one_of(OUTCOMES),
        "finished": _time(node["finished"]),
    }
    if len(found["games"]) != 2:
        raise node["games"].refuse("must be two")
    if found["outcome"] != outcome_of([game["winner"] for game in found["games"]], names[0]):
        raise node["outcome"].refuse("does not follow from its games")
    if "worker" in node.value:
        found["worker"] = node["worker"].text()
    return cast(PairLine, {key: found[key] for key in values if key in found})


def is_pair(line: PairLine, pair: ScheduledPair, names: Sequence[str]) -> bool:
    """Return whether a line is of this pair, given the names of the league's players."""
    expected = (pair.number, [names[pair.first], names[pair.second]], pair.seed)
    return (line["pair"], line["players"], line["seed"]) == expected


def _game(node: Node, names: Sequence[str], place: int, rules: Rules | None) -> GameLine:
    if place > 1:
        raise node.refuse("is one too many")
    found: dict[str, Any] = {
        "left": node["left"].one_of((names[place],)),
        "winner": node["winner"].one_of((*names, None)),
        "reason": node["reason"].one_of(REASONS),
        "turns": node["turns"].count(0, MOST),
        "health": _by_name(node["health"], names, lambda value: value.number(0)),
        "first": node["first"].one_of(tuple(names)),
        "faults": _by_name(node["faults"], names, _faults),
        "tokens": _counts(node["tokens"], names),
        "latency_s": _by_name(node["latency_s"], names, _times),
    }
    for key in ("written", "requests", "by_fallback"):  # which lines of earlier versions have not
        if key in node.value:
            found[key] = _counts(node[key], names)
    _check_agreement(node, found)
    if rules is not None:
        _check_by_rules(node, found, rules)
    return cast(GameLine, {key: found[key] for key in node.value if key in found})


def _check_agreement(node: Node, game: dict[str, Any]) -> None:
    """Raise HistoryError if the figures of a game contradict each other."""
    winner, reason = game["winner"], game["reason"]
    if (winner is None) != (reason == "draw"):
        raise node["winner"].refuse(f"does not go with the reason {reason!r}")
    fallen = {name for name, health in game["health"].items() if health == 0}
    if reason == "knockout" and (len(fallen) != 1 or winner in fallen):
        raise node["winner"].refuse("is not the one whose health was left")
    if reason != "knockout" and fallen:
        raise node["reason"].refuse("is not a knock-out, and a health is 0")
    for name, times in game["latency_s"].items():
        if sum(game["faults"][name].values()) > times["plays"]:
            raise node["faults"].refuse("are more than there were plays")
        if game.get("by_fallback", {}).get(name, 0) > times["plays"]:
            raise node["by_fallback"].refuse("are more than there were plays")
        if game.get("written", {}).get(name, 0) > game["tokens"][name]:
            raise node["written"].refuse("are more than all tokens")


def _check_by_rules(node: Node, game: dict[str, Any], rules: Rules) -> None:
    """Raise HistoryError if a game cannot have ended so under these rules."""
    left = game["left"]
    right = next(name for name in game["health"] if name != left)
    healths = [game["health"][name] for name in (left, right)]
    if any(health > most for health, most in zip(healths, rules.initial_health, strict=True)):
        raise node["health"].refuse("is more than there is at first")
    if game["turns"] > rules.total_rounds * rules.turns_per_round:
        raise node["turns"].refuse("are more than a game has")
    ended = outcome(Arena(*(BotState(0, 0, 0, health, False) for health in healths)), rules)
    winner = None if ended.winner is None else (left, right)[ended.winner]
    if game["reason"] != "forfeit" and (game["winner"], game["reason"]) != (winner, ended.reason):
        raise node["winner"].refuse("does not follow from the health that was left")


def _by_name(node: Node, names: Sequence[str], read: Callable[[Node], T]) -> dict[str, T]:
    """Return what a game holds by the names of its players, in the order of the file."""
    found = {key: read(value) for key, value in node.members()}
    if found.keys() != set(names):
        raise node.refuse("does not have both players")
    return found


def _counts(node: Node, names: Sequence[str]) -> dict[str, int]:
    """Return counts by name; those that are as they must be, which nearly all are, need no closer look."""
    counts = node.value
    if type(counts) is dict and counts.keys() == set(names) and _are_counts(counts):
        return counts
    return _by_name(node, names, _count)


def _are_counts(counts: dict[str, Any]) -> bool:
    return all(type(count) is int and 0 <= count <= MOST for count in counts.values())


def _count(node: Node) -> int:
    return node.count(0, MOST)


def _faults(node: Node) -> dict[str, int]:
    counts = node.value
    if type(counts) is dict and counts.keys() == _FAULTS and _are_counts(counts):
        return counts
    found = {key: _count(value) for key, value in node.members() if key in _FAULTS}
    if len(found) != len(_FAULTS):
        raise node.refuse(f"must have {', '.join(FAULTS)}")
    return found


def _times(node: Node) -> dict[str, float]:
    found = {"plays": _count(node["plays"]), "median": node["median"].number(0), "max": node["max"].number(0)}
    if "total" in node.value:
        found["total"] = node["total"].number(0)
    if found["median"] > found["max"]:
        raise node["median"].refuse("is over the slowest")
    return {key: found[key] for key in node.value if key in found}


def _time(node: Node) -> str:
    text = node.text()
    try:
        datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        raise node.refuse("must be a time") from None
    return text
