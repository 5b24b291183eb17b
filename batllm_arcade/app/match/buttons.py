"""The buttons of a match at one moment, and how they look: what a person's bot can do, what can be done with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import pygame

from batllm_arcade.app.input.controls import Controls, Pointer
from batllm_arcade.app.input.players import Players
from batllm_arcade.app.input.pointing import banks
from batllm_arcade.app.match.state import MatchState
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.rules import refusal
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.seats.table import OpenRequest
from batllm_arcade.view import theme
from batllm_arcade.view.layout import Layout, columns
from batllm_arcade.view.telegraph.advice import Choice, command_of, loads_by_waiting
from batllm_arcade.view.theme import Color, mixed

Look = Literal["ready", "off", "refused", "lit"]
"""`off`: not now; `refused`: now, but the rules would not let it happen; `lit`: what a click in the arena would do."""

ACTIONS: tuple[tuple[str, str], ...] = (
    ("left", "TURN"), ("right", "TURN"), ("move", "STEP"), ("retreat", "BACK"), ("fire", "FIRE"), ("shield", "SHIELD"),
    ("wait", "WAIT"),
)  # fmt: skip
"""What a bot can do, and how its button is called; a step back only where the rules have it."""
_CHECKED: tuple[Choice, ...] = ("fire", "shield", "move", "retreat")
_LEFT, _RIGHT = ("skip", "slower", "faster", "help"), ("swap", "wheel", "record", "clip")
_KEYLESS: dict[Pointer, dict[str, str]] = {
    "mouse": {"move": "wheel", "retreat": "wheel \u2193", "fire": "click it", "shield": "r click"}, "touch": {},
}  # fmt: skip
"""What somebody who points may do instead of pressing a button."""
_WORDS = {"record": "film", "clip": "clip", "step": "next", "swap": "players", "wheel": "take over"}


@dataclass(frozen=True, slots=True)
class MatchButton:
    """A button's action, words and key; `group` 0 is a bot's action, 1 and 2 what can be done with the match."""

    name: str
    words: str
    key: str
    group: int = 1
    look: Look = "ready"
    bot: int | None = None
    hovered: bool = False
    pressed: bool = False


@dataclass
class Touched:
    """The names of the buttons under the pointer and held down, "" for none."""

    hovered: str = ""
    pressed: str = ""


def match_buttons(
    state: MatchState, controls: Controls, players: Players, person: OpenRequest | None, touched: Touched
) -> tuple[MatchButton, ...]:
    """Return all buttons of this moment; those of a bot only where a person has a seat."""
    found = [*_tools(state, controls), *(_actions(state, controls, players, person) if any(state.humans) else ())]
    return tuple(
        replace(each, hovered=each.name == touched.hovered, pressed=each.name == touched.pressed) for each in found
    )


def _tools(state: MatchState, controls: Controls) -> Iterator[MatchButton]:
    speed = state.clock.speed
    for group, names in ((1, _LEFT), (2, _RIGHT)):
        for name in names:
            name = "step" if state.clock.paused and name == "skip" else name
            words = "hand back" if name == "wheel" and state.taken_over else _WORDS.get(name, name)
            nothing = name == "wheel" and all(state.humans) and not state.taken_over
            changed = speed != 1.0 and name == ("faster" if speed > 1.0 else "slower")
            words = f"{words} {speed:g}x" if changed else words
            look: Look = "off" if nothing else "lit" if changed else "ready"
            key = "" if controls.pointer else controls.label(name)
            yield MatchButton(name, words, key, group, look)


def _actions(
    state: MatchState, controls: Controls, players: Players, person: OpenRequest | None
) -> Iterator[MatchButton]:
    seat = person.bot if person is not None else state.humans.index(True)
    meant, pointer = _meant(players, person), controls.pointer_of(seat, state.humans)
    for name, words in ACTIONS:
        if name == "retreat" and not state.rules.back_step:
            continue
        look: Look = "off" if person is None else "lit" if name == meant else "ready"
        key = _KEYLESS[pointer].get(name, "") if pointer else controls.label(name, seat)
        if person is not None:
            arena, rules = person.view.arena, person.view.rules
            if name in _CHECKED and refused(arena, seat, name, rules):
                look = "refused"
            if name == "fire" and pointer == "mouse" and banks(person.view):
                key = "its mark"  # on the wall: a click on the other bot would turn to it
            if name == "wait" and waits(arena, seat, rules):
                key = f"{key} to load".strip()
        yield MatchButton(name, words, key, 0, look, seat)


def _meant(players: Players, person: OpenRequest | None) -> str:
    aim = players.aim
    if person is None or aim is None or players.pointing.direction(person.view) is None:
        return ""
    return "fire" if players.pointing.fires(person.view) else "left" if aim.turned < 0 else "right"


waits = lru_cache(maxsize=8)(loads_by_waiting)


@lru_cache(maxsize=8)
def refused(arena: Arena, bot: int, choice: Choice, rules: Rules) -> bool:
    """Return whether the rules would refuse this bot's play now, or have none such."""
    command = command_of(choice, rules)
    return command is None or refusal(arena, bot, command, rules) is not None


