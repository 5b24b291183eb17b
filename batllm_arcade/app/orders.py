"""Orders for bots: those that come with the game, and editors for one's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import pygame

from batllm_arcade.app.input.controls import key_name
from batllm_arcade.app.input.key_labels import PLAYER_KEYS, seat_keys, words_for
from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.keycaps import keycap
from batllm_arcade.app.kit.menu_screen import MenuScreen
from batllm_arcade.app.kit.text_fields import TextArea, TextBuffer
from batllm_arcade.app.kit.widgets import Button, Widget, columns, rows
from batllm_arcade.app.pictures import draw_portrait
from batllm_arcade.app.services.background import Leftover
from batllm_arcade.app.services.orders_reading import MakeReader, OrdersReading
from batllm_arcade.brains.ready_made import library
from batllm_arcade.core.model import SEATS
from batllm_arcade.match.series import SIDES
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color

# -- The orders that come with the game

LIVELY = ("shell", "circle")
"""The library's orders that a seat begins with whose player has written none, left first."""


def lively(prompts: tuple[str, str], prompted: Sequence[bool]) -> tuple[str, str]:
    """Return the prompts, with orders of the library for seats that take some and have none."""
    texts = dict(library())
    left, right = (
        texts.get(name, "") if wanted and not prompt.strip() else prompt
        for prompt, wanted, name in zip(prompts, prompted, LIVELY, strict=True)
    )
    return left, right


# -- One player's orders

_HEAD, _FOOT, _PAD = 44.0, 52.0, 14.0
_READING = 68.0  # room for three lines on how the orders read
_HINT = "Orders that come with the game; undo brings your text back"
_EMPTY = "Tell it how to fight, in your own words. For example: rush the enemy and shoot, hide when you are hurt."
_TAKES_NONE = "This player takes no orders."
ELSEWHERE = "Played by a person, on a page of their own."
"""Said of a seat whose person plays from somewhere else."""


class OrdersCard:
    """An editor in a menu, the library, and how the orders read.

    The menu places `widgets` in its form, and calls `update`, `arrange` and `paint` from its own.
    """

    def __init__(self, menu: MenuScreen, text: str, color: Color, *, title: str = "Orders") -> None:
        self._menu, self._color, self.title = menu, color, title
        self.reading: OrdersReading | None = None
        editor = TextBuffer()
        editor.insert(text)
        editor.select_all()  # what is typed replaces it
        self.area = TextArea(editor, empty=_EMPTY, color=color, size=17)
        self._button = Button("Ready-made orders", self.library, hint=_HINT)
        self.widgets: Sequence[Widget] = (self.area, self._button)

    @property
    def text(self) -> str:
        """What is written now."""
        return self.area.editor.text.strip()

    def library(self) -> None:
        """Let the player choose one of the prompts that come with the game."""
        entries = library()
        chosen = next((index for index, (_, text) in enumerate(entries) if text == self.text), -1)
        items = [(name.capitalize(), " ".join(text.split())) for name, text in entries]
        self._menu.pick(self.title, items, chosen, lambda index: self._take(entries[index][1]), note="can be undone")

    def _take(self, text: str) -> None:
        self.area.editor.set(text)
        self.area.uncover()
        self._menu.form.set_focus(self.area)

    def read_by(self, make: MakeReader | None) -> None:
        """Tell from now on how a brain reads the orders: `make` makes its reader, None if it tells nothing."""
        self.reading = OrdersReading(make) if make is not None else None

    def update(self, now: float) -> None:
        """Follow what is written."""
        if self.reading is not None:
            self.reading.update(self.text, now)

    def close(self, wait_at_end: Callable[[Leftover], None]) -> None:
        """Let go of what reads the orders, on a thread that the window waits for at its end."""
        if self.reading is not None:
            wait_at_end(self.reading.close())
            self.reading = None

    def arrange(self, canvas: Canvas, card: Box, head: float = _HEAD) -> None:
        """Lay the editor and its button out in a card, below its head."""
        room = card.inset(_PAD, 0)
        self._reads = card.h >= head + _FOOT + 2 * _READING and self._reading_text() != ""
        parts = (head, None, _READING if self._reads else 0.0, _FOOT)
        _, written, _, foot = rows(room, parts)
        self.area.lay_out(canvas, written)
        self._button.box = Box(foot.x, foot.y + 10, 190, 34)

    def _reading_text(self) -> str:
        return self.reading.text if self.reading is not None and not self.area.covered else ""

    def paint(self, canvas: Canvas, card: Box) -> None:
        """Draw how long the orders are and how they read, below the widgets."""
        count, most = len(self.area.editor.text), self.area.editor.most
        at = (card.right - _PAD, card.bottom - _FOOT + 18)
        tint = theme.DANGER if count >= most else theme.DIM
        canvas.words(at, f"{count} / {most}", "mono", 13, tint, side="right")
        reading, text = self.reading, self._reading_text()
        if reading is not None and text and self._reads:
            tint = theme.GOLD if reading.in_doubt or reading.problem else theme.SOFT
            at = (card.x + _PAD, card.bottom - _FOOT - _READING + 8)
            canvas.block(at, text, "label", 15, tint, card.w - 2 * _PAD, 3)

    def paint_alone(self, canvas: Canvas, card: Box, *, prompted: bool) -> None:
        """Draw the whole card of a player; that of a brain that takes no orders (not `prompted`) only says so."""
        card = card if prompted else card._replace(h=min(card.h, 96.0))
        canvas.card(card, self._color, alpha=255)
        canvas.words((card.x + _PAD + 4, card.y + 17), "ORDERS", "label", 14, self._color)
        if prompted:
            self.paint(canvas, card)
        else:
            at = (card.x + _PAD + 4, card.y + 50)
            canvas.block(at, _TAKES_NONE, "label", 18, theme.SOFT, card.w - 2 * _PAD - 8, 3)


