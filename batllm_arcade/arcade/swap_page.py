"""Another brain for a seat while the match goes on behind: the seat, then one of all brains with their states."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence

import pygame

from batllm_arcade import readiness
from batllm_arcade.arcade.page import Choices, Row, Sound, draw_box
from batllm_arcade.brains import BrainKind, SeatInfo, Spec
from batllm_arcade.core.model import SEATS
from batllm_arcade.errors import UsageError
from batllm_arcade.view import theme
from batllm_arcade.view.draw import Picture
from batllm_arcade.view.sprites import blit_centred
from batllm_arcade.view.theme import mixed

_WIDE, _HIGH, _ROW = 620, 580, 40


def all_specs(kinds: Mapping[str, BrainKind], used: Sequence[Spec]) -> list[Spec]:
    """Every brain there is, those with a choice once per variant; what was set up with options comes first."""
    specs = [spec for spec in used if spec.options]
    for kind in sorted(kinds.values(), key=lambda kind: (not kind.human, not kind.prompted, kind.name)):
        specs += [Spec(kind.name, variant) for variant in kind.variants] or [Spec(kind.name)]
    return list({str(spec): spec for spec in specs}.values())


class SwapPage:
    """`swap(bot, spec)` asks for it (UsageError where it cannot be), `back` closes the page."""

    whole = False

    def __init__(
        self, kinds: Mapping[str, BrainKind], used: Sequence[Spec], now_there: Callable[[int], SeatInfo],
        swap: Callable[[int, Spec], None], back: Callable[[], None], sound: Sound, bot: int,
    ) -> None:  # fmt: skip
        self.bot, self.problem = bot, ""
        self._kinds, self._specs, self._there = kinds, all_specs(kinds, used), now_there
        self._swap, self._back, self._sound = swap, back, sound
        self._missing: dict[str, str] | None = None
        self.choices = Choices(self._rows, sound)
        threading.Thread(target=self._look_around, daemon=True).start()

    def _look_around(self) -> None:
        self._missing = {kind.name: problem for kind, problem in readiness.missing(self._kinds)}

    def _rows(self) -> list[Row]:
        return [
            Row(spec.variant or spec.name, lambda spec=spec: self._ask(spec), self._note(spec), turn=self._other_seat)  # type: ignore[misc]
            for spec in self._specs
        ]

    def _note(self, spec: Spec) -> str:
        if self._there(self.bot).brain == spec.short and not spec.options:
            return "plays now"
        if self._missing is None:
            return "looking..."
        problem = self._missing.get(spec.name, "")
        family = f"{spec.name}   " if spec.variant else ""
        return f"{family}{problem or 'ready'}"

    def _other_seat(self, by: int) -> None:
        self.bot, self.problem = (1 if by > 0 else 0), ""

    def _ask(self, spec: Spec) -> None:
        try:
            self._swap(self.bot, spec)
        except UsageError as error:
            self.problem = str(error)
            self._sound("error")
        else:
            self._back()

    def handle(self, event: pygame.event.Event, intent: str | None, now: float) -> None:
        """Left and right choose the seat, up and down the brain; back closes."""
        if intent in ("back", "menu"):
            self._sound("back")
            self._back()
        elif intent in ("next", "previous"):
            self._sound("move")
            self._other_seat(1 if intent == "next" else -1)
        else:
            self.choices.handle(event, intent)

    def draw(self, target: pygame.Surface, picture: Picture, now: float) -> None:
        """The box with both seats at its top and the brains below."""
        scale, line = picture.scale, picture.letters.line
        box = draw_box(target, picture, _WIDE, _HIGH)
        blit_centred(target, line("Another brain", "title", 28, theme.TEXT), (box.centerx, box.top + 34 * scale))
        for seat in (0, 1):
            self._draw_seat(target, picture, box, seat)
        inner = pygame.Rect(0, 0, round((_WIDE - 48) * scale), round((_HIGH - 230) * scale))
        inner.midtop = (box.centerx, box.top + round(146 * scale))
        self.choices.draw(target, picture, inner, _ROW)
        words, color = (self.problem, theme.DANGER) if self.problem else (self._about(), theme.SOFT)
        foot = picture.letters.block(words, "mono", 13, color, (_WIDE - 56) * scale, 2)
        target.blit(foot, foot.get_rect(midtop=(box.centerx, inner.bottom + round(18 * scale))))

    def _draw_seat(self, target: pygame.Surface, picture: Picture, box: pygame.Rect, seat: int) -> None:
        scale, chosen, color = picture.scale, seat == self.bot, theme.SEAT_COLORS[seat]
        wide = round((_WIDE - 60) / 2 * scale)
        tab = pygame.Rect(box.left + round(24 * scale) + seat * (wide + round(12 * scale)), 0, wide, round(64 * scale))
        tab.top = box.top + round(62 * scale)
        radius = round(10 * scale)
        pygame.draw.rect(target, mixed(theme.SUNKEN, color, 0.22 if chosen else 0.0), tab, border_radius=radius)
        edge = color if chosen else theme.PANEL_EDGE
        pygame.draw.rect(target, edge, tab, max(1, round((3 if chosen else 1) * scale)), border_radius=radius)
        name = picture.letters.line(SEATS[seat].upper(), "label", 15, color if chosen else theme.DIM)
        tint = theme.TEXT if chosen else theme.SOFT
        there = picture.letters.line(f"now: {self._there(seat).name}", "mono", 14, tint, wide - 20 * scale)
        blit_centred(target, name, (tab.centerx, tab.top + 20 * scale))
        blit_centred(target, there, (tab.centerx, tab.top + 44 * scale))

    def _about(self) -> str:
        spec = self._specs[min(self.choices.focus, len(self._specs) - 1)]
        kind = self._kinds.get(spec.name)
        problem = (self._missing or {}).get(spec.name, "")
        return problem or (kind.about.get(spec.variant, kind.summary) if kind else "")
