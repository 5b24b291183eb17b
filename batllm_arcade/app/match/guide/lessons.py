"""The lessons of a first match: which one is next, and what it says; none is given before it can be followed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from batllm_arcade.app.match.guide.words import Hand, Keys, Lesson, words
from batllm_arcade.core.commands import Fire, Move, Rotate, Shield, StepBack, parse
from batllm_arcade.core.flight import bounce_points, lined_up
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.refusal import refusal
from batllm_arcade.core.rules import step
from batllm_arcade.match.records import Play
from batllm_arcade.view.telegraph.lines import Place, sentence_place, threatened

Band = tuple[float, float]
LESSONS: tuple[Lesson, ...] = ("turn", "shield", "fire", "load", "step", "bounce", "back")
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
        self._bots: tuple[Band, ...] = ()  # where they stood when it was last somebody's turn
        self._sentence: Band | None = None

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
            if play.came_off_a_wall:
                self._learnt.add("bounce")
        elif isinstance(command, StepBack):
            self._learnt.add("back")
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
        without = {"load": not rules.battery, "bounce": not rules.ricochet, "back": not rules.back_step}
        return tuple(lesson for lesson in LESSONS if not without.get(lesson))

    def card(
        self,
        now: float,
        turn: tuple[Arena, int] | None,
        rules: Rules,
        keys: Keys,
        skip: str,
        hand: Hand = "keyboard",
    ) -> GuideCard | None:
        """Return what to show at `now`; `turn` is the arena and the bot of the person who may act, or None.

        `hand` is what they play with.
        """
        wanted = self._wanted(rules)
        if turn is not None:
            self._bots, self._sentence = _bands(turn[0], rules), SENTENCES[sentence_place(turn[0], rules)]
        learnt = sum(one in self._learnt for one in wanted)
        if learnt == len(wanted):
            self._finished = now if self._finished is None else self._finished
            self.over = now - self._finished > DONE_S
            last = "That is all there is. Now knock the other one out!"
            return (
                None if self.over else GuideCard("WELL DONE", last, learnt, len(wanted), "", self._bots, self._sentence)
            )
        if turn is None:
            return None
        arena, bot = turn
        lesson = self.next_lesson(arena, bot, rules)
        if lesson is None:
            return None  # what is left cannot be followed now
        off_the_wall = rules.bullet_damage[bot] if rules.bounce_cap == 1 or not rules.has_armour else 0.0
        title, text = words(lesson, hand, keys, off_the_wall, _step_does(arena, bot, rules))
        return GuideCard(title, text, learnt, len(wanted), skip, self._bots, self._sentence)


def _fits(lesson: Lesson, arena: Arena, bot: int, rules: Rules) -> bool:
    """Return whether a lesson can be followed in this turn, and does what it says."""
    me = arena.bot(bot)
    if lesson == "turn":
        return not lined_up(arena, bot, rules)
    if lesson == "shield":
        return refusal(arena, bot, parse("S"), rules) is None and (me.shield or _helps("S1", arena, bot, rules))
    if lesson == "bounce":
        loaded = refusal(arena, bot, Fire(), rules) is None
        return loaded and not lined_up(arena, bot, rules) and bool(bounce_points(arena, bot, rules))
    if lesson == "back":
        close = refusal(arena, bot, Move(None, "M"), rules) == "bot"
        return close and refusal(arena, bot, StepBack(""), rules) is None
    if lesson == "fire":
        return lined_up(arena, bot, rules) and refusal(arena, bot, parse("B"), rules) is None
    if refusal(arena, bot, parse("M"), rules) is not None:
        return False
    if lesson == "step":
        return not threatened(arena, bot, rules) or _helps("M", arena, bot, rules)
    return me.charge < rules.shot_charge


def _step_does(arena: Arena, bot: int, rules: Rules) -> str:
    """Return what a step ahead does for a bot besides walking, in words."""
    if _helps("M", arena, bot, rules):
        return ", out of the other bot's line"
    loads = rules.battery and step(arena, bot, parse("M"), rules)[0].bot(bot).charge > arena.bot(bot).charge
    return " and loads your gun" if loads else ""


def _helps(token: str, arena: Arena, bot: int, rules: Rules) -> bool:
    """Return whether the other bot's shot would hurt now, but not after this play."""
    return threatened(arena, bot, rules) and not threatened(step(arena, bot, parse(token), rules)[0], bot, rules)


def _bands(arena: Arena, rules: Rules) -> tuple[Band, ...]:
    """Return where the bots stand with their health bars, as shares of the arena's height."""
    above, below = (radii * rules.bot_radius / rules.arena_height for radii in (1.75, 1.35))
    return tuple(
        (bot.y / rules.arena_height - above, bot.y / rules.arena_height + below) for bot in (arena.left, arena.right)
    )
