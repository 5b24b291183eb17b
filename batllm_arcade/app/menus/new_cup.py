"""A cup is set up: who takes part, how long a match is, by which rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from batllm_arcade.app.input.controls import Intent
from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.text_fields import Field
from batllm_arcade.app.kit.widgets import ROW, Button, Choice, Widget, columns, grid, place, rows
from batllm_arcade.app.menus.line_up import GAP, LineUpScreen
from batllm_arcade.app.services.cups import BOTS, MOST, PHONE, CupDraft
from batllm_arcade.app.services.leagues import Entrant, renamed
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.seats.brain_thread import find_person
from batllm_arcade.settings.user_settings import in_a_name
from batllm_arcade.view import theme

_NAME = 16
_LENGTHS: tuple[Literal[1, 3], ...] = (1, 3)


class NameRow(Field):
    """Somebody who takes part: what is typed is the name, the first letter replaces it; confirm opens the card."""

    def __init__(
        self, number: int, who: str, name: str, named: Callable[[str], None], opens: Callable[[], None]
    ) -> None:
        hint = "Type a name; confirm: who plays, and the orders"
        super().__init__(who, name, named, hint=hint, takes=in_a_name, most=_NAME)
        self.number, self._opens = number, opens
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


class NewCupScreen(LineUpScreen):
    """The names at the left, the cup at the right; the last choices are kept while the window is open."""

    heading, title, share, most, adds_scroll, people = "TONIGHT", "THE CUP", 0.6, MOST, False, True
    draft: CupDraft
    players: Sequence[NameRow]

    def __init__(self, ui: Ui, go: Navigation, services: Services) -> None:
        night, kinds = services.night, services.plugins.kinds
        first, night.draft = night.draft is None, night.draft or CupDraft()
        super().__init__(ui, go, services, night.draft, "Draw who meets whom")
        person, phones = partial(self.add, find_person(kinds)), partial(go.cup_phones, (), lambda: None)
        self.adds = [
            Button("+ PERSON", person, hint="Somebody at the keyboard or with a gamepad"),
            Button("+ PHONE", phones, hint="Phones come in by name, as many as there are"),
            Button("+ BOT", self.add_bot, hint="The next bot; its row leads to all bots and models"),
        ]
        self._length = Choice.among(
            "A match is", _LENGTHS, night.draft.best_of, partial(setattr, night.draft, "best_of"),
            lambda games: "one game" if games == 1 else f"best of {games}",
            hint="Who wins it goes on to the next round",
        )  # fmt: skip
        self._came: set[str] = set()
        """Who has come by phone while this is shown."""
        self.fill()
        if first:
            for name in (ui.settings.left_name, ui.settings.right_name):
                person(name)
            self.add_bot()
            self.add_bot()
        self.form.focus = self.start

    @property
    def settings(self) -> tuple[Sequence[Widget], Sequence[Widget]]:
        return [self._length], []

    @property
    def names(self) -> Sequence[str]:
        return self.draft.names

    def row(self, place: int, name: str, entrant: Entrant) -> NameRow:
        spec = replace(entrant.spec, options={})
        kind = self.brain_list.kind(spec)
        who = "Keyboard" if kind is not None and kind.human and not kind.remote else self.brain_list.called(spec)
        return NameRow(place, who, name, partial(self._rename, place), partial(self.open, place))

    def _rename(self, place: int, name: str) -> None:
        entrant = self.draft.entrants[place]
        self.draft.entrants[place] = renamed(entrant, name.strip())

    def named(self, entrant: Entrant) -> Entrant:
        """Return a player with a name that nobody has: its own, else its brain's, else a person's."""
        kind, name = self.brain_list.kind(entrant.spec), entrant.spec.text("name")
        if not name and kind is not None and not kind.human:
            name = self.brain_list.called(replace(entrant.spec, options={}))[: _NAME - 3]
        return renamed(entrant, self.draft.free_name(name))

    def update(self, now: float) -> None:
        super().update(now)
        if (club := self.services.night.club) is None:
            return
        self._came |= {each.spec.text("name") for each in self.draft.entrants if each.spec.name == PHONE.name}
        for name in [each for each in club.members if each not in self._came]:
            if len(self.players) < MOST and self.draft.free_name(name) == name:
                self.add(PHONE, name)
            else:  # its page asks for another name
                club.lead("leaves", name)

    def add(self, spec: Spec, name: str = "") -> None:
        """Add somebody, under this name or one that is free."""
        self.insert(renamed(Entrant(spec), name))
        if not self.narrow:
            self.scrolls[0].go(1.0)

    def add_bot(self) -> None:
        """Add the bot that takes part least often, the first of those."""
        specs = [each.spec.short for each in self.draft.entrants]
        self.add(min(BOTS, key=lambda bot: specs.count(bot.short)))

    def begin(self) -> None:
        """Begin the cup, and show it."""
        self.services.night.begin(self.draft.plan(self.services.plugins.kinds))
        self.go.tonight(self.complain)

    def back(self) -> None:
        self.go.title()

    def keys(self) -> Sequence[tuple[str, str]]:
        confirm = "who plays" if isinstance(self.form.focus, NameRow) else "choose"
        return [("confirm", confirm), ("next", "names / cup"), ("back", "title")]

    def arrange_players(self, area: Box) -> float:
        """Lay the names out, side by side where they are many; the ways to add one stay in sight below them."""
        view = self.scrolls[0].box
        if not self.narrow:
            self.scrolls[0].box, buttons = rows(view, (None, 46), 10)
        across = 1 + (not self.narrow and len(self.players) > self.scrolls[0].box.h / (ROW + GAP))
        place(self.players, boxes := grid(area, len(self.players), across, ROW, 10, GAP))
        if self.narrow:
            buttons = area._replace(y=boxes[-1].bottom + 12, h=46)
        place(self.adds, columns(buttons._replace(w=area.w), [None] * 3, 10))
        return buttons.bottom if self.narrow else boxes[-1].bottom + 6

    def count(self) -> tuple[str, str]:
        names = len(self.players)
        return f"{names} names", "1 match" if names == 2 else f"{names - 1} matches"
