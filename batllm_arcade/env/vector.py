"""Gymnasium's vector API: n games at once in this process, each against an opponent of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from batllm_arcade.core.model import SeatName
from batllm_arcade.env.pairs import METADATA, observation_space
from batllm_arcade.env.setup import seed_of, setup
from batllm_arcade.env.single import SingleMatch, opponents, seat_index
from batllm_arcade.errors import UsageError, whole_number
from batllm_arcade.session.games import Given

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def vector_env(
    n: int, opponent: Given = "scripted:random", *, seat: SeatName = "left", plugins_dir: str | Path | None = None,
    trust: str | Iterable[str] = (), **choices: Any,
) -> ArcadeVectorEnv:  # fmt: skip
    """Return n games that are stepped at once, each as `make_single` makes it.

    Game i begins with the seed given plus i. One that is over begins anew with the step after (`NEXT_STEP`), whose
    action for it is not played. Raise UsageError if something is wrong; nothing is drawn.
    """
    whole_number("n", n, 1)
    if choices.get("render_mode") is not None:
        raise UsageError("a vector of games is not drawn; leave render_mode out, or use make_single")
    chosen = setup(**choices)
    makers, bot = opponents(opponent, seat, chosen, plugins_dir, trust), seat_index(seat)
    return ArcadeVectorEnv([SingleMatch(chosen, bot, makers.make()) for _ in range(n)], chosen.seed)


class ArcadeVectorEnv(VectorEnv[NDArray[np.float32], Any, Any]):
    """Games of one agent each; `infos["action_mask"]` has a row for each game."""

    metadata: dict[str, Any] = {**METADATA, "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 - as the base has it

    def __init__(self, matches: Sequence[SingleMatch], seed: int) -> None:
        self._matches = list(matches)
        self._seed: int | None = seed
        self.num_envs = len(self._matches)
        self.render_mode = None
        self.single_observation_space = observation_space()
        self.single_action_space = spaces.Discrete(len(self._matches[0].setup.actions))
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._ended = np.zeros(self.num_envs, np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin all games: of this seed and those after it, of these seeds, or the next ones of the same seeds."""
        first, self._seed = (self._seed if seed is None else seed), None
        if first is None or isinstance(first, Sequence):
            seeds = list(first or [None] * self.num_envs)
        else:
            seeds = [seed_of(first) + index for index in range(self.num_envs)]
        super().reset(seed=seeds[0])
        for match, each in zip(self._matches, seeds, strict=True):
            match.begin(each)
        self._ended[:] = False
        return self._seen()

    def step(self, actions: Any) -> tuple[NDArray[np.float32], Floats, Flags, Flags, dict[str, Any]]:
        """Play an action in each game, and what the opponents answer; begin anew those that were over."""
        rewards = np.zeros(self.num_envs)
        over, cut_off = np.zeros(self.num_envs, np.bool_), np.zeros(self.num_envs, np.bool_)
        for index, (match, action) in enumerate(zip(self._matches, actions, strict=True)):
            if self._ended[index]:
                match.begin()
            else:
                rewards[index] = match.decide(action)
                over[index], cut_off[index] = match.over, match.cut_off
        self._ended = over | cut_off
        observations, infos = self._seen()
        return observations, rewards, over, cut_off, infos

    def _seen(self) -> tuple[NDArray[np.float32], dict[str, Any]]:
        observations = np.stack([match.observe(match.seat) for match in self._matches])
        masks = np.stack([match.mask(match.seat) for match in self._matches])
        return observations, {"action_mask": masks, "_action_mask": np.ones(self.num_envs, np.bool_)}

    def close_extras(self, **_how: Any) -> None:
        """End the sessions that are recorded, and the opponents."""
        for match in self._matches:
            match.close()
