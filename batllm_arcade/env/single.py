"""Gymnasium's API: one agent at a seat, any brain at the other."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, SupportsInt

import gymnasium
from gymnasium import spaces

from batllm_arcade.core.model import SEATS, SeatName
from batllm_arcade.env.env_match import LEARNER, EnvMatch
from batllm_arcade.env.observation import Observation
from batllm_arcade.env.opponent import Opponent, Opponents
from batllm_arcade.env.pairs import METADATA, observation_space
from batllm_arcade.env.setup import Setup, setup
from batllm_arcade.errors import UsageError, quoted
from batllm_arcade.session.given_seats import Given

Step = tuple[Observation, float, bool, bool, dict[str, Any]]


def make_single(
    opponent: Given = "scripted:random",
    *,
    seat: SeatName = "left",
    plugins_dir: str | Path | None = None,
    trust: str | Iterable[str] = (),
    **choices: Any,
) -> SingleEnv:
    """Return an environment of one agent at `seat` against a brain.

    `opponent` is a brain as on the command line, a bot with `@bot` or an object with `decide(view)`; `choices` are
    those of `raw_env`. Raise UsageError if something is wrong, BrainError if the opponent cannot get ready.
    """
    chosen = setup(**choices)
    return SingleEnv(chosen, seat_index(seat), opponents(opponent, seat, chosen, plugins_dir, trust).make())


def seat_index(seat: str) -> int:
    """Return the index of a seat; raise UsageError if there is no such seat."""
    if seat not in SEATS:
        raise UsageError(f"seat must be 'left' or 'right', not {quoted(seat)}")
    return SEATS.index(seat)


def opponents(
    given: Given, seat: str, chosen: Setup, plugins_dir: str | Path | None, trust: str | Iterable[str]
) -> Opponents:
    """Return what makes opponents for the seat opposite."""
    return Opponents(given, 1 - seat_index(seat), chosen.config, plugins_dir, trust)


class SingleMatch(EnvMatch):
    """Games of an agent against an opponent; `reset` and `decide` go on until the agent has to decide again."""

    def __init__(self, chosen: Setup, seat: int, opponent: Opponent) -> None:
        seats = (LEARNER, opponent.info) if seat == 0 else (opponent.info, LEARNER)
        super().__init__(chosen, seats, keeps_history=True)
        self.seat, self.opponent = seat, opponent

    def begin(self, seed: Any = None) -> float:
        """Begin a game; return what the agent is given for what happens before its first play."""
        self.reset(seed)
        self.opponent.begin_game(self)
        return self._answered()

    def decide(self, action: SupportsInt) -> float:
        """Play an action and what the opponent answers; return what the agent is given for both."""
        before = self.under_way().arena
        self.act(action)
        return self.rewards(before)[self.seat] + self._answered()

    def _answered(self) -> float:
        given = 0.0
        while not (self.over or self.cut_off) and self.game.actor != self.seat:
            before = self.game.arena
            self.opponent.play(self)
            given += self.rewards(before)[self.seat]
        if self.over:
            self.opponent.end_game(self)
        return given

    def close(self) -> None:
        """End the session, the window and the opponent."""
        super().close()
        self.opponent.close()


class SingleEnv(gymnasium.Env[Observation, SupportsInt]):
    """A match of one agent against a brain, in Gymnasium's API; a step is the agent's play and the answer to it."""

    metadata = METADATA

    def __init__(self, chosen: Setup, seat: int, opponent: Opponent) -> None:
        self._match = SingleMatch(chosen, seat, opponent)
        self.render_mode = chosen.render_mode
        self.observation_space: spaces.Space[Any] = observation_space()
        self.action_space: spaces.Space[Any] = spaces.Discrete(len(chosen.actions))

    @property
    def histories(self) -> list[str]:
        """The session files that were begun."""
        return self._match.histories

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin the first game of a seed, or the next game of the same seed without one."""
        super().reset(seed=seed)
        self._match.begin(seed)
        self._show()
        return self._match.observe(self._match.seat), self._info()

    def step(self, action: SupportsInt) -> Step:
        """Play an action and the opponent's answer; `info` has the `action_mask`, and at the end the `result`.

        Raise UsageError if there is no such action; one that the rules refuse does nothing.
        """
        match = self._match
        reward = match.decide(action)
        self._show()
        return match.observe(match.seat), reward, match.over, match.cut_off, self._info()

    def _info(self) -> dict[str, Any]:
        match, result = self._match, self._match.game.result
        info: dict[str, Any] = {"action_mask": match.mask(match.seat)}
        if result is not None:
            info["result"] = result.reason
        return info

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """Return the picture as it is now, 720 x 1280 x 3 bytes; in the window show the play, and return None."""
        return self._match.render()

    def close(self) -> None:
        """End the session that is recorded, the window and the opponent."""
        self._match.close()
