"""The renderer: draws the whole picture of a match at one size."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.model import Rules
from batllm_arcade.render.arena import ArenaRenderer, CloseUpRenderer
from batllm_arcade.render.background import arena_background, continue_floor, draw_floor
from batllm_arcade.render.draw_list import DrawCommand, DrawList, differing, paint, uncovered
from batllm_arcade.render.hud.banners import Banners, LoadingPicture
from batllm_arcade.render.hud.hud import Hud
from batllm_arcade.render.hud.upright import UprightHud
from batllm_arcade.render.sprites import Icons, Sprites
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view import theme
from batllm_arcade.view.camera import Camera
from batllm_arcade.view.layout import TALL_TYPE, FilmKind, Layout, MatchColumn, film_layout
from batllm_arcade.view.play_text import advice
from batllm_arcade.view.scene import Banner, Scene
from batllm_arcade.view.telegraph.person_turn import BestPlay
from batllm_arcade.view.theme import Color

_BANNER_GAP = 20  # between a banner and what lies over the arena


class Renderer:
    """Draws scenes on surfaces of one size; needs no display. `rules` determine the arena's shape.

    The picture of a `live` match leaves room for its buttons, that with a `corner` for the one at the top left. That of
    a `film` has fewer words in larger type; of a `covered` one telephones cover the edges. A `column` is one of two
    matches in a picture, as large as its place there; with what draws the other one (`beside`) it shares what both
    paint, where their rules and sizes are the same. With a `key` there are panels and words alone, on that colour.
    """

    def __init__(
        self, size: tuple[int, int], rules: Rules, display: DisplayOptions = DisplayOptions(), *, live: bool = False,  # noqa: B008, frozen
        corner: bool = False, film: FilmKind = "", column: MatchColumn | None = None, beside: Renderer | None = None,
        key: Color | None = None,
    ) -> None:  # fmt: skip
        self.size, self.rules, self.display, self._film, self._key = size, rules, display, bool(film), key
        ui = display.ui_scale * (TALL_TYPE if size[0] <= size[1] or film == "small" else 1.0)
        if column is not None:
            self.layout = column.layout
        else:
            self.layout = film_layout(size, film) or Layout.of(size, ui, live=live, corner=corner)
        self.scale = Layout.fitted(size).scale
        self.text_renderer = TextRenderer(self.scale)
        """For text on other screens, at the scale of `pixel`."""
        alike = beside is not None and (beside.rules, beside.layout) == (rules, self.layout)
        self._beside = beside if alike else None
        self._arena_renderer: ArenaRenderer
        self._background: pygame.Surface
        if self._beside is not None:
            self._arena_renderer, self._background = self._beside._arena_renderer, self._beside._background
        else:
            self._arena_renderer, self._background = self._arena_of(self.layout, TextRenderer(self.layout.scale * ui))
        self.camera, self.arena = self._arena_renderer.camera, self._arena_renderer.arena
        self._text = TextRenderer(self.layout.scale * ui)
        self._hud: Hud | UprightHud
        if self.layout.words is not None:
            if self._beside is None and key is None:
                continue_floor(self._background, self.arena)
            self._hud = UprightHud(self.layout, self._background, column)
        else:
            self._hud = Hud(self._text, Icons(), self.layout, display, film=self._film)
        bare = uncovered(pygame.Rect((0, 0), size), self._hud.rects)
        self._bare = [(self._background, rect.topleft, rect) for rect in bare]
        self._room = self.arena.clip(self.layout.free) if self.layout.free else self.arena
        """Where the arena may have words; telephones cover the rest."""
        self._kept = uncovered(self.arena, [self._room])
        self._banners = Banners(self._text, self.layout.scale, self.arena, display, self._room)
        self._loading: LoadingPicture | None = None
        self._attract: tuple[ArenaRenderer, pygame.Surface] | None = None
        self._last: tuple[pygame.Surface, list[DrawCommand]] | None = None
        self._ui = ui
        self._closer: CloseUpRenderer | None = None

    def _arena_of(self, layout: Layout, text_renderer: TextRenderer) -> tuple[ArenaRenderer, pygame.Surface]:
        rules = self.rules
        camera = Camera.fitting(rules.arena_width, rules.arena_height, layout.arena)
        left, top = camera.point(0, 0)
        wide, high = camera.length(rules.arena_width), camera.length(rules.arena_height)
        arena = pygame.Rect(round(left), round(top), max(1, round(wide)), max(1, round(high)))
        sprites = Sprites(camera.length(rules.bot_radius), rules.shield_degrees, rules)
        if self._key is None:
            background = arena_background(self.size, arena, layout.scale, film=self._film)
        else:
            background = pygame.Surface(self.size, 0, 32)
            background.fill(self._key)
        return ArenaRenderer(rules, camera, arena, layout.scale, text_renderer, sprites, self.display), background

    def pixel(self, x: float, y: float) -> tuple[int, int]:
        """Return the pixel of a logical point (1280 x 720, centred in the window)."""
        left, top = self._corner()
        return round(left + x * self.scale), round(top + y * self.scale)

    def _corner(self) -> tuple[float, float]:
        return (self.size[0] - theme.WIDTH * self.scale) / 2, (self.size[1] - theme.HEIGHT * self.scale) / 2

    def draw(self, target: pygame.Surface, scene: Scene, taken: Sequence[pygame.Rect] = ()) -> None:
        """Draw the whole scene on a surface of this renderer's size; words in the arena keep off what is `taken`."""
        commands = self._commands(scene, taken)
        self._last = target, commands
        target.blits(self._bare, doreturn=False)
        still = scene.shake == (0.0, 0.0) and scene.frame is None
        paint(target, commands[1:] if still else commands, [self.arena])
        self._hud.draw(target, scene)

    def draw_best(self, target: pygame.Surface, scene: Scene, best: BestPlay) -> None:
        """Draw the best play in a position over its scene, which shows the whole arena."""
        self._last = None
        draw_list = DrawList(self.arena)
        self._arena_renderer.draw_best(draw_list, scene, best)
        paint(target, draw_list.commands, [self.arena])

    def redraw(self, target: pygame.Surface, scene: Scene, taken: Sequence[pygame.Rect] = ()) -> list[pygame.Rect]:
        """Draw what differs from the last picture and return the rectangles that changed.

        `target` must still show the last picture drawn on it; on another surface everything is drawn.
        """
        if self._last is None or self._last[0] is not target:
            self.draw(target, scene, taken)
            return [target.get_rect()]
        last, commands = self._last[1], self._commands(scene, taken)
        self._last = target, commands
        changed = differing(last, commands, self.arena)
        paint(target, commands, changed)
        return [*changed, *self._hud.draw(target, scene, kept=True)]

    def _commands(self, scene: Scene, taken: Sequence[pygame.Rect]) -> list[DrawCommand]:
        draw_list, banner, taken = DrawList(self.arena), DrawList(self.arena), (*taken, *self._kept)
        band = self._draw_banner(banner, scene, scene.banner, taken) if scene.banner else None
        if self._key is not None:
            draw_floor(draw_list, self._background, self.arena, (0, 0))
            self._arena_renderer.draw_words(draw_list, scene, taken)
        elif scene.frame is not None:
            self._close_up().draw(draw_list, scene, scene.frame, taken, band)
        else:
            shake = (round(self.camera.length(scene.shake[0])), round(self.camera.length(scene.shake[1])))
            draw_floor(draw_list, self._background, self.arena, shake)
            self._arena_renderer.draw(draw_list, scene, taken, band, within=lambda _: self._room)
        draw_list.commands += banner.commands
        self._banners.notices(draw_list, scene.notices)
        return draw_list.commands

    def prepare(self) -> None:
        """Make ahead what takes long, while nothing moves yet."""
        if self.display.camera and not self.display.reduced_motion:
            self._close_up()

    def _close_up(self) -> CloseUpRenderer:
        if self._beside is not None:
            return self._beside._close_up()
        if self._closer is None:
            scale = self.layout.scale
            self._closer = CloseUpRenderer(
                self.rules, self.arena, scale, self._ui, self.display, film=self._film, room=self._room
            )
        return self._closer

    def camera_of(self, scene: Scene) -> Camera:
        """Return the camera of a scene's picture: that of the whole arena, or of the part that is shown."""
        if scene.frame is None:
            return self.camera
        return Camera.showing(scene.frame, self.arena.left, self.arena.top, self.arena.width)

    def _draw_banner(
        self, target: DrawList, scene: Scene, banner: Banner, taken: Sequence[pygame.Rect]
    ) -> pygame.Rect | None:
        """Draw the banner, which should hide no bot and is away from what is `taken`; return its band if it is open."""
        away = 2 * round(_BANNER_GAP * self.layout.scale)
        clear, wrecks = [rect.inflate(0, away) for rect in taken], list[pygame.Rect]()
        camera = self.camera_of(scene)
        size = round(camera.length(self.rules.bot_radius) * 2.6)
        for pose in scene.bots:
            place = pygame.Rect(0, 0, size, size)
            x, y = camera.point(pose.x, pose.y)
            place.center = round(x), round(y)
            (clear if pose.alive else wrecks).append(place)
        return self._banners.draw(target, banner, clear, wrecks)

    def draw_arena(self, target: pygame.Surface, scene: Scene | None) -> None:
        """Draw the arena alone with empty panels beside it, in the wide layout; an empty arena if `scene` is None."""
        self._last = None
        if self._attract is None:
            layout = Layout.fitted(self.size)
            arena_renderer, background = self._arena_of(layout, TextRenderer(layout.scale))
            hud = Hud(TextRenderer(layout.scale), Icons(), layout, self.display)
            for seat in (0, 1):
                hud.draw_panel(background, seat)
            self._attract = arena_renderer, background
        arena_renderer, background = self._attract
        target.blit(background, (0, 0))
        if scene is not None:
            draw_list = DrawList(arena_renderer.arena)
            arena_renderer.draw(draw_list, scene)
            paint(target, draw_list.commands, [arena_renderer.arena])

    def draw_loading(
        self,
        target: pygame.Surface,
        t: float,
        seats: tuple[SeatInfo, SeatInfo],
        words: str,
        *,
        failed: bool,
        prompts: tuple[str, str] = ("", ""),
        score: str = "",
    ) -> None:
        """Draw the arena before a match: names, prompts, and what is being loaded or why the match cannot start."""
        self._last = None
        target.blit(self._background, (0, 0))
        assert isinstance(self._hud, Hud), "films do not load"
        self._hud.draw_names(target, seats, prompts, score)
        if self._loading is None:
            calm, degrees = self.display.reduced_motion, self.rules.shield_degrees
            self._loading = LoadingPicture(self._text, self.layout.scale, self.arena, degrees, calm=calm)
        target.set_clip(self.arena)
        if failed:
            self._loading.draw_failure(target, words)
        else:
            self._loading.draw(target, t, seats, words, advice(self.rules))
        target.set_clip(None)
