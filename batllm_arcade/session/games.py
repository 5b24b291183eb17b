"""Games between given seats, one after another."""

from __future__ import annotations

import re
import warnings
import weakref
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from batllm_arcade.brains.bots import MARK, BotBrain, bot_kind
from batllm_arcade.brains.protocol import Brain, BrainError, BrainKind, Spec, View
from batllm_arcade.core.model import SEATS
from batllm_arcade.errors import UsageError, quoted, whole_number
from batllm_arcade.history.paths import check_session_path
from batllm_arcade.match.records import ForkedFrom, GameEnded, GameStarted, Play, Record, SeatSwapped
from batllm_arcade.plugin.hookspecs import Observer
from batllm_arcade.plugin.isolated import ISOLATED
from batllm_arcade.plugin.manager import Plugins, load
from batllm_arcade.seats.brain_thread import find_kind, needs_window
from batllm_arcade.session.live_session import LiveSession, SessionPlan, new_history_file, new_seed
from batllm_arcade.settings import config as configuration
from batllm_arcade.settings.config import Config

Given = str | Spec | Brain | Callable[..., Any]
"""A brain as on the command line, a function, generator or class with `@bot`, or an object with `decide(view)`."""


def seated(given: tuple[Given, Given], kinds: dict[str, BrainKind], fallback: Spec) -> tuple[Spec, Spec]:
    """Return who plays, left first; bots and brains that were given themselves become further `kinds`.

    Raise UsageError if something is no player, or is called as a brain that plays against it.
    """
    chosen = [_chosen(each, seat) for each, seat in zip(given, SEATS, strict=True)]
    by_name = [each for each in chosen if isinstance(each, Spec)]
    own: dict[str, dict[str, BrainKind]] = {}
    for seat, each in zip(SEATS, chosen, strict=True):
        if isinstance(each, BrainKind):
            own.setdefault(each.name, {})[seat] = each
    for name, seats in own.items():
        if name in {spec.name for spec in (*by_name, fallback)}:
            raise UsageError(f"{next(iter(seats))}: a brain {name!r} plays as well; give the bot another name")
        # Two versions of one bot may play each other: the seat says which one is meant.
        kinds[name] = replace(next(iter(seats.values())), make=partial(_of_seat, seats), isolation="none")
    left, right = (each if isinstance(each, Spec) else Spec(each.name) for each in chosen)
    return left, right


def _chosen(given: object, seat: str) -> Spec | BrainKind:
    if isinstance(given, str):
        return Spec.parse(given)
    if isinstance(given, Spec):
        return given
    own: Any = given
    if isinstance(name := getattr(given, "__dict__", {}).get(MARK), str):
        return bot_kind(name, own)
    if isinstance(title := vars(type(given)).get(MARK), str):  # an object of a class with @bot: the same in every game
        return BrainKind(title, "a bot", lambda _spec: BotBrain(title, own.decide))
    if isinstance(given, type | ModuleType) or not callable(getattr(given, "decide", None)):
        raise UsageError(f"{seat}: {_no_player(given)}")
    name = re.sub(r"[\s:,=]+", "-", type(given).__name__)
    return BrainKind(name, "a brain", lambda _spec: own)


def _no_player(given: object) -> str:
    name = getattr(given, "__name__", "")
    if isinstance(given, ModuleType):
        return _module(given)
    if isinstance(given, type) and callable(getattr(given, "decide", None)):
        return f'{name} is a class; give an object of it, {name}(...), or put @bot("{name.lower()}") above it'
    if name == "<lambda>":
        return 'a lambda is no bot yet; give bot("NAME")(lambda me, foe, clock: ...), or a function with @bot("NAME")'
    if callable(given) and name:
        return f'{name} is no bot yet; put @bot("{name}") above it'
    return f"{quoted(given)} is no player; give one such as 'scripted:turtle', a bot or an object with decide(view)"


def _module(module: ModuleType) -> str:
    name = module.__name__
    bots = [each for each, value in vars(module).items() if MARK in getattr(value, "__dict__", {})]
    if bots:
        return f"{name} is a module; give its bot, {' or '.join(f'{name}.{each}' for each in bots)}"
    if callable(getattr(module, "decide", None)):
        called = name.rpartition(".")[2]
        return f'{name} is a module; put @bot("{called}") above its function decide, and give that, {name}.decide'
    return f'{name} is a module; give a function of it with @bot("NAME") above it'


