"""Bots and shields as cached surfaces: drawn large, scaled down smoothly, rotated once per degree."""

from __future__ import annotations

import pygame

from batllm_arcade.core.model import Rules
from batllm_arcade.render.draw_list import DrawList, wash
from batllm_arcade.render.glows import Glows
from batllm_arcade.render.shapes import kept, painted
from batllm_arcade.render.text import Cache
from batllm_arcade.view import theme
from batllm_arcade.view.look import armour, shapes
from batllm_arcade.view.look.shapes import BREATH, Mood
from batllm_arcade.view.theme import Color

SHIELD_STEPS = 8
_GAUGES = 60  # different pictures of a charge; a larger battery is shown in steps
_OPACITIES = 8
_SHIELD_REACH = max(outer for _, outer, *_ in armour.SHIELD) + 0.06
_SMOOTH = 3  # pixels by which smooth edges exceed a circle on both sides together


class Sprites:
    """Sprites of bots with a radius in pixels, whose shields cover `shield_degrees` to each side.

    With `rules` the bodies show their armour, if there is such a rule, and there are gauges of their charge.
    """

    def __init__(self, radius: float, shield_degrees: float, rules: Rules | None = None) -> None:
        self.radius, self.shield_degrees, self.lights = radius, shield_degrees, Glows()
        self._rules = rules or Rules(shield_degrees=shield_degrees)
        self._rotations, self._cache, self._gauges = Cache(900), Cache(120), Cache(2 * _GAUGES + 2)

    def bot(self, seat: int, rot: float, alive: bool) -> pygame.Surface:
        """Return the bot's body facing `rot` degrees (clockwise from +x), rounded to whole degrees."""
        degree = round(rot) % 360
        return self._rotations.get(("bot", seat, degree, alive), lambda: _rotated(self._base(seat, alive), degree))

    def flash(self, seat: int, rot: float) -> pygame.Surface:
        """Return the bot's body in white, shown when it is hit."""
        degree = round(rot) % 360

        def whitened() -> pygame.Surface:
            body = self.bot(seat, degree, True).copy()
            wash(body, (255, 255, 255, 0), pygame.BLEND_RGBA_ADD)
            return body

        return self._rotations.get(("flash", seat, degree), whitened)

    def head(self, seat: int, mood: Mood, breath: int = 0) -> pygame.Surface:
        """Return the head, which does not turn with the body; the pupil is drawn on top of it."""
        size = self.radius * (1 + BREATH * breath)
        return self._cache.get(("head", seat, mood, breath), lambda: painted(shapes.head(seat, mood), size, 0.5))

    def pupil(self, seat: int) -> pygame.Surface:
        """Return the pupil of the eye."""
        return self._cache.get(("pupil", seat), lambda: painted(shapes.pupil(seat), self.radius, 0.2))

    def gauge(self, seat: int, charge: int) -> pygame.Surface:
        """Return the ring around the head that shows the charge; the rules must have a battery."""
        step = charge if self._rules.battery <= _GAUGES else round(charge * _GAUGES / self._rules.battery)
        shown = charge if step == charge else step * self._rules.battery // _GAUGES
        color = theme.SEAT_COLORS[seat]
        ticks = lambda: painted(armour.gauge(self._rules, shown, color), self.radius, 0.8)  # noqa: E731, short
        return self._gauges.get((seat, shown), ticks)

    def shield(
        self, seat: int, rot: float, level: float, strength: float = 1.0, *, weak: bool = False
    ) -> pygame.Surface:
        """Return the shield's arc around `rot` degrees at `level` of its width (1: exactly what it blocks).

        `strength` is its opacity, 0 to 1; a weak one is in pieces.
        """
        degree, step = round(rot) % 360, max(1, round(level * SHIELD_STEPS))
        opacity = max(1, round(strength * _OPACITIES))
        key = ("shield", seat, degree, step, opacity, weak)
        return self._rotations.get(key, lambda: _rotated(self._arc(seat, step, opacity, weak), degree))

    def struck_shield(self, seat: int, rot: float) -> pygame.Surface:
        """Return the whole arc in white, shown when it blocks."""
        degree = round(rot) % 360

        def whitened() -> pygame.Surface:
            arc = self.shield(seat, degree, 1.0).copy()
            wash(arc, (255, 255, 255, 0), pygame.BLEND_RGBA_ADD)
            return arc

        return self._rotations.get(("struck", seat, degree), whitened)

    def _base(self, seat: int, alive: bool) -> pygame.Surface:
        return self._cache.get(("base", seat, alive), lambda: self._body(seat, alive))

    def _body(self, seat: int, alive: bool) -> pygame.Surface:
        """Return a body facing +x at twice its size."""
        return kept(tuple(armour.body(seat, self._rules, alive=alive)), 2 * self.radius, 1.12)

    def _arc(self, seat: int, step: int, opacity: int, weak: bool) -> pygame.Surface:
        def made() -> pygame.Surface:
            half = self.shield_degrees * step / SHIELD_STEPS
            bands = armour.shield(half, theme.SEAT_COLORS[seat], armour.PIECES if weak else 1)
            if step == SHIELD_STEPS and opacity == _OPACITIES and not weak:
                return kept(tuple(bands), 2 * self.radius, _SHIELD_REACH)
            arc = painted(bands, 2 * self.radius, _SHIELD_REACH)
            if opacity < _OPACITIES:
                wash(arc, (255, 255, 255, round(255 * opacity / _OPACITIES)), pygame.BLEND_RGBA_MULT)
            return arc

        return self._cache.get(("arc", seat, step, opacity, weak), made)

    def glow(self, color: Color, radius: float, strength: float) -> pygame.Surface:
        """Return a soft round light to blit with BLEND_RGB_ADD; `strength` 0 to 1."""
        return self.lights.glow(color, radius, strength)


def blit_centred(
    target: pygame.Surface | DrawList, sprite: pygame.Surface, at: tuple[float, float], flags: int = 0
) -> None:
    """Draw a sprite centred at a pixel."""
    width, height = sprite.get_size()
    target.blit(sprite, (round(at[0] - width / 2), round(at[1] - height / 2)), None, flags)


def _rotated(base: pygame.Surface, degree: int) -> pygame.Surface:
    """Return a picture turned and half as large, without its empty corners: all is within the circle that fits into it.

    An even number of pixels is left out on each side, so that it is centred on the very same pixels.
    """
    turned = pygame.transform.rotozoom(base, -degree, 0.5)
    whole, room = turned.get_rect(), base.get_width() // 2 + _SMOOTH
    across, down = (max(0, side - room) // 4 * 2 for side in whole.size)
    return turned.subsurface(whole.inflate(-2 * across, -2 * down)).copy() if across or down else turned
