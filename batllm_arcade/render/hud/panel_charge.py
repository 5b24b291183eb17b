"""A seat's charge in its panel: a cartridge per shot, filled as far as the battery goes."""

from __future__ import annotations

import pygame

from batllm_arcade.core.model import Rules
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.view import theme
from batllm_arcade.view.charge import cartridges, filled, is_loaded
from batllm_arcade.view.theme import Color, mixed

_WIDE, _NARROW, _NARROWEST, _GAP = 30, 20, 12, 5
_NUMBER = 16
_MOST_TICKS = 9


class ChargeRow:
    """Paints one seat's cartridges; lengths in pixels, `scale` is pixels per logical pixel.

    With a `name`, in a type of so many pixels, that stands before them in place of the number behind them.
    """

    def __init__(self, seat: int, text_renderer: TextRenderer, scale: float, name: str = "", size: int = 0) -> None:
        self._color, self._text_renderer, self._scale = theme.SEAT_COLORS[seat], text_renderer, scale
        self._name, self._size = name, size

    def paint(self, surface: pygame.Surface, area: pygame.Rect, rules: Rules, charge: int, *, alarm: bool) -> int:
        """Paint the cartridges from the left of an area, and the number behind them if there is room.

        With `alarm` the empty ones stand out; without room for them there is the number alone. Return where they end.
        """
        if self._name:
            name = self._text_renderer.line(self._name, "label", self._size, theme.SOFT)
            used = surface.blit(name, name.get_rect(midleft=area.midleft)).width + self._px(_GAP)
            area = pygame.Rect(area.left + used, area.top, max(1, area.width - used), area.height)
        sizes = cartridges(rules)
        number = "" if self._name else f"{charge}/{rules.battery}"
        words = self._text_renderer.line(number, "title", _NUMBER, theme.TEXT)
        left, gap = area.left, self._px(_GAP)
        room = area.width - gap * len(sizes)
        numbered = bool(number) and room - words.get_width() >= self._px(_NARROW) * len(sizes)
        room -= words.get_width() if numbered else 0
        wide = min(self._px(_WIDE), room // len(sizes))
        if len(sizes) == 1:
            wide = max(wide, room)
        if wide < self._px(_NARROWEST):  # no room for pictures
            tint = theme.GOLD if is_loaded(rules, charge) else theme.TEXT
            words = self._text_renderer.fitted(f"{charge}/{rules.battery}", "title", _NUMBER, tint, area.width)
            return surface.blit(words, words.get_rect(midleft=area.midleft)).right + gap
        for size, full in zip(sizes, filled(rules, charge), strict=True):
            whole = rules.shot_charge or rules.battery
            cartridge = pygame.Rect(left, area.top, max(self._px(7), round(wide * min(1.0, size / whole))), area.height)
            if len(sizes) == 1:
                cartridge.width = wide
            loaded = is_loaded(rules, charge) and full == size >= rules.shot_charge
            self._paint_cartridge(surface, cartridge, size, full, loaded=loaded, alarm=alarm)
            left = cartridge.right + gap
        if numbered:
            surface.blit(words, words.get_rect(midleft=(left + gap // 2, area.centery)))
            left += words.get_width() + gap
        return left

    def _paint_cartridge(
        self, surface: pygame.Surface, area: pygame.Rect, size: int, full: int, *, loaded: bool, alarm: bool
    ) -> None:
        """Paint one: a case with a round tip, a part of it for each charge; a full one is gold with a white tip."""
        line, round_tip = max(1, self._px(1.5)), max(1, area.height // 2)
        shape = {"border_top_right_radius": round_tip, "border_bottom_right_radius": round_tip}
        shape |= {"border_top_left_radius": self._px(2), "border_bottom_left_radius": self._px(2)}
        pygame.draw.rect(surface, theme.SUNKEN, area, **shape)
        tint = theme.GOLD if loaded else mixed(self._color, theme.SUNKEN, 0.15)
        lit = pygame.Rect(area.left, area.top, round(area.width * full / size), area.height)
        clip = surface.get_clip()
        surface.set_clip(lit)
        pygame.draw.rect(surface, tint, area, **shape)
        surface.set_clip(clip)
        for tick in range(1, size if size <= _MOST_TICKS else 0):
            x = area.left + area.width * tick / size
            pygame.draw.line(surface, theme.PANEL, (x, area.top), (x, area.bottom - 1), max(1, self._px(2)))
        edge: Color = theme.WHITE if loaded else theme.DANGER if alarm else theme.PANEL_EDGE
        pygame.draw.rect(surface, edge, area, line if not (alarm and not loaded) else 2 * line, **shape)

    def _px(self, value: float) -> int:
        return max(1, round(value * self._scale))
