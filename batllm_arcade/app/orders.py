"""Editors of orders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files

import pygame

from batllm_arcade.app.input.controls import key_name
from batllm_arcade.app.input.key_labels import seat_keys
from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.keycaps import keycap
from batllm_arcade.app.kit.menu_screen import MenuScreen
from batllm_arcade.app.kit.text_fields import TextArea, TextBuffer
from batllm_arcade.app.kit.widgets import Button, Widget, columns
from batllm_arcade.app.pictures.portrait import draw_portrait
from batllm_arcade.app.services.background import Leftover
from batllm_arcade.app.services.orders_reading import MakeReader, OrdersReading
from batllm_arcade.core.model import SEATS
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color

# -- The orders that come with the game

LIVELY = ("rush", "circle")
"""The library's orders that a seat begins with whose player has written none, left first."""


def lively(prompts: tuple[str, str], prompted: Sequence[bool]) -> tuple[str, str]:
    """Return the prompts, with orders of the library for seats that take some and have none."""
    texts = dict(library())
    left, right = (
        texts.get(name, "") if wanted and not prompt.strip() else prompt
        for prompt, wanted, name in zip(prompts, prompted, LIVELY, strict=True)
    )
    return left, right


@lru_cache(maxsize=1)
def library() -> Sequence[tuple[str, str]]:
    """Return the prompts that come with the game, each a name and a text, sorted by name."""
    folder = files("batllm_arcade.assets") / "prompts"
    found = [entry for entry in folder.iterdir() if entry.name.endswith(".txt")]
    return tuple(
        (entry.name[:-4], entry.read_text("utf-8").strip()) for entry in sorted(found, key=lambda entry: entry.name)
    )


# -- Two prompt editors side by side, for the screen before a match and the one between rounds

_HEAD, _FOOT, _PAD = 66.0, 52.0, 14.0
_OTHER_LEAST, _OTHER_HIGH = 212.0, 250.0  # of the card of who takes no orders, where cards stand one below the other
_ORDERS_LEAST = 190.0  # of a card to write in
_READING = 68.0  # room for three lines on how the orders read
LIBRARY_HINT = "Orders that come with the game; undo brings your text back"
EMPTY = "Tell it how to fight, in your own words. For example: rush the enemy and shoot, hide when you are hurt."
_CONTROLS = (
    (("left", "right"), "aim"),
    (("move",), "move"),
    (("fire",), "fire"),
    (("shield",), "shield"),
    (("wait",), "wait"),
)


@dataclass(frozen=True, slots=True)
class PromptEditor:
    """Whom a prompt is for, as shown; `prompted` is False for a brain that takes none, and `why` says so."""

    name: str
    brain: str
    prompted: bool = True
    human: bool = False
    why: str = "It plays by itself and takes no orders."
    reader: MakeReader | None = None
    """Makes what tells how orders read, for a brain that reads them beforehand."""


