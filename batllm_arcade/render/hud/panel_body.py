"""The lower part of a seat's panel: what was thought, the play that came of it, the raw reply, the orders."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

import pygame

from batllm_arcade.core.commands import Nothing
from batllm_arcade.match.records import Play
from batllm_arcade.render.hud.icons import Icons
from batllm_arcade.render.text import MOST_CHARACTERS, TextRenderer, clean
from batllm_arcade.settings.display import DisplayOptions
from batllm_arcade.view import theme
from batllm_arcade.view.play_text import describe, duration, outcome
from batllm_arcade.view.reply_highlight import command_span, excerpt
from batllm_arcade.view.scene import Scene, Thinking
from batllm_arcade.view.theme import Color, mixed

_LABEL, _THOUGHT, _TOKEN, _DONE, _OUTCOME, _REPLY, _ORDERS, _FIGURE = 15, 17, 40, 21, 16, 15, 15, 26
_REPLY_LINES, _ORDER_LINES, _LEAST_THOUGHT = 3, 2, 3
_NOTICED_S = 0.1
"""Seconds from which on it matters how long somebody without a model took."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """Pixels and lines of a panel's boxes; a `reply` of 0 pixels is left out."""

    thought: int
    lines: int
    reply: int
    replies: int
    orders: bool


class _Same:
    """Equal to another only where both hold the very same thing: plays are not compared field by field."""

    def __init__(self, thing: object) -> None:
        self._thing = thing

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self._thing is other._thing

    __hash__ = None  # type: ignore[assignment]


