"""The arena as a picture, for models that see: drawn by itself, so that a match without a window needs none."""

from __future__ import annotations

import struct
from base64 import b64encode
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from math import ceil, dist, hypot, radians
from zlib import compress, crc32

from batllm_arcade.brains.protocol import View
from batllm_arcade.core.commands import Fire
from batllm_arcade.core.events import BulletFlew, Event
from batllm_arcade.core.geometry import bearing, direction, turn_between
from batllm_arcade.core.model import Arena, Rules, plain
from batllm_arcade.core.rules import read_command, step

Color = tuple[int, int, int]
Point = tuple[float, float]
Shot = tuple[int, tuple[Point, ...]]
"""A bot and the corners of the way that its bullet took."""

PIXELS = 512
"""The longer side of a picture without the option `picture_px`."""
MARGIN = 24
"""Its part that is left around the arena, for the walls and the bars."""

# As in the window.
NIGHT, FLOOR, GRID, WALL, EMPTY = (9, 12, 22), (16, 22, 40), (34, 46, 80), (104, 124, 190), (40, 54, 92)
WHITE, GOLD = (255, 255, 255), (255, 212, 94)
SEAT_COLORS: tuple[Color, Color] = ((64, 196, 255), (255, 156, 64))
SEAT_NAMES = ("blue", "orange")
GUN = (200, 206, 220)

_CENTRE, _RING, _SHIELD, _GUN = 0.32, (1.04, 1.16), (1.26, 1.46), (1.62, 0.2)
"""In radii of a bot: its centre, the ring around the own one, the shield, the gun's tip and half its width."""
_DOT, _APART, _END = 0.09, 0.42, 0.26
"""The dots of a bullet's way, how far they are apart, and its end."""


def legend(view: View, *, figures: bool) -> str:
    """Return what a picture shows, for a system message: the same for every play; `figures` say the same beside it."""
    mine, rules = view.seat, view.rules
    own, other, width = SEAT_NAMES[mine], SEAT_NAMES[1 - mine], plain(rules.arena_width)
    charge = " Below it in yellow: its charge." if rules.battery else ""
    alone = "" if figures else " Nothing else tells where the bots are: look at it."
    return (
        f"THE PICTURE with the last message is the arena now, from above, with you in it as SELF.{alone}\n"
        f"- You are the {own} disc with the white ring and the white centre; the {other} disc with the dark centre is "
        "the opponent.\n"
        "- The grey gun sticks out at a bot's front, where its rot points: rot 0 is to the right, 90 is down.\n"
        "- A thick arc around a bot's front, in its colour, is its shield; without one the shield is down.\n"
        "- A line of dots is the way of a bullet of the last turn, in its shooter's colour, with a large dot at its "
        "end.\n"
        f"- The frame is the walls: within, the arena is {width} wide and {plain(rules.arena_height)} high; x grows to "
        f"the right, y down; there is a grid line every {plain(rules.arena_width / 10)}.\n"
        f"- The bars above the frame, blue and orange, are both bots' health, full at the start.{charge}\n"
        "- Observations, where the answer has them, say what you see in the picture."
    )


def shots(view: View) -> tuple[Shot, ...]:
    """Return the bullets of the last turn, and one that the other bot has just fired, as far as its state tells.

    In `independent` mode only the bot's own.
    """
    arenas = [view.initial, *(turn.after for turn in view.history)]
    other, rules, happened = 1 - view.seat, view.rules, list[Event]()
    if view.history:
        arena = arenas[-2]
        for play in view.history[-1].plays:
            arena, events = step(arena, play.bot, read_command(play.cmd, rules), rules)
            happened += events
    if view.acting_order[0] == other and view.arena != arenas[-1]:
        after, events = step(arenas[-1], other, Fire(), rules)
        happened += events if after == view.arena else ()
    flown = [(event.bot, event.path) for event in happened if isinstance(event, BulletFlew)]
    return tuple(shot for shot in flown if view.style.mode == "shared" or shot[0] == view.seat)


@lru_cache(maxsize=4)  # of two seats, asked again
def png(arena: Arena, own: int, rules: Rules, shots: tuple[Shot, ...] = (), pixels: int = PIXELS) -> bytes:
    """Return the arena as a PNG whose longer side has so many pixels; the bot `own` is marked."""
    margin = pixels // MARGIN
    scale = (pixels - 2 * margin) / max(rules.arena_width, rules.arena_height)
    wide, high = (round(side * scale) for side in (rules.arena_width, rules.arena_height))
    canvas, radius = _Canvas(wide, high, margin, scale), rules.bot_radius * scale
    canvas.bars(arena, rules)
    for bot, path in shots:
        _draw_way(canvas, bot, path, radius)
    for bot in (1 - own, own):
        state = arena.bot(bot)
        at, along = canvas.point((state.x, state.y)), direction(state.rot % 360)
        if state.shield:
            inner, outer = (share * radius for share in _SHIELD)
            color = _mixed(SEAT_COLORS[bot], WHITE, 0.35)
            canvas.paint(color, at, outer, _arc(inner, outer, state.rot, rules.shield_degrees))
        canvas.paint(GUN, at, radius * _GUN[0], _bar(along, radius * _GUN[0], max(1.5, radius * _GUN[1])))
    for bot in (1 - own, own):
        at = canvas.point((arena.bot(bot).x, arena.bot(bot).y))
        canvas.paint(SEAT_COLORS[bot], at, radius, _ring(-1.0, radius))
        canvas.paint(WHITE if bot == own else NIGHT, at, radius * _CENTRE, _ring(-1.0, radius * _CENTRE))
        if bot == own:
            inner, outer = radius * _RING[0], max(radius * _RING[0] + 2, radius * _RING[1])
            canvas.paint(WHITE, at, outer, _ring(inner, outer))
    return canvas.png()


