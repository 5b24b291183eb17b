"""The bar of a replay."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import pygame

from batllm_arcade.app.kit.canvas import NARROW, fitting_scale
from batllm_arcade.app.replay.advisor import Chances, MarkedPlay
from batllm_arcade.render.text import TextRenderer
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


MARK_COLORS: dict[str, Color] = {
    "??": theme.DANGER, "?": mixed(theme.DANGER, theme.GOLD, 0.6), "?!": theme.GOLD, "!": theme.GOOD,
}  # fmt: skip
_GLYPH = 11.0  # logical pixels
_FILLED = 0.42
"""How much of a side's colour there is below the curve where it is ahead."""


def paint_curves(surface: pygame.Surface, track: pygame.Rect, chances: Chances, x: Callable[[float], float]) -> None:
    """Paint the curve of each game: up is left's chance, the middle an even game."""
    for curve in chances.curves:
        points = [(x(t), track.top + (1 - chance) * (track.height - 1)) for t, chance in curve]
        for (x0, y0), (x1, y1) in pairwise(points):
            for column in range(round(x0), round(x1)):
                y = y0 + (y1 - y0) * (column - x0) / max(1e-9, x1 - x0)
                _fill(surface, column, track.centery, y)
        if len(points) > 1:
            pygame.draw.aalines(surface, theme.TEXT, False, points)


def _fill(surface: pygame.Surface, x: int, middle: int, y: float) -> None:
    color = mixed(theme.SUNKEN, theme.SEAT_COLORS[int(y > middle)], _FILLED)
    pygame.draw.line(surface, color, (x, middle), (x, round(y)))


def paint_marks(
    surface: pygame.Surface, track: pygame.Rect, chances: Chances, x: Callable[[float], float], text: TextRenderer,
    reach: float,
) -> None:  # fmt: skip
    """Paint the marks on the track, the graver ones on top; `reach` is half a mark in pixels."""
    for judged in sorted(chances.marks, key=lambda each: each.found.loss):
        at = mark_place(track, judged, x)
        pygame.draw.circle(surface, theme.NIGHT, at, reach + max(1.0, reach / 6))
        pygame.draw.circle(surface, MARK_COLORS[judged.found.mark], at, reach)
        glyph = text.line(judged.found.mark, "bold", _GLYPH, theme.NIGHT)
        surface.blit(glyph, glyph.get_rect(center=(round(at[0]), round(at[1]))))


def mark_place(track: pygame.Rect, mark: MarkedPlay, x: Callable[[float], float]) -> tuple[float, float]:
    """Return where a mark is on the track: at its play's start, in the middle, which hits and blocks leave free."""
    return x(mark.t), track.centery


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
_LEAST_PX = 14  # of the words in a narrow window
_LEAST_WORDS = 90  # pixels: fewer hold nothing worth reading
_MARK = 7.5  # logical pixels: half a mark of the chances
_LEAST_TICK = 5.0  # pixels between turns from which each has a line


@dataclass(frozen=True, slots=True)
class BarState:
    """What the bar says besides the marks: seconds, the speed, the part to film, a line of text.

    `film` is how much of a film is made, `notice` what stands above the bar while the mouse is over nothing.
    """

    t: float
    speed: float
    paused: bool
    film_range: tuple[float, float] | None
    words: str
    film: float | None = None
    notice: str = ""


_WORDS = {"read": "READ", "film": "FILM", "share": "SHARE", "play on here": "PLAY ON", "keys": "KEYS", "back": "BACK"}