class PanelBody:
    """Paints one seat's words; what there is no room for is left out, the orders first."""

    def __init__(
        self, seat: int, text_renderer: TextRenderer, icons: Icons, scale: float, display: DisplayOptions, *, tall: bool
    ) -> None:
        self._seat, self._text_renderer, self._icons, self._scale = seat, text_renderer, icons, scale
        self._display, self._tall = display, tall
        self._pad = self._px(12)

    def key(self, scene: Scene) -> tuple[object, ...]:
        """Everything that is seen here."""
        board, seat = scene.board, self._seat
        play, thinking = board.plays[seat], self._thinking(scene)
        words = None if thinking is None else (thinking.human, thinking.text[-MOST_CHARACTERS:])
        known = scene.t >= board.known_at[seat]
        return words, known, _Same(play), board.seats[seat], scene.keys[seat], board.prompts[seat], board.tallies[seat]

    def paint(self, surface: pygame.Surface, scene: Scene) -> None:
        """Paint the words on a surface as wide as the panel."""
        plan, label = self._plan(surface.get_height(), self._wordless(scene)), self._label_height()
        top = self._px(10 if self._tall else 2)
        self._paint_thought(surface, scene, top, plan)
        top += label + plan.thought + self._px(4)
        self._paint_play(surface, scene, top)
        top += self._play_height()
        if plan.reply:
            self._paint_reply(surface, scene, top, plan)
            top += label + plan.reply + self._px(6)
        if plan.orders:
            self._paint_orders(surface, scene, top)

    def _wordless(self, scene: Scene) -> bool:
        """Whether this seat never writes more than its command: there is no reply to be read then."""
        info, play = scene.board.seats[self._seat], scene.board.plays[self._seat]
        if info.human:
            return True
        if info.model or play is None:
            return not info.model
        return play.decision.raw.strip() in ("", str(play.decision.command or "")) and play.decision.queued_from is None

    def _plan(self, height: int, wordless: bool) -> _Plan:
        """Who gets how much: the play all it needs, then thoughts and replies by turns, then the orders."""
        text_renderer, label, box = self._text_renderer, self._label_height(), self._px(12)
        reply, thought = text_renderer.height("mono", _REPLY), text_renderer.height("label", _THOUGHT)
        room = height - self._px(20) - self._play_height() - 2 * (label + box)
        orders = label + _ORDER_LINES * text_renderer.height("label", _ORDERS) + self._px(8)
        with_orders = room - orders - _REPLY_LINES * reply >= _LEAST_THOUGHT * thought
        if with_orders:
            room -= orders
        fits = (count for count in range(_REPLY_LINES, 1, -1) if room - count * reply >= _LEAST_THOUGHT * thought)
        replies = next(fits, 1)
        left = max(room - replies * reply, thought)
        plan = _Plan(left + box, left // thought, replies * reply + box, replies, with_orders)
        if wordless:  # what a person presses is no reply to be read: keys or counts take its place
            return replace(plan, thought=plan.thought + label + plan.reply, reply=0)
        return plan

    def _label_height(self) -> int:
        return self._text_renderer.height("label", _LABEL) + self._px(2)

    def _play_height(self) -> int:
        text_renderer = self._text_renderer
        return text_renderer.height("bold", _TOKEN) + text_renderer.height("label", _OUTCOME) + self._px(8)

    def _thinking(self, scene: Scene) -> Thinking | None:
        return scene.thinking if scene.thinking is not None and scene.thinking.bot == self._seat else None

    # -- thought --------------------------------------------------------------------------------

    def _paint_thought(self, surface: pygame.Surface, scene: Scene, top: int, plan: _Plan) -> None:
        human, thinking = scene.board.seats[self._seat].human, self._thinking(scene)
        keys = scene.keys[self._seat]
        area = self._sunken(surface, top + self._label_height(), plan.thought)
        play = scene.board.plays[self._seat]
        thought = play.decision.thought if play else ""
        live = thinking is not None and not human
        self._label(surface, "KEYS" if keys else "THINKS" if live else "THOUGHT" if thought else "SO FAR", top)
        if keys:
            below = self._paint_keys(surface, scene, area) + self._px(8)
            self._paint_tally(surface, scene, area, below)
        elif live and thinking is not None and thinking.text:
            self._block(surface, area, thinking.text, theme.TEXT, plan.lines, tail=True)
        elif thought:
            self._block(surface, area, thought, theme.DIM if live else theme.SOFT, plan.lines)
        else:
            self._paint_tally(surface, scene, area, area.top)

    def _block(
        self, surface: pygame.Surface, area: pygame.Rect, text: str, color: Color, lines: int, tail: bool = False
    ) -> None:
        high = self._text_renderer.height("label", _THOUGHT)
        for row, words in enumerate(self._text_renderer.rows(text, "label", _THOUGHT, area.width, lines, tail=tail)):
            line = self._text_renderer.line(words, "label", _THOUGHT, color)
            surface.blit(line, (area.left, area.top + row * high), (0, 0, area.width, high))

    def _paint_tally(self, surface: pygame.Surface, scene: Scene, area: pygame.Rect, top: int) -> None:
        """What it has done so far, in large figures where there is room: who never speaks has no thoughts to show."""
        text_renderer, tally = self._text_renderer, scene.board.tallies[self._seat]
        counts = (("shots", tally.shots), ("hits", tally.hits), ("blocks", tally.blocks), ("fumbles", tally.fumbles))
        least, room = text_renderer.height("label", _THOUGHT), area.bottom + self._px(4) - top
        columns = 1 if len(counts) * least <= room else 2
        rows = len(counts) // columns
        if rows * least > room:
            return
        each, gap = max(least, min(room // rows, self._px(60))), self._px(18)
        wide = (area.width - (columns - 1) * gap) // columns
        size = _FIGURE if each >= text_renderer.height("title", _FIGURE) else _THOUGHT
        for place, (name, count) in enumerate(counts):
            cell = pygame.Rect(area.left + (place // rows) * (wide + gap), top + (place % rows) * each, wide, each)
            if place % rows:
                pygame.draw.line(surface, theme.PANEL_EDGE, cell.topleft, (cell.right - 1, cell.top))
            word = text_renderer.line(name, "label", _THOUGHT, theme.SOFT)
            surface.blit(word, word.get_rect(midleft=cell.midleft))
            figure = text_renderer.line(str(count), "title", size, theme.TEXT if count else theme.DIM)
            surface.blit(figure, figure.get_rect(midright=cell.midright))

    def _paint_keys(self, surface: pygame.Surface, scene: Scene, area: pygame.Rect) -> int:
        """A person's keys and what each does; where they end."""
        text_renderer, high = self._text_renderer, self._text_renderer.height("label", _THOUGHT) + self._px(3)
        keys = scene.keys[self._seat]
        widest = max(text_renderer.measure(clean(key) + "   ", "label", _THOUGHT) for key, _ in keys)
        column = min(widest, round(area.width * 0.68))
        for row, (key, words) in enumerate(keys):
            top = area.top + row * high
            if top + high > area.bottom + self._px(6):
                break
            name = text_renderer.line(key, "label", _THOUGHT, theme.SEAT_COLORS[self._seat], column)
            surface.blit(name, (area.left, top))
            second = text_renderer.line(words, "label", _THOUGHT, theme.SOFT, area.width - column)
            surface.blit(second, (area.left + column, top))
        return area.top + len(keys) * high

    # -- play -----------------------------------------------------------------------------------

    def _paint_play(self, surface: pygame.Surface, scene: Scene, top: int) -> None:
        play, text_renderer = scene.board.plays[self._seat], self._text_renderer
        middle = top + text_renderer.height("bold", _TOKEN) // 2
        if play is None:
            line = text_renderer.line("no play yet", "label", _DONE, theme.DIM)
            surface.blit(line, line.get_rect(midleft=(self._pad, middle)))
            return
        below = top + text_renderer.height("bold", _TOKEN)
        width = max(1, surface.get_width() - 2 * self._pad)
        if play.status == "ok":
            self._paint_done(surface, play, middle, width)
            words, color = outcome(play) if scene.t >= scene.board.known_at[self._seat] else ("", theme.SOFT)
        else:
            self._paint_fumble(surface, middle, width)
            reason = text_renderer.line(play.reason, "label", _OUTCOME, theme.SOFT, width)
            surface.blit(reason, (self._pad, below))
            return
        slow = bool(scene.board.seats[self._seat].model) or play.latency_s >= _NOTICED_S
        took = text_renderer.line(duration(play.latency_s) if slow else "", "mono", 13, theme.DIM)
        surface.blit(took, took.get_rect(topright=(surface.get_width() - self._pad, below + self._px(1))))
        line = text_renderer.line(words, "label", _OUTCOME, color, width - took.get_width() - self._px(10))
        surface.blit(line, (self._pad, below))

    def _paint_done(self, surface: pygame.Surface, play: Play, middle: int, width: int) -> None:
        text_renderer = self._text_renderer
        silent = isinstance(play.command, Nothing)
        word = ("speaks" if play.decision.say else "waits") if silent else play.command.token
        token = text_renderer.fitted(word, "bold", _TOKEN, theme.SEAT_COLORS[self._seat], width * 0.62)
        area = surface.blit(token, token.get_rect(midleft=(self._pad, middle)))
        room = width - area.width - self._px(12)
        done = "" if silent else describe(play.command)
        if text_renderer.measure(done, "label", _DONE) * 0.75 > room:
            done = done.removeprefix("turns ")
        line = text_renderer.fitted(done, "label", _DONE, theme.TEXT, max(1, room))
        surface.blit(line, line.get_rect(midleft=(area.right + self._px(12), middle + self._px(2))))

    def _paint_fumble(self, surface: pygame.Surface, middle: int, width: int) -> None:
        """Hazard stripes, a warning sign and a word: seen without its colour, too."""
        text_renderer = self._text_renderer
        high = text_renderer.height("title", 24) + self._px(8)
        band = pygame.Rect(self._pad, middle - high // 2, width, high)
        surface.blit(self._icons.stripes(band.width, band.height), band)
        sign = self._icons.warning(round(high * 0.72))
        word = text_renderer.fitted("FUMBLE!", "title", 24, theme.GOLD, width * 0.5)
        inner = pygame.Rect(0, 0, sign.get_width() + word.get_width() + self._px(24), high)
        inner.midleft = band.left + self._px(10), band.centery
        pygame.draw.rect(surface, theme.NIGHT, inner)
        surface.blit(sign, sign.get_rect(midleft=(inner.left + self._px(8), inner.centery)))
        surface.blit(word, word.get_rect(midleft=(inner.left + self._px(15) + sign.get_width(), inner.centery)))

    # -- reply and orders -----------------------------------------------------------------------

    def _paint_reply(self, surface: pygame.Surface, scene: Scene, top: int, plan: _Plan) -> None:
        lines = plan.replies
        self._label(surface, "RAW REPLY", top)
        area = self._sunken(surface, top + self._label_height(), plan.reply)
        play = scene.board.plays[self._seat]
        if play is None:
            return
        if not play.decision.raw.strip():
            queued = play.decision.queued_from
            note = f"pressed in the reply to play {queued}" if queued else "(no answer)" if play.status != "ok" else ""
            surface.blit(self._text_renderer.line(note, "label", _REPLY, theme.DIM, area.width), area)
            return
        columns = max(4, area.width // max(1, self._text_renderer.measure("m", "mono", _REPLY)))
        span = command_span(play.decision.raw, play.decision.command) if play.status == "ok" else None
        before = int(columns * (lines - 1) * 0.7)
        parts = excerpt(play.decision.raw, span, before, columns * lines)
        self._paint_marked(surface, area, parts, lines)

    def _paint_marked(
        self, surface: pygame.Surface, area: pygame.Rect, parts: tuple[str, str, str], lines: int
    ) -> None:
        """A reply with the command the engine took standing out of it."""
        before, token, after = (clean(part).replace("\n", " ") for part in parts)
        text_renderer, text = self._text_renderer, before + token + after
        first, last, at = len(before), len(before) + len(token), 0
        for row, words in enumerate(text_renderer.rows(text, "mono", _REPLY, area.width, lines)):
            bare = words[:-1] if words.endswith("\u2026") else words
            at = max(at, text.find(bare, at))
            left, top = area.left, area.top + row * text_renderer.height("mono", _REPLY)
            cuts = sorted({0, len(words), *(min(len(words), max(0, edge - at)) for edge in (first, last))})
            for start, stop in itertools.pairwise(cuts):
                taken = first <= at + start < last
                face, color = ("bold", theme.NIGHT) if taken else ("mono", theme.SOFT)
                image = text_renderer.line(words[start:stop], face, _REPLY, color)  # type: ignore[arg-type]
                where = image.get_rect(topleft=(left, top))
                if taken:
                    pygame.draw.rect(surface, theme.GOLD, where.inflate(self._px(4), -2), border_radius=self._px(3))
                surface.blit(image, where)
                left += where.width
            at += len(bare)

    def _paint_orders(self, surface: pygame.Surface, scene: Scene, top: int) -> None:
        self._label(surface, "ORDERS", top)
        words, color = self._orders(scene.board.prompts[self._seat], human=scene.board.seats[self._seat].human)
        width = max(1, surface.get_width() - 2 * self._pad)
        block = self._text_renderer.block(words, "label", _ORDERS, color, width, _ORDER_LINES)
        surface.blit(block, (self._pad, top + self._label_height()))

    def paint_orders(self, surface: pygame.Surface, prompt: str, *, human: bool) -> None:
        """Paint only the orders, as many lines as there is room for."""
        top, high = self._px(10 if self._tall else 2), self._text_renderer.height("label", _THOUGHT)
        box = surface.get_height() - top - self._label_height() - self._px(12)
        if box < high + self._px(12):
            return
        self._label(surface, "ORDERS", top)
        area = self._sunken(surface, top + self._label_height(), box)
        words, color = self._orders(prompt, human=human)
        self._block(surface, area, words, color, max(1, area.height // high))

    def _orders(self, prompt: str, *, human: bool) -> tuple[str, Color]:
        words = "nobody orders a person about" if human else prompt or "none"
        return words, theme.SOFT if prompt and not human else theme.DIM

    # -- pieces ---------------------------------------------------------------------------------

    def _label(self, surface: pygame.Surface, words: str, top: int) -> None:
        surface.blit(self._text_renderer.line(words, "label", _LABEL, theme.DIM), (self._pad, top))

    def _sunken(self, surface: pygame.Surface, top: int, high: int) -> pygame.Rect:
        """A sunken box across the panel; the area for words in it."""
        box = pygame.Rect(self._px(8), top, surface.get_width() - 2 * self._px(8), max(1, high))
        pygame.draw.rect(surface, mixed(theme.SUNKEN, theme.NIGHT, 0.3), box, border_radius=self._px(6))
        area = box.inflate(-2 * self._px(7), -2 * self._px(5))
        area.size = max(1, area.width), max(1, area.height)
        return area

    def _px(self, value: float) -> int:
        return max(1, round(value * self._scale))
