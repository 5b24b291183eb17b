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

from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.files.lock import lock
from batllm_arcade.league.engines.pair_play import PlayedPair
from batllm_arcade.league.plan import LeaguePlan, PairSchedule
from batllm_arcade.league.statistics.pair_line import PairLine
from batllm_arcade.league.statistics.tally import LeagueTally

PAIRS = "pairs.jsonl"
LARGEST_LINE = 1024 * 1024
"""Bytes of the longest line that is read."""


class LeagueStore:
    """An open league's folder, locked against a second coordinator; `tally` holds what has been played.

    Raise UsageError if another program plays this league now, or its files do not belong together.
    """

    def __init__(self, folder: Path, plan: LeaguePlan) -> None:
        self.folder, self._schedule = folder, PairSchedule(plan)
        self._names = [player.name for player in plan.players]
        self.tally = LeagueTally(plan)
        self._file = _locked(folder / PAIRS)
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
            self._take(line)
            good += len(line)
        self._file.seek(good)
        self._file.truncate()

    def _take(self, line: bytes) -> None:
        number = self.tally.pairs + 1
        problem = f"line {number} of {PAIRS} is not pair {number} of this league; take the whole folder from a backup"
        try:
            value = json.loads(line)
            if number > self._schedule.total:
                raise UsageError(f"{PAIRS} has more pairs than the league; take the whole folder from a backup")
            pair = self._schedule.pair(number)
            expected = [number, [self._names[pair.first], self._names[pair.second]], pair.seed]
            if [value["pair"], value["players"], value["seed"]] != expected:
                raise UsageError(problem)
            self.tally.add(value)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise UsageError(problem) from None


def lines_of(folder: Path, most: int) -> Iterator[PairLine]:
    """Yield the first lines, at most so many; raise OSError if the file cannot be read."""
    with open(folder / PAIRS, "rb") as file:
        for line in islice(iter(lambda: file.readline(LARGEST_LINE), b""), most):
            if not line.endswith(b"\n"):
                return
            found: PairLine = json.loads(line)
            yield found


def _locked(path: Path) -> BinaryIO:
    try:
        file = open(path, "a+b")  # noqa: SIM115 - kept while the league is played
    except OSError as error:
        raise UsageError(f"{str(path)!r} cannot be written: {error.strerror}") from None
    try:
        lock(file.fileno())
    except BlockingIOError:
        file.close()
        raise UsageError(f"the league in {str(path.parent)!r} is being played by another program now") from None
    return file
