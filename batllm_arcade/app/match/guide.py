"""The guide of a first match."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

import pygame

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.keycaps import keycap
from batllm_arcade.app.match.state import MatchState
from batllm_arcade.app.services.background import BackgroundTask, Report
from batllm_arcade.brains.protocol import View
from batllm_arcade.core.commands import Fire, Move, Rotate, Shield, parse
from batllm_arcade.core.events import BotBumped
from batllm_arcade.core.flight import bounce_points, lined_up
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.rules import refusal, runs_into, step
from batllm_arcade.match.records import Play
from batllm_arcade.seats.table import OpenRequest
from batllm_arcade.session.puzzles import Puzzle
from batllm_arcade.view import theme
from batllm_arcade.view.play_text import turns_at_most
from batllm_arcade.view.reading_words import advice_sentence
from batllm_arcade.view.telegraph.lines import Place, sentence_place, threatened
from batllm_arcade.view.telegraph.person_turn import BestPlay, best_play
from batllm_arcade.view.theme import mixed

Lesson = Literal["turn", "shield", "fire", "load", "step", "bounce", "bump"]
Hand = Literal["keyboard", "pad", "mouse", "touch"]
"""What a person plays with."""
Keys = Callable[[tuple[str, ...]], str]
"""Returns the keys of some actions, or what a pointer does in their place, to stand in a sentence."""

_TITLES: dict[Lesson, str] = {
    "turn": "AIM", "shield": "SHIELD", "fire": "FIRE", "load": "LOAD", "step": "STEP", "bounce": "OFF THE WALL",
    "bump": "BUMP",
}  # fmt: skip
_ACTIONS: dict[Lesson, tuple[str, ...]] = {
    "turn": ("left", "right"), "shield": ("shield",), "fire": ("fire",), "load": ("move",), "step": ("move",),
    "bump": ("move",),
}  # fmt: skip
_ALSO: dict[Lesson, str] = {
    "turn": " Or click where to look.", "shield": " or the right mouse button", "fire": " or a click on it",
    "load": " or the mouse wheel", "step": " or the mouse wheel", "bump": " or the mouse wheel",
}  # fmt: skip
"""What a mouse would do, for somebody at a keyboard."""
_PRESSED: dict[Lesson, str] = {
    "turn": "Hold {keys} until the line is on the other bot, then let go.{also}{most}",
    "shield": "{keys}{also} raises and lowers it. It stops shots from the front, but you cannot fire behind it.",
    "fire": "The line is on the other bot and your shield is down: {keys}{also} fires!",
    "load": "Your gun is empty. A step loads it: {keys}{also}.",
    "step": "{keys}{also} walks one step ahead{step}. Hold it to see what comes of it.",
    "bounce": "A bullet comes off the wall, once{takes}. Aim at a golden mark on the wall: the bent line ends on the "
    "other bot. Then fire.",
    "bump": "It stands right ahead. {keys}{also} runs into it: it spins, and its side is yours.",
}
_POINTED: dict[Lesson, str] = {
    **_PRESSED,
    "turn": "The line follows your pointer: {click} on the other bot, and your bot turns to it.{most}",
    "fire": "The line is on the other bot and your shield is down: {click} on it to fire!",
    "step": "{keys} walks one step ahead{step}. Point at STEP to see what comes of it.",
}


def lesson_words(
    lesson: Lesson,
    hand: Hand,
    keys: Keys,
    damage: float = 0.0,
    step: str = ", out of the other bot's line",
    most: str = "",
) -> tuple[str, str]:
    """Return the title and the sentences of a lesson.

    `damage` is what any bullet takes off a wall, 0 if it varies; `step` what a step ahead does besides, "" for nothing;
    `most` how far a play turns at most, "" for any turn.
    """
    text = (_PRESSED if hand in ("keyboard", "pad") else _POINTED)[lesson].format(
        keys=keys(_ACTIONS[lesson]) if lesson in _ACTIONS else "", also=_ALSO.get(lesson, "") * (hand == "keyboard"),
        click="click" if hand == "mouse" else "tap", step=step, most=f" {most}" if most else "",
        takes=f", and then takes {damage:g} wherever it strikes" if damage else "",
    )  # fmt: skip
    return _TITLES[lesson], text[:1].upper() + text[1:]


Band = tuple[float, float]
LESSONS: tuple[Lesson, ...] = ("turn", "shield", "fire", "load", "step", "bounce", "bump")
_ANSWERS: tuple[Lesson, ...] = ("fire", "shield", "step")
SENTENCES: dict[Place, Band] = {"bottom": (0.86, 1.0), "top": (0.0, 0.14), "middle": (0.42, 0.58)}
"""Where the turn's sentence lies, as shares of the arena's height."""
DONE_S = 5.0
"""Seconds for which the last word stays."""


@dataclass(frozen=True, slots=True)
class GuideCard:
    """What the guide shows now: `done` of `total` lessons; `skip` is the key that ends it.

    `bots` are where the bots stand and `sentence` where the turn's sentence lies, as shares of the arena's height
    (top and bottom of each): the card keeps off them.
    """

    title: str
    words: str
    done: int
    total: int
    skip: str = ""
    bots: tuple[Band, ...] = ()
    sentence: Band | None = None


class Guide:
    """Follows a person through their first plays; over once every lesson is learnt, or it is skipped."""

    def __init__(self) -> None:
        self.over = False
        self._learnt: set[Lesson] = set()
        self._finished: float | None = None

    def learn(self, plays: Iterable[Play], bots: tuple[bool, bool]) -> None:
        """Take over what the people have done; `plays` are those since the last call, `bots` who is a person."""
        for play in plays:
            if bots[play.bot] and play.status == "ok":
                self._learn(play)

    def _learn(self, play: Play) -> None:
        command = play.command
        if isinstance(command, Rotate):
            self._learnt.add("turn")
        elif isinstance(command, Shield):
            self._learnt.add("shield")
        elif isinstance(command, Fire):
            self._learnt |= {"fire", "turn"}
            if play.came_off_a_wall:
                self._learnt.add("bounce")
        elif any(isinstance(event, BotBumped) for event in play.events):
            self._learnt.add("bump")
        elif isinstance(command, Move):
            self._learnt |= {"step", "load"} if "fire" in self._learnt else {"step"}

    def next_lesson(self, arena: Arena, bot: int, rules: Rules) -> Lesson | None:
        """Return the first lesson that is not learnt and can be followed now, None if there is none."""
        left = [lesson for lesson in self._wanted(rules) if lesson not in self._learnt]
        if threatened(arena, bot, rules):  # a shot that would hit comes first, then what helps against the other's
            left.sort(key=lambda lesson: _ANSWERS.index(lesson) if lesson in _ANSWERS else 3)
        return next((lesson for lesson in left if _fits(lesson, arena, bot, rules)), None)

    @staticmethod
    def _wanted(rules: Rules) -> tuple[Lesson, ...]:
        without = {
            "load": not rules.battery, "bounce": not rules.ricochet,
            "bump": not (rules.bump_turn and rules.has_armour),
        }  # fmt: skip
        return tuple(lesson for lesson in LESSONS if not without.get(lesson))

    def card(
        self, now: float, turn: tuple[Arena, int] | None, rules: Rules, keys: Keys, skip: str, hand: Hand = "keyboard"
    ) -> GuideCard | None:
        """Return what to show at `now`; `turn` is the arena and the bot of the person who may act, or None.

        `hand` is what they play with.
        """
        if turn is None:
            return None
        (arena, bot), wanted = turn, self._wanted(rules)
        bots, sentence = _bands(arena, rules), SENTENCES[sentence_place(arena, rules)]
        learnt = sum(one in self._learnt for one in wanted)
        if learnt == len(wanted):
            self._finished = now if self._finished is None else self._finished
            self.over = now - self._finished > DONE_S
            last = "That is all there is. Now knock the other one out!"
            return None if self.over else GuideCard("WELL DONE", last, learnt, len(wanted), "", bots, sentence)
        lesson = self.next_lesson(arena, bot, rules)
        if lesson is None:
            return None  # what is left cannot be followed now
        off_the_wall = rules.bullet_damage[bot] if rules.bounce_cap == 1 or not rules.has_armour else 0.0
        most = turns_at_most(rules) if rules.turn_limit else ""
        title, text = lesson_words(lesson, hand, keys, off_the_wall, _step_does(arena, bot, rules), most)
        return GuideCard(title, text, learnt, len(wanted), skip, bots, sentence)


class PuzzleCard:
    """Says what a puzzle asks for, and how many plays are left; it stays to the puzzle's end."""

    over = False

    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzle, self._made = puzzle, 0

    def learn(self, plays: Iterable[Play], bots: tuple[bool, bool]) -> None:
        """Count the plays that people have made, as a guide does."""
        self._made += sum(bots[play.bot] for play in plays)

    def card(
        self, now: float, turn: tuple[Arena, int] | None, rules: Rules, keys: Keys, skip: str, hand: Hand = "keyboard"
    ) -> GuideCard | None:
        """Return what to show in somebody's turn, as a guide does."""
        if turn is None:
            return None
        title = f"{self._puzzle.number}. {self._puzzle.name.upper()}"
        return GuideCard(title, self._puzzle.goal, self._made, rules.turns_per_round, "", _bands(turn[0], rules))


