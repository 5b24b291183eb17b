"""A scene to pixels: the whole picture of a match at one size."""

from __future__ import annotations

import pygame

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.model import Rules
from batllm_arcade.render.arena import ArenaRenderer
from batllm_arcade.render.background import arena_background
from batllm_arcade.render.draw_list import DrawList, Stroke, differing, paint
from batllm_arcade.render.hud.banners import Banners
from batllm_arcade.render.hud.hud import Hud
from batllm_arcade.render.hud.icons import Icons
from batllm_arcade.render.hud.loading import LoadingScreen
from batllm_arcade.render.sprites import Sprites
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.settings.display import DisplayOptions
from batllm_arcade.view import theme
from batllm_arcade.view.camera import Camera
from batllm_arcade.view.layout import TALL_TYPE, Layout
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.theme import Color


class Renderer:
    """Draws scenes on surfaces of one size; works without a display. `rules` fix the arena's shape."""

    def __init__(self, size: tuple[int, int], rules: Rules, display: DisplayOptions = DisplayOptions()) -> None:  # noqa: B008, frozen
        self.size, self.rules, self.display = size, rules, display
        ui = display.ui_scale * (TALL_TYPE if size[0] <= size[1] else 1.0)
        self.layout = Layout.of(size, ui)
        self.scale = Layout.fitted(size).scale
        self.text_renderer = TextRenderer(self.scale)
        """For words of other screens, at the scale of `pixel`."""
        self._arena_renderer, self._stage = self._arena_of(self.layout, TextRenderer(self.layout.scale * ui))
        self.camera, self.arena = self._arena_renderer.camera, self._arena_renderer.arena
        self._words = TextRenderer(self.layout.scale * ui)
        self._hud = Hud(self._words, Icons(), self.layout, display)
        self._banners = Banners(self._words, self.layout.scale, self.arena, display)
        self._waiting: LoadingScreen | None = None
        self._demo: tuple[ArenaRenderer, pygame.Surface] | None = None
        self._last: tuple[pygame.Surface, list[Stroke]] | None = None

    def _arena_of(self, layout: Layout, text_renderer: TextRenderer) -> tuple[ArenaRenderer, pygame.Surface]:
        rules = self.rules
        camera = Camera.fitting(rules.arena_width, rules.arena_height, layout.arena)
        left, top = camera.point(0, 0)
        wide, high = camera.length(rules.arena_width), camera.length(rules.arena_height)
        arena = pygame.Rect(round(left), round(top), max(1, round(wide)), max(1, round(high)))
        sprites = Sprites(camera.length(rules.bot_radius), rules.shield_degrees)
        stage = arena_background(self.size, arena, layout.scale, sprites)
        return ArenaRenderer(rules, camera, arena, layout.scale, text_renderer, sprites, self.display), stage

    def pixel(self, x: float, y: float) -> tuple[int, int]:
        """The pixel of a logical point (1280 x 720, in the middle of the window)."""
        left, top = self._corner()
        return round(left + x * self.scale), round(top + y * self.scale)

    def _corner(self) -> tuple[float, float]:
        return (self.size[0] - theme.WIDTH * self.scale) / 2, (self.size[1] - theme.HEIGHT * self.scale) / 2

    def draw(self, target: pygame.Surface, scene: Scene) -> None:
        """Draw the whole scene; `target` has this picture's size."""
        strokes = self._strokes(scene)
        self._last = target, strokes
        target.blit(self._stage, (0, 0))  # the floor with it: all at once it takes half as long as in parts
        paint(target, strokes[1:] if scene.shake == (0.0, 0.0) else strokes, [self.arena])
        self._hud.draw(target, scene)

    def redraw(self, target: pygame.Surface, scene: Scene) -> list[pygame.Rect]:
        """Draw what differs from this picture's last one, which must be on `target` untouched; elsewhere draw all.

        Returns the rectangles outside which nothing has changed.
        """
        if self._last is None or self._last[0] is not target:
            self.draw(target, scene)
            return [target.get_rect()]
        last, strokes = self._last[1], self._strokes(scene)
        self._last = target, strokes
        changed = differing(last, strokes, self.arena)
        paint(target, strokes, changed)
        return [*changed, *self._hud.draw(target, scene, kept=True)]

    def _strokes(self, scene: Scene) -> list[Stroke]:
        """All that is drawn in the arena."""
        draw_list = DrawList(self.arena)
        self._draw_floor(draw_list, scene)
        self._arena_renderer.draw(draw_list, scene)
        if scene.banner:
            self._banners.draw(draw_list, scene.banner, self._standing(scene) if scene.banner.lasts is None else ())
        self._banners.notices(draw_list, scene.notices)
        return draw_list.strokes

    def _standing(self, scene: Scene) -> tuple[pygame.Rect, ...]:
        """Where the bots are that still stand: a result is no reason to hide who won."""
        size = round(self.camera.length(self.rules.bot_radius) * 2.6)
        places = []
        for pose in scene.bots:
            if pose.alive:
                place = pygame.Rect(0, 0, size, size)
                place.center = (
                    round(self.camera.point(pose.x, pose.y)[0]),
                    round(self.camera.point(pose.x, pose.y)[1]),
                )
                places.append(place)
        return tuple(places)

    def _draw_floor(self, draw_list: DrawList, scene: Scene) -> None:
        """The arena's floor moves with what stands on it; what it leaves is filled with what was there."""
        arena = self.arena
        x, y = round(self.camera.length(scene.shake[0])), round(self.camera.length(scene.shake[1]))
        draw_list.blit(self._stage, arena.move(x, y), arena)
        if x:
            left = arena.left if x > 0 else arena.right + x
            draw_list.blit(self._stage, strip := pygame.Rect(left, arena.top, abs(x), arena.height), strip)
        if y:
            top = arena.top if y > 0 else arena.bottom + y
            draw_list.blit(self._stage, strip := pygame.Rect(arena.left, top, arena.width, abs(y)), strip)

    def draw_stage(self, target: pygame.Surface, scene: Scene | None) -> None:
        """Draw the arena alone in the middle of 1280 x 720 logical pixels, with empty panels beside it."""
        self._last = None
        if self._demo is None:
            layout = Layout.fitted(self.size)
            arena_renderer, stage = self._arena_of(layout, TextRenderer(layout.scale))
            hud = Hud(TextRenderer(layout.scale), Icons(), layout, self.display)
            for seat in (0, 1):
                hud.draw_panel(stage, seat)
            self._demo = arena_renderer, stage
        arena_renderer, stage = self._demo
        target.blit(stage, (0, 0))
        if scene is not None:
            draw_list = DrawList(arena_renderer.arena)
            arena_renderer.draw(draw_list, scene)
            paint(target, draw_list.strokes, [arena_renderer.arena])

    def draw_waiting(
        self,
        target: pygame.Surface,
        t: float,
        seats: tuple[SeatInfo, SeatInfo],
        words: str,
        *,
        failed: bool,
        prompts: tuple[str, str] = ("", ""),
    ) -> None:
        """The arena before a match: who meets whom with which orders, and what is being loaded (or why it is not)."""
        self._last = None
        target.blit(self._stage, (0, 0))
        self._hud.draw_names(target, seats, prompts)
        if self._waiting is None:
            calm, degrees = self.display.reduced_motion, self.rules.shield_degrees
            self._waiting = LoadingScreen(self._words, self.layout.scale, self.arena, degrees, calm=calm)
        target.set_clip(self.arena)
        if failed:
            self._waiting.draw_failure(target, words)
        else:
            self._waiting.draw(target, t, seats, words)
        target.set_clip(None)

    def draw_hint(
        self, target: pygame.Surface, words: str, *, quiet: bool = False, color: Color = theme.TEXT, top: bool = False
    ) -> None:
        """Keys that work now, at the bottom of the arena (or at its top, where a bot is in the way)."""
        self._banners.hint(target, words, quiet=quiet, color=color, top=top)
