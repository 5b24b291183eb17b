"""The picture of who has won a cup: in the trophy, with the way there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

import pygame

from batllm_arcade.render.sprites import Icons, Sprites, blit_centred, lay_light
from batllm_arcade.video.draw.cards import CardPainter, side_by_side
from batllm_arcade.view import theme
from batllm_arcade.view.cut_words import WORD_S
from batllm_arcade.view.theme import Color, mixed


@dataclass(frozen=True, slots=True)
class Step:
    """A match on the way: its round, who was beaten, and the score, the winner's first."""

    round: str
    other: str
    score: str


@dataclass(frozen=True, slots=True)
class WinnerCard:
    """Who has won the cup called `cup` on a `day`: its seat in the last game, what it was told, whom it has beaten."""

    name: str
    seat: int
    told: str
    cup: str
    day: str
    way: Sequence[Step]

    @property
    def rows(self) -> list[str]:
        """Return all that it says."""
        return [self.cup, _CHAMPION, self.name, self.told, *(" ".join((each.round, each.other, each.score))
                for each in self.way), self.day]  # fmt: skip

    @property
    def seconds(self) -> float:
        """Return for how long a film shows it."""
        return max(5.0, WORD_S * (6 + 2 * len(self.way)))


_CHAMPION = "CHAMPION"
_TITLES, _NAMES, _WAY = (48, 42, 36), (150, 132, 116, 100, 88, 76, 66, 56, 48), (48, 44, 40, 36)
_TOLD = (40, 36, 32)
_LARGER = 2
_MOST_WAY = 6
"""Matches that are shown; of more the last."""


def winner_picture(card: WinnerCard, size: tuple[int, int], *, telephone: bool = False) -> pygame.Surface:
    """Return the whole picture in a size: painted larger, so that its edges are smooth."""
    wide, high = (_LARGER * side for side in size)
    picture = _painted(CardPainter((wide, high), telephone=telephone), card)
    return pygame.transform.smoothscale(picture, size)


def _painted(painter: CardPainter, card: WinnerCard) -> pygame.Surface:
    """Return the whole picture: the bot in its trophy beside the words of a wide one, above those of others."""
    surface, inner = painter.background(), painter.inner
    if painter.wide:
        stage = pygame.Rect(inner.left, inner.top, round(0.40 * inner.width), inner.height)
        words = pygame.Rect(stage.right + painter.px(24), inner.top, inner.right - stage.right - painter.px(24), 0)
        words.height = inner.height
    else:
        top = painter.area.top // 2  # a trophy may be where applications lay their words
        stage = pygame.Rect(inner.left, top, inner.width, inner.top + round(0.42 * inner.height) - top)
        words = pygame.Rect(inner.left, stage.bottom, inner.width, inner.bottom - stage.bottom)
    _paint_rays(surface, stage)
    _paint_confetti(surface, stage, painter, card.seat)
    paint_trophy(surface, stage, card.seat)
    _paint_words(surface, words, painter, card)
    return surface


