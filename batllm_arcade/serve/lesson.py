"""A class's cup on pages, from the first name to the champion: one match after the other, in the time of a lesson."""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from batllm_arcade.brains.orders import ReadsOrders
from batllm_arcade.brains.ready_made import library
from batllm_arcade.cup.folder import CUP, Cup
from batllm_arcade.cup.output import write_results
from batllm_arcade.cup.tree import CupEntrant, CupPlan, Match, next_match
from batllm_arcade.errors import UsageError
from batllm_arcade.files.atomic import read_private, write_private
from batllm_arcade.history.reader import parsed_json
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.serve.club import Club, Member, Wants
from batllm_arcade.serve.codes import LENGTH, LETTERS
from batllm_arcade.serve.lobby import Lobby
from batllm_arcade.serve.served_match import ServedMatch
from batllm_arcade.session import headless
from batllm_arcade.settings.config import Config
from batllm_arcade.share.write import QuickPages

REST_S, END_S = 8.0, 8.0
"""Seconds in which the tree is shown before a match, and a match's end where it was cut short, at most."""
CODES = "codes.json"
"""The codes of a cup that is being played, and what its pages are known by: they find it again after a fall."""
_DOORS = ("watch", "class", "teach")


@dataclass(frozen=True)
class LessonPlan:
    """What a class plays: `brain` for everybody, in this folder, within so many minutes (0: as long as it takes)."""

    folder: Path
    brain: str
    config_name: str
    config: Config
    seed: int
    best_of: Literal[1, 3] = 1
    minutes: float = 0.0
    clock_s: float = 0.0
    vote: bool = False


