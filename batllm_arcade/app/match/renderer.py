"""The match as a picture, its buttons included."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pygame

from batllm_arcade.app.kit.canvas import Canvas
from batllm_arcade.app.kit.keycaps import CornerButton
from batllm_arcade.app.match import guide as card
from batllm_arcade.app.match import notifications
from batllm_arcade.app.match.buttons import MatchButton
from batllm_arcade.app.match.frame import MatchFrame
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.view import theme
from batllm_arcade.view.layout import Layout
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.theme import Color, mixed

_FINE = 4
_SIZES, _LONGEST = (21, 19, 17, 15, 14, 13), "SHIELD"
_ROOMY = 76
"""Logical pixels in a button from which on its sign is large."""


def places(layout: Layout, buttons: Sequence[MatchButton]) -> dict[str, pygame.Rect]:
    """Return where each button is, by its name, in pixels."""
    found: dict[str, pygame.Rect] = {}
    tools = layout.tools if len(layout.tools) == 2 else (layout.tools * 2)
    if layout.actions is None or not tools:
        return found
    groups = [[button for button in buttons if button.group == group] for group in range(3)]
    if len(layout.tools) == 1:
        groups = [groups[0], [*groups[1], *groups[2]], []]
    for box, group in zip((layout.actions, *tools), groups, strict=True):
        gap = max(2, round(7 * layout.scale))
        wide = (box[2] - gap * (len(group) - 1)) / max(1, len(group))
        for index, button in enumerate(group):
            left, right = box[0] + index * (wide + gap), box[0] + index * (wide + gap) + wide
            found[button.name] = pygame.Rect(round(left), box[1], round(right) - round(left), box[3])
    return found


class ButtonStrip:
    """Draws the buttons of one layout; a strip is painted anew only when something about it has changed."""

    def __init__(self, layout: Layout, ui_scale: float) -> None:
        self._layout, self._text = layout, TextRenderer(layout.scale * ui_scale)
        self._kept: dict[str, tuple[MatchButton, pygame.Surface]] = {}
        self._narrowest = 0
        self.places: dict[str, pygame.Rect] = {}
        """Where the buttons are that were placed last."""

    def place(self, buttons: Sequence[MatchButton]) -> None:
        """Give the buttons their places."""
        self.places = places(self._layout, buttons)
        acts = [
            self.places[button.name].width for button in buttons if button.group == 0 and button.name in self.places
        ]
        self._narrowest = min(acts, default=0)

    def draw(self, target: pygame.Surface, buttons: Sequence[MatchButton]) -> None:
        """Draw them where they were placed."""
        for button in buttons:
            if button.name in self.places:
                target.blit(self._picture(button, self.places[button.name].size), self.places[button.name])

    def at(self, pos: tuple[int, int]) -> str:
        """Return the name of the button at a pixel, "" if there is none."""
        return next((name for name, place in self.places.items() if place.collidepoint(pos)), "")

    def _picture(self, button: MatchButton, size: tuple[int, int]) -> pygame.Surface:
        kept = self._kept.get(button.name)
        if kept is None or kept[0] != button or kept[1].get_size() != size:
            kept = self._kept[button.name] = button, self._painted(button, size)
        return kept[1]

    def _painted(self, button: MatchButton, size: tuple[int, int]) -> pygame.Surface:
        fill, edge, word, key = _colors(button)
        surface = pygame.Surface(size, pygame.SRCALPHA)
        scale, whole = self._layout.scale, surface.get_rect()
        radius, depth = round(9 * scale), max(1, round(3 * scale))
        face = whole.copy()
        face.height -= depth
        if button.pressed:
            face.top += depth
        else:
            pygame.draw.rect(surface, mixed(theme.NIGHT, edge, 0.35), whole, border_radius=radius)
        pygame.draw.rect(surface, fill, face, border_radius=radius)
        pygame.draw.rect(surface, edge, face, max(1, round(1.5 * scale)), border_radius=radius)
        self._paint_words(surface, button, face, word, key)
        return surface

    def _paint_words(
        self, surface: pygame.Surface, button: MatchButton, face: pygame.Rect, word: Color, key: Color
    ) -> None:
        text, scale = self._text, self._layout.scale
        room = (self._narrowest if button.group == 0 else face.width) - round(8 * scale)  # a pixel more changes no size
        acts = button.group == 0
        line = text.fitted(button.words, "label", 16, word, room)
        icon = _icon(button.name, round((20 if room > _ROOMY * scale else 15) * scale), word) if acts else None
        beside = icon.get_width() + round((6 if room > _ROOMY * scale else 3) * scale) if icon is not None else 0
        if acts:  # all in the size in which the longest word has room for its sign
            fits = (size for size in _SIZES if text.measure(_LONGEST, "title", size) + beside <= room)
            line = text.fitted(button.words, "title", next(fits, _SIZES[-1]), word, room)
        wide = line.get_width() + beside
        if icon is not None and wide > room:
            icon, wide = None, line.get_width()
        below = text.fitted(button.key, "bold", 14, key, room)
        high = line.get_height() + (below.get_height() - round(3 * scale) if button.key else 0)
        top = face.centery - high / 2
        left, middle = face.centerx - wide / 2, top + line.get_height() / 2
        if icon is not None:
            after = button.name == "right"
            at = left + line.get_width() + round(6 * scale) if after else left
            surface.blit(icon, (round(at), round(middle - icon.get_height() / 2)))
            left += 0 if after else icon.get_width() + round(6 * scale)
        surface.blit(line, (round(left), round(top)))
        if button.key:
            surface.blit(below, below.get_rect(midbottom=(face.centerx, round(top + high))))
        if button.look == "refused":
            pygame.draw.line(
                surface, word, (left - 2, middle), (left + line.get_width() + 2, middle), max(2, round(2 * scale))
            )


def _colors(button: MatchButton) -> tuple[Color, Color, Color, Color]:
    own = theme.SOFT if button.bot is None else theme.SEAT_COLORS[button.bot]
    if button.look == "off":
        return mixed(theme.NIGHT, theme.PANEL, 0.8), theme.PANEL_EDGE, theme.DIM, mixed(theme.PANEL, theme.DIM, 0.7)
    if button.look == "refused":
        edge = mixed(theme.PANEL_EDGE, theme.DANGER, 0.45)
        return mixed(theme.PANEL, theme.DANGER, 0.10 if not button.hovered else 0.2), edge, theme.DIM, theme.DIM
    own = theme.GOLD if button.look == "lit" else own
    if button.pressed:
        return own, own, theme.NIGHT, mixed(own, theme.NIGHT, 0.7)
    plain = 0.16 if button.group == 0 else 0.06
    share = 0.36 if button.hovered else 0.26 if button.look == "lit" else plain
    edge = (
        own if button.hovered or button.look == "lit" else mixed(theme.PANEL_EDGE, own, 0.6 if button.group == 0 else 0)
    )
    word = theme.TEXT if button.group == 0 or button.hovered else theme.SOFT
    return mixed(theme.PANEL, own, share), edge, word, own if button.group == 0 else theme.SOFT


def _icon(name: str, size: int, color: Color) -> pygame.Surface | None:
    """Return an action's sign."""
    big = pygame.Surface((size * _FINE, size * _FINE), pygame.SRCALPHA)
    side = size * _FINE
    thick = max(2, side // 8)

    def at(x: float, y: float) -> tuple[float, float]:
        return x * side, y * side

    if name in ("left", "right"):
        pygame.draw.arc(big, color, pygame.Rect(at(0.14, 0.2), at(0.72, 0.72)), 0.35, 2.6, thick)
        points = [at(0.02, 0.30), at(0.40, 0.34), at(0.12, 0.62)]
        pygame.draw.polygon(big, color, points)
        if name == "right":
            big = pygame.transform.flip(big, True, False)
    elif name == "retreat":
        for low in (0.12, 0.48):
            pygame.draw.lines(big, color, False, [at(0.18, low), at(0.5, low + 0.34), at(0.82, low)], thick)
    elif name == "move":
        for low in (0.52, 0.88):
            pygame.draw.lines(big, color, False, [at(0.18, low), at(0.5, low - 0.34), at(0.82, low)], thick)
    elif name == "fire":
        pygame.draw.circle(big, color, at(0.5, 0.5), side * 0.17)
        pygame.draw.circle(big, color, at(0.5, 0.5), side * 0.34, max(2, side // 14))
        for x, y in ((0.5, 0.04), (0.5, 0.96), (0.04, 0.5), (0.96, 0.5)):
            pygame.draw.line(big, color, at(x, y), at((x + 0.5) / 2, (y + 0.5) / 2), thick)
    elif name == "shield":
        outline = [at(0.14, 0.16), at(0.5, 0.04), at(0.86, 0.16), at(0.80, 0.60), at(0.5, 0.95), at(0.20, 0.60)]
        pygame.draw.polygon(big, color, outline, thick)
    elif name == "wait":
        for x in (0.18, 0.5, 0.82):
            pygame.draw.circle(big, color, at(x, 0.5), side * 0.1)
    else:
        return None
    return pygame.transform.smoothscale(big, (size, size))


_NOTES_BELOW, _NOTES_BELOW_HINT, _NOTES_BELOW_SENTENCE = 12.0, 64.0, 116.0
"""Logical units from the arena's top to the notices, and that with a hint or a person's sentence above them."""


class MatchRenderer:
    """Draws one match's frames; pictures that take long to make are kept until something about them changes."""

    def __init__(self) -> None:
        self._renderer: Renderer | None = None
        self._strip: ButtonStrip | None = None
        self._canvas: Canvas | None = None
        self._corner = CornerButton("pause")

    def button_at(self, pos: tuple[int, int]) -> str:
        """Return the name of the button at a pixel, `pause` for the one at the top left, "" for none."""
        if self._canvas is not None and self._corner.BOX.holds(*self._canvas.logical(pos)):
            return "pause"
        return self._strip.at(pos) if self._strip is not None else ""

    def world(self, pos: tuple[int, int]) -> tuple[float, float] | None:
        """Return the point of the arena at a pixel, in world units; None outside of the arena."""
        renderer = self._renderer
        if renderer is None or not renderer.arena.collidepoint(pos):
            return None
        camera = renderer.camera
        return (pos[0] - camera.left) / camera.scale, (pos[1] - camera.top) / camera.scale

    def lay_out(self, size: tuple[int, int], frame: MatchFrame) -> None:
        """Give everything its place in a window of this size, in pixels."""
        kept, display = self._renderer, frame.display
        if kept is None or (kept.size, kept.rules, kept.display) != (size, frame.rules, display):
            self._renderer = kept = Renderer(size, frame.rules, display, live=True)
            kept.prepare()
            self._strip = ButtonStrip(kept.layout, display.ui_scale)
        if self._canvas is None or (self._canvas.size, self._canvas.ui_scale) != (size, display.ui_scale):
            self._canvas = Canvas(size, display.ui_scale)
        if self._strip is not None and frame.scene is not None:
            self._strip.place(frame.buttons)
        self._corner.hovered = frame.corner == "hovered"

    def draw(self, target: pygame.Surface, frame: MatchFrame) -> None:
        """Draw the frame that was laid out last over the whole surface."""
        renderer, canvas = self._renderer, self._canvas
        assert renderer is not None, "it has not been laid out"
        assert canvas is not None
        canvas.target = target
        if frame.scene is None:
            loading = frame.loading
            renderer.draw_loading(
                target, frame.now, loading.seats, loading.progress, failed=loading.failed, prompts=loading.prompts,
                score=loading.score,
            )  # fmt: skip
        else:
            self._draw_scene(canvas, renderer, frame, frame.scene)
        if frame.corner:
            self._corner.draw(canvas)

    def _draw_scene(self, canvas: Canvas, renderer: Renderer, frame: MatchFrame, scene: Scene) -> None:
        target = canvas.target
        box = card.place(canvas, renderer.arena, frame.guide) if frame.guide is not None else None
        top, tall = renderer.arena.top / canvas.scale, renderer.arena.height / canvas.scale
        if box is not None and scene.telegraph is not None:
            covered = ((box.y - top) / tall, (box.bottom - top) / tall)
            scene = replace(scene, telegraph=replace(scene.telegraph, covered=covered))
        renderer.draw(target, scene)
        if frame.best is not None:
            renderer.draw_best(target, scene, frame.best)
        if self._strip is not None:
            self._strip.draw(target, frame.buttons)
        if frame.turn is not None:
            renderer.draw_hint(target, frame.turn.words, color=frame.turn.color, top=frame.turn.top)
        below = notes_below(frame, scene)
        if frame.guide is not None and box is not None:
            card.draw(canvas, box, frame.guide)
            if box.y - top < _NOTES_BELOW + 30:
                below = box.bottom - top + 6
        notifications.draw(canvas, renderer.arena, frame.notes, below)


def notes_below(frame: MatchFrame, scene: Scene) -> float:
    """Return how far below the arena's top the notices begin, so that they lie over no words; logical units."""
    if scene.telegraph is not None and scene.telegraph.banner and scene.telegraph.place == "top":
        return _NOTES_BELOW_SENTENCE
    return _NOTES_BELOW_HINT if frame.turn is not None and frame.turn.top else _NOTES_BELOW
