"""A new league."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pygame

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.text_fields import Field
from batllm_arcade.app.kit.widgets import Button, Choice, Pressable, Widget, place, rows
from batllm_arcade.app.menus.line_up import GAP, LineUpScreen
from batllm_arcade.app.services.leagues import Entrant, LeagueDraft
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.brains.ready_made import library
from batllm_arcade.errors import UsageError
from batllm_arcade.history.summary import counted
from batllm_arcade.league.plan import LEAGUE_NAME_LIMIT, SCHEDULES
from batllm_arcade.league.plan_file import new_folder
from batllm_arcade.settings import config as configuration
from batllm_arcade.view import theme
from batllm_arcade.view.theme import mixed

# -- One player of a league that is being set up

HIGH = 66.0


class PlayerRow(Pressable):
    """A player, its brain and orders; confirm and a click open its card.

    `problem` is "" for a player that is ready, None while that is not known.
    """

    def __init__(
        self, place: int, name: str, about: tuple[str, str], problem: str | None, opens: Callable[[int], None]
    ) -> None:
        super().__init__(name, lambda: opens(place), "Change this player, its orders, or take it out")
        self.place, self.about, self.problem = place, about, problem

    def draw(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        color, (brain, orders) = theme.SEAT_COLORS[self.place % 2], self.about
        canvas.box(box, mixed(theme.PANEL, theme.PANEL_EDGE, 0.75 if focused else 0.25), None, radius=8)
        canvas.box(Box(box.x, box.y + 8, 5, box.h - 16), color, None, radius=2.5)
        if focused:
            canvas.ring(box, theme.GOLD, now)
        canvas.words((box.x + 30, box.y + box.h / 2), str(self.place + 1), "title", 22, color, side="middle")
        x, wide = box.x + 52, box.w - 68
        at = (box.right - 14, box.y + 14)
        used = canvas.words(at, brain, "mono", 12, theme.DIM, width=wide * 0.45, side="right")
        canvas.words((x, box.y + 8), self.text, "title", 21, theme.TEXT, width=wide - used - 12)
        said, tint = (self.problem, theme.GOLD) if self.problem else (orders, theme.SOFT)
        canvas.words((x, box.y + 37), said, "label", 15, tint, width=wide)


# -- A league to come

_PAIRS = (1, 2, 5, 10, 20, 30, 50, 100, 200, 500)
_REQUESTS = (0, 500, 2000, 10_000, 50_000)
_MEETINGS = ("everybody", "the first alone")
_ADDED = Spec("embedded", "tactics")


class NewLeagueScreen(LineUpScreen):
    """Players at the left, the league at the right; the last choices are kept while the window is open."""

    heading, title, share, most = "NEW LEAGUE", "THE LEAGUE", 0.52, 32
    draft: LeagueDraft
    players: Sequence[PlayerRow]

    def __init__(self, ui: Ui, go: Navigation, services: Services, plugins_dir: Path | None = None) -> None:
        jobs = services.league_jobs
        jobs.draft = jobs.draft or LeagueDraft(plugins_dir=plugins_dir)
        super().__init__(ui, go, services, jobs.draft, "Play it; you can go on with something else meanwhile")
        self.adds = [Button("+  ADD A PLAYER", self.add, hint="One more player: a model, a script, a bot from a file")]
        *self._first, self._name, self._limit = self._setting_rows()
        self.brains().check_stand_ins()
        self.fill()
        self.form.focus = self.start

    def _setting_rows(self) -> list[Widget]:
        draft = self.draft
        games = Choice.among(
            "Games", sorted({*_PAIRS, draft.pairs}), draft.pairs, partial(setattr, draft, "pairs"),
            lambda pairs: f"{2 * pairs:,} a pairing",
            hint="Each start is played twice with the sides changed; more games make the table surer",
        )  # fmt: skip
        meetings = Choice.among(
            "Who meets", SCHEDULES, draft.schedule, partial(setattr, draft, "schedule"),
            lambda schedule: _MEETINGS[SCHEDULES.index(schedule)],
            hint="Everybody plays everybody, or the first player all others",
        )  # fmt: skip
        set_name, hint = partial(setattr, draft, "name"), "What the league is called"
        limit, most = draft.max_requests, LEAGUE_NAME_LIMIT
        pause = Choice.among(
            "Pause after", sorted({*_REQUESTS, limit}), limit, partial(setattr, draft, "max_requests"),
            lambda requests: f"{requests:,} requests" if requests else "no limit",
            hint="A league of models pauses after so many requests to their servers, which may charge for them",
        )  # fmt: skip
        return [games, meetings, Field("Name", draft.name, set_name, hint=hint, most=most), pause]

    def configure(self, name: str) -> None:
        super().configure(name)
        rules = configuration.load(name).rules
        self._plays = rules.total_rounds * rules.turns_per_round

    @property
    def _asks(self) -> list[bool]:
        """Which players ask a model's server."""
        kinds = (self.brain_list.kind(each.spec) for each in self.draft.entrants)
        return [kind is not None and kind.models is not None for kind in kinds]

    @property
    def settings(self) -> tuple[Sequence[Widget], Sequence[Widget]]:
        return self._first, [self._name, *([self._limit] if any(self._asks) else [])]

    def called(self, entrant: Entrant) -> str:
        """Return what a player without a name of its own is called: as its brain, and its ready-made orders."""
        spec = entrant.spec
        name = spec.text("model") or self.brain_list.called(replace(spec, options={}))
        orders = next((name for name, text in library() if text == entrant.orders), "")
        return f"{name}, {orders}" if orders else name

    @property
    def names(self) -> Sequence[str]:
        return self.draft.names(self.called)

    def row(self, place: int, name: str, entrant: Entrant) -> PlayerRow:
        brains, spec = self.brain_list, entrant.spec
        kind = brains.kind(spec)
        takes = kind is not None and kind.prompted
        orders = " ".join(entrant.orders.split()) or "no orders" if takes else brains.about(spec).partition(",")[0]
        return PlayerRow(place, name, (spec.short, orders), brains.problem(spec), self.open)

    def add(self) -> None:
        """Add a player, and show its card: the embedded model where it is ready, else the next script."""
        brains = self.brains()
        spec = _ADDED if brains.problem(_ADDED) == "" else Spec("scripted", "random")
        taken = [entrant.orders for entrant in self.draft.entrants if entrant.spec.name == spec.name]
        fresh = next((text for _, text in library() if text not in taken), "") if spec is _ADDED else ""
        self.insert(Entrant(spec, fresh))
        self.open(len(self.draft.entrants) - 1)

    def key(self, event: pygame.event.Event) -> bool:
        focus = self.form.focus
        if event.key != pygame.K_DELETE or not isinstance(focus, PlayerRow):
            return False
        if len(self.players) > 2:
            self.take_out(focus.place)
        else:
            self.complain("A league needs two players")
        return True

    def begin(self) -> None:
        """Begin the league, and go to the leagues to watch it."""
        leagues = self.services.league_jobs
        if leagues.folder is not None:
            raise UsageError("A league is being played; stop it among the leagues, or wait for its end")
        leagues.begin(new_folder(), self.draft.plan(self.services.plugins.kinds, self.called), self.draft.run())
        self.go.leagues()

    def back(self) -> None:
        self.go.leagues()

    def keys(self) -> Sequence[tuple[str, str]]:
        on_player = isinstance(self.form.focus, PlayerRow)
        confirm = "change" if on_player else "choose"
        own = [("DEL", "take out")] if on_player else []
        return [("confirm", confirm), *own, ("next", "players / league"), ("back", "leagues")]

    def update(self, now: float) -> None:
        super().update(now)
        for row, entrant in zip(self.players, self.draft.entrants, strict=True):
            row.problem = self.brain_list.problem(entrant.spec)

    def arrange_players(self, area: Box) -> float:
        every: list[Widget] = [*self.players, *self.adds]
        place(every, boxes := rows(area, [*[HIGH] * len(self.players), 44], GAP))
        return boxes[-1].bottom + 6

    def count(self) -> tuple[str, str]:
        draft = self.draft
        said = f"{counted(len(self.players), 'player')}, {counted(len(draft.pairings), 'pairing')}"
        if requests := draft.requests(self._asks, self._plays):
            said += f", up to {requests:,} requests to models"
        return f"{draft.games:,} games", said