class TimelineBar:
    """The bar at the bottom of a window of this size; times in seconds, places in pixels of the window.

    `ui` enlarges it, the words on it included.
    """

    def __init__(
        self, size: tuple[int, int], index: TimelineIndex, ui: float = 1.0, chances: Chances | None = None
    ) -> None:
        self.size, self.ui, self.chances, self._index = size, ui, chances, index
        self.scale = fitting_scale(size, ui)
        self._narrow = size[0] / self.scale < NARROW
        high, (top, track_high) = (_TALL_HEIGHT, _TALL_TRACK) if self._narrow else (HEIGHT, _TRACK)
        self.rect = pygame.Rect(0, size[1] - self._px(high), size[0], self._px(high))
        edge = self._px(EDGE)
        self.track = pygame.Rect(edge, self.rect.top + self._px(top), size[0] - 2 * edge, self._px(track_high))
        self.buttons: dict[str, pygame.Rect] = {}
        self._words = self._place_in_rows() if self._narrow else self._place_in_one_row()
        self._text_renderer = TextRenderer(self.scale)
        self._still = self._painted()

    def _px(self, value: float) -> int:
        return max(1, round(value * self.scale))

    def _place_in_one_row(self) -> pygame.Rect:
        """Place the buttons; return where the line of text is."""
        top, high, x = self.rect.top + self._px(_BUTTONS[0]), self._px(_BUTTONS[1]), self.track.left
        for name, wide in BUTTONS:
            if name in ("slower", "read"):
                x += self._px(12)
            self.buttons[name] = pygame.Rect(x, top, self._px(_WIDE * wide), high)
            x += self._px(_WIDE * wide) + self._px(_GAP)
        left = self.buttons["back"].right + self._px(16)
        return pygame.Rect(left, top, max(1, self.track.right - left), high)

    def _place_in_rows(self) -> pygame.Rect:
        """The same: the way through the recording in one row; what else can be done, and the time, below."""
        rows = (BUTTONS[:_SECOND_ROW], BUTTONS[_SECOND_ROW:])
        for row, (top, high), room in zip(rows, _TALL_BUTTONS, (0, self._px(_CLOCK)), strict=True):
            gap, x = self._px(_GAP), float(self.track.left)
            unit = (self.track.width - room - gap * (len(row) - 1)) / sum(wide for _, wide in row)
            for name, wide in row:
                place = pygame.Rect(round(x), self.rect.top + self._px(top), round(wide * unit), self._px(high))
                self.buttons[name] = place
                x += wide * unit + gap
        return pygame.Rect(self.track.left, self.rect.top + self._px(_TALL_WORDS), self.track.width, self._px(22))

    def _type(self, size: float) -> float:
        return max(size, _LEAST_PX / self.scale) if self._narrow else size

    def x(self, t: float) -> float:
        """Where a moment is on the track."""
        return self.track.left + (t / self._index.end if self._index.end else 0.0) * self.track.width

    def time(self, x: float) -> float:
        """The moment at a place on the track; beyond its ends, its ends."""
        share = (x - self.track.left) / max(1, self.track.width)
        return min(1.0, max(0.0, share)) * self._index.end

    def on_track(self, at: tuple[int, int]) -> bool:
        """Whether a place is on the track or close enough to it to be meant."""
        return self.track.inflate(2 * self._px(EDGE) - 2, self._px(12)).collidepoint(at)

    def button(self, at: tuple[int, int]) -> str:
        """The button at a place, "" where there is none."""
        return next((name for name, rect in self.buttons.items() if rect.collidepoint(at)), "")

    def mark_at(self, at: tuple[int, int]) -> MarkedPlay | None:
        """The mark of a play's worth at a place, None where there is none; of several the gravest."""
        reach = _MARK * self.scale
        marks = self.chances.marks if self.chances is not None else []
        near = [mark for mark in marks if math.dist(mark_place(self.track, mark, self.x), at) <= reach + 1]
        return max(near, key=lambda mark: mark.found.loss, default=None)

    def _painted(self) -> pygame.Surface:
        surface = pygame.Surface(self.rect.size)
        surface.fill(theme.PANEL)
        pygame.draw.line(surface, theme.PANEL_EDGE, (0, 0), (self.rect.width, 0), self._px(1))
        track = self.track.move(0, -self.rect.top)
        pygame.draw.rect(surface, theme.SUNKEN, track, border_radius=self._px(5))
        if self.chances is not None:
            paint_curves(surface, track, self.chances, self.x)
        pygame.draw.line(surface, theme.PANEL_EDGE, track.midleft, (track.right - 1, track.centery))
        self._paint_turns(surface, track)
        self._paint_chapters(surface, track)
        for kind in _MARKS:
            for moment in self._index.moments:
                if moment.kind == kind:
                    self._paint_mark(surface, track, self.x(moment.t), kind, moment.bot)
        if self.chances is not None:
            paint_marks(surface, track, self.chances, self.x, self._text_renderer, _MARK * self.scale)
        return surface

    def _paint_turns(self, surface: pygame.Surface, track: pygame.Rect) -> None:
        turns = self._index.starts["turn"]
        if not turns or track.width / len(turns) < _LEAST_TICK * self.scale:
            return
        tick = mixed(theme.SUNKEN, theme.WALL, 0.5)
        for t in turns:
            pygame.draw.line(surface, tick, (self.x(t), track.top + 2), (self.x(t), track.bottom - 3))

    def _paint_chapters(self, surface: pygame.Surface, track: pygame.Rect) -> None:
        several, gap, named = len(self._index.starts["game"]) > 1, self._px(10), list[tuple[float, float]]()
        for chapter in sorted(self._index.chapters, key=lambda chapter: chapter.round != 0):
            x = self.x(chapter.t)
            color = theme.GOLD if chapter.round == 0 else theme.WALL
            if chapter.round == 0 and not several:
                continue
            pygame.draw.line(surface, color, (x, track.top - self._px(3)), (x, track.bottom), self._px(2))
            name = f"GAME {chapter.game}" if chapter.round == 0 else f"ROUND {chapter.round}"
            words = self._text_renderer.line(name, "label", self._type(13), color if chapter.round == 0 else theme.SOFT)
            ends = x + words.get_width()
            if ends < track.right and all(ends + gap < left or x > right + gap for left, right in named):
                surface.blit(words, (round(x), self._px(_LABELS) - self._px(1)))
                named.append((x, ends))

    def _paint_mark(self, surface: pygame.Surface, track: pygame.Rect, x: float, kind: Kind, bot: int) -> None:
        if kind == "knockout":
            at = (x, float(track.centery))
            pygame.draw.circle(surface, theme.SUNKEN, at, track.height * 0.3 + self._px(2))
            paint_mark(surface, at, track.height * 0.3, kind, bot)
        else:
            y = track.top + track.height * (0.83 if bot else 0.17)
            paint_mark(surface, (x, y), track.height * 0.14, kind, bot)

    def draw(self, target: pygame.Surface, state: BarState, mouse: tuple[int, int] | None, hint: str) -> None:
        """The bar; `hint` is what the mouse is over."""
        target.blit(self._still, self.rect)
        self._draw_film_range(target, state.film_range)
        self._draw_clock(target, state.t)
        over = self.button(mouse) if mouse else ""
        for name, rect in self.buttons.items():
            self._draw_button(target, name, rect, state, over == name)
        self._draw_words(target, state)
        if hint or state.notice:
            self._draw_hint(target, mouse[0] if mouse and hint else self.track.centerx, hint or state.notice)

    def _draw_film_range(self, target: pygame.Surface, film_range: tuple[float, float] | None) -> None:
        if film_range is None:
            return
        left, right = round(self.x(film_range[0])), round(self.x(film_range[1]))
        box = pygame.Rect(left, self.track.top - self._px(2), max(2, right - left), self.track.height + self._px(4))
        pygame.draw.rect(target, theme.GOLD, box, self._px(2), border_radius=self._px(4))

    def _draw_clock(self, target: pygame.Surface, t: float) -> None:
        x, knob = round(self.x(t)), self._px(5)
        done = pygame.Rect(self.track.left, self.track.bottom, x - self.track.left, self._px(2))
        pygame.draw.rect(target, theme.GOLD, done)
        pygame.draw.line(target, theme.WHITE, (x, self.track.top - self._px(2)), (x, self.track.bottom), self._px(2))
        tip = [(x - knob, self.track.top - self._px(7)), (x + knob, self.track.top - self._px(7)), (x, self.track.top)]
        pygame.draw.polygon(target, theme.WHITE, tip)

    def _draw_button(self, target: pygame.Surface, name: str, rect: pygame.Rect, state: BarState, over: bool) -> None:
        if name == "speed":
            words = self._text_renderer.line(f"{state.speed:g}x", "bold", 15, theme.TEXT)
            target.blit(words, words.get_rect(center=rect.center))
            return
        fill = mixed(theme.PANEL, theme.WALL, 0.55 if over else 0.16)
        pygame.draw.rect(target, fill, rect, border_radius=self._px(5))
        color = theme.GOLD if over else theme.TEXT
        if name in _WORDS:
            words = self._text_renderer.line(_WORDS[name], "label", 14, color)
            target.blit(words, words.get_rect(center=rect.center))
        else:
            for part in _icon(name, paused=state.paused):
                points = [(rect.centerx + x * rect.height, rect.centery + y * rect.height) for x, y in part]
                pygame.draw.polygon(target, color, points)

    def _draw_words(self, target: pygame.Surface, state: BarState) -> None:
        place, narrow = self._words, self._narrow
        clock = f"{clock_text(state.t)} / {clock_text(self._index.end)}"
        time = self._text_renderer.line(clock, "bold", 14, theme.TEXT)
        target.blit(
            time, time.get_rect(midright=(self.track.right, (self.buttons["back"] if narrow else place).centery))
        )
        room = place.width - (0 if narrow else time.get_width() + self._px(16))
        if room > self._px(_LEAST_WORDS):
            words = self._text_renderer.line(state.words, "mono", self._type(12), theme.SOFT, room)
            target.blit(words, words.get_rect(midleft=place.midleft))
        if state.film is not None:
            under = pygame.Rect(place.left, place.bottom - self._px(2), max(1, room), self._px(3))
            pygame.draw.rect(target, theme.PANEL_EDGE, under)
            pygame.draw.rect(target, theme.GOLD, (*under.topleft, round(under.width * state.film), under.height))

    def _draw_hint(self, target: pygame.Surface, x: int, hint: str) -> None:
        words = self._text_renderer.line(hint, "label", self._type(15), theme.TEXT, self.track.width * 0.9)
        box = words.get_rect(midbottom=(x, self.rect.top - self._px(6))).inflate(self._px(18), self._px(10))
        box.clamp_ip(pygame.Rect(self._px(6), 0, self.size[0] - self._px(12), self.rect.top - self._px(4)))
        pygame.draw.rect(target, theme.PANEL, box, border_radius=self._px(6))
        pygame.draw.rect(target, theme.WALL, box, self._px(1), border_radius=self._px(6))
        target.blit(words, words.get_rect(center=box.center))


