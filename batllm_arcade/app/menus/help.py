"""Help."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pygame

from batllm_arcade.app.input.controls import Meaning, button_name, key_name
from batllm_arcade.app.kit.canvas import Box, Canvas, Scroll
from batllm_arcade.app.kit.keycaps import NAMES, keycap
from batllm_arcade.app.kit.menu_screen import TOP, MenuScreen
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.widgets import grid
from batllm_arcade.app.pictures import RULES, Kind, draw_rule
from batllm_arcade.app.shell import Navigation
from batllm_arcade.core.flight import damage
from batllm_arcade.core.model import Rules
from batllm_arcade.settings import config
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color

# -- What each act costs or gives

Price = tuple[str, str]
"""A figure and what it is for."""


def prices(rules: Rules) -> tuple[Price, ...]:
    """Return what each act does to the battery, and what each hit takes."""
    return (
        (f"+{rules.step_charge}", "a step, a half one at least"),
        (f"+{rules.rest_charge}", "a turn, waiting, a step back"),
        (f"-{rules.shot_charge}", "a shot, hit or miss"),
        (f"-{rules.shield_charge}", "a turn behind your shield"),
        (f"-{rules.block_charge}", "a bullet on your shield"),
        (f"{rules.battery}", f"at most; you begin with {rules.initial_charge}"),
        (f"{damage(0, 'front', rules):g}", "a hit in front takes"),
        (f"{damage(0, 'side', rules):g}", "a hit in the side"),
        (f"{damage(0, 'back', rules):g}", "a hit in the back"),
        (f"{damage(0, 'back', rules, bounced=True):g}", "any hit off the wall (arena)"),
    )


# -- Help

_CONTROLS = (
    (("left", "right"), "hold to aim, let go to turn"), (("move",), "move"),
    (("retreat",), "step back (in arena)"), (("fire",), "fire"),
    (("shield",), "shield up or down"), (("fine",), "aim slowly, while held"), (("wait",), "wait: do nothing"),
)  # fmt: skip
_LINE = 34.0
_MOST_LINES = 5  # under a picture
_CONTROLS_HIGH, _RULE_HIGH = 263.0, 116.0
_GAP, _PRICE = 16.0, 27.0
_WIDE = 1000.0
_MOUSE = (
    "The line follows the pointer: a click turns there, a click on the golden line fires, two clicks or the wheel are "
    "a step (towards you: a step back), the right button is the shield. The buttons under the arena do the same, and "
    "every hint is a button."
)


class HelpScreen(MenuScreen):
    """Nothing to choose; up and down scroll if there is more than fits."""

    heading = "HELP"

    def __init__(self, ui: Ui, go: Navigation) -> None:
        super().__init__(ui)
        self.go = go
        self._scroll = Scroll()
        self._prices = prices(config.load("arena").rules)

    def handle(self, event: pygame.event.Event, meaning: Meaning, now: float) -> None:
        intent = meaning.intent
        if intent in ("up", "down"):
            self._scroll.by(-60 if intent == "up" else 60)
        elif intent in ("confirm", "menu"):
            self._intend("back")
        elif event.type == pygame.MOUSEWHEEL:
            self._scroll.by(-event.y * 60)
        else:
            super().handle(event, meaning, now)

    def update(self, now: float) -> None:
        super().update(now)
        self._scroll.update(now, at_once=self.still)

    def keys(self) -> Sequence[tuple[str, str]]:
        label = self.ui.controls.label
        more = [(f"{label('up')} {label('down')}", "scroll")] if self._scroll.most > 0 else []
        guide = [("G", "guide me in the next match")] if not self.ui.settings.guided else []
        return [*guide, *more, (label("back"), "back")]

    def key(self, event: pygame.event.Event) -> bool:
        if event.key != pygame.K_g:
            return False
        self.ui.apply(replace(self.ui.settings, guided=True))
        self.ui.sound("confirm")
        return True

    def back(self) -> None:
        self.go.pop()

    def arrange(self, canvas: Canvas) -> None:
        """Place the cards below each other in a window that scrolls; their boxes count from its top."""
        side = 10 if canvas.narrow else 30
        view = self._scroll.box = Box(side, TOP, canvas.width - 2 * side, canvas.height - TOP - 44)
        area = Box(view.x + 10, 0.0, view.w - 20, 0)
        parts = [self._place_keys, self._place_mouse, self._place_rules, self._place_prices]
        if self.ui.controls.pointer:  # what one uses comes first
            parts = [*parts[1:], parts[0]]
        for part in (*parts, self._place_screen_keys):
            area = area._replace(y=part(canvas, area) + _GAP)
        self._scroll.height = area.y - _GAP + 8

    def _place_keys(self, canvas: Canvas, area: Box) -> float:
        self._controls = grid(area, 3, 3 if area.w >= _WIDE else 1, _CONTROLS_HIGH, _GAP)
        return self._controls[-1].bottom

    def _place_mouse(self, canvas: Canvas, area: Box) -> float:
        lines = canvas.lines(_MOUSE, "label", 16, area.w - 32, 4)
        self._mouse_card = area._replace(h=46 + 24.0 * lines)
        return self._mouse_card.bottom

    def _place_rules(self, canvas: Canvas, area: Box) -> float:
        pictures = 5 if area.w >= _WIDE else 2 if canvas.narrow else 4
        width = (area.w - (pictures - 1) * 10) / pictures
        lines = max(canvas.lines(words, "label", 14, width - 4, _MOST_LINES) for _, words in RULES)
        high = _RULE_HIGH - 11 + 17 * max(3, lines) * canvas.type_size(14) / 14
        self._rules = grid(area, len(RULES), pictures, high, 10)
        return self._rules[-1].bottom

    def _place_prices(self, canvas: Canvas, area: Box) -> float:
        self._price_columns = 5 if area.w >= _WIDE else 1 if canvas.narrow else 2
        rows = -(-len(self._prices) // self._price_columns)
        self._price_card = area._replace(h=50 + rows * _PRICE)
        return self._price_card.bottom

    def _place_screen_keys(self, canvas: Canvas, area: Box) -> float:
        self._columns = 5 if area.w >= _WIDE else 1 if canvas.narrow else 2
        rows = -(-len(self.ui.settings.keys["screen"]) // self._columns)
        self._screen_card = area._replace(h=52 + rows * _LINE)
        return self._screen_card.bottom

    def paint(self, canvas: Canvas, now: float) -> None:
        view = self._scroll.box
        down = view.y - self._scroll.offset
        with canvas.clipped(view):
            for index, box in enumerate(self._controls):
                self._paint_controls(canvas, box.moved(0, down), index)
            self._paint_mouse(canvas, self._mouse_card.moved(0, down))
            for (kind, words), box in zip(RULES, self._rules, strict=True):
                self._paint_rule(canvas, box.moved(0, down), kind, words, now)
            self._paint_prices(canvas, self._price_card.moved(0, down))
            self._paint_screen(canvas, self._screen_card.moved(0, down))
        self._scroll.draw_bar(canvas)

    def _card(self, canvas: Canvas, box: Box, title: str, color: Color) -> None:
        canvas.box(box, theme.PANEL, theme.PANEL_EDGE, width=1, radius=10, alpha=230)
        canvas.box(Box(box.x, box.y, box.w, 4), color, None, radius=2)
        canvas.words((box.x + 16, box.y + 13), title, "label", 15, color)

    def _paint_controls(self, canvas: Canvas, box: Box, index: int) -> None:
        title = ("LEFT PLAYER", "RIGHT PLAYER", "GAMEPAD")[index]
        color = theme.GOLD if index == 2 else theme.SEAT_COLORS[index]
        self._card(canvas, box, title, color)
        bound = self.ui.settings.pad if index == 2 else self.ui.settings.keys[("left", "right")[index]]
        for row, (actions, words) in enumerate(_CONTROLS):
            x, y = box.x + 16, box.y + 42 + row * (_LINE - 3)
            for action in actions:
                names = bound.get(action, ())[: 1 if len(actions) > 1 else 2]
                for name in names:
                    shown = button_name(name) if index == 2 else key_name(name)
                    x += keycap(canvas, (x, y), shown, pad=index == 2) + 6
            words = "or stick: aim, let go" if index == 2 and row == 0 else words
            canvas.words((x + 8, y + 3), words, "label", 16, theme.TEXT, width=box.right - x - 20)

    def _paint_mouse(self, canvas: Canvas, box: Box) -> None:
        self._card(canvas, box, "MOUSE AND TOUCH", theme.SOFT)
        canvas.block((box.x + 16, box.y + 36), _MOUSE, "label", 16, theme.TEXT, box.w - 32, 4)

    def _paint_rule(self, canvas: Canvas, box: Box, kind: Kind, words: str, now: float) -> None:
        stage = box._replace(h=_RULE_HIGH - 20)
        canvas.box(stage, theme.FLOOR, theme.WALL, width=1, radius=6)
        with canvas.clipped(stage.inset(2)):
            draw_rule(canvas, kind, stage, 0.9 if self.still else now)
        canvas.block((box.x + 2, stage.bottom + 6), words, "label", 14, theme.SOFT, box.w - 4, _MOST_LINES)

    def _paint_prices(self, canvas: Canvas, box: Box) -> None:
        self._card(canvas, box, "WHAT IT COSTS, WHAT IT TAKES (couch and arena)", theme.GOLD)
        rows = -(-len(self._prices) // self._price_columns)
        width = (box.w - 32) / self._price_columns
        for index, (figure, words) in enumerate(self._prices):
            column, row = divmod(index, rows)
            x, y = box.x + 16 + column * width, box.y + 38 + row * _PRICE
            canvas.words((x + 30, y), figure, "title", 17, theme.TEXT, side="right")
            canvas.words((x + 40, y + 1), words, "label", 15, theme.SOFT, width=width - 48)

    def _paint_screen(self, canvas: Canvas, box: Box) -> None:
        actions = list(self.ui.settings.keys["screen"].items())
        self._card(canvas, box, "AT ANY TIME", theme.SOFT)
        pad, columns = self.ui.settings.pad, self._columns
        width = (box.w - 32) / columns
        for index, (action, keys) in enumerate(actions):
            x, y = box.x + 16 + (index % columns) * width, box.y + 42 + (index // columns) * _LINE
            right = x + width - 8
            x += keycap(canvas, (x, y), key_name(keys[0]) if keys else "-") + 6
            for button in pad.get(action, ())[:1]:
                x += keycap(canvas, (x, y), button_name(button), pad=True) + 6
            canvas.words(
                (x + 4, y + 3), NAMES.get(action, action).lower(), "label", 16, theme.TEXT, width=right - x - 4
            )
