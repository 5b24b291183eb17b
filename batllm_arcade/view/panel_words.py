"""The lower part of a seat's panel: what was thought, the play that came of it, the raw reply, the orders."""

from __future__ import annotations

import itertools

import pygame

from batllm_arcade.core.commands import Command, Fire, Move, Nothing, Rotate, Shield
from batllm_arcade.core.events import BotMoved
from batllm_arcade.records import Play
from batllm_arcade.view import theme
from batllm_arcade.view.look import Look
from batllm_arcade.view.marks import Marks
from batllm_arcade.view.reply import excerpt, picked_out
from batllm_arcade.view.scene import Scene, Thinking
from batllm_arcade.view.text import MOST_CHARACTERS, Letters, clean
from batllm_arcade.view.theme import Color, mixed

_LABEL, _THOUGHT, _TOKEN, _DONE, _OUTCOME, _REPLY, _ORDERS = 15, 17, 40, 21, 16, 15, 15
_REPLY_LINES, _ORDER_LINES = 3, 2


class _Same:
    """Equal to another only where both hold the very same thing: plays are not compared field by field."""

    def __init__(self, thing: object) -> None:
        self._thing = thing

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self._thing is other._thing

    __hash__ = None  # type: ignore[assignment]


class Words:
    """Paints one seat's words; what there is no room for is left out, the orders first."""

    def __init__(self, seat: int, letters: Letters, marks: Marks, scale: float, look: Look, *, tall: bool) -> None:
        self._seat, self._letters, self._marks, self._scale = seat, letters, marks, scale
        self._look, self._tall = look, tall
        self._pad = self._px(12)

    def key(self, scene: Scene) -> tuple[object, ...]:
        """Everything that is seen here."""
        board, seat = scene.board, self._seat
        play, thinking = board.plays[seat], self._thinking(scene)
        words = None if thinking is None else (thinking.human, thinking.text[-MOST_CHARACTERS:])
        known = scene.t >= board.known_at[seat]
        seats = board.seats[seat].human, all(info.human for info in board.seats), scene.keys[seat]
        return words, known, _Same(play), seats, board.prompts[seat], board.tallies[seat]

    def paint(self, surface: pygame.Surface, scene: Scene) -> None:
        """Paint the words on a surface as wide as the panel."""
        letters, height = self._letters, surface.get_height() - self._px(10)
        label = letters.height("label", _LABEL) + self._px(2)
        play = self._play_height()
        reply_line, order_line = letters.height("mono", _REPLY), letters.height("label", _ORDERS)
        thought_line, box = letters.height("label", _THOUGHT), self._px(12)
        room = height - play - 2 * (label + box) - self._px(10)
        orders = label + _ORDER_LINES * order_line + self._px(8)
        with_orders = room - orders - _REPLY_LINES * reply_line >= 3 * thought_line
        if with_orders:
            room -= orders
        fits = (n for n in range(_REPLY_LINES, 1, -1) if room - n * reply_line >= 3 * thought_line)
        replies = next(fits, 1)
        lines = max(1, (room - replies * reply_line) // thought_line)
        top = self._px(2 if not self._tall else 10)
        sunk = room - replies * reply_line + box
        human = scene.board.seats[self._seat].human
        if human:  # what a person presses is no reply to be read: their keys take its place
            sunk += label + replies * reply_line + box
        self._paint_thought(surface, scene, top, label, max(sunk, thought_line + box), int(lines))
        top += label + max(sunk, thought_line + box) + self._px(4)
        self._paint_play(surface, scene, top)
        top += play
        if not human:
            self._paint_reply(surface, scene, top, label, replies * reply_line + box, replies)
            top += label + replies * reply_line + box + self._px(6)
        if with_orders:
            self._paint_orders(surface, scene, top, label)

    def _play_height(self) -> int:
        letters = self._letters
        return letters.height("bold", _TOKEN) + letters.height("label", _OUTCOME) + self._px(8)

    def _thinking(self, scene: Scene) -> Thinking | None:
        return scene.thinking if scene.thinking is not None and scene.thinking.bot == self._seat else None

    # -- thought --------------------------------------------------------------------------------

    def _paint_thought(
        self, surface: pygame.Surface, scene: Scene, top: int, label: int, high: int, lines: int
    ) -> None:
        human, thinking = scene.board.seats[self._seat].human, self._thinking(scene)
        area = self._sunken(surface, top + label, high)
        play = scene.board.plays[self._seat]
        thought = play.decision.thought if play else ""
        live = thinking is not None and not human
        self._label(surface, "KEYS" if human else "THINKS" if live else "THOUGHT" if thought else "SO FAR", top)
        if human:
            self._paint_keys(surface, scene, area)
        elif live and thinking is not None and thinking.text:
            self._block(surface, area, thinking.text, theme.TEXT, lines, tail=True)
        elif thought:
            self._block(surface, area, thought, theme.DIM if live else theme.SOFT, lines)
        else:
            self._paint_tally(surface, scene, area)

    def _block(
        self, surface: pygame.Surface, area: pygame.Rect, text: str, color: Color, lines: int, tail: bool = False
    ) -> None:
        high = self._letters.height("label", _THOUGHT)
        for row, words in enumerate(self._letters.rows(text, "label", _THOUGHT, area.width, lines, tail=tail)):
            line = self._letters.line(words, "label", _THOUGHT, color)
            surface.blit(line, (area.left, area.top + row * high), (0, 0, area.width, high))

    def _paint_rows(
        self, surface: pygame.Surface, area: pygame.Rect, rows: tuple[tuple[str, str, Color], ...], column: int
    ) -> None:
        letters, high = self._letters, self._letters.height("label", _THOUGHT) + self._px(3)
        for row, (name, words, color) in enumerate(rows):
            top = area.top + row * high
            if top + high > area.bottom + self._px(6):
                return
            surface.blit(letters.line(name, "label", _THOUGHT, color, column), (area.left, top))
            second = letters.line(words, "label", _THOUGHT, theme.SOFT, area.width - column)
            surface.blit(second, (area.left + column, top))

    def _paint_tally(self, surface: pygame.Surface, scene: Scene, area: pygame.Rect) -> None:
        """What it has done so far, where somebody who never speaks would have thoughts."""
        tally = scene.board.tallies[self._seat]
        counts = (("shots", tally.shots), ("hits", tally.hits), ("blocks", tally.blocks), ("fumbles", tally.fumbles))
        rows = tuple((name, str(count), theme.SOFT) for name, count in counts)
        self._paint_rows(surface, area, rows, self._letters.measure("fumbles  ", "label", _THOUGHT))

    def _paint_keys(self, surface: pygame.Surface, scene: Scene, area: pygame.Rect) -> None:
        both = all(info.human for info in scene.board.seats)
        keys = scene.keys[self._seat] or keys_of(self._seat, both)
        widest = max(self._letters.measure(clean(key) + "  ", "label", _THOUGHT) for key, _ in keys)
        rows = tuple((key, words, theme.SEAT_COLORS[self._seat]) for key, words in keys)
        self._paint_rows(surface, area, rows, min(widest, area.width // 2))

    # -- play -----------------------------------------------------------------------------------

    def _paint_play(self, surface: pygame.Surface, scene: Scene, top: int) -> None:
        play, letters = scene.board.plays[self._seat], self._letters
        middle = top + letters.height("bold", _TOKEN) // 2
        if play is None:
            line = letters.line("no play yet", "label", _DONE, theme.DIM)
            surface.blit(line, line.get_rect(midleft=(self._pad, middle)))
            return
        below = top + letters.height("bold", _TOKEN)
        width = max(1, surface.get_width() - 2 * self._pad)
        if play.status == "ok":
            self._paint_done(surface, play, middle, width)
            words, color = _outcome(play) if scene.t >= scene.board.known_at[self._seat] else ("", theme.SOFT)
        else:
            self._paint_fumble(surface, middle, width)
            reason = letters.line(play.reason, "label", _OUTCOME, theme.SOFT, width)
            surface.blit(reason, (self._pad, below))
            return
        took = letters.line(_seconds(play.latency_s), "mono", 13, theme.DIM)
        surface.blit(took, took.get_rect(topright=(surface.get_width() - self._pad, below + self._px(1))))
        line = letters.line(words, "label", _OUTCOME, color, width - took.get_width() - self._px(10))
        surface.blit(line, (self._pad, below))

    def _paint_done(self, surface: pygame.Surface, play: Play, middle: int, width: int) -> None:
        letters = self._letters
        silent = isinstance(play.command, Nothing)
        word = ("speaks" if play.decision.say else "waits") if silent else play.command.token
        token = letters.fitted(word, "bold", _TOKEN, theme.SEAT_COLORS[self._seat], width * 0.62)
        area = surface.blit(token, token.get_rect(midleft=(self._pad, middle)))
        room = width - area.width - self._px(12)
        done = "" if silent else describe(play.command)
        if letters.measure(done, "label", _DONE) * 0.75 > room:
            done = done.removeprefix("turns ")
        line = letters.fitted(done, "label", _DONE, theme.TEXT, max(1, room))
        surface.blit(line, line.get_rect(midleft=(area.right + self._px(12), middle + self._px(2))))

    def _paint_fumble(self, surface: pygame.Surface, middle: int, width: int) -> None:
        """Hazard stripes, a warning sign and a word: seen without its colour, too."""
        letters = self._letters
        high = letters.height("title", 24) + self._px(8)
        band = pygame.Rect(self._pad, middle - high // 2, width, high)
        surface.blit(self._marks.stripes(band.width, band.height), band)
        sign = self._marks.warning(round(high * 0.72))
        word = letters.fitted("FUMBLE!", "title", 24, theme.GOLD, width * 0.5)
        inner = pygame.Rect(0, 0, sign.get_width() + word.get_width() + self._px(24), high)
        inner.midleft = band.left + self._px(10), band.centery
        pygame.draw.rect(surface, theme.NIGHT, inner)
        surface.blit(sign, sign.get_rect(midleft=(inner.left + self._px(8), inner.centery)))
        surface.blit(word, word.get_rect(midleft=(inner.left + self._px(15) + sign.get_width(), inner.centery)))

    # -- reply and orders -----------------------------------------------------------------------

    def _paint_reply(self, surface: pygame.Surface, scene: Scene, top: int, label: int, high: int, lines: int) -> None:
        self._label(surface, "RAW REPLY", top)
        area = self._sunken(surface, top + label, high)
        play = scene.board.plays[self._seat]
        if play is None:
            return
        if not play.decision.raw.strip():
            queued = play.decision.queued_from
            note = f"pressed in the reply to play {queued}" if queued else "(no answer)" if play.status != "ok" else ""
            surface.blit(self._letters.line(note, "label", _REPLY, theme.DIM, area.width), area)
            return
        columns = max(4, area.width // max(1, self._letters.measure("m", "mono", _REPLY)))
        span = picked_out(play.decision.raw, play.decision.command) if play.status == "ok" else None
        before = int(columns * (lines - 1) * 0.7)
        parts = excerpt(play.decision.raw, span, before, columns * lines)
        self._paint_marked(surface, area, parts, lines)

    def _paint_marked(
        self, surface: pygame.Surface, area: pygame.Rect, parts: tuple[str, str, str], lines: int
    ) -> None:
        """A reply with the command the engine took standing out of it."""
        before, token, after = (clean(part).replace("\n", " ") for part in parts)
        letters, text = self._letters, before + token + after
        first, last, at = len(before), len(before) + len(token), 0
        for row, words in enumerate(letters.rows(text, "mono", _REPLY, area.width, lines)):
            bare = words[:-1] if words.endswith("\u2026") else words
            at = max(at, text.find(bare, at))
            left, top = area.left, area.top + row * letters.height("mono", _REPLY)
            cuts = sorted({0, len(words), *(min(len(words), max(0, edge - at)) for edge in (first, last))})
            for start, stop in itertools.pairwise(cuts):
                taken = first <= at + start < last
                face, color = ("bold", theme.NIGHT) if taken else ("mono", theme.SOFT)
                image = letters.line(words[start:stop], face, _REPLY, color)  # type: ignore[arg-type]
                where = image.get_rect(topleft=(left, top))
                if taken:
                    pygame.draw.rect(surface, theme.GOLD, where.inflate(self._px(4), -2), border_radius=self._px(3))
                surface.blit(image, where)
                left += where.width
            at += len(bare)

    def _paint_orders(self, surface: pygame.Surface, scene: Scene, top: int, label: int) -> None:
        self._label(surface, "ORDERS", top)
        prompt = scene.board.prompts[self._seat]
        words = "nobody orders a person about" if scene.board.seats[self._seat].human else prompt or "none"
        width = max(1, surface.get_width() - 2 * self._pad)
        block = self._letters.block(words, "label", _ORDERS, theme.SOFT if prompt else theme.DIM, width, _ORDER_LINES)
        surface.blit(block, (self._pad, top + label))

    # -- pieces ---------------------------------------------------------------------------------

    def _label(self, surface: pygame.Surface, words: str, top: int) -> None:
        surface.blit(self._letters.line(words, "label", _LABEL, theme.DIM), (self._pad, top))

    def _sunken(self, surface: pygame.Surface, top: int, high: int) -> pygame.Rect:
        """A sunken box across the panel; the area for words in it."""
        box = pygame.Rect(self._px(8), top, surface.get_width() - 2 * self._px(8), max(1, high))
        pygame.draw.rect(surface, mixed(theme.SUNKEN, theme.NIGHT, 0.3), box, border_radius=self._px(6))
        area = box.inflate(-2 * self._px(7), -2 * self._px(5))
        area.size = max(1, area.width), max(1, area.height)
        return area

    def _px(self, value: float) -> int:
        return max(1, round(value * self._scale))


def keys_of(seat: int, both: bool) -> tuple[tuple[str, str], ...]:
    """The keys of a person's seat and what they do; a person alone may use either set."""
    if both:
        sets = (("A D", "W", "SPACE", "S"), ("\u2190 \u2192", "\u2191", "ENTER", "\u2193"))[seat]
    else:
        sets = ("\u2190 \u2192  A D", "\u2191  W", "SPACE", "\u2193  S")
    return tuple(zip(sets, ("hold to aim", "move", "fire", "shield up/down"), strict=True))


def describe(command: Command) -> str:
    """A command in words."""
    match command:
        case Rotate(degrees=degrees):
            return f"turns {'right' if degrees >= 0 else 'left'} {abs(degrees):.0f}\u00b0"
        case Move(distance=distance):
            return "moves" if distance is None else f"moves {distance:g}"
        case Shield(up=up):
            return {True: "shield up", False: "shield down", None: "toggles shield"}[up]
        case Fire():
            return "fires"
        case Nothing():
            return "does nothing"


def _outcome(play: Play) -> tuple[str, Color]:
    names = {type(event).__name__ for event in play.events}
    if "BotHit" in names:
        return "a hit!", theme.GOLD
    if "ShotBlocked" in names:
        return "blocked by the shield", theme.SOFT
    if "ShotMissed" in names:
        return "missed", theme.SOFT
    for event in play.events:
        if isinstance(event, BotMoved) and event.stopped_by:
            where = "the wall" if event.stopped_by == "wall" else "the other bot"
            return (f"blocked by {where}" if event.start == event.end else f"stopped at {where}"), theme.SOFT
    if "FireRefused" in names:
        return "its own shield is up: nothing happened", theme.GOLD
    return "", theme.SOFT


def _seconds(value: float) -> str:
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.1f} s"
