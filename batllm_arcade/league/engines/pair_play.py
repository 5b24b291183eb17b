"""A pair of players plays its games, and what has pairs played: an engine."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from statistics import median
from typing import Protocol, TypeVar

from batllm_arcade.analysis.game import sampled_losses
from batllm_arcade.brains.protocol import BrainError
from batllm_arcade.core.model import SEATS, plain
from batllm_arcade.core.streams import keyed_name
from batllm_arcade.errors import ArcadeError, UsageError, one_line
from batllm_arcade.files.session_clock import SessionClock
from batllm_arcade.history import schema
from batllm_arcade.history.manager import HistoryManager, compact, session_parts
from batllm_arcade.history.paths import program
from batllm_arcade.league.plan import LeaguePlayer, ScheduledPair
from batllm_arcade.league.setup import LeagueSetup, asked_spec, asks_a_server, check_brains, fallback_of, load_plugins
from batllm_arcade.league.statistics.tally import GameLine, PairLine, PlayTimesLine, fault_of, no_faults, outcome_of
from batllm_arcade.match import runner
from batllm_arcade.match.notebook import Notebook
from batllm_arcade.match.records import GameEnded, GameStarted, NotesWritten, Play, Record, RoundStarted, SeatSwapped
from batllm_arcade.match.runner import StreamSecret
from batllm_arcade.seats.brain_thread import BrainThread, KeptBots
from batllm_arcade.seats.table import Table

T = TypeVar("T")


@dataclass(slots=True)
class GameCounts:
    """What a pair's line tells of one game, counted from its records; names are left first."""

    names: tuple[str, str]
    faults: tuple[dict[str, int], dict[str, int]] = field(default_factory=lambda: (no_faults(), no_faults()))
    tokens: list[int] = field(default_factory=lambda: [0, 0])
    written: list[int] = field(default_factory=lambda: [0, 0])
    requests: list[int] = field(default_factory=lambda: [0, 0])
    latencies: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    by_fallback: list[int] = field(default_factory=lambda: [0, 0])
    as_played: list[dict[str, str]] = field(default_factory=list)
    losses: tuple[list[float], list[float]] | None = None
    """Chances lost in the plays that were judged."""
    failures: dict[str, str] = field(default_factory=dict)
    """Why a player has lost its seat or the game, by name."""
    turns: int = 0
    first: str = ""
    ended: GameEnded | None = None
    _turn: tuple[int, int] = (0, 0)
    _fallback: list[bool] = field(default_factory=lambda: [False, False])

    def notify(self, record: Record) -> None:
        """Receive the next record of the game."""
        if isinstance(record, Play):
            self._play(record)
        elif isinstance(record, RoundStarted) and record.round == 1:
            self.first = self.names[record.acting_order[0]]
        elif isinstance(record, GameEnded):
            self.ended = record
        elif isinstance(record, NotesWritten):
            self._spend(record.bot, record.tokens)
            self.requests[record.bot] += 1
        elif isinstance(record, SeatSwapped):
            self._fallback[record.bot] = record.why == "fallback"
            if record.why == "fallback":
                self.failures[self.names[record.bot]] = record.problem

    def _play(self, play: Play) -> None:
        bot, decision = play.bot, play.decision
        if fault := fault_of(play.status, play.reason):
            self.faults[bot][fault] += 1
        self._spend(bot, decision.tokens)
        self.by_fallback[bot] += self._fallback[bot]
        if play.status == "forfeit":
            self.failures.setdefault(self.names[bot], play.reason)
        self.requests[bot] += decision.queued_from is None
        self.latencies[bot].append(play.latency_s)
        if (play.round, play.turn) != self._turn:
            self._turn = (play.round, play.turn)
            self.turns += 1

    def _spend(self, bot: int, tokens: Mapping[str, int] | None) -> None:
        if tokens:
            self.written[bot] += tokens.get("completion", 0)
            self.tokens[bot] += tokens.get("prompt", 0) + tokens.get("completion", 0)

    @property
    def aborted(self) -> bool:
        """Return whether the game was given up before its end."""
        return self.ended is None or self.ended.result.reason == "aborted"

    def line(self, asks: list[bool]) -> GameLine:
        """Return the game as a pair's line holds it; `asks` says whose decisions are requests to a server."""
        assert self.ended is not None
        result, arena = self.ended.result, self.ended.arena
        line: GameLine = {
            "left": self.names[0],
            "winner": None if result.winner is None else self.names[result.winner],
            "reason": result.reason,
            "turns": self.turns,
            "health": self._by_name([plain(arena.bot(bot).health) for bot in (0, 1)]),
            "first": self.first,
            "faults": self._by_name(self.faults),
            "tokens": self._by_name(self.tokens),
            "written": self._by_name(self.written),
            "requests": self._by_name([count * asked for count, asked in zip(self.requests, asks, strict=True)]),
            "by_fallback": self._by_name(self.by_fallback),
            "latency_s": self._by_name([_latency(seen) for seen in self.latencies]),
        }
        if any(self.as_played):
            line["as_played"] = self._by_name(self.as_played)
        if self.losses is not None:
            line["loss"] = self._by_name([{"plays": len(seen), "sum": round(sum(seen), 6)} for seen in self.losses])
        return line

    def _by_name(self, values: Sequence[T]) -> dict[str, T]:
        return dict(sorted(zip(self.names, values, strict=True)))


