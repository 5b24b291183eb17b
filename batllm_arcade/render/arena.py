"""The arena: bullets, effects and what lies over them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import pygame

from batllm_arcade.core.geometry import direction
from batllm_arcade.core.model import Rules
from batllm_arcade.render.arena_words import EffectLabels, Within
from batllm_arcade.render.background import arena_background, continue_floor, draw_floor, ring
from batllm_arcade.render.bots import BotRenderer
from batllm_arcade.render.draw_list import Box, DrawCommand, DrawList, differing, faded, mapped, paint, unit
from batllm_arcade.render.hud.bubbles import Bubbles
from batllm_arcade.render.sprites import Icons, Sprites, blit_centred
from batllm_arcade.render.telegraph import BestPlayRenderer, TelegraphRenderer
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view import theme
from batllm_arcade.view.camera import BEYOND, CLOSE, MIDDLE, Camera, Frame, frame
from batllm_arcade.view.look import effects as look
from batllm_arcade.view.look import motion
from batllm_arcade.view.look.motion import BEADS, TRACE_FADE, TRACE_LEAST, TRACE_LIGHT
from batllm_arcade.view.scene import Bullet, Effect, Point, Scene
from batllm_arcade.view.telegraph.person_turn import BestPlay
from batllm_arcade.view.theme import Color, mixed

_ADD = pygame.BLEND_RGB_ADD
_LIT = (36, 44, 74)  # the lightest floor: a fading line must not end darker than it


class BulletRenderer:
    """Draws bullets and traces of one arena."""

    def __init__(self, sprites: Sprites, scale: float) -> None:
        self._sprites, self._scale = sprites, scale
        shares = [bead / BEADS.number for bead in range(1, BEADS.number + 1)]
        self._beads = [(share, BEADS.size.at(share), BEADS.light.at(share)) for share in shares]

    def draw_bullet(self, target: DrawList, bullet: Bullet, camera: Camera) -> None:
        """Draw a bolt of light that is thin at its tail."""
        tail, head = camera.point(*bullet.tail), camera.point(*bullet.head)
        color, reach = theme.SEAT_COLORS[bullet.bot], BEADS.reach * self._scale
        beads = []
        for share, size, strength in self._beads:
            light = self._sprites.lights.glow(color, reach * size, strength)
            at = tail[0] + (head[0] - tail[0]) * share, tail[1] + (head[1] - tail[1]) * share
            beads.append((light, (at,)))
        target.lights(beads, _ADD)
        middle = ((tail[0] + head[0] * 2) / 3, (tail[1] + head[1] * 2) / 3)
        ux, uy = unit(tail, head)
        for nudge in (-0.8 * self._scale, 0.0, 0.8 * self._scale):
            x, y = -uy * nudge, ux * nudge
            ends = ((middle[0] + x, middle[1] + y), (head[0] + x, head[1] + y))
            target.line(mixed(color, theme.WHITE, 0.75), *ends)
        blit_centred(target, self._sprites.lights.glow(theme.WHITE, reach * BEADS.head, 1.0), head, _ADD)

    def draw_trace(self, target: DrawList, effect: Effect, t: float, camera: Camera) -> None:
        """Draw the fading line of a bullet's flight."""
        strength = TRACE_FADE.at(effect.age(t))
        ux, uy = direction(effect.degrees % 360)
        start = camera.point(*effect.at)
        end = camera.point(effect.at[0] + ux * effect.amount, effect.at[1] + uy * effect.amount)
        color = mixed(_LIT, theme.SEAT_COLORS[effect.bot], TRACE_LIGHT * strength)
        if strength > TRACE_LEAST:
            target.line(color, start, end)


