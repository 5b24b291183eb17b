"""Panels beside the arena: their head with name, health and charge, their body, and what both are made of."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable
from typing import NamedTuple

import pygame

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.commands import Nothing
from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import Play
from batllm_arcade.match.series import SIDES, distinct
from batllm_arcade.render.sprites import Icons
from batllm_arcade.render.text import MOST_CHARACTERS, TextRenderer, clean
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view import theme
from batllm_arcade.view.look.shapes import cartridges, filled, is_loaded
from batllm_arcade.view.play_text import did, duration, level_of, outcome
from batllm_arcade.view.play_words import (
    brain_words,
    deed_heading,
    deed_words,
    model_asked,
    player_words,
    reply_says_more,
    thought_heading,
)
from batllm_arcade.view.reading_words import BARS, ReadingShown, command_span, excerpt, reading_of
from batllm_arcade.view.scene import BotPose, Keys, Scene, Tally, Thinking
from batllm_arcade.view.theme import Color, mixed

LABEL, THOUGHT = 15, 17
"""Font sizes of a section's label and of its text, in pixels at scale 1; films may have larger text."""
_FIGURE, _ACTION, _OUTCOME, _TOOK, _REPLY, _PROMPT = 26, 34, 16, 13, 15, 15
_NONE = 21
ON_BUTTONS = "They are on the buttons."
"""What stands in place of a person's keys where there is no room for all of them."""
_ASIDE_LINES = 3  # on the manner of a bot that plays orders, and on cases
_SEEN_LINES = 2  # of what a play without a thought is for, above the counts
_SHOWN_LATENCY_S = 0.1  # shorter response times are shown for models only
_FOLLOWS = 0.6  # of what a thought is larger, the share by which the reply is
_REPLY_LINES, _PROMPT_LINES, _MIN_THOUGHT_LINES = 3, 2, 3


class Panel:
    """A panel of one seat, or a part of it; `scale` is pixels per logical pixel."""

    def __init__(self, seat: int, text: TextRenderer, icons: Icons, scale: float) -> None:
        self.seat, self.text, self.icons, self.scale = seat, text, icons, scale
        self.color, self.pad = theme.SEAT_COLORS[seat], self.px(12)

    def px(self, value: float) -> int:
        """Return a logical length in pixels, at least 1."""
        return max(1, round(value * self.scale))


class _Heights(NamedTuple):
    """Heights of the boxes in pixels and in lines; a `reply` of 0 pixels is left out, as is a prompt without room."""

    thought: int
    thought_lines: int
    reply: int
    reply_lines: int
    prompt: bool