class PromptEditors:
    """Two editors in a menu, one for each seat, and a library of prompts for both.

    The menu places `widgets()` in its form and calls `key(event)`, `arrange(canvas, box)` and `paint(canvas)` from
    its own methods of these names. `prompts` are the texts, "" for a seat that takes none.
    With the setting `hide_prompts` each text is covered until it has the focus and its owner confirms, and covered
    again when the focus moves away. F2 opens the library for the editor with the focus (or the first), F6 hides
    and shows.
    """

    def __init__(self, menu: MenuScreen, writers: tuple[PromptEditor, PromptEditor], prompts: tuple[str, str]) -> None:
        self._menu, self.writers = menu, writers
        self.areas: tuple[TextArea, TextArea] = (self._area(0, prompts[0]), self._area(1, prompts[1]))
        self._library_buttons = tuple(
            Button("Ready-made orders", lambda seat=seat: self.library(seat), hint=LIBRARY_HINT)  # type: ignore[misc]
            for seat in (0, 1)
        )
        for seat in (0, 1):
            self.areas[seat].group = self._library_buttons[seat].group = SEATS[seat]
        self._peeking: int | None = None
        self.readings = tuple(OrdersReading(each.reader) if each.reader is not None else None for each in writers)
        menu.before_update += [self._update_covers, self._update_readings]

    def _area(self, seat: int, prompt: str) -> TextArea:
        editor = TextBuffer()
        editor.insert(prompt)
        if prompt.strip() in dict(library()).values():
            editor.select_all()  # what is typed replaces it
        area = TextArea(editor, empty=EMPTY, color=theme.SEAT_COLORS[seat], size=17)
        area.uncover = lambda: self._peek(seat)
        return area

    @property
    def prompts(self) -> tuple[str, str]:
        """Return what is written now."""
        left, right = (
            area.editor.text.strip() if writer.prompted else ""
            for area, writer in zip(self.areas, self.writers, strict=True)
        )
        return left, right

    def widgets(self) -> list[Widget]:
        """Return the editors and their buttons, left first; none for a seat that takes no prompt."""
        found: list[Widget] = []
        for seat, writer in enumerate(self.writers):
            found += [self.areas[seat], self._library_buttons[seat]] if writer.prompted else []
        return found

    def key(self, event: pygame.event.Event) -> bool:
        """Take F2 and F6; return whether it was one of them."""
        if event.key == pygame.K_F2:
            seats = [seat for seat, writer in enumerate(self.writers) if writer.prompted]
            focused = [
                seat for seat in seats if self._menu.form.focus in (self.areas[seat], self._library_buttons[seat])
            ]
            if seats:
                self.library((focused or seats)[0])
            return True
        if event.key == pygame.K_F6:
            self.hide(not self._menu.ui.settings.hide_prompts)
            return True
        return False

    def typed(self, event: pygame.event.Event) -> bool:
        """Take text that is typed while a button has the focus: it goes into the first editor that may be seen.

        Return whether it was such text; a lone space is none, for it presses the button.
        """
        focus = self._menu.form.focus
        if event.type != pygame.TEXTINPUT or not event.text.strip() or (focus is not None and focus.takes_text):
            return False
        open_now = [seat for seat, each in enumerate(self.writers) if each.prompted and not self.areas[seat].covered]
        for seat in open_now[:1]:
            area = self.areas[seat]
            self._menu.form.set_focus(area)
            area.key(event)
        return bool(open_now)

    def hide(self, on: bool) -> None:
        """Hide both texts from now on, or show them."""
        self._peeking = None
        self._menu.ui.apply(replace(self._menu.ui.settings, hide_prompts=on))

    def library(self, seat: int) -> None:
        """Let the player choose one of the prompts that come with the game."""
        entries = library()
        at = next((n for n, (_, text) in enumerate(entries) if text == self.areas[seat].editor.text.strip()), -1)
        self._menu.pick(
            f"Orders for {SEATS[seat]}", [(name.capitalize(), " ".join(text.split())) for name, text in entries], at,
            lambda index: self._take(seat, entries[index][1]), note="can be undone",
        )  # fmt: skip

    def _take(self, seat: int, text: str) -> None:
        self.areas[seat].editor.set(text)
        self._peek(seat)
        self._menu.form.set_focus(self.areas[seat])

    def _peek(self, seat: int) -> None:
        self._peeking = seat

    def _update_covers(self) -> None:
        """Cover hidden texts, but for the one whose owner looks at it."""
        focus = self._menu.form.focus
        if self._peeking is not None and focus not in (self.areas[self._peeking], self._library_buttons[self._peeking]):
            self._peeking = None
        hidden = self._menu.ui.settings.hide_prompts
        how = self._menu.ui.controls.mention("confirm", "a click")
        for seat, area in enumerate(self.areas):
            cover = f"{SEATS[seat]}'s orders are hidden" if hidden and self._peeking != seat else ""
            area.covered = f"{cover}: {how} to look" if cover and focus is area else cover

    def _update_readings(self) -> None:
        for seat, reading in enumerate(self.readings):
            if reading is not None:
                reading.update(self.prompts[seat], self._menu.now)

    def _reading_text(self, seat: int) -> str:
        reading = self.readings[seat]
        return reading.text if reading is not None and not self.areas[seat].covered else ""

    def _reading_shown(self, seat: int, card: Box) -> bool:
        return bool(self._reading_text(seat)) and card.h >= _HEAD + _FOOT + 2 * _READING

    def close(self, wait_at_end: Callable[[Leftover], None]) -> None:
        """Let go of what reads the orders, on threads that the window waits for at its end."""
        for reading in self.readings:
            if reading is not None:
                wait_at_end(reading.close())

    # -- picture --------------------------------------------------------------------------------

    def arrange(self, canvas: Canvas, box: Box) -> None:
        """Lay the two cards out in a box: beside each other, in a narrow window one below the other."""
        self._cards = self._stacked(box) if canvas.narrow else columns(box, 2, 20.0)
        for seat, (card, area) in enumerate(zip(self._cards, self.areas, strict=True)):
            foot = _FOOT + (_READING if self._reading_shown(seat, card) else 0.0)
            area.lay_out(canvas, Box(card.x + _PAD, card.y + _HEAD, card.w - 2 * _PAD, card.h - _HEAD - foot))
            self._library_buttons[seat].box = Box(card.x + _PAD, card.bottom - _FOOT + 10, 190, 34)

    def _stacked(self, box: Box) -> Sequence[Box]:
        """Return the cards one below the other; who takes no orders needs less room than who does."""
        gap, first = 14.0, (box.h - 14.0) / 2
        prompted = tuple(writer.prompted for writer in self.writers)
        if prompted[0] != prompted[1]:
            less = min(_OTHER_HIGH, max(first * 0.8, _OTHER_LEAST), max(60.0, box.h - gap - _ORDERS_LEAST))
            first = box.h - gap - less if prompted[0] else less
        return Box(box.x, box.y, box.w, first), Box(box.x, box.y + first + gap, box.w, box.h - gap - first)

    def paint(self, canvas: Canvas, now: float = 0.0, *, still: bool = True) -> None:
        """Draw the cards below the widgets."""
        for seat, (card, writer) in enumerate(zip(self._cards, self.writers, strict=True)):
            color = theme.SEAT_COLORS[seat]
            canvas.box(card, theme.PANEL, theme.PANEL_EDGE, width=1, radius=10)
            canvas.box(Box(card.x, card.y, card.w, 5), color, None, radius=2.5)
            canvas.words((card.x + _PAD, card.y + 14), SEATS[seat].upper(), "label", 14, color)
            canvas.words((card.x + _PAD, card.y + 29), writer.name, "title", 24, theme.TEXT, width=card.w * 0.6 - _PAD)
            at = (card.right - _PAD, card.y + 38)
            canvas.words(at, writer.brain, "mono", 12, theme.DIM, width=card.w * 0.38, side="right")
            if writer.prompted:
                count = len(self.areas[seat].editor.text)
                most = self.areas[seat].editor.most
                tint = theme.DANGER if count >= most else theme.DIM
                at = (card.right - _PAD, card.bottom - _FOOT + 18)
                canvas.words(at, f"{count} / {most}", "mono", 13, tint, side="right")
                self._paint_reading(canvas, card, seat)
            else:
                self._paint_other(canvas, card, writer, seat, now, still)

    def _paint_reading(self, canvas: Canvas, card: Box, seat: int) -> None:
        reading, text = self.readings[seat], self._reading_text(seat)
        if reading is not None and text and self._reading_shown(seat, card):
            tint = theme.GOLD if reading.in_doubt or reading.problem else theme.SOFT
            at = (card.x + _PAD, card.bottom - _FOOT - _READING + 8)
            canvas.block(at, text, "label", 15, tint, card.w - 2 * _PAD, 3)

    def _paint_other(self, canvas: Canvas, card: Box, writer: PromptEditor, seat: int, now: float, still: bool) -> None:
        inner = Box(card.x + _PAD, card.y + _HEAD, card.w - 2 * _PAD, card.h - _HEAD - _PAD)
        canvas.box(inner, theme.SUNKEN, None)
        x, y = inner.x + 18, inner.y + 18
        below = Box(inner.x, inner.y + 138, inner.w, inner.h - 146)
        draw_portrait(canvas, below, seat, now, ready=True, still=still)
        if not writer.human:
            canvas.block((x, y), writer.why, "label", 18, theme.SOFT, inner.w - 36, 6)
            return
        controls = self._menu.ui.controls
        if controls.pointer:
            told, humans = "You play:", (self.writers[0].human, self.writers[1].human)
            rows = [([name], words) for name, words in seat_keys(controls, seat, humans)]
        else:
            told, keys = "You play, with these keys:", controls.settings.keys[SEATS[seat]]
            rows = [
                ([key_name(key) for action in actions for key in keys[action][:1]], words)
                for actions, words in _CONTROLS
            ]
        canvas.words((x, y), told, "label", 18, theme.SOFT, width=inner.w - 36)
        starts = (0.0, 0.5) if controls.pointer else (0.0, 0.37, 0.65)  # two rows fit everywhere
        for place, (caps, words) in enumerate(rows):
            row, column = divmod(place, len(starts))
            left, top = x + (inner.w - 22) * starts[column], y + 36 + 36 * row
            for cap in caps:
                left += keycap(canvas, (left, top), cap, color=theme.SEAT_COLORS[seat]) + 6
            canvas.words((left + 6, top + 3), words, "label", 17, theme.TEXT)


