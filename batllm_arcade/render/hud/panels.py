"""Panels beside the arena: thoughts, replies, plays."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

import pygame

from batllm_arcade.core.commands import Nothing
from batllm_arcade.match.records import Play
from batllm_arcade.render.sprites import Icons
from batllm_arcade.render.text import MOST_CHARACTERS, TextRenderer, clean
from batllm_arcade.view import theme
from batllm_arcade.view.play_text import describe, duration, outcome
from batllm_arcade.view.play_words import deed_heading, deed_words
from batllm_arcade.view.reading_words import BARS, ReadingShown, command_span, excerpt, reading_of
from batllm_arcade.view.scene import Keys, Scene, Tally, Thinking
from batllm_arcade.view.theme import Color, mixed

LABEL, THOUGHT = 15, 17
"""Font sizes of a section's label and of its text, in pixels at scale 1; films may have larger text."""


class PanelBoxes:
    """Paints labels, boxes and text of one panel; `scale` is pixels per logical pixel.

    `text` is the size of its text, `label_size` that of the label above each box.
    """

    def __init__(
        self, text_renderer: TextRenderer, scale: float, text: float = THOUGHT, label_size: float = LABEL
    ) -> None:
        self.text_renderer, self._scale, self.text, self.label_size = text_renderer, scale, text, label_size
        self.pad = self.px(12)
        self.label_height = text_renderer.height("label", label_size) + self.px(2)
        self.line_height = text_renderer.height("label", text)

    def px(self, value: float) -> int:
        """Return a logical length in pixels, at least 1."""
        return max(1, round(value * self._scale))

    def label(self, surface: pygame.Surface, text: str, top: int) -> None:
        """Paint a section's label."""
        surface.blit(self.text_renderer.line(text, "label", self.label_size, theme.DIM), (self.pad, top))

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
        rows = self.text_renderer.rows(text, "label", self.text, area.width, lines, tail=tail)
        self.text_renderer.paint_rows(surface, rows, "label", self.text, color, area.topleft)
        return len(rows)


REPLY = 15
"""The reply's font size in pixels at scale 1."""