def _of_seat(seats: Mapping[str, BrainKind], spec: Spec) -> Brain:
    """Return the brain that plays this seat; it runs in this program, whatever the option `isolation` says."""
    return seats[spec.seat].make(replace(spec, options={}))


class AnswerCount:
    """Notices a seat that was asked and gave not a single answer, and a model whose answers are hardly ever commands.

    What a fork takes over does not count.
    """

    def __init__(self) -> None:
        self._names, self._models = ["", ""], ["", ""]
        self._commands, self._invalid = [0, 0], [0, 0]
        self._first: list[str | None] = [None, None]
        self._reasons: list[str | None] = [None, None]
        self._answered = [False, False]
        self._origin: ForkedFrom | None = None

    def notify(self, record: Record) -> None:
        """Receive the next record of the session."""
        if isinstance(record, GameStarted):
            self._names, self._models = ([seat.name for seat in record.seats], [seat.model for seat in record.seats])
            self._origin = record.forked_from
        elif isinstance(record, SeatSwapped):
            self._models[record.bot] = record.seat.model
        elif isinstance(record, Play) and not (self._origin and self._origin.holds(record)):
            self._answered[record.bot] |= record.status in ("ok", "invalid")
            self._reasons[record.bot] = record.reason
            if self._models[record.bot]:
                self._count(record)

    def _count(self, play: Play) -> None:
        self._commands[play.bot] += play.status == "ok"
        self._invalid[play.bot] += play.status == "invalid"
        if play.status == "invalid" and self._first[play.bot] is None:
            self._first[play.bot] = play.decision.raw

    def advice(self) -> list[str]:
        """Return a sentence for each model that answered, but gave a command in less than a quarter of its plays."""
        return [
            f"{seat}: {model} gave a command in {good} of {good + bad} plays; its first {'other ' * bool(good)}answer "
            f"was {quoted(' '.join((first or '').split()))}; try reply=json or think=low"
            for seat, model, good, bad, first in zip(
                SEATS, self._models, self._commands, self._invalid, self._first, strict=True
            )
            if model and bad > 3 * good
        ]

    def sentences(self) -> list[str]:
        """Return a sentence for each seat that never answered."""
        return [
            f"{seat} ({name}) gave not a single answer; the last time: {reason}"
            for seat, name, reason, answered in zip(SEATS, self._names, self._reasons, self._answered, strict=True)
            if reason is not None and not answered
        ]


class FallbackReport:
    """Notices games in which a fallback plays a seat to the end: their results are not those of the chosen brains."""

    def __init__(self) -> None:
        self._brains = ["", ""]
        self._names = ["", ""]
        """What failed, "" while no fallback has the seat."""
        self._reasons, self._last = ["", ""], ["", ""]
        self._played = [False, False]
        self._games: dict[tuple[int, str, str, str], list[int]] = {}

    def notify(self, record: Record) -> str:
        """Receive the next record of the session; return a sentence if a fallback takes a seat or gives it back."""
        if isinstance(record, GameStarted):
            self._started(record)
        elif isinstance(record, SeatSwapped):
            return self._swapped(record)
        elif isinstance(record, Play):
            self._played[record.bot] |= bool(self._names[record.bot])
            self._last[record.bot] = record.reason
        elif isinstance(record, GameEnded):
            self._count(record.game)
        return ""

    def _started(self, game: GameStarted) -> None:
        for bot, seat in enumerate(game.seats):
            if self._brains[bot] not in ("", seat.brain):  # it took the seat after the last play of the game before
                self._names[bot], self._reasons[bot] = self._brains[bot], self._last[bot]
            self._brains[bot], self._played[bot] = seat.brain, False

    def _swapped(self, swap: SeatSwapped) -> str:
        bot, before = swap.bot, self._brains[swap.bot]
        self._brains[bot], self._played[bot] = swap.seat.brain, False
        if swap.why == "fallback":
            self._names[bot], self._reasons[bot] = before, swap.problem
            return f"{SEATS[bot]}: {before} failed, {swap.seat.brain} plays on ({swap.problem})"
        self._names[bot] = ""
        return f"{SEATS[bot]}: {swap.seat.brain} answers again and plays on" if swap.why == "recovered" else ""

    def _count(self, game: int) -> None:
        for bot, name in enumerate(self._names):
            if name and self._played[bot]:
                key = (bot, name, self._brains[bot], self._reasons[bot])
                self._games.setdefault(key, []).append(game)

    def sentences(self) -> list[str]:
        """Return a sentence for each seat that a fallback has played to the end of a game."""
        return [
            f"{SEATS[bot]}: {fallback} played for {name} to the end of {_games(games)}; it failed with: {reason}"
            for (bot, name, fallback, reason), games in self._games.items()
        ]


