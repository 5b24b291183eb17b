"""Frames of a film: the match as in the window, and what lies over it."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pygame
from numpy.typing import NDArray

from batllm_arcade.match.records import Play, RoundEnded, RoundStarted
from batllm_arcade.render.health_chart import HealthChart
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.render.sprites import lay_light
from batllm_arcade.render.text import Cache, TextRenderer
from batllm_arcade.video.draw.cards import CardPainter, Cards, FilmRenderer, canvas, side_by_side
from batllm_arcade.video.edit.captions import Place, places_between
from batllm_arcade.video.edit.cards import FilmCards, standings
from batllm_arcade.video.edit.edit_list import Cut, EditList, EditMoment
from batllm_arcade.video.edit.text import by_game
from batllm_arcade.view import theme
from batllm_arcade.view.animation import Segment
from batllm_arcade.view.camera import MIDDLE, CloseUp, Point
from batllm_arcade.view.layout import TALL_TYPE, FilmKind, Layout
from batllm_arcade.view.scene import Effect, Scene, Scoreboard
from batllm_arcade.view.statistics import report
from batllm_arcade.view.theme import Color, mixed
from batllm_arcade.view.timeline import Timeline, close_up, fits_segment

# The picture, and what lies over it


class Cover(NamedTuple):
    """A picture over a match and where it is blitted, with which flags; `light` tells those of one surface apart.

    One that is lower than its place is blitted there again and again, downwards.
    """

    image: pygame.Surface
    rect: pygame.Rect
    flags: int = 0
    light: int = 0


class Layers:
    """The picture (`surface`), on which a match is drawn between `uncover` and `show_match`."""

    def __init__(self, size: tuple[int, int], cards: Cards) -> None:
        self.surface = canvas(size)
        self._cards = cards
        self._covers: list[Cover] | None = None
        """What lies over the match, None where that is a card, or nothing was shown yet."""
        self._below: list[tuple[pygame.Surface, pygame.Rect]] = []

    def show_card(self, film_t: float) -> list[pygame.Rect]:
        """Draw the card that is shown at `film_t`; return what changed."""
        if self._covers is not None or not self._below:
            self.uncover()
            self._keep([self.surface.get_rect()])
            self._covers = None
        return self._cards.draw(self.surface, film_t)

    def uncover(self) -> None:
        """Take away what lies over the match, so that `surface` shows what was drawn of it last."""
        for kept, rect in self._below:
            self.surface.blit(kept, rect)
        self._below = []

    def show_match(self, changed: Sequence[pygame.Rect], covers: list[Cover]) -> list[pygame.Rect]:
        """Lay `covers` over a match of which that has changed; return what changed in the picture."""
        self._cards.forget()
        whole = self.surface.get_rect()
        before, self._covers = self._covers, covers
        rects = [cover.rect.clip(whole) for cover in covers]
        self._keep(rects)
        for image, rect, flags, _ in covers:
            self.surface.set_clip(rect)
            for top in range(rect.top, rect.bottom, image.get_height()):
                self.surface.blit(image, (rect.left, top), special_flags=flags)
        self.surface.set_clip(None)
        if before is None:
            return [whole]
        return [*changed] if before == covers else [*changed, *(cover.rect.clip(whole) for cover in before), *rects]

    def _keep(self, rects: list[pygame.Rect]) -> None:
        self._below = [(self.surface.subsurface(rect).copy(), rect) for rect in rects]


class LayeredRenderer(ABC):
    """Draws a film's frames on `surface`, each a function of its time alone: its cards, and a match between these."""

    def __init__(self, layers: Layers, edit_list: EditList) -> None:
        self._layers, self._edit_list = layers, edit_list

    @property
    def surface(self) -> pygame.Surface:
        """Return what the last frame was drawn on."""
        return self._layers.surface

    def draw(self, film_t: float) -> list[pygame.Rect]:
        """Draw the frame `film_t` seconds into the film; return the rectangles that changed since the last one."""
        moment = self._edit_list.at(film_t)
        return self._layers.show_card(film_t) if moment is None else self._draw_match(moment)

    @abstractmethod
    def _draw_match(self, moment: EditMoment) -> list[pygame.Rect]:
        """Draw a moment of the match; return the rectangles that changed since the last frame."""


# Ribbons, games' cards and flashes

