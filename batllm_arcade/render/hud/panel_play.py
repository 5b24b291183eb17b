"""The second section of a panel's body: the last command, what it led to, or the fumble."""

from __future__ import annotations

import pygame

from batllm_arcade.core.commands import Nothing
from batllm_arcade.match.records import Play
from batllm_arcade.render.hud.icons import Icons
from batllm_arcade.render.hud.panel_boxes import PanelBoxes
from batllm_arcade.view import theme
from batllm_arcade.view.play_text import describe, duration, outcome
from batllm_arcade.view.scene import Scene

_COMMAND, _ACTION, _OUTCOME, _TOOK = 40, 21, 16, 13  # font sizes
_SHOWN_LATENCY_S = 0.1  # shorter response times are shown for models only


class PlaySection:
    """Paints one seat's last play."""

    def __init__(self, seat: int, boxes: PanelBoxes, icons: Icons) -> None:
        self._seat, self._boxes, self._icons, self._text_renderer = seat, boxes, icons, boxes.text_renderer
        self._command_height = boxes.text_renderer.height("bold", _COMMAND)

    @property
    def height(self) -> int:
        """Return the height of the section in pixels."""
        return self._command_height + self._text_renderer.height("label", _OUTCOME) + self._boxes.px(8)

    def paint(self, surface: pygame.Surface, scene: Scene, top: int) -> None:
        """Paint the command and its outcome, which stays hidden until it has been seen in the arena."""
        play, text_renderer, pad = scene.board.plays[self._seat], self._text_renderer, self._boxes.pad
        middle, below = top + self._command_height // 2, top + self._command_height
        width = max(1, surface.get_width() - 2 * pad)
        if play is None:
            line = text_renderer.line("no play yet", "label", _ACTION, theme.DIM)
            surface.blit(line, line.get_rect(midleft=(pad, middle)))
        elif play.status == "ok":
            self._paint_command(surface, play, middle, width)
            self._paint_outcome(surface, scene, play, below, width)
        else:
            self._paint_fumble(surface, middle, width)
            surface.blit(text_renderer.line(play.reason, "label", _OUTCOME, theme.SOFT, width), (pad, below))

    def _paint_command(self, surface: pygame.Surface, play: Play, middle: int, width: int) -> None:
        text_renderer, boxes = self._text_renderer, self._boxes
        silent = isinstance(play.command, Nothing)
        text = ("speaks" if play.decision.say else "waits") if silent else play.command.token
        command = text_renderer.fitted(text, "bold", _COMMAND, theme.SEAT_COLORS[self._seat], width * 0.62)
        area = surface.blit(command, command.get_rect(midleft=(boxes.pad, middle)))
        room = width - area.width - boxes.px(12)
        action = "" if silent else describe(play.command)
        if text_renderer.measure(action, "label", _ACTION) * 0.75 > room:
            action = action.removeprefix("turns ")
        line = text_renderer.fitted(action, "label", _ACTION, theme.TEXT, max(1, room))
        surface.blit(line, line.get_rect(midleft=(area.right + boxes.px(12), middle + boxes.px(2))))

    def _paint_outcome(self, surface: pygame.Surface, scene: Scene, play: Play, top: int, width: int) -> None:
        text_renderer, boxes = self._text_renderer, self._boxes
        text, color = self._led(scene, play)
        took = duration(play.latency_s) if self._is_slow(scene, play) else ""
        latency = text_renderer.line(took, "mono", _TOOK, theme.DIM)
        surface.blit(latency, latency.get_rect(topright=(surface.get_width() - boxes.pad, top + boxes.px(1))))
        room = width - latency.get_width() - boxes.px(10)
        line = text_renderer.fitted(text, "label", _OUTCOME, color, room)
        surface.blit(line, (boxes.pad, top))

    def _led(self, scene: Scene, play: Play) -> tuple[str, theme.Color]:
        """Return what a play led to and the colour to say it in, once that is known."""
        known = scene.t >= scene.board.known_at[self._seat]
        return outcome(play, scene.board.rules) if known else ("", theme.SOFT)

    def _is_slow(self, scene: Scene, play: Play) -> bool:
        """Return whether it is told how long a play took."""
        return bool(scene.board.seats[self._seat].model) or play.latency_s >= _SHOWN_LATENCY_S

    def _paint_fumble(self, surface: pygame.Surface, middle: int, width: int) -> None:
        """Paint hazard stripes, a warning sign and a word, so that it does not depend on colour."""
        text_renderer, boxes = self._text_renderer, self._boxes
        height = text_renderer.height("title", 24) + boxes.px(8)
        band = pygame.Rect(boxes.pad, middle - height // 2, width, height)
        surface.blit(self._icons.stripes(band.width, band.height), band)
        sign = self._icons.warning(round(height * 0.72))
        word = text_renderer.fitted("FUMBLE!", "title", 24, theme.GOLD, width * 0.5)
        inner = pygame.Rect(0, 0, sign.get_width() + word.get_width() + boxes.px(24), height)
        inner.midleft = band.left + boxes.px(10), band.centery
        pygame.draw.rect(surface, theme.NIGHT, inner)
        surface.blit(sign, sign.get_rect(midleft=(inner.left + boxes.px(8), inner.centery)))
        surface.blit(word, word.get_rect(midleft=(inner.left + boxes.px(15) + sign.get_width(), inner.centery)))
