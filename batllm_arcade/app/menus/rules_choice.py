"""A card for each set of rules: a picture, a name and a sentence; one of them is chosen."""

from __future__ import annotations

from collections.abc import Callable

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.widgets import Pressable
from batllm_arcade.app.pictures.rules_picture import draw_rules
from batllm_arcade.settings import config as configuration
from batllm_arcade.view import theme
from batllm_arcade.view.theme import mixed

HIGH = 54.0
OWN = "your own"
_SHOWN = {
    "couch": ("Quick", "Short, and walking loads", "Short games; good for a first match"),
    "arena": (
        "Arena",
        "Quick, and bullets bounce",
        "As Quick; bullets come off a wall once, bots can step back",
    ),
    "default": ("Long", "A large arena, long games", "Small bots far from each other; guns are always loaded"),
    "classic": ("Original", "As in the original game", "The rules of BatLLM, with shields up at the start"),
    OWN: ("Your own", "The rules of your file", "The rules of the configuration that was given"),
}
"""What each is called, in a sentence, and what is said at the bottom of the screen."""
ORDER = tuple(name for name in _SHOWN if name in configuration.SHIPPED)


class RulesChoice(Pressable):
    """The card of the configuration `name`."""

    def __init__(self, name: str, choose: Callable[[str], None]) -> None:
        shown, self.sentence, hint = _SHOWN[name]
        super().__init__(shown, lambda: choose(name), hint)
        self.name, self.chosen = name, False

    def draw(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        """Draw the picture at the left, the words beside it, in gold what is chosen."""
        edge = theme.GOLD if self.chosen else theme.PANEL_EDGE
        share = 0.16 if self.chosen else 0.75 if focused else 0.0
        fill = mixed(theme.PANEL, theme.GOLD if self.chosen else theme.PANEL_EDGE, share)
        canvas.box(box, fill, edge, width=2 if self.chosen else 1, radius=7)
        if focused:
            canvas.ring(box, theme.GOLD, now, radius=7)
        picture = Box(box.x + 5, box.y + 5, (box.h - 10) * 1.7, box.h - 10)
        draw_rules(canvas, picture, self.name)
        x, wide = picture.right + 10, box.right - picture.right - 18
        canvas.words((x, box.y + 5), self.text, "title", 20, theme.GOLD if self.chosen else theme.TEXT, width=wide)
        canvas.words((x, box.y + box.h - 24), self.sentence, "label", 14, theme.SOFT, width=wide)
