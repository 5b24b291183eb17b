"""Where two recorded sessions part: the first play that differs, with both answers and both states."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.menu_screen import BOTTOM, TOP, MenuScreen
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.widgets import Button, columns, place
from batllm_arcade.app.services.background import BackgroundTask
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.history.comparison import GameComparison, compare, result_words, rows, until
from batllm_arcade.history.reader import read
from batllm_arcade.view import theme

_LINES = 3
"""Lines that an answer takes at most."""


class ComparisonScreen(MenuScreen):
    """Both sessions side by side; either can be watched from where they part."""

    heading = "COMPARE"

    def __init__(self, ui: Ui, go: Navigation, services: Services, paths: tuple[Path, Path]) -> None:
        super().__init__(ui)
        self.go, self._services, self._paths = go, services, paths
        self._task = BackgroundTask("session comparison", lambda report: compare(read(paths[0]), read(paths[1])))
        there = [f"{path.name} from the turn where they part" for path in paths]
        self._watch = (
            Button("WATCH FIRST", lambda: self._open(0), hint=there[0]),
            Button("WATCH SECOND", lambda: self._open(1), hint=there[1]),
        )
        self._back = Button("BACK", self.back, hint="To the sessions")
        self._panel = Box(0, 0, 0, 0)
        self.form.place((button, None) for button in (*self._watch, self._back))
        self.form.focus = self._back

    @property
    def game(self) -> GameComparison | None:
        """Return the first game that differs, else the first; None as long as nothing is known."""
        games = self._task.result or ()
        return next((game for game in games if not game.equal), games[0] if games else None)

    def _open(self, which: int) -> None:
        game = self.game
        if game is None or game.parting is None:
            return
        there = (game.parting.one, game.parting.other)[which] is not None
        play = game.same if there else max(0, game.same - 1)
        self.go.open_session(self._paths[which], game.numbers[which], self.complain, play=play)

    def update(self, now: float) -> None:
        super().update(now)
        game = self.game
        for button in self._watch:
            button.enabled = game is not None and game.parting is not None
        if self._task.error is not None and not self.problem:
            self.complain(str(self._task.error))

    def back(self) -> None:
        self.go.pop()

    def leave(self) -> None:
        super().leave()
        self._task.cancel()
        self._services.wait_at_end(self._task)

    def arrange(self, canvas: Canvas) -> None:
        margin, high = canvas.margin, canvas.height - TOP - BOTTOM - 12
        self._panel = Box(margin, TOP + 4, canvas.width - 2 * margin, high - 58)
        buttons = (*self._watch, self._back)
        width = min(640.0, self._panel.w)
        left = (canvas.width - width) / 2
        place(buttons, columns(Box(left, self._panel.bottom + 12, width, 44), [None] * len(buttons), 8))

    def paint(self, canvas: Canvas, now: float) -> None:
        canvas.panel(self._panel, theme.PANEL_EDGE)
        inner, game = self._panel.inset(18, 14), self.game
        if game is None:
            words = "comparing ..." if self._task.error is None else "They cannot be compared."
            canvas.words(inner.middle, words, "label", 18, theme.DIM, side="middle")
            return
        with canvas.clipped(self._panel):
            y = inner.y + canvas.block((inner.x, inner.y), _told(game), "label", 20, theme.TEXT, inner.w, 2) + 14
            names = (self._paths[0].name, self._paths[1].name)
            y = self._row(canvas, y, ("", *names), theme.TEXT)
            for key, left, right in rows(game.parting) if game.parting is not None else ():
                y = self._row(canvas, y, (key, left, right), theme.SOFT if left == right else theme.GOLD)
            left, right = (result_words(each) for each in game.results)
            self._row(canvas, y + 8, ("ended", left, right), theme.SOFT if left == right else theme.GOLD)

    def _row(self, canvas: Canvas, y: float, cells: Sequence[str], color: theme.Color) -> float:
        inner = self._panel.inset(18, 14)
        first, size = (100.0, 14.0) if canvas.narrow else (140.0, 16.0)
        wide = (inner.w - first) / 2
        canvas.words((inner.x, y), cells[0], "label", size + 1, theme.DIM, width=first - 8)
        high = [
            canvas.block((inner.x + first + at * wide, y), text, "mono", size, color, wide - 14, _LINES)
            for at, text in enumerate(cells[1:])
        ]
        return y + max(size + 6, *high) + 5


def _told(game: GameComparison) -> str:
    if None in game.numbers:
        return "One of them has no such game."
    both = f"Game {game.numbers[0]}" if game.numbers[0] == game.numbers[1] else "Their games"
    if game.equal:
        return f"{both}: the same in every play."
    start = " They differ from the start." if game.start else ""
    return f"{both}: {until(game)}.{start}"
