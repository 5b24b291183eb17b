"""The games behind an environment: reset by reset, action by action; recorded and drawn where that is asked for."""

from __future__ import annotations

from functools import partial
from typing import Any

from batllm_arcade.brains.protocol import Decision, PastPlay, PastTurn, SeatInfo
from batllm_arcade.core.commands import Nothing
from batllm_arcade.core.model import Arena
from batllm_arcade.env.actions import Mask
from batllm_arcade.env.chronicle import Chronicle
from batllm_arcade.env.game import EnvGame
from batllm_arcade.env.observation import Observation, observe
from batllm_arcade.env.setup import Setup, seed_of
from batllm_arcade.errors import UsageError
from batllm_arcade.match.decision_faults import command_of
from batllm_arcade.match.records import Status
from batllm_arcade.match.seat_streams import StreamSecret, session_secret

LEARNER = SeatInfo("agent", "env")
"""Who is recorded at a seat that is played through an environment."""


class EnvMatch:
    """One game after the other: a seed's games are numbered from 1, as in a session, and another seed begins anew.

    With `keeps_history` the finished turns of the round are kept for the view of an opponent.
    """

    def __init__(
        self, setup: Setup, seats: tuple[SeatInfo, SeatInfo] = (LEARNER, LEARNER), *, keeps_history: bool = False
    ) -> None:
        self.setup, self.rules = setup, setup.config.rules
        self._seats, self._keeps_history = seats, keeps_history
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
            self._report_game()

    initial: Arena
    """Both bots at the start of the round."""
    turns: tuple[PastTurn, ...]
    """The finished turns of the round, if they are kept."""

    def _report_game(self) -> None:
        if self._chronicle is None:
            listeners = [] if self.picture is None else [self.picture]
            setup = self.setup
            self._chronicle = Chronicle(setup.config, self._seats, self._seed, listeners, setup.history)
            self.histories += [] if self._chronicle.path is None else [str(self._chronicle.path)]
        self._chronicle.begin_game(self.game)

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
        game: EnvGame | None = getattr(self, "game", None)
        if game is None or game.result is not None:
            raise UsageError("no game is under way; call reset() first")
        return game

    def act(self, action: Any) -> None:
        """Play an action for the bot whose turn it is; raise UsageError if there is no such action, or no game."""
        game = self.under_way()
        token, command = self.setup.actions.command(int(action), game.arena, game.actor)
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
        left, right = (reward(seat, before, game.arena, self.rules, game.result) for seat in (0, 1))
        return float(left), float(right)

    def observe(self, seat: int) -> Observation:
        """Return what the bot at a seat sees now."""
        game = self.game
        return observe(game.arena, seat, self.rules, game.round - 1, game.turn - 1, game.order[0])

    def mask(self, seat: int) -> Mask:
        """Return which actions would do something for the bot at a seat now."""
        return self.setup.actions.mask(self.game.arena, seat)

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
