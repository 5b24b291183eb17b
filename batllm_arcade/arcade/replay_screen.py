"""A recorded session in the window: play, pause, faster, slower, play by play."""

from __future__ import annotations

import pygame

from batllm_arcade.arcade.screen import Shell
from batllm_arcade.records import Play
from batllm_arcade.view import theme
from batllm_arcade.view.draw import Picture
from batllm_arcade.view.timeline import Timeline

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)


class ReplayScreen:
    """Shows a timeline that is complete from the start; where it stands is one number."""

    def __init__(self, shell: Shell, timeline: Timeline) -> None:
        self._shell, self.timeline = shell, timeline
        self.t = 0.0
        self.speed = 1.0
        self.paused = False
        self._last: float | None = None
        self._picture: Picture | None = None
        self._marks = [segment.start for segment in timeline.segments if isinstance(segment.record, Play)]

    def leave(self) -> None:
        """Nothing is held."""

    def cover(self, now: float) -> None:
        """Hold still: the time until it is uncovered does not count."""
        self._last = None

    def uncover(self, now: float) -> None:
        """Go on where it was."""
        self._last = None

    def handle(self, event: pygame.event.Event, now: float) -> None:
        """Space, arrows, home, end, minus and plus; a click into the bar seeks."""
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self._picture:
            x, y = self._picture.logical(*event.pos)
            if y > theme.ARENA_TOP + theme.ARENA_SIZE:
                self.seek((x - theme.MARGIN) / (theme.WIDTH - 2 * theme.MARGIN) * self.timeline.end)
        if event.type != pygame.KEYDOWN:
            return
        if event.key == pygame.K_ESCAPE:
            self._shell.pop()
        elif event.key in (pygame.K_SPACE, pygame.K_p):
            self.paused = not self.paused and self.t < self.timeline.end
            if self.t >= self.timeline.end:
                self.seek(0.0)
        elif event.key in (pygame.K_LEFT, pygame.K_RIGHT):
            self._step(1 if event.key == pygame.K_RIGHT else -1)
        elif event.key == pygame.K_HOME:
            self.seek(0.0)
        elif event.key == pygame.K_END:
            self.seek(self.timeline.end)
        elif event.key in (pygame.K_UP, pygame.K_PLUS, pygame.K_EQUALS, pygame.K_KP_PLUS):
            self._change_speed(1)
        elif event.key in (pygame.K_DOWN, pygame.K_MINUS, pygame.K_KP_MINUS):
            self._change_speed(-1)

    def seek(self, t: float) -> None:
        """Go to a moment at once."""
        self.t = max(0.0, min(self.timeline.end, t))

    def _step(self, by: int) -> None:
        later = [mark for mark in self._marks if mark > self.t + 1e-6]
        earlier = [mark for mark in self._marks if mark < self.t - 0.25]
        if by > 0:
            self.seek(later[0] if later else self.timeline.end)
        else:
            self.seek(earlier[-1] if earlier else 0.0)

    def _change_speed(self, by: int) -> None:
        self.speed = SPEEDS[max(0, min(len(SPEEDS) - 1, SPEEDS.index(self.speed) + by))]

    def draw(self, target: pygame.Surface, now: float) -> None:
        """Move on by the time that passed, and draw."""
        if self._last is not None and not self.paused:
            self.t = min(self.timeline.end, self.t + (now - self._last) * self.speed)
        self._last = now
        scene, size = self.timeline.at(self.t), target.get_size()
        rules = scene.board.rules
        if self._picture is None or self._picture.size != size or self._picture.rules != rules:
            self._picture = Picture(size, rules)
        self._picture.draw(target, scene)
        self._draw_bar(target, self._picture)

    def _draw_bar(self, target: pygame.Surface, picture: Picture) -> None:
        left, top = picture.pixel(theme.MARGIN, theme.HEIGHT - 7)
        wide = round((theme.WIDTH - 2 * theme.MARGIN) * picture.scale)
        high = max(3, round(4 * picture.scale))
        pygame.draw.rect(target, theme.PANEL_EDGE, (left, top, wide, high), border_radius=2)
        share = self.t / self.timeline.end if self.timeline.end else 0.0
        pygame.draw.rect(target, theme.GOLD, (left, top, round(wide * share), high), border_radius=2)
        state = "paused" if self.paused else f"{self.speed:g}x"
        words = f"REPLAY  {state}    SPACE pause   \u2190 \u2192 play by play   \u2191 \u2193 speed   ESC leave"
        line = picture.letters.line(words, "mono", 12, theme.DIM)
        target.blit(line, line.get_rect(midbottom=(left + wide // 2, top + round(1 * picture.scale))))
