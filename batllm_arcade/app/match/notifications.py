"""Notices over a match: who takes a seat over, why nothing happens, and what turns a match that is watched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import pygame

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.match.series import SIDES
from batllm_arcade.seats.table import OpenRequest, Table
from batllm_arcade.video.edit.text import Twist, twists
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color, mixed
from batllm_arcade.view.timeline import Timeline

FAILED_S = 10.0
"""Seconds for which a line is shown that says what went wrong and what to do."""
_MOST_ROWS = 4
"""Rows of a notice: what went wrong is read whole."""
TWIST_S = 2.0
"""Seconds for which it is named what turns a match."""
_HIGH = 0.36  # share of the arena's height above which a bot would be behind words at the top
_RIBBON, _LEAST_RIBBON = 30, 16
"""The type size of a ribbon, and the least one where its words are long."""
SLOW_S = 2.5
"""Seconds a brain may think before the middle of the picture says what everybody waits for."""


@dataclass(frozen=True)
class Notification:
    """A short line and its colour; `side` 0 or 1 puts it on that bot's side, None in the middle.

    One that is a `ribbon` is large, at the arena's top (`high`) or its bottom (`low`).
    """

    words: str
    color: Color
    side: int | None = None
    ribbon: Literal["", "high", "low"] = ""


class Notifications:
    """What went wrong in the last seconds; everything else is read off the table in every frame."""

    def __init__(self, called: Callable[[Spec], str]) -> None:
        self.called = called
        """What a brain is called in menus."""
        self._shown: list[tuple[float, Notification]] = []  # each until which moment
        self.awaited: set[int] = set()
        """The seats whose lost model a person has asked again."""

    def complain(self, problem: str, now: float) -> None:
        """Show for some seconds what went wrong; the last two problems stay."""
        self._shown.append((now + FAILED_S, Notification(problem, theme.DANGER)))
        del self._shown[:-2]

    def recent(self, now: float) -> list[Notification]:
        """Return what is still to be shown at `now` seconds."""
        return [note for until, note in self._shown if now < until]

    def take_failures(self, table: Table, now: float) -> None:
        """Show which brain could not take its seat, which the table need not keep then."""
        for bot in (0, 1):
            pending = table.pending(bot)
            if pending is not None and pending.problem:
                table.cancel_swap(bot)
                self.complain(f"{SIDES[bot].upper()}: {self.called(pending.spec)} cannot play: {pending.problem}", now)

    def standing(self, table: Table, hand_back: str, now: float) -> list[Notification]:
        """Return what holds until it changes: who has taken a seat over, who gets ready to take one or to return.

        `hand_back` is the key or the button that gives a seat back.
        """
        notes = []
        for bot in (0, 1):
            color, seat = theme.SEAT_COLORS[bot], SIDES[bot].upper()
            if table.taken_over(bot):
                how = f"  \u2013  {hand_back} gives it back" if hand_back else ""
                notes.append(Notification(f"{seat}: you play{how}", color, bot))
            back = table.returning(bot) if bot in self.awaited else None
            coming = (table.pending(bot), "plays from the next turn on"), (back, "is asked at its next turn")
            for each, ready in coming:
                if each is not None and not each.problem:
                    how = ready if each.ready else f"gets ready: {each.progress}, {now - each.since:.0f} s"
                    notes.append(Notification(f"{seat}: {self.called(each.spec)} {how}", color, bot))
        return notes


class TwistNotes:
    """Names who takes the lead, and that the next hit wins, as films do; looks once for each play that is shown."""

    def __init__(self) -> None:
        self._segments = 0
        self._found: tuple[Twist, ...] = ()

    def at(self, timeline: Timeline, t: float) -> Notification | None:
        """Return what is said at `t` seconds, None if nothing."""
        if self._segments != len(timeline.segments):
            self._segments, self._found = len(timeline.segments), tuple(twists(timeline).values())
        said = next((twist for twist in reversed(self._found) if twist.known <= t < twist.known + TWIST_S), None)
        if said is None:
            return None
        color = theme.GOLD if said.bot is None else theme.SEAT_COLORS[said.bot]
        segment = timeline.segments[-1]
        high = min(segment.arena.bot(bot).y for bot in (0, 1)) / segment.board.rules.arena_height
        return Notification(said.text.upper(), color, said.bot, "low" if high < _HIGH else "high")


def waiting(asking: OpenRequest, now: float) -> Notification | None:
    """Return who has been thinking for a while and how long it still may; None before that."""
    seconds = now - asking.since
    if asking.seat.human or seconds < SLOW_S:
        return None
    left = asking.live.seconds_left()
    limit = f", {seconds:.0f} s so far" if left is None else f", {left:.0f} s left"
    return Notification(f"{asking.seat.name} is thinking{limit}", theme.SEAT_COLORS[asking.bot])


def draw(canvas: Canvas, arena: pygame.Rect, notes: Sequence[Notification], below: float) -> None:
    """Draw the notes one below the other in the arena (a rectangle in pixels), `below` its top in logical units."""
    x, top = canvas.logical((arena.centerx, arena.top))
    top += below
    width = arena.width / canvas.scale - 30
    for ribbon in (note for note in notes if note.ribbon):
        lower = _draw_ribbon(canvas, arena, ribbon)
        top = max(top, lower + 6) if ribbon.ribbon == "high" else top
    for note in (note for note in notes if not note.ribbon):
        wide = min(width, canvas.measure(note.words, "label", 16) + 30)
        rows = canvas.lines(note.words, "label", 16, width - 24, _MOST_ROWS)
        chip = Box(x - wide / 2, top, wide, 9 + 21 * rows)
        fill, edge = mixed(theme.NIGHT, note.color, 0.12), mixed(theme.NIGHT, note.color, 0.75)
        canvas.box(chip, fill, edge, radius=15, alpha=235)
        at = (chip.x + (15 if rows == 1 else 12), chip.y + 5)
        canvas.block(at, note.words, "label", 16, note.color, width - 24, _MOST_ROWS)
        top += chip.h + 6


def _draw_ribbon(canvas: Canvas, arena: pygame.Rect, note: Notification) -> float:
    x, top = canvas.logical((arena.centerx, arena.top))
    bottom = canvas.logical((arena.centerx, arena.bottom))[1]
    room, wide = arena.width / canvas.scale - 30, canvas.measure(note.words, "title", _RIBBON) + 48
    size = max(_LEAST_RIBBON, _RIBBON * min(1.0, room / wide))
    wide, high = min(room, wide), 1.6 * size
    band = Box(x - wide / 2, top + 24 if note.ribbon == "high" else bottom - high - 24, wide, high)
    canvas.box(band, mixed(theme.NIGHT, note.color, 0.18), mixed(theme.NIGHT, note.color, 0.8), radius=8, alpha=235)
    canvas.words(band.middle, note.words, "title", size, note.color, width=wide - 16, side="middle")
    return band.bottom
