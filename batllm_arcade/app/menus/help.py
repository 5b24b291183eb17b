"""Help."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pygame

from batllm_arcade.app.input.controls import PAD, Meaning, button_name, key_name
from batllm_arcade.app.input.key_labels import NAMES, PLAYER_KEYS
from batllm_arcade.app.kit.canvas import Box, Canvas, Scroll
from batllm_arcade.app.kit.keycaps import keycap
from batllm_arcade.app.kit.menu_screen import TOP, MenuScreen
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.widgets import grid, rows
from batllm_arcade.app.pictures import RULES, draw_rule
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
        elif intent == "confirm" and event.type == PAD and not self.ui.settings.guided:
            self._guide()
        elif intent in ("confirm", "menu"):
            self._intend("back")
        elif event.type == pygame.MOUSEWHEEL:
            self._scroll.by(-event.y * 60)
        else:
            super().handle(event, meaning, now)

    def keys(self) -> Sequence[tuple[str, str]]:
        more = [("up down", "scroll")] if self._scroll.most > 0 else []
        key = "confirm" if self.ui.controls.device == "pad" else "G"
        guide = [(key, "guide me in the next match")] if not self.ui.settings.guided else []
        return [*guide, *more, ("back", "back")]

    def key(self, event: pygame.event.Event) -> bool:
        if event.key != pygame.K_g:
            return False
        self._guide()
        return True

    def _guide(self) -> None:
        self.ui.apply(replace(self.ui.settings, guided=True))
        self.ui.sound("confirm")

    def back(self) -> None:
        self.go.pop()

    def arrange(self, canvas: Canvas) -> None:
        """Place the cards below each other in a window that scrolls; their boxes count from its top."""
        side = 10 if canvas.narrow else 30
        view = self._scroll.box = Box(side, TOP, canvas.width - 2 * side, canvas.height - TOP - 44)
        area = Box(view.x + 10, 0.0, view.w - 20, 0)
        wide = area.w >= _WIDE
        longest = max(canvas.measure(words, "label", 15) for _, words in self._prices)
        self._across = 1 if canvas.narrow else int((area.w - 32) / (longest + 48))
        self._pictures = 5 if wide else 2 if canvas.narrow else 4
        self._controls = 3 if wide else 1
        self._rule_high = self._rule_height(canvas, (area.w - (self._pictures - 1) * 10) / self._pictures)
        lines = canvas.lines(_MOUSE, "label", 16, area.w - 32, 4)
        cards: list[tuple[Callable[[Canvas, Box, float], None], float]] = [
            (self._paint_controls, _stacked(3, self._controls, _CONTROLS_HIGH, _GAP)),
            (self._paint_mouse, 46 + 24.0 * lines),
            (self._paint_rules, _stacked(len(RULES), self._pictures, self._rule_high, 10)),
            (self._paint_prices, 50 + _stacked(len(self._prices), self._across, _PRICE)),
        ]
        if self.ui.controls.pointer:  # what one uses comes first
            cards = [*cards[1:], cards[0]]
        cards.append((self._paint_screen, 52 + _stacked(len(self.ui.settings.keys["screen"]), self._across, _LINE)))
        boxes = rows(area, [high for _, high in cards], _GAP)
        self._cards = [(paint, box) for (paint, _), box in zip(cards, boxes, strict=True)]
        self._scroll.height = boxes[-1].bottom + 8

    @staticmethod
    def _rule_height(canvas: Canvas, width: float) -> float:
        lines = max(canvas.lines(words, "label", 14, width - 4, _MOST_LINES) for _, words in RULES)
        return _RULE_HIGH - 11 + 17 * max(3, lines) * canvas.type_size(14) / 14

    def paint(self, canvas: Canvas, now: float) -> None:
        with canvas.clipped(self._scroll.box):
            for paint, box in self._cards:
                paint(canvas, self._scroll.shown(box), now)
        self._scroll.draw_bar(canvas)

    def _card(self, canvas: Canvas, box: Box, title: str, color: Color) -> None:
        canvas.box(box, theme.PANEL, theme.PANEL_EDGE, width=1, radius=10, alpha=230)
        canvas.box(Box(box.x, box.y, box.w, 4), color, None, radius=2)
        canvas.words((box.x + 16, box.y + 13), title, "label", 15, color)

    def _paint_controls(self, canvas: Canvas, area: Box, now: float) -> None:
        settings, boxes = self.ui.settings, grid(area, 3, self._controls, _CONTROLS_HIGH, _GAP)
        self._paint_bound(canvas, boxes[0], "LEFT PLAYER", theme.SEAT_COLORS[0], settings.keys["left"])
        self._paint_bound(canvas, boxes[1], "RIGHT PLAYER", theme.SEAT_COLORS[1], settings.keys["right"])
        self._paint_bound(canvas, boxes[2], "GAMEPAD", theme.GOLD, settings.pad, pad=True)

    def _paint_bound(
        self, canvas: Canvas, box: Box, title: str, color: Color, bound: Mapping[str, Sequence[str]], pad: bool = False
    ) -> None:
        self._card(canvas, box, title, color)
        keys = sorted(PLAYER_KEYS, key=lambda key: key.actions == ("wait",))  # which comes last
        for row, key in enumerate(keys):
            x, y = box.x + 16, box.y + 42 + row * (_LINE - 3)
            for action in key.actions:
                for name in bound.get(action, ())[: 1 if len(key.actions) > 1 else 2]:
                    x += keycap(canvas, (x, y), button_name(name) if pad else key_name(name), pad=pad) + 6
            words = "or stick: aim, let go" if pad and row == 0 else key.help
            canvas.words((x + 8, y + 3), words, "label", 16, theme.TEXT, width=box.right - x - 20)

    def _paint_mouse(self, canvas: Canvas, box: Box, now: float) -> None:
        self._card(canvas, box, "MOUSE AND TOUCH", theme.SOFT)
        canvas.block((box.x + 16, box.y + 36), _MOUSE, "label", 16, theme.TEXT, box.w - 32, 4)

    def _paint_rules(self, canvas: Canvas, area: Box, now: float) -> None:
        boxes = grid(area, len(RULES), self._pictures, self._rule_high, 10)
        for (kind, words), box in zip(RULES, boxes, strict=True):
            stage = box._replace(h=_RULE_HIGH - 20)
            canvas.box(stage, theme.FLOOR, theme.WALL, width=1, radius=6)
            with canvas.clipped(stage.inset(2)):
                draw_rule(canvas, kind, stage, 0.9 if self.still else now)
            canvas.block((box.x + 2, stage.bottom + 6), words, "label", 14, theme.SOFT, box.w - 4, _MOST_LINES)

    def _paint_prices(self, canvas: Canvas, box: Box, now: float) -> None:
        self._card(canvas, box, "WHAT IT COSTS, WHAT IT TAKES (in couch hits take 12, 24, 36)", theme.GOLD)
        down = -(-len(self._prices) // self._across)
        width = (box.w - 32) / self._across
        for index, (figure, words) in enumerate(self._prices):
            column, row = divmod(index, down)
            x, y = box.x + 16 + column * width, box.y + 38 + row * _PRICE
            canvas.words((x + 30, y), figure, "title", 17, theme.TEXT, side="right")
            canvas.words((x + 40, y + 1), words, "label", 15, theme.SOFT, width=width - 48)

    def _paint_screen(self, canvas: Canvas, box: Box, now: float) -> None:
        actions, pad = self.ui.settings.keys["screen"], self.ui.settings.pad
        self._card(canvas, box, "AT ANY TIME", theme.SOFT)
        cells = grid(Box(box.x + 16, box.y + 42, box.w - 32, 0), len(actions), self._across, _LINE, 0)
        for (action, keys), cell in zip(actions.items(), cells, strict=True):
            x, y = cell.x, cell.y
            x += keycap(canvas, (x, y), key_name(keys[0]) if keys else "-") + 6
            for button in pad.get(action, ())[:1]:
                x += keycap(canvas, (x, y), button_name(button), pad=True) + 6
            words, width = NAMES.get(action, action).lower(), cell.right - x - 12
            canvas.words((x + 4, y + 3), words, "label", 16, theme.TEXT, width=width)


def _stacked(count: int, across: int, high: float, gap: float = 0.0) -> float:
    """Return how high so many are, `across` beside each other."""
    down = -(-count // across)
    return down * high + (down - 1) * gap
