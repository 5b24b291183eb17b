"""A film's overlays on the picture of the match: captions, highlight texts, and the flash of a cut."""

from __future__ import annotations

import pygame

from batllm_arcade.render.text import Cache, TextRenderer
from batllm_arcade.video.edit.captions import Caption
from batllm_arcade.video.edit.edit_list import Cut, EditMoment
from batllm_arcade.view import theme
from batllm_arcade.view.layout import TALL_TYPE
from batllm_arcade.view.theme import mixed

_FLASH_S = 0.22
_PAD = 10  # pixels at scale 1, as all lengths here
_SIZE, _LINES = 19, 2


class Overlay:
    """Draws on pictures with the arena at `arena`; `ribbons` is whether highlight texts may be at its top."""

    def __init__(self, size: tuple[int, int], arena: pygame.Rect, scale: float, *, ribbons: bool) -> None:
        self._ribbons = ribbons
        self._size, self._arena = size, arena
        self._scale = scale * (TALL_TYPE if size[1] > size[0] else 1.0)
        self._text_renderer = TextRenderer(self._scale)
        self._cache = Cache(24)

    def draw(self, target: pygame.Surface, moment: EditMoment, caption: Caption | None) -> list[pygame.Rect]:
        """Draw the overlays of a moment; return the rectangles drawn on."""
        drawn = []
        floor = self._arena.bottom - self._px(14)
        if caption is not None:
            drawn.append(self._draw_caption(target, caption))
            floor = floor if caption.high else drawn[0].top - self._px(8)
        if moment.cut.text:
            drawn.append(self._draw_text(target, moment.cut, floor))
        if moment.cut.entry == "flash" and moment.age < _FLASH_S:
            drawn.append(self._draw_flash(target, 1 - moment.age / _FLASH_S))
        return drawn

    def _draw_text(self, target: pygame.Surface, cut: Cut, floor: int) -> pygame.Rect:
        """Draw the highlight's text on a ribbon at the arena's top, or above `floor` if the cut asks for that."""
        ribbon = self._cache.get(("text", cut.text, cut.bot), lambda: self._ribbon(cut.text, cut.bot))
        place = ribbon.get_rect(midtop=(self._arena.centerx, self._arena.top + self._px(14)))
        if cut.low:
            place.bottom = floor
        return target.blit(ribbon, place)

    def _ribbon(self, text: str, bot: int | None) -> pygame.Surface:
        color = theme.GOLD if bot is None else theme.SEAT_COLORS[bot]
        line = self._text_renderer.fitted(text.upper(), "title", 24, theme.TEXT, self._arena.width - self._px(80))
        surface = pygame.Surface((line.get_width() + self._px(44), line.get_height() + self._px(14)), pygame.SRCALPHA)
        area = surface.get_rect()
        pygame.draw.rect(surface, (*mixed(theme.NIGHT, color, 0.14), 235), area, border_radius=self._px(6))
        for edge in (0, area.width - self._px(5)):
            pygame.draw.rect(surface, color, (edge, 0, self._px(5), area.height), border_radius=self._px(2))
        surface.blit(line, line.get_rect(center=area.center))
        return surface

    def _draw_caption(self, target: pygame.Surface, caption: Caption) -> pygame.Rect:
        """Draw the caption at the arena's bottom, or at its top if a bot is behind it."""
        key = (caption.thoughts, caption.names)
        box = self._cache.get(key, lambda: self._subtitles(caption))
        place = box.get_rect(midbottom=(self._arena.centerx, self._arena.bottom - self._px(12)))
        if caption.high:
            place.top = self._arena.top + self._px(72 if self._ribbons else 14)
        return target.blit(box, place)

    def _subtitles(self, caption: Caption) -> pygame.Surface:
        pad, width = self._px(_PAD), self._arena.width - self._px(48)
        rows = []
        for bot, (name, thought) in enumerate(zip(caption.names, caption.thoughts, strict=True)):
            if thought:
                head = self._text_renderer.line(name, "bold", 13, theme.SEAT_COLORS[bot], width / 2)
                rows.append((head, self._text_renderer.block(thought, "label", _SIZE, theme.TEXT, width, _LINES)))
        high = sum(head.get_height() + body.get_height() for head, body in rows) + pad * (len(rows) + 1)
        surface = pygame.Surface((width + 2 * pad, high), pygame.SRCALPHA)
        pygame.draw.rect(surface, (*theme.NIGHT, 214), surface.get_rect(), border_radius=pad)
        top = pad
        for head, body in rows:
            surface.blit(head, (pad, top))
            surface.blit(body, (pad, top + head.get_height()))
            top += head.get_height() + body.get_height() + pad
        return surface

    def _draw_flash(self, target: pygame.Surface, strength: float) -> pygame.Rect:
        """Draw the fading flash of a cut."""
        light = self._cache.get("flash", lambda: pygame.Surface(self._size))
        level = round(110 * strength * strength)
        light.fill((level, level, level))
        return target.blit(light, (0, 0), special_flags=pygame.BLEND_RGB_ADD)

    def _px(self, length: float) -> int:
        return max(1, round(length * self._scale))
