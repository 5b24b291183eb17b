"""One recorded session in the list of all."""

from __future__ import annotations

from collections.abc import Callable

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.widgets import ListEntry
from batllm_arcade.app.services.session_list import SessionEntry
from batllm_arcade.history.summary import Summary, counted
from batllm_arcade.view import theme


class SessionRow(ListEntry):
    """A session in the list; `chosen(row, opens)` is called when it is selected or opened."""

    def __init__(self, entry: SessionEntry, chosen: Callable[[SessionRow, bool], None]) -> None:
        super().__init__(chosen, "list")
        self.entry = entry

    def draw(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        """Draw who played, when, the result, and how long it took."""
        entry = self.entry
        super().draw(canvas, box, focused, now)
        right, when = box.right - 18, entry.when()
        canvas.words((right, box.y + 10), when, "label", 15, theme.SOFT, side="right")
        width = box.w - 60 - canvas.measure(when, "label", 15)
        if entry.summary is not None:
            self._draw_summary(canvas, box, entry.summary, width)
        else:
            canvas.words((box.x + 18, box.y + 8), entry.path.name, "label", 19, theme.SOFT, width=width)
            words, color = (entry.problem, theme.DANGER) if entry.problem else ("reading ...", theme.DIM)
            canvas.words((box.x + 18, box.y + 35), words, "label", 15, color, width=box.w - 36)

    def _draw_summary(self, canvas: Canvas, box: Box, summary: Summary, width: float) -> None:
        x, y = box.x + 18, box.y + 7
        names = [name or "nobody" for name in summary.names]
        wide = [canvas.measure(name, "title", 20) for name in names]
        room = width - 40
        for seat, name in enumerate(names):
            most = max(room / 2, room - wide[1 - seat])
            x += canvas.words((x, y), name, "title", 20, theme.SEAT_COLORS[seat], width=most) + 9
            if seat == 0:
                x += canvas.words((x, y + 4), "vs", "label", 15, theme.DIM) + 9
        color = theme.SOFT if summary.winner is None else theme.TEXT
        length = f"{counted(summary.games, 'game')}, {counted(summary.turns, 'turn')}"
        used = canvas.words((box.right - 18, y + 29), length, "label", 15, theme.DIM, side="right")
        origin = summary.forked_from
        start = box.x + 18
        if origin is not None:
            words = f"played on from {origin.round}.{origin.turn}:"
            start += canvas.words((start, y + 28), words, "label", 16, theme.GOLD, width=box.w - 60 - used) + 8
        canvas.words((start, y + 28), summary.result, "label", 16, color, width=box.right - 42 - used - start)
