"""PettingZoo's two APIs: `env` and `raw_env`, in which the bots act one after the other, and `parallel_env`."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from batllm_arcade.env.agent import LOWEST, Observation
from batllm_arcade.env.env_match import EnvMatch
from batllm_arcade.env.setup import RENDER_MODES, Setup, setup

AGENTS = ("player_0", "player_1")
"""The agents' names by seat: player_0 sits left."""
_SEAT_OF = {agent: seat for seat, agent in enumerate(AGENTS)}
METADATA: dict[str, Any] = {"name": "batllm_arcade_v0", "render_modes": list(RENDER_MODES), "render_fps": 2}


def observation_space() -> spaces.Box:
    """Return the space of what an agent sees."""
    return spaces.Box(np.array(LOWEST, np.float32), np.ones(len(LOWEST), np.float32), dtype=np.float32)


def env(**choices: Any) -> AECEnv[str, Observation, int]:
    """Return the environment with the checks of PettingZoo around it: the order of calls, actions that do not exist.

    `choices` are those of `raw_env`; raise UsageError if one is wrong.
    """
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(raw_env(**choices)))


def raw_env(**choices: Any) -> ArcadeEnv:
    """Return the environment as it is; raise UsageError if one of the `choices` is wrong.

    `config`, `seed`, `orders`, `render_mode`, `rewards`, `actions`, `rounds`, `turns`, `max_cycles`, `history`.
    """
    return ArcadeEnv(setup(**choices))


def parallel_env(**choices: Any) -> ArcadeParallelEnv:
    """Return the environment in which both agents decide at once, without having seen what the other does.

    A step is a turn: the bots act in the round's acting order. `choices` are those of `raw_env`.
    """
    return ArcadeParallelEnv(setup(**choices))


class _BothSeats:
    def _sit_down(self, choices: Setup) -> None:
        self._match = EnvMatch(choices)
        self.render_mode = choices.render_mode
        self.possible_agents = list(AGENTS)
        self.observation_spaces = {agent: observation_space() for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(len(choices.actions)) for agent in AGENTS}

    @property
    def histories(self) -> list[str]:
        """The session files that were begun."""
        return self._match.histories

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of what an agent sees, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions, always the same object."""
        return self.action_spaces[agent]

    def close(self) -> None:
        """End the session that is recorded, and the window."""
        self._match.close()


class ArcadeEnv(_BothSeats, AECEnv[str, Observation, int]):
    """A match between two agents, in PettingZoo's AEC API; `agent_selection` is whose bot acts next."""

    metadata = METADATA

    def __init__(self, choices: Setup) -> None:
        super().__init__()
        self._sit_down(choices)
        self._shows, self._cuts = choices.render_mode == "human", choices.max_cycles is not None

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the first game of a seed, or the next game of the same seed without one."""
        self._match.reset(seed)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations, self.truncations = dict.fromkeys(AGENTS, False), dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._skip_agent_selection = None
        self._select()
        if self._shows:
            self.render()

    def _select(self) -> None:
        seat = self._match.game.actor
        agent = self.agent_selection = AGENTS[seat]
        self.infos[agent] = {"action_mask": self._match.mask(seat)}

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees now."""
        return self._match.observe(_SEAT_OF[agent])

    def step(self, action: int | None) -> None:
        """Play an action for the selected agent; None takes one off whose game is over.

        Raise UsageError if there is no such action; one that the rules refuse does nothing.
        """
        agent, match = self.agent_selection, self._match
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        before, summed = match.game.arena, self._cumulative_rewards
        summed[agent] = 0.0
        match.act(action)
        left, right = match.rewards(before)
        self.rewards = {"player_0": left, "player_1": right}
        if left or right:
            summed["player_0"] += left
            summed["player_1"] += right
        if match.game.result is not None or (self._cuts and match.cut_off):
            self._end()
        else:
            self._select()
        if self._shows:
            self.render()

    def _end(self) -> None:
        ends = self.terminations if self._match.over else self.truncations
        for seat, agent in enumerate(AGENTS):
            ends[agent] = True
            self.infos[agent] = {"action_mask": self._match.mask(seat)}
        self.agent_selection = AGENTS[1 - AGENTS.index(self.agent_selection)]

    def render(self) -> Any:
        """Return the picture as it is now, 720 x 1280 x 3 bytes; in the window show the play, and return None."""
        return self._match.render()


class ArcadeParallelEnv(_BothSeats, ParallelEnv[str, Observation, int]):
    """A match between two agents who decide at once, in PettingZoo's parallel API; a step is a turn."""

    metadata = METADATA

    def __init__(self, choices: Setup) -> None:
        self._sit_down(choices)
        self.agents: list[str] = []

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin the first game of a seed, or the next game of the same seed without one; return what both see."""
        self._match.reset(seed)
        self.agents = list(AGENTS)
        if self.render_mode == "human":
            self.render()
        return self._seen()

    def _seen(self) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        match = self._match
        infos: dict[str, dict[str, Any]] = {
            agent: {"action_mask": match.mask(seat)} for seat, agent in enumerate(AGENTS)
        }
        return {agent: match.observe(seat) for seat, agent in enumerate(AGENTS)}, infos

    def step(self, actions: dict[str, int]) -> tuple[
        dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:  # fmt: skip
        """Play a turn; a knock-out by who acts first leaves the other's action out."""
        match, given = self._match, np.zeros(2)
        for seat in match.game.order:
            if not match.over:
                before = match.game.arena
                match.act(actions[AGENTS[seat]])
                given += match.rewards(before)
                if self.render_mode == "human":
                    self.render()
        observations, infos = self._seen()
        rewards = {agent: float(given[seat]) for seat, agent in enumerate(AGENTS)}
        ended, cut_off = dict.fromkeys(AGENTS, match.over), dict.fromkeys(AGENTS, match.cut_off)
        if match.over or match.cut_off:
            self.agents = []
        return observations, rewards, ended, cut_off, infos

    def render(self) -> Any:
        """Return the picture as it is now, 720 x 1280 x 3 bytes; in the window show the turn, and return None."""
        return self._match.render()
