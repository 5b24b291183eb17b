"""Two games in one picture."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import pygame

from batllm_arcade.render.renderer import Renderer
from batllm_arcade.video.draw.cards import SIZES, CardPainter, Cards, FilmRenderer, Picture
from batllm_arcade.video.draw.frames import Cover, LayeredRenderer, Layers, Overlay, begun_since
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


class Still:
    """Shows one picture."""

    def __init__(self, surface: pygame.Surface) -> None:
        self.surface = surface

    def draw(self, film_t: float) -> list[pygame.Rect]:
        """Leave it as it is."""
        return []


# The cards of a film of two matches: what is compared, and which went better by how much

_SNUG = (60, 54, 48, 44, 40, 36)  # where there is little width
_FOOT = (36, 32, 29, 26)
_HEADS, _DEEDS, _ORDERS = (48, 44, 40, 36, 32, 29, 26), (36, 32, 29, 27, 25, 23), (40, 36, 32, 29, 26, 24)
"""Sizes of how a match ended, of what its side did, and of orders beside that."""
_TOLD = (92, *SIZES, 44, 40, 36, 32, 29)
"""Sizes of orders on the first card."""


def versus_opening(painter: CardPainter, contest: Contest) -> pygame.Surface:
    """Return the first picture: the claim, and on a plate for each match what it was told."""
    foot, sizes = (contest.against, theme.SOFT, 2 if painter.wide else 3), SIZES if painter.wide else _SNUG
    claim = painter.rows(contest.claim, "title", theme.TEXT, painter.inner.width, 2, sizes, even=True)
    surface, area = _framed(painter, claim, *foot)
    plates = painter.plates(area, painter.px(90 if painter.wide else 56))
    width, gold, white = plates[0].width - 2 * painter.pad, [theme.GOLD] * 2, [theme.TEXT] * 2
    labels = painter.alike(contest.labels, "title", gold, width, 1, _SNUG if painter.wide else _SNUG[3:])
    room = plates[0].height - painter.gap - painter.height(labels[0])
    told = painter.alike(contest.told, "label", white, width, 7, _TOLD, room, even=True)
    painter.fill(surface, plates, [[*label, *rows] for label, rows in zip(labels, told, strict=True)],
                 [contest.subject] * 2)  # fmt: skip
    painter.versus(surface, area.center)
    return surface


def versus_closing(painter: CardPainter, contest: Contest, outcome: Outcome, sign: str) -> pygame.Surface:
    """Return the last picture: the headline, by how much, how each match ended, and the sign."""
    lines, sizes, wide = 1 if painter.wide else 2, SIZES if painter.wide else _SNUG, painter.inner.width
    title = painter.rows(_title(painter, contest, outcome, wide), "title", theme.GOLD, wide, lines, sizes, even=True)
    if outcome.margin:
        title += painter.rows(outcome.margin, "title", theme.TEXT, wide, 1, _HEADS[1:])
    surface, area = _framed(painter, title, sign, theme.GOLD, 1)
    plates = painter.plates(area, painter.gap)
    width, high = plates[0].width - 2 * painter.pad, plates[0].height - painter.gap
    colors = [theme.SOFT if outcome.better == 1 - number else theme.GOLD for number in (0, 1)]
    results = _result_rows(painter, width, high, contest.labels, outcome.plates, colors)
    room = high - max(painter.height(head + deeds) for head, deeds in results)
    told = painter.alike(contest.told, "label", [theme.TEXT] * 2, width, 4, _ORDERS, room, even=True)
    least = painter.text.height("label", _ORDERS[-1])
    orders = [rows if words and room >= least else [] for words, rows in zip(contest.told, told, strict=True)]
    columns = [[*head, *own, *deeds] for (head, deeds), own in zip(results, orders, strict=True)]
    painter.fill(surface, plates, columns, [contest.subject] * 2)
    if outcome.better is not None:
        pygame.draw.rect(surface, theme.GOLD, plates[outcome.better], painter.px(8), border_radius=painter.px(4))
    return surface


def _title(painter: CardPainter, contest: Contest, outcome: Outcome, width: int) -> str:
    """Return the headline: where one game was won and the other lost, what the better side was told, if that fits."""
    if outcome.better is None or not outcome.title.startswith(f"{LETTERS[outcome.better]} wins, "):
        return outcome.title
    named = f"{contest.told[outcome.better]} wins"
    fits = painter.wide and painter.text.measure(named, "title", SIZES[-1]) <= width
    return named if fits and named.startswith("\u201c") else outcome.title


def _framed(
    painter: CardPainter, title: Sequence[pygame.Surface], foot: str, color: Color, lines: int
) -> tuple[pygame.Surface, pygame.Rect]:
    surface, inner, gap = painter.background(), painter.inner, painter.gap
    top = painter.stack(surface, title, inner.top, middle=inner.centerx) + gap
    rows = painter.rows(foot, "label", color, inner.width, lines, _FOOT, even=True)
    bottom = inner.bottom - painter.height(rows)
    painter.stack(surface, rows, bottom, middle=inner.centerx)
    return surface, pygame.Rect(inner.left, top, inner.width, bottom - gap - top)


def _result_rows(
    painter: CardPainter, width: int, high: float, labels: Sequence[str], plates: Sequence[Sequence[str]],
    colors: Sequence[Color],
) -> list[tuple[list[pygame.Surface], list[pygame.Surface]]]:  # fmt: skip
    """Return how matches ended and what their sides did, each in one type for all."""
    heads = [f"{label} {said[0]}" for label, said in zip(labels, plates, strict=True)]
    lines = 1 if painter.on_one_line(heads, "title", _HEADS[-1], width) else 2
    titles = painter.alike(heads, "title", colors, width, lines, _HEADS if painter.wide else _HEADS[2:], 0.4 * high)
    room = high - max(map(painter.height, titles))
    count = len(plates[0]) - 1
    did, shades = [words for said in plates for words in said[1:]], [theme.TEXT, *[theme.SOFT] * (count - 1)]
    deeds = painter.alike(did, "title", shades * len(plates), width, 3, _DEEDS, room / count, even=True)
    own = [[row for rows in deeds[at * count : (at + 1) * count] for row in rows] for at in range(len(plates))]
    return list(zip(titles, own, strict=True))


def result_plate(painter: CardPainter, width: int, subject: int, label: str, said: Sequence[str]) -> pygame.Surface:
    """Return what lies over the arena of a match that has ended: how, and what its side did in it."""
    inside = width - 2 * painter.pad
    ((head, deeds),) = _result_rows(painter, inside, 0.9 * width, [label], [said], [theme.GOLD])
    plate = pygame.Surface((width, painter.height([*head, *deeds]) + painter.pad), 0, 32)
    plate.fill(theme.NIGHT)
    painter.fill(plate, [plate.get_rect()], [[*head, *deeds]], [subject])
    return plate
