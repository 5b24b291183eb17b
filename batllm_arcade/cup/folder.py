"""A cup's folder: its plan, what has happened, the sessions of its games; who opens it goes on where it was."""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from random import Random
from typing import Any

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.cup import tree as cup_tree
from batllm_arcade.cup.tree import CupEntrant, CupGame, CupPlan, Match, MatchId, Tree
from batllm_arcade.errors import UsageError, quoted
from batllm_arcade.files.atomic import lock, write_text
from batllm_arcade.files.paths import data_folder, new_path
from batllm_arcade.files.reading import open_within, read_within
from batllm_arcade.history.paths import in_use
from batllm_arcade.history.reader import parsed_json, read
from batllm_arcade.history.replay import replay
from batllm_arcade.history.schema import HistoryError
from batllm_arcade.league.kept_files import MARKDOWN, PAGE, SESSIONS, TABLE, check_files
from batllm_arcade.league.validation import read_as
from batllm_arcade.match.records import GameEnded, Play
from batllm_arcade.match.series import Series
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings import config as configuration
from batllm_arcade.settings.config import Config

CUP, EVENTS, POSTER = "cup.json", "events.jsonl", "poster.png"
FILES = (CUP, EVENTS, TABLE, MARKDOWN, PAGE, POSTER)
"""All that is kept in a cup's folder beside its sessions and pages: the picture is of who has won."""
SCHEMA = "batllm_arcade.cup.v1"
_SESSION = re.compile(r"[0-9]{1,9}-[0-9]{1,9}-[0-9]{1,9}\.json", re.ASCII)
_BROKEN = (OSError, ValueError, TypeError, KeyError, HistoryError)
"""What reading the lines of somebody else's cup may raise."""
_LARGEST = 4 * 1024 * 1024


def cups_folder() -> Path:
    """Return the folder of cups without a named one; it may not exist yet."""
    return data_folder() / "cups"


def new_folder() -> Path:
    """Return a free folder for a cup, named by the time; raise UsageError if there can be none."""
    return new_path(cups_folder(), "cups", "set XDG_DATA_HOME to a folder of yours", "%Y%m%d-%H%M%S")


class KeptCup:
    """The cup in a folder as it stands, read without playing it: whoever plays it may go on meanwhile."""

    def __init__(self, folder: Path, plan: CupPlan) -> None:
        self.folder, self.plan = folder, plan
        self.games: list[CupGame] = []
        self.gone: list[str] = []
        """Who has left, in the order in which they did."""
        self._orders = {entrant.name: entrant.orders for entrant in plan.entrants}

    @staticmethod
    def read(folder: Path) -> KeptCup:
        """Return the cup in a folder; raise UsageError if there is none, or it is damaged."""
        cup = KeptCup(folder, plan_of(folder))
        try:
            cup._apply_lines(read_within(folder, EVENTS, _LARGEST).encode())
        except _BROKEN as error:
            raise _damaged(folder, error) from None
        return cup

    def _apply_lines(self, text: bytes) -> int:
        """Let all lines count but one that was broken off; return how many bytes these have."""
        whole = text.rfind(b"\n") + 1
        for line in text[:whole].splitlines():
            self._apply(parsed_json(line.decode("utf-8")))
        return whole

    def _apply(self, event: Any) -> None:
        if "game" in event:
            game = read_as(CupGame, event["game"], "a game")
            known = game.round <= self.plan.rounds and game.place <= 2 ** (self.plan.rounds - game.round)
            if not known or not _SESSION.fullmatch(game.session):
                raise ValueError(f"{quoted(game.session)} is of no match of this cup")
            self.games.append(game)
        elif "left" in event:
            self.gone.append(str(event["left"]))
        else:
            given = event["orders"]
            self._orders[str(given["name"])] = str(given["text"])

    @property
    def tree(self) -> Tree:
        """Return all matches as they stand."""
        return cup_tree.tree(self.plan, self.games, self.gone)

    def match(self, match: MatchId) -> Match:
        """Return a match as it stands."""
        return self.tree[match[0] - 1][match[1] - 1]

    def entrant(self, name: str) -> CupEntrant:
        """Return an entrant with its orders as they are now."""
        found = next(each for each in self.plan.entrants if each.name == name)
        return replace(found, orders=self._orders[name])

    def sides(self, match: Match) -> tuple[CupEntrant, CupEntrant]:
        """Return who plays the next game of a match, left first: they change sides after each game."""
        one, other = (self.entrant(name) for name in match.names if name is not None)
        return (other, one) if len(match.games) % 2 else (one, other)

    def session_path(self, match: Match, number: int) -> Path:
        """Return the session file of a game of a match, counted from 1."""
        return self.folder / SESSIONS / f"{match.round}-{match.place}-{number}.json"

    def is_begun(self, match: Match) -> bool:
        """Return whether the next game of a match was begun and broken off."""
        return in_use(self.session_path(match, len(match.games) + 1))

    @property
    def sessions(self) -> list[Path]:
        """Return the session files of all games that count, in the order in which they were played."""
        return [self.folder / SESSIONS / game.session for game in self.games]


