"""Cards and posters of a film, drawn in large type: never smaller than can be read on a phone."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import pygame

from batllm_arcade.files.atomic import replacing
from batllm_arcade.render.draw_list import uncovered
from batllm_arcade.render.fonts import Face
from batllm_arcade.render.health_chart import HealthChart
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.render.sprites import Sprites, blit_centred, lay_light
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.video.edit.cards import CardSide, EndCard, FilmCards, OpeningCard, Span, fight_scene, opening_card
from batllm_arcade.video.edit.edit_list import EditList
from batllm_arcade.view import theme
from batllm_arcade.view.layout import safe_box
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.theme import Color, mixed
from batllm_arcade.view.timeline import Timeline

# Large type

LEAST = 48
"""The smallest type in pixels of a film whose shorter side has 720: 24 on a screen of 360."""
SIZES = (84, 76, 68, 60, 54, LEAST)
_ADD = pygame.BLEND_RGB_ADD
_PITCH, _SNUG_PITCH = 0.88, 0.82  # of a row's height from one to the next, and where there is little room


class CardPainter:
    """Paints on cards of one size; lengths are pixels of a film whose shorter side has 720.

    It is `wide`, `tall` or `snug`; words are within `inner`, `gap` is between parts, `pad` within plates.
    """

    def __init__(self, size: tuple[int, int], *, telephone: bool = False) -> None:
        self._size, self.scale, self.telephone = size, min(size) / 720, telephone
        self.area = pygame.Rect(safe_box(size) if telephone else (0, 0, *size))
        """Where words may be: applications on telephones lay their own over the rest."""
        self.wide = self.area.width > 1.2 * self.area.height
        self.tall = self.area.height > 1000 * self.scale
        self.snug = not (self.wide or self.tall)
        edge = 0 if telephone else self.px(12 if self.snug else 24)  # else there is room around it
        self.inner = self.area.inflate(-2 * edge, -2 * edge)
        self.gap, self.pad = self.px(7 if self.snug or telephone else 14), self.px(18)
        self.text = TextRenderer(self.scale)
        self._pitch = _SNUG_PITCH if self.snug else _PITCH
        self._sprites = Sprites(self.px(34), 64.0)
        self._background: pygame.Surface | None = None

    def px(self, length: float) -> int:
        """Return a length in pixels of the film."""
        return max(1, round(length * self.scale))

    def background(self) -> pygame.Surface:
        """Return the floor of every card: dark, with a light of each bot's colour on its side."""
        if self._background is None:
            wide, high = self._size
            surface = self._background = pygame.Surface(self._size, 0, 32)
            surface.fill(theme.NIGHT)
            reach = max(wide, high) * 0.55
            for bot, at in enumerate(((0.0, 0.25 * high), (float(wide), 0.75 * high))):
                lay_light(surface, theme.SEAT_COLORS[bot], reach, 0.4, at)
        return self._background.copy()

    def rows(
        self, text: str, face: Face, color: Color, width: float, most: int = 1, sizes: Sequence[int] = SIZES,
        high: float = math.inf, *, even: bool = False,
    ) -> list[pygame.Surface]:  # fmt: skip
        """Return the text in at most `most` lines and `high` pixels, as large as fits; cut in the smallest type.

        The lines of a text that is not cut have like lengths where they are to be `even`.
        """
        return self.alike([text], face, [color], width, most, sizes, high, even=even)[0]

    def alike(
        self, texts: Sequence[str], face: Face, colors: Sequence[Color], width: float, most: int = 1,
        sizes: Sequence[int] = SIZES, high: float = math.inf, *, even: bool = False,
    ) -> list[list[pygame.Surface]]:  # fmt: skip
        """Return the rows of each text, all in one type: the largest in which each fits as `rows` says."""
        fitting = (size for size in sizes if all(self._fits(text, face, size, width, most, high) for text in texts))
        size = next(fitting, sizes[-1])
        pitch = self._pitch * self.text.height(face, size)
        lines = most if high == math.inf else max(1, min(most, int(high // pitch)))
        found = []
        for text, color in zip(texts, colors, strict=True):
            rows = self.text.rows(text, face, size, width, lines)
            alike = self.text.even(text, face, size, width) if even else rows
            shown = alike if len(alike) == len(rows) else rows
            found.append([self.text.line(row, face, size, color, width) for row in shown])
        return found

    def on_one_line(self, texts: Sequence[str], face: Face, size: int, width: float) -> bool:
        """Return whether each text fits on one line in that type."""
        return all(self.text.measure(text, face, size) <= width for text in texts)

    def _fits(self, text: str, face: Face, size: int, width: float, most: int, high: float) -> bool:
        lines = len(self.text.wrapped(text, face, size, width))
        whole = self.text.breaks_no_word(text, face, size, width)
        return whole and lines <= most and lines * self._pitch * self.text.height(face, size) <= high

    def height(self, rows: Sequence[pygame.Surface]) -> int:
        """Return how high rows below each other are, in pixels."""
        return sum(round(self._pitch * row.get_height()) for row in rows)

    def stack(
        self, target: pygame.Surface, rows: Sequence[pygame.Surface], top: int, *, left: int = 0, middle: int = 0
    ) -> int:
        """Draw rows below each other, from `left` or around a `middle`; return the pixel below them."""
        for row in rows:
            target.blit(row, row.get_rect(midtop=(middle, top)) if middle else (left, top))
            top += round(self._pitch * row.get_height())
        return top

    def plates(self, area: pygame.Rect, seam: int) -> list[pygame.Rect]:
        """Return two plates in an area: beside each other in a wide film, below each other in others."""
        if self.wide:
            half = (area.width - seam) // 2
            return [pygame.Rect(left, area.top, half, area.height) for left in (area.left, area.right - half)]
        half = (area.height - seam) // 2
        return [pygame.Rect(area.left, top, area.width, half) for top in (area.top, area.bottom - half)]

    def fill(
        self, target: pygame.Surface, plates: Sequence[pygame.Rect], columns: Sequence[Sequence[pygame.Surface]],
        bots: Sequence[int] = (0, 1),
    ) -> list[int]:  # fmt: skip
        """Draw plates in the bots' colours, each with a column of rows in its middle; return where these begin.

        Beside each other they begin at the same height.
        """
        highs = [self.height(rows) for rows in columns]
        highs = [max(highs)] * len(highs) if plates[0].top == plates[-1].top else highs
        tops = [plate.top + (plate.height - high) // 2 for plate, high in zip(plates, highs, strict=True)]
        for plate, rows, top, bot in zip(plates, columns, tops, bots, strict=True):
            self.panel(target, plate, bot)
            self.stack(target, rows, top, left=plate.left + self.pad)
        return tops

    def bot(self, target: pygame.Surface, bot: int, at: tuple[float, float]) -> None:
        """Draw a bot that looks at the other one."""
        color, rot = theme.SEAT_COLORS[bot], 180.0 if bot else 0.0
        blit_centred(target, self._sprites.lights.glow(color, self.px(80), 0.5), at, _ADD)
        blit_centred(target, self._sprites.bot(bot, rot, True), at)
        blit_centred(target, self._sprites.head(bot, "open"), at)
        blit_centred(target, self._sprites.pupil(bot), at)

    def panel(self, target: pygame.Surface, rect: pygame.Rect, bot: int) -> None:
        """Draw a plate with the bot's colour along its outer edge."""
        color, plate = theme.SEAT_COLORS[bot], pygame.Surface(rect.size, pygame.SRCALPHA)
        pygame.draw.rect(plate, (*mixed(theme.PANEL, color, 0.06), 235), plate.get_rect(), border_radius=self.px(14))
        target.blit(plate, rect)
        edge = pygame.Rect(rect.left, rect.top, self.px(8), rect.height)
        if bot and self.wide:
            edge.right = rect.right
        pygame.draw.rect(target, color, edge, border_radius=self.px(4))

    def versus(self, target: pygame.Surface, at: tuple[int, int]) -> None:
        """Draw what stands between two plates."""
        row = self.text.line("VS", "title", 54, theme.GOLD)
        target.blit(row, row.get_rect(center=at))


def side_by_side(parts: Sequence[pygame.Surface]) -> pygame.Surface:
    """Return pieces of one line beside each other, on one middle."""
    high = max(part.get_height() for part in parts)
    row = pygame.Surface((sum(part.get_width() for part in parts), high), pygame.SRCALPHA)
    x = 0
    for part in parts:
        row.blit(part, part.get_rect(midleft=(x, high // 2)))
        x += part.get_width()
    return row


# Cards

Picture = Callable[[CardPainter], pygame.Surface]
"""Paints a whole card."""


class FilmRenderer(Protocol):
    """Draws a film's frames on `surface`, each a function of its time alone."""

    @property
    def surface(self) -> pygame.Surface:
        """Return what the last frame was drawn on."""

    def draw(self, film_t: float) -> list[pygame.Rect]:
        """Draw the frame `film_t` seconds into the film; return the rectangles that changed since the last one."""


class Cards:
    """Draws the cards of one film, each complete from its first picture on; painted when it is first shown."""

    def __init__(self, painter: CardPainter, edit_list: EditList, opening: Picture, closing: Picture) -> None:
        self._painter, self._edit_list, self._paint = painter, edit_list, (opening, closing)
        self._pictures: dict[bool, pygame.Surface] = {}
        self._last: bool | None = None
        """Whether the end card was drawn last, None where that was no card."""

    @classmethod
    def of_match(cls, painter: CardPainter, timeline: Timeline, edit_list: EditList, cards: FilmCards | None) -> Cards:
        """Return the cards of a film of one session; the film has none if there are none."""
        spans = [(cut.start, cut.end) for cut in edit_list.cuts]

        def opening(painter: CardPainter) -> pygame.Surface:
            surface = painter.background() if cards is None else opening_picture(painter, cards.opening)
            if painter.telephone:  # the fight is below the words, where applications lay theirs
                below = surface.get_rect()
                below.height -= painter.area.bottom + painter.px(20)
                below.bottom = surface.get_height()
                paint_fight(painter, surface, below, fight_scene(timeline, spans), words=False)
            return surface

        def closing(painter: CardPainter) -> pygame.Surface:
            return painter.background() if cards is None else closing_picture(painter, cards.closing)

        return cls(painter, edit_list, opening, closing)

    def draw(self, target: pygame.Surface, film_t: float) -> list[pygame.Rect]:
        """Draw the card shown at `film_t`; return what changed since this was last called, nothing where all is left.

        Call `forget` once something else has been drawn on `target`.
        """
        ending = self._edit_list.end_card > 0 and film_t >= self._edit_list.ends
        if self._last == ending:
            return []
        self._last = ending
        if ending not in self._pictures:
            self._pictures[ending] = self._paint[ending](self._painter)
        target.blit(self._pictures[ending], (0, 0))
        return [target.get_rect()]

    def forget(self) -> None:
        """Let the next card be drawn whatever is on its surface."""
        self._last = None


# The opening card: the claim, both names, and what both were told

_ONE_LINE = 60
"""The size of type in which a claim is not broken in two if it fits on a line."""
_TOLD, _ROWS = (92, *SIZES), 6
"""Sizes of orders, the same for both, and their most rows."""


def opening_picture(painter: CardPainter, card: OpeningCard) -> pygame.Surface:
    """Return the whole card: it is complete in the film's first picture."""
    surface, inner, snug = painter.background(), painter.inner, painter.snug
    short = painter.on_one_line([card.claim], "title", _ONE_LINE, inner.width)
    lines, sizes = 1 if short else 3 if painter.tall else 2, SIZES[3:] if snug else SIZES
    claim = painter.rows(card.claim, "title", theme.TEXT, inner.width, lines, sizes, even=True)
    top = painter.stack(surface, claim, inner.top, middle=inner.centerx) + painter.gap
    area = pygame.Rect(inner.left, top, inner.width, inner.bottom - top)
    plates = painter.plates(area, painter.px(90 if painter.wide else 56 if painter.tall else 10))
    badge, width = painter.px(84 if snug else 96), plates[0].width - 2 * painter.pad
    names = painter.alike(
        [side.name for side in card.sides], "title", theme.SEAT_COLORS, width - badge, 1, SIZES[-1 if snug else 2 :]
    )
    heads = [[_with_badge(name, badge), *_level(painter, side, width)]
             for (name,), side in zip(names, card.sides, strict=True)]  # fmt: skip
    room = min(plate.height - painter.height(head) for plate, head in zip(plates, heads, strict=True))
    told = [side.told for side in card.sides]
    orders = painter.alike(told, "label", [theme.TEXT] * 2, width, _ROWS, _TOLD, room)
    tops = painter.fill(surface, plates, [[*head, *rows] for head, rows in zip(heads, orders, strict=True)])
    for bot, (plate, begins) in enumerate(zip(plates, tops, strict=True)):
        painter.bot(surface, bot, (plate.left + painter.pad + badge // 2, begins + heads[bot][0].get_height() // 2))
    if not snug:  # else there is no room between both
        painter.versus(surface, area.center)
    return surface


def _with_badge(name: pygame.Surface, side: int) -> pygame.Surface:
    return side_by_side([pygame.Surface((side, side), pygame.SRCALPHA), name])


def _level(painter: CardPainter, side: CardSide, width: int, sizes: Sequence[int] = (LEAST,)) -> list[pygame.Surface]:
    return painter.rows(side.level, "label", theme.SOFT, width, 1, sizes) if side.level else []


# The end card: who won, the score, both orders, what both did, the health lines, and why it ended so

_LEAST_CHART, _MOST_CHART = 100, 420
_BELOW, _STRIP = 16, 200  # from a telephone's words to its health lines, and their height
_NUMBERS = 110  # the width of a column of numbers


def closing_picture(painter: CardPainter, card: EndCard) -> pygame.Surface:
    """Return the whole card: its blocks from the top, why it ended so and the foot from the bottom, the health lines
    in what is left between, where that is enough."""
    surface, area, gap = painter.background(), painter.inner, painter.gap
    width = (area.width - gap) // 2 if painter.wide else area.width
    words = painter.rows(card.how, "label", theme.GOLD, area.width, 2, (LEAST,))
    if card.why:
        sizes = (LEAST,) if painter.snug else (54, LEAST)
        words = painter.rows(card.why, "label", theme.TEXT, area.width, 2, sizes, even=True) + words
    bottom = area.bottom - painter.height(words)
    painter.stack(surface, words, bottom, middle=area.centerx)
    columns = [_player_rows(painter, side, bot, width - 2 * painter.pad) for bot, side in enumerate(card.sides)]
    top = _paint_result(painter, surface, card, area)
    high = max(map(painter.height, columns)) + painter.gap
    both = pygame.Rect(area.left, top, area.width, high if painter.wide else 2 * high + gap)
    painter.fill(surface, painter.plates(both, gap), columns)
    room = pygame.Rect(area.left, both.bottom + gap, area.width, bottom - both.bottom - 2 * gap)
    table = _table(painter, card, width)
    if table is not None and painter.wide:
        room.width = width
        surface.blit(table, table.get_rect(midright=(area.right, room.centery)))
    elif table is not None:
        room.top = surface.blit(table, table.get_rect(midtop=room.midtop)).bottom + gap
        room.height = bottom - gap - room.top
    if painter.telephone:  # below the words, where applications lay theirs, as in the film
        room = pygame.Rect(area.left, painter.area.bottom + painter.px(_BELOW), area.width, painter.px(_STRIP))
    _paint_health(painter, surface, card, room)
    return surface


def _paint_result(painter: CardPainter, surface: pygame.Surface, card: EndCard, area: pygame.Rect) -> int:
    """Paint who won and the score, beside each other where that fits; return the pixel below."""
    text, color = painter.text, theme.GOLD if card.bot is None else theme.SEAT_COLORS[card.bot]
    sizes = SIZES[3:] if painter.snug else SIZES[1:]
    left, between, right = card.scored.partition(" : ")
    right, _, unit = right.partition(" ")
    parts = [(left, theme.SEAT_COLORS[0]), (between, theme.TEXT), (right, theme.SEAT_COLORS[1])]
    pieces = [text.line(words, "title", sizes[1], tint) for words, tint in parts]
    pieces += [text.line(f"  {unit}", "label", LEAST, theme.SOFT)] if unit else []
    score = side_by_side(pieces)
    beside = area.width - score.get_width() - painter.px(42)
    if painter.wide or text.measure(card.title, "title", LEAST) <= beside:
        (title,) = painter.rows(card.title, "title", color, beside, 1, sizes)
        high = max(title.get_height(), score.get_height())
        surface.blit(title, title.get_rect(midleft=(area.left, area.top + high // 2)))
        surface.blit(score, score.get_rect(midright=(area.right, area.top + high // 2)))
        return area.top + high
    title, *_ = painter.rows(card.title, "title", color, area.width, 1, sizes)
    return painter.stack(surface, [title, score], area.top, middle=area.centerx)


def _player_rows(painter: CardPainter, side: CardSide, bot: int, width: int) -> list[pygame.Surface]:
    text = painter.text
    parts = [text.line(side.name, "title", LEAST, theme.SEAT_COLORS[bot], width)]
    if side.level and text.measure(side.level, "label", LEAST) + parts[0].get_width() < width - LEAST:
        parts.append(text.line(f"  {side.level}", "label", LEAST, theme.SOFT))
    return [
        side_by_side(parts),
        *painter.rows(side.told, "label", theme.TEXT, width, 1 if painter.snug else 2, (LEAST,)),
    ]


def _table(painter: CardPainter, card: EndCard, width: int) -> pygame.Surface | None:
    """Return what both did as a small table: left's numbers, what they are, right's numbers; None without any."""
    if not card.table:
        return None
    text, column = painter.text, painter.px(_NUMBERS)
    names = [text.line(what, "label", LEAST, theme.SOFT, width - 2 * column) for _, what, _ in card.table]
    pitch, wide = painter.height(names[:1]), max(name.get_width() for name in names) + 2 * column
    table = pygame.Surface((wide, pitch * len(names) + painter.gap), pygame.SRCALPHA)
    for number, ((left, _, right), name) in enumerate(zip(card.table, names, strict=True)):
        middle = round((number + 0.5) * pitch) + painter.gap // 2
        numbers = [text.line(words, "title", LEAST, theme.TEXT, column) for words in (left, right)]
        for line, x in zip((*numbers, name), (column // 2, wide - column // 2, wide // 2), strict=True):
            table.blit(line, line.get_rect(center=(x, middle)))
    for bot, x in enumerate((0, wide - painter.px(6))):
        pygame.draw.rect(table, theme.SEAT_COLORS[bot], (x, 0, painter.px(6), table.get_height()), border_radius=3)
    return table


def _paint_health(painter: CardPainter, surface: pygame.Surface, card: EndCard, area: pygame.Rect) -> None:
    """Paint the health lines, with their ends but on telephones, if there is room for them."""
    figures = card.figures
    if figures is None or len(figures.curve) < 2 or area.height < painter.px(_LEAST_CHART):
        return
    shown = area.inflate(0, min(0, painter.px(_MOST_CHART) - area.height))
    title, ends = f"GAME {card.game}" if card.game else "HEALTH", 0.0 if painter.telephone else float(LEAST)
    HealthChart(
        figures, painter.text, painter.scale * 1.6, shown.size, labelled=False, ends=ends, title=title,
        first_game=card.first_game,
    ).draw(surface, shown.topleft)  # fmt: skip


# A film's or a page's poster, for pages and feeds: the claim, both names and orders, and the fight between them

_FINER = 2
"""How much larger a poster is painted than it is: type and edges are smoother then."""
_SMALL, _CLAIM = (*SIZES, 42, 36, 32, 28), (60, 54, 48, 42)
_POSTER_ROWS = 9
"""The most rows of orders."""
_FIGHT = 0.40
"""The share of the width that the fight takes between both players."""
_PLATES = (0.34, 0.54)
"""The shares of the height that both players have below it at least and at most."""
_LEAST = 0.34
"""The least share of the arena's width that is shown, where there is that much room."""
_ROOM = 2.4
"""Radii of a bot around its middle that are in the picture, for its bar of health and what a hit took."""
_SHARPER = 1.5  # times as large as its place is the arena painted, of which a part is shown
_NAME, _NAME_SIZE = ("BATLLM ", "ARCADE"), 44


def fight_poster(
    timeline: Timeline, spans: Sequence[Span], title: str, size: tuple[int, int], *, telephone: bool = False
) -> pygame.Surface:
    """Return the poster of what these `spans` of a timeline show: its claim, who was told what, and the fight."""
    card = opening_card(timeline, spans[0][0] if spans else 0.0, title)
    wide, high = (_FINER * side for side in size)
    picture = fight_picture(CardPainter((wide, high), telephone=telephone), card, fight_scene(timeline, spans))
    return pygame.transform.smoothscale(picture, size)


def fight_picture(painter: CardPainter, card: OpeningCard, scene: Scene) -> pygame.Surface:
    """Return the whole poster; on a telephone's the fight is above all words, from edge to edge."""
    surface, inner, gap = painter.background(), painter.inner, painter.px(16)
    lines = 1 if painter.wide and painter.on_one_line([card.claim], "title", LEAST, inner.width) else 2
    sizes = SIZES if painter.wide else _CLAIM
    claim = painter.rows(card.claim, "title", theme.GOLD, inner.width, lines, sizes, even=True)
    parts = zip(_NAME, (theme.TEXT, theme.GOLD), strict=True)
    name = side_by_side([painter.text.line(part, "title", _NAME_SIZE, color) for part, color in parts])
    bottom = surface.blit(name, name.get_rect(midbottom=inner.midbottom)).top - gap // 2
    top, below = inner.top, inner.top + painter.height(claim) + gap
    if painter.wide:
        side = min(bottom - below, round(_FIGHT * inner.width))
        width = (inner.width - side) // 2 - gap
        fight = pygame.Rect(inner.centerx - side // 2, (below + bottom - side) // 2, side, side)
        columns = _poster_columns(painter, card.sides, width, bottom - below)
        plates = [pygame.Rect(x, below, width, bottom - below) for x in (inner.left, inner.right - width)]
    else:
        width, (least, most) = (inner.width - gap) // 2, (round(share * (bottom - below)) for share in _PLATES)
        columns = _poster_columns(painter, card.sides, width, most)
        high = max(least, max(map(painter.height, columns)) + painter.pad)
        plates = [pygame.Rect(x, bottom - high, width, high) for x in (inner.left, inner.right - width)]
        fight = pygame.Rect(inner.left, below, inner.width, bottom - high - gap - below)
    if painter.telephone:
        top = plates[0].top - (below - top)
        fight = pygame.Rect(0, 0, surface.get_width(), top - gap)
    painter.stack(surface, claim, top, middle=inner.centerx)
    covered = painter.area.top / fight.height if painter.telephone else 0.0  # there bots are where nothing covers them
    paint_fight(painter, surface, fight, scene, words=not painter.telephone, covered=covered)
    painter.fill(surface, plates, columns)
    return surface


def _poster_columns(
    painter: CardPainter, sides: Sequence[CardSide], width: int, high: int
) -> list[list[pygame.Surface]]:
    width, names = width - 2 * painter.pad, [side.name for side in sides]
    rows = 1 if painter.on_one_line(names, "title", _SMALL[-1], width) else 2
    sizes = _SMALL[3:] if rows == 1 else _SMALL[-2:]  # orders come before names that take two rows
    named = painter.alike(names, "title", theme.SEAT_COLORS, width, rows, sizes)
    heads = [[*name, *_level(painter, side, width, _SMALL[-2:])] for name, side in zip(named, sides, strict=True)]
    room, told = high - painter.pad - max(map(painter.height, heads)), [side.told for side in sides]
    large = _SMALL if painter.wide else _SMALL[5:]  # else the fight above them is larger
    orders = painter.alike(told, "label", [theme.TEXT] * 2, width, _POSTER_ROWS, large, room)
    return [head + own for head, own in zip(heads, orders, strict=True)]


def paint_fight(
    painter: CardPainter,
    target: pygame.Surface,
    rect: pygame.Rect,
    scene: Scene,
    *,
    words: bool = True,
    covered: float = 0.0,
) -> None:
    """Paint the part of the arena around both bots, as large as it fits into a rectangle, in the middle of it; with
    what is said there (`words`) if there is room for it.

    Bots are below a share of its height that is `covered`, where there is room for that.
    """
    side = round(_SHARPER * max(rect.size))
    renderer = Renderer((2 * side, round(1.1 * side)), scene.board.rules, film="plain")
    whole, part = canvas(renderer.size), fight_part(scene, renderer, rect.width / rect.height, covered)
    taken = uncovered(renderer.arena, [part]) if words else [renderer.arena]  # words are told within the picture
    renderer.draw(whole, scene, taken)
    scale = min(rect.width / part.width, rect.height / part.height)
    shown = pygame.Rect(0, 0, round(scale * part.width), round(scale * part.height))
    shown.center = rect.center
    target.blit(pygame.transform.smoothscale(whole.subsurface(part), shown.size), shown)
    pygame.draw.rect(target, theme.WALL, shown, painter.px(3), border_radius=painter.px(4))


def fight_part(scene: Scene, renderer: Renderer, shape: float, covered: float) -> pygame.Rect:
    """Return the smallest part of an arena that has both bots in it, at most `shape` times as wide as high.

    They are in what is not `covered` at its top, a share of its height, where that leaves it as wide.
    """
    arena, camera = renderer.arena, renderer.camera
    side = round(2 * camera.length(_ROOM * renderer.rules.bot_radius))
    around = [pygame.Rect(0, 0, side, side) for _ in scene.bots]
    for rect, pose in zip(around, scene.bots, strict=True):
        x, y = camera.point(pose.x, pose.y)
        rect.center = round(x), round(y)
    both = around[0].union(around[1]).clip(arena)
    tall = max(both.height, min(round(both.height / (1 - covered)), round(arena.width / shape)))
    high = min(arena.height, max(tall, round(max(both.width, _LEAST * arena.width) / shape)))
    part = pygame.Rect(0, 0, min(arena.width, max(both.width, round(high * shape))), high)
    part.center = both.center
    part.top = max(both.bottom - high, min(part.top, both.top - round(covered * high)))
    return part.clamp(arena)


def canvas(size: tuple[int, int]) -> pygame.Surface:
    """Return a surface in the pixel format bgr0, whatever the display's format is."""
    return pygame.Surface(size, 0, 32, (0xFF0000, 0xFF00, 0xFF, 0))


def write_opening(
    timeline: Timeline, start: float, title: str, size: tuple[int, int], out: Path, *, force: bool
) -> None:
    """Write the opening card of a film of this size that would begin at `start` seconds of the timeline, as PNG."""
    write_picture(opening_picture(CardPainter(size), opening_card(timeline, start, title)), out, force=force)


def write_picture(surface: pygame.Surface, out: Path, *, force: bool) -> None:
    """Write a picture as PNG, in one step; without `force` only if nothing has appeared there."""
    picture = io.BytesIO()
    pygame.image.save(surface, picture, "poster.png")
    with replacing(out, new=not force) as temporary:
        temporary.write_bytes(picture.getvalue())