# -- Two players' orders, before a match and between rounds

_SEAT_HEAD = 66.0
_OTHER_HIGH, _ORDERS_LEAST = 250.0, 190.0
"""How high the card is of who takes no orders, and at least one to write in, where one stands below the other."""


@dataclass(frozen=True, slots=True)
class PromptEditor:
    """Whom a prompt is for, as shown; `prompted` is False for a brain that takes none, and `why` says so."""

    name: str
    brain: str
    prompted: bool = True
    human: bool = False
    why: str = _TAKES_NONE
    reader: MakeReader | None = None
    """Makes what tells how orders read, for a brain that reads them beforehand."""


class PromptEditors:
    """Two editors in a menu, one for each seat, and a library of prompts for both.

    The menu places `parts()` in its form and calls `key(event)`, `arrange(canvas, box)` and `paint(canvas)` from
    its own methods of these names. `prompts` are the texts, "" for a seat that takes none.
    With the setting `hide_prompts` each text is covered until it has the focus and its owner confirms, and covered
    again when the focus moves away. F2 opens the library for the editor with the focus (or the first), F6 hides
    and shows. `back`: the rules have a step back, which is named where people's keys are.
    """

    def __init__(
        self, menu: MenuScreen, writers: tuple[PromptEditor, PromptEditor], prompts: tuple[str, str], *, back: bool
    ) -> None:
        self._menu, self.writers, self._back = menu, writers, back
        self._orders = [
            OrdersCard(menu, prompt, color, title=f"Orders for {seat}")
            for prompt, color, seat in zip(prompts, theme.SEAT_COLORS, SIDES, strict=True)
        ]
        self.areas = [orders.area for orders in self._orders]
        for orders, writer in zip(self._orders, writers, strict=True):
            orders.read_by(writer.reader)
            orders.area.uncover = partial(setattr, self, "_peeking", orders)
        self._peeking: OrdersCard | None = None
        menu.before_update.append(self._update)

    @property
    def prompts(self) -> tuple[str, str]:
        """What is written now."""
        left, right = (
            orders.text if writer.prompted else "" for orders, writer in zip(self._orders, self.writers, strict=True)
        )
        return left, right

    @property
    def _written(self) -> list[OrdersCard]:
        return [orders for orders, writer in zip(self._orders, self.writers, strict=True) if writer.prompted]

    def parts(self) -> list[tuple[str, Sequence[Widget], None]]:
        """Return the editors and their buttons for a form, left first; none for a seat that takes no prompt."""
        return [(orders.title, orders.widgets, None) for orders in self._written]

    def key(self, event: pygame.event.Event) -> bool:
        """Take F2 and F6; return whether it was one of them."""
        if event.key == pygame.K_F2:
            focused = [orders for orders in self._written if self._menu.form.focus in orders.widgets]
            for orders in (focused or self._written)[:1]:
                orders.library()
        elif event.key == pygame.K_F6:
            self.hide(not self._menu.ui.settings.hide_prompts)
        else:
            return False
        return True

    def typed(self, event: pygame.event.Event) -> bool:
        """Take text that is typed while a button has the focus: it goes into the first editor that may be seen.

        Return whether it was such text; a lone space is none, for it presses the button.
        """
        focus = self._menu.form.focus
        if event.type != pygame.TEXTINPUT or not event.text.strip() or (focus is not None and focus.takes_text):
            return False
        open_now = [orders.area for orders in self._written if not orders.area.covered]
        for area in open_now[:1]:
            self._menu.form.set_focus(area)
            area.key(event)
        return bool(open_now)

    def hide(self, on: bool) -> None:
        """Hide both texts from now on, or show them."""
        self._peeking = None
        self._menu.ui.apply(replace(self._menu.ui.settings, hide_prompts=on))

    def _update(self) -> None:
        """Cover hidden texts, but for the one whose owner looks at it; follow what is written."""
        focus, ui = self._menu.form.focus, self._menu.ui
        if self._peeking is not None and focus not in self._peeking.widgets:
            self._peeking = None
        how = ui.controls.mention("confirm", "a click")
        for orders, seat in zip(self._orders, SIDES, strict=True):
            hidden = ui.settings.hide_prompts and self._peeking is not orders
            look = f": {how} to look" if focus is orders.area else ""
            orders.area.covered = f"{seat}'s orders are hidden{look}" if hidden else ""
            orders.update(self._menu.now)

    def close(self, wait_at_end: Callable[[Leftover], None]) -> None:
        """Let go of what reads the orders, on threads that the window waits for at its end."""
        for orders in self._orders:
            orders.close(wait_at_end)

    def arrange(self, canvas: Canvas, box: Box) -> None:
        """Lay the two cards out in a box: beside each other, in a narrow window one below the other."""
        heights = [None if writer.prompted else min(_OTHER_HIGH, box.h - 14 - _ORDERS_LEAST) for writer in self.writers]
        self._cards = rows(box, heights, 14) if canvas.narrow else columns(box, (None, None), 20)
        for card, orders in zip(self._cards, self._orders, strict=True):
            orders.arrange(canvas, card, _SEAT_HEAD)

    def paint(self, canvas: Canvas, now: float = 0.0, *, still: bool = True) -> None:
        """Draw the cards below the widgets."""
        for seat, (card, writer) in enumerate(zip(self._cards, self.writers, strict=True)):
            color = theme.SEAT_COLORS[seat]
            canvas.card(card, color, alpha=255)
            canvas.words((card.x + _PAD, card.y + 14), SIDES[seat].upper(), "label", 14, color)
            canvas.words((card.x + _PAD, card.y + 29), writer.name, "title", 24, theme.TEXT, width=card.w * 0.6 - _PAD)
            at = (card.right - _PAD, card.y + 38)
            canvas.words(at, writer.brain, "mono", 12, theme.DIM, width=card.w * 0.38, side="right")
            if writer.prompted:
                self._orders[seat].paint(canvas, card)
            else:
                self._paint_other(canvas, card, writer, seat, now, still)

    def _paint_other(self, canvas: Canvas, card: Box, writer: PromptEditor, seat: int, now: float, still: bool) -> None:
        _, inner, _ = rows(card.inset(_PAD, 0), (_SEAT_HEAD, None, _PAD))
        canvas.box(inner, theme.SUNKEN, None)
        x, y = inner.x + 18, inner.y + 18
        below = Box(inner.x, inner.y + 138, inner.w, inner.h - 146)
        draw_portrait(canvas, below, seat, now, ready=True, still=still)
        if not writer.human:
            canvas.block((x, y), writer.why, "label", 18, theme.SOFT, inner.w - 36, 6)
            return
        controls, humans = self._menu.ui.controls, (self.writers[0].human, self.writers[1].human)
        pad = controls.device == "pad" and controls.has_pad(seat, humans)
        if controls.pointer:
            keys = [([name], words) for name, words in seat_keys(controls, seat, humans, back=self._back)]
        else:
            bound = controls.settings.keys[SEATS[seat]]
            keys = [
                ([words_for(controls, key.actions, seat, humans)] if pad else
                 [key_name(name) for action in key.actions for name in bound[action][:1]], key.orders)
                for key in PLAYER_KEYS
                if key.orders and (self._back or key.actions != ("retreat",))
            ]  # fmt: skip
        title = "You play:" if controls.pointer or pad else "You play, with these keys:"
        canvas.words((x, y), title, "label", 18, theme.SOFT, width=inner.w - 36)
        starts = (0.0, 0.5) if controls.pointer else (0.0, 0.37, 0.65)  # two rows fit everywhere
        for place, (caps, words) in enumerate(keys):
            row, column = divmod(place, len(starts))
            left, top = x + (inner.w - 22) * starts[column], y + 36 + 36 * row
            for cap in caps:
                left += keycap(canvas, (left, top), cap, color=theme.SEAT_COLORS[seat]) + 6
            canvas.words((left + 6, top + 3), words, "label", 17, theme.TEXT)