def _fits(lesson: Lesson, arena: Arena, bot: int, rules: Rules) -> bool:
    me = arena.bot(bot)
    if lesson == "turn":
        return not lined_up(arena, bot, rules)
    if lesson == "shield":
        return refusal(arena, bot, parse("S"), rules) is None and (me.shield or _helps("S1", arena, bot, rules))
    if lesson == "bounce":
        loaded = refusal(arena, bot, Fire(), rules) is None
        return loaded and not lined_up(arena, bot, rules) and bool(bounce_points(arena, bot, rules))
    if lesson == "bump":
        return not me.shield and runs_into(arena, bot, Move(None, "M"), rules)
    if lesson == "fire":
        return lined_up(arena, bot, rules) and refusal(arena, bot, parse("B"), rules) is None
    if refusal(arena, bot, parse("M"), rules) is not None:
        return False
    if lesson == "step":
        return not threatened(arena, bot, rules) or _helps("M", arena, bot, rules)
    return me.charge < rules.shot_charge


def _step_does(arena: Arena, bot: int, rules: Rules) -> str:
    if _helps("M", arena, bot, rules):
        return ", out of the other bot's line"
    loads = rules.battery and step(arena, bot, parse("M"), rules)[0].bot(bot).charge > arena.bot(bot).charge
    return " and loads your gun" if loads else ""