class Effects:
    """Draws the effects of one arena; pictures are a function of the effect and the time."""

    def __init__(self, sprites: Sprites, scale: float, display: DisplayOptions) -> None:
        self._sprites, self._lights, self._scale, self._calm = sprites, sprites.lights, scale, display.reduced_motion

    def draw_below(self, target: DrawList, effect: Effect, t: float, camera: Camera) -> None:
        """Draw the part of an effect that is below the bots."""
        at, age, radius = camera.point(*effect.at), effect.age(t), self._sprites.radius
        if effect.kind == "knockout":
            light = motion.SCORCH_LIGHT.at(motion.SCORCH_HURRY * age)
            scorch = self._lights.puff(look.SCORCH, radius * motion.SCORCH_REACH, light)
            blit_centred(target, scorch, at)
        elif effect.kind == "dust" and not self._calm:
            puffs = motion.DUST.puffs(t - effect.start, at, effect.degrees, camera.length(effect.amount), radius)
            self._draw_puffs(target, look.DUST, puffs)

    def draw(self, target: DrawList, effect: Effect, t: float, camera: Camera) -> None:
        """Draw the part of an effect that is above the bots."""
        at, age, radius = camera.point(*effect.at), effect.age(t), self._sprites.radius
        if effect.kind == "muzzle":
            ux, uy = direction(effect.degrees % 360)
            at = (at[0] + ux * radius * look.MUZZLE, at[1] + uy * radius * look.MUZZLE)
        elif effect.kind in ("break", "fade"):
            if age <= 0.0:
                return
            self._draw_lost_shield(target, effect, at, age)
        elif effect.kind == "knockout" and age < motion.FLASH_AGE and not self._calm:
            target.flash(look.FLASH)
        for layer in look.LAYERS.get(effect.kind, ()):
            self._draw_layer(target, layer, effect, at, age)

    def _draw_layer(self, target: DrawList, layer: look.Layer, effect: Effect, at: Point, age: float) -> None:
        radius, lights, bot = self._sprites.radius, self._lights, effect.bot
        degrees = 0.0 if effect.kind == "knockout" else effect.degrees
        match layer:
            case look.GlowLayer(color, reach, light, hurry):
                glow = lights.glow(look.tinted(color, bot), radius * reach, light.at(hurry * age))
                blit_centred(target, glow, at, _ADD)
            case look.RingLayer(color, reach, light):
                halo = lights.ring(look.tinted(color, bot), radius * reach.at(age), light.at(age))
                blit_centred(target, halo, at, _ADD)
            case look.SparkLayer(turn=turn, hurry=hurry):
                self._draw_sparks(target, layer, bot, at, degrees + turn, min(1.0, age * hurry))
            case look.SplinterLayer(turn=turn) if not self._calm:
                self._draw_splinters(target, layer, bot, at, degrees + turn, age)
            case look.WaveLayer(delay=delay, lasts=lasts):
                part = (age - delay) / lasts
                if 0 < part < 1:
                    self._draw_shock_wave(target, layer, bot, at, part)
            case look.SmokeLayer(count) if not self._calm:
                self._draw_puffs(target, look.SMOKE, motion.SMOKE.puffs(count, at, radius, age))

    def _draw_lost_shield(self, target: DrawList, effect: Effect, at: Point, age: float) -> None:
        sprites, tint = self._sprites, mixed(look.shard_color(effect.bot), theme.FLOOR, age)
        shards = motion.SHARDS[effect.kind]
        for corners in shards.pieces(at, effect.degrees, sprites.shield_degrees, sprites.radius, age, calm=self._calm):
            target.polygon(tint, corners)

    def _draw_shock_wave(self, target: DrawList, layer: look.WaveLayer, bot: int, at: Point, part: float) -> None:
        """Draw a wide anti-aliased ring; too large and too short-lived for the cache."""
        color = mixed(look.tinted(layer.color, bot), theme.FLOOR, part)
        reach, wide = self._sprites.radius * layer.reach.at(part), max(layer.least, round(layer.wide * self._scale))
        target.circle(color, at, reach, wide)
        for edge in (reach - 0.5, reach - wide + 0.5):
            target.outline(color, ring(at, edge))

    def _draw_puffs(self, target: DrawList, color: Color, puffs: list[motion.Puff]) -> None:
        for x, y, radius, light in puffs:
            blit_centred(target, self._lights.puff(color, radius, light), (x, y))

    def _draw_sparks(
        self, target: DrawList, layer: look.SparkLayer, bot: int, at: Point, degrees: float, age: float
    ) -> None:
        if age >= 1.0:
            return
        sparks, color = motion.SPARKS, look.tinted(layer.color, bot)
        count = layer.number // sparks.calm if self._calm else layer.number
        spread = 2 * self._sprites.shield_degrees if layer.spread is None else layer.spread
        light = sparks.light.at(age)
        tint = mixed(mixed(theme.WHITE, color, sparks.tint.at(age)), theme.FLOOR, 1 - light)
        size = max(sparks.least, sparks.ember * self._scale)
        ember = self._lights.glow(theme.WHITE if age < sparks.white else color, size, light)
        along = motion.rays(count, round(degrees), spread, sparks.nearest)
        lines = sparks.streaks(along, at, self._sprites.radius * layer.reach, age)
        target.spray(tint, lines, [(ember, [end for _, end in lines])], _ADD)

    def _draw_splinters(
        self, target: DrawList, layer: look.SplinterLayer, bot: int, at: Point, degrees: float, age: float
    ) -> None:
        splinters, radius = motion.SPLINTERS, self._sprites.radius
        along = motion.rays(layer.number, round(degrees), layer.spread, splinters.nearest)
        light = splinters.light.at(age)
        for number, (x, y, turned) in enumerate(splinters.pieces(along, at, radius * layer.reach, age)):
            blit_centred(target, faded(self._lights.splinter(bot, radius, number, int(turned)), light), (x, y))