_FINE = 4
_SIZES, _LONGEST = (21, 19, 17, 15, 14, 13), "SHIELD"
_ROOMY = 76
"""Logical pixels in a button from which on its sign is large."""


def places(layout: Layout, buttons: Sequence[MatchButton]) -> dict[str, pygame.Rect]:
    """Return where each button is, by its name, in pixels."""
    found: dict[str, pygame.Rect] = {}
    if layout.actions is None or not layout.tools:
        return found
    groups = [[button for button in buttons if button.group == group] for group in range(3)]
    if len(layout.tools) == 1:
        groups = [groups[0], groups[1] + groups[2]]
    for box, group in zip((layout.actions, *layout.tools), groups, strict=True):
        gap = max(2, round(7 * layout.scale))
        for button, place in zip(group, columns(box, [None] * len(group), gap), strict=True):
            left, right = round(place[0]), round(place[0] + place[2])
            found[button.name] = pygame.Rect(left, box[1], right - left, box[3])
    return found


class ButtonStrip:
    """Draws the buttons of one layout; a strip is painted anew only when something about it has changed."""

    def __init__(self, layout: Layout, ui_scale: float) -> None:
        self._layout, self._text = layout, TextRenderer(layout.scale * ui_scale)
        self._picture = lru_cache(maxsize=64)(self._painted)
        self._narrowest = 0
        self.places: dict[str, pygame.Rect] = {}
        """Where the buttons are that were placed last."""

    def place(self, buttons: Sequence[MatchButton]) -> None:
        """Give the buttons their places."""
        self.places = places(self._layout, buttons)
        acts = [self.places[each.name].width for each in buttons if each.group == 0 and each.name in self.places]
        self._narrowest = min(acts, default=0)

    def draw(self, target: pygame.Surface, buttons: Sequence[MatchButton]) -> None:
        """Draw them where they were placed."""
        for button in buttons:
            if button.name in self.places:
                place = self.places[button.name]
                room = self._narrowest if button.group == 0 else place.width
                target.blit(self._picture(button, place.size, room - round(8 * self._layout.scale)), place)

    def at(self, pos: tuple[int, int]) -> str:
        """Return the name of the button at a pixel, "" if there is none."""
        return next((name for name, place in self.places.items() if place.collidepoint(pos)), "")

    def _painted(self, button: MatchButton, size: tuple[int, int], room: int) -> pygame.Surface:
        fill, edge, _, _ = _colors(button)
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
        self._paint_words(surface, button, face, room)
        return surface

    def _paint_words(self, surface: pygame.Surface, button: MatchButton, face: pygame.Rect, room: int) -> None:
        text, scale = self._text, self._layout.scale
        _, _, word, key = _colors(button)
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
            ends = (left - 2, middle), (left + line.get_width() + 2, middle)
            pygame.draw.line(surface, word, *ends, max(2, round(2 * scale)))


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
    acts, strong = button.group == 0, button.hovered or button.look == "lit"
    share = 0.36 if button.hovered else 0.26 if strong else 0.16 if acts else 0.06
    edge = own if strong else mixed(theme.PANEL_EDGE, own, 0.6 if acts else 0)
    word = theme.TEXT if acts or button.hovered else theme.SOFT
    return mixed(theme.PANEL, own, share), edge, word, own if acts else theme.SOFT


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