def _latency(seen: list[float]) -> PlayTimesLine:
    return {
        "plays": len(seen),
        "median": round(median(seen), 6) if seen else 0.0,
        "max": round(max(seen), 6) if seen else 0.0,
        "total": round(sum(seen), 6),
    }


class SessionText:
    """The session file of a game as text, from its records."""

    def __init__(self) -> None:
        self._history = HistoryManager()
        self._battery = False

    def notify(self, record: Record) -> None:
        """Receive the next record of the session."""
        if isinstance(record, GameStarted):
            self._battery = bool(record.rules.battery)
        self._history.append(schema.entry(record, battery=self._battery))

    def text(self) -> str:
        """Return the file's whole text."""
        session = self._history.session
        return "".join(session_parts(session, map(compact, session["games"])))


class PairStopped(Exception):
    """A pair was given up in the middle, because `PairPlayer.stop` was called."""


REPLAYS = 2
"""How often a pair is played again in which a limit has cost a play."""


class NotReady(ArcadeError):
    """A player cannot play now, in one sentence: its server is away, its model is missing."""


class LimitReached(NotReady):
    """The limit of a player's server has cost it a play."""


@dataclass(frozen=True, slots=True)
class PlayedPair:
    """A pair's line, and the texts of the session files that are kept, by game (0, 1).

    `failures` has of each player who failed three plays in a row why it did, once for each game.
    """

    line: PairLine
    sessions: Mapping[int, str]
    failures: Mapping[str, Sequence[str]] = field(default_factory=dict)