def _games(numbers: list[int]) -> str:
    if len(numbers) == 1:
        return f"game {numbers[0]}"
    return f"games {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"


Orders = tuple[str | None, str | None]
"""The players' orders, left first; None for those of the configuration."""
MOST_GAMES = 1_000_000


class Games(Iterator[Record]):
    """The records of games while they are played, from SessionStarted to SessionEnded; made by `play`.

    `seed` and `history`, the session file or None, are known from the start. The match begins at the first `next`.
    `close` ends it early, with its bots; so does the end of a `with` block, and dropping it. What `run` would say on
    standard error is a warning.
    """

    def __init__(self, match: _Match) -> None:
        self.seed, self.history = match.plan.seed, match.plan.history
        self._match, self._records = match, match.records()
        self._end = weakref.finalize(self, _end, match, self._records)  # at the program's end, too

    def __next__(self) -> Record:
        """Return the next record; raise BrainError if a brain cannot get ready, and whatever an observer raises."""
        return next(self._records)

    def swap(self, seat: str | int, spec: str | Spec) -> None:
        """Give a seat (`left`, `right`, 0 or 1) to another brain from the next turn on; wait until that is ready.

        Raise UsageError if there is no such seat or brain, BrainError if it cannot get ready: who sits there plays on.
        """
        self._match.swap(_bot(seat), Spec.parse(spec) if isinstance(spec, str) else spec)

    def take_over(self, seat: str | int, command: Callable[[View], str]) -> None:
        """Play a seat yourself from its next play on, until `hand_back`: `command(view)` returns what is played.

        Raise UsageError if there is no such seat.
        """
        self._match.table.take_over(_bot(seat), command)

    def hand_back(self, seat: str | int) -> None:
        """Give a seat that was taken over back to its brain; raise UsageError if there is no such seat."""
        self._match.table.hand_back(_bot(seat))

    def close(self) -> None:
        """End the match, its brains and its session."""
        self._end()

    def __enter__(self) -> Games:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()


def _end(match: _Match, records: Generator[Record, None, None]) -> None:
    records.close()
    match.end()


class _Match:
    """The session behind `Games`, which knows nothing of those: so they are dropped when nobody has them any more."""

    def __init__(self, plan: SessionPlan, plugins: Plugins, observers: Iterable[Observer]) -> None:
        self.plan, self._observers, self._problems = plan, tuple(observers), plugins.problems
        self._said = len(self._problems)
        self._session, self._kinds = LiveSession(plan, plugins), plugins.kinds
        self.table = self._session.table(plan)
        self._answers, self._fallbacks = AnswerCount(), FallbackReport()
        self._over = False

    def records(self) -> Generator[Record, None, None]:
        """Yield the records, each when the observers have had it; end what was begun in any case."""
        try:
            self.table.prepare(lambda _line: None)
            for record in self._session.records(self.plan, self.table):
                for observer in self._observers:
                    observer.notify(record)
                self._answers.notify(record)
                self._fallbacks.notify(record)
                yield record
            for sentence in (*self._answers.sentences(), *self._fallbacks.sentences(), *self._answers.advice()):
                warnings.warn(sentence, stacklevel=3)
        finally:
            self.end()

    def swap(self, bot: int, spec: Spec) -> None:
        """Have a brain take a seat as soon as it is ready, and wait for that; raise UsageError or BrainError."""
        _check_seats({SEATS[bot]: spec}, self._kinds)
        if find_kind(self._kinds, spec).isolation and not self.plan.keyed:
            raise UsageError(f"{SEATS[bot]}: a bot of a file plays only where one does from the start; begin with it")
        self.table.swap(bot, spec)
        if problem := self.table.settle(bot):
            self.table.cancel_swap(bot)
            raise BrainError(f"{SEATS[bot]}: {problem}")

    def end(self) -> None:
        """Close the session and the brains, once; tell of plugins that were dropped meanwhile."""
        if self._over:
            return
        self._over = True
        self._session.close()
        self.table.close()
        for problem in self._problems[self._said :]:
            warnings.warn(problem, stacklevel=4)


