"""Pages over a match: a column of choices in a box, or a whole window of its own; keyboard, mouse and gamepad."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import pygame

from batllm_arcade.view import theme
from batllm_arcade.view.draw import Picture
from batllm_arcade.view.sprites import blit_centred
from batllm_arcade.view.theme import Color, mixed

Sound = Callable[[str], None]
"""Plays one of the menus' sounds: `move`, `confirm`, `back`, `error`."""


class Page(Protocol):
    """What lies over the match; `whole` hides the match behind it."""

    whole: bool

    def handle(self, event: pygame.event.Event, intent: str | None, now: float) -> None:
        """Take one event and what it means in a menu."""
        ...

    def draw(self, target: pygame.Surface, picture: Picture, now: float) -> None:
        """Draw it over what is there."""
        ...


@dataclass(frozen=True)
class Row:
    """One choice: what it says, what it does, what it says about itself; `turn` takes left (-1) and right (1)."""

    words: str
    do: Callable[[], None]
    note: str = ""
    turn: Callable[[int], None] | None = None
    enabled: bool = True
    danger: bool = False


class Choices:
    """Rows of which one has the focus, in one column or several; they may be other rows in the next frame."""

    def __init__(self, rows: Callable[[], Sequence[Row]], sound: Sound, focus: int = 0, columns: int = 1) -> None:
        self._rows, self._sound, self._columns = rows, sound, columns
        self.focus = focus
        self.top = 0  # the first row shown
        self._places: list[tuple[int, pygame.Rect]] = []

    @property
    def rows(self) -> Sequence[Row]:
        """What can be chosen now."""
        return self._rows()

    def handle(self, event: pygame.event.Event, intent: str | None) -> None:
        """Move the focus, or do what the row with the focus does."""
        rows = self.rows
        self.focus = min(self.focus, len(rows) - 1)
        if intent in ("up", "down"):
            self._move((-1 if intent == "up" else 1) * self._columns, len(rows))
        elif intent in ("previous", "next"):
            self._move(-1 if intent == "previous" else 1, len(rows))
        elif intent in ("left", "right") and (turn := rows[self.focus].turn):
            self._sound("move")
            turn(-1 if intent == "left" else 1)
        elif intent in ("left", "right") and self._columns > 1:
            self._move(-1 if intent == "left" else 1, len(rows))
        elif intent == "confirm":
            self._choose(rows[self.focus])
        elif event.type == pygame.MOUSEMOTION and (at := self._under(event.pos)) is not None:
            self.focus = at
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and (at := self._under(event.pos)) is not None:
            self.focus = at
            self._choose(rows[at])
        elif event.type == pygame.MOUSEWHEEL and event.y:
            self._move(-1 if event.y > 0 else 1, len(rows), around=False)

    def _move(self, by: int, count: int, *, around: bool = True) -> None:
        self._sound("move")
        self.focus = (self.focus + by) % count if around else max(0, min(count - 1, self.focus + by))

    def _choose(self, row: Row) -> None:
        self._sound("confirm" if row.enabled else "error")
        if row.enabled:
            row.do()

    def _under(self, at: tuple[int, int]) -> int | None:
        return next((number for number, rect in self._places if rect.collidepoint(at)), None)

    def draw(self, target: pygame.Surface, picture: Picture, box: pygame.Rect, high: float, gap: float = 6) -> None:
        """Draw the rows one below the other in the pixel box; `high` and `gap` are logical pixels."""
        rows, step, columns = self.rows, (high + gap) * picture.scale, self._columns
        visible = max(1, int((box.height + gap * picture.scale) // step)) * columns
        self.focus = min(self.focus, len(rows) - 1)
        self.top = max(min(self.top, self.focus), self.focus - visible + 1, 0)
        self.top = min(self.top, max(0, len(rows) - visible))
        between = round(gap * picture.scale)
        wide = (box.width - between * (columns - 1)) // columns
        self._places = []
        for place, number in enumerate(range(self.top, min(len(rows), self.top + visible))):
            left, top = box.left + (place % columns) * (wide + between), round(box.top + place // columns * step)
            rect = pygame.Rect(left, top, wide, round(high * picture.scale))
            self._places.append((number, rect))
            draw_row(target, picture, rect, rows[number], focused=number == self.focus)
        _draw_more(target, picture, box, self.top > 0, self.top + visible < len(rows))


def draw_row(target: pygame.Surface, picture: Picture, rect: pygame.Rect, row: Row, *, focused: bool) -> None:
    """One row as a button: gold where the focus is."""
    fill = mixed(theme.SUNKEN, theme.GOLD, 0.92) if focused else theme.SUNKEN
    fill = mixed(theme.SUNKEN, theme.DIM, 0.5) if focused and not row.enabled else fill
    pygame.draw.rect(target, fill, rect, border_radius=round(8 * picture.scale))
    if not focused:
        edge = max(1, round(picture.scale))
        pygame.draw.rect(target, theme.PANEL_EDGE, rect, edge, border_radius=round(8 * picture.scale))
    color = theme.NIGHT if focused else theme.DIM if not row.enabled else theme.DANGER if row.danger else theme.TEXT
    size, pad = 20.0 if rect.height > 34 * picture.scale else 16.0, 16 * picture.scale
    note = picture.letters.line(row.note, "mono", 13, mixed(theme.NIGHT, color, 0.85) if focused else theme.SOFT,
                                rect.width * 0.55) if row.note else None  # fmt: skip
    room = rect.width - 2 * pad - (note.get_width() + pad if note else 0)
    words = picture.letters.line(row.words, "label", size, color, room)
    target.blit(words, words.get_rect(midleft=(rect.left + pad, rect.centery)))
    if note:
        target.blit(note, note.get_rect(midright=(rect.right - pad, rect.centery)))


def _draw_more(target: pygame.Surface, picture: Picture, box: pygame.Rect, above: bool, below: bool) -> None:
    """Small arrows where the column goes on."""
    arm = 5 * picture.scale
    for there, y, side in ((above, box.top - 1.4 * arm, -1), (below, box.bottom + 1.4 * arm, 1)):
        if there:
            x = box.centerx
            corners = [(x - arm, y - side * arm / 2), (x + arm, y - side * arm / 2), (x, y + side * arm / 2)]
            pygame.draw.polygon(target, theme.GOLD, corners)


class MenuPage:
    """A box with a title, some words and a column of choices, over the dimmed match."""

    whole = False

    def __init__(
        self, title: str, rows: Callable[[], Sequence[Row]], back: Callable[[], None], sound: Sound,
        words: str = "", color: Color = theme.TEXT, focus: int = 0,
    ) -> None:  # fmt: skip
        self.title, self.words, self.color = title, words, color
        self.choices = Choices(rows, sound, focus)
        self._back, self._sound = back, sound

    def handle(self, event: pygame.event.Event, intent: str | None, now: float) -> None:
        """Up, down, confirm; back closes it."""
        if intent in ("back", "menu"):
            self._sound("back")
            self._back()
        else:
            self.choices.handle(event, intent)

    def draw(self, target: pygame.Surface, picture: Picture, now: float) -> None:
        """The box in the middle of the window."""
        scale, high = picture.scale, 44
        words = self.words and picture.letters.block(self.words, "mono", 14, theme.SOFT, 420 * scale, 4)
        above = 70 + (words.get_height() / scale + 14 if words else 0)
        box = draw_box(target, picture, 480, above + len(self.choices.rows) * (high + 6) + 16)
        title = picture.letters.line(self.title, "title", 30, self.color, 440 * scale)
        blit_centred(target, title, (box.centerx, box.top + round(38 * scale)))
        if words:
            target.blit(words, words.get_rect(midtop=(box.centerx, box.top + round(68 * scale))))
        inner = pygame.Rect(0, 0, round(432 * scale), round((box.height / scale - above - 10) * scale))
        inner.midtop = (box.centerx, box.top + round(above * scale))
        self.choices.draw(target, picture, inner, high)


def draw_box(target: pygame.Surface, picture: Picture, width: float, height: float) -> pygame.Rect:
    """A panel of this logical size in the middle of the dimmed window; its rectangle in pixels."""
    dim(target)
    scale = picture.scale
    box = pygame.Rect(0, 0, round(width * scale), round(height * scale))
    box.center = picture.pixel(theme.WIDTH / 2, theme.HEIGHT / 2)
    radius = round(14 * scale)
    pygame.draw.rect(target, theme.PANEL, box, border_radius=radius)
    pygame.draw.rect(target, theme.WALL, box, max(1, round(2 * scale)), border_radius=radius)
    return box


_DARK = (74, 76, 84)


def dim(target: pygame.Surface) -> None:
    """Take the light from what is there, so that what comes on top stands out."""
    target.fill(_DARK, special_flags=pygame.BLEND_RGB_MULT)
