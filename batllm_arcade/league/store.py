"""The lines of a league, read and written."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.core.rules import outcome
from batllm_arcade.errors import ArcadeError, UsageError, quoted
from batllm_arcade.files.atomic import lock
from batllm_arcade.files.reading import open_within
from batllm_arcade.history.reader import parsed_json
from batllm_arcade.history.schema import HistoryError
from batllm_arcade.league.engines.pair_play import PlayedPair
from batllm_arcade.league.kept_files import PAIRS
from batllm_arcade.league.plan import LeaguePlan, PairSchedule, ScheduledPair
from batllm_arcade.league.statistics.tally import FAULTS, GameLine, LeagueTally, PairLine, outcome_of
from batllm_arcade.league.validation import read_as
from batllm_arcade.prompts.notes import kept

REASONS = ("knockout", "points", "draw", "forfeit")
_FAULTS = frozenset(FAULTS)
LARGEST_LINE = 1024 * 1024
"""Bytes of the longest line that is read."""


def pair_of_line(text: bytes, rules: Rules | None = None) -> PairLine:
    """Return the pair of a line; raise HistoryError if it is none. `rules` are those of its games, where known."""
    try:
        return pair_of(parsed_json(text.decode("utf-8")), rules)
    except (ValueError, RecursionError):
        raise HistoryError("it is no JSON") from None


def pair_of(values: Any, rules: Rules | None = None) -> PairLine:
    """Return the pair that plain values are; raise HistoryError, which names the place, if they are none."""
    line: PairLine = _known(values, read_as(PairLine, values, "it"))  # as they are: 100 and not 100.0
    names = line["players"]
    if names[0] == names[1]:
        raise HistoryError(f"'players' of it must be two, not {quoted(names)}")
    for place, game in enumerate(line["games"]):
        why = _wrong(game, names, names[place]) or ("" if rules is None else _wrong_by_rules(game, rules))
        if why:
            raise HistoryError(f"game {place + 1} of it is none: {why}")
    noted = line.get("notes", {})
    if not noted.keys() <= set(names) or any(text != kept(text) for text in noted.values()):
        raise HistoryError("'notes' of it are not those of its players, each a line of few words")
    if line["outcome"] != outcome_of([game["winner"] for game in line["games"]], names[0]):
        raise HistoryError("'outcome' of it does not follow from its games")
    try:
        datetime.fromisoformat(line["finished"].replace("Z", "+00:00"))
    except ValueError:
        raise HistoryError(f"'finished' of it must be a time, not {quoted(line['finished'])}") from None
    return line


def _known(values: Any, typed: Any) -> Any:
    """Return values without what has no place in a typed copy of them."""
    if isinstance(typed, dict):
        return {key: _known(value, typed[key]) for key, value in values.items() if key in typed}
    if isinstance(typed, list):
        return [_known(value, copy) for value, copy in zip(values, typed, strict=True)]
    return values


def is_pair(line: PairLine, pair: ScheduledPair, names: Sequence[str]) -> bool:
    """Return whether a line is of this pair, given the names of the league's players."""
    expected = (pair.number, [names[pair.first], names[pair.second]], pair.seed)
    return (line["pair"], line["players"], line["seed"]) == expected


def _wrong(game: GameLine, names: Sequence[str], left: str) -> str:
    """Return how the figures of a game contradict each other or its players, "" if they do not."""
    winner, reason = game["winner"], game["reason"]
    if (game["left"], game["first"] in names, winner in (*names, None)) != (left, True, True):
        return "its players are others"
    if reason not in REASONS:
        return f"its reason must be one of {', '.join(REASONS)}, not {quoted(reason)}"
    for key, figures in game.items():
        if isinstance(figures, dict) and figures.keys() != set(names):
            return f"{key!r} does not have both players"
    if any(faults.keys() != _FAULTS for faults in game["faults"].values()):
        return f"'faults' must have {', '.join(FAULTS)}"
    if (winner is None) != (reason == "draw"):
        return f"its winner does not go with the reason {reason!r}"
    fallen = {name for name, health in game["health"].items() if health == 0}
    if reason == "knockout" and (len(fallen) != 1 or winner in fallen):
        return "its winner is not the one whose health was left"
    if reason != "knockout" and fallen:
        return "it is no knock-out, and a health is 0"
    for name, times in game["latency_s"].items():
        if times["median"] > times["max"]:
            return "a median is over the slowest"
        if sum(game["faults"][name].values()) > times["plays"]:
            return "its faults are more than there were plays"
        if game.get("by_fallback", {}).get(name, 0) > times["plays"]:
            return "plays by a fallback are more than there were plays"
        if "loss" in game and not game["loss"][name]["sum"] <= game["loss"][name]["plays"] <= times["plays"]:
            return "plays that were judged are more than there were, or have lost more than all"
        if game.get("written", {}).get(name, 0) > game["tokens"][name]:
            return "tokens written are more than all tokens"
    return ""


def _wrong_by_rules(game: GameLine, rules: Rules) -> str:
    """Return why a game cannot have ended so under these rules, "" if it can."""
    left = game["left"]
    right = next(name for name in game["health"] if name != left)
    healths = [game["health"][name] for name in (left, right)]
    if any(health > most for health, most in zip(healths, rules.initial_health, strict=True)):
        return "a health is more than there is at first"
    if game["turns"] > rules.total_rounds * rules.turns_per_round:
        return "its turns are more than a game has"
    ended = outcome(Arena(*(BotState(0, 0, 0, health, False) for health in healths)), rules)
    winner = None if ended.winner is None else (left, right)[ended.winner]
    if game["reason"] != "forfeit" and (game["winner"], game["reason"]) != (winner, ended.reason):
        return "its winner does not follow from the health that was left"
    return ""


class LeagueStore:
    """An open league's folder, locked against a second coordinator; `tally` holds what has been played.

    Raise UsageError if another program plays this league now, or its files do not belong together.
    """

    def __init__(self, folder: Path, plan: LeaguePlan, rules: Rules | None = None) -> None:
        self.folder = folder
        self.tally = LeagueTally(plan)
        self.notes: dict[tuple[str, ...], dict[str, str]] = {}
        """What models had noted when it was opened, by name, for both players of a pair."""
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
            pair = self._check.pair(line)
            self.tally.add(pair)
            self.notes[tuple(pair["players"])] = pair.get("notes", {})
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
            played = pair_of_line(line, self._rules)
        except HistoryError as error:
            raise self._another(f" ({error})") from None
        if not is_pair(played, self._schedule.pair(number), self._names):
            raise self._another()
        return played

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
