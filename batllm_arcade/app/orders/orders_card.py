"""One player's orders: an editor, the library, and how the orders read."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.menu_screen import MenuScreen
from batllm_arcade.app.kit.text.text_area import TextArea
from batllm_arcade.app.kit.text.text_buffer import TextBuffer
from batllm_arcade.app.kit.widgets import Button, Widget
from batllm_arcade.app.orders.library import library
from batllm_arcade.app.orders.prompt_editors import EMPTY, LIBRARY_HINT
from batllm_arcade.app.services.background import Leftover
from batllm_arcade.app.services.orders_reading import MakeReader, OrdersReading
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color

_HEAD, _FOOT, _PAD, _READING, _NONE = 44.0, 56.0, 14.0, 68.0, 96.0


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
        foot = _FOOT + (_READING if self._reading_shown(card) else 0.0)
        self._area.lay_out(canvas, Box(card.x + _PAD, card.y + _HEAD, card.w - 2 * _PAD, card.h - _HEAD - foot))
        self._button.box = Box(card.x + _PAD, card.bottom - _FOOT + 10, 190, 36)

    def _reading_shown(self, card: Box) -> bool:
        return self._reading is not None and bool(self._reading.text) and card.h >= _HEAD + _FOOT + 2 * _READING

    def paint(self, canvas: Canvas, card: Box, *, prompted: bool) -> None:
        """Draw the card below the widgets; that of a brain that takes no orders (not `prompted`) only says so."""
        card = card if prompted else card._replace(h=min(card.h, _NONE))
        canvas.box(card, theme.PANEL, theme.PANEL_EDGE, width=1, radius=10)
        canvas.box(Box(card.x, card.y, card.w, 5), self._color, None, radius=2.5)
        canvas.words((card.x + _PAD + 4, card.y + 17), "ORDERS", "label", 14, self._color)
        if not prompted:
            canvas.block(
                (card.x + _PAD + 4, card.y + 50), "It plays by itself and takes no orders.", "label", 18, theme.SOFT,
                card.w - 2 * _PAD - 8, 3,
            )  # fmt: skip
            return
        count, most = len(self._area.editor.text), self._area.editor.most
        tint = theme.DANGER if count >= most else theme.DIM
        canvas.words((card.right - _PAD, card.bottom - _FOOT + 18), f"{count} / {most}", "mono", 13, tint, side="right")
        reading = self._reading
        if reading is not None and self._reading_shown(card):
            tint = theme.GOLD if reading.in_doubt or reading.problem else theme.SOFT
            at = (card.x + _PAD, card.bottom - _FOOT - _READING + 8)
            canvas.block(at, reading.text, "label", 15, tint, card.w - 2 * _PAD, 3)
