"""Help: the keys and buttons as they are bound now, and the rules in pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pygame

from batllm_arcade.app.input.controls import button_name, key_name
from batllm_arcade.app.ui.canvas import Box, Canvas
from batllm_arcade.app.ui.key_binding_row import NAMES
from batllm_arcade.app.ui.keycaps import keycap
from batllm_arcade.app.ui.menu_screen import TOP, MenuScreen
from batllm_arcade.app.ui.pictures.rule_diagrams import RULES, RuleDiagrams
from batllm_arcade.app.ui.screen import Shell
from batllm_arcade.app.ui.scroll import Scroll
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color

_CONTROLS = (
    (("left", "right"), "hold to aim, let go to turn"), (("move",), "move"), (("fire",), "fire"),
    (("shield",), "shield up or down"), (("fine",), "aim slowly, while held"), (("wait",), "wait: do nothing"),
)  # fmt: skip
_LINE = 34.0
_MOST_LINES = 5  # under a picture
_CONTROLS_HIGH, _RULE_HIGH = 232.0, 116.0
_GAP = 16.0
_MOUSE = (
    "The line follows the pointer: a click turns there, a click on the golden line fires, two clicks or the wheel are "
    "a step, the right button is the shield. The buttons under the arena do the same, and every hint is a button."
)


class HelpScreen(MenuScreen):
    """Nothing to choose; up and down scroll if there is more than fits."""

    heading = "HELP"

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self._scroll = Scroll()
        self._pictures: RuleDiagrams | None = None

    def handle(self, event: pygame.event.Event, now: float) -> None:
        """Scroll on up, down and the wheel; leave on confirm, too."""
        intent = self.shell.controls.intent(event)
        if intent in ("up", "down"):
            self._scroll.by(-60 if intent == "up" else 60)
        elif intent in ("confirm", "menu"):
            self._intend("back")
        elif event.type == pygame.MOUSEWHEEL:
            self._scroll.by(-event.y * 60)
        else:
            super().handle(event, now)

    def update(self, now: float) -> None:
        """Scroll on."""
        super().update(now)
        self._scroll.update(now, at_once=self.still)

    def keys(self) -> Sequence[tuple[str, str]]:
        """Return the key for going back, and those for scrolling if there is anything to scroll."""
        label = self.shell.controls.label
        more = [(f"{label('up')} {label('down')}", "scroll")] if self._scroll.most > 0 else []
        guide = [("G", "guide me in the next match")] if not self.shell.settings.guided else []
        return [*guide, *more, (label("back"), "back")]

    def key(self, event: pygame.event.Event) -> bool:
        """Take G, which asks for the guide."""
        if event.key != pygame.K_g:
            return False
        self.shell.apply(replace(self.shell.settings, guided=True))
        self.shell.sounds.ui("confirm")
        return True

    def paint(self, canvas: Canvas, now: float) -> None:
        """Draw everything within a window that scrolls."""
        side = 10 if canvas.narrow else 30
        view = Box(side, TOP, canvas.width - 2 * side, canvas.height - TOP - 44)
        self._scroll.box = view
        with canvas.clipped(view):
            top = view.y - self._scroll.offset
            self._scroll.height = self._paint_all(canvas, Box(view.x + 10, top, view.w - 20, 0), now)
        self._scroll.draw_bar(canvas)

    def _paint_all(self, canvas: Canvas, area: Box, now: float) -> float:
        wide = area.w >= 1000
        columns = 3 if wide else 1
        width = (area.w - (columns - 1) * _GAP) / columns
        for index in range(3):
            x, y = area.x + (index % columns) * (width + _GAP), area.y + (index // columns) * (_CONTROLS_HIGH + _GAP)
            self._paint_controls(canvas, Box(x, y, width, _CONTROLS_HIGH), index)
        y = area.y + (_CONTROLS_HIGH + _GAP) * (3 // columns)
        y += self._paint_mouse(canvas, Box(area.x, y, area.w, 0)) + _GAP
        pictures = len(RULES) if wide else 2 if canvas.narrow else 4
        y += self._paint_rules(canvas, Box(area.x, y, area.w, 0), pictures, now) + _GAP
        y += self._paint_screen(canvas, Box(area.x, y, area.w, 0), 5 if wide else 1 if canvas.narrow else 2)
        return y - area.y + 8

    def _card(self, canvas: Canvas, box: Box, title: str, color: Color) -> None:
        canvas.box(box, theme.PANEL, theme.PANEL_EDGE, width=1, radius=10, alpha=230)
        canvas.box(Box(box.x, box.y, box.w, 4), color, None, radius=2)
        canvas.words((box.x + 16, box.y + 13), title, "label", 15, color)

    def _paint_controls(self, canvas: Canvas, box: Box, index: int) -> None:
        title = ("LEFT PLAYER", "RIGHT PLAYER", "GAMEPAD")[index]
        color = theme.GOLD if index == 2 else theme.SEAT_COLORS[index]
        self._card(canvas, box, title, color)
        bound = self.shell.settings.pad if index == 2 else self.shell.settings.keys[("left", "right")[index]]
        for row, (actions, words) in enumerate(_CONTROLS):
            x, y = box.x + 16, box.y + 42 + row * (_LINE - 3)
            for action in actions:
                names = bound.get(action, ())[: 1 if len(actions) > 1 else 2]
                for name in names:
                    shown = button_name(name) if index == 2 else key_name(name)
                    x += keycap(canvas, (x, y), shown, pad=index == 2) + 6
            words = "or stick: aim, let go" if index == 2 and row == 0 else words
            canvas.words((x + 8, y + 3), words, "label", 16, theme.TEXT, width=box.right - x - 20)

    def _paint_mouse(self, canvas: Canvas, area: Box) -> float:
        lines = canvas.lines(_MOUSE, "label", 16, area.w - 32, 4)
        box = Box(area.x, area.y, area.w, 46 + 24 * lines)
        self._card(canvas, box, "MOUSE AND TOUCH", theme.SOFT)
        canvas.block((box.x + 16, box.y + 36), _MOUSE, "label", 16, theme.TEXT, box.w - 32, 4)
        return box.h

    def _paint_rules(self, canvas: Canvas, area: Box, columns: int, now: float) -> float:
        if self._pictures is None or self._pictures.scale != canvas.scale:
            self._pictures = RuleDiagrams(canvas.scale)
        width = (area.w - (columns - 1) * 10) / columns
        rows = -(-len(RULES) // columns)
        lines = max(canvas.lines(words, "label", 14, width - 4, _MOST_LINES) for _, words in RULES)
        high = _RULE_HIGH - 1 + 17 * max(3, lines) * canvas.type_size(14) / 14
        for index, (kind, words) in enumerate(RULES):
            x, y = area.x + (index % columns) * (width + 10), area.y + (index // columns) * high
            stage = Box(x, y, width, _RULE_HIGH - 20)
            canvas.box(stage, theme.FLOOR, theme.WALL, width=1, radius=6)
            with canvas.clipped(stage.inset(2)):
                self._pictures.draw(canvas, kind, stage, 0.9 if self.still else now)
            canvas.block((x + 2, stage.bottom + 6), words, "label", 14, theme.SOFT, width - 4, _MOST_LINES)
        return rows * high - 10

    def _paint_screen(self, canvas: Canvas, area: Box, columns: int) -> float:
        actions = list(self.shell.settings.keys["screen"].items())
        rows = -(-len(actions) // columns)
        box = Box(area.x, area.y, area.w, 52 + rows * _LINE)
        self._card(canvas, box, "AT ANY TIME", theme.SOFT)
        pad = self.shell.settings.pad
        width = (area.w - 32) / columns
        for index, (action, keys) in enumerate(actions):
            x, y = box.x + 16 + (index % columns) * width, box.y + 42 + (index // columns) * _LINE
            right = x + width - 8
            x += keycap(canvas, (x, y), key_name(keys[0]) if keys else "-") + 6
            for button in pad.get(action, ())[:1]:
                x += keycap(canvas, (x, y), button_name(button), pad=True) + 6
            canvas.words(
                (x + 4, y + 3), NAMES.get(action, action).lower(), "label", 16, theme.TEXT, width=right - x - 4
            )
        return box.h