# -- One player's orders: an editor, the library, and how the orders read

_CARD_HEAD, _CARD_FOOT, _CARD_PAD, _CARD_READING, _NONE = 44.0, 56.0, 14.0, 68.0, 96.0


class OrdersCard:
    """An editor in a menu; the menu places `widgets` in its form, and calls `arrange` and `paint` from its own."""

    def __init__(self, menu: MenuScreen, text: str, color: Color, wait_at_end: Callable[[Leftover], None]) -> None:
        self._menu, self._color, self._wait_at_end = menu, color, wait_at_end
        editor = TextBuffer()
        editor.insert(text)
        if text.strip() in dict(library()).values():
            editor.select_all()  # what is typed replaces it
        self._area = TextArea(editor, empty=EMPTY, color=color, size=17)
        self._button = Button("Ready-made orders", self.library, hint=LIBRARY_HINT)
        self.widgets: Sequence[Widget] = (self._area, self._button)
        for widget in self.widgets:
            widget.group = "orders"
        self._reading: OrdersReading | None = None

    @property
    def text(self) -> str:
        """Return what is written now."""
        return self._area.editor.text.strip()

    def library(self) -> None:
        """Let the player choose one of the prompts that come with the game."""
        entries = library()
        at = next((n for n, (_, text) in enumerate(entries) if text == self.text), -1)
        items = [(name.capitalize(), " ".join(text.split())) for name, text in entries]
        self._menu.pick("Orders", items, at, lambda index: self._take(entries[index][1]), note="can be undone")

    def _take(self, text: str) -> None:
        self._area.editor.set(text)
        self._menu.form.set_focus(self._area)

    def read_by(self, make: MakeReader | None) -> None:
        """Tell from now on how a brain reads the orders: `make` makes its reader, None if it tells nothing."""
        if self._reading is not None:
            self._wait_at_end(self._reading.close())
        self._reading = OrdersReading(make) if make is not None else None

    def update(self, now: float) -> None:
        """Follow what is written."""
        if self._reading is not None:
            self._reading.update(self.text, now)

    def close(self) -> None:
        """Let go of what reads the orders, on a thread that the window waits for at its end."""
        self.read_by(None)

    # -- picture --------------------------------------------------------------------------------

    def arrange(self, canvas: Canvas, card: Box) -> None:
        """Lay the editor and its button out in a card."""
        foot = _CARD_FOOT + (_CARD_READING if self._reading_shown(card) else 0.0)
        self._area.lay_out(
            canvas,
            Box(
                card.x + _CARD_PAD,
                card.y + _CARD_HEAD,
                card.w - 2 * _CARD_PAD,
                card.h - _CARD_HEAD - foot,
            ),
        )
        self._button.box = Box(card.x + _CARD_PAD, card.bottom - _CARD_FOOT + 10, 190, 36)

    def _reading_shown(self, card: Box) -> bool:
        return (
            self._reading is not None
            and bool(self._reading.text)
            and card.h >= _CARD_HEAD + _CARD_FOOT + 2 * _CARD_READING
        )

    def paint(self, canvas: Canvas, card: Box, *, prompted: bool) -> None:
        """Draw the card below the widgets; that of a brain that takes no orders (not `prompted`) only says so."""
        card = card if prompted else card._replace(h=min(card.h, _NONE))
        canvas.box(card, theme.PANEL, theme.PANEL_EDGE, width=1, radius=10)
        canvas.box(Box(card.x, card.y, card.w, 5), self._color, None, radius=2.5)
        canvas.words((card.x + _CARD_PAD + 4, card.y + 17), "ORDERS", "label", 14, self._color)
        if not prompted:
            canvas.block(
                (card.x + _CARD_PAD + 4, card.y + 50), "It plays by itself and takes no orders.", "label", 18,
                theme.SOFT, card.w - 2 * _CARD_PAD - 8, 3,
            )  # fmt: skip
            return
        count, most = len(self._area.editor.text), self._area.editor.most
        tint = theme.DANGER if count >= most else theme.DIM
        canvas.words(
            (card.right - _CARD_PAD, card.bottom - _CARD_FOOT + 18),
            f"{count} / {most}",
            "mono",
            13,
            tint,
            side="right",
        )
        reading = self._reading
        if reading is not None and self._reading_shown(card):
            tint = theme.GOLD if reading.in_doubt or reading.problem else theme.SOFT
            at = (card.x + _CARD_PAD, card.bottom - _CARD_FOOT - _CARD_READING + 8)
            canvas.block(at, reading.text, "label", 15, tint, card.w - 2 * _CARD_PAD, 3)
