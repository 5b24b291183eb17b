"""A new league."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pygame

from batllm_arcade.app.input.controls import Meaning
from batllm_arcade.app.kit.canvas import Box, Canvas, Scroll
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.text_fields import Field
from batllm_arcade.app.kit.widgets import ROW, Button, Choice, Pressable, Widget, columns, grid, place, rows
from batllm_arcade.app.menus.seat_card import SeatCard, SeatsScreen
from batllm_arcade.app.menus.setup import HIGH as RULES_HIGH
from batllm_arcade.app.menus.setup import ORDER, RulesChoice
from batllm_arcade.app.orders import OrdersCard
from batllm_arcade.app.services.leagues import Entrant, LeagueDraft
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.brains.ready_made import library
from batllm_arcade.errors import ArcadeError
from batllm_arcade.history.summary import counted
from batllm_arcade.league.plan import LEAGUE_NAME_LIMIT, SCHEDULES
from batllm_arcade.league.plan_file import new_folder
from batllm_arcade.settings import config as configuration
from batllm_arcade.view import theme
from batllm_arcade.view.theme import mixed

# -- One player of a league that is being set up

HIGH = 66.0


@dataclass(frozen=True, slots=True)
class PlayerFacts:
    """What a row shows: `problem` is "" for a player that is ready, None while that is not known."""

    name: str
    brain: str
    orders: str
    problem: str | None


class PlayerRow(Pressable):
    """A player; confirm and a click open its card."""

    def __init__(self, place: int, facts: PlayerFacts, opens: Callable[[int], None]) -> None:
        super().__init__(facts.name, lambda: opens(self.place), "Change this player, its orders, or take it out")
        self.place, self.facts = place, facts
        self.group = "players"

    def draw(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        facts, color = self.facts, theme.SEAT_COLORS[self.place % 2]
        canvas.box(box, mixed(theme.PANEL, theme.PANEL_EDGE, 0.75 if focused else 0.25), None, radius=8)
        canvas.box(Box(box.x, box.y + 8, 5, box.h - 16), color, None, radius=2.5)
        if focused:
            canvas.ring(box, theme.GOLD, now)
        canvas.words((box.x + 30, box.y + box.h / 2), str(self.place + 1), "title", 22, color, side="middle")
        x, wide = box.x + 52, box.w - 68
        brain = canvas.fitted(facts.brain, "mono", 12, wide * 0.45)
        canvas.words((box.right - 14, box.y + 14), facts.brain, "mono", 12, theme.DIM, width=wide * 0.45, side="right")
        canvas.words((x, box.y + 8), facts.name, "title", 21, theme.TEXT, width=wide - brain - 12)
        said, tint = (facts.problem, theme.GOLD) if facts.problem else (facts.orders, theme.SOFT)
        canvas.words((x, box.y + 37), said, "label", 15, tint, width=wide)


class AddRow(Pressable):
    """The row below the players, for one more."""

    def __init__(self, add: Callable[[], None]) -> None:
        super().__init__("+  ADD A PLAYER", add, "One more player: a model, a script, a bot from a file")
        self.group = "players"

    def draw(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        canvas.box(box, theme.PANEL, theme.GOLD if focused else theme.PANEL_EDGE, width=1, radius=8)
        if focused:
            canvas.ring(box, theme.GOLD, now)
        canvas.words(box.middle, self.text, "label", 18, theme.GOLD if focused else theme.SOFT, side="middle")


# -- One player of a league

_ORDERS_LEAST = 250.0


class PlayerScreen(SeatsScreen):
    """The card at the left, the orders at the right; `done` gets what becomes of the player: None takes it out.

    `copied` gets a second player to begin with the same brain and orders.
    """

    def __init__(
        self, ui: Ui, go: Navigation, services: Services, place: int, entrant: Entrant, *,
        done: Callable[[Entrant | None], None], copied: Callable[[Entrant], None], can_leave: bool,
    ) -> None:  # fmt: skip
        super().__init__(ui, go, services)
        self.heading = f"PLAYER {place + 1}"
        self._done, self._copied = done, copied
        self.card = SeatCard(place % 2, entrant.spec, self.brains(), self, None, self.heading)
        self.cards = [self.card]
        self.orders = OrdersCard(self, entrant.orders, theme.SEAT_COLORS[place % 2])
        self._read_by = ""
        self._go_button = Button("DONE", self.go_on, big=True, hint="Back, with this player as it is now")
        self._copy = Button("COPY", self._copy_player, hint="One more player like this one, to be given other orders")
        self._remove = Button("TAKE OUT", self._take_out, hint="This player does not take part", color=theme.DANGER)
        self._remove.enabled = can_leave
        self._buttons = (self._go_button, self._copy, self._remove)
        for button in self._buttons:
            button.group = "buttons"
        self._scroll, self._narrow = Scroll(), False
        self.place_widgets()
        self.form.focus = self.card.widgets[0]

    @property
    def entrant(self) -> Entrant:
        """Return the player as it is set up now; orders are kept while another brain is looked at."""
        return Entrant(self.card.spec, self.orders.text if self.card.prompted else "")

    def go_on(self) -> None:
        self._done(self.entrant)
        self.go.pop()

    def back(self) -> None:
        if self.form.focus is not None and self.form.focus.takes_text:
            self.form.set_focus(self._go_button)
        else:
            self.go_on()

    def leave_screen(self) -> None:
        self.go_on()

    def _copy_player(self) -> None:
        self._copied(self.entrant)
        self.go_on()

    def _take_out(self) -> None:
        self._done(None)
        self.go.pop()

    def leave(self) -> None:
        super().leave()
        self.orders.close(self.services.wait_at_end)

    def key(self, event: pygame.event.Event) -> bool:
        if event.key == pygame.K_F2 and self.card.prompted:
            self.orders.library()
            return True
        return False

    def handle(self, event: pygame.event.Event, meaning: Meaning, now: float) -> None:
        super().handle(event, meaning, now)
        self.place_widgets()

    def keys(self) -> Sequence[tuple[str, str]]:
        label = self.ui.controls.label
        if self.form.focus is not None and self.form.focus.takes_text:
            return [("TAB", "next"), ("F2", "library"), ("CTRL Z", "undo"), ("CTRL ENTER", "done")]
        sides = f"{label('left')} {label('right')}" if self.ui.controls.device == "keyboard" else "D-PAD"
        return [(sides, "change"), (label("confirm"), "choose"), (label("next"), "orders"), (label("back"), "done")]

    def update(self, now: float) -> None:
        super().update(now)
        self.card.update(now)
        if str(self.card.spec) != self._read_by:
            self._read_by = str(self.card.spec)
            self.orders.close(self.services.wait_at_end)
            self.orders.read_by(self.brains().orders_reader(self.card.spec))
        self.orders.update(now)
        self.place_widgets()

    def place_widgets(self) -> None:
        """Give the form the rows of the card, the orders where it takes some, and the buttons."""
        orders = self.orders.widgets if self.card.prompted else ()
        within = self._scroll if self._narrow else None
        self.form.place(
            [*((row, self._scroll) for row in self.card.widgets), *((widget, within) for widget in orders),
             *((button, None) for button in self._buttons)]
        )  # fmt: skip

    def arrange(self, canvas: Canvas) -> None:
        if self._narrow != canvas.narrow:
            self._narrow = canvas.narrow
            self.place_widgets()
        view, foot = rows(self.area(canvas), (None, 60), 14)
        wide = min(260.0, foot.w * 0.4)
        small = min(150.0, (foot.w - wide - 24) / 2)
        self._remove.box, self._copy.box, _, go_on = columns(foot._replace(h=56), (small, small, None, wide), 12)
        self._remove.box, self._copy.box = (button.box.inset(0, 7).moved(0, 1) for button in (self._remove, self._copy))
        self._go_button.box = go_on
        if self._narrow:
            high = self.card.arrange(view.x, 0.0, view.w - 10)
            self._card_box = Box(view.x, 0, view.w - 10, high)
            orders = Box(view.x, high + 14, view.w - 10, max(_ORDERS_LEAST, view.h - high - 14))
            self._scroll.height = orders.bottom if self.card.prompted else high
        else:
            view, orders = columns(view, (min(560.0, view.w * 0.46), None), 14)
            self._scroll.height = self.card.arrange(view.x, 0.0, view.w - 10)
            self._card_box = Box(view.x, 0, view.w - 10, max(view.h, self._scroll.height))
        self._scroll.box, self._orders_box = view, orders
        self.orders.arrange(canvas, orders)

    def paint(self, canvas: Canvas, now: float) -> None:
        view = self._scroll.box.inset(-4, -1)
        with canvas.clipped(view):
            self.card.paint(canvas, self._scroll.shown(self._card_box), now, self.still, 0.0)
        orders = self._scroll.shown(self._orders_box) if self._narrow else self._orders_box
        with canvas.clipped(view if self._narrow else orders.inset(-2)):
            if self.card.prompted or not self._narrow:
                self.orders.paint_alone(canvas, orders, prompted=self.card.prompted)


# -- A league to come

_GAP, _HEAD, _PAD = 6.0, 40.0, 14.0
_PAIRS = (1, 2, 5, 10, 20, 30, 50, 100, 200, 500)
_REQUESTS = (0, 500, 2000, 10_000, 50_000)
_MEETINGS = ("everybody", "the first alone")
_ADDED = Spec("embedded", "tactics")
_MOST = 32
"""Players that fit into a league of the window."""


class NewLeagueScreen(SeatsScreen):
    """Players at the left, the league at the right; the last choices are kept while the window is open."""

    heading = "NEW LEAGUE"

    def __init__(self, ui: Ui, go: Navigation, services: Services, plugins_dir: Path | None = None) -> None:
        super().__init__(ui, go, services)
        services.availability.look()
        self.draft = services.league_jobs.draft or LeagueDraft(plugins_dir=plugins_dir)
        services.league_jobs.draft = self.draft
        self.players: list[PlayerRow] = []
        self._add = AddRow(self.add)
        self._go = Button("START", self.go_on, big=True, hint="Play it; you can go on with something else meanwhile")
        self._rules = [RulesChoice(name, self._configure) for name in ORDER]
        self._settings, self._limit = self._setting_rows(), self._limit_row()
        for row in (self._go, *self._rules, *self._settings, self._limit):
            row.group = "league"
        self._scrolls = (Scroll(), Scroll())
        self._narrow = False
        self.brains().check_stand_ins()
        self._configure(self.draft.config)
        self._fill()
        self.form.focus = self._go

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
        return [games, meetings, Field("Name", draft.name, set_name, hint=hint, most=LEAGUE_NAME_LIMIT)]

    def _limit_row(self) -> Choice:
        most = self.draft.max_requests
        return Choice.among(
            "Pause after", sorted({*_REQUESTS, most}), most, partial(setattr, self.draft, "max_requests"),
            lambda requests: f"{requests:,} requests" if requests else "no limit",
            hint="A league of models pauses after so many requests to their servers, which may charge for them",
        )  # fmt: skip

    def _configure(self, name: str) -> None:
        self.draft.config, rules = name, configuration.load(name).rules
        self._plays = rules.total_rounds * rules.turns_per_round
        for choice in self._rules:
            choice.chosen = choice.name == name

    def called(self, entrant: Entrant) -> str:
        """Return what a player without a name of its own is called: as its brain, and its ready-made orders."""
        spec = entrant.spec
        name = spec.text("model") or self.brains().called(replace(spec, options={}))
        orders = next((name for name, text in library() if text == entrant.orders), "")
        return f"{name}, {orders}" if orders else name

    def _fill(self) -> None:
        brains, before = self.brains(), self.players
        self._brain_list, self.players, self._asks = brains, [], []
        for index, (entrant, name) in enumerate(zip(self.draft.entrants, self.draft.names(self.called), strict=True)):
            brains.check(entrant.spec)
            kind = brains.kind(entrant.spec)
            takes = kind is not None and kind.prompted
            self._asks.append(kind is not None and kind.models is not None)
            orders = " ".join(entrant.orders.split()) or "no orders" if takes else brains.about(entrant.spec)
            facts = PlayerFacts(name, entrant.spec.short, orders, brains.problem(entrant.spec))
            row = before[index] if index < len(before) else PlayerRow(index, facts, self.open)
            row.facts = facts
            self.players.append(row)
        self._add.enabled = len(self.players) < _MOST
        self.place_widgets()

    def open(self, index: int) -> None:
        """Show the card of a player."""

        def done(entrant: Entrant | None) -> None:
            if entrant is None:
                del self.draft.entrants[index]
            else:
                self.draft.entrants[index] = entrant
            self._fill()

        screen = PlayerScreen(
            self.ui, self.go, self.services, index, self.draft.entrants[index], done=done, copied=self._insert,
            can_leave=len(self.draft.entrants) > 2,
        )  # fmt: skip
        self.go.push(screen)

    def add(self) -> None:
        """Add a player, and show its card: the embedded model where it is ready, else the next script."""
        brains = self.brains()
        spec = _ADDED if brains.problem(_ADDED) == "" else Spec("scripted", "random")
        taken = [entrant.orders for entrant in self.draft.entrants if entrant.spec.name == spec.name]
        fresh = next((text for _, text in library() if text not in taken), "") if spec is _ADDED else ""
        self._insert(Entrant(spec, fresh))
        self.open(len(self.draft.entrants) - 1)

    def _insert(self, entrant: Entrant) -> None:
        options = {key: value for key, value in entrant.spec.options.items() if key != "name"}
        self.draft.entrants.append(replace(entrant, spec=replace(entrant.spec, options=options)))
        self._fill()
        self.form.set_focus(self.players[-1])

    def key(self, event: pygame.event.Event) -> bool:
        focus = self.form.focus
        if event.key != pygame.K_DELETE or not isinstance(focus, PlayerRow):
            return False
        if len(self.players) > 2:
            del self.draft.entrants[focus.place]
            self._fill()
            self.form.set_focus(self.players[min(focus.place, len(self.players) - 1)])
        else:
            self.complain("A league needs two players")
        return True

    def go_on(self) -> None:
        """Begin the league, unless somebody cannot play, and go to the leagues to watch it."""
        missing = next((row for row in self.players if row.facts.problem), None)
        if missing is not None:
            self.form.set_focus(missing)
            self.complain(f"{missing.facts.name} cannot play: {missing.facts.problem}")
            return
        leagues = self.services.league_jobs
        if leagues.folder is not None:
            self.complain("A league is being played; stop it among the leagues, or wait for its end")
            return
        try:
            leagues.begin(new_folder(), self.draft.plan(self.services.plugins.kinds, self.called), self.draft.run())
        except ArcadeError as error:
            self.complain(str(error))
        else:
            self.go.leagues()

    def back(self) -> None:
        self.go.leagues()

    def keys(self) -> Sequence[tuple[str, str]]:
        label = self.ui.controls.label
        on_player = isinstance(self.form.focus, PlayerRow)
        confirm = "change" if on_player else "choose"
        own = [("DEL", "take out")] if on_player and self.ui.controls.device == "keyboard" else []
        return [(label("confirm"), confirm), *own, (label("next"), "players / league"), (label("back"), "leagues")]

    def update(self, now: float) -> None:
        super().update(now)
        for row, entrant in zip(self.players, self.draft.entrants, strict=True):
            row.facts = replace(row.facts, problem=self._brain_list.problem(entrant.spec))

    @property
    def _below(self) -> list[Widget]:
        return [self._settings[2], *([self._limit] if any(self._asks) else [])]

    def place_widgets(self) -> None:
        """Give the form the rows of the players and of the league."""
        left, right = self._scrolls[:1] * 2 if self._narrow else self._scrolls
        players: list[Widget] = [*self.players, self._add]
        league: list[Widget] = [*self._settings[:2], *self._rules, *self._below]
        self.form.place([*((row, left) for row in players), *((row, right) for row in league), (self._go, None)])

    def arrange(self, canvas: Canvas) -> None:
        if self._narrow != canvas.narrow:
            self._narrow = canvas.narrow
            self.place_widgets()
        view, self._foot = rows(self.area(canvas), (None, 62), 12)
        left, right = (view, view) if self._narrow else columns(view, (view.w * 0.52, None), 12)
        self._scrolls[0].box = left
        area = Box(left.x, 4, left.w - (10 if self._narrow else 14), 0)
        place([*self.players, self._add], rows(area, [*[HIGH] * len(self.players), 44], _GAP))
        end = self._add.box.bottom + 6
        if self._narrow:
            self._card = self._arrange_league(Box(view.x, end + 14, view.w - 10, 0))
            self._scrolls[0].height = self._card.bottom
        else:
            self._card = self._arrange_league(right._replace(y=0, h=0))
            self._scrolls[0].height, self._scrolls[1].height = end, self._card.h
            self._scrolls[1].box = right
        wide = self._foot.w - 170 if self._narrow else min(300.0, right.w * 0.6)
        self._go.box = Box(self._foot.right - wide, self._foot.y, wide, 58)

    def _arrange_league(self, card: Box) -> Box:
        """Lay the rows out in the card; return it as high as it is."""
        inner = Box(card.x + _PAD, card.y + _HEAD, card.w - 2 * _PAD, 0)
        first = rows(inner, [ROW, ROW], _GAP)
        place(self._settings[:2], first)
        across = 2 if inner.w >= 480 else 1
        cards = grid(inner._replace(y=first[-1].bottom + 10), len(self._rules), across, RULES_HIGH, 8, _GAP)
        place(self._rules, cards)
        place(self._below, rows(inner._replace(y=cards[-1].bottom + 10), [ROW] * len(self._below), _GAP))
        return card._replace(h=self._below[-1].box.bottom + _PAD - card.y)

    def paint(self, canvas: Canvas, now: float) -> None:
        draft, scroll = self.draft, self._scrolls[0 if self._narrow else 1]
        with canvas.clipped(scroll.box.inset(-4, -1)):
            card = scroll.shown(self._card)
            canvas.card(card)
            canvas.words((card.x + 18, card.y + 13), "THE LEAGUE", "label", 14, theme.GOLD)
        x, y = self._foot.x + 2, self._foot.y
        canvas.words((x, y + 4), f"{draft.games:,} games", "title", 26, theme.TEXT, width=self._go.box.x - x - 16)
        said = f"{counted(len(self.players), 'player')}, {counted(draft.pairings, 'pairing')}"
        if requests := draft.requests(self._asks, self._plays):
            said += f", up to {requests:,} requests to models"
        canvas.words((x, y + 34), said, "label", 15, theme.SOFT, width=self._go.box.x - x - 16)
