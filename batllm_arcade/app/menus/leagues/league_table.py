"""The picture of a league's table: ratings with their intervals, best first."""

from __future__ import annotations

from collections.abc import Sequence

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.services.leagues.league_list import LeagueEntry
from batllm_arcade.league.output import words
from batllm_arcade.league.output.headline import verdict
from batllm_arcade.league.statistics.table import LeagueTable, TableRow
from batllm_arcade.view import theme

HEAD, ROW = 62.0, 27.0
"""What the heading and a player take, logical units."""
_LINE = 22.0
"""What the heading's second line takes, where it has two: in a narrow window."""


def height(entry: LeagueEntry, most: float, *, narrow: bool) -> float:
    """Return how high a league's table is, at most `most`."""
    players = len(entry.table.players) if entry.table is not None else 2
    return min(most, HEAD + _LINE * narrow + ROW * (players + 1) + 8)


def paint(canvas: Canvas, box: Box, entry: LeagueEntry, left_over: str = "") -> None:
    """Draw the league's heading and as many of its players as there is room for; `left_over` is how far it is now."""
    canvas.panel(box, theme.PANEL_EDGE)
    left, right = box.x + 18, box.right - 18
    state = left_over or (f"{entry.pairs:,} of {entry.total:,} pairs" if entry.total else "")
    tint = theme.GOLD if left_over else theme.SOFT
    used = canvas.words((right, box.y + 14), state, "label", 16, tint, side="right")
    canvas.words((left, box.y + 10), entry.title, "title", 22, theme.TEXT, width=box.w - used - 56)
    if entry.table is None:
        tint, problem = (theme.DANGER if entry.problem else theme.DIM), entry.problem or "No pair has been played yet."
        canvas.block((left, box.y + HEAD), problem, "label", 16, tint, box.w - 36, 3)
        return
    head = HEAD + _LINE * canvas.narrow
    said = _said(entry.table)
    words_shown = said[0] if canvas.narrow else _fitting(canvas, said, box.w - 36)
    canvas.block((left, box.y + 37), words_shown, "label", 14, theme.DIM, box.w - 36, 1 + canvas.narrow)
    room = int((box.h - head - 8) / ROW) - 1
    _paint_players(canvas, Box(left, box.y + head, right - left, box.h - head), entry.table.players, room)


def _fitting(canvas: Canvas, said: Sequence[str], width: float) -> str:
    """Return as many of these as one line takes whole, the first in any case."""
    for number in range(len(said), 1, -1):
        shown = "   ".join(said[:number])
        if canvas.measure(shown, "label", 14) <= width:
            return shown
    return said[0]


def _said(table: LeagueTable) -> list[str]:
    """Return what the table comes to, or how the sequential test stands; marks; who wins by side."""
    found = [words.test_words(table) or verdict(table), *words.marked(table)[:1]]
    for side, name in ((table.left, "left"), (table.first, "first to act")):
        if side.share is not None:
            found.append(f"{name} wins {side.share:.1%}")
    return found


def _paint_players(canvas: Canvas, box: Box, players: Sequence[TableRow], room: int) -> None:
    names = min(190.0, box.w * 0.34)
    intervals = 136.0 if box.w > 700 else 0.0
    figures = (118.0 if box.w > 560 else 62.0) + intervals
    chart = Box(box.x + 30 + names, box.y, box.w - 30 - names - figures - 14, ROW)
    low, high = words.span(players)
    if high <= low:  # before the first pair: in the middle
        low, high = low - 1.0, high + 1.0
    span = max(high - low, 1.0)

    def at(elo: float) -> float:
        return chart.x + 6 + (elo - low) / span * (chart.w - 12)

    y = box.y
    canvas.words((chart.x + chart.w / 2, y + 9), "Elo, 95%", "label", 13, theme.DIM, side="middle")
    if box.w > 560:
        canvas.words((box.right, y + 2), "score", "label", 13, theme.DIM, side="right")
    if intervals:
        canvas.words((box.right - 68, y + 2), "95%", "label", 13, theme.DIM, side="right")
    shown = players if len(players) <= room else players[: max(0, room - 1)]
    bottom = y + ROW * (len(shown) + 1)
    if low < 0 < high:
        canvas.box(Box(at(0), y + ROW, 1, bottom - y - ROW), theme.PANEL_EDGE, None, radius=0)
    for row in shown:
        y += ROW
        canvas.words((box.x + 16, y + 3), str(row.rank), "label", 16, theme.DIM, side="right")
        canvas.words((box.x + 30, y + 3), row.name, "label", 17, theme.TEXT, width=names - 8)
        first = chart.x if row.low is None else at(row.low)  # where nothing bounds it, to the edge
        last = chart.right if row.high is None else at(row.high)
        canvas.box(Box(first, y + 10, max(2.0, last - first), 6), theme.SEAT_COLORS[0], None, radius=3, alpha=120)
        canvas.box(Box(at(row.rating) - 5, y + 8, 10, 10), theme.GOLD, None, radius=5)
        x = box.right
        if box.w > 560:
            canvas.words((x, y + 3), words.percent(row.score), "label", 16, theme.SOFT, side="right")
            x -= 68
        if intervals:
            canvas.words((x, y + 3), words.interval(row), "label", 16, theme.SOFT, side="right", width=intervals - 8)
            x -= intervals
        canvas.words((x, y + 2), f"{words.signed(row.rating)}{words.mark(row)}", "bold", 17, theme.TEXT, side="right")
    if len(shown) < len(players):
        canvas.words((box.x + 30, y + ROW + 3), f"and {len(players) - len(shown)} more", "label", 15, theme.DIM)