def _helps(token: str, arena: Arena, bot: int, rules: Rules) -> bool:
    return threatened(arena, bot, rules) and not threatened(step(arena, bot, parse(token), rules)[0], bot, rules)


def _bands(arena: Arena, rules: Rules) -> tuple[Band, ...]:
    above, below = (radii * rules.bot_radius / rules.arena_height for radii in (1.75, 1.35))
    return tuple(
        (bot.y / rules.arena_height - above, bot.y / rules.arena_height + below) for bot in (arena.left, arena.right)
    )


_MOST_LINES = 4
_STEPS = 24  # places that are tried for a card, from the top down


def place(canvas: Canvas, arena: pygame.Rect, card: GuideCard) -> Box:
    """Return where the card is, in logical units; `arena` is in pixels."""
    left, top = canvas.logical(arena.topleft)
    wide, tall = arena.width / canvas.scale, arena.height / canvas.scale
    width = min(560.0, wide - 24)
    high = 50.0 + 22.0 * canvas.lines(card.words, "label", 17, width - 32, _MOST_LINES)
    room = max(0.0, tall - high - 24)
    tops = [12 + room * step / _STEPS for step in range(_STEPS + 1)]
    y = min(tops, key=lambda y: _hidden(card, y / tall, (y + high) / tall))
    return Box(left + (wide - width) / 2, top + y, width, high)


