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
from batllm_arcade.core.events import BulletFlew
from batllm_arcade.core.geometry import bearing, direction, turn_between
from batllm_arcade.core.model import Arena, BotState, Rules, plain
from batllm_arcade.core.rules import step
from batllm_arcade.prompts.payload import events

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
    other, rules = 1 - view.seat, view.rules
    *_, before, now = view.initial, view.initial, *(turn.after for turn in view.history)
    happened = events(before, view.history[-1].plays, rules) if view.history else []
    if view.acting_order[0] == other and view.arena != now:
        after, fired = step(now, other, Fire(), rules)
        happened += fired if after == view.arena else ()
    flown = [(event.bot, event.path) for event in happened if isinstance(event, BulletFlew)]
    return tuple(shot for shot in flown if view.style.mode == "shared" or shot[0] == view.seat)


@lru_cache(maxsize=4)  # of two seats, asked again
def png(arena: Arena, own: int, rules: Rules, shots: tuple[Shot, ...] = (), pixels: int = PIXELS) -> bytes:
    """Return the arena as a PNG whose longer side has so many pixels; the bot `own` is marked."""
    canvas = _Canvas(rules, pixels)
    radius = rules.bot_radius * canvas.scale
    for bot, path in shots:
        _draw_way(canvas, bot, path, radius)
    for bot in (1 - own, own):
        state = arena.bot(bot)
        canvas.bars(bot, state, rules)
        at = canvas.point((state.x, state.y))
        if state.shield:
            inner, outer = (share * radius for share in _SHIELD)
            color = _mixed(SEAT_COLORS[bot], WHITE, 0.35)
            canvas.paint(color, at, outer, _arc(inner, outer, state.rot, rules.shield_degrees))
        gun = _bar(direction(state.rot % 360), radius * _GUN[0], max(1.5, radius * _GUN[1]))
        canvas.paint(GUN, at, radius * _GUN[0], gun)
    for bot in (1 - own, own):
        at = canvas.point((arena.bot(bot).x, arena.bot(bot).y))
        canvas.disc(SEAT_COLORS[bot], at, radius)
        canvas.disc(WHITE if bot == own else NIGHT, at, radius * _CENTRE)
    inner, outer = radius * _RING[0], max(radius * _RING[0] + 2, radius * _RING[1])
    canvas.paint(WHITE, at, outer, lambda x, y: min((far := hypot(x, y)) - inner, outer - far))
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
            canvas.disc(color, at, size)
            far += apart
        far -= length
    canvas.disc(color, corners[-1], max(3.0, radius * _END))


# Shapes: how many pixels within its edge a point is, given from the shape's middle.

Shape = Callable[[float, float], float]


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
    """Pixels of an arena, and of the margin around it with the walls and the bars."""

    def __init__(self, rules: Rules, pixels: int) -> None:
        self._margin = margin = pixels // MARGIN
        self.scale = (pixels - 2 * margin) / max(rules.arena_width, rules.arena_height)
        wide, high = (round(side * self.scale) for side in (rules.arena_width, rules.arena_height))
        self._size = wide + 2 * margin, high + 2 * margin
        self._pixels, edge = bytearray(bytes(NIGHT) * self._size[0] * self._size[1]), max(2, margin // 8)
        self._fill(WALL, margin - edge, margin - edge, wide + 2 * edge, high + 2 * edge)
        self._fill(FLOOR, margin, margin, wide, high)
        for column in range(1, 10):
            self._fill(GRID, margin + column * wide // 10, margin, min(1, wide), high)
        for row in range(1, ceil(10 * high / max(1, wide))):
            self._fill(GRID, margin, margin + row * wide // 10, wide, 1)

    def _fill(self, color: Color, left: int, top: int, wide: int, high: int) -> None:
        for row in range(top, top + high):
            place = 3 * (row * self._size[0] + left)
            self._pixels[place : place + 3 * wide] = bytes(color) * wide

    def point(self, at: Point) -> Point:
        """Return where a point of the arena is, in pixels."""
        return self._margin + at[0] * self.scale, self._margin + at[1] * self.scale

    def bars(self, bot: int, state: BotState, rules: Rules) -> None:
        """Fill a half of the margin above with a bot's health and charge."""
        margin, wide = self._margin, self._size[0]
        full = wide // 2 - margin - margin // 3
        left = wide - margin - full if bot else margin
        rows = [(margin // 6, margin // 2, SEAT_COLORS[bot], state.health / rules.initial_health[bot])]
        if rules.battery:
            rows.append((margin // 2 + 2, margin - 5, GOLD, state.charge / rules.battery))
        for top, bottom, color, share in rows:
            self._fill(EMPTY, left, top, full, max(2, bottom - top))
            self._fill(color, left, top, round(full * min(1.0, max(0.0, share))), max(2, bottom - top))

    def disc(self, color: Color, at: Point, radius: float) -> None:
        """Lay a disc around a point."""
        self.paint(color, at, radius, lambda x, y: radius - hypot(x, y))

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
