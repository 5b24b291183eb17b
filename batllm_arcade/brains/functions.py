"""Bots in four lines: a function, a class or a generator with `@bot`, and the brain made of it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, fields
from random import Random
from typing import Any, NamedTuple, TypeVar, Union

from batllm_arcade.brains.bot_view import BotView
from batllm_arcade.brains.protocol import BrainError, BrainKind, Decision, Spec, View
from batllm_arcade.errors import UsageError, place_of_code


@dataclass(frozen=True, slots=True)
class BotClock:
    """Where the game is; counters start at 1."""

    game: int
    round: int
    turn: int
    rounds: int
    """How many rounds the game has at most."""
    turns_per_round: int
    """How many turns each of them has."""
    seconds_left: float | None
    """Until the deadline of this play, None without one."""
    rng: Random
    """The seat's own random stream: the only randomness that keeps a seeded game repeatable."""
    orders: str = ""
    """The player's orders."""

    def ordered(self, word: str) -> bool:
        """Whether the player's orders hold this word, whatever its case."""
        return re.search(rf"\b{re.escape(word)}\b", self.orders, re.IGNORECASE) is not None


class Reply(NamedTuple):
    """A bot's answer with more than its command."""

    command: str | None
    """A command's text, None to do nothing."""
    thought: str = ""
    """Shown beside the bot."""
    say: str = ""
    """Said aloud, in a speech bubble."""


Answer = Union[str, Reply, None]
DecideFunction = Callable[[BotView, BotView, BotClock], Any]
"""Returns a command's text, a Reply, or None for nothing; as a generator function it yields them, a play each."""
_F = TypeVar("_F", bound=Callable[..., Any])
MARK = "__batllm_bot__"
ORDERS = "__batllm_orders__"


def bot(name: str, *, prompted: bool | Sequence[str] = False) -> Callable[[_F], _F]:
    """Offer the decorated function, generator function or class as a brain called `name`.

    The function `decide(me, foe, clock)` returns a token, a Reply or None for nothing. A generator function plans:
    each `yield` is a play, after which `me`, `foe` and `clock` are up to date; one that ends is started again. A class
    is made anew for every game, and its method `decide(me, foe, clock)` called. `prompted` says that `clock.orders`
    matter, or names the orders that the bot takes.
    """

    if not isinstance(name, str):
        raise UsageError(f'@bot needs a name: write @bot("{getattr(name, "__name__", "turret")}")')

    def mark(decide: _F) -> _F:
        _check_form(name, decide)
        setattr(decide, MARK, name)
        setattr(decide, ORDERS, prompted)
        return decide

    return mark


def _check_form(name: str, decide: Any) -> None:
    """Raise UsageError where the program could not call it: now, where its author is told the line."""
    made = isinstance(decide, type)
    asked = getattr(decide, "decide", None) if made else decide
    if not callable(asked):
        lacks = "has no method decide(self, me, foe, clock)" if made else "is no function and no class"
        raise UsageError(f"the bot {name!r} {lacks}")
    own = made and not isinstance(inspect.getattr_static(decide, "decide"), (staticmethod, classmethod))
    if not _takes(asked, 3 + own):
        raise UsageError(f"the bot {name!r} must take me, foe and clock: def decide({'self, ' * own}me, foe, clock)")
    if made and not _takes(decide, 0):
        raise UsageError(f"the bot {name!r} is made anew for every game, without arguments: def __init__(self)")


def _takes(function: Callable[..., Any], arguments: int) -> bool:
    try:
        inspect.signature(function).bind(*[None] * arguments)
    except TypeError:
        return False
    except ValueError:  # something built in, which does not say
        return True
    return True


class BotBrain:
    """A brain made of a function, a generator function or a class; its raw answer is its token."""

    def __init__(self, name: str, decide: DecideFunction | type) -> None:
        self._name, self._code = name, getattr(decide, "decide", decide)
        self._decide, self._ask = decide, _asked(decide)

    def decide(self, view: View) -> Decision:
        """Ask the bot; BrainError if what it returns is no text and no Reply."""
        clock = BotClock(
            view.game, view.round, view.turn, view.rules.total_rounds, view.rules.turns_per_round,
            view.live.seconds_left(), view.rng, view.prompt,
        )  # fmt: skip
        me, foe = BotView.pair(view.arena, view.seat, view.rules)
        answer = self._ask(me, foe, clock)
        reply = answer if isinstance(answer, Reply) else Reply(answer)
        token = reply.command
        if token is not None and not isinstance(token, str):
            said = f"{self._name} returned {token!r:.60}; return a command's text, a Reply or None"
            raise BrainError(said + place_of_code(self._code))
        return Decision(token or "", token, reply.thought, reply.say)

    def end_game(self, _result: Any) -> None:
        """Begin anew with the next play, whatever the number of its game: leagues keep a bot for many a game 1."""
        self._ask = _asked(self._decide)


def _asked(decide: DecideFunction | type) -> DecideFunction:
    """Return what is called for a play."""
    if isinstance(decide, type):
        return _Instances(decide).ask
    return _Plans(decide).ask if inspect.isgeneratorfunction(decide) else decide


class _Instances:
    """Asks an object of a class, another one for every game."""

    def __init__(self, made: type) -> None:
        self._made, self._game = made, 0
        self._bot: Any = None

    def ask(self, me: BotView, foe: BotView, clock: BotClock) -> Any:
        if clock.game != self._game:
            self._bot, self._game = self._made(), clock.game
        return self._bot.decide(me, foe, clock)


class _Plans:
    """Asks a generator for play after play; one that ends, or that another brain came between, begins again."""

    def __init__(self, decide: DecideFunction) -> None:
        self._decide = decide
        self._plan: Generator[Any, None, Any] | None = None
        self._seen: tuple[BotView, BotView, BotClock] | None = None

    def ask(self, me: BotView, foe: BotView, clock: BotClock) -> Any:
        plan, seen = self._plan, self._seen
        if plan is not None and seen is not None and _follows(seen[2], clock):
            for old, new in zip(seen[:2], (me, foe), strict=True):
                vars(old).update(vars(new))
            for each in fields(BotClock):
                object.__setattr__(seen[2], each.name, getattr(clock, each.name))
            going, answer = self._next(plan)
            if going or answer is not None:
                return answer
        self._seen = (me, foe, clock)
        self._plan = self._decide(me, foe, clock)
        return self._next(self._plan)[1]

    def _next(self, plan: Generator[Any, None, Any]) -> tuple[bool, Any]:
        """Return whether the plan goes on, and its next command, or that with which it ended."""
        self._plan = None
        try:
            answer = next(plan)
        except StopIteration as end:
            return False, end.value
        self._plan = plan
        return True, answer


def _follows(before: BotClock, now: BotClock) -> bool:
    """Whether nobody else can have played the seat between these two plays."""
    same_round = (before.game, before.round, before.turn + 1) == (now.game, now.round, now.turn)
    return same_round or (before.game, before.round + 1, 1) == (now.game, now.round, now.turn)


def bot_kind(name: str, decide: DecideFunction | type) -> BrainKind:
    """The brain kind of a `@bot`; its docstring's first line is the summary."""

    def make(spec: Spec) -> BotBrain:
        spec.allow()
        return BotBrain(name, decide)

    lines = (decide.__doc__ or "").strip().splitlines()
    prompted = getattr(decide, ORDERS, False)
    orders = "" if isinstance(prompted, bool) else f"; takes the orders {', '.join(map(str, prompted))}"
    return BrainKind(name, (lines[0] if lines else "a scripted bot") + orders, make, prompted=bool(prompted))
