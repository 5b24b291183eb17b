"""One player of a league that is being set up, and the row that adds another one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.widgets import Pressable
from batllm_arcade.view import theme
from batllm_arcade.view.theme import mixed

HIGH = 66.0


@dataclass(frozen=True, slots=True)
class PlayerFacts:
    """What a row shows: `problem` is "" for a player that is ready, None while that is not known."""

    name: str
    brain: str
    orders: str
    problem: str | None


class PlayerRow(Pressable):
    """A player; confirm and a click open its card."""

    def __init__(self, place: int, facts: PlayerFacts, opens: Callable[[int], None]) -> None:
        super().__init__(facts.name, lambda: opens(self.place), "Change this player, its orders, or take it out")
        self.place, self.facts = place, facts
        self.group = "players"

    def draw(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        """Draw its number, name and brain, below them its orders or what it misses."""
        facts, color = self.facts, theme.SEAT_COLORS[self.place % 2]
        canvas.box(box, mixed(theme.PANEL, theme.PANEL_EDGE, 0.75 if focused else 0.25), None, radius=8)
        canvas.box(Box(box.x, box.y + 8, 5, box.h - 16), color, None, radius=2.5)
        if focused:
            canvas.ring(box, theme.GOLD, now)
        canvas.words((box.x + 30, box.y + box.h / 2), str(self.place + 1), "title", 22, color, side="middle")
        x, wide = box.x + 52, box.w - 68
        brain = canvas.fitted(facts.brain, "mono", 12, wide * 0.45)
        canvas.words((box.right - 14, box.y + 14), facts.brain, "mono", 12, theme.DIM, width=wide * 0.45, side="right")
        canvas.words((x, box.y + 8), facts.name, "title", 21, theme.TEXT, width=wide - brain - 12)
        said, tint = (facts.problem, theme.GOLD) if facts.problem else (facts.orders, theme.SOFT)
        canvas.words((x, box.y + 37), said, "label", 15, tint, width=wide)


class AddRow(Pressable):
    """The row below the players, for one more."""

    def __init__(self, add: Callable[[], None]) -> None:
        super().__init__("+  ADD A PLAYER", add, "One more player: a model, a script, a bot from a file")
        self.group = "players"

    def draw(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        """Draw a quiet button as wide as the players."""
        canvas.box(box, theme.PANEL, theme.GOLD if focused else theme.PANEL_EDGE, width=1, radius=8)
        if focused:
            canvas.ring(box, theme.GOLD, now)
        canvas.words(box.middle, self.text, "label", 18, theme.GOLD if focused else theme.SOFT, side="middle")