class PairPlayer:
    """Plays pairs of a league, one at a time; a model or a bot that is loaded for one stays loaded for the next.

    Raise UsageError if the plugins here are not those of the league, or a brain is unknown. `stop` may be called
    from any thread.
    """

    def __init__(self, setup: LeagueSetup) -> None:
        self._setup, self._config = setup, setup.config
        self._kinds = load_plugins(setup).kinds
        check_brains(setup, self._kinds)
        self._specs = {player.name: asked_spec(player, setup.plan, self._kinds) for player in setup.plan.players}
        self._fallbacks = {player.name: fallback_of(player, setup) for player in setup.plan.players}
        self._asking = {player.name: asks_a_server(player, self._kinds) for player in setup.plan.players}
        self._models: dict[str, BrainThread] = {}
        self._bots = KeptBots()
        self._lock = threading.Lock()
        self._table: Table | None = None
        self._stopped = False
        self._clock = SessionClock()

    def play(self, pair: ScheduledPair) -> PlayedPair:
        """Return the pair's line and sessions; raise NotReady if a player cannot play, PairStopped after `stop`.

        A pair in which the limit of a server has cost a play is played again.
        """
        for again in reversed(range(REPLAYS + 1)):
            try:
                return self._pair(pair)
            except LimitReached:
                if not again:
                    raise
        raise AssertionError

    def _pair(self, pair: ScheduledPair) -> PlayedPair:
        players = self._setup.plan.players
        first, second = players[pair.first], players[pair.second]
        games, sessions, failures = [], {}, dict[str, list[str]]()
        carried, book = self._setup.plan.notes == "league", Notebook(pair.notes)
        for number, (left, right) in enumerate(((pair.first, pair.second), (pair.second, pair.first))):
            # Of each game its own: a bot that is kept sits at the other seat in the second, and knows its first stream.
            secret = StreamSecret(partial(keyed_name, pair.secret, f"game {number}") if pair.secret else str)
            game, session, failed = self._game(left, right, pair.seed, secret, book if carried else Notebook())
            book.turn()
            games.append(game)
            for name, why in failed.items():
                failures.setdefault(name, []).append(why)
            if session and self._setup.plan.keeps(game["winner"]):
                sessions[number] = session
        for name in failures:  # if its server is gone, what it failed then is not its own fault
            if self._asking[name]:
                self._ready(name).close()
        line: PairLine = {
            "pair": pair.number,
            "players": [first.name, second.name],
            "seed": pair.seed,
            "games": games,
            "outcome": outcome_of([game["winner"] for game in games], first.name),
            "finished": self._clock.now("milliseconds"),
        }
        if any(book.notes):
            line["notes"] = {name: text for name, text in zip(line["players"], book.notes, strict=True) if text}
        return PlayedPair(line, sessions, failures)

    def _ready(self, name: str) -> BrainThread:
        brain = BrainThread(self._kinds, self._specs[name], self._config.deadline_s)
        try:
            brain.prepare(lambda text: None)
        except ArcadeError as error:
            brain.close()
            raise NotReady(f"{name}: {one_line(error, 1000)}") from None
        return brain

    def stop(self) -> None:
        """Give up the pair that is being played, and every later one."""
        with self._lock:
            self._stopped = True
            if self._table is not None:
                self._table.stop()

    def close(self) -> None:
        """Release the models."""
        self.stop()
        self._bots.close()
        for brain in self._models.values():
            brain.close()
        self._models.clear()

    def _game(
        self, left: int, right: int, seed: int, secret: StreamSecret, book: Notebook
    ) -> tuple[GameLine, str, Mapping[str, str]]:
        config, players = self._config, [self._setup.plan.players[index] for index in (left, right)]
        for player in players:
            self._load_model(player.name)
        fallbacks = (self._fallbacks[players[0].name], self._fallbacks[players[1].name])
        specs = (self._specs[players[0].name], self._specs[players[1].name])
        kept_bots = (self._bots.take(players[0].name, SEATS[0]), self._bots.take(players[1].name, SEATS[1]))
        table = Table(
            self._kinds, specs, fallback=fallbacks, deadline_s=config.deadline_s, kept=kept_bots, patient=True
        )
        with self._lock:
            self._table = table
        plan = runner.MatchPlan(
            config.rules, seed, 1, (players[0].orders, players[1].orders), config.style, config.header_template,
            program(), config.gamepad, secret, book, notes_at_end=self._setup.plan.notes == "league",
        )  # fmt: skip
        counts = GameCounts((players[0].name, players[1].name))
        accuracy, records = self._setup.plan.accuracy, list[Record]()
        text = SessionText() if self._setup.plan.sessions != "none" else None
        try:
            if self._stopped:
                raise PairStopped
            self._prepare(table, (players[0].name, players[1].name))
            for record in runner.play(plan, table):
                counts.notify(record)
                if text is not None:
                    text.notify(record)
                if accuracy:
                    records.append(record)
            counts.as_played = [self._as_played(player, table, bot) for bot, player in enumerate(players)]
            for player, seat, bot in zip(players, SEATS, table.release(), strict=True):
                self._keep(player.name, seat, bot, failed=player.name in counts.failures)
        finally:
            with self._lock:
                self._table = None
            table.close()
        if table.stopped or counts.aborted:
            raise PairStopped
        if accuracy:
            counts.losses = sampled_losses(records, accuracy, Random(f"accuracy of {counts.names[0]} {seed}"))
        line = counts.line([self._asking[player.name] for player in players])
        return line, text.text() if text else "", counts.failures

    def _as_played(self, player: LeaguePlayer, table: Table, bot: int) -> dict[str, str]:
        """Return how a model has played; raise NotReady if not as the league asks of all."""
        as_played, unlike = table.as_played(bot) if self._asking[player.name] else ({}, {})
        if "limit" in unlike:
            raise LimitReached(f"{player.name}: {unlike['limit']}")
        if why := self._setup.plan.unfair(player, unlike):
            raise NotReady(why)
        return as_played

    def _keep(self, name: str, seat: str, bot: BrainThread | None, *, failed: bool) -> None:
        """Keep a bot for the next game; one that failed too often begins anew there."""
        if failed and bot is not None:
            bot.close()
        else:
            self._bots.put(name, seat, bot)

    def _prepare(self, table: Table, names: tuple[str, str]) -> None:
        try:
            table.prepare(lambda text: None)
        except BrainError as error:
            if table.stopped:
                raise PairStopped from None
            sentence = one_line(error, 1000)
            for seat, name in zip(SEATS, names, strict=True):
                sentence = f"{name}: {sentence.removeprefix(f'{seat}: ')}" if sentence.startswith(seat) else sentence
            raise NotReady(sentence) from None

    def _load_model(self, name: str) -> None:
        """Keep a brain of every player with a model, so that its process outlives the games."""
        spec = self._specs[name]
        kind = self._kinds[spec.name]
        if name in self._models or not kind.prompted or kind.isolation:  # bots are kept themselves
            return
        self._models[name] = self._ready(name)


def unready(error: Exception) -> str:
    """Return the sentence with which a league pauses because of this failure."""
    if isinstance(error, (NotReady, UsageError)):
        return str(error)
    return f"the program failed while it played: {one_line(error)}"


@dataclass(frozen=True, slots=True)
class EngineReport:
    """News of a chunk of pairs: one of them was `played`, or the chunk `ended`, however it did.

    Pairs of an ended chunk that were not reported as played are to be played again. `problem` is why nobody can go
    on, "" while all is well, `note` what a person is to be told; where there is nothing but these, `chunk` is 0.
    """

    chunk: int
    played: PlayedPair | None = None
    ended: bool = False
    problem: str = ""
    note: str = ""


class Engine(Protocol):
    """Plays chunks of pairs; all methods are called by one thread."""

    @property
    def workers(self) -> int:
        """Return how many chunks are played at once; it may change, also to none."""
        ...

    def submit(self, chunk: int, pairs: Sequence[ScheduledPair]) -> None:
        """Have these pairs played, one after the other, under this number."""
        ...

    def reports(self, timeout_s: float) -> list[EngineReport]:
        """Return the news since the last call; wait so long for the first."""
        ...

    def late(self, chunk: int) -> str:
        """Take note that a chunk is late, so that others get what comes next; return who plays it."""
        ...

    def close(self) -> None:
        """Give up what is being played, and end all processes that were started."""
        ...
