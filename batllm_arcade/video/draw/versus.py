"""Two games in one picture."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import pygame

from batllm_arcade.render.renderer import Renderer
from batllm_arcade.video.draw.card_painter import SIZES, CardPainter, height_of
from batllm_arcade.video.draw.cards import Cards, FilmRenderer, Picture
from batllm_arcade.video.draw.frame_renderer import begun_since
from batllm_arcade.video.draw.overlay import Cover, LayeredRenderer, Layers, Overlay
from batllm_arcade.video.edit.captions import places_between
from batllm_arcade.video.edit.edit_list import Cut, EditList, EditMoment
from batllm_arcade.video.edit.side_by_side import LETTERS, Contest, Outcome
from batllm_arcade.view import theme
from batllm_arcade.view.layout import Layout, MatchColumn
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.theme import Color

SceneAt = Callable[[float], Scene]
"""What is shown of a match at a second of the timeline."""


@dataclass(frozen=True, slots=True)
class FilmedMatch:
    """One of both matches: where it is, and what is shown of it.

    From `over` on, in timeline seconds, nothing moves there, and its result lies over its arena, as it is `said`.
    `meanwhile` is what its side did in what is left out before a second of the timeline.
    """

    column: MatchColumn
    scene_at: SceneAt
    over: float
    said: Sequence[str]
    meanwhile: Mapping[float, str]

    def told_in(self, cut: Cut) -> Cut:
        """Return a cut with what its side did in what is left out before it."""
        did = self.meanwhile.get(cut.start, "") if cut.text else ""
        return replace(cut, text=f"{cut.text}: {did}") if did else cut


class MatchHalf:
    """Where one of both matches is in the picture, and what draws it there; `beside` is what draws the other one."""

    def __init__(
        self, match: FilmedMatch, picture: pygame.Surface, painter: CardPainter, beside: Renderer | None = None
    ) -> None:
        self.rect = pygame.Rect(match.column.place)
        rules = match.scene_at(0.0).board.rules
        self.renderer = Renderer(self.rect.size, rules, film="plain", column=match.column, beside=beside)
        self._match, self._target, self._painter = match, picture.subsurface(self.rect), painter
        self._ended = False

    def redraw(self, t: float, since: float, taken: list[pygame.Rect]) -> list[pygame.Rect]:
        """Draw what differs from the last picture; return what changed in the whole picture.

        What is shown now is shown `since` that second of the timeline without a gap.
        """
        before, self._ended = self._ended, t >= self._match.over
        if self._ended:
            return [] if before else [self._draw_result()]
        left, top = self.rect.topleft
        kept_free = [rect.move(-left, -top) for rect in taken if rect.colliderect(self.rect)]
        scene = begun_since(self._match.scene_at(t), since)
        if before:
            self.renderer.draw(self._target, scene, kept_free)
            return [self.rect]
        return [rect.move(left, top) for rect in self.renderer.redraw(self._target, scene, kept_free)]

    def _draw_result(self) -> pygame.Rect:
        arena, scene = self.renderer.arena, self._match.scene_at(self._match.over)
        self.renderer.draw(self._target, replace(scene, banner=None))  # the plate says who won
        column = self._match.column
        plate = result_plate(self._painter, arena.width, column.subject, column.label, self._match.said)
        self._target.blit(plate, self.beside_bots(plate, scene))
        return self.rect

    def beside_bots(self, plate: pygame.Surface, scene: Scene) -> pygame.Rect:
        """Return where a result lies over no bot that still stands, if there is such a place."""
        arena, camera = self.renderer.arena, self.renderer.camera_of(scene)
        reach = camera.length(self.renderer.rules.bot_radius)
        heights = [camera.point(pose.x, pose.y)[1] for pose in scene.bots if pose.alive]
        places = [plate.get_rect(**{at: getattr(arena, at)}) for at in ("center", "midtop", "midbottom")]
        return min(places, key=lambda place: sum(place.top - reach < y < place.bottom + reach for y in heights))


class SplitRenderer(LayeredRenderer):
    """Draws frames of both `matches` on `surface`, each a function of its time alone; needs no display.

    `opening` and `closing` paint the cards. Where telephones lay words over a film it is `covered`.
    """

    def __init__(
        self,
        size: tuple[int, int],
        matches: Sequence[FilmedMatch],
        edit_list: EditList,
        opening: Picture,
        closing: Picture,
        *,
        covered: bool = False,
    ) -> None:
        painter = CardPainter(size, telephone=covered)
        super().__init__(Layers(size, Cards(painter, edit_list, opening, closing)), edit_list)
        self.surface.fill(theme.NIGHT if covered else theme.WALL)
        self._placed: tuple[Cut | None, list[list[Cover]]] = None, []
        self._matches = matches
        first = MatchHalf(matches[0], self.surface, painter)
        self.halves = first, MatchHalf(matches[1], self.surface, painter, first.renderer)
        arenas = [half.renderer.arena.move(half.rect.topleft) for half in self.halves]
        self._overlays = [
            Overlay(Layout.fitted(size), arena, ribbons=[match.told_in(cut).text for cut in edit_list.cuts])
            for match, arena in zip(matches, arenas, strict=True)
        ]

    def _draw_match(self, moment: EditMoment) -> list[pygame.Rect]:
        placed = self.placed(moment)
        taken = [cover.rect for covers in placed for cover in covers]
        self._layers.uncover()
        since = self._edit_list.shown_since(moment.cut)
        changed = [rect for half in self.halves for rect in half.redraw(moment.t, since, taken)]
        both = zip(self._overlays, placed, strict=True)
        covers = [cover for overlay, own in both for cover in overlay.covers(moment, own)]
        return self._layers.show_match(changed, covers)

    def placed(self, moment: EditMoment) -> list[list[Cover]]:
        """Return the ribbon of each match with its place, found once for as long as a cut is shown."""
        if self._placed[0] != moment.cut:
            cut, both = moment.cut, []
            for match, overlay in zip(self._matches, self._overlays, strict=True):
                bots = places_between(cut.start, cut.end, match.scene_at) if cut.text else ()
                shown = replace(moment, cut=match.told_in(cut))
                both.append(overlay.place(shown, bots) if cut.start < match.over else [])
            self._placed = cut, both
        return self._placed[1]


class JoinedRenderer:
    """Draws frames, each a function of its time alone; of one part at a time a renderer is kept.

    `parts` make the renderers of the parts, `starts` are when these begin, in film seconds, the first at 0.
    """

    def __init__(self, parts: Sequence[Callable[[], FilmRenderer]], starts: Sequence[float]) -> None:
        self._parts, self._starts = parts, starts
        self._shown, self._renderer = 0, parts[0]()

    @property
    def surface(self) -> pygame.Surface:
        """Return what the last frame was drawn on; each part has its own."""
        return self._renderer.surface

    def draw(self, film_t: float) -> list[pygame.Rect]:
        """Draw the frame `film_t` seconds into the film; return the rectangles that changed since the last one."""
        part = max(0, bisect_right(self._starts, film_t) - 1)
        new = part != self._shown
        if new:
            self._shown, self._renderer = part, self._parts[part]()
        changed = self._renderer.draw(film_t - self._starts[part])
        return [self.surface.get_rect()] if new else changed


# -- Draws the cards of a film of two matches: what is compared, and which went better by how much

_EDGE, _GAP, _PAD = 24, 14, 22  # pixels of a film whose shorter side has 720
_SNUG = (60, 54, 48, 44, 40, 36)  # where there is little width
_SMALL, _FOOT = (44, 40, 36, 32, 29), (36, 32, 29, 26)
_HEADS, _DEEDS = (48, 44, 40, 36, 32, 29, 26), (36, 32, 29, 27, 25, 23)
_TOLD_ENDED, _MOST_TOLD = (40, 36, 32, 29, 26, 24), 4
"""Sizes of orders beside a result, and how many lines of them there are at most."""
_LARGE = 36  # the smallest type for which a line is not broken in two
_HIGH = 0.9  # of the arena, which a result in it covers at most
_TOLD, _MOST_ROWS = (92, *SIZES, *_SMALL), 7


def versus_opening(painter: CardPainter, contest: Contest) -> pygame.Surface:
    """Return the first picture: the claim, and on a plate for each match what it was told."""
    surface, inner, gap = _ground(painter)
    sizes = SIZES if painter.wide else _SNUG
    claim = painter.rows(contest.claim, "title", theme.TEXT, inner.width, 2, sizes, even=True)
    top = painter.stack(surface, claim, inner.top, -1, inner.centerx) + gap
    lines = 2 if painter.wide else 3
    foot = painter.rows(contest.against, "label", theme.SOFT, inner.width, lines, _FOOT, even=True)
    bottom = inner.bottom - height_of(foot) - gap // 2
    painter.stack(surface, foot, bottom + gap // 2, -1, inner.centerx)
    area = pygame.Rect(inner.left, top, inner.width, bottom - top)
    plates = list(zip(_places(painter, area), contest.labels, contest.told, strict=True))
    size = min(_told_size(painter, *plate) for plate in plates)  # of both, so that they look alike
    for plate in plates:
        _paint_plate(painter, surface, *plate, contest.subject, size)
    versus = painter.text.line("VS", "title", 54, theme.GOLD)
    surface.blit(versus, versus.get_rect(center=area.center))
    return surface


def versus_closing(painter: CardPainter, contest: Contest, outcome: Outcome, sign: str) -> pygame.Surface:
    """Return the last picture: the headline, by how much, how each match ended, and the sign."""
    surface, inner, gap = _ground(painter)
    lines, sizes = (1, SIZES) if painter.wide else (2, _SNUG)
    headline = _title(painter, contest, outcome, inner.width)
    title = painter.rows(headline, "title", theme.GOLD, inner.width, lines, sizes, even=True)
    below = painter.rows(outcome.margin, "title", theme.TEXT, inner.width, 1, _SMALL) if outcome.margin else []
    top = painter.stack(surface, [*title, *below], inner.top, -1, inner.centerx) + gap // 2
    foot = painter.rows(sign, "label", theme.GOLD, inner.width, 1, _FOOT)
    bottom = inner.bottom - height_of(foot)
    painter.stack(surface, foot, bottom, -1, inner.centerx)
    area = pygame.Rect(inner.left, top, inner.width, bottom - gap // 2 - top)
    places = _places(painter, area, 0.5 * gap)
    plates = list(zip(places, contest.labels, contest.told, outcome.plates, strict=True))
    size = min(_result_size(painter, *plate) for plate in plates)  # of both, so that they look alike
    told_size = min(_orders_size(painter, *plate, size) for plate in plates)
    entries = list[list[pygame.Surface]]()
    for number, (place, label, told, said) in enumerate(plates):
        _, width, top, lowest = _inside(painter, place)
        color = theme.SOFT if outcome.better == 1 - number else theme.GOLD
        entry = _result_rows(painter, width, lowest - top, label, told, said, (size,), (told_size,), color)
        entries.append([row for rows in entry for row in rows])
    for number, (place, rows) in enumerate(zip(places, entries, strict=True)):
        painter.panel(surface, place, contest.subject)
        left, _, top, lowest = _inside(painter, place)
        high = max(map(height_of, entries)) if painter.wide else height_of(rows)  # beside each other both begin as high
        painter.stack(surface, rows, top + (lowest - top - high) // 2, left, 0)
        if outcome.better == number:
            pygame.draw.rect(surface, theme.GOLD, place, painter.px(8), border_radius=painter.px(4))
    return surface


def _title(painter: CardPainter, contest: Contest, outcome: Outcome, width: int) -> str:
    """Return the headline: where one game was won and the other lost, what the better side was told, if that fits."""
    if outcome.better is None or not outcome.title.startswith(f"{LETTERS[outcome.better]} wins, "):
        return outcome.title
    named = f"{contest.told[outcome.better]} wins"
    fits = painter.wide and painter.text.measure(named, "title", SIZES[-1]) <= width
    return named if fits and named.startswith("\u201c") else outcome.title


def result_plate(painter: CardPainter, width: int, subject: int, label: str, said: Sequence[str]) -> pygame.Surface:
    """Return what lies over the arena of a match that has ended: how, and what its side did in it."""
    pad = painter.px(_PAD)
    head, _, deeds = _result_rows(painter, width - 2 * pad, _HIGH * width, label, "", said, _DEEDS)
    plate = pygame.Surface((width, height_of(head) + height_of(deeds) + pad), 0, 32)
    plate.fill(theme.NIGHT)
    painter.panel(plate, plate.get_rect(), subject)
    painter.stack(plate, [*head, *deeds], pad // 2, pad, 0)
    return plate


def _ground(painter: CardPainter) -> tuple[pygame.Surface, pygame.Rect, int]:
    edge = painter.px(_EDGE)
    return painter.background(), painter.area.inflate(-2 * edge, -2 * edge), painter.px(_GAP)


def _places(painter: CardPainter, area: pygame.Rect, seam: float | None = None) -> list[pygame.Rect]:
    """Return both plates: beside each other in a wide film, below each other in others."""
    apart = round(painter.px(90 if painter.wide else 56) if seam is None else 2 * seam)
    if painter.wide:
        half = (area.width - apart) // 2
        return [pygame.Rect(left, area.top, half, area.height) for left in (area.left, area.right - half)]
    half = (area.height - apart) // 2
    return [pygame.Rect(area.left, top, area.width, half) for top in (area.top, area.bottom - half)]


def _label(painter: CardPainter, label: str, width: int) -> pygame.Surface:
    (row,) = painter.rows(label, "title", theme.GOLD, width, 1, _SNUG if painter.wide else _SNUG[3:])
    return row


def _told_size(painter: CardPainter, rect: pygame.Rect, label: str, told: str) -> int:
    """Return the size of type in which what a match was told fits on its plate, below its label."""
    _, width, top, lowest = _inside(painter, rect)
    room = lowest - top - _label(painter, label, width).get_height()
    return painter.size_of(told, "label", width, _MOST_ROWS, _TOLD, room)


def _paint_plate(
    painter: CardPainter, target: pygame.Surface, rect: pygame.Rect, label: str, told: str, subject: int, size: int
) -> None:
    """Paint a match's label and what it was told, in that size of type."""
    painter.panel(target, rect, subject)
    left, width, top, lowest = _inside(painter, rect)
    top = target.blit(_label(painter, label, width), (left, top)).bottom
    rows = painter.rows(told, "label", theme.TEXT, width, _MOST_ROWS, (size,), lowest - top)
    painter.stack(target, rows, top + (lowest - top - height_of(rows)) // 2, left, 0)


def _result_size(painter: CardPainter, rect: pygame.Rect, label: str, told: str, said: Sequence[str]) -> int:
    """Return the size of type at which what a side did fits on its plate."""
    _, width, top, lowest = _inside(painter, rect)
    head = _result_head(painter, width, label, said)
    sizes = _SMALL if painter.wide else _DEEDS
    return _fitting(painter, width, lowest - top - height_of(head), told, said[1:], sizes)[1]


def _orders_size(painter: CardPainter, rect: pygame.Rect, label: str, told: str, said: Sequence[str], size: int) -> int:
    """Return the size of type in which its orders fit on a plate where what its side did has type of size `size`."""
    _, width, top, lowest = _inside(painter, rect)
    room = lowest - top - height_of(_result_head(painter, width, label, said))
    lines, _ = _fitting(painter, width, room, told, said[1:], (size,))
    sizes, left = _told_sizes(size), room - height_of(_deeds(painter, width, said[1:], size))
    return painter.size_of(told, "label", width, _MOST_TOLD, sizes, left) if lines else sizes[0]


def _told_sizes(size: int) -> Sequence[int]:
    """Return sizes of orders: no larger than that of what was done."""
    return [each for each in _TOLD_ENDED if each <= size] or [size]


def _result_head(
    painter: CardPainter, width: int, label: str, said: Sequence[str], color: Color = theme.GOLD
) -> list[pygame.Surface]:
    """Return how a match ended."""
    words, sizes = f"{label} {said[0]}", _HEADS if painter.wide else _HEADS[2:]
    lines = 1 if painter.text.measure(words, "title", sizes[-1]) <= width else 2
    return painter.rows(words, "title", color, width, lines, sizes)


def _result_rows(
    painter: CardPainter, width: int, high: float, label: str, told: str, said: Sequence[str], sizes: Sequence[int],
    told_sizes: Sequence[int] = _TOLD_ENDED, color: Color = theme.GOLD,
) -> tuple[list[pygame.Surface], list[pygame.Surface], list[pygame.Surface]]:  # fmt: skip
    """Return how a match ended, its orders, and what its side did, which comes before the end of long orders."""
    head = _result_head(painter, width, label, said, color)
    room = high - height_of(head)
    lines, size = _fitting(painter, width, room, told, said[1:], sizes)
    deeds = _deeds(painter, width, said[1:], size)
    left = room - height_of(deeds)
    orders = painter.rows(told, "label", theme.TEXT, width, _MOST_TOLD, told_sizes, left, even=True) if lines else []
    return head, orders, deeds


def _fitting(
    painter: CardPainter, width: int, room: float, told: str, did: Sequence[str], sizes: Sequence[int]
) -> tuple[int, int]:
    """Return how many lines of its orders a plate has, and the size of type of what its side did."""
    line = painter.text.height("label", _TOLD_ENDED[-1])
    whole = len(painter.text.wrapped(told, "label", _TOLD_ENDED[-1], width)) if told else 0
    told_lines = (min(whole, _MOST_TOLD), min(whole, 2), min(whole, 1), 0)
    for lines, unbroken, size in product(told_lines, (True, False), sizes):
        deeds = _deeds(painter, width, did, size)
        large = size >= _LARGE and len(deeds) == len(did)
        if (large or not unbroken) and height_of(deeds) + lines * line <= room:
            break
    return lines, size


def _deeds(painter: CardPainter, width: int, did: Sequence[str], size: int) -> list[pygame.Surface]:
    """Return how a match stood in the end, in stronger type, and what its side did."""
    rows = list[pygame.Surface]()
    for number, words in enumerate(did):
        color = theme.SOFT if number else theme.TEXT
        rows += painter.rows(words, "label" if number else "title", color, width, 3, (size,), even=True)
    return rows


def _inside(painter: CardPainter, rect: pygame.Rect) -> tuple[int, int, int, int]:
    """Return where words may be on a plate: from the left, how wide, from the top, and to the bottom."""
    pad = painter.px(_PAD)
    return rect.left + pad, rect.width - 2 * pad, rect.top + pad // 2, rect.bottom - pad // 2
