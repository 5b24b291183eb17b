"""What was played last in a film that is not wide: what that did, what it led to, and what its bot said."""

from __future__ import annotations

import pygame

from batllm_arcade.match.records import Play
from batllm_arcade.render.hud.upright.upright_text import UprightText
from batllm_arcade.render.text import LEAST_FIT, clean
from batllm_arcade.view import theme
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.theme import mixed
from batllm_arcade.view.words.panel_words import does, led, said
from batllm_arcade.view.words.play_words import short_reply

_DOES, _LED, _WORDS, _LARGE_WORDS = 50, 44, 42, (56, 52, 48, 45)  # font sizes, in pixels of a film 1080 wide
_ACTION, _ACTION_ROWS = (34, 31, 28), 2  # of what is done and what that led to, where there is little width
_FLAT, _FLAT_WORDS = 100, (42, 38, 34, 30)  # the height below which all is said in a row, and its sizes of type
_HIGH = 150  # the height in which all is told; of more, lines are farther apart
_WHERE = " in the "
"""What it begins with in which part of a bot a hit was: that is left out where there is little room."""
_ALONE = 1.4  # times as large, where a bot tells no thought
_NARROW = 500  # the width below which what a play did stands above what its bot thought


class LastPlayWords:
    """Paints the last play of a scene; lengths are pixels of a film 1080 wide."""

    def __init__(self, text: UprightText) -> None:
        self._fit, self._text, self._scale, self._px = text, text.renderer, text.scale, text.px

    def paint(self, surface: pygame.Surface, scene: Scene, play: Play | None, known: bool) -> None:
        """Paint the last play: what it did, what that led to, and what its bot thought or what it is for."""
        if scene.thinking is not None:
            words = f"{scene.board.seats[scene.thinking.bot].name} thinks: {int(scene.thinking.seconds)} s"
            color = theme.SEAT_COLORS[scene.thinking.bot]
            line = self._text.fitted(words, "label", _WORDS, color, surface.get_width())
            surface.blit(line, line.get_rect(center=surface.get_rect().center))
            return
        if play is None:
            return
        if surface.get_width() < _NARROW * self._scale:
            self._paint_narrow(surface, scene, play, known)
            return
        if surface.get_height() < _FLAT * self._scale:
            self._paint_flat(surface, scene, play)
            return
        px, area, color = self._px, surface.get_rect(), self._paint_plate(surface, play)
        pad, failed, words = px(18), play.status != "ok", said(play, scene.board.rules)
        larger, (came, tint) = 1.0 if words else _ALONE, led(play, scene.board.rules, known=known)
        room, strong = area.width * (0.5 if came else 1) - pad, theme.GOLD if failed else color
        deed = self._text.fitted(does(play), "title", _DOES * larger, strong, room)
        spare = max(0, area.height - px(_HIGH))
        middle = px(6) + px(56) // 2 + spare // 6 if words else area.centery
        left = surface.blit(deed, deed.get_rect(midleft=(pad, middle))).right + px(18)
        room = area.width - left - pad
        if self._text.measure(came, "label", LEAST_FIT * _LED * larger) > room:
            came = came.partition(_WHERE)[0]
        line = self._text.fitted(came, "label", _LED * larger, tint, room)
        surface.blit(line, line.get_rect(midleft=(left, middle + px(2))))
        width, (reply, words) = area.width - 2 * pad, _replied(play, scene)
        on_one_line = (size for size in _LARGE_WORDS if self._text.measure(clean(words), "label", size) <= width)
        if (size := next(on_one_line, None)) is not None:
            middle = (px(58) + area.height) // 2
            self._paint_said(surface, words, reply, size, color, (pad, middle))
            return
        rows = self._text.rows(words, "label", _WORDS, width, 2)
        top = (px(51) if len(rows) > 1 else px(54) + px(23)) + spare // 2 + self._text.height("label", _WORDS) // 2
        for number, row in enumerate(rows):
            self._paint_said(surface, row, "" if number else reply, _WORDS, color, (pad, top + number * px(44)))

    def _paint_plate(self, surface: pygame.Surface, play: Play) -> theme.Color:
        """Paint what the words stand on, and return the colour of the bot that acts."""
        px, area, color = self._px, surface.get_rect(), theme.SEAT_COLORS[play.bot]
        pygame.draw.rect(surface, mixed(theme.PANEL, color, 0.06), area, border_radius=px(14))
        pygame.draw.rect(surface, color, (0, 0, area.width, px(6)), border_radius=px(3))
        return color

    def _paint_said(
        self, surface: pygame.Surface, row: str, reply: str, size: int, color: theme.Color, at: tuple[int, int]
    ) -> None:
        """Paint a row of what is said whose left end's middle is `at`; the reply that it begins with in that colour."""
        reply = reply if row.startswith(reply) else ""
        left, middle = at
        for part, tint in ((reply, color), (row.removeprefix(reply), theme.TEXT)):
            if part:
                line = self._text.line(part, "label", size, tint)
                left = surface.blit(line, line.get_rect(midleft=(left, middle))).right

    def _paint_flat(self, surface: pygame.Surface, scene: Scene, play: Play) -> None:
        """Paint the last play in a row: what it did, and what its bot thought."""
        px, area, color = self._px, surface.get_rect(), self._paint_plate(surface, play)
        pad, middle = px(18), (px(6) + area.height) // 2
        deed = self._text.fitted(does(play), "title", _WORDS, color, 0.5 * area.width)
        left = surface.blit(deed, deed.get_rect(midleft=(pad, middle))).right + px(18)
        room, (reply, words) = area.width - left - pad, _replied(play, scene)
        fit = (size for size in _FLAT_WORDS if self._text.measure(clean(words), "label", size) <= room)
        size = next(fit, _FLAT_WORDS[-1])
        for row in self._text.rows(words, "label", size, room, 1):
            self._paint_said(surface, row, reply, size, color, (left, middle))

    def _paint_narrow(self, surface: pygame.Surface, scene: Scene, play: Play, known: bool) -> None:
        """Paint the last play where there is little width: what that did above what its bot thought."""
        px, area, color = self._px, surface.get_rect(), self._paint_plate(surface, play)
        pad, (came, tint) = px(12), led(play, scene.board.rules, known=known)
        words = clean(f"{does(play)}: {came}" if came and play.status == "ok" else does(play))
        tint = tint if came else color
        top, width = px(12), area.width - 2 * pad
        fit = (size for size in _ACTION if len(self._text.wrapped(words, "label", size, width)) <= _ACTION_ROWS)
        size = next(fit, _ACTION[-1])
        for row in self._text.rows(words, "label", size, width, _ACTION_ROWS):
            top = surface.blit(self._text.line(row, "label", size, tint), (pad, top)).bottom
        room = area.inflate(-2 * pad, 0)
        room.update(pad, top, room.width, area.height - top - px(4))
        size, rows = self._fit.fitting(clean(said(play, scene.board.rules)), room.width, room.height)
        for number, row in enumerate(rows):
            high = self._text.height("label", size)
            surface.blit(self._text.line(row, "label", size, theme.TEXT), (pad, top + number * high))


def _replied(play: Play, scene: Scene) -> tuple[str, str]:
    """Return a play's short reply, and what is said of it, which begins with that."""
    reply, words = short_reply(play, scene.board.seats[play.bot]), said(play, scene.board.rules)
    return reply, f"{reply} {words}" if reply and words else words


def last_play(scene: Scene) -> Play | None:
    """Return the play that is shown or was shown last."""
    plays = [play for play in scene.board.plays if play is not None]
    return max(plays, key=lambda play: (play.round, play.turn, play.number), default=None)
