"""Games played by a program of somebody's own: `play` yields their records."""

from __future__ import annotations

import warnings
from collections.abc import Generator, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.core.model import SEATS
from batllm_arcade.errors import UsageError, quoted
from batllm_arcade.history.paths import check_session_path
from batllm_arcade.match.records import Record
from batllm_arcade.plugin.hookspecs import Observer
from batllm_arcade.plugin.isolation_choice import ISOLATED
from batllm_arcade.plugin.manager import Plugins, load
from batllm_arcade.seats.brain_thread import find_kind
from batllm_arcade.session.answer_count import AnswerCount
from batllm_arcade.session.fallback_report import FallbackReport
from batllm_arcade.session.given_seats import Given, seated
from batllm_arcade.session.live_session import LiveSession, SessionPlan, new_history_file, new_seed
from batllm_arcade.settings import config as configuration
from batllm_arcade.settings.config import Config

Orders = tuple[str | None, str | None]
"""The players' orders, left first; None for those of the configuration."""
MOST_GAMES, MOST_SEED = 1_000_000, 10**18 - 1


class Games(Iterator[Record]):
    """The records of games while they are played, from SessionStarted to SessionEnded; made by `play`.

    `seed` and `history`, the session file or None, are known from the start. The match begins at the first `next`.
    `close` ends it early, with its bots; so does the end of a `with` block, and dropping it. What `run` would say on
    standard error is a warning.
    """

    def __init__(self, match: _Match) -> None:
        self.seed, self.history = match.plan.seed, match.plan.history
        self._match, self._records = match, match.records()

    def __next__(self) -> Record:
        """Return the next record; raise BrainError if a brain cannot get ready, and whatever an observer raises."""
        return next(self._records)

    def close(self) -> None:
        """End the match, its brains and its session."""
        self._records.close()
        self._match.end()

    def __enter__(self) -> Games:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_records"):  # else it was never made
            self.close()


class _Match:
    """The session behind `Games`, which knows nothing of those: so they are dropped when nobody has them any more."""

    def __init__(self, plan: SessionPlan, plugins: Plugins, observers: Iterable[Observer]) -> None:
        self.plan, self._observers, self._problems = plan, tuple(observers), plugins.problems
        self._said = len(self._problems)
        self._session = LiveSession(plan, plugins)
        self._table = self._session.table(plan)
        self._answers, self._fallbacks = AnswerCount(), FallbackReport()
        self._over = False

    def records(self) -> Generator[Record, None, None]:
        """Yield the records, each when the observers have had it; end what was begun in any case."""
        try:
            self._table.prepare(lambda _line: None)
            for record in self._session.records(self.plan, self._table):
                for observer in self._observers:
                    observer.notify(record)
                self._answers.notify(record)
                self._fallbacks.notify(record)
                yield record
            for sentence in (*self._answers.sentences(), *self._fallbacks.sentences()):
                warnings.warn(sentence, stacklevel=3)
        finally:
            self.end()

    def end(self) -> None:
        """Close the session and the brains, once; tell of plugins that were dropped meanwhile."""
        if self._over:
            return
        self._over = True
        self._session.close()
        self._table.close()
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
    _check_numbers(games=games, rounds=rounds, turns=turns)
    if seed is not None and (type(seed) is not int or abs(seed) > MOST_SEED):
        raise UsageError(f"seed must be a whole number of up to 18 digits or None, not {quoted(seed)}")
    chosen = _config(config, orders, rounds, turns, plugins_dir)
    plugins = load(chosen.plugins_dir, ISOLATED.trusting(trust))
    for sentence in (*plugins.problems, *plugins.notes):
        warnings.warn(sentence, stacklevel=2)
    seats = seated((left, right), plugins.kinds, chosen.fallback)
    _check_seats(seats, plugins)
    named = [spec for each, spec in zip((left, right), seats, strict=True) if isinstance(each, str | Spec)]
    keyed = any(find_kind(plugins.kinds, spec).isolation for spec in (*named, chosen.fallback))
    plan = SessionPlan(
        chosen, seats, new_seed() if seed is None else seed, games, _history(history, force=force), force=force,
        keyed=keyed,
    )  # fmt: skip
    return Games(_Match(plan, plugins, _checked(observers)))


def _check_seats(seats: tuple[Spec, Spec], plugins: Plugins) -> None:
    for name, spec in zip(SEATS, seats, strict=True):
        try:
            human = find_kind(plugins.kinds, spec).human
        except UsageError as error:
            raise UsageError(f"{name}: {error}") from None
        if human:
            raise UsageError(f"{name} is a person, and without a window there is no keyboard; use 'batllm-arcade play'")


def _check_numbers(**numbers: object) -> None:
    for name, number in numbers.items():
        absent = number is None and name != "games"
        if not absent and not (type(number) is int and 1 <= number <= MOST_GAMES):
            raise UsageError(f"{name} must be a whole number from 1 to {MOST_GAMES:,}, not {quoted(number)}")


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


def _checked(observers: Iterable[Observer]) -> list[Observer]:
    listed = list(observers)
    for observer in listed:
        if not callable(getattr(observer, "notify", None)):
            raise UsageError(f"{quoted(observer)} is no observer; give an object with notify(record)")
    return listed