_BUBBLE_DELAY_S = 0.5
"""Seconds of thinking before a bubble appears, so that scripted bots never show one."""
_LARGER_WORDS = 1.3 / CLOSE
"""How much larger the words of close-ups are made, for each time that an arena is drawn larger."""


class ArenaRenderer:
    """Draws one arena's bots, bullets, effects and bubbles."""

    def __init__(
        self,
        rules: Rules,
        camera: Camera,
        arena: pygame.Rect,
        scale: float,
        text_renderer: TextRenderer,
        sprites: Sprites,
        display: DisplayOptions,
    ) -> None:
        self.camera, self.arena, self._display = camera, arena, display
        self._bot_renderer = BotRenderer(sprites, scale, display)
        self._bullet_renderer = BulletRenderer(sprites, scale)
        self._telegraphs = TelegraphRenderer(sprites, scale, text_renderer, display)
        self._effects = Effects(sprites, scale, display)
        self._words = EffectLabels(text_renderer, Icons(), scale, sprites.radius, display)
        self._bubbles = Bubbles(text_renderer, scale, sprites.radius)
        self._best_plays = BestPlayRenderer(sprites, scale, text_renderer)

    def draw_best(self, target: DrawList, scene: Scene, best: BestPlay) -> None:
        """Draw the best play in the scene's position over it; all of the arena must be shown."""
        self._best_plays.draw(target, scene, best, self.camera)

    def draw(
        self,
        target: DrawList,
        scene: Scene,
        taken: Sequence[pygame.Rect] = (),
        covered: pygame.Rect | None = None,
        *,
        camera: Camera | None = None,
        within: Within | None = None,
        scarce: Sequence[pygame.Rect] | None = None,
    ) -> None:
        """Draw the scene; `target` must be clipped to what is shown of the arena: all of it unless a camera is given.

        Words keep off what is `taken`, or of these places off the `scarce` ones where there is no room else, and stay
        `within` a part of what is shown; those that a banner covers are left out.
        """
        still = camera or self.camera
        camera = still.shifted(*scene.shake)
        walls = self.arena.move(round(still.left - self.camera.left), round(still.top - self.camera.top))
        inside = target.clip.clip(walls)
        for effect in scene.effects:
            self._effects.draw_below(target, effect, scene.t, camera)
            if effect.kind == "trace":
                self._bullet_renderer.draw_trace(target, effect, scene.t, camera)
        shown = self._telegraphs.shown(scene)
        if shown is not None:
            self._telegraphs.draw_below(target, shown, camera)
        for index in (0, 1):
            self._bot_renderer.draw(target, scene, index, camera, inside)
        if shown is not None:
            self._telegraphs.draw(target, scene, shown, camera)
        for bullet in scene.bullets:
            self._bullet_renderer.draw_bullet(target, bullet, camera)
        for effect in scene.effects:
            self._effects.draw(target, effect, scene.t, camera)
        covered = covered or pygame.Rect(0, 0, 0, 0)
        bubbles: list[pygame.Rect] = []
        if scene.thinking is not None or any(effect.kind == "speech" for effect in scene.effects):
            bubbles = self._draw_bubbles(target, scene, camera, taken, covered, inside)
        taken, scarce = [*taken, *bubbles], None if scarce is None else [*scarce, *bubbles]
        words = self._words.draw(target, scene, still, taken, covered, within or (lambda _: inside), scarce)
        if shown is not None:
            self._telegraphs.draw_words(target, scene, shown, camera, [*taken, *words])

    def draw_words(self, target: DrawList, scene: Scene, taken: Sequence[pygame.Rect]) -> None:
        """Draw the words that pop up in the whole arena alone, off what is `taken`."""
        self._words.draw(target, scene, self.camera, taken, pygame.Rect(0, 0, 0, 0), lambda _: self.arena)

    def _draw_bubbles(
        self, target: DrawList, scene: Scene, camera: Camera, taken: Sequence[pygame.Rect], covered: pygame.Rect,
        inside: pygame.Rect,
    ) -> list[pygame.Rect]:  # fmt: skip
        """Draw what both bots say or think `inside` what is shown, unless a banner covers it; return where."""
        drawn: list[pygame.Rect] = []
        for index in (0, 1):
            bubble = DrawList(inside)
            rects = self._draw_bubble(bubble, scene, index, camera, [*taken, *drawn])
            if not any(rect.colliderect(covered) for rect in rects):
                target.commands += bubble.commands
                drawn += rects
        return drawn

    def _draw_bubble(
        self, target: DrawList, scene: Scene, index: int, camera: Camera, taken: Sequence[pygame.Rect]
    ) -> list[pygame.Rect]:
        pose, foe, thinking = scene.bots[index], scene.bots[1 - index], scene.thinking
        at, other = camera.point(pose.x, pose.y), camera.point(foe.x, foe.y)
        speech = [effect for effect in scene.effects if effect.kind == "speech" and effect.bot == index]
        if speech and pose.alive:
            return [self._bubbles.draw(target, speech[-1], scene.t, at, other, taken)]
        if thinking is None or thinking.bot != index or thinking.human or not self._display.bubbles or not pose.alive:
            return []
        if thinking.seconds < _BUBBLE_DELAY_S:
            return []
        dots = 1 if self._display.reduced_motion else int(scene.t * 3) % 3
        return [self._bubbles.draw_thought(target, thinking.text, dots, index, at, other, taken)]