class ReplySection:
    """Paints a raw reply."""

    def __init__(self, boxes: PanelBoxes, size: float = REPLY) -> None:
        self._boxes, self._text_renderer, self._size = boxes, boxes.text_renderer, size

    @property
    def line_height(self) -> int:
        """Return the height of a line in pixels."""
        return self._text_renderer.height("mono", self._size)

    def paint(self, surface: pygame.Surface, play: Play | None, top: int, height: int, lines: int) -> None:
        """Paint the label and a box of `height` pixels that has room for `lines` lines."""
        boxes = self._boxes
        boxes.label(surface, "RAW REPLY", top)
        area = boxes.sunken(surface, top + boxes.label_height, height)
        if play is None:
            return
        if not play.decision.raw.strip():
            surface.blit(self._text_renderer.line(_note(play), "label", self._size, theme.DIM, area.width), area)
            return
        columns = max(4, area.width // max(1, self._text_renderer.measure("m", "mono", self._size)))
        span = command_span(play.decision.raw, play.decision.command) if play.status == "ok" else None
        before = int(columns * (lines - 1) * 0.7)
        self._paint_marked(surface, area, excerpt(play.decision.raw, span, before, columns * lines), lines)

    def _paint_marked(
        self, surface: pygame.Surface, area: pygame.Rect, parts: tuple[str, str, str], lines: int
    ) -> None:
        before, command, after = (clean(part).replace("\n", " ") for part in parts)
        text_renderer, text = self._text_renderer, before + command + after
        first, last, at = len(before), len(before) + len(command), 0
        for number, row in enumerate(text_renderer.rows(text, "mono", self._size, area.width, lines)):
            shown = row[:-1] if row.endswith("\u2026") else row
            at = max(at, text.find(shown, at))
            left, top = area.left, area.top + number * text_renderer.height("mono", self._size)
            edges = sorted({0, len(row), *(min(len(row), max(0, edge - at)) for edge in (first, last))})
            for start, stop in itertools.pairwise(edges):
                left += self._paint_part(surface, row[start:stop], (left, top), marked=first <= at + start < last)
            at += len(shown)

    def _paint_part(self, surface: pygame.Surface, text: str, at: tuple[int, int], *, marked: bool) -> int:
        if marked:
            image = self._text_renderer.line(text, "bold", self._size, theme.NIGHT)
            area = image.get_rect(topleft=at).inflate(self._boxes.px(4), -2)
            pygame.draw.rect(surface, theme.GOLD, area, border_radius=self._boxes.px(3))
        else:
            image = self._text_renderer.line(text, "mono", self._size, theme.SOFT)
        surface.blit(image, at)
        return image.get_width()


def _note(play: Play) -> str:
    queued = play.decision.queued_from
    return f"pressed in the reply to play {queued}" if queued else "(no answer)" if play.status != "ok" else ""


_FIGURE = 26  # font size of a count
_SEEN_LINES = 2  # of what a play without a thought is for, above the counts


class ThoughtSection:
    """Paints one seat's thought, keys or counts."""

    def __init__(self, seat: int, boxes: PanelBoxes) -> None:
        self._seat, self._boxes, self._text_renderer = seat, boxes, boxes.text_renderer

    def thinking(self, scene: Scene) -> Thinking | None:
        """Return who is deciding if it is this seat."""
        return scene.thinking if scene.thinking is not None and scene.thinking.bot == self._seat else None

    def paint(self, surface: pygame.Surface, scene: Scene, top: int, height: int, lines: int) -> None:
        """Paint the label and a box of `height` pixels that has room for `lines` lines."""
        human, thinking = scene.board.seats[self._seat].human, self.thinking(scene)
        keys, boxes = scene.keys[self._seat], self._boxes
        area = boxes.sunken(surface, top + boxes.label_height, height)
        play, tally = scene.board.plays[self._seat], scene.board.tallies[self._seat]
        thought = play.decision.thought if play else ""
        live = thinking is not None and not human
        seen = "" if thought or keys or play is None else deed_words(play, scene.board.rules)
        said = "THOUGHT" if thought else deed_heading(scene.board.seats[self._seat]) if seen else "SO FAR"
        boxes.label(surface, "CONTROLS" if keys else "THINKS" if live else said, top)
        if keys:
            below = self._paint_keys(surface, keys, area) + boxes.px(8)
            self.paint_tally(surface, tally, area, below)
        elif live and thinking is not None and thinking.text:
            boxes.block(surface, area, thinking.text, theme.TEXT, lines, tail=True)
        elif thought and (reading := reading_of(thought)) is not None:
            self._paint_reading(surface, reading, area, lines, theme.DIM if live else theme.SOFT)
        elif thought:
            boxes.block(surface, area, thought, theme.DIM if live else theme.SOFT, lines)
        else:
            rows = boxes.block(surface, area, seen, theme.TEXT, _SEEN_LINES) if seen else 0
            below = area.top + rows * boxes.line_height + (boxes.px(6) if rows else 0)
            self.paint_tally(surface, tally, area, below)

    def _paint_reading(
        self, surface: pygame.Surface, reading: ReadingShown, area: pygame.Rect, lines: int, color: theme.Color
    ) -> None:
        boxes, text_renderer = self._boxes, self._text_renderer
        bars = reading.shares[: max(0, min(BARS, lines - 2))]
        column, figure = round(area.width * 0.5), text_renderer.measure("100%", "label", boxes.text)
        for row, (name, share) in enumerate(bars):
            top = area.top + row * boxes.line_height
            surface.blit(text_renderer.line(name, "label", boxes.text, color, column - boxes.px(6)), (area.left, top))
            track = pygame.Rect(area.left + column, 0, max(1, area.width - column - figure - boxes.px(8)), boxes.px(7))
            track.centery = top + boxes.line_height // 2
            pygame.draw.rect(surface, theme.PANEL_EDGE, track, border_radius=boxes.px(3))
            track.width = max(1, round(track.width * share))
            pygame.draw.rect(surface, theme.SEAT_COLORS[self._seat], track, border_radius=boxes.px(3))
            percent = text_renderer.line(f"{share:.0%}", "label", boxes.text, color)
            surface.blit(percent, percent.get_rect(topright=(area.right, top)))
        below = area.move(0, len(bars) * boxes.line_height)
        boxes.block(surface, below, reading.sentence, theme.TEXT, max(1, lines - len(bars)))

    def paint_tally(self, surface: pygame.Surface, tally: Tally, area: pygame.Rect, top: int) -> None:
        """Paint the counts in one or two columns, large if there is room, not at all if there is none."""
        text_renderer, boxes = self._text_renderer, self._boxes
        counts = (("shots", tally.shots), ("hits", tally.hits), ("blocks", tally.blocks), ("fumbles", tally.fumbles))
        least, room = boxes.line_height, area.bottom + boxes.px(4) - top
        columns = 1 if len(counts) * least <= room else 2
        rows = len(counts) // columns
        if rows * least > room:
            return
        height, gap = max(least, min(room // rows, boxes.px(60))), boxes.px(18)
        width = (area.width - (columns - 1) * gap) // columns
        size = _FIGURE if height >= text_renderer.height("title", _FIGURE) else boxes.text
        for index, (name, count) in enumerate(counts):
            column, row = divmod(index, rows)
            cell = pygame.Rect(area.left + column * (width + gap), top + row * height, width, height)
            if row:
                pygame.draw.line(surface, theme.PANEL_EDGE, cell.topleft, (cell.right - 1, cell.top))
            label = text_renderer.line(name, "label", boxes.text, theme.SOFT)
            surface.blit(label, label.get_rect(midleft=cell.midleft))
            figure = text_renderer.line(str(count), "title", size, theme.TEXT if count else theme.DIM)
            surface.blit(figure, figure.get_rect(midright=cell.midright))

    def _paint_keys(self, surface: pygame.Surface, keys: Keys, area: pygame.Rect) -> int:
        text_renderer, boxes = self._text_renderer, self._boxes
        height = boxes.line_height + boxes.px(3)
        widest = max(text_renderer.measure(clean(key) + "   ", "label", boxes.text) for key, _ in keys)
        column = min(widest, round(area.width * 0.68))
        for row, (key, action) in enumerate(keys):
            top = area.top + row * height
            if top + height > area.bottom + boxes.px(6):
                break
            name = text_renderer.line(key, "label", boxes.text, theme.SEAT_COLORS[self._seat], column)
            surface.blit(name, (area.left, top))
            help_text = text_renderer.line(action, "label", boxes.text, theme.SOFT, area.width - column)
            surface.blit(help_text, (area.left + column, top))
        return area.top + len(keys) * height


_COMMAND, _ACTION, _OUTCOME, _TOOK = 40, 21, 16, 13  # font sizes
_SHOWN_LATENCY_S = 0.1  # shorter response times are shown for models only


class PlaySection:
    """Paints one seat's last play."""

    def __init__(self, seat: int, boxes: PanelBoxes, icons: Icons) -> None:
        self._seat, self._boxes, self._icons, self._text_renderer = seat, boxes, icons, boxes.text_renderer
        self._command_height = boxes.text_renderer.height("bold", _COMMAND)

    @property
    def height(self) -> int:
        """Return the height of the section in pixels."""
        return self._command_height + self._text_renderer.height("label", _OUTCOME) + self._boxes.px(8)

    def paint(self, surface: pygame.Surface, scene: Scene, top: int) -> None:
        """Paint the command and its outcome, which stays hidden until it has been seen in the arena."""
        play, text_renderer, pad = scene.board.plays[self._seat], self._text_renderer, self._boxes.pad
        middle, below = top + self._command_height // 2, top + self._command_height
        width = max(1, surface.get_width() - 2 * pad)
        if play is None:
            line = text_renderer.line("no play yet", "label", _ACTION, theme.DIM)
            surface.blit(line, line.get_rect(midleft=(pad, middle)))
        elif play.status == "ok":
            self._paint_command(surface, play, middle, width)
            self._paint_outcome(surface, scene, play, below, width)
        else:
            self._paint_fumble(surface, middle, width)
            surface.blit(text_renderer.line(play.reason, "label", _OUTCOME, theme.SOFT, width), (pad, below))

    def _paint_command(self, surface: pygame.Surface, play: Play, middle: int, width: int) -> None:
        text_renderer, boxes = self._text_renderer, self._boxes
        silent = isinstance(play.command, Nothing)
        text = ("speaks" if play.decision.say else "waits") if silent else play.command.token
        command = text_renderer.fitted(text, "bold", _COMMAND, theme.SEAT_COLORS[self._seat], width * 0.62)
        area = surface.blit(command, command.get_rect(midleft=(boxes.pad, middle)))
        room = width - area.width - boxes.px(12)
        action = "" if silent else describe(play.command)
        if text_renderer.measure(action, "label", _ACTION) * 0.75 > room:
            action = action.removeprefix("turns ")
        line = text_renderer.fitted(action, "label", _ACTION, theme.TEXT, max(1, room))
        surface.blit(line, line.get_rect(midleft=(area.right + boxes.px(12), middle + boxes.px(2))))

    def _paint_outcome(self, surface: pygame.Surface, scene: Scene, play: Play, top: int, width: int) -> None:
        text_renderer, boxes = self._text_renderer, self._boxes
        text, color = self._led(scene, play)
        took = duration(play.latency_s) if self._is_slow(scene, play) else ""
        latency = text_renderer.line(took, "mono", _TOOK, theme.DIM)
        surface.blit(latency, latency.get_rect(topright=(surface.get_width() - boxes.pad, top + boxes.px(1))))
        room = width - latency.get_width() - boxes.px(10)
        line = text_renderer.fitted(text, "label", _OUTCOME, color, room)
        surface.blit(line, (boxes.pad, top))

    def _led(self, scene: Scene, play: Play) -> tuple[str, theme.Color]:
        known = scene.t >= scene.board.known_at[self._seat]
        return outcome(play, scene.board.rules) if known else ("", theme.SOFT)

    def _is_slow(self, scene: Scene, play: Play) -> bool:
        return bool(scene.board.seats[self._seat].model) or play.latency_s >= _SHOWN_LATENCY_S

    def _paint_fumble(self, surface: pygame.Surface, middle: int, width: int) -> None:
        """Paint hazard stripes, a warning sign and a word, so that it does not depend on colour."""
        text_renderer, boxes = self._text_renderer, self._boxes
        height = text_renderer.height("title", 24) + boxes.px(8)
        band = pygame.Rect(boxes.pad, middle - height // 2, width, height)
        surface.blit(self._icons.stripes(band.width, band.height), band)
        sign = self._icons.warning(round(height * 0.72))
        word = text_renderer.fitted("FUMBLE!", "title", 24, theme.GOLD, width * 0.5)
        inner = pygame.Rect(0, 0, sign.get_width() + word.get_width() + boxes.px(24), height)
        inner.midleft = band.left + boxes.px(10), band.centery
        pygame.draw.rect(surface, theme.NIGHT, inner)
        surface.blit(sign, sign.get_rect(midleft=(inner.left + boxes.px(8), inner.centery)))
        surface.blit(word, word.get_rect(midleft=(inner.left + boxes.px(15) + sign.get_width(), inner.centery)))


_PROMPT = 15  # font size
_FOLLOWS = 0.6  # of what a thought is larger, the share by which the reply is
_REPLY_LINES, _PROMPT_LINES, _MIN_THOUGHT_LINES = 3, 2, 3


@dataclass(frozen=True, slots=True)
class _Heights:
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


class PanelBody:
    """Paints one seat's body; if there is too little room the prompt is left out first."""

    _plays: type[PlaySection] = PlaySection
    _label_size: float = LABEL

    def __init__(
        self, seat: int, text_renderer: TextRenderer, icons: Icons, scale: float, *, tall: bool, text: float = THOUGHT
    ) -> None:
        """`text` is the font size of what is thought; where that is larger, the reply is a little larger, too."""
        self._seat, self._text_renderer, self._boxes = (
            seat,
            text_renderer,
            PanelBoxes(text_renderer, scale, text, self._label_size),
        )
        self._thought = ThoughtSection(seat, self._boxes)
        self._play = self._plays(seat, self._boxes, icons)
        self._reply = ReplySection(self._boxes, REPLY * (1 + _FOLLOWS * (text / THOUGHT - 1)))
        self._top = self._boxes.px(10 if tall else 2)

    def key(self, scene: Scene) -> tuple[object, ...]:
        """Return a value that is equal for scenes with the same picture of this body."""
        board, seat = scene.board, self._seat
        thinking = self._thought.thinking(scene)
        text = None if thinking is None else (thinking.human, thinking.text[-MOST_CHARACTERS:])
        known, play = scene.t >= board.known_at[seat], _Identity(board.plays[seat])
        return text, known, play, board.seats[seat], scene.keys[seat], _orders(scene, seat), board.tallies[seat]

    def paint(self, surface: pygame.Surface, scene: Scene) -> None:
        """Paint the body on a surface as wide as the panel."""
        heights, boxes, top = self._heights(surface.get_height(), self._has_no_reply(scene)), self._boxes, self._top
        self._thought.paint(surface, scene, top, heights.thought, heights.thought_lines)
        top += boxes.label_height + heights.thought + boxes.px(4)
        self._play.paint(surface, scene, top)
        top += self._play.height
        if heights.reply:
            self._reply.paint(surface, scene.board.plays[self._seat], top, heights.reply, heights.reply_lines)
            top += boxes.label_height + heights.reply + boxes.px(6)
        if heights.prompt:
            self._paint_prompt(surface, scene, top)

    def paint_prompt(self, surface: pygame.Surface, prompt: str, *, human: bool) -> None:
        """Paint the prompt alone, with as many lines as there is room for."""
        boxes = self._boxes
        height = surface.get_height() - self._top - boxes.label_height - boxes.px(12)
        if height < boxes.line_height + boxes.px(12):
            return
        boxes.label(surface, "ORDERS", self._top)
        area = boxes.sunken(surface, self._top + boxes.label_height, height)
        text, color = _prompt_text(prompt, human=human)
        boxes.block(surface, area, text, color, max(1, area.height // boxes.line_height))

    def _paint_prompt(self, surface: pygame.Surface, scene: Scene, top: int) -> None:
        self._boxes.label(surface, "ORDERS", top)
        orders = _orders(scene, self._seat)
        if orders is None:
            return
        text, color = _prompt_text(orders, human=scene.board.seats[self._seat].human)
        width = max(1, surface.get_width() - 2 * self._boxes.pad)
        block = self._text_renderer.block(text, "label", _PROMPT, color, width, _PROMPT_LINES)
        surface.blit(block, (self._boxes.pad, top + self._boxes.label_height))

    def _has_no_reply(self, scene: Scene) -> bool:
        info, play = scene.board.seats[self._seat], scene.board.plays[self._seat]
        if info.human:
            return True
        if info.model or play is None:
            return not info.model
        return play.decision.raw.strip() in ("", str(play.decision.command or "")) and play.decision.queued_from is None

    def _heights(self, height: int, no_reply: bool) -> _Heights:
        """Divide the panel's height: the play gets all it needs, then thought and reply share, then the prompt."""
        text_renderer, label, box = self._text_renderer, self._boxes.label_height, self._boxes.px(12)
        reply, thought = text_renderer.height("mono", REPLY), self._boxes.line_height
        room = height - self._boxes.px(20) - self._play.height - 2 * (label + box)
        prompt = label + _PROMPT_LINES * text_renderer.height("label", _PROMPT) + self._boxes.px(8)
        with_prompt = room - prompt - _REPLY_LINES * reply >= _MIN_THOUGHT_LINES * thought
        if with_prompt:
            room -= prompt
        fitting = (
            count for count in range(_REPLY_LINES, 1, -1) if room - count * reply >= _MIN_THOUGHT_LINES * thought
        )
        reply_lines = next(fitting, 1)
        rest = max(room - reply_lines * reply, thought)
        heights = _Heights(rest + box, rest // thought, reply_lines * reply + box, reply_lines, with_prompt)
        if no_reply or room - reply_lines * reply < thought:  # the thought's box takes the reply's room
            whole = max(room + label + box, thought)
            return replace(heights, thought=whole + box, thought_lines=whole // thought, reply=0)
        return heights


def _orders(scene: Scene, seat: int) -> str | None:
    return scene.board.prompts[seat] if scene.board.round else None


def _prompt_text(prompt: str, *, human: bool) -> tuple[str, Color]:
    text = "played by hand" if human else prompt or "none"
    return text, theme.SOFT if prompt and not human else theme.DIM
