"""The bar of a replay."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import pygame

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.replay.advisor import Chances, MarkedPlay
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color, mixed
from batllm_arcade.view.timeline import Kind, TimelineIndex, mark

HEIGHT, _TALL_HEIGHT = 92, 184
"""The bar's height in logical units, in a wide window and in a narrow one."""
_TRACK, _BUTTONS = (20, 40), (64, 24)
"""Where a wide bar's rows begin, and how high they are: the track, the buttons."""
_TALL_TRACK, _TALL_BUTTONS, _TALL_WORDS = (20, 44), ((72, 38), (116, 38)), 158
EDGE = 22
"""Left and right of the track, so that the playhead's knob has room at both ends."""
BUTTONS: tuple[tuple[str, float], ...] = (
    ("start", 1), ("round back", 1), ("play back", 1), ("pause", 1.5), ("play on", 1), ("round on", 1), ("end", 1),
    ("slower", 0.8), ("speed", 1.7), ("faster", 0.8), ("read", 1.7), ("film", 1.7), ("share", 1.9),
    ("play on here", 2.5), ("keys", 1.7), ("back", 1.7),
)  # fmt: skip
"""The bar's buttons in their order, and how wide they are as multiples of the narrowest."""
_WIDE, _GAP = 30, 4
_SECOND_ROW = 10  # the first button of a narrow bar's second row
_CLOCK = 100  # what the time takes of that row
_SIGNS = {
    "start": "|<<", "round back": "<<", "play back": "|<", "play on": ">|", "round on": ">>", "end": ">>|",
}  # fmt: skip
"""The buttons that have a sign: arrows and lines beside each other."""
_WORDS = {
    "slower": "\u2212", "faster": "+", "read": "READ", "film": "FILM", "share": "SHARE", "play on here": "PLAY ON",
    "keys": "KEYS", "back": "BACK",
}  # fmt: skip
MARK_COLORS: dict[str, Color] = {
    "??": theme.DANGER, "?": mixed(theme.DANGER, theme.GOLD, 0.6), "?!": theme.GOLD, "!": theme.GOOD,
}  # fmt: skip
_GLYPH = 11.0  # logical pixels
_FILLED = 0.42
"""How much of a side's colour there is below the curve where it is ahead."""


def paint_mark(surface: pygame.Surface, at: tuple[float, float], reach: float, kind: Kind, bot: int) -> None:
    """Paint a mark of `reach` pixels around a pixel."""
    for shape in mark(kind, bot):
        if shape.kind == "disc":
            pygame.draw.circle(surface, shape.color, at, reach * shape.numbers[2])
            continue
        pairs = zip(shape.numbers[::2], shape.numbers[1::2], strict=True)
        points = [(at[0] + x * reach, at[1] + y * reach) for x, y in pairs]
        if shape.kind == "polygon":
            pygame.draw.polygon(surface, shape.color, points)
        else:
            pygame.draw.lines(surface, shape.color, False, points, max(2, round(reach * shape.width)))


_MARKS: tuple[Kind, ...] = ("swap", "block", "break", "fumble", "hit", "knockout")  # what matters most lies on top
_LABELS = 4  # where the names of the rounds begin
_LEAST_WORDS = 90  # logical units: fewer hold nothing worth reading
_MARK = 7.5  # logical units: half a mark of the chances
_LEAST_TICK = 5.0  # logical units between turns from which each has a line


@dataclass(frozen=True, slots=True)
class BarState:
    """What the bar says besides the marks: seconds, the speed, the part to film, a line of text.

    `notice` is what stands above the bar while the mouse is over nothing.
    """

    t: float
    speed: float
    paused: bool
    film_range: tuple[float, float] | None
    words: str
    notice: str = ""


