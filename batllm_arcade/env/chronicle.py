"""The records of an environment's games, as a match would have yielded them: for the recorder and for pictures."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from batllm_arcade.brains.protocol import Decision, SeatInfo
from batllm_arcade.core.commands import Command
from batllm_arcade.core.events import Event
from batllm_arcade.core.model import Arena
from batllm_arcade.env.game import EnvGame
from batllm_arcade.files.paths import free_path
from batllm_arcade.files.session_clock import SessionClock
from batllm_arcade.history.paths import in_use
from batllm_arcade.history.version import program
from batllm_arcade.history.writer import SessionWriter
from batllm_arcade.match.records import (
    Ended,
    GameEnded,
    GameStarted,
    Play,
    Record,
    RoundEnded,
    RoundStarted,
    SessionEnded,
    SessionStarted,
    Status,
)
from batllm_arcade.match.unfinished import UnfinishedGame
from batllm_arcade.prompts import payload
from batllm_arcade.settings.config import Config


class Listener(Protocol):
    """Whoever is told of records."""

    def notify(self, record: Record) -> None:
        """Receive the next record."""
        ...


class Chronicle:
    """Tells of one session's games: to listeners, and to the session file `history` if there is one.

    `path` is the file that is written: `history`, or that name with a number where it is in use.
    """

    def __init__(
        self, config: Config, seats: tuple[SeatInfo, SeatInfo], seed: int, listeners: Iterable[Listener],
        history: Path | None = None,
    ) -> None:  # fmt: skip
        self._config, self._seats = config, seats
        self.path = None if history is None else free_path(history.parent, history.name, in_use=in_use)
        writers = [] if self.path is None else [SessionWriter(self.path)]
        self._unfinished = UnfinishedGame()
        self._listeners: list[Listener] = [self._unfinished, *writers, *listeners]
        self._clock = SessionClock()
        self._tell(SessionStarted(seed, self._clock.now(), program()))

    def _tell(self, record: Record) -> None:
        for listener in self._listeners:
            listener.notify(record)

    def begin_game(self, game: EnvGame) -> None:
        """Tell that a game begins, and its first round; one that was left before is ended first."""
        self._end_unfinished()
        self._tell(GameStarted(game.number, game.seed, self._config.rules, self._seats, game.arena))
        self._begin_round(game)

    def _begin_round(self, game: EnvGame) -> None:
        style, rules = self._config.style, self._config.rules
        headers = payload.headers(self._config.header_template, rules, aug=style.aug)
        self._tell(
            RoundStarted(
                game.number, game.round, game.order, game.arena, self._config.prompts, style.aug,
                style.mode == "independent", headers,
            )
        )  # fmt: skip

    def play(
        self, at: tuple[int, int, int, int], before: Arena, game: EnvGame, decision: Decision, command: Command,
        events: tuple[Event, ...], status: Status, reason: str, latency_s: float,
    ) -> None:  # fmt: skip
        """Tell of a play that was made at (round, turn, number, bot), and of the ends and beginnings after it."""
        round_number, turn, number, bot = at
        self._tell(
            Play(
                game.number, round_number, turn, number, bot, decision, command, status, reason, latency_s,
                self._clock.now(), before, game.arena, events,
            )
        )  # fmt: skip
        if game.result is not None:
            ended: dict[str, Ended] = {"knockout": "knockout", "forfeit": "abandoned"}
            self._tell(RoundEnded(game.number, round_number, ended.get(game.result.reason, "complete"), game.arena))
            self._tell(GameEnded(game.number, round_number, game.result, game.arena))
        elif game.round != round_number:
            self._tell(RoundEnded(game.number, round_number, "complete", game.arena))
            self._begin_round(game)

    def _end_unfinished(self) -> None:
        for record in self._unfinished.endings():
            self._tell(record)

    def close(self, secret: str = "") -> None:
        """End the game under way, if any, and the session, in which streams were keyed with this."""
        self._end_unfinished()
        self._tell(SessionEnded(self._clock.now(), secret))
