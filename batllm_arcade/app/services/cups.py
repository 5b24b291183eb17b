"""The cup of an evening: set up, opened again where it was, its games played as sessions of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from batllm_arcade.app.services.background import Report
from batllm_arcade.app.services.leagues import Draft
from batllm_arcade.app.services.sessions import with_people
from batllm_arcade.brains.protocol import BrainKind, Spec
from batllm_arcade.cup import tree as cup_tree
from batllm_arcade.cup.folder import Cup, cups, cups_folder, is_cup, new_folder
from batllm_arcade.cup.output import write_results
from batllm_arcade.cup.tree import CupEntrant, CupPlan, Match, MatchId, next_match
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.history.forking import TurnPlace, fork_at
from batllm_arcade.history.reader import read
from batllm_arcade.history.schema import HistoryError
from batllm_arcade.match.records import Play
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.session.live_session import LiveSession, SessionPlan, fork_config, new_seed

if TYPE_CHECKING:
    from batllm_arcade.serve.club import Club
    from batllm_arcade.serve.server import Server

PEOPLE = (
    "Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina", "Hugo", "Ida", "Jon", "Kim", "Leo", "Mia", "Noa", "Otto", "Pia",
)  # fmt: skip
"""Names that people have until they type their own."""
BOTS = tuple(Spec("scripted", name) for name in ("sharpshooter", "dancer", "turtle", "strategist", "random"))
"""Bots in the order in which they are offered."""
PHONE = Spec("browser")
MOST = 16
"""Names that fit into a cup of the window."""


@dataclass(slots=True)
class CupDraft(Draft):
    """A cup that is being set up, everybody in it by a name of their own."""

    best_of: Literal[1, 3] = 1

    @property
    def names(self) -> list[str]:
        """Return what the entrants are called."""
        return [each.spec.text("name") for each in self.entrants]

    def free_name(self, wished: str = "") -> str:
        """Return a name that nobody has: the one wished, with a number if need be, else a person's."""
        taken = {name.casefold() for name in self.names}
        wishes = [wished, *(f"{wished} {number}" for number in range(2, MOST + 2))] if wished else PEOPLE
        return next(name for name in wishes if name.casefold() not in taken)

    def plan(self, kinds: Mapping[str, BrainKind]) -> CupPlan:
        """Return the cup's plan, drawn anew; raise UsageError if nobody could play it."""
        names = [name.strip() for name in self.names]
        entrants = tuple(CupEntrant(*each) for each in self.players(names, kinds))
        return cup_tree.checked(CupPlan(entrants, best_of=self.best_of, config=self.config, seed=new_seed()))


class CupNight:
    """The cup that is open in this window, if there is one; `draft` is what was set up last."""

    def __init__(self) -> None:
        self.draft: CupDraft | None = None
        self.cup: Cup | None = None

    def begin(self, plan: CupPlan) -> None:
        """Open a new cup; raise UsageError if it cannot be kept."""
        self.close()
        self.cup = Cup.create(new_folder(), plan)
        self._enrol()

    # -- who takes part by phone

    @property
    def club(self) -> Club | None:
        """The names that have come by phone, None while no pages are open for them."""
        from batllm_arcade.serve.seat import open_server

        server = open_server()
        return server.club if server is not None else None

    def let_in(self, user: object, *, lan: bool) -> Server:
        """Open the pages by which names come, for a user who closes them; raise UsageError if that cannot be."""
        from batllm_arcade.serve.club import Club
        from batllm_arcade.serve.seat import open_pages

        server = open_pages(user, lan=lan)
        server.lobby.invited = True
        server.club = Club(server.lobby)
        self._enrol()
        return server

    def _enrol(self) -> None:
        """Let nobody come any more but those whom the cup knows that is being played, if one is."""
        from batllm_arcade.serve.club import Member

        cup, club = self.cup, self.club
        if cup is None or club is None or cup_tree.is_over(cup.tree):
            return
        names = [each.name for each in cup.plan.entrants if each.brain == PHONE.name]
        for name in {*club.members}.difference(names):
            club.lead("leaves", name)
        for name in names:
            club.members.setdefault(name, Member(name))
        club.begin(cup.tree, cup.gone)

    def call(self, plan: SessionPlan) -> None:
        """Lead those to their seats who play a game by phone."""
        club, cup, match = self.club, self.cup, self.match
        if club is not None and cup is not None and match is not None:
            left, right = cup.sides(match)
            club.call(cup.tree, match, (left.name, right.name))

    # -- how it stands and goes on

    def counted(self) -> Cup | None:
        """Return the cup as it stands, the game that was played last counted: the one that is open, else the latest.

        None if that one is over, there is none, or another window plays it. Raise ArcadeError if the disk does not
        take what has come of it, or its folder is gone.
        """
        if self.cup is not None and not is_cup(self.cup.folder):
            folder = self.cup.folder
            self.close()
            raise ArcadeError(f"the folder of this cup is gone, {str(folder)!r}; begin a new cup")
        if self.cup is None:
            try:
                self.cup = next((Cup.open(folder) for folder in cups(cups_folder())[:1]), None)
            except UsageError:
                return None
            if self.cup is not None and cup_tree.is_over(self.cup.tree):
                self.close()
        if (cup := self.cup) is not None:
            if (match := self.match) is not None:
                cup.take(match)
            write_results(cup)
            if (club := self.club) is not None:
                club.rest(cup.tree, cup.gone)
        return self.cup

    @property
    def match(self) -> Match | None:
        """The match to be played next."""
        return next_match(self.cup.tree) if self.cup is not None else None

    def game(self, kinds: Mapping[str, BrainKind], only: MatchId | None = None) -> SessionPlan | None:
        """Return the next game of the cup; None if there is none, or it is not of the match that `only` it may be of.

        One that was broken off goes on behind its last whole turn; where that cannot be, it is played again.
        """
        match = self.match
        if self.cup is None or match is None or only not in (None, match.id):
            return None
        plan = self.cup.session_plan(match)
        assert plan.history is not None
        try:
            tape = read(plan.history)
            place = [TurnPlace(1, each.number, len(each.plays) // 2) for each in tape.games[0].rounds]
            fork = with_people(fork_at(tape, [each for each in place if each.turn][-1]), kinds)
        except (HistoryError, OSError, IndexError):
            return plan
        left, right = (now.brain != sat.brain for now, sat in zip(fork.seats, fork.started.seats, strict=True))
        fork = replace(fork, new=(left, right))  # whose seat it is has it again
        return replace(plan, config=fork_config(plan.config, fork), seed=fork.started.seed, fork=fork)

    def play_out(self, plugins: Plugins, report: Report) -> None:
        """Play the match that is next to its end without showing it; raise ArcadeError if that cannot be."""
        self.counted()
        match = self.match
        while match is not None and (plan := self.game(plugins.kinds, match.id)) is not None:
            session = LiveSession(plan, plugins)
            table = session.table(plan)
            try:
                table.prepare(report, plan.config.prompts, plan.headers)
                for record in session.match(plan, table):
                    if isinstance(record, Play):
                        report(f"round {record.round}, turn {record.turn}")
            finally:
                table.close()
                session.close()
            if self.cup is None or self.cup.take(match) is None:
                raise ArcadeError("the game did not come to its end; watch it to see why")

    def close(self) -> None:
        """Let go of the cup; it can be opened again."""
        if self.cup is not None:
            self.cup.close()
        self.cup = None
