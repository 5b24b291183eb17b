"""The lines of a league, read and written."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, cast

from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.core.rules import outcome
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.files.atomic import lock
from batllm_arcade.files.reading import open_within
from batllm_arcade.history.reader import parsed_json
from batllm_arcade.history.schema import HistoryError, Node
from batllm_arcade.league.engines.pair_play import PlayedPair
from batllm_arcade.league.kept_files import PAIRS
from batllm_arcade.league.plan import LeaguePlan, PairSchedule, ScheduledPair
from batllm_arcade.league.statistics.tally import FAULTS, OUTCOMES, GameLine, LeagueTally, PairLine, outcome_of

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


# The pairs of a league on the disk


class LeagueStore:
    """An open league's folder, locked against a second coordinator; `tally` holds what has been played.

    Raise UsageError if another program plays this league now, or its files do not belong together.
    """

    def __init__(self, folder: Path, plan: LeaguePlan, rules: Rules | None = None) -> None:
        self.folder = folder
        self.tally = LeagueTally(plan)
        self._check = _LineCheck(plan, rules)
        self._file = _locked(folder)
        try:
            self._read()
        except BaseException:
            self._file.close()
            raise

    @property
    def played(self) -> int:
        """Return how many pairs are on the disk."""
        return self.tally.pairs

    def add(self, played: Sequence[PlayedPair]) -> None:
        """Write the next pairs, their sessions first; raise ArcadeError if the disk does not take them."""
        try:
            for pair in played:
                for game, text in pair.sessions.items():
                    self._write_session(f"{pair.line['pair']}-{game + 1}.json", text)
            self._file.write(b"".join(json.dumps(pair.line).encode() + b"\n" for pair in played))
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise ArcadeError(
                f"the league cannot be written ({error.strerror}); make room and go on with --resume"
            ) from None
        for pair in played:
            self.tally.add(pair.line)

    def _write_session(self, name: str, text: str) -> None:
        folder = self.folder / "sessions"
        folder.mkdir(exist_ok=True)
        # Without a flush to the disk for each: a session that a power cut takes belongs to a line that it takes, too,
        # or is one of thousands.
        temporary = folder / f".{name}.tmp"
        temporary.write_text(text, "utf-8", newline="") if hasattr(os, "fork") else temporary.write_text(text, "utf-8")
        os.replace(temporary, folder / name)

    def close(self) -> None:
        """Give the folder free."""
        self._file.close()

    def _read(self) -> None:
        """Add up the lines that are there, and drop a last one that was not written to its end."""
        self._file.seek(0)
        good = 0
        for line in iter(lambda: self._file.readline(LARGEST_LINE), b""):
            if len(line) == LARGEST_LINE and not line.endswith(b"\n"):
                raise UsageError(f"{PAIRS} holds a line that no league writes; take the whole folder from a backup")
            if not line.endswith(b"\n"):
                break  # the last: it was being written when the program ended
            self.tally.add(self._check.pair(line))
            good += len(line)
        self._file.seek(good)
        self._file.truncate()


class _LineCheck:
    """Reads the lines of a league in their order; `rules` are those of its games, where they are known."""

    def __init__(self, plan: LeaguePlan, rules: Rules | None) -> None:
        self._schedule, self._rules, self._read = PairSchedule(plan), rules, 0
        self._names = [player.name for player in plan.players]

    def pair(self, line: bytes) -> PairLine:
        """Return the pair of the next line; raise UsageError if it is another one, or none."""
        number = self._read = self._read + 1
        if number > self._schedule.total:
            raise UsageError(f"{PAIRS} has more pairs than the league; take the whole folder from a backup")
        try:
            found = pair_of_line(line, self._rules)
        except HistoryError as error:
            raise self._another(f" ({error})") from None
        if not is_pair(found, self._schedule.pair(number), self._names):
            raise self._another()
        return found

    def _another(self, why: str = "") -> UsageError:
        number = self._read
        return UsageError(
            f"line {number} of {PAIRS} is not pair {number} of this league{why}; take the whole folder from a backup"
        )


def lines_of(folder: Path, plan: LeaguePlan, most: int, rules: Rules | None = None) -> Iterator[PairLine]:
    """Yield the first lines, at most so many; raise OSError if the file cannot be read, UsageError for a wrong line."""
    for _, line in lines_from(folder, plan, rules, most):
        yield line


def lines_from(folder: Path, plan: LeaguePlan, rules: Rules | None, most: int) -> Iterator[tuple[int, PairLine]]:
    """Yield the same with the byte at which each line begins."""
    check, begin = _LineCheck(plan, rules), 0
    with open(open_within(folder, PAIRS), "rb") as file:
        for line in islice(iter(lambda: file.readline(LARGEST_LINE), b""), most):
            if not line.endswith(b"\n") and len(line) < LARGEST_LINE:
                return
            yield begin, check.pair(line)
            begin += len(line)


def _locked(folder: Path) -> BinaryIO:
    path = folder / PAIRS
    try:
        file = open(open_within(folder, PAIRS, os.O_RDWR | os.O_APPEND | os.O_CREAT), "a+b")  # noqa: SIM115
    except OSError as error:
        raise UsageError(f"{str(path)!r} cannot be written: {error.strerror}") from None
    try:
        lock(file.fileno())
    except BlockingIOError:
        file.close()
        raise UsageError(f"the league in {str(path.parent)!r} is being played by another program now") from None
    return file
