"""Playing one pair of games: the task of every process and machine, below whatever started it."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from batllm_arcade.brains.protocol import BrainError
from batllm_arcade.core.model import SEATS
from batllm_arcade.core.streams import keyed_name
from batllm_arcade.errors import ArcadeError, UsageError, one_line
from batllm_arcade.files.session_clock import SessionClock
from batllm_arcade.history.version import program
from batllm_arcade.league.engines.game_counts import GameCounts, SessionText
from batllm_arcade.league.plan import ScheduledPair
from batllm_arcade.league.setup import LeagueSetup, asks_a_server, check_brains, fallback_of, load_plugins, spec_of
from batllm_arcade.league.statistics.outcome import is_decisive, outcome_of
from batllm_arcade.league.statistics.pair_line import GameLine, PairLine
from batllm_arcade.match import runner
from batllm_arcade.match.seat_streams import StreamSecret
from batllm_arcade.seats.brain_thread import BrainThread
from batllm_arcade.seats.kept_bots import KeptBots
from batllm_arcade.seats.table import Table


class PairStopped(Exception):
    """A pair was given up in the middle, because `PairPlayer.stop` was called."""


class NotReady(ArcadeError):
    """A player cannot play now, in one sentence: its server is away, its model is missing."""


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
        self._specs = {player.name: spec_of(player) for player in setup.plan.players}
        self._fallbacks = {player.name: fallback_of(player, setup) for player in setup.plan.players}
        self._asking = {player.name: asks_a_server(player, self._kinds) for player in setup.plan.players}
        self._models: dict[str, BrainThread] = {}
        self._bots = KeptBots()
        self._lock = threading.Lock()
        self._table: Table | None = None
        self._stopped = False
        self._clock = SessionClock()

    def play(self, pair: ScheduledPair) -> PlayedPair:
        """Return the pair's line and sessions; raise NotReady if a player cannot play, PairStopped after `stop`."""
        players = self._setup.plan.players
        first, second = players[pair.first], players[pair.second]
        games, sessions, failures = [], {}, dict[str, list[str]]()
        for number, (left, right) in enumerate(((pair.first, pair.second), (pair.second, pair.first))):
            # Of each game its own: a bot that is kept sits at the other seat in the second, and knows its first stream.
            secret = StreamSecret(partial(keyed_name, pair.secret, f"game {number}") if pair.secret else str)
            game, session, failed = self._game(left, right, pair.seed, secret)
            games.append(game)
            for name, why in failed.items():
                failures.setdefault(name, []).append(why)
            if session and self._keeps(game):
                sessions[number] = session
        self._look_after(failures)
        return PlayedPair(
            {
                "pair": pair.number,
                "players": [first.name, second.name],
                "seed": pair.seed,
                "games": games,
                "outcome": outcome_of([game["winner"] for game in games], first.name),
                "finished": self._clock.now("milliseconds"),
            },
            sessions,
            failures,
        )

    def _look_after(self, names: Iterable[str]) -> None:
        """Raise NotReady if the server of one of these is gone: what it failed then is not its own fault."""
        for name in names:
            if self._asking[name]:
                self._ready(name).close()

    def _ready(self, name: str) -> BrainThread:
        """Return a player's brain, loaded and ready; raise NotReady if it is not."""
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

    def _keeps(self, game: GameLine) -> bool:
        kept = self._setup.plan.sessions
        return kept == "all" or (kept == "decisive" and is_decisive(game))

    def _game(self, left: int, right: int, seed: int, secret: StreamSecret) -> tuple[GameLine, str, Mapping[str, str]]:
        config, players = self._config, [self._setup.plan.players[index] for index in (left, right)]
        for player in players:
            self._load_model(player.name)
        fallbacks = (self._fallbacks[players[0].name], self._fallbacks[players[1].name])
        specs = (self._specs[players[0].name], self._specs[players[1].name])
        kept = (self._bots.take(players[0].name, SEATS[0]), self._bots.take(players[1].name, SEATS[1]))
        table = Table(self._kinds, specs, fallback=fallbacks, deadline_s=config.deadline_s, kept=kept)
        with self._lock:
            self._table = table
        plan = runner.MatchPlan(
            config.rules, seed, 1, (players[0].orders, players[1].orders), config.style, config.header_template,
            program(), config.gamepad, secret,
        )  # fmt: skip
        counts = GameCounts((players[0].name, players[1].name))
        text = SessionText() if self._setup.plan.sessions != "none" else None
        try:
            if self._stopped:
                raise PairStopped
            self._prepare(table, (players[0].name, players[1].name))
            for record in runner.play(plan, table):
                counts.notify(record)
                if text is not None:
                    text.notify(record)
            for player, seat, bot in zip(players, SEATS, table.release(), strict=True):
                self._keep(player.name, seat, bot, failed=player.name in counts.failures)
        finally:
            with self._lock:
                self._table = None
            table.close()
        if table.stopped or counts.aborted:
            raise PairStopped
        line = counts.line([self._asking[player.name] for player in players])
        return line, text.text() if text else "", counts.failures

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
