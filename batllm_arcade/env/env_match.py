"""The match behind an environment."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from batllm_arcade.brains.protocol import Decision, PastPlay, PastTurn, SeatInfo
from batllm_arcade.core.commands import Command, Nothing
from batllm_arcade.core.events import Event
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.rules import Result, acting_order, knocked_out, outcome, start, step, with_second_charge
from batllm_arcade.core.streams import game_stream
from batllm_arcade.env.agent import Mask, Observation, Sight
from batllm_arcade.env.setup import Setup, by_result, seed_of
from batllm_arcade.errors import UsageError, quoted
from batllm_arcade.files.paths import free_path
from batllm_arcade.files.session_clock import SessionClock
from batllm_arcade.history.paths import in_use, program
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
    UnfinishedGame,
)
from batllm_arcade.match.runner import StreamSecret, command_of, session_secret
from batllm_arcade.prompts import payload
from batllm_arcade.settings.config import Config


class EnvGame:
    """Game `number` of a seed. `actor` is the index of the bot to act; `result` is None until the game is over.

    `first` is the arena that the game began with, before who acts second got its charge.
    """

    __slots__ = (
        "_rules", "_stream", "actor", "arena", "first", "number", "order", "result", "round", "second", "seed", "turn",
    )  # fmt: skip

    def __init__(self, rules: Rules, seed: int, number: int) -> None:
        self._rules, self.seed, self.number = rules, seed, number
        self._stream = game_stream(seed, number)
        self.arena = self.first = start(self._stream, rules)
        self.round = 0
        self.result: Result | None = None
        self._begin_round()

    def _begin_round(self) -> None:
        self.round, self.turn, self.second = self.round + 1, 1, False
        self.order = acting_order(self._stream)
        if self.round == 1:
            self.arena = with_second_charge(self.arena, self.order, self._rules)
        self.actor = self.order[0]

    @property
    def play_number(self) -> int:
        """Return the number of the play to come within its round, from 1."""
        return 2 * self.turn - 1 + self.second

    def play(self, command: Command) -> tuple[Event, ...]:
        """Carry out the next play and go on to the one after it; return what happened."""
        self.arena, events = step(self.arena, self.actor, command, self._rules)
        if len(events) > 2 and knocked_out(self.arena) is not None:  # a bullet's way, its hit, the end
            self.result = outcome(self.arena, self._rules)
        elif not self.second:
            self.second, self.actor = True, self.order[1]
        elif self.turn < self._rules.turns_per_round:
            self.turn, self.second, self.actor = self.turn + 1, False, self.order[0]
        elif self.round < self._rules.total_rounds:
            self._begin_round()
        else:
            self.result = outcome(self.arena, self._rules)
        return events

    def forfeit(self, bot: int) -> None:
        """End the game: the other bot wins."""
        self.result = Result(1 - bot, "forfeit")


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
        self._tell(GameStarted(game.number, game.seed, self._config.rules, self._seats, game.first))
        self._begin_round(game)

    def _begin_round(self, game: EnvGame) -> None:
        style, rules = self._config.style, self._config.rules
        headers = payload.headers(self._config.header_template, rules, aug=style.aug)
        self._tell(
            RoundStarted(
                game.number, game.round, game.order, game.arena, self._config.prompts, style.aug,
                style.mode == "independent", headers, apart=True,
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


# -- The games behind an environment

LEARNER = SeatInfo("agent", "env")
"""Who is recorded at a seat that is played through an environment."""


def _index(action: Any) -> int:
    """Return the number of an action, also out of an array with one element."""
    try:
        return int(action.item() if hasattr(action, "item") else action)
    except (TypeError, ValueError):
        raise UsageError(f"an action is a whole number, not {quoted(action)}") from None


class EnvMatch:
    """One game after the other: a seed's games are numbered from 1, as in a session, and another seed begins anew.

    With `keeps_history` the finished turns of the round are kept for the view of an opponent.
    """

    def __init__(
        self, setup: Setup, seats: tuple[SeatInfo, SeatInfo] = (LEARNER, LEARNER), *, keeps_history: bool = False
    ) -> None:
        self.setup, self.rules = setup, setup.config.rules
        self._seats, self._keeps_history = seats, keeps_history
        self._sight = Sight(self.rules)
        self._chronicle: Chronicle | None = None
        self.picture: Any = None
        if setup.render_mode is not None:
            from batllm_arcade.env.picture import Picture

            self.picture = Picture(human=setup.render_mode == "human")
        self._seed, self._number = setup.seed, 0
        self.secret = _secret_of(self._seed)
        """What the streams of the games with a bot of a file are keyed with."""
        self.cycles = 0
        self.histories: list[str] = []
        """The session files that were begun."""
        self.game: EnvGame
        """The game under way, from the first reset on."""

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy begins with; raise UsageError where there is a file or a picture that two would write."""
        if self._chronicle is not None or self.picture is not None:
            raise UsageError("an environment that records or draws cannot be copied; leave history and render_mode out")
        return dict(vars(self))

    def reset(self, seed: Any = None) -> None:
        """Begin a game: the first of a seed, or the next one of the same seed."""
        if seed is not None:
            self._end_session()
            self._seed, self._number = seed_of(seed), 0
            self.secret = _secret_of(self._seed)
        self._number += 1
        self.game, self.cycles = EnvGame(self.rules, self._seed, self._number), 0
        self.initial, self.turns = self.game.arena, ()
        self._plays: list[PastPlay] = []
        if self.setup.history is not None or self.picture is not None:
            if self._chronicle is None:
                listeners = [] if self.picture is None else [self.picture]
                setup = self.setup
                self._chronicle = Chronicle(setup.config, self._seats, self._seed, listeners, setup.history)
                self.histories += [] if self._chronicle.path is None else [str(self._chronicle.path)]
            self._chronicle.begin_game(self.game)

    initial: Arena
    """Both bots at the start of the round."""
    turns: tuple[PastTurn, ...]
    """The finished turns of the round, if they are kept."""

    @property
    def over(self) -> bool:
        """Whether the rules have ended the game."""
        return self.game.result is not None

    @property
    def cut_off(self) -> bool:
        """Whether the game has gone on for `max_cycles` turns without an end."""
        most = self.setup.max_cycles
        return most is not None and self.cycles >= most and self.game.result is None

    def under_way(self) -> EnvGame:
        """Return the game that is played; raise UsageError if there is none, or it is over."""
        try:
            if self.game.result is None:
                return self.game
        except AttributeError:
            pass
        raise UsageError("no game is under way; call reset() first")

    def act(self, action: Any) -> None:
        """Play an action for the bot whose turn it is; raise UsageError if there is no such action, or no game."""
        game = self.under_way()
        number = action if type(action) is int else _index(action)
        token, command = self.setup.actions.command(number, game.arena, game.actor)
        if self._chronicle is None and not self._keeps_history:
            self.cycles += game.second
            game.play(command)
        else:
            self.play(Decision(token or "", token), "ok", "", 0.0)

    def play(self, decision: Decision, status: Status, reason: str, latency_s: float) -> None:
        """Play what somebody has decided for the bot whose turn it is, as a match would."""
        game = self.game
        at, before = (game.round, game.turn, game.play_number, game.actor), game.arena
        command = command_of(decision, self.rules)
        if status != "ok":
            command = Nothing(reason)
        elif isinstance(command, Nothing) and command.reason:
            status, reason = "invalid", command.reason
        self.cycles += game.second
        events = game.play(command)
        if status == "forfeit":
            game.forfeit(at[3])
        if self._keeps_history:
            self._keep(at, PastPlay(at[3], decision.raw, command.token, decision.say, status))
        if self._chronicle is not None:
            self._chronicle.play(at, before, game, decision, command, events, status, reason, latency_s)

    def _keep(self, at: tuple[int, int, int, int], play: PastPlay) -> None:
        self._plays.append(play)
        if at[0] != self.game.round:
            self.turns, self._plays, self.initial = (), [], self.game.arena
        elif len(self._plays) == 2:
            self.turns = (*self.turns, PastTurn(at[1], tuple(self._plays), self.game.arena))
            self._plays = []

    def rewards(self, before: Arena) -> tuple[float, float]:
        """Return what both seats are given for the play that began with `before`, left first."""
        reward, game = self.setup.reward, self.game
        if game.result is None and reward is by_result:  # as for most plays
            return 0.0, 0.0
        given = before, game.arena, self.rules, game.result
        return float(reward(0, *given)), float(reward(1, *given))

    def observe(self, seat: int) -> Observation:
        """Return what the bot at a seat sees now."""
        game = self.game
        return self._sight.observe(game.arena, seat, game.round - 1, game.turn - 1, game.order[0])

    def mask(self, seat: int) -> Mask:
        """Return which actions would do something for the bot at a seat now."""
        return self.setup.actions.mask(self.game.arena, seat, self._sight)

    def render(self) -> Any:
        """Return the picture as it is now, height x width x 3 bytes; in the window show it, and return None."""
        return None if self.picture is None else self.picture.render()

    def _end_session(self) -> None:
        chronicle, self._chronicle = self._chronicle, None
        if chronicle is not None:
            chronicle.close(self.secret.text)

    def close(self) -> None:
        """End the session and the window."""
        self._end_session()
        if self.picture is not None:
            self.picture.close()


def _secret_of(seed: int) -> StreamSecret:
    return StreamSecret(partial(session_secret, seed))