class CloseUpRenderer:
    """Draws close-ups of an arena given in pixels; made once, because it paints the whole floor anew.

    Words pop up in the part of the picture that is `room` for them, if that is not all of it.
    """

    def __init__(
        self, rules: Rules, arena: pygame.Rect, scale: float, ui_scale: float, display: DisplayOptions,
        *, film: bool = False, room: pygame.Rect | None = None,
    ) -> None:  # fmt: skip
        self._room = room or arena
        self._arena, self._size = arena, (rules.arena_width, rules.arena_height)
        beyond = round(BEYOND * arena.width * CLOSE / rules.arena_width)
        self._whole = pygame.Rect(beyond, beyond, round(arena.width * CLOSE), round(arena.height * CLOSE))
        self._sheet_rect = pygame.Rect(0, 0, self._whole.width + 2 * beyond, self._whole.height + 2 * beyond)
        self._camera = Camera.fitting(rules.arena_width, rules.arena_height, (beyond, beyond, *self._whole.size))
        sprites = Sprites(self._camera.length(rules.bot_radius), rules.shield_degrees, rules)
        self._floor = arena_background(self._sheet_rect.size, self._whole, scale * CLOSE, film=film)
        continue_floor(self._floor, self._whole)
        text = TextRenderer(scale * ui_scale * _LARGER_WORDS * CLOSE)
        self._renderer = ArenaRenderer(rules, self._camera, self._whole, scale * CLOSE, text, sprites, display)
        self._sheet = ScaledSheet(self._sheet_rect.size)
        self._closest_to = lru_cache(maxsize=64)(self._closest)

    def draw(
        self,
        target: DrawList,
        scene: Scene,
        shown: Frame,
        taken: Sequence[pygame.Rect] = (),
        covered: pygame.Rect | None = None,
    ) -> None:
        """Draw what is in the frame over the whole arena; `taken` and `covered` are as for the whole arena.

        Where the camera is closest nothing is scaled, and the commands are those of an arena that is drawn larger: only
        what changes is painted.
        """
        arena, place = self._arena, self._place(shown)
        scaled = place.size != arena.size
        part = DrawList(place) if scaled else target
        moved = (0, 0) if scaled else (arena.left - place.left, arena.top - place.top)
        shake = (round(self._camera.length(scene.shake[0])), round(self._camera.length(scene.shake[1])))
        draw_floor(part, self._floor, self._sheet_rect, shake, moved)
        middles = tuple((pose.x, pose.y) for pose in scene.bots)
        nearest = self._closest_to(middles, shown.anchor)
        self._renderer.draw(
            part,
            scene,
            [self._kept_off(rect, nearest).move(moved) for rect in taken],
            mapped(covered, arena, place).move(moved) if covered else None,
            camera=Camera(self._camera.scale, self._camera.left + moved[0], self._camera.top + moved[1]),
            scarce=[mapped(rect, arena, nearest).move(moved) for rect in taken],
            within=lambda bots: self._room_at(tuple(bots) or middles, shown.anchor).move(moved),
        )
        if scaled:
            self._sheet.record(target, part.commands, place)

    def _room_at(self, bots: tuple[Point, ...], anchor: Point) -> pygame.Rect:
        return mapped(self._room, self._arena, self._closest_to(bots, anchor)).clip(self._whole)

    def _place(self, shown: Frame) -> pygame.Rect:
        left, top = self._camera.point(shown.left, shown.top)
        wide, high = self._camera.length(shown.width), self._camera.length(shown.height)
        return pygame.Rect(round(left), round(top), round(wide), round(high)).clamp(self._sheet_rect)

    def _closest(self, bots: tuple[Point, Point], anchor: Point = MIDDLE) -> pygame.Rect:
        return self._place(frame(bots, self._size, 1.0, anchor))

    def _kept_off(self, rect: pygame.Rect, closest: pygame.Rect) -> pygame.Rect:
        """Return what lies below a rectangle of the picture on the camera's whole way."""
        return mapped(rect, self._arena, closest).union(mapped(rect, self._arena, self._whole))


