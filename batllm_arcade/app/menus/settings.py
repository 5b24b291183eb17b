"""The settings: what differs from the defaults is marked and can be reset."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pygame

from batllm_arcade.app.input.controls import PAD, Meaning
from batllm_arcade.app.kit.canvas import Box, Canvas, Scroll
from batllm_arcade.app.kit.keycaps import KeyBindingRow, as_shipped, rebound
from batllm_arcade.app.kit.menu_screen import MenuScreen
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.text_fields import Field
from batllm_arcade.app.kit.widgets import ROW, Button, Choice, Row, Slider, Toggle, columns, grid, place, rows
from batllm_arcade.app.shell import Navigation
from batllm_arcade.settings import user_settings as settings
from batllm_arcade.settings.user_settings import FIELDS, Name, Number, OneOf, Setting, Settings, Switch
from batllm_arcade.view import theme

_GAP = 5.0
_HEADING = 34.0
_BOUND = {"keys": ("left", "right", "screen"), "gamepad": ("pad",)}
_TITLES = {"left": "LEFT PLAYER", "right": "RIGHT PLAYER", "screen": "THE SCREEN", "pad": "BUTTONS"}
_ABOUT = {
    "picture": "How the arcade looks and moves",
    "sound": "How loud it is",
    "play": "Turn clock, orders, gamepads, films",
    "keys": "What each key does",
    "gamepad": "What each button does; in menus the directions, A and B are as on any console",
}
_PAGES = (*(group for group in FIELDS if group in _ABOUT), *_BOUND)


class SettingsScreen(MenuScreen):
    """A list of pages at the left, the page's rows at the right; every change takes effect at once."""

    heading = "SETTINGS"

    def __init__(self, ui: Ui, go: Navigation) -> None:
        super().__init__(ui)
        self.go = go
        self._pages = [
            Button(name.upper(), lambda: self.form.set_focus(self._rows[0]), hint=_ABOUT[name]) for name in _PAGES
        ]
        self._reset = Button(
            "RESET ALL", self._ask_reset, hint="Set everything back as it was at first", color=theme.DANGER
        )
        self._scroll = Scroll()
        self._page = _PAGES[0]
        self._rows: list[Row] = []
        self._headings: list[tuple[float, str]] = []
        self._listening: tuple[KeyBindingRow, bool] | None = None
        self._open(self._page)

    def _open(self, page: str) -> None:
        self._page = page
        self._scroll.by(-1e9)
        for name, button in zip(_PAGES, self._pages, strict=True):
            button.chosen = name == page
        self._make_rows()

    def _make_rows(self) -> None:
        """Make the page's rows anew, which show what holds now; the focus stays in its place."""
        at = self._rows.index(self.form.focus) if isinstance(self.form.focus, Row) else -1
        self._rows = [self._row(setting) for setting in FIELDS.get(self._page, {}).values()]
        for group in _BOUND.get(self._page, ()):
            self._rows += [KeyBindingRow(group, action, self._listen) for action in settings.ACTIONS[group]]
        self.form.place(("pages", [*self._pages, self._reset], None), ("rows", self._rows, self._scroll))
        self.form.focus = self._rows[at] if at >= 0 else self.form.focus
        self._mark()
        self.lay_out_again()

    def _row(self, setting: Setting) -> Row:
        name, label, hint = setting.name, setting.label, setting.hint
        now = settings.value(self.ui.settings, name)
        row: Row
        match setting.kind:
            case Switch():
                row = Toggle(label, now, partial(self._set, name), hint=hint)
            case Name():
                takes, most = settings.in_a_name, settings.NAME_MOST
                row = Field(label, now, lambda text: self._set(name, text.strip()), hint=hint, takes=takes, most=most)
            case OneOf(words):
                row = Choice.among(label, tuple(words), now, partial(self._set, name), words.__getitem__, hint=hint)
            case Number(least, _, step, slides_to, shown):
                span = (least, slides_to, step)
                row = Slider(label, now, span, partial(self._set, name), hint=hint, shown=shown)
        row.name = name
        return row

    def _set(self, name: str, to: object) -> None:
        self.ui.apply(settings.changed(self.ui.settings, name, to))
        self._mark()

    def _mark(self) -> None:
        """Mark what is not as shipped."""
        now, shipped = self.ui.settings, Settings()
        for row in self._rows:
            if isinstance(row, KeyBindingRow):
                row.names = settings.bindings(now, row.bindings).get(row.action, ())
                row.mark = row.names != settings.bindings(shipped, row.bindings).get(row.action, ())
            else:
                row.mark = settings.value(now, row.name) != settings.value(shipped, row.name)

    def _listen(self, row: KeyBindingRow, more: bool) -> None:
        self._listening, row.listening = (row, more), True
        self.ui.controls.listening = True

    def _bind(self, name: str) -> None:
        """Bind the key or button that was pressed; "" cancels."""
        assert self._listening is not None
        (row, more), self._listening = self._listening, None
        row.listening = self.ui.controls.listening = False
        refusal = settings.refused(row.bindings, row.action, name)
        if refusal:
            self.complain(f"That one cannot be used: {refusal}")
        elif name:
            changed, notice = rebound(self.ui.settings, row.bindings, row.action, name, more)
            self.ui.apply(changed)
            self._make_rows()
            if notice:
                self.complain(notice)

    def handle(self, event: pygame.event.Event, meaning: Meaning, now: float) -> None:
        """Handle an event; while a key or button is waited for, nothing else, and escape cancels."""
        if self._listening is None:
            super().handle(event, meaning, now)
            focused = [name for name, button in zip(_PAGES, self._pages, strict=True) if button is self.form.focus]
            if focused not in ([], [self._page]):
                self._open(focused[0])
            return
        pad = self._listening[0].bindings == "pad"
        if event.type == pygame.KEYDOWN and (pad or event.key == pygame.K_ESCAPE):
            self._bind("")
        elif event.type == pygame.KEYDOWN and not getattr(event, "repeat", False):
            self._bind(pygame.key.name(event.key))
        elif event.type == PAD and event.pressed and not event.repeat and not event.button.startswith("stick"):
            self._bind(event.button if pad else "")
        elif event.type == pygame.MOUSEBUTTONDOWN:
            self._bind("")

    def leave(self) -> None:
        self.ui.controls.listening = False
        super().leave()

    def key(self, event: pygame.event.Event) -> bool:
        if event.key in (pygame.K_DELETE, pygame.K_BACKSPACE) and isinstance(self.form.focus, Row):
            self._reset_row(self.form.focus)
            return True
        return False

    def go_on(self) -> None:
        if isinstance(self.form.focus, Row):
            self._reset_row(self.form.focus)

    def _reset_row(self, row: Row) -> None:
        now, shipped = self.ui.settings, Settings()
        if isinstance(row, KeyBindingRow):
            changed, notice = as_shipped(now, row.bindings, row.action)
            self.ui.apply(changed)
            if notice:
                self.complain(notice)
        else:
            self.ui.apply(settings.changed(now, row.name, settings.value(shipped, row.name)))
        self._make_rows()

    def _ask_reset(self) -> None:
        answers = [("Keep my settings", ""), ("Reset everything", "Keys and buttons, too")]
        self.pick("Reset everything?", answers, 0, self._reset_all)

    def _reset_all(self, answer: int) -> None:
        if answer == 1:
            self.ui.apply(Settings())
            self._make_rows()

    def back(self) -> None:
        if self.form.focus in self._rows:
            self.form.set_focus(self._pages[_PAGES.index(self._page)])
        else:
            self.go.pop()

    def leave_screen(self) -> None:
        self.go.pop()

    def keys(self) -> Sequence[tuple[str, str]]:
        if self._listening is not None:
            return [("ESC", "leave it as it is")]
        if self.form.focus in self._rows:
            pad = self.ui.controls.device == "pad"
            shipped = "menu" if pad else "DEL"
            more = [("right", "add a key")] if isinstance(self.form.focus, KeyBindingRow) else []
            return [("confirm", "change"), *more, (shipped, "reset"), ("back", "pages")]
        return [("confirm", "open"), ("back", "back")]

    def arrange(self, canvas: Canvas) -> None:
        area = self.area(canvas)
        area = area._replace(h=area.h + 2)
        buttons = (*self._pages, self._reset)
        if canvas.narrow:
            place(buttons, grid(area, len(buttons), 3, 44, 8))
            self._panel = area._replace(y=buttons[-1].box.bottom + 12, h=area.bottom - buttons[-1].box.bottom - 12)
        else:
            column, panel = columns(area, (min(220.0, canvas.width * 0.24), None), 24)
            high = min(46.0, (area.h - 12) / len(buttons) - 8)
            place(self._pages, rows(column, [high] * len(self._pages), 8))
            self._reset.box = Box(column.x, column.bottom - high, column.w, high)
            self._panel = panel._replace(w=min(panel.w, 1000.0))
        self._scroll.box = self._panel.inset(12, 10)
        self._arrange_rows(self._scroll.box)

    def _arrange_rows(self, view: Box) -> None:
        self._headings = []
        top, group = 0.0, ""
        for row in self._rows:
            if isinstance(row, KeyBindingRow) and row.bindings != group:
                group = row.bindings
                self._headings.append((top, _TITLES[group]))
                top += _HEADING
            row.box = Box(view.x, top, view.w - 14, ROW)
            top += ROW + _GAP
        self._scroll.height = top

    def paint(self, canvas: Canvas, now: float) -> None:
        canvas.card(self._panel, alpha=225)
        view = self._scroll.box
        with canvas.clipped(view):
            for top, words in self._headings:
                y = view.y + top - self._scroll.offset
                seat = {"LEFT PLAYER": 0, "RIGHT PLAYER": 1}.get(words)
                color = theme.GOLD if seat is None else theme.SEAT_COLORS[seat]
                canvas.words((view.x + 4, y + 8), words, "label", 14, color)
                if words == _TITLES["pad"]:
                    names = self.ui.controls.pads.names
                    plugged = ", ".join(names) if names else "none is plugged in"
                    width = view.w * 0.7
                    canvas.words((view.right - 18, y + 9), plugged, "mono", 12, theme.DIM, width=width, side="right")

    def paint_over(self, canvas: Canvas, now: float) -> None:
        if any(row.mark for row in self._rows):
            x, y = canvas.width - 40, 52
            canvas.words((x, y), "changed by you", "label", 14, theme.SOFT, side="right")
            wide = canvas.measure("changed by you", "label", 14)
            canvas.box(Box(x - wide - 14, y + 7, 6, 6), theme.GOLD, None, radius=3)