def _hidden(card: GuideCard, top: float, bottom: float) -> float:
    """Return how much a card between these shares of the arena's height would hide.

    Bots count more than words, and these more than what flies between the bots.
    """
    middles = [(high + low) / 2 for high, low in card.bots]
    between = _shared((top, bottom), (min(middles), max(middles))) if middles else 0.0
    bots = sum(_shared((top, bottom), band) for band in card.bots)
    words = _shared((top, bottom), card.sentence) if card.sentence else 0.0
    return round(20 * bots + 10 * words + between, 4)  # hiding a little of a line spoils all of it


def _shared(one: Band, other: Band) -> float:
    return max(0.0, min(one[1], other[1]) - max(one[0], other[0]))


def draw(canvas: Canvas, box: Box, card: GuideCard) -> None:
    """Draw the card where it was placed: its lesson, how many are learnt, and the key that ends it."""
    canvas.box(box, mixed(theme.NIGHT, theme.GOLD, 0.08), theme.GOLD, radius=12, alpha=240)
    end = canvas.words((box.x + 16, box.y + 9), card.title, "title", 22, theme.GOLD) + box.x + 16
    for lesson in range(card.total):
        filled = lesson < card.done
        dot = Box(end + 16 + 16 * lesson, box.y + 19, 9, 9)
        canvas.box(dot, theme.GOLD if filled else None, theme.GOLD if filled else theme.DIM, radius=4.5)
    if card.skip:
        word = canvas.words((box.right - 16, box.y + 13), "skip", "label", 14, theme.SOFT, side="right")
        cap = max(28.0, canvas.measure(card.skip, "bold", 12) + 16)
        keycap(canvas, (box.right - 24 - word - cap, box.y + 9), card.skip)
    canvas.block((box.x + 16, box.y + 42), card.words, "label", 17, theme.TEXT, box.w - 32, _MOST_LINES)


MOST = 3
"""Times that a person may ask in a game."""
OFF = "The coach is off. Settings, Play, Coach switches it on."
NOT_NOW = "The coach shows the best play in your own turn."
NOBODY = "The coach helps one person against a bot."
USED_UP = f"The coach has helped {MOST} times in this game, which is all."


@dataclass(frozen=True, slots=True)
class CoachAdvice:
    """The best play as it is drawn, and why, in one sentence."""

    best: BestPlay
    sentence: str


class Coach:
    """Answers for the person whose turn it is; what it says is gone with that turn."""

    def __init__(self, state: MatchState) -> None:
        self._state = state
        self._asked: OpenRequest | None = None
        self._task: BackgroundTask[CoachAdvice] | None = None

    def ask(self, person: OpenRequest | None, *, on: bool) -> str:
        """Look for the best play of the person asked; return why it is not shown, "" if it is or will be."""
        if not on:
            return OFF
        if self._state.humans not in ((True, False), (False, True)):
            return NOBODY
        if person is None:
            return NOT_NOW
        if person is self._asked:
            return ""
        if self._state.table.hints[person.bot] >= MOST:
            return USED_UP
        self._state.table.hint(person.bot)
        view, self._asked = person.view, person
        self._task = BackgroundTask("coach", lambda report: advised(view, report))
        return ""

    def advice(self, person: OpenRequest | None) -> CoachAdvice | None:
        """Return what is shown to the person asked now, None where nothing is."""
        if person is None or person is not self._asked or self._task is None:
            return None
        return self._task.result


def advised(view: View, report: Report) -> CoachAdvice:
    """Return the best play in a person's turn."""
    from batllm_arcade.analysis.game import best_of

    report("looking ahead")
    arena, bot, rules = view.arena, view.seat, view.rules
    token, *chances = best_of(arena, bot, view.round, view.number, rules)
    sentence = advice_sentence(arena, bot, token, (chances[0], chances[1]), rules)
    return CoachAdvice(best_play(arena, bot, token, None, rules), sentence)