def clock_text(seconds: float) -> str:
    """Return minutes and seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


_Shape = tuple[tuple[float, float], ...]


def _right(at: float, reach: float = 0.24) -> _Shape:
    return ((at - reach * 0.8, -reach), (at + reach * 0.8, 0.0), (at - reach * 0.8, reach))


def _line(at: float, reach: float = 0.24) -> _Shape:
    return ((at - 0.045, -reach), (at + 0.045, -reach), (at + 0.045, reach), (at - 0.045, reach))


def _mirrored(parts: tuple[_Shape, ...]) -> tuple[_Shape, ...]:
    return tuple(tuple((-x, y) for x, y in part) for part in parts)


_PAUSED = (_right(0.05, 0.3),)
_GOING = (_line(-0.12, 0.28), _line(0.12, 0.28), _line(-0.17, 0.28), _line(0.17, 0.28))
_FORWARD: dict[str, tuple[_Shape, ...]] = {
    "end": (_right(-0.25), _right(0.1), _line(0.38)),
    "round on": (_right(-0.17), _right(0.17)),
    "play on": (_right(-0.05), _line(0.25)),
    "faster": (_line(0.0, 0.19), tuple((y, x) for x, y in _line(0.0, 0.19))),
    "slower": (tuple((y, x) for x, y in _line(0.0, 0.19)),),
}
_BACKWARD = {"start": "end", "round back": "round on", "play back": "play on"}


def _icon(name: str, *, paused: bool) -> tuple[_Shape, ...]:
    """A button's picture as polygons, in multiples of its height around its middle."""
    if name == "pause":
        return _PAUSED if paused else _GOING
    return _mirrored(_FORWARD[_BACKWARD[name]]) if name in _BACKWARD else _FORWARD[name]