class Cup(KeptCup):
    """The cup in a folder, which this program alone plays until it is closed; one thread at a time may use it.

    `create` and `open` raise UsageError if that cannot be.
    """

    def __init__(self, folder: Path, plan: CupPlan) -> None:
        super().__init__(folder, plan)
        try:
            self._file = os.fdopen(open_within(folder, EVENTS, os.O_RDWR | os.O_CREAT), "r+b", buffering=0)
        except OSError as error:
            raise UsageError(f"the cup in {str(folder)!r} cannot be played: {error.strerror}") from None
        try:
            lock(self._file.fileno())
        except BlockingIOError:
            self.close()
            raise UsageError(f"the cup in {str(folder)!r} is being played by another window; close that one") from None

    @classmethod
    def create(cls, folder: Path, plan: CupPlan) -> Cup:
        """Begin a cup in a new folder."""
        plan = cup_tree.checked(plan)
        try:
            (folder / SESSIONS).mkdir(parents=True)
            write_text(folder / CUP, [json.dumps({"schema": SCHEMA, **asdict(plan)}, indent=1), "\n"], new=True)
        except OSError as error:
            raise UsageError(f"no cup can be kept in {str(folder)!r}: {error.strerror}") from None
        return cls(folder, plan)

    @classmethod
    def open(cls, folder: Path) -> Cup:
        """Go on with the cup in a folder; a line that was broken off is left out."""
        cup = cls(folder, plan_of(folder))
        try:
            whole = cup._apply_lines(cup._file.read(_LARGEST))
            cup._file.truncate(whole)
            cup._file.seek(whole)
        except _BROKEN as error:
            cup.close()
            raise _damaged(folder, error) from None
        return cup

    def close(self) -> None:
        """Let another program go on with it; twice does nothing."""
        self._file.close()

    def session_plan(self, match: Match, config: Config | None = None) -> SessionPlan:
        """Return the next game of a match as a session of its own; raise UsageError if it cannot be played.

        A file that a game left which never ended is replaced.
        """
        config = config or configuration.load(self.plan.config)
        sides = self.sides(match)
        specs = [Spec.parse(each.brain) for each in sides]
        named = [
            replace(spec, options={**spec.options, "name": side.name}) for spec, side in zip(specs, sides, strict=True)
        ]
        wins = match.wins[::-1] if len(match.games) % 2 else match.wins
        number = len(match.games) + 1
        return SessionPlan(
            replace(config, prompts=(sides[0].orders, sides[1].orders)),
            (named[0], named[1]),
            Random(f"game {self.plan.seed} {match.round} {match.place} {number}").randrange(1_000_000),
            history=self.session_path(match, number), force=True, series=Series(self.plan.best_of, wins),
            cup=cup_tree.round_name(self.plan.rounds, match.round),
        )  # fmt: skip

    def take(self, match: Match) -> CupGame | None:
        """Count the game that was played last in a match, read from its session; None if it has not ended there.

        An abandoned game is none.
        """
        path = self.session_path(match, len(match.games) + 1)
        try:
            records = list(replay(read(path)))
        except (HistoryError, OSError):
            return None
        ended = next((record for record in records if isinstance(record, GameEnded)), None)
        if ended is None or ended.result.reason == "aborted":
            return None
        sides, winner = self.sides(match), ended.result.winner
        turns = len({(play.round, play.turn) for play in records if isinstance(play, Play)})
        health = {side.name: float(ended.arena.bot(seat).health) for seat, side in enumerate(sides)}
        found = CupGame(
            match.round, match.place, sides[0].name, None if winner is None else sides[winner].name,
            ended.result.reason, turns, health, path.name,
        )  # fmt: skip
        self._note({"game": asdict(found)})
        return found

    def leave(self, name: str) -> None:
        """Let somebody leave the cup: they forfeit the match that they are in, or their next one."""
        if name not in self.gone:
            self._note({"left": name})

    def give_orders(self, name: str, orders: str) -> None:
        """Give an entrant other orders, from the next game on."""
        if self._orders[name] != orders:
            self._note({"orders": {"name": name, "text": orders}})

    def _note(self, event: dict[str, Any]) -> None:
        """Write an event to the disk, and only then let it count; raise UsageError if the disk does not take it.

        Nothing of it is left then, so that it can be written again.
        """
        line, before = json.dumps(event).encode() + b"\n", self._file.tell()
        try:
            if self._file.write(line) != len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self._file.fileno())
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(before)
            self._file.seek(before)
            raise UsageError(f"the cup cannot be written ({error.strerror}); make room and go on") from None
        self._apply(event)


def plan_of(folder: Path) -> CupPlan:
    """Return the plan of the cup in a folder; raise UsageError if there is none, or its files are no regular ones."""
    try:
        check_files(folder, FILES)
        values = parsed_json(read_within(folder, CUP, _LARGEST))
        return cup_tree.plan_from(values)
    except (OSError, ValueError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or error
        raise UsageError(f"there is no cup in {str(folder)!r}: {why}") from None


def _damaged(folder: Path, error: Exception) -> UsageError:
    return UsageError(f"the cup in {str(folder)!r} cannot be read: {EVENTS} is damaged ({error})")


def is_cup(path: Path) -> bool:
    """Return whether a folder is one of a cup."""
    return (path / CUP).is_file()


def cups(folder: Path) -> Sequence[Path]:
    """Return the folders of cups in a folder, the latest first."""
    try:
        found = [each for each in folder.iterdir() if is_cup(each)]
    except OSError:
        return []
    return sorted(found, reverse=True)
