"""The lessons of a first match: which one is next, and what it says; none is given before it can be followed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from batllm_arcade.core.commands import Fire, Move, Rotate, Shield, parse
from batllm_arcade.core.geometry import direction, ray_meets_circle
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.refusal import refusal
from batllm_arcade.match.records import Play

Lesson = Literal["turn", "shield", "fire", "load", "step"]
Keys = Callable[[tuple[str, ...]], str]
"""Returns the keys of some actions, to stand in a sentence."""
LESSONS: tuple[Lesson, ...] = ("turn", "shield", "fire", "load", "step")
DONE_S = 5.0
"""Seconds for which the last word stays."""


@dataclass(frozen=True, slots=True)
class GuideCard:
    """What the guide shows now: `done` of `total` lessons; `skip` is the key that ends it; `low` keeps the top free."""

    title: str
    words: str
    done: int
    total: int
    skip: str = ""
    low: bool = False


class Guide:
    """Follows a person through their first plays; over once every lesson is learnt, or it is skipped."""

    def __init__(self) -> None:
        self.over = False
        self._learnt: set[Lesson] = set()
        self._seen = 0
        self._finished: float | None = None

    def skip(self) -> None:
        """End it."""
        self.over = True

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
        elif isinstance(command, Move):
            self._learnt |= {"step", "load"} if "fire" in self._learnt else {"step"}

    def next_lesson(self, arena: Arena, bot: int, rules: Rules) -> Lesson | None:
        """Return the first lesson that is not learnt and can be followed now, None if there is none."""
        return next(
            (one for one in self._wanted(rules) if one not in self._learnt and _fits(one, arena, bot, rules)), None
        )

    @staticmethod
    def _wanted(rules: Rules) -> tuple[Lesson, ...]:
        return LESSONS if rules.battery else tuple(one for one in LESSONS if one != "load")

    def card(self, now: float, turn: tuple[Arena, int] | None, rules: Rules, keys: Keys, skip: str) -> GuideCard | None:
        """Return what to show at `now`; `turn` is the arena and the bot of the person who may act, or None."""
        wanted = self._wanted(rules)
        learnt = sum(one in self._learnt for one in wanted)
        if learnt == len(wanted):
            self._finished = now if self._finished is None else self._finished
            self.over = now - self._finished > DONE_S
            words = "That is all there is. Now knock the other one out!"
            return None if self.over else GuideCard("WELL DONE", words, learnt, len(wanted))
        if turn is None:
            return None
        arena, bot = turn
        lesson = self.next_lesson(arena, bot, rules)
        title, words = _WORDS[lesson](keys) if lesson is not None else _WAITING
        return GuideCard(title, words, learnt, len(wanted), skip, _crowded(arena, rules))


def _fits(lesson: Lesson, arena: Arena, bot: int, rules: Rules) -> bool:
    """Return whether a lesson can be followed in this turn."""
    me = arena.bot(bot)
    if lesson == "turn":
        return not _aimed(arena, bot, rules)
    if lesson == "shield":
        return (me.shield or _aimed(arena, 1 - bot, rules)) and refusal(arena, bot, parse("S"), rules) is None
    if lesson == "fire":
        return _aimed(arena, bot, rules) and refusal(arena, bot, parse("B"), rules) is None
    if refusal(arena, bot, parse("M"), rules) is not None:
        return False
    return lesson == "step" or me.charge < rules.shot_charge


def _aimed(arena: Arena, bot: int, rules: Rules) -> bool:
    me, foe = arena.bot(bot), arena.bot(1 - bot)
    ux, uy = direction(me.rot % 360)
    return ray_meets_circle(me.x, me.y, ux, uy, foe.x, foe.y, rules.bot_radius) is not None


def _crowded(arena: Arena, rules: Rules) -> bool:
    """Return whether a bot stands where the card would be, at the arena's top."""
    return min(arena.left.y, arena.right.y) < 0.28 * rules.arena_height


_WAITING = ("YOUR TURN", "Turn until the line meets the other bot.")
_WORDS: dict[Lesson, Callable[[Keys], tuple[str, str]]] = {
    "turn": lambda keys: (
        "AIM",
        f"Hold {keys(('left', 'right'))} until the line is on the other bot, then let go. Or click where to look.",
    ),
    "shield": lambda keys: (
        "SHIELD",
        f"{keys(('shield',))} raises and lowers it. It stops shots from the front, but you cannot fire behind it.",
    ),
    "fire": lambda keys: ("FIRE", f"The line is on the other bot and your shield is down: {keys(('fire',))} fires!"),
    "load": lambda keys: ("LOAD", f"Your gun is empty. A step loads it: {keys(('move',))}."),
    "step": lambda keys: ("STEP", f"{keys(('move',))} walks one step ahead, out of the other bot's line."),
}