class Lesson:
    """Plays a class's cup on the pages of a lobby; a folder with a cup in it goes on where it was.

    Raise UsageError if that cannot be.
    """

    def __init__(
        self, lobby: Lobby, plan: LessonPlan, plugins: Plugins, wants: Wants, reader: ReadsOrders | None
    ) -> None:
        self._lobby, self._plan, self._plugins = lobby, plan, plugins
        self._cup = Cup.open(plan.folder) if (plan.folder / CUP).exists() else None
        self.club = Club(lobby, wants, reader=reader, library=library(), led=self._led)
        self._started = self._paused = self._next = False
        self._leaving: list[str] = []
        self._served: ServedMatch | None = None
        self._ends = math.inf
        if self._cup is not None:
            self._take_up(self._cup)

    def _take_up(self, cup: Cup) -> None:
        """Have who was there before find their names, at the codes that they know."""
        plan, wanted = cup.plan, self._plan
        if any(each.brain != wanted.brain for each in plan.entrants) or plan.config != wanted.config_name:
            brain = plan.entrants[0].brain
            cup.close()
            raise UsageError(f"this cup is played by other brains or rules; add --left {brain} --config {plan.config}")
        codes, tickets = _read_codes(cup.folder)
        self._lobby.codes.by_door.update(codes)
        for entrant in plan.entrants:
            text = cup.entrant(entrant.name).orders
            self.club.members[entrant.name] = Member(entrant.name, text, tickets.get(entrant.name, ""))
        self.club.begin(cup.tree, cup.gone)

    # -- what whoever leads it wants; on the thread of the pages

    def _led(self, what: str, name: str) -> None:
        with self._lobby.changed:
            if what == "start":
                self._started = len(self.club.members) > 1
            elif what == "pause":
                self._paused = self.club.paused = not self._paused
            elif what == "next" and self._served is not None:
                self._served.until = 0.0  # then its end is shown
            elif what == "next":
                self._next = True
            elif name in self.club.members:
                self._leaving.append(name)
                if self._served is not None and self.club.members[name].seat is not None:
                    self._served.stop()
            self._lobby.change()

    # -- the lesson

    def run(self) -> int:
        """Play until there is a champion; return 0, or as `run` does if a match went wrong or a signal ended it."""
        cup = self._cup if self._cup is not None else self._begun()
        self._ends = time.monotonic() + 60 * self._plan.minutes if self._plan.minutes else math.inf
        worst = 0
        try:
            if (match := next_match(cup.tree)) is not None:
                cup.take(match)  # which was played to its end, and then the program fell
            self.club.begin(cup.tree, cup.gone)
            while (match := next_match(cup.tree)) is not None:
                code = self._play(cup, match)
                worst = max(worst, code)
                if code >= 128:
                    return code
                write_results(cup)
                self.club.rest(cup.tree, cup.gone)
            write_results(cup, QuickPages().write)
            self._wait(lambda: False, REST_S)
            (cup.folder / CODES).unlink(missing_ok=True)
        finally:
            cup.close()
        return worst

    def _begun(self) -> Cup:
        """Wait for names and the start; return the cup of whoever is there."""
        with self._lobby.changed:
            while not self._started:
                self._lobby.changed.wait(0.2)
            members, plan = tuple(self.club.members.values()), self._plan
            entrants = tuple(CupEntrant(each.name, plan.brain, each.text) for each in members)
            cup = Cup.create(
                plan.folder, CupPlan(entrants, best_of=plan.best_of, config=plan.config_name, seed=plan.seed)
            )
            self.club.begin(cup.tree)
        codes = {door: self._lobby.codes.by_door[door] for door in _DOORS}
        _write_codes(plan.folder, codes, {each.name: each.ticket for each in members})
        return cup

    def _share(self, cup: Cup, match: Match) -> float:
        """Return the seconds for the next game: what is left of the lesson, by all the games that may still come."""
        left = sum(not each.ending for matches in cup.tree for each in matches)
        games = max(1, left * self._plan.best_of - len(match.games))
        return max(0.0, self._ends - time.monotonic()) / games

    def _play(self, cup: Cup, match: Match) -> int:
        """Show the tree, then play the next game of a match; return as `run` does."""
        began, share = time.monotonic(), self._share(cup, match)
        self._wait(lambda: self._paused, min(REST_S, share / 5))
        if self._settle(cup):
            return 0
        names = [name for name in match.names if name is not None]
        with self._lobby.changed:
            for name in names:
                cup.give_orders(name, self.club.members[name].text)
            one, other = (side.name for side in cup.sides(match))
            plan = replace(cup.session_plan(match, self._plan.config), turn_clock_s=self._plan.clock_s)
            end = min(END_S, share / 4)
            self._served = served = ServedMatch(self._lobby, asks_winner=self._plan.vote, until=began + share - end)
            self.club.call(cup.tree, match, (one, other))
        try:
            code = headless.run(plan, self._plugins, out=None, attendant=served)
        finally:
            self._served = None
        counted = cup.take(match)
        if self._settle(cup) or code >= 128:
            return code
        if counted is None:
            raise UsageError("a game of the cup could not be kept; see above, then go on with the same command")
        self._lobby.feed.skip(end)
        with self._lobby.changed:
            self._lobby.change()
        self._wait(lambda: bool(self._lobby.feed.unseen_s))
        return code

    def _settle(self, cup: Cup) -> bool:
        """Let those leave who do; return whether there were any."""
        with self._lobby.changed:
            leaving, self._leaving = self._leaving, []
            for name in leaving:
                cup.leave(name)
        return bool(leaving)

    def _wait(self, while_: Callable[[], bool], seconds: float = 0.0) -> None:
        """Wait so long and while this is true, or until whoever leads wants what comes next, or somebody leaves."""
        ends = time.monotonic() + seconds
        with self._lobby.changed:
            while (while_() or time.monotonic() < ends) and not self._next and not self._leaving:
                self._lobby.changed.wait(0.1)
            self._next = False


def _write_codes(folder: Path, codes: dict[str, str], tickets: dict[str, str]) -> None:
    """Keep what pages are let in by, for you alone; raise UsageError if the disk does not take it."""
    try:
        write_private(folder / CODES, json.dumps({"codes": codes, "tickets": tickets}).encode())
    except OSError as error:
        raise UsageError(f"the cup cannot be written ({error.strerror}); make room and begin again") from None


def _read_codes(folder: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Return codes and tickets that were kept, as far as they are some."""
    try:
        values = parsed_json(read_private(folder / CODES, 100_000).decode())
        codes, tickets = values["codes"], values["tickets"]
        good = {door: codes[door] for door in _DOORS if re.fullmatch(f"[{LETTERS}]{{{LENGTH}}}", codes[door])}
        return good, {str(name): str(ticket)[:64] for name, ticket in tickets.items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}, {}