class _Identity:
    """Equal to another only if both hold the same object: comparing plays field by field would be slow."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and self._value is other._value

    __hash__ = None  # type: ignore[assignment]


class PanelBody(Panel):
    """Paints one seat's body; if there is too little room the prompt is left out first."""

    label_size: float = LABEL

    def __init__(
        self, seat: int, text: TextRenderer, icons: Icons, scale: float, *, tall: bool, size: float = THOUGHT
    ) -> None:
        """`size` is that of what is thought; where that is larger, the reply is a little larger, too."""
        super().__init__(seat, text, icons, scale)
        self.size, self.reply_size = size, _REPLY * (1 + _FOLLOWS * (size / THOUGHT - 1))
        self.label_height = text.height("label", self.label_size) + self.px(2)
        self.line_height = text.height("label", size)
        self.top = self.px(10 if tall else 2)

    @property
    def play_height(self) -> int:
        """Return the height of the last play in pixels."""
        return self.text.height("title", _ACTION) + self.text.height("label", _OUTCOME) + self.px(8)

    def key(self, scene: Scene) -> tuple[object, ...]:
        """Return a value that is equal for scenes with the same picture of this body."""
        board, seat = scene.board, self.seat
        thinking = self.thinking(scene)
        text = None if thinking is None else (thinking.human, thinking.text[-MOST_CHARACTERS:])
        known, play = scene.t >= board.known_at[seat], _Identity(board.plays[seat])
        orders = board.prompts[seat] if board.round else None
        return text, known, play, board.seats[seat], scene.keys[seat], orders, board.tallies[seat], board.notes[seat]

    def paint(self, surface: pygame.Surface, scene: Scene) -> None:
        """Paint the body on a surface as wide as the panel."""
        heights, top = self._heights(surface.get_height(), self.has_no_reply(scene)), self.top
        self._paint_thought(surface, scene, top, heights.thought, heights.thought_lines)
        top += self.label_height + heights.thought + self.px(4)
        self.paint_play(surface, scene, top)
        top += self.play_height
        if heights.reply:
            self.paint_reply(surface, scene.board.plays[self.seat], top, heights.reply, heights.reply_lines)
            top += self.label_height + heights.reply + self.px(6)
        if heights.prompt:
            self.label(surface, "ORDERS", top)
            if scene.board.round:  # it brings them
                text, color = _prompt_text(scene.board.prompts[self.seat], scene.board.seats[self.seat])
                width = max(1, surface.get_width() - 2 * self.pad)
                block = self.text.block(text, "label", _PROMPT, color, width, _PROMPT_LINES)
                surface.blit(block, (self.pad, top + self.label_height))

    def paint_prompt(self, surface: pygame.Surface, prompt: str, info: SeatInfo) -> None:
        """Paint the prompt alone, with as many lines as there is room for."""
        height = surface.get_height() - self.top - self.label_height - self.px(12)
        if height < self.line_height + self.px(12):
            return
        self.label(surface, "ORDERS", self.top)
        area = self.sunken(surface, self.top + self.label_height, height)
        text, color = _prompt_text(prompt, info)
        self.block(surface, area, text, color, max(1, area.height // self.line_height))

    def thinking(self, scene: Scene) -> Thinking | None:
        """Return who is deciding if it is this seat."""
        return scene.thinking if scene.thinking is not None and scene.thinking.bot == self.seat else None

    def has_no_reply(self, scene: Scene) -> bool:
        """Return whether what this seat has answered says no more than its play: then it is not worth showing."""
        info, play = scene.board.seats[self.seat], scene.board.plays[self.seat]
        if play is None or not (info.human or info.model):
            return play is None or play.decision.raw.strip() in ("", str(play.decision.command or ""))
        return not reply_says_more(play, info)

    def _heights(self, height: int, no_reply: bool) -> _Heights:
        """Divide the panel's height: the play gets all it needs, then thought and reply share, then the prompt."""
        label, box = self.label_height, self.px(12)
        reply, thought = self.text.height("mono", _REPLY), self.line_height
        room = height - self.px(20) - self.play_height - 2 * (label + box)
        prompt = label + _PROMPT_LINES * self.text.height("label", _PROMPT) + self.px(8)
        with_prompt = room - prompt - _REPLY_LINES * reply >= _MIN_THOUGHT_LINES * thought
        if with_prompt:
            room -= prompt
        fitting = (
            count for count in range(_REPLY_LINES, 1, -1) if room - count * reply >= _MIN_THOUGHT_LINES * thought
        )
        reply_lines = next(fitting, 1)
        if no_reply or room - reply_lines * reply < thought:  # the thought's box takes the reply's room
            whole = max(room + label + box, thought)
            return _Heights(whole + box, whole // thought, 0, reply_lines, with_prompt)
        rest = max(room - reply_lines * reply, thought)
        return _Heights(rest + box, rest // thought, reply_lines * reply + box, reply_lines, with_prompt)

    # Labels, boxes and text

    def label(self, surface: pygame.Surface, text: str, top: int) -> None:
        """Paint a section's label."""
        surface.blit(self.text.line(text, "label", self.label_size, theme.DIM), (self.pad, top))

    def text_width(self, surface: pygame.Surface) -> int:
        """Return the width of the text in a sunken box."""
        return max(1, surface.get_width() - 2 * self.px(8) - 2 * self.px(7))

    def sunken(self, surface: pygame.Surface, top: int, height: int) -> pygame.Rect:
        """Paint a sunken box across the panel; return the area for text in it."""
        box = pygame.Rect(self.px(8), top, surface.get_width() - 2 * self.px(8), max(1, height))
        pygame.draw.rect(surface, mixed(theme.SUNKEN, theme.NIGHT, 0.3), box, border_radius=self.px(6))
        area = box.inflate(-2 * self.px(7), -2 * self.px(5))
        area.size = self.text_width(surface), max(1, area.height)
        return area

    def block(
        self, surface: pygame.Surface, area: pygame.Rect, text: str, color: Color, lines: int, *, tail: bool = False
    ) -> int:
        """Paint wrapped text of at most `lines` lines, the first ones or (tail) the last ones; return how many."""
        rows = self.text.rows(text, "label", self.size, area.width, lines, tail=tail)
        self.text.paint_rows(surface, rows, "label", self.size, color, area.topleft)
        return len(rows)

    # What the brain thinks, a person's keys, or what a play is for and the counts

    def _paint_thought(self, surface: pygame.Surface, scene: Scene, top: int, height: int, lines: int) -> None:
        board, seat, thinking, keys = scene.board, self.seat, self.thinking(scene), scene.keys[self.seat]
        area = self.sunken(surface, top + self.label_height, height)
        play, tally = board.plays[seat], board.tallies[seat]
        thought = play.decision.thought if play else ""
        live = thinking is not None and not board.seats[seat].human
        seen = "" if thought or keys or play is None else deed_words(play, board.rules)
        said = thought_heading(play) if play and thought else deed_heading(board.seats[seat]) if seen else "SO FAR"
        if board.notes[seat] and not keys and not (thinking and thinking.text):
            self.label(surface, "NOTES", top)
            self.block(surface, area, board.notes[seat], theme.DIM if live else theme.SOFT, lines)
            return
        self.label(surface, "CONTROLS" if keys else "THINKS" if live else said, top)
        if keys:
            self._paint_tally(surface, tally, area, self._paint_keys(surface, keys, area) + self.px(8))
        elif live and thinking is not None and thinking.text:
            self.block(surface, area, thinking.text, theme.TEXT, lines, tail=True)
        elif thought and (reading := reading_of(thought)) is not None:
            self._paint_reading(surface, reading, area, lines, theme.DIM if live else theme.SOFT)
        elif thought:
            self.block(surface, area, thought, theme.DIM if live else theme.SOFT, lines)
        else:
            rows = self.block(surface, area, seen, theme.TEXT, _SEEN_LINES) if seen else 0
            below = area.top + rows * self.line_height + (self.px(6) if rows else 0)
            self._paint_tally(surface, tally, area, below)

    def _paint_reading(
        self, surface: pygame.Surface, reading: ReadingShown, area: pygame.Rect, lines: int, color: Color
    ) -> None:
        """Paint what is done now, above it how the orders were read, as far as that leaves two lines: small bars, how
        and when."""
        text, px, size = self.text, self.px, self.size
        bars = reading.shares[: max(0, min(BARS, lines - 2))]
        widest = max((text.measure(name, "label", size) for name, _ in bars), default=0)
        column = min(max(round(area.width * 0.5), widest + px(10)), round(area.width * 0.68))
        figure = text.measure("100%", "label", size)
        for row, (name, share) in enumerate(bars):
            top = area.top + row * self.line_height
            text.put(surface, name, "label", size, color, column - px(6), cut=True, topleft=(area.left, top))
            track = pygame.Rect(area.left + column, 0, max(1, area.width - column - figure - px(8)), px(7))
            track.centery = top + self.line_height // 2
            pygame.draw.rect(surface, theme.PANEL_EDGE, track, border_radius=px(3))
            track.width = max(1, round(track.width * share))
            pygame.draw.rect(surface, self.color, track, border_radius=px(3))
            text.put(surface, f"{share:.0%}", "label", size, color, topright=(area.right, top))
        used, room = len(bars), min(_ASIDE_LINES, lines - len(bars) - 2)
        if reading.aside and room > 0:
            aside = f"{reading.aside[:1].upper()}{reading.aside[1:]}"
            used += self.block(surface, area.move(0, used * self.line_height), aside, color, room)
        below = area.move(0, used * self.line_height)
        self.block(surface, below, reading.sentence, theme.TEXT, max(1, lines - used))

    def _paint_tally(self, surface: pygame.Surface, tally: Tally, area: pygame.Rect, top: int) -> None:
        """Paint the counts, large if there is room, not at all if there is none."""
        counts = [("hits", tally.hits, f"{tally.hits} of {tally.shots}")]
        counts += [("fumbles", tally.fumbles, f"{tally.fumbles}")] if tally.fumbles else []
        room = area.bottom + self.px(4) - top
        if len(counts) * self.line_height > room:
            return
        height = max(self.line_height, min(room // len(counts), self.px(60)))
        size = _FIGURE if height >= self.text.height("title", _FIGURE) else self.size
        for row, (name, count, shown) in enumerate(counts):
            cell = pygame.Rect(area.left, top + row * height, area.width, height)
            if row:
                pygame.draw.line(surface, theme.PANEL_EDGE, cell.topleft, (cell.right - 1, cell.top))
            self.text.put(surface, name, "label", self.size, theme.SOFT, midleft=cell.midleft)
            tint = theme.TEXT if count else theme.DIM
            self.text.put(surface, shown, "title", size, tint, midright=cell.midright)

    def _paint_keys(self, surface: pygame.Surface, keys: Keys, area: pygame.Rect) -> int:
        """Paint a person's keys and what each does, if there is room for all; return the pixel below the last one."""
        text, size, height = self.text, self.size, self.line_height + self.px(3)
        if len(keys) * height > area.height + self.px(6):
            rows = self.block(surface, area, ON_BUTTONS, theme.SOFT, max(1, area.height // self.line_height))
            return area.top + rows * self.line_height
        widest = max(text.measure(clean(key) + "   ", "label", size) for key, _ in keys)
        column = min(widest, round(area.width * 0.68))
        for row, (key, action) in enumerate(keys):
            left, top = area.left, area.top + row * height
            text.put(surface, key, "label", size, self.color, column, cut=True, topleft=(left, top))
            room = area.width - column
            text.put(surface, action, "label", size, theme.SOFT, room, cut=True, topleft=(left + column, top))
        return area.top + len(keys) * height

    # The last play: its command and what that led to, or the fumble

    def paint_play(self, surface: pygame.Surface, scene: Scene, top: int) -> None:
        """Paint the last command and its outcome, which stays hidden until it has been seen in the arena."""
        play, text, pad = scene.board.plays[self.seat], self.text, self.pad
        high = text.height("title", _ACTION)
        middle, below, width = top + high // 2, top + high, max(1, surface.get_width() - 2 * pad)
        if play is None:
            text.put(surface, "no play yet", "label", _NONE, theme.DIM, midleft=(pad, middle))
        elif play.status != "ok":
            self.paint_fumble(surface, middle, width)
            text.put(surface, play.reason, "label", _OUTCOME, theme.SOFT, width, cut=True, topleft=(pad, below))
        else:
            self._paint_command(surface, play, middle, width)
            known = scene.t >= scene.board.known_at[self.seat]
            words, color = outcome(play, scene.board.rules) if known else ("", theme.SOFT)
            slow = bool(scene.board.seats[self.seat].model) or play.latency_s >= _SHOWN_LATENCY_S
            corner = surface.get_width() - pad, below + self.px(1)
            took = duration(play.latency_s) if slow else ""
            if scene.board.seats[self.seat].model and not model_asked(play, scene.board.seats[self.seat]):
                took = "no model asked"
            latency = text.put(surface, took, "mono", _TOOK, theme.DIM, topright=corner)
            room = width - latency.width - self.px(10)
            text.put(surface, words, "label", _OUTCOME, color, room, topleft=(pad, below))

    def _paint_command(self, surface: pygame.Surface, play: Play, middle: int, width: int) -> None:
        silent = isinstance(play.command, Nothing)
        words = ("speaks" if play.decision.say else "waits") if silent else did(play)
        code = "" if silent else play.command.token
        corner = self.pad + width, middle + self.px(2)
        after = self.text.put(surface, code, "mono", _TOOK, theme.DIM, midright=corner)
        room = width - after.width - self.px(10)
        self.text.put(surface, words, "title", _ACTION, self.color, max(1, room), midleft=(self.pad, middle))

    def paint_fumble(self, surface: pygame.Surface, middle: int, width: int) -> None:
        """Paint hazard stripes, a warning sign and a word, so that it does not depend on colour."""
        height = self.text.height("title", 24) + self.px(8)
        band = pygame.Rect(self.pad, middle - height // 2, width, height)
        surface.blit(self.icons.stripes(band.width, band.height), band)
        sign = self.icons.warning(round(height * 0.72))
        word = self.text.fitted("FUMBLE!", "title", 24, theme.GOLD, width * 0.5)
        inner = pygame.Rect(0, 0, sign.get_width() + word.get_width() + self.px(24), height)
        inner.midleft = band.left + self.px(10), band.centery
        pygame.draw.rect(surface, theme.NIGHT, inner)
        surface.blit(sign, sign.get_rect(midleft=(inner.left + self.px(8), inner.centery)))
        surface.blit(word, word.get_rect(midleft=(inner.left + self.px(15) + sign.get_width(), inner.centery)))

    # The raw reply with the accepted command marked in it

    def paint_reply(self, surface: pygame.Surface, play: Play | None, top: int, height: int, lines: int) -> None:
        """Paint the label and a box of `height` pixels that has room for `lines` lines."""
        self.label(surface, "RAW REPLY", top)
        area = self.sunken(surface, top + self.label_height, height)
        if play is None:
            return
        decision, failed = play.decision, play.status != "ok"
        if not decision.raw.strip():
            pressed = f"pressed in the reply to play {decision.queued_from}" if decision.queued_from else ""
            note = pressed or ("(no answer)" if failed else "")
            self.text.put(
                surface, note, "label", self.reply_size, theme.DIM, area.width, cut=True, topleft=area.topleft
            )
            return
        columns = max(4, area.width // max(1, self.text.measure("m", "mono", self.reply_size)))
        span = None if failed else command_span(decision.raw, decision.command)
        parts = excerpt(decision.raw, span, int(columns * (lines - 1) * 0.7), columns * lines)
        before, command, after = (clean(part).replace("\n", " ") for part in parts)
        whole, first, last, at = before + command + after, len(before), len(before) + len(command), 0
        for number, row in enumerate(self.text.rows(whole, "mono", self.reply_size, area.width, lines)):
            shown = row[:-1] if row.endswith("\u2026") else row
            at = max(at, whole.find(shown, at))
            left, top = area.left, area.top + number * self.text.height("mono", self.reply_size)
            edges = sorted({0, len(row), *(min(len(row), max(0, edge - at)) for edge in (first, last))})
            for start, stop in itertools.pairwise(edges):
                left += self._paint_part(surface, row[start:stop], (left, top), marked=first <= at + start < last)
            at += len(shown)

    def _paint_part(self, surface: pygame.Surface, text: str, at: tuple[int, int], *, marked: bool) -> int:
        """Paint a part of a line; return its width in pixels."""
        color = theme.NIGHT if marked else theme.SOFT
        image = self.text.line(text, "bold" if marked else "mono", self.reply_size, color)
        if marked:
            area = image.get_rect(topleft=at).inflate(self.px(4), -2)
            pygame.draw.rect(surface, theme.GOLD, area, border_radius=self.px(3))
        surface.blit(image, at)
        return image.get_width()


def _prompt_text(prompt: str, info: SeatInfo) -> tuple[str, Color]:
    if info.human or not prompt:
        return "played by hand" if info.human else player_words(info), theme.DIM
    return prompt, theme.SOFT


# The head

_WIDE, _NARROW, _NARROWEST, _GAP = 30, 20, 12, 5
_NUMBER = 16
_MOST_TICKS = 9


class ChargeRow:
    """Paints one seat's cartridges; lengths in pixels, `scale` is pixels per logical pixel.

    With a `name`, in a type of so many pixels, that stands before them in place of the number behind them.
    """

    def __init__(self, seat: int, text_renderer: TextRenderer, scale: float, name: str = "", size: int = 0) -> None:
        self._color, self._text_renderer, self._scale = theme.SEAT_COLORS[seat], text_renderer, scale
        self._name, self._size = name, size

    def paint(self, surface: pygame.Surface, area: pygame.Rect, rules: Rules, charge: int, *, alarm: bool) -> int:
        """Paint the cartridges from the left of an area, and the number behind them if there is room.

        With `alarm` the empty ones stand out; without room for them there is the number alone. Return where they end.
        """
        if self._name:
            name = self._text_renderer.line(self._name, "label", self._size, theme.SOFT)
            used = surface.blit(name, name.get_rect(midleft=area.midleft)).width + self._px(_GAP)
            area = pygame.Rect(area.left + used, area.top, max(1, area.width - used), area.height)
        sizes = cartridges(rules)
        number = "" if self._name else f"{charge}/{rules.battery}"
        words = self._text_renderer.line(number, "title", _NUMBER, theme.TEXT)
        left, gap = area.left, self._px(_GAP)
        room = area.width - gap * len(sizes)
        numbered = bool(number) and room - words.get_width() >= self._px(_NARROW) * len(sizes)
        room -= words.get_width() if numbered else 0
        wide = min(self._px(_WIDE), room // len(sizes))
        if len(sizes) == 1:
            wide = max(wide, room)
        if wide < self._px(_NARROWEST):  # no room for pictures
            tint = theme.GOLD if is_loaded(rules, charge) else theme.TEXT
            words = self._text_renderer.fitted(f"{charge}/{rules.battery}", "title", _NUMBER, tint, area.width)
            return surface.blit(words, words.get_rect(midleft=area.midleft)).right + gap
        for size, full in zip(sizes, filled(rules, charge), strict=True):
            whole = rules.shot_charge or rules.battery
            cartridge = pygame.Rect(left, area.top, max(self._px(7), round(wide * min(1.0, size / whole))), area.height)
            if len(sizes) == 1:
                cartridge.width = wide
            loaded = is_loaded(rules, charge) and full == size >= rules.shot_charge
            self._paint_cartridge(surface, cartridge, size, full, loaded=loaded, alarm=alarm)
            left = cartridge.right + gap
        if numbered:
            surface.blit(words, words.get_rect(midleft=(left + gap // 2, area.centery)))
            left += words.get_width() + gap
        return left

    def _paint_cartridge(
        self, surface: pygame.Surface, area: pygame.Rect, size: int, full: int, *, loaded: bool, alarm: bool
    ) -> None:
        line, round_tip = max(1, self._px(1.5)), max(1, area.height // 2)
        shape = {"border_top_right_radius": round_tip, "border_bottom_right_radius": round_tip}
        shape |= {"border_top_left_radius": self._px(2), "border_bottom_left_radius": self._px(2)}
        pygame.draw.rect(surface, theme.SUNKEN, area, **shape)
        tint = theme.GOLD if loaded else mixed(self._color, theme.SUNKEN, 0.15)
        lit = pygame.Rect(area.left, area.top, round(area.width * full / size), area.height)
        clip = surface.get_clip()
        surface.set_clip(lit)
        pygame.draw.rect(surface, tint, area, **shape)
        surface.set_clip(clip)
        for tick in range(1, size if size <= _MOST_TICKS else 0):
            x = area.left + area.width * tick / size
            pygame.draw.line(surface, theme.PANEL, (x, area.top), (x, area.bottom - 1), max(1, self._px(2)))
        edge: Color = theme.WHITE if loaded else theme.DANGER if alarm else theme.PANEL_EDGE
        pygame.draw.rect(surface, edge, area, line if not (alarm and not loaded) else 2 * line, **shape)

    def _px(self, value: float) -> int:
        return max(1, round(value * self._scale))


def paint_health_bar(
    surface: pygame.Surface, bar: pygame.Rect, shares: tuple[float, ...], color: Color,
    *, radius: int, edge: int, hits: float = 0, tick: int = 1,
) -> None:  # fmt: skip
    """Paint a bar of health; `shares` are that with what was just lost of it, and that without.

    Ticks so wide are where each of so many `hits` would leave it, if they are few.
    """
    pygame.draw.rect(surface, theme.SUNKEN, bar, border_radius=radius)
    for share, tint in zip(shares, (mixed(theme.WHITE, theme.SUNKEN, 0.25), color), strict=True):
        part = pygame.Rect(bar.left, bar.top, round(bar.width * min(1.0, max(0.0, share))), bar.height)
        if part.width:
            pygame.draw.rect(surface, tint, part, border_radius=radius)
    for hit in range(1, math.ceil(hits) if hits <= _MOST_HITS else 0):
        x = bar.left + bar.width * hit / hits
        pygame.draw.line(surface, theme.PANEL, (x, bar.top), (x, bar.bottom - 1), tick)
    pygame.draw.rect(surface, theme.PANEL_EDGE, bar, edge, border_radius=radius)


_LOW_HEALTH, _MOST_HITS = 0.25, 25
_NAME, _LEVEL, _LABEL, _INFO, _HEALTH_NUMBER = 30, 22, 16, 14, 28
_SHIELD_STEPS = 8  # brightness levels of the shield's label


class PanelHead(Panel):
    """Paints one seat's head; in a tall window it is a panel of its own with less in it.

    Its three parts are painted separately: the name, health, and shield and charge, each from its `tops` on, in pixels
    below the head's top.
    """

    label_size, tells_brain = _LABEL, True
    """The size of what stands above the name, and whether the level stands beside it and the brain below it."""
    shield_up, shield_down = "SHIELD UP", "shield down"
    chip_size, chip_room, cartridge = 16, 26, 17
    """The size of the shield's label, how much wider its chip is, and a cartridge's height."""

    def __init__(
        self, seat: int, text: TextRenderer, icons: Icons, scale: float, display: DisplayOptions, *, tall: bool
    ) -> None:
        super().__init__(seat, text, icons, scale)
        self._display, self._tall, self._charge = display, tall, self.charge_row()
        name, label = text.height("title", _NAME), text.height("label", self.label_size)
        info = text.height("mono", _INFO) if self.tells_brain and not tall else 0
        self._name_top = self.px(9) + (0 if tall else label - self.px(2))
        self._info_top = self._name_top + name - self.px(3)
        below = self._info_top + info + self.px(2 if tall else 5)
        self._bar_height = max(text.height("title", _HEALTH_NUMBER) - self.px(4), self.px(22))
        self.tops = 0, below, below + self._bar_height + self.px(5)
        self._chip_height = text.height("label", self.chip_size) + self.px(4)
        words = (self.shield_up, self.shield_down)
        self._chip_width = max(text.measure(each, "label", self.chip_size) for each in words) + self.px(self.chip_room)
        self.mark_width = self.px(30 * display.ui_scale)

    def charge_row(self) -> ChargeRow:
        """Return what paints the cartridges."""
        return ChargeRow(self.seat, self.text, self.scale)

    @property
    def height(self) -> int:
        """Return the head's height in pixels."""
        return self.tops[-1] + self._chip_height + self.px(8)

    def keys(self, scene: Scene) -> tuple[Hashable, Hashable, Hashable]:
        """Return values that are equal for scenes with the same pictures of the three parts."""
        pose, activity = scene.bots[self.seat], self.activity(scene)
        full = scene.board.rules.initial_health[self.seat], scene.board.rules.bullet_damage[1 - self.seat]
        health = _stepped(pose.health), _stepped(pose.ghost), self._is_flashing(pose, scene.t), pose.points, full
        chips = _stepped(pose.shield, _SHIELD_STEPS), pose.alive, pose.charge, self._is_alarmed(scene)
        if self._tall:
            return scene.board.seats, health, (chips, activity)
        return (scene.board.seats, activity), health, chips

    def paint(self, part: int, surface: pygame.Surface, scene: Scene) -> None:
        """Paint the part with this number; the surface's top left is that part's."""
        pose = scene.bots[self.seat]
        if part == 0:
            self.paint_upper(surface, scene)
        elif part == 1:
            self._paint_health(surface, scene, pose)
        else:
            self._paint_shield(surface, pose)
            used = self._paint_charge(surface, scene, pose)
            if self._tall:
                self._paint_activity(surface, scene, used)

    def paint_upper(self, surface: pygame.Surface, scene: Scene) -> None:
        """Paint the upper part; the surface's top left is the head's."""
        self.paint_name(surface, scene.board.seats)
        if not self._tall:
            words = self.label(scene.board.seats[self.seat], surface)
            self._paint_activity(surface, scene, self.mark_width + self.text.measure(words, "label", self.label_size))

    def _paint_charge(self, surface: pygame.Surface, scene: Scene, pose: BotPose) -> int:
        """Paint the cartridges beside the shield's label, if there is a battery; return how wide both are."""
        used, rules = self._chip_width, scene.board.rules
        if not rules.battery or not pose.alive:
            return used
        left, high = self.pad + used + self.px(8 if self._tall else 12), self.px(self.cartridge)
        room = surface.get_width() - left - self.pad
        if self._tall:  # beside what the seat is doing
            room = min(self.px(104), room - self.text.measure("ACTS", "title", self.chip_size))
        area = pygame.Rect(left, (self._chip_height - high) // 2, room, high)
        return self._charge.paint(surface, area, rules, pose.charge, alarm=self._is_alarmed(scene)) - self.pad

    def _is_alarmed(self, scene: Scene) -> bool:
        """Return whether the empty cartridges stand out, because a play was just refused for want of charge."""
        return any(
            effect.kind == "uncharged"
            and effect.bot == self.seat
            and (self._display.reduced_motion or (scene.t - effect.start) % 0.3 < 0.18)
            for effect in scene.effects
        )

    def _paint_activity(self, surface: pygame.Surface, scene: Scene, used: int) -> None:
        """Paint the longest form that fits beside the seat's label, or (tall) beside its shield: the `used` width."""
        (forms, color), size = self.activity(scene), self.chip_size if self._tall else self.label_size
        room = surface.get_width() - 2 * self.pad - used - self.px(10)
        words = next((form for form in forms if self.text.measure(form, "title", size) <= room), forms[-1])
        corner = surface.get_width() - self.pad, self.px(2 if self._tall else 10)
        self.text.put(surface, words, "title", size, color, room, topright=corner)

    def label(self, info: SeatInfo, surface: pygame.Surface) -> str:
        """Return what stands above the name."""
        return SIDES[self.seat].upper()

    def paint_name(
        self, surface: pygame.Surface, seats: tuple[SeatInfo, SeatInfo], above: tuple[str, Color] | None = None
    ) -> None:
        """Paint the seat's icon, its name, with the seat where both read the same, and (wide) its brain.

        What stands `above` is the label, unless it is given.
        """
        info, called = seats[self.seat], distinct((seats[0].name, seats[1].name))[self.seat]
        text, pad, width = self.text, self.pad, max(1, surface.get_width() - 2 * self.pad)
        size = self.px(17 * self._display.ui_scale)
        mark, left = self.icons.seat(self.seat, size), pad + size + self.px(7)
        middle = self._name_top + text.height("title", _NAME) // 2
        if self._tall:
            surface.blit(mark, mark.get_rect(midleft=(pad, middle)))
            room = width - size - self.px(8)
            text.put(surface, called, "title", _NAME, theme.TEXT, room, midleft=(left, middle))
            return
        words, color = above or (self.label(info, surface), self.color)
        room, corner = width - self.mark_width, (left, self.px(10))
        area = text.put(surface, words, "label", self.label_size, color, room, cut=True, topleft=corner)
        surface.blit(mark, mark.get_rect(midleft=(pad, area.centery)))
        area = text.put(surface, called, "title", _NAME, theme.TEXT, width, midleft=(pad, middle))
        if not self.tells_brain:
            return
        level, after = level_of(info), area.right + self.px(10)
        if level and after + text.measure(level, "label", _LEVEL) <= width + pad:
            text.put(surface, level, "label", _LEVEL, self.color, midleft=(after, middle + self.px(2)))
            level = ""
        self._paint_brain(surface, info, level, width)

    def _paint_brain(self, surface: pygame.Surface, info: SeatInfo, level: str, width: int) -> None:
        """Paint the brain, its level and as many parts of its model's name as fit."""
        brain = brain_words(info, level, lambda words: self.text.measure(clean(words), "mono", _INFO) <= width)
        corner = self.pad, self._info_top
        self.text.put(surface, brain, "mono", _INFO, theme.SOFT, width, cut=True, topleft=corner)

    def activity(self, scene: Scene) -> tuple[tuple[str, ...], Color]:
        """Return what the seat is doing, in longer and shorter forms, and its colour."""
        thinking = scene.thinking
        if thinking is None or thinking.bot != self.seat:
            return ("ACTS" if scene.acting == self.seat else "",), self.color
        if thinking.human:
            left = "" if thinking.left is None else f"  {thinking.left:.0f} s"
            return (f"YOUR TURN{left}", f"YOU{left}"), theme.GOLD
        seconds = f"{thinking.seconds:.0f} s" if self._display.reduced_motion else f"{thinking.seconds:.1f} s"
        return (f"THINKING  {seconds}", f"THINKS {seconds}", seconds), theme.GOLD

    def _is_flashing(self, pose: BotPose, t: float) -> bool:
        return 0 < pose.health <= _LOW_HEALTH and (self._display.reduced_motion or t % 0.8 < 0.4)

    def _paint_health(self, surface: pygame.Surface, scene: Scene, pose: BotPose) -> None:
        rules, right, high = scene.board.rules, surface.get_width() - self.pad, self.px(20)
        top = (self._bar_height - high) // 2
        at = right, top + high // 2
        number = self.text.put(surface, f"{pose.points:g}", "title", _HEALTH_NUMBER, theme.TEXT, midright=at)
        room = max(number.width, self.text.measure("100", "title", _HEALTH_NUMBER))
        bar = pygame.Rect(self.pad, top, right - self.pad - room - self.px(10), high)
        color = theme.DANGER if self._is_flashing(pose, scene.t) else self.color
        hits = rules.initial_health[self.seat] / max(rules.bullet_damage[1 - self.seat], 1e-9)
        shares = _stepped(pose.ghost), _stepped(pose.health)
        paint_health_bar(surface, bar, shares, color, radius=self.px(5), edge=self.px(1), hits=hits, tick=self.px(2))

    def _paint_shield(self, surface: pygame.Surface, pose: BotPose) -> None:
        shield = _stepped(pose.shield, _SHIELD_STEPS)
        up = shield > 0.5
        words, color = (self.shield_up, theme.TEXT) if up else (self.shield_down, theme.SOFT)
        if not pose.alive:
            up, words, color = False, "KNOCKED OUT", theme.DANGER
        line = self.text.line(words, "label", self.chip_size, color)
        width = max(line.get_width() + self.px(20), self._chip_width)
        fill = mixed(theme.PANEL, self.color, 0.2 + 0.22 * shield) if up else None
        edge = self.color if up else color if not pose.alive else theme.PANEL_EDGE
        chip = self.icons.chip(width, self._chip_height, edge, max(1, self.px(2)), fill)
        area = surface.blit(chip, (self.pad, 0))
        surface.blit(line, line.get_rect(center=area.center))


def _stepped(share: float, steps: int = 400) -> float:
    """Return a share rounded to steps, so that a picture never depends on the ones painted before it."""
    return round(share * steps) / steps
