"""A cup is set up: who takes part, how long a match is, by which rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from batllm_arcade.app.input.controls import Intent
from batllm_arcade.app.kit.canvas import Box, Canvas, Scroll
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.text_fields import Field
from batllm_arcade.app.kit.widgets import ROW, Button, Choice, Widget, columns, grid, place, rows
from batllm_arcade.app.menus.new_league import PlayerScreen
from batllm_arcade.app.menus.seat_card import SeatsScreen
from batllm_arcade.app.menus.setup import HIGH as RULES_HIGH
from batllm_arcade.app.menus.setup import ORDER, RulesChoice
from batllm_arcade.app.services.brain_list import BrainList
from batllm_arcade.app.services.cups import BOTS, MOST, PHONE, CupDraft, entrant
from batllm_arcade.app.services.leagues import Entrant
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.errors import ArcadeError
from batllm_arcade.seats.brain_thread import find_person
from batllm_arcade.view import theme

_GAP, _HEAD, _PAD = 6.0, 40.0, 14.0
_NAME = 16
_LENGTHS: tuple[Literal[1, 3], ...] = (1, 3)


class NameRow(Field):
    """Somebody who takes part: what is typed is the name, the first letter replaces it; confirm opens the card."""

    def __init__(
        self, number: int, who: str, name: str, named: Callable[[str], None], opens: Callable[[], None]
    ) -> None:
        hint = "Type a name; confirm: who plays, and the orders"
        super().__init__(who, name, named, hint=hint, takes=lambda c: c.isprintable() and c not in ",=", most=_NAME)
        self.number, self._opens, self.group = number, opens, "names"
        self.editor.select_all()
        self.label_share = 0.4

    def take(self, intent: Intent) -> bool:
        if intent == "confirm":
            self._opens()
        return intent == "confirm"

    def press(self, x: float, y: float, clicks: int) -> None:
        if clicks > 1 or x < self.box.x + self.box.w * self.label_share:
            self._opens()

    def draw(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        number, rest = columns(box, (34.0, None))
        color = theme.SEAT_COLORS[self.number % 2]
        canvas.words(number.middle, str(self.number + 1), "title", 20, color, side="middle")
        super().draw(canvas, rest, focused, now)


class EntrantScreen(PlayerScreen):
    """Who plays for a name of a cup, which may be a person."""

    def brains(self) -> BrainList:
        """Return all players there are, people among them."""
        own = self.ui.settings
        return BrainList(
            self.services.plugins.kinds, self.services.availability, files=own.bots, servers=own.servers
        )  # fmt: skip


class NewCupScreen(SeatsScreen):
    """The names at the left, the cup at the right; the last choices are kept while the window is open."""

    heading = "TONIGHT"

    def __init__(self, ui: Ui, go: Navigation, services: Services) -> None:
        super().__init__(ui, go, services)
        services.availability.look()
        self.draft = services.night.draft or self._first_draft()
        services.night.draft = self.draft
        self.names: list[NameRow] = []
        person = partial(self.add, find_person(services.plugins.kinds))
        self._adds = [
            Button("+ PERSON", person, hint="Somebody at the keyboard or with a gamepad"),
            Button(
                "+ PHONE", lambda: go.cup_phones((), lambda: None), hint="Phones come in by name, as many as there are"
            ),
            Button("+ BOT", self.add_bot, hint="The next bot; its row leads to all bots and models"),
        ]
        self._length = Choice.among(
            "A match is", _LENGTHS, self.draft.best_of, partial(setattr, self.draft, "best_of"),
            lambda games: "one game" if games == 1 else f"best of {games}",
            hint="Who wins it goes on to the next round",
        )  # fmt: skip
        self._rules = [RulesChoice(name, self._configure) for name in ORDER]
        self._go = Button("START", self.go_on, big=True, hint="Draw who meets whom")
        for row in (self._length, *self._rules, self._go):
            row.group = "cup"
        for button in self._adds:
            button.group = "add"
        self._scrolls, self._narrow = (Scroll(), Scroll()), False
        self._came = set(self.draft.names)
        """Who has come by phone, or has a name of one."""
        self._configure(self.draft.config)
        self._fill()
        self.form.focus = self._go

    def _first_draft(self) -> CupDraft:
        draft, person = CupDraft(), find_person(self.services.plugins.kinds)
        for name in (self.ui.settings.left_name, self.ui.settings.right_name):
            draft.entrants.append(entrant(person, draft.free_name(name)))
        for bot in BOTS[:2]:
            draft.entrants.append(entrant(bot, draft.free_name(self.brains().called(bot))))
        return draft

    def _configure(self, name: str) -> None:
        self.draft.config = name
        for choice in self._rules:
            choice.chosen = choice.name == name

    def _fill(self) -> None:
        brains = self.brains()
        self.names = []
        for index, each in enumerate(self.draft.entrants):
            spec, name = replace(each.spec, options={}), each.spec.text("name")
            kind = brains.kind(spec)
            who = "Keyboard" if kind is not None and kind.human and not kind.remote else brains.called(spec)
            brains.check(each.spec)
            self.names.append(NameRow(index, who, name, partial(self._name, index), partial(self.open, index)))
        for button in self._adds:
            button.enabled = len(self.names) < MOST
        self._brain_list = brains
        self.place_widgets()

    def _name(self, index: int, name: str) -> None:
        each = self.draft.entrants[index]
        self.draft.entrants[index] = entrant(each.spec, name.strip(), each.orders)

    def open(self, index: int) -> None:
        """Show the card of a name."""

        def done(changed: Entrant | None) -> None:
            if changed is None:
                del self.draft.entrants[index]
            else:
                before = self.draft.entrants.pop(index)
                name = changed.spec.text("name") or self._name_of(changed.spec) or before.spec.text("name")
                self.draft.entrants.insert(index, entrant(changed.spec, self.draft.free_name(name), changed.orders))
            self._fill()
            self.form.set_focus(self.names[min(index, len(self.names) - 1)])

        def copied(more: Entrant) -> None:
            self.add(more.spec, more.orders)

        screen = EntrantScreen(
            self.ui, self.go, self.services, index, self.draft.entrants[index], done=done, copied=copied,
            can_leave=len(self.draft.entrants) > 2,
        )  # fmt: skip
        self.go.push(screen)

    def update(self, now: float) -> None:
        super().update(now)
        club = self.services.night.club
        for name in tuple(club.members) if club is not None else ():
            if club is None or name in self._came:
                continue
            if len(self.names) < MOST and self.draft.free_name(name) == name:
                self._came.add(name)
                self._add_named(PHONE, name)
            else:  # its page asks for another name
                club.lead("leaves", name)

    def add(self, spec: Spec, orders: str = "") -> None:
        """Add somebody, under a name that is free."""
        if len(self.draft.entrants) >= MOST:
            return
        self._add_named(spec, self.draft.free_name(self._name_of(spec)), orders)

    def _name_of(self, spec: Spec) -> str:
        """Return what a brain is called, "" for a person."""
        kind = self._brain_list.kind(spec)
        human = kind is not None and kind.human
        return "" if human else self._brain_list.called(replace(spec, options={}))[: _NAME - 3]

    def _add_named(self, spec: Spec, name: str, orders: str = "") -> None:
        self.draft.entrants.append(entrant(spec, name, orders))
        self._fill()
        if not self._narrow:
            self._scrolls[0].go(1.0)

    def add_bot(self) -> None:
        """Add the bot that takes part least often, the first of those."""
        specs = [each.spec.short for each in self.draft.entrants]
        self.add(min(BOTS, key=lambda bot: specs.count(bot.short)))

    def go_on(self) -> None:
        """Begin the cup, unless somebody cannot play."""
        for row, each in zip(self.names, self.draft.entrants, strict=True):
            if problem := self._brain_list.problem(each.spec):
                self.form.set_focus(row)
                self.complain(f"{row.editor.text} cannot play: {problem}")
                return
        try:
            self.services.night.begin(self.draft.plan(self.services.plugins.kinds))
        except ArcadeError as error:
            self.complain(str(error))
        else:
            self.go.tonight(self.complain)

    def back(self) -> None:
        self.go.title()

    def keys(self) -> Sequence[tuple[str, str]]:
        label = self.ui.controls.label
        confirm = "who plays" if isinstance(self.form.focus, NameRow) else "choose"
        return [(label("confirm"), confirm), (label("next"), "names / cup"), (label("back"), "title")]

    def place_widgets(self) -> None:
        """Give the form the names, the ways to add some, and the rows of the cup: in a tall window in one scroll."""
        left, right = self._scrolls[:1] * 2 if self._narrow else self._scrolls
        adds = left if self._narrow else None
        cup: list[Widget] = [self._length, *self._rules]
        self.form.place(
            [*((row, left) for row in self.names), *((button, adds) for button in self._adds),
             *((row, right) for row in cup), (self._go, None)]
        )  # fmt: skip

    def arrange(self, canvas: Canvas) -> None:
        if self._narrow != canvas.narrow:
            self._narrow = canvas.narrow
            self.place_widgets()
        left, right = self._scrolls
        area, self._foot = rows(self.area(canvas), (None, 62), 12)
        if self._narrow:
            left.box = area
            names = self._arrange_names(Box(area.x, 4, area.w - 12, 0), 1)
            buttons = Box(area.x, names + 6, area.w - 12, 46)
            self._card = self._arrange_cup(Box(area.x, buttons.bottom + 14, area.w - 12, 0))
            left.height = self._card.bottom
        else:
            listed, right.box = columns(area, (area.w * 0.6, None), 16)
            left.box, buttons = rows(listed, (None, 46), 10)
            two = len(self.names) > left.box.h / (ROW + _GAP)
            left.height = self._arrange_names(Box(listed.x, 4, listed.w - 12, 0), 1 + two)
            self._card = self._arrange_cup(right.box._replace(y=0, w=right.box.w - 12, h=0))
            right.height = self._card.bottom
        place(self._adds, columns(buttons, [None] * 3, 10))
        wide = self._foot.w - 170 if self._narrow else min(300.0, self._foot.w * 0.3)
        self._go.box = Box(self._foot.right - wide, self._foot.y, wide, 58)

    def _arrange_names(self, area: Box, across: int) -> float:
        """Lay the names out from the area's top; return where they end."""
        boxes = grid(area, len(self.names), across, ROW, 10, _GAP)
        place(self.names, boxes)
        return boxes[-1].bottom + 6

    def _arrange_cup(self, card: Box) -> Box:
        """Lay the rows of the cup out in a card; return it as high as it is."""
        inner = Box(card.x + _PAD, card.y + _HEAD, card.w - 2 * _PAD, ROW)
        self._length.box = inner
        boxes = grid(inner._replace(y=inner.bottom + 10), len(self._rules), 1, RULES_HIGH, 8, _GAP)
        place(self._rules, boxes)
        return card._replace(h=boxes[-1].bottom + _PAD - card.y)

    def paint(self, canvas: Canvas, now: float) -> None:
        scroll = self._scrolls[0 if self._narrow else 1]
        with canvas.clipped(scroll.box.inset(-4, -1)):
            card = scroll.shown(self._card)
            canvas.card(card)
            canvas.words((card.x + 18, card.y + 13), "THE CUP", "label", 14, theme.GOLD)
        x, y, wide = self._foot.x + 2, self._foot.y, self._go.box.x - self._foot.x - 18
        canvas.words((x, y + 4), f"{len(self.names)} names", "title", 26, theme.TEXT, width=wide)
        matches = "1 match" if len(self.names) == 2 else f"{len(self.names) - 1} matches"
        canvas.words((x, y + 34), matches, "label", 15, theme.SOFT, width=wide)
