"""The upper part of a seat's panel in a wide film: above the name stands what plays, as large as can be read small."""

from __future__ import annotations

import pygame

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.render.hud.panel_charge import ChargeRow
from batllm_arcade.render.hud.panel_head import PanelHead
from batllm_arcade.render.text import clean
from batllm_arcade.view.play_text import level_of
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.words.script_words import kind_words


class FilmHead(PanelHead):
    """Paints one seat's head; that a seat acts is told by the edge of its panel."""

    _label_size, _tells_brain = 23, False
    _shield, _no_shield = "SHIELD", "no shield"
    _chip_size, _chip_room, _cartridge = 21, 16, 22

    def _charge_row(self, seat: int) -> ChargeRow:
        return ChargeRow(seat, self._text_renderer, self._scale, "GUN", self._chip_size)

    def _label(self, info: SeatInfo, surface: pygame.Surface) -> str:
        """Return what plays and its level, cut after one of its parts where there is no room for all, else the seat."""
        width = surface.get_width() - 2 * self._pad - self._mark_width
        kind, level = kind_words(info), level_of(info)
        while "-" in kind and self._width_of(kind, level) > width:
            kind = kind.rpartition("-")[0]
        shown = kind.casefold() not in info.name.casefold() and (not level or self._width_of(kind, level) <= width)
        if level and not shown:
            return f"level {level}"
        return _said(kind if shown else "", level) or super()._label(info, surface)

    def _width_of(self, kind: str, level: str) -> int:
        return self._text_renderer.measure(clean(_said(kind, level)), "label", self._label_size)

    def paint_upper(self, surface: pygame.Surface, scene: Scene) -> None:
        """Paint the upper part; while it thinks, that is said in place of what plays."""
        (words, *_), color = self._activity(scene)
        self.paint_name(surface, scene.board.seats, (words, color) if scene.thinking is not None and words else None)


def _said(kind: str, level: str) -> str:
    return "  ".join(filter(None, (kind, level)))