class ScaledSheet:
    """A surface of which a part at a time is shown, scaled; only what differs from the last picture is painted."""

    def __init__(self, size: tuple[int, int]) -> None:
        self._surface = pygame.Surface(size)
        self._shown: list[DrawCommand] = []

    def record(self, target: DrawList, commands: Iterable[DrawCommand], part: pygame.Rect) -> None:
        """Record that what these commands paint on that part of the sheet fills the list's clip, scaled."""
        box = tuple(target.clip)
        target.commands.append((self._paint, box, box, tuple(commands), tuple(part)))

    def _paint(self, target: pygame.Surface, box: Box, commands: tuple[DrawCommand, ...], part: Box) -> None:
        self._show([*commands])
        size, sheet = box[2:], self._surface
        alike = sheet.get_masks() == target.get_masks()  # bytes are written, whatever colours they stand for
        if alike and target.get_rect().contains(box):
            pygame.transform.smoothscale(sheet.subsurface(part), size, target.subsurface(box))
        else:
            target.blit(pygame.transform.smoothscale(sheet.subsurface(part), size), box)

    def _show(self, commands: list[DrawCommand]) -> None:
        """Paint the whole sheet: what is outside of the part comes into view when the camera moves."""
        whole = self._surface.get_rect()
        paint(self._surface, commands, differing(self._shown, commands, whole) if self._shown else [whole])
        self._shown = commands