_FLASH_S, _FLASH_LIGHT, _FLASH_ROWS = 0.22, 40, 32
"""How long a cut's flash takes, how bright it is of 255, and the rows that are lit at a time: few enough for the
processor's cache."""
_TEXT, _SMALLER = 28, 0.85  # of a ribbon; times that where it saves a row
_EDGE, _ROWS = 14, 10  # to the arena's wall; heights at which a ribbon may be
_LITTLE = 0.004  # of what bots are behind a ribbon that makes no difference
_MOST_ROWS, _MOST_OF_LARGE = 3, 4  # of ribbons, and of those in larger type
_KEPT_ROWS = 2  # of ribbons, for which there are no other words in the arena before
_SCORE = re.compile(r"(.*?)(\d+(?:\.\d+)?)( : )(\d+(?:\.\d+)?)")
"""A text that ends with a score, and that: what is left of it, both numbers, and what is between them."""
_HEADS = ("lead change", "next hit wins", "comeback", "turning point")

_Form = tuple[float, tuple[str, ...]]
"""How a ribbon is set: its size of type and its rows."""


class Overlay:
    """Draws on pictures of a layout with its arena; `ribbons` are the texts of highlights that may be at its top.

    After `until`, in seconds of the timeline, there are none.
    """

    def __init__(self, layout: Layout, arena: pygame.Rect, *, ribbons: Iterable[str], until: float = math.inf) -> None:
        self._arena, self._until = arena, until
        self._room = arena.clip(layout.free) if layout.free else arena
        """The part of the arena in which words may be."""
        self._scale = layout.scale * (TALL_TYPE if layout.words is not None else 1.0)
        self._scale *= _SMALLER if layout.free else 1.0
        self._most_rows = _MOST_ROWS if layout.words is None else _MOST_OF_LARGE
        self._text_renderer = TextRenderer(self._scale)
        self._cache = Cache(24)
        first = [self._forms(text)[0] for text in set(ribbons) if text]
        low = [(size, rows[:_KEPT_ROWS]) for size, rows in first]
        self._ribbon_height = max((self._size_of(*form)[1] for form in low), default=0)

    def place(self, moment: EditMoment, bots: Sequence[Place] = ()) -> list[Cover]:
        """Return the highlight's text of a moment with its place: over nothing that happens.

        `bots` is where both are while that text is shown.
        """
        if moment.cut.card is not None:
            card = moment.cut.card
            picture = self._cache.get(("card", card), lambda: self._game_card(card))
            return [Cover(picture, self._arena.copy())]
        return [self._place_text(moment.cut, bots)] if moment.cut.text else []

    def kept_free(self, moment: EditMoment, placed: list[Cover]) -> list[pygame.Rect]:
        """Return where the arena should have no words: those places, and where the text of a highlight will be."""
        found = [each.rect for each in placed]
        if self._ribbon_height and not moment.cut.text and moment.t < self._until:
            top = self._room.top + self._px(_EDGE)
            strip = pygame.Rect(self._room.left, top, self._room.width, self._ribbon_height)
            if moment.cut.low:
                strip.bottom = self._room.bottom - self._px(_EDGE)
            found.append(strip)
        return found

    def covers(self, moment: EditMoment, placed: list[Cover]) -> list[Cover]:
        """Return all that lies over the match at a moment, the lowest first."""
        if moment.cut.entry == "flash" and moment.age < _FLASH_S:
            return [*placed, self._flash(1 - moment.age / _FLASH_S)]
        return placed

    def _place_text(self, cut: Cut, bots: Sequence[Place]) -> Cover:
        """Return the highlight's text on a ribbon at the arena's top, or at its bottom if the cut asks for that.

        Where a bot is behind it, it is beside that, at the other end, in more rows, or between both ends; at last it
        says only what turns the game, not how.
        """
        bodies = [self._body(*place) for place in bots]
        little = _LITTLE * sum(body.w * body.h for body in bodies) + 1
        head = next((head for head in _HEADS if cut.text.lower().startswith(f"{head}:")), "")
        spots = (
            (form, spot)
            for text in (cut.text, head)
            if text
            for places in (self._ends, self._between)
            for form, size in [(form, self._size_of(*form)) for form in self._forms(text)]
            for spot in places(size, low=cut.low)
        )
        form, spot = min(spots, key=lambda each: _covered(each[1], bodies) // little)
        return Cover(self._cache.get(("text", cut.bot, form), lambda: self._ribbon(cut.bot, *form)), spot)

    def _ends(self, size: tuple[int, int], *, low: bool) -> Iterator[pygame.Rect]:
        area = self._ribbon_area
        for at_bottom in (low, not low):
            for x in (area.centerx - size[0] // 2, area.left, area.right - size[0]):
                yield pygame.Rect((x, area.bottom - size[1] if at_bottom else area.top), size)

    def _between(self, size: tuple[int, int], *, low: bool) -> Iterator[pygame.Rect]:
        area = self._ribbon_area
        right, bottom = area.right - size[0], area.bottom - size[1]
        heights = range(area.top, bottom, max(1, (bottom - area.top) // _ROWS))
        for y in reversed(heights) if low else heights:
            for share in (0.5, 0.0, 1.0, 0.25, 0.75):
                yield pygame.Rect((round(area.left + share * (right - area.left)), y), size)

    @property
    def _ribbon_area(self) -> pygame.Rect:
        return self._room.inflate(-2 * self._px(_EDGE), -2 * self._px(_EDGE))

    def _game_card(self, card: tuple[str, str, str]) -> pygame.Surface:
        game, score, how = card
        surface = pygame.Surface(self._arena.size, 0, 32)
        surface.fill(theme.NIGHT)
        area, text, colors = surface.get_rect(), self._text_renderer, theme.SEAT_COLORS
        wide = 1.8 * min(self._arena.centerx - self._room.left, self._room.right - self._arena.centerx)
        for bot, at in enumerate((area.midleft, area.midright)):
            lay_light(surface, colors[bot], 0.6 * area.width, 0.45, at)
        title = text.fitted(game.upper(), "title", 84, theme.TEXT, wide)
        parts = zip((*score.partition(" : "),), (colors[0], theme.GOLD, colors[1]), strict=True)
        won = side_by_side([text.line(part, "title", 96, color) for part, color in parts])
        below = [text.line(row, "label", 36, theme.SOFT) for row in text.rows(how, "label", 36, wide, 2)]
        surface.blit(title, title.get_rect(midbottom=area.center))
        surface.blit(won, won.get_rect(midtop=area.center))
        top = area.centery + won.get_height()
        for row in below:
            top = surface.blit(row, row.get_rect(midtop=(area.centerx, top))).bottom
        return surface

    def _ribbon(self, bot: int | None, size: float, rows: tuple[str, ...]) -> pygame.Surface:
        color = theme.GOLD if bot is None else theme.SEAT_COLORS[bot]
        lines = [self._row(row, size) for row in rows]
        surface = pygame.Surface(self._size_of(size, rows), pygame.SRCALPHA)
        area = surface.get_rect()
        pygame.draw.rect(surface, (*mixed(theme.NIGHT, color, 0.14), 235), area, border_radius=self._px(6))
        for edge in (0, area.width - self._px(5)):
            pygame.draw.rect(surface, color, (edge, 0, self._px(5), area.height), border_radius=self._px(2))
        for number, line in enumerate(lines):
            surface.blit(line, line.get_rect(midtop=(area.centerx, self._px(7) + number * line.get_height())))
        return surface

    def _row(self, row: str, size: float) -> pygame.Surface:
        left, right = theme.SEAT_COLORS
        found = _SCORE.fullmatch(row)
        parts = zip(found.groups() if found else (row,), (theme.TEXT, left, theme.TEXT, right), strict=False)
        lines = [self._text_renderer.line(part, "title", size, tint, self._ribbon_room) for part, tint in parts if part]
        return side_by_side(lines) if len(lines) > 1 else lines[0]

    @property
    def _ribbon_room(self) -> int:
        return self._room.width - self._px(80)

    def _size_of(self, size: float, rows: Sequence[str]) -> tuple[int, int]:
        text = self._text_renderer
        wide = max(text.measure(row, "title", size) for row in rows) + self._px(44)
        return wide, len(rows) * text.height("title", size) + 2 * self._px(7)

    def _forms(self, text: str) -> list[_Form]:
        """Return how a ribbon may be set, its size of type and its rows: as few as fit, then more."""
        words, smaller = _headed(text), _TEXT * _SMALLER
        tried = [(size, self._in_rows(words, size, count)) for count in (1, 2) for size in (_TEXT, smaller)]
        forms = [(size, rows) for size, rows in tried if rows][:1]
        more = (
            self._in_rows(words, smaller, count)
            for count in range(len(forms[0][1]) + 1 if forms else 3, self._most_rows + 1)
        )
        forms += [(smaller, rows) for rows in more if rows]
        cut = self._text_renderer.rows(words, "title", smaller, self._ribbon_room, 3)
        return forms or [(smaller, tuple(cut))]

    def _in_rows(self, words: str, size: float, count: int) -> tuple[str, ...]:
        """Return words in so many rows of like length; none where they do not fit."""
        render, room = self._text_renderer, self._ribbon_room
        whole = render.measure(words, "title", size)
        if count == 1:
            return (words,) if whole <= room else ()
        for width in range(whole // count, room, max(1, room // 20)):
            rows = render.wrapped(words, "title", size, width)
            if len(rows) == count and render.breaks_no_word(words, "title", size, width):
                return tuple(rows)
        return ()

    def _body(self, x: float, y: float, radius: float) -> pygame.Rect:
        at, reach = self._arena, radius * self._arena.width
        left, top = at.left + x * at.width - 1.2 * reach, at.top + y * at.height - 1.65 * reach
        return pygame.Rect(round(left), round(top), round(2.4 * reach), round(2.85 * reach))

    def _flash(self, strength: float) -> Cover:
        light = self._cache.get("flash", lambda: pygame.Surface((self._arena.width, _FLASH_ROWS)))
        level = round(_FLASH_LIGHT * strength * strength)
        light.fill((level, level, level))
        return Cover(light, self._arena.copy(), pygame.BLEND_RGB_ADD, level)

    def _px(self, length: float) -> int:
        return max(1, round(length * self._scale))


def _covered(spot: pygame.Rect, bodies: Sequence[pygame.Rect]) -> int:
    parts = [spot.clip(body) for body in bodies]
    return sum(part.w * part.h for part in parts)


def _headed(text: str) -> str:
    """Return a ribbon's words with what turns a game in capitals, and names as they are written."""
    head = next((head for head in _HEADS if text.lower().startswith(head)), text[:1])
    return head.upper() + text[len(head) :]


# Health lines below the words of a film for telephones

_GAP, _HIGH = 24, 300  # pixels of a film 1080 wide: from the words, and the height
_STROKE = 2.2  # the scale of lines and marks, for each pixel of a film 1080 wide


class HealthStrip:
    """Draws the lines of the game that is shown, on a picture with this layout; without any words."""

    def __init__(self, layout: Layout, timeline: Timeline) -> None:
        assert layout.free is not None
        scale, (left, _, wide, _) = layout.words_scale, layout.arena
        top = layout.free[1] + layout.free[3] + round(_GAP * scale)
        self.rect = pygame.Rect(left, top, wide, round(_HIGH * scale))
        self._scale = _STROKE * scale
        self._games = by_game(timeline.segments)
        self._starts = [game[0].start for game in self._games]
        self._known = [[each.known for each in game if isinstance(each.record, Play)] for game in self._games]
        self._charts: dict[int, HealthChart | None] = {}
        """Of the games that were shown; None of one of which the records do not have the start."""
        self._last: tuple[int, int] | None = None

    def draw(self, target: pygame.Surface, t: float, *, anew: bool) -> list[pygame.Rect]:
        """Draw the lines up to `t` seconds of the timeline; return what changed.

        Unless they are drawn `anew`, `target` must show what was drawn on it last.
        """
        game = max(0, bisect_right(self._starts, t) - 1)
        shown = game, bisect_right(self._known[game], t)
        chart = self._chart(game)
        if chart is None or (shown == self._last and not anew):
            return []
        self._last = shown
        chart.draw_until(target, self.rect.topleft, shown[1])
        return [self.rect]

    def _chart(self, game: int) -> HealthChart | None:
        if game not in self._charts:
            figures, scale = report(segment.record for segment in self._games[game]), self._scale
            text = TextRenderer(scale)
            self._charts[game] = (
                HealthChart(figures, text, scale, self.rect.size, labelled=False) if figures is not None else None
            )
        return self._charts[game]


# The camera, which stays close between shots that follow soon

SOON_S = 9.0
"""Seconds from a shot that landed to the next one, between which the camera does not go out and in again."""


def film_scenes(timeline: Timeline, *, fast: bool, anchor: Point = MIDDLE) -> Callable[[float], Scene]:
    """Return what a film shows of the arena at a second of the timeline: all of it if it is `fast`.

    `anchor` is where in the picture the middle between both bots should be, as shares of its width and height.
    """
    return timeline.at if fast else _without_rests(FilmCamera(timeline, anchor).at)


def _without_rests(scene_at: Callable[[float], Scene]) -> Callable[[float], Scene]:
    """Return the same scenes without the words that a bot rests on purpose, for what is beside the arena says so."""

    def shown(t: float) -> Scene:
        scene = scene_at(t)
        if not any(map(_rests, (*scene.effects, *scene.past))):
            return scene
        kept, past = (tuple(each for each in effects if not _rests(each)) for effects in (scene.effects, scene.past))
        return replace(scene, effects=kept, past=past)

    return shown


def begun_since(scene: Scene, start: float) -> Scene:
    """Return a scene without effects that began before `start`: of a play that is cut out nothing should be seen."""
    if all(effect.start >= start for effect in scene.effects):
        return scene
    return replace(scene, effects=tuple(effect for effect in scene.effects if effect.start >= start))


class FilmCamera:
    """Shows a timeline that no record is added to any more; `anchor` is as for `film_scenes`."""

    def __init__(self, timeline: Timeline, anchor: Point = MIDDLE) -> None:
        self._timeline, self._anchor = timeline, anchor
        self._shots = list(_joined(timeline.segments, anchor))
        self._begins = [shot.begins for shot in self._shots]

    def at(self, t: float) -> Scene:
        """Return the scene at t seconds of the timeline as the camera shows it."""
        begun = bisect_right(self._begins, t)
        return self._timeline.closer(t, self._shots[max(0, begun - 2) : begun], self._anchor)


def _rests(effect: Effect) -> bool:
    return effect.kind == "fumble" and not effect.amount


def _joined(segments: list[Segment], anchor: Point) -> Iterator[CloseUp]:
    """Yield the shots that meet a bot near the other one; those between which the camera stays close as one."""
    found: CloseUp | None = None
    stays = True
    for before, segment in pairwise(segments):
        stays = stays and isinstance(segment.record, Play | RoundEnded | RoundStarted) and fits_segment(segment, anchor)
        shot = close_up(segment, anchor)
        if shot is None:
            continue
        if isinstance(before.record, RoundStarted) and fits_segment(before, anchor):
            shot = CloseUp(before.start, shot.lands)
        if found is not None and stays and shot.begins - found.lands <= SOON_S:
            found = CloseUp(found.begins, shot.lands)
        else:
            if found is not None:
                yield found
            found = shot
        stays = True
    if found is not None:
        yield found


# Frames of a match


class FrameRenderer(LayeredRenderer):
    """Draws a film's frames on `surface`, each a function of its time alone; needs no display.

    `cards` are its first and its last picture, if it has any; `scene_at` is what is shown of the arena at a second of
    the timeline, all of it unless that is given. `film` is what its pictures are arranged for.
    With a `key` they have panels and words alone, on that colour.
    """

    def __init__(
        self,
        size: tuple[int, int],
        timeline: Timeline,
        edit_list: EditList,
        cards: FilmCards | None = None,
        *,
        scene_at: Callable[[float], Scene] | None = None,
        film: FilmKind = "plain",
        key: Color | None = None,
    ) -> None:
        self._film, self._key = film, key
        self._timeline = timeline
        self._scene_at = scene_at or timeline.at
        self._standings = standings(timeline)
        self._last_game = timeline.segments[-1].board.game
        painted = Cards.of_match(CardPainter(size, telephone=film == "covered"), timeline, edit_list, cards)
        super().__init__(Layers(size, painted), edit_list)
        self._renderer: Renderer | None = None
        self._overlay: Overlay | None = None
        self._strip: HealthStrip | None = None
        self._places: dict[Cut, tuple[Place, ...]] = {}
        self._placed: tuple[object, list[Cover]] = None, []

    def _draw_match(self, moment: EditMoment) -> list[pygame.Rect]:
        scene = begun_since(self.scene(moment.t), self._edit_list.shown_since(moment.cut))
        renderer, overlay = self._renderers_for(scene)
        placed = self._place(overlay, moment)
        self._layers.uncover()
        changed = renderer.redraw(self.surface, scene, overlay.kept_free(moment, placed))
        if self._strip is not None:
            changed += self._strip.draw(self.surface, moment.t, anew=self.surface.get_rect() in changed)
        return self._layers.show_match(changed, overlay.covers(moment, placed))

    def scene(self, t: float) -> Scene:
        """Return the scene at t seconds of the timeline, with how a series stands."""
        scene = self._scene_at(t)
        over = scene.board.result is not None
        if score := self._standings.get((scene.board.game, over)):
            scene = replace(scene, board=replace(scene.board, score=score))
        if scene.banner is not None and self._is_told_next(scene.board):
            scene = replace(scene, banner=None)
        return scene

    def _is_told_next(self, board: Scoreboard) -> bool:
        """Return whether a knock-out that is seen needs no banner, because the end card follows and says who won."""
        knocked_out = board.result is not None and board.result.reason == "knockout"
        return knocked_out and board.game == self._last_game and self._edit_list.end_card > 0

    def _place(self, overlay: Overlay, moment: EditMoment) -> list[Cover]:
        """Return the cut's text with its place, found once for as long as it is shown."""
        shown = overlay, moment.cut
        if self._placed[0] != shown:
            self._placed = shown, overlay.place(moment, self._behind_ribbon(moment.cut))
        return self._placed[1]

    def _behind_ribbon(self, cut: Cut) -> tuple[Place, ...]:
        """Return where both bots are while a cut's text is shown: for as many cuts as it stays."""
        if not cut.text:
            return ()
        if cut not in self._places:
            cuts = self._edit_list.cuts
            first = last = cuts.index(cut)
            while first and cuts[first - 1].text == cut.text and cuts[first - 1].end == cuts[first].start:
                first -= 1
            while last + 1 < len(cuts) and cuts[last + 1].text == cut.text and cuts[last + 1].start == cuts[last].end:
                last += 1
            found = places_between(cuts[first].start, cuts[last].end, self._scene_at)
            self._places.update(dict.fromkeys(cuts[first : last + 1], found))
        return self._places[cut]

    def _renderers_for(self, scene: Scene) -> tuple[Renderer, Overlay]:
        if self._renderer is None or self._overlay is None or self._renderer.rules != scene.board.rules:
            self._renderer = Renderer(self.surface.get_size(), scene.board.rules, film=self._film, key=self._key)
            layout, arena, cuts = self._renderer.layout, self._renderer.arena, self._edit_list
            self._overlay = Overlay(layout, arena, ribbons=cuts.ribbons, until=cuts.last_ribbon)
            self._strip = HealthStrip(layout, self._timeline) if layout.free else None
        return self._renderer, self._overlay


# Frames with an alpha layer: what differs on black and on white is seen through

Pixels = NDArray[np.uint8]


class AlphaRenderer:
    """Draws frames on `surface`, whose fourth channel is the alpha layer, each a function of its time alone."""

    def __init__(self, on_black: FilmRenderer, on_white: FilmRenderer) -> None:
        self._both = on_black, on_white
        size = on_black.surface.get_size()
        self.surface = pygame.Surface(size, 0, 32, (0xFF0000, 0xFF00, 0xFF, 0xFF000000))

    def draw(self, film_t: float) -> list[pygame.Rect]:
        """Draw the frame `film_t` seconds into the film; return the rectangles that changed since the last one."""
        changed, also = (renderer.draw(film_t) for renderer in self._both)
        black, white, out = (_pixels(surface) for surface in (*(each.surface for each in self._both), self.surface))
        whole = self.surface.get_rect()
        for rect in (each.clip(whole) for each in (*changed, *also)):
            part = slice(rect.top, rect.bottom), slice(rect.left, rect.right)
            out[part] = _with_alpha(black[part][..., :3], white[part][..., :3])
        return [*changed, *also]


def _with_alpha(black: Pixels, white: Pixels) -> Pixels:
    """Return pixels of which these are what is seen on black and on white."""
    through = np.clip(white.astype(np.int16) - black, 0, 255).max(axis=2)
    alpha = (255 - through).astype(np.uint16)
    color = black.astype(np.uint16) * 255 // np.maximum(alpha, 1)[..., None]
    return np.concatenate((np.minimum(color, 255), alpha[..., None]), axis=2).astype(np.uint8)


def _pixels(surface: pygame.Surface) -> Pixels:
    """Return the memory of a surface, of shape (height, width, 4): blue, green, red and alpha."""
    buffer: Any = surface.get_buffer()
    found: Pixels = np.frombuffer(buffer, np.uint8)
    return found.reshape(surface.get_height(), surface.get_pitch() // 4, 4)
