"""One league in the list of all, and one pairing of a league."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from batllm_arcade.app.input.controls import Intent
from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.widgets import ListEntry, Widget
from batllm_arcade.app.services.leagues.league_list import LeagueEntry
from batllm_arcade.league.output import words
from batllm_arcade.league.statistics.table import Pairing
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color, mixed

_STATES: Mapping[str, Color] = {
    "complete": theme.GOOD,
    "running": theme.GOLD,
    "paused": theme.SOFT,
    "cannot be read": theme.DANGER,
}


class LeagueRow(ListEntry):
    """A league in the list; `chosen(row, opens)` is called when it is selected or opened."""

    def __init__(self, entry: LeagueEntry, chosen: Callable[[LeagueRow, bool], None]) -> None:
        super().__init__(chosen, "leagues")
        self.entry = entry

    def draw(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        """Draw who plays, when it was begun, and how far it is."""
        entry = self.entry
        super().draw(canvas, box, focused, now)
        x, width = box.x + 16, box.w - 32
        canvas.words((x, box.y + 7), entry.title, "title", 19, theme.TEXT, width=width)
        state = canvas.words((box.right - 16, box.y + 35), entry.state, "label", 15, _STATES[entry.state], side="right")
        moment = datetime.fromtimestamp(entry.begun)
        when = (
            f"{moment.day} {moment:%b, %H:%M}" if entry.problem else f"{entry.config}, {moment.day} {moment:%b, %H:%M}"
        )
        canvas.words((x, box.y + 35), when, "label", 15, theme.DIM, width=width - state - 12)
        if entry.total and entry.state != "complete":
            track = Box(x, box.bottom - 5, width, 3)
            canvas.box(track, theme.SUNKEN, None, radius=1)
            share = min(1.0, entry.pairs / entry.total)
            if share * width > 2:
                canvas.box(track._replace(w=share * width), _STATES[entry.state], None, radius=1)


class PairingRow(Widget):
    """Two players of a league and how they did against each other; `opened(row)` is called to watch a game."""

    def __init__(self, pairing: Pairing, opened: Callable[[PairingRow], None]) -> None:
        super().__init__()
        self.pairing, self._opened = pairing, opened
        self.group = "pairings"

    @property
    def pairing(self) -> Pairing:
        """How the two did against each other."""
        return self._pairing

    @pairing.setter
    def pairing(self, pairing: Pairing) -> None:
        self._pairing = pairing
        one, other = pairing.players
        gap = "" if pairing.difference is None else f"{one} against {other}: {words.interval(pairing)} Elo; "
        self.hint = f"{gap}watch their games"

    @property
    def names(self) -> tuple[str, str]:
        """Return both players, the better of the table first."""
        one, other = self.pairing.players
        return one, other

    def take(self, intent: Intent) -> bool:
        """Watch on confirm."""
        if intent == "confirm":
            self._opened(self)
        return intent == "confirm"

    def press(self, x: float, y: float, clicks: int) -> None:
        """Watch on a click."""
        self._opened(self)

    def draw(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        """Draw both names and a bar with the share of each."""
        canvas.box(box, mixed(theme.PANEL, theme.PANEL_EDGE, 0.4 if focused else 0.0), None, radius=6)
        if focused:
            canvas.ring(box, theme.GOLD, now, radius=6)
        one, other = self.names
        middle, room = box.x + box.w / 2, box.w / 2 - 34
        canvas.words((box.x + 12, box.y + 4), one, "label", 16, theme.SEAT_COLORS[0], width=room)
        canvas.words((box.right - 12, box.y + 4), other, "label", 16, theme.SEAT_COLORS[1], width=room, side="right")
        score = self.pairing.score
        shown = "-" if score is None else f"{score:.0%}"
        canvas.words((middle, box.y + 13), shown, "bold", 15, theme.TEXT, side="middle")
        track = Box(box.x + 12, box.bottom - 8, box.w - 24, 4)
        canvas.box(track, theme.SEAT_COLORS[1] if score is not None else theme.SUNKEN, None, radius=2)
        if score is not None and score * track.w > 3:
            canvas.box(track._replace(w=score * track.w), theme.SEAT_COLORS[0], None, radius=2)