def _paint_words(surface: pygame.Surface, area: pygame.Rect, painter: CardPainter, card: WinnerCard) -> None:
    color, wide = theme.SEAT_COLORS[card.seat], area.width
    middle = 0 if painter.wide else area.centerx
    foot = [painter.text.line("BATLLM ", "title", 36, theme.TEXT), painter.text.line("ARCADE", "title", 36, theme.GOLD),
            painter.text.line(f"   {card.day}", "label", 36, theme.SOFT)]  # fmt: skip
    signed = side_by_side(foot)
    bottom = area.bottom - signed.get_height()
    surface.blit(signed, (area.centerx - signed.get_width() // 2 if middle else area.left, bottom))
    way = _way(painter, card.way[-_MOST_WAY:], wide)
    head = painter.rows(card.cup.upper(), "title", theme.SOFT, wide, 2, _TITLES, even=True)
    head += [painter.text.line(_CHAMPION, "title", 54, theme.GOLD)]
    told = painter.rows(card.told, "label", theme.TEXT, wide, 2, _TOLD) if card.told else []
    room = bottom - area.top - painter.height([*head, *told, *way]) - 2 * painter.gap
    name = painter.rows(card.name, "title", color, wide, 2, _NAMES, room)
    top = area.top + max(0, bottom - area.top - painter.height([*head, *name, *told, *way]) - 2 * painter.gap) // 2
    top = painter.stack(surface, [*head, *name, *told], top, left=area.left, middle=middle)
    painter.stack(surface, way, top + painter.gap, left=area.left, middle=middle)


def _way(painter: CardPainter, way: Sequence[Step], wide: int) -> list[pygame.Surface]:
    """Return a row for each match: its round, who was beaten, the score."""
    text = painter.text
    for size in _WAY:
        first, last = (max((text.measure(each, "label", size) for each in column), default=0)
                       for column in ([step.round for step in way], [step.score for step in way]))  # fmt: skip
        apart = painter.px(22)
        room = wide - first - last - 2 * apart
        middle = max((text.measure(step.other, "title", size) for step in way), default=0)
        if middle <= room:
            break
    found = []
    for step in way:
        row = pygame.Surface(
            (first + last + min(middle, room) + 2 * apart, text.height("title", size)), pygame.SRCALPHA
        )
        y = row.get_height() / 2
        text.put(row, step.round, "label", size, theme.SOFT, midleft=(0.0, y))
        text.put(row, step.other, "title", size, theme.TEXT, room, cut=True, midleft=(float(first + apart), y))
        text.put(row, step.score, "title", size, theme.GOLD, midright=(float(row.get_width()), y))
        found.append(row)
    return found


# The trophy

_PROFILE = ((1.0, 0.0), (0.97, 0.42), (0.84, 0.86), (0.6, 1.18), (0.3, 1.36), (0.13, 1.46), (0.1, 1.78), (0.2, 1.9),
            (0.46, 2.0), (0.46, 2.12))  # fmt: skip
"""The right edge of the trophy from its rim to its foot, in half widths of the rim."""
_RIM, _PLINTH, _HIGH = 0.2, (0.62, 2.12, 2.52), 2.52
"""How far the rim's ellipse reaches up and down, half the plinth's width, its top and bottom; the whole height."""
_METAL = ((0.0, 0.40), (0.16, 0.78), (0.30, 1.0), (0.38, 1.45), (0.46, 1.0), (0.78, 0.62), (1.0, 0.36))
"""How bright the metal is from left to right."""
_HEAD, _SUNK = 0.66, 0.34
"""The radius of the bot, and how far its middle is above the rim."""
_FINER = 3
_RAYS, _PIECES = 14, 70


def paint_trophy(surface: pygame.Surface, stage: pygame.Rect, seat: int) -> None:
    """Paint the trophy with the bot of a seat in it into a stage."""
    half = min(stage.width * 0.31, stage.height * 0.23)
    x, y = stage.centerx, round(stage.centery - 0.78 * half)
    lay_light(surface, theme.GOLD, 2.7 * half, 0.4, (x, y + 0.6 * half))
    lay_light(surface, theme.SEAT_COLORS[seat], 1.7 * half, 0.6, (x, y - 0.4 * half))
    rim = pygame.Rect(0, 0, round(2 * half), round(2 * _RIM * half))
    rim.center = x, y
    pygame.draw.ellipse(surface, mixed(theme.NIGHT, theme.GOLD, 0.30), rim)
    sprites, at = Sprites(round(_HEAD * half), 64.0), (x, y - _SUNK * half)
    blit_centred(surface, sprites.bot(seat, 250.0 if seat else 290.0, True), at)
    blit_centred(surface, sprites.head(seat, "happy"), at)
    metal = _metal(half)
    surface.blit(metal, metal.get_rect(midtop=(x, y - round(_RIM * half))))


def _metal(half: float) -> pygame.Surface:
    """Return the trophy without the inner side of its rim, half as wide at that as `half`; its handles are wider."""
    unit, wide = half * _FINER, 1.62
    whole = pygame.Surface((round(2 * wide * unit), round((_RIM + _HIGH) * unit)), pygame.SRCALPHA)
    middle, top = whole.get_width() / 2, _RIM * unit

    def at(x: float, y: float) -> tuple[float, float]:
        return middle + x * unit, top + y * unit

    for side in (-1, 1):
        ear = pygame.Rect(0, 0, round(0.92 * unit), round(0.98 * unit))
        ear.center = (round(middle + side * 1.06 * unit), round(top + 0.52 * unit))
        pygame.draw.ellipse(whole, theme.WHITE, ear, round(0.13 * unit))
    curve = [(math.cos(angle), _RIM * math.sin(angle)) for angle in (math.pi * step / 40 for step in range(41))]
    front = [*((x, y) for x, y in curve), *((-x, y) for x, y in _PROFILE), *_PROFILE[::-1]]
    pygame.draw.polygon(whole, (0, 0, 0, 0), [at(x, y) for x, y in front])  # the handles end at the bowl
    body = [*((-x, y) for x, y in _PROFILE), *_PROFILE[::-1]]
    pygame.draw.polygon(whole, theme.WHITE, [at(x, y) for x, y in body])
    inner = pygame.Rect(0, 0, round(2 * unit), round(2 * _RIM * unit))
    inner.center = round(middle), round(top)
    pygame.draw.ellipse(whole, (0, 0, 0, 0), inner)  # the bot stands in it
    pygame.draw.lines(whole, theme.WHITE, False, [at(x, y) for x, y in curve], round(0.075 * unit))
    _wash_metal(whole)
    wide_plinth, above, below = _PLINTH
    plinth = pygame.Rect(0, 0, round(2 * wide_plinth * unit), round((below - above) * unit))
    plinth.midtop = round(middle), round(top + above * unit)
    pygame.draw.rect(whole, theme.PANEL, plinth, border_radius=round(0.05 * unit))
    pygame.draw.rect(whole, mixed(theme.NIGHT, theme.GOLD, 0.6), plinth, round(0.03 * unit), round(0.05 * unit))
    star = Icons().star(round(0.3 * unit), theme.GOLD)
    whole.blit(star, star.get_rect(center=plinth.center))
    return pygame.transform.smoothscale(whole, (whole.get_width() // _FINER, whole.get_height() // _FINER))


def _wash_metal(whole: pygame.Surface) -> None:
    """Colour what is white as gold that is lit from the left."""
    wide = whole.get_width()
    band = pygame.Surface((wide, 1), pygame.SRCALPHA)
    for x in range(wide):
        place = x / max(1, wide - 1)
        (first, dark), (last, light) = next((one, other) for one, other in pairwise(_METAL) if place <= other[0])
        bright = dark + (light - dark) * (place - first) / (last - first)
        tint = mixed(theme.NIGHT, theme.GOLD, bright) if bright <= 1 else mixed(theme.GOLD, theme.WHITE, bright - 1)
        band.set_at((x, 0), tint)
    lit = pygame.transform.scale(band, whole.get_size())
    whole.blit(lit, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)


def _paint_rays(surface: pygame.Surface, stage: pygame.Rect) -> None:
    """Paint light that shines from behind the trophy."""
    rays, reach = pygame.Surface(surface.get_size(), pygame.SRCALPHA), 1.3 * max(surface.get_size())
    x, y = stage.centerx, stage.centery
    for number in range(_RAYS):
        angles = [math.tau * (number + edge) / _RAYS for edge in (-0.22, 0.22)]
        ends = [(x + reach * math.cos(angle), y + reach * math.sin(angle)) for angle in angles]
        pygame.draw.polygon(rays, (*theme.GOLD, 13), [(x, y), *ends])
    surface.blit(rays, (0, 0))


def _paint_confetti(surface: pygame.Surface, stage: pygame.Rect, painter: CardPainter, seat: int) -> None:
    color, chance = theme.SEAT_COLORS[seat], Random(7)
    tints: Sequence[Color] = (color, theme.GOLD, mixed(color, theme.WHITE, 0.6), theme.WHITE)
    for number in range(_PIECES):
        x, y = chance.uniform(0, stage.right), chance.uniform(0, stage.bottom)
        long, turn = painter.px(chance.uniform(9, 17)), chance.uniform(0, math.tau)
        wide = long * chance.uniform(0.35, 0.7)
        corners = [(x + long * a * math.cos(turn) - wide * b * math.sin(turn),
                    y + long * a * math.sin(turn) + wide * b * math.cos(turn))
                   for a, b in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))]  # fmt: skip
        tint = mixed(theme.NIGHT, tints[number % len(tints)], chance.uniform(0.45, 0.95))
        pygame.draw.polygon(surface, tint, corners)
