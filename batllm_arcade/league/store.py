"""The pairs of a league on the disk: `pairs.jsonl`, a line for every pair that was played, and the kept sessions.

The coordinator alone writes, the pairs in their order and what comes together at once: whatever ends the program, what
is there is the beginning of what an uninterrupted league writes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from batllm_arcade.core.model import Rules
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.files.lock import lock
from batllm_arcade.files.within import open_within
from batllm_arcade.history.node import HistoryError
from batllm_arcade.league.engines.pair_play import PlayedPair
from batllm_arcade.league.kept_files import PAIRS
from batllm_arcade.league.pair_reader import LARGEST_LINE, is_pair, pair_of_line
from batllm_arcade.league.plan import LeaguePlan, PairSchedule
from batllm_arcade.league.statistics.pair_line import PairLine
from batllm_arcade.league.statistics.tally import LeagueTally


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