class TimelineBar:
    """The bar at the bottom of a window, for which `canvas` was made; times in seconds, places in pixels."""

    def __init__(self, canvas: Canvas, index: TimelineIndex, chances: Chances | None = None) -> None:
        self.canvas, self.chances, self._index = canvas, chances, index
        high, (down, track_high) = (_TALL_HEIGHT, _TALL_TRACK) if canvas.narrow else (HEIGHT, _TRACK)
        top, wide = canvas.height - high, canvas.width - 2 * EDGE
        self.rect = canvas.rect(Box(0, top, canvas.width, high))
        self.track = canvas.rect(Box(EDGE, top + down, wide, track_high))
        self._boxes = dict(self._placed(top, wide))
        self.buttons = {name: canvas.rect(box) for name, box in self._boxes.items()}
        left = self._boxes["back"].right + 16
        self._line = Box(left, top + _BUTTONS[0], EDGE + wide - left, _BUTTONS[1])
        if canvas.narrow:
            self._line = Box(EDGE, top + _TALL_WORDS, wide, 22)
        self._still = self._painted()

    def _placed(self, top: float, room: float) -> Iterator[tuple[str, Box]]:
        """Yield each button's place; in a narrow bar what else can be done lies below the way through the recording."""
        narrow = self.canvas.narrow
        rows = (BUTTONS[:_SECOND_ROW], BUTTONS[_SECOND_ROW:]) if narrow else (BUTTONS,)
        for row, (down, high), taken in zip(rows, _TALL_BUTTONS if narrow else (_BUTTONS,), (0, _CLOCK), strict=False):
            unit = (room - taken - _GAP * (len(row) - 1)) / sum(wide for _, wide in row) if narrow else _WIDE
            x = float(EDGE)
            for name, wide in row:
                x += 12 if not narrow and name in ("slower", "read") else 0
                yield name, Box(x, top + down, unit * wide, high)
                x += unit * wide + _GAP

    def x(self, t: float) -> float:
        """Return where a moment is on the track."""
        return self.track.left + (t / self._index.end if self._index.end else 0.0) * self.track.width

    def time(self, x: float) -> float:
        """Return the moment at a place on the track; beyond its ends, its ends."""
        share = (x - self.track.left) / max(1, self.track.width)
        return min(1.0, max(0.0, share)) * self._index.end

    def on_track(self, at: tuple[int, int]) -> bool:
        """Return whether a place is on the track or close enough to it to be meant."""
        return self.track.inflate(2 * self.canvas.px(EDGE) - 2, self.canvas.px(12)).collidepoint(at)

    def button(self, at: tuple[int, int]) -> str:
        """Return the button at a place, "" where there is none."""
        return next((name for name, rect in self.buttons.items() if rect.collidepoint(at)), "")

    def place(self, mark: MarkedPlay) -> tuple[float, float]:
        """Return where a mark is: at its play's start, in the middle, which hits and blocks leave free."""
        return self.x(mark.t), self.track.centery

    def mark_at(self, at: tuple[int, int]) -> MarkedPlay | None:
        """Return the mark of a play's worth at a place, None where there is none; of several the gravest."""
        reach = _MARK * self.canvas.scale
        marks = self.chances.marks if self.chances is not None else []
        near = [mark for mark in marks if math.dist(self.place(mark), at) <= reach + 1]
        return max(near, key=lambda mark: mark.found.loss, default=None)

    def _painted(self) -> pygame.Surface:
        """Return the bar as it is in every frame."""
        px, track = self.canvas.px, self.track.move(0, -self.rect.top)
        surface = pygame.Surface(self.rect.size)
        surface.fill(theme.PANEL)
        pygame.draw.line(surface, theme.PANEL_EDGE, (0, 0), (self.rect.width, 0), px(1))
        pygame.draw.rect(surface, theme.SUNKEN, track, border_radius=px(5))
        self._paint_curves(surface, track)
        pygame.draw.line(surface, theme.PANEL_EDGE, track.midleft, (track.right - 1, track.centery))
        self._paint_turns(surface, track)
        self._paint_chapters(surface, track)
        for moment in sorted(self._index.moments, key=lambda moment: _MARKS.index(moment.kind)):
            fell = moment.kind == "knockout"
            at = (self.x(moment.t), track.top + track.height * (0.5 if fell else 0.83 if moment.bot else 0.17))
            if fell:
                pygame.draw.circle(surface, theme.SUNKEN, at, track.height * 0.3 + px(2))
            paint_mark(surface, at, track.height * (0.3 if fell else 0.14), moment.kind, moment.bot)
        self._paint_judged(surface, track)
        return surface

    def _paint_curves(self, surface: pygame.Surface, track: pygame.Rect) -> None:
        """Paint the chances in each game: up is left's, the middle an even game; the side ahead fills its half."""
        middle, half = track.centery, (track.width, track.height // 2)
        for curve in self.chances.curves if self.chances is not None else ():
            points = [(self.x(t), track.top + (1 - chance) * (track.height - 1)) for t, chance in curve]
            if len(points) < 2:
                continue
            for bot, corner in enumerate((track.topleft, (track.left, middle))):
                surface.set_clip(pygame.Rect(corner, half))
                color = mixed(theme.SUNKEN, theme.SEAT_COLORS[bot], _FILLED)
                pygame.draw.polygon(surface, color, [(points[0][0], middle), *points, (points[-1][0], middle)])
            surface.set_clip(None)
            pygame.draw.aalines(surface, theme.TEXT, False, points)

    def _paint_turns(self, surface: pygame.Surface, track: pygame.Rect) -> None:
        turns = self._index.starts["turn"]
        if turns and track.width / len(turns) >= _LEAST_TICK * self.canvas.scale:
            tick = mixed(theme.SUNKEN, theme.WALL, 0.5)
            for t in turns:
                pygame.draw.line(surface, tick, (self.x(t), track.top + 2), (self.x(t), track.bottom - 3))

    def _paint_chapters(self, surface: pygame.Surface, track: pygame.Rect) -> None:
        canvas, named = self.canvas, list[tuple[float, float]]()
        px, gap, several = canvas.px, canvas.px(10), len(self._index.starts["game"]) > 1
        for chapter in sorted(self._index.chapters, key=lambda chapter: chapter.round != 0):
            x, game = self.x(chapter.t), chapter.round == 0
            if game and not several:
                continue
            color, name = (theme.GOLD, f"GAME {chapter.game}") if game else (theme.WALL, f"ROUND {chapter.round}")
            pygame.draw.line(surface, color, (x, track.top - px(3)), (x, track.bottom), px(2))
            words = canvas.text_renderer.line(name, "label", canvas.type_size(13), color if game else theme.SOFT)
            ends = x + words.get_width()
            if ends < track.right and all(ends + gap < left or x > right + gap for left, right in named):
                surface.blit(words, (round(x), px(_LABELS) - px(1)))
                named.append((x, ends))

    def _paint_judged(self, surface: pygame.Surface, track: pygame.Rect) -> None:
        """Paint the marks of what plays were worth, the graver ones on top."""
        reach, marks = _MARK * self.canvas.scale, self.chances.marks if self.chances is not None else []
        for judged in sorted(marks, key=lambda each: each.found.loss):
            at = (self.x(judged.t), track.centery)
            pygame.draw.circle(surface, theme.NIGHT, at, reach + max(1.0, reach / 6))
            pygame.draw.circle(surface, MARK_COLORS[judged.found.mark], at, reach)
            glyph = self.canvas.text_renderer.line(judged.found.mark, "bold", _GLYPH, theme.NIGHT)
            surface.blit(glyph, glyph.get_rect(center=(round(at[0]), round(at[1]))))

    def draw(self, state: BarState, mouse: tuple[int, int] | None, hint: str) -> None:
        """Draw the bar; `hint` is what the mouse is over."""
        canvas = self.canvas
        canvas.target.blit(self._still, self.rect)
        self._draw_times(canvas.target, state)
        over = self.button(mouse) if mouse else ""
        for name, box in self._boxes.items():
            self._draw_button(name, box, state, over == name)
        self._draw_words(state)
        if hint or state.notice:
            self._draw_hint(mouse[0] if mouse and hint else self.track.centerx, hint or state.notice)

    def _draw_times(self, target: pygame.Surface, state: BarState) -> None:
        """Draw the part to film, and where the replay is."""
        px, track = self.canvas.px, self.track
        if state.film_range is not None:
            left, right = (round(self.x(t)) for t in state.film_range)
            box = pygame.Rect(left, track.top - px(2), max(2, right - left), track.height + px(4))
            pygame.draw.rect(target, theme.GOLD, box, px(2), border_radius=px(4))
        x, knob, high = round(self.x(state.t)), px(5), track.top - px(7)
        pygame.draw.rect(target, theme.GOLD, (track.left, track.bottom, x - track.left, px(2)))
        pygame.draw.line(target, theme.WHITE, (x, track.top - px(2)), (x, track.bottom), px(2))
        pygame.draw.polygon(target, theme.WHITE, [(x - knob, high), (x + knob, high), (x, track.top)])

    def _draw_button(self, name: str, box: Box, state: BarState, over: bool) -> None:
        canvas, color = self.canvas, theme.GOLD if over else theme.TEXT
        if name == "speed":
            canvas.words(box.middle, f"{state.speed:g}x", "bold", 15, theme.TEXT, side="middle")
            return
        canvas.box(box, mixed(theme.PANEL, theme.WALL, 0.55 if over else 0.16), None, radius=5)
        if name in _WORDS:
            canvas.words(box.middle, _WORDS[name], "label", 14, color, side="middle")
            return
        sign = _SIGNS.get(name, ">" if state.paused else "||")
        (x, y), step = box.middle, 0.34 * box.h
        for place, part in enumerate(sign):
            at = x + step * (place - (len(sign) - 1) / 2)
            if part == "|":
                canvas.box(Box(at - 0.05 * box.h, y - 0.24 * box.h, 0.1 * box.h, 0.48 * box.h), color, None, radius=0)
            else:
                canvas.arrow((at, y), 1 if part == ">" else -1, color, 0.24 * box.h)

    def _draw_words(self, state: BarState) -> None:
        canvas, line = self.canvas, self._line
        beside = self._boxes["back"] if canvas.narrow else line
        clock = f"{clock_text(state.t)} / {clock_text(self._index.end)}"
        at = (canvas.width - EDGE, beside.middle[1] - 10)
        room = line.w - canvas.words(at, clock, "bold", 14, theme.TEXT, side="right") - 16
        room = line.w if canvas.narrow else room
        if room > _LEAST_WORDS:
            canvas.words((line.x, line.middle[1] - 9), state.words, "mono", 12, theme.SOFT, width=room)

    def _draw_hint(self, x: int, hint: str) -> None:
        canvas = self.canvas
        most, high = 0.9 * (canvas.width - 2 * EDGE), 30.0
        wide = canvas.fitted(hint, "label", 15, most) + 18
        left = min(max(6.0, x / canvas.scale - wide / 2), canvas.width - 6 - wide)
        box = Box(left, self.rect.top / canvas.scale - 4 - high, wide, high)
        canvas.box(box, theme.PANEL, theme.WALL, width=1, radius=6)
        canvas.words(box.middle, hint, "label", 15, theme.TEXT, width=most, side="middle")


def clock_text(seconds: float) -> str:
    """Return minutes and seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