def play(
    left: Given,
    right: Given,
    *,
    games: int = 1,
    seed: int | None = None,
    config: str | Path = "default",
    orders: Orders = (None, None),
    observers: Iterable[Observer] = (),
    history: str | Path | bool | None = True,
    rounds: int | None = None,
    turns: int | None = None,
    plugins_dir: str | Path | None = None,
    trust: str | Iterable[str] = (),
    force: bool = False,
) -> Games:
    """Return the records of these games, which are played while they are read; the keywords have the defaults of `run`.

    A seat is a brain as on the command line, a function, generator or class with `@bot`, or an object with
    `decide(view)`; the last two play inside this program, and a brain is prepared before the games and closed after
    them. `config` is a shipped configuration or a YAML file, `orders` the players' texts or `@FILE`, left first (None:
    the configuration's), `history` the session file to write (True: a new one in the data folder, None: no file).
    `trust` names files of `plugins_dir` that run inside this program. `observers` get every record before it is
    yielded; what one raises ends the match.

    Raise UsageError if an argument is wrong, a seat is a person's or a brain has wrong options.
    """
    for name, number in (("games", games), ("rounds", rounds), ("turns", turns)):
        if number is not None or name == "games":
            whole_number(name, number, 1, MOST_GAMES)
    if seed is not None:
        whole_number("seed", seed)
    chosen = _config(config, orders, rounds, turns, plugins_dir)
    plugins = load(chosen.plugins_dir, ISOLATED.trusting(trust))
    for sentence in (*plugins.problems, *plugins.notes):
        warnings.warn(sentence, stacklevel=2)
    seats = seated((left, right), plugins.kinds, chosen.fallback)
    _check_seats(dict(zip(SEATS, seats, strict=True)), plugins.kinds)
    named = [spec for each, spec in zip((left, right), seats, strict=True) if isinstance(each, str | Spec)]
    keyed = any(find_kind(plugins.kinds, spec).isolation for spec in (*named, chosen.fallback))
    plan = SessionPlan(
        chosen, seats, new_seed() if seed is None else seed, games, _history(history, force=force), force=force,
        keyed=keyed,
    )  # fmt: skip
    observing = list(observers)
    for observer in observing:
        if not callable(getattr(observer, "notify", None)):
            raise UsageError(f"{quoted(observer)} is no observer; give an object with notify(record)")
    return Games(_Match(plan, plugins, observing))


def _bot(seat: str | int) -> int:
    if seat not in (*SEATS, 0, 1):
        raise UsageError(f"a seat is 'left' or 'right', 0 or 1, not {quoted(seat)}")
    return int(seat in (1, SEATS[1]))


def _check_seats(seats: Mapping[str, Spec], kinds: Mapping[str, BrainKind]) -> None:
    for name, spec in seats.items():
        try:
            human = needs_window(find_kind(kinds, spec))
        except UsageError as error:
            raise UsageError(f"{name}: {error}") from None
        if human:
            raise UsageError(f"{name} is a person, and without a window there is no keyboard; use 'batllm-arcade play'")


def _config(
    name: str | Path, orders: Orders, rounds: int | None, turns: int | None, plugins_dir: str | Path | None
) -> Config:
    config = configuration.with_lengths(configuration.load(str(name)), rounds, turns)
    pair: object = orders
    if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not all(isinstance(each, str | None) for each in pair):
        raise UsageError(f"orders must be a pair, left first, such as ('attack', None), not {quoted(orders)}")
    left, right = (
        old if new is None else configuration.prompt_text(new) for old, new in zip(config.prompts, orders, strict=True)
    )
    folder = config.plugins_dir if plugins_dir is None else Path(plugins_dir)
    return replace(config, prompts=(left, right), plugins_dir=folder)


def _history(given: str | Path | bool | None, *, force: bool) -> Path | None:
    if given is True:
        return new_history_file()
    if not given:
        return None
    check_session_path(Path(given), force=force, how="pass force=True")
    return Path(given).absolute()