def picture(view: View, pixels: int = PIXELS) -> str:
    """Return what the bot of a view sees, a PNG in base64."""
    return b64encode(png(view.arena, view.seat, view.rules, shots(view), pixels)).decode()


def _draw_way(canvas: _Canvas, bot: int, path: tuple[Point, ...], radius: float) -> None:
    color, corners = _mixed(SEAT_COLORS[bot], WHITE, 0.25), [canvas.point(each) for each in path]
    size, apart, far = max(1.3, radius * _DOT), max(5.0, radius * _APART), 0.0
    for start, end in pairwise(corners):
        length = dist(start, end)
        while far < length:
            share = far / length
            at = start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
            canvas.paint(color, at, size, _ring(-1.0, size))
            far += apart
        far -= length
    size = max(3.0, radius * _END)
    canvas.paint(color, corners[-1], size, _ring(-1.0, size))


# Shapes: how many pixels within its edge a point is, given from the shape's middle.

Shape = Callable[[float, float], float]


def _ring(inner: float, outer: float) -> Shape:
    return lambda x, y: min((far := hypot(x, y)) - inner, outer - far)


def _arc(inner: float, outer: float, rot: float, degrees: float) -> Shape:
    def depth(x: float, y: float) -> float:
        far = hypot(x, y)
        off = degrees - abs(turn_between(rot, bearing(x, y))) if far else -180.0
        return min(far - inner, outer - far, radians(off) * far)

    return depth


def _bar(along: Point, length: float, half: float) -> Shape:
    ux, uy = along
    return lambda x, y: min(x * ux + y * uy, length - x * ux - y * uy, half - abs(y * ux - x * uy))


def _mixed(a: Color, b: Color, share: float) -> Color:
    red, green, blue = (round(one + (other - one) * share) for one, other in zip(a, b, strict=True))
    return red, green, blue


class _Canvas:
    """Pixels around and of an arena that is `wide` and `high` pixels."""

    def __init__(self, wide: int, high: int, margin: int, scale: float) -> None:
        self._size = wide + 2 * margin, high + 2 * margin
        self._margin, self._scale = margin, scale
        self._pixels = bytearray(_empty(wide, high, margin))

    def point(self, at: Point) -> Point:
        """Return where a point of the arena is, in pixels."""
        return self._margin + at[0] * self._scale, self._margin + at[1] * self._scale

    def bars(self, arena: Arena, rules: Rules) -> None:
        """Fill the margin above with both bots' health and charge."""
        margin, half = self._margin, self._size[0] // 2 - self._margin
        for bot in (0, 1):
            state, left = arena.bot(bot), margin + bot * half + bot * (self._size[0] % 2)
            rows = [(margin // 6, margin // 2, SEAT_COLORS[bot], state.health / rules.initial_health[bot])]
            if rules.battery:
                rows.append((margin // 2 + 2, margin - 5, GOLD, state.charge / rules.battery))
            for top, bottom, color, share in rows:
                full = half - margin // 3
                filled = round(full * min(1.0, max(0.0, share)))
                line = bytes(color) * filled + bytes(EMPTY) * (full - filled)
                for row in range(top, max(bottom, top + 2)):
                    place = 3 * (row * self._size[0] + left + bot * (margin // 3))
                    self._pixels[place : place + len(line)] = line

    def paint(self, color: Color, at: Point, reach: float, shape: Shape) -> None:
        """Lay a shape around a point, no larger than `reach`, over what is there."""
        (wide, high), (x, y), pixels, whole = self._size, at, self._pixels, bytes(color)
        columns = range(max(0, int(x - reach)), min(wide, ceil(x + reach) + 1))
        for row in range(max(0, int(y - reach)), min(high, ceil(y + reach) + 1)):
            for column in columns:
                share = shape(column + 0.5 - x, row + 0.5 - y) + 0.5
                if share > 0:
                    place = 3 * (row * wide + column)
                    red, green, blue = pixels[place : place + 3]
                    mixed = whole if share >= 1 else bytes(_mixed((red, green, blue), color, share))
                    pixels[place : place + 3] = mixed

    def png(self) -> bytes:
        """Return the picture as a PNG file."""
        (wide, high), row = self._size, 3 * self._size[0]
        head = struct.pack(">2I5B", wide, high, 8, 2, 0, 0, 0)
        lines = compress(b"".join(b"\0" + self._pixels[row * line : row * (line + 1)] for line in range(high)), 9)
        return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", lines) + _chunk(b"IEND", b"")


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", crc32(name + data))


@lru_cache(maxsize=4)
def _empty(wide: int, high: int, margin: int) -> bytes:
    """Return the pixels of an arena without anybody in it."""
    lines, edge = {column * wide // 10 for column in range(1, 10)}, max(2, margin // 8)

    def row(inside: Color, *, grid: bool, frame: Color) -> bytes:
        middle = b"".join(bytes(GRID if grid and column in lines else inside) for column in range(wide))
        night = bytes(NIGHT) * (margin - edge)
        return night + bytes(frame) * edge + middle + bytes(frame) * edge + night

    outside, wall = row(NIGHT, grid=False, frame=NIGHT), row(WALL, grid=False, frame=WALL)
    floor, across = row(FLOOR, grid=True, frame=WALL), row(GRID, grid=False, frame=WALL)
    apart = max(1.0, wide / 10)  # as the columns are, also in an arena so narrow that it has no pixel
    inside = [across if line and line % apart < 1 else floor for line in range(high)]
    return b"".join([outside] * (margin - edge) + [wall] * edge + inside + [wall] * edge + [outside] * (margin - edge))
