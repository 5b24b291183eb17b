"""Environments of one player, alone or many at once, and the opponent."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, SupportsInt, cast

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from batllm_arcade.brains.bots import BotBrain
from batllm_arcade.brains.live import Live
from batllm_arcade.brains.protocol import BrainKind, SeatInfo, Spec, View
from batllm_arcade.core.model import SEATS, SeatName
from batllm_arcade.core.streams import TAMPERED, resumed, state_of
from batllm_arcade.env.agent import Observation
from batllm_arcade.env.env_match import LEARNER, EnvMatch
from batllm_arcade.env.pairs import METADATA, observation_space
from batllm_arcade.env.setup import Setup, seed_of, setup
from batllm_arcade.errors import UsageError, quoted, whole_number
from batllm_arcade.match.records import Status, known_prompts, known_turn
from batllm_arcade.match.runner import FAILURES_BEFORE_FALLBACK, Answer, SeatStreams, why_refused
from batllm_arcade.plugin.isolated import ISOLATED
from batllm_arcade.plugin.manager import load
from batllm_arcade.prompts import payload
from batllm_arcade.seats.brain_thread import BrainThread, answer_of, find_kind
from batllm_arcade.seats.plugin_calls import decision_of
from batllm_arcade.session.games import Given, seated
from batllm_arcade.settings.config import Config


class Opponents:
    """Makes opponents for a seat: a brain as on the command line, a bot with `@bot` or an object with `decide(view)`.

    Raise UsageError if it is a person or no player.
    """

    def __init__(
        self, given: Given, bot: int, config: Config, plugins_dir: str | Path | None = None,
        trust: str | Iterable[str] = (),
    ) -> None:  # fmt: skip
        self._given = given, bot, config, plugins_dir, trust
        folder = config.plugins_dir if plugins_dir is None else Path(plugins_dir)
        plugins = load(folder, ISOLATED.trusting(trust))
        for sentence in (*plugins.problems, *plugins.notes):
            warnings.warn(sentence, stacklevel=3)
        self._bot, self._config = bot, config
        self._kinds: dict[str, BrainKind] = plugins.kinds
        both = (given, config.fallback) if bot == 0 else (config.fallback, given)
        self._spec: Spec = seated(both, self._kinds, Spec(""))[bot]
        if find_kind(self._kinds, self._spec).human:
            raise UsageError(f"{self._spec.name} is a person, who has no keyboard here; name another opponent")
        self._keyed = isinstance(given, str | Spec)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._given  # loaded plugins hold functions that have no name

    def make(self) -> Opponent:
        """Return a new one, ready to play; raise BrainError if it cannot get ready, UsageError for wrong options."""
        seat = BrainThread(self._kinds, replace(self._spec, seat=SEATS[self._bot]), self._config.deadline_s)
        try:
            headers = payload.headers(self._config.header_template, self._config.rules, aug=self._config.style.aug)
            seat.prepare(lambda _line: None, self._config.prompts[self._bot], headers[self._bot], self._bot)
        except BaseException:
            seat.close()
            raise
        return Opponent(self, seat, self._bot, self._config, headers[self._bot], keyed=self._keyed)


class Opponent:
    """A brain at a seat. It has its deadline as in a match, as far as it looks at it: nobody can interrupt a script.

    One that is `keyed`, a bot of a file, draws from a stream with the session's secret, as in a match.
    """

    def __init__(
        self, made_by: Opponents, seat: BrainThread, bot: int, config: Config, header: str, *, keyed: bool
    ) -> None:
        self._made_by = made_by
        self._seat, self._bot, self._config, self._header, self._keyed = seat, bot, config, header, keyed
        self._failures = 0
        self._queued: set[int] = set()  # its plays of the round that an earlier reply had announced

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy goes on with; raise UsageError for a brain that cannot be copied."""
        brain = self._seat.brain
        if not isinstance(brain, BotBrain):
            raise UsageError(f"{self.info.name} ({self.info.brain}) cannot be copied: only bots inside the program can")
        return {**vars(self), "_seat": brain.memory}

    def __setstate__(self, state: dict[str, Any]) -> None:
        memory = state.pop("_seat")
        vars(self).update(state)
        self._seat = self._made_by.make()._seat
        cast(BotBrain, self._seat.brain).memory = memory

    @property
    def info(self) -> SeatInfo:
        """Who it is."""
        return self._seat.info

    def begin_game(self, match: EnvMatch) -> None:
        """Get ready for a new game."""
        game = match.game
        streams = SeatStreams(game.seed, game.number, match.secret)
        if self._keyed:
            streams.seated(self.info)
        self._stream, self._name, self._failures = streams.streams[self._bot], streams.names[self._bot], 0

    def play(self, match: EnvMatch) -> None:
        """Make the play of its bot; one that fails does nothing, and the third in a row forfeits the game."""
        view, began = self._view(match), time.monotonic()
        before = self._stream.getstate()
        if view.turn == 1:
            self._queued.clear()
        brain = self._seat.brain
        decision, problem, _ = decision_of(lambda: brain.decide(view), self._seat.spec.short, brain)
        took = time.monotonic() - began
        kept = _kept(self._stream)
        if decision is not None and not problem:
            refused = why_refused(decision, view.rules, view.number, self._queued)
            decision, problem = (decision, "") if kept and not refused else (None, refused if kept else TAMPERED)
        if decision is None or problem or kept is None:
            seat = self._seat
            self._fail(match, answer_of(decision, problem, took, seat.deadline_s, (), view.live, ""), before)
        else:
            self._stream, self._failures = kept, 0
            if decision.queued_from is not None:
                self._queued.add(view.number)
            match.play(decision, "ok", "", took)

    def _fail(self, match: EnvMatch, answer: Answer, before: tuple[Any, ...]) -> None:
        self._stream = resumed(before)
        self._failures += 1
        lost = self._failures >= FAILURES_BEFORE_FALLBACK
        status: Status = "forfeit" if lost else answer.status
        match.play(answer.decision, status, answer.reason, answer.latency_s)
        if lost:
            warnings.warn(f"{self.info.name} has forfeited a game: {answer.reason}", stacklevel=5)

    def _view(self, match: EnvMatch) -> View:
        game, config, bot = match.game, self._config, self._bot
        return View(
            seat=bot, rules=config.rules, game=game.number, round=game.round, turn=game.turn,
            number=game.play_number, acting_order=game.order, arena=game.arena, initial=match.initial,
            prompts=known_prompts(config.prompts, bot, config.style), system_header=self._header,
            history=tuple(known_turn(turn, bot, config.style) for turn in match.turns), style=config.style,
            gamepad=config.gamepad, rng=self._stream, stream=self._name, live=Live(self._seat.deadline_s),
        )  # fmt: skip

    def end_game(self, match: EnvMatch) -> None:
        """Tell it how the game has ended."""
        result = match.game.result
        tell = getattr(self._seat.brain, "end_game", None)
        if result is not None and callable(tell):
            told = {"game": match.game.number, "bot": self._bot, "winner": result.winner, "reason": result.reason}
            decision_of(lambda: tell(told), self._seat.spec.short)

    def close(self) -> None:
        """End it."""
        self._seat.close()


def _kept(stream: Random) -> Random | None:
    if type(stream) is Random and vars(stream).keys() == {"gauss_next"}:
        return stream
    state = state_of(stream)
    return None if state is None else resumed(state)


Acts = Callable[[NDArray[np.float32], NDArray[np.int8]], Any]
"""Gets observations and masks, a row a game, and returns an action for each."""


class Rival:
    """An opponent that is asked as an agent is, such as a frozen copy of one: `act(observations, masks)`.

    Both have a row a game, and it returns an action for each; all games of a vector are asked for at once. Another
    `act` may be put in its place at any time. What it raises is not caught.
    """

    info = SeatInfo("rival", "env")

    def __init__(self, act: Acts) -> None:
        self.act = act

    def play(self, matches: Sequence[SingleMatch]) -> None:
        """Make a play in each of these games; raise UsageError if `act` does not return as many actions."""
        seat = 1 - matches[0].seat
        seen, masks = (
            np.stack([each.observe(seat) for each in matches]),
            np.stack([each.mask(seat) for each in matches]),
        )
        actions = np.asarray(self.act(seen, masks)).reshape(-1)
        if len(actions) != len(matches):
            raise UsageError(
                f"a rival's act must return an action for each of {len(matches)} games, not {len(actions)}"
            )
        for match, action in zip(matches, actions, strict=True):
            match.act(action)


# -- Gymnasium's API

Step = tuple[Observation, float, bool, bool, dict[str, Any]]


def make_single(
    opponent: Given | Rival = "scripted:random",
    *,
    seat: SeatName = "left",
    plugins_dir: str | Path | None = None,
    trust: str | Iterable[str] = (),
    **choices: Any,
) -> SingleEnv:
    """Return an environment of one agent at `seat` against a brain.

    `opponent` is a brain as on the command line, a bot with `@bot`, an object with `decide(view)` or a `Rival`;
    `choices` are those of `raw_env`. Raise UsageError if something is wrong, BrainError if the opponent cannot get
    ready.
    """
    chosen = setup(**choices)
    return SingleEnv(chosen, seat_index(seat), opponents(opponent, seat, chosen, plugins_dir, trust)())


def seat_index(seat: str) -> int:
    """Return the index of a seat; raise UsageError if there is no such seat."""
    if seat not in SEATS:
        raise UsageError(f"seat must be 'left' or 'right', not {quoted(seat)}")
    return SEATS.index(seat)


def opponents(
    given: Given | Rival, seat: str, chosen: Setup, plugins_dir: str | Path | None, trust: str | Iterable[str]
) -> Callable[[], Opponent | Rival]:
    """Return what makes opponents for the seat opposite; of a rival there is one."""
    bot = 1 - seat_index(seat)
    return (
        (lambda: given) if isinstance(given, Rival) else Opponents(given, bot, chosen.config, plugins_dir, trust).make
    )


class SingleMatch(EnvMatch):
    """Games of an agent against an opponent: after `begin` and `decide` the opponent has to be let answer."""

    def __init__(self, chosen: Setup, seat: int, opponent: Opponent | Rival) -> None:
        seats = (LEARNER, opponent.info) if seat == 0 else (opponent.info, LEARNER)
        super().__init__(chosen, seats, keeps_history=isinstance(opponent, Opponent))
        self.seat, self.opponent = seat, opponent

    def begin(self, seed: Any = None) -> None:
        """Begin a game."""
        self.reset(seed)
        if isinstance(self.opponent, Opponent):
            self.opponent.begin_game(self)

    def decide(self, action: SupportsInt) -> float:
        """Play an action; return what the agent is given for it."""
        before = self.under_way().arena
        self.act(action)
        return self.rewards(before)[self.seat]

    @property
    def waits(self) -> bool:
        """Whether it is the opponent's turn."""
        return self.game.actor != self.seat and not (self.over or self.cut_off)

    def close(self) -> None:
        """End the session, the window and the opponent."""
        super().close()
        if isinstance(self.opponent, Opponent):
            self.opponent.close()


def answered(matches: Sequence[SingleMatch]) -> list[float]:
    """Let the opponents play until each game is over or the agent's turn; return what the agents are given for it."""
    given = [0.0] * len(matches)
    while waiting := [index for index, match in enumerate(matches) if match.waits]:
        before = [matches[index].game.arena for index in waiting]
        asked = [matches[index] for index in waiting]
        if isinstance(asked[0].opponent, Rival):
            asked[0].opponent.play(asked)
        for index, arena, match in zip(waiting, before, asked, strict=True):
            if isinstance(match.opponent, Opponent):
                match.opponent.play(match)
            given[index] += match.rewards(arena)[match.seat]
    for match in matches:
        if match.over and isinstance(match.opponent, Opponent):
            match.opponent.end_game(match)
    return given


class SingleEnv(gymnasium.Env[Observation, SupportsInt]):
    """A match of one agent against a brain, in Gymnasium's API; a step is the agent's play and the answer to it."""

    metadata = METADATA

    def __init__(self, chosen: Setup, seat: int, opponent: Opponent | Rival) -> None:
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
        super().reset(seed=None if seed is None else abs(seed_of(seed)))
        self._match.begin(seed)
        answered([self._match])
        self._show()
        return self._match.observe(self._match.seat), self._info()

    def step(self, action: SupportsInt) -> Step:
        """Play an action and the opponent's answer; `info` has the `action_mask`, and at the end the `result`.

        Raise UsageError if there is no such action; one that the rules refuse does nothing.
        """
        match = self._match
        reward = match.decide(action) + answered([match])[0]
        self._show()
        return match.observe(match.seat), reward, match.over, match.cut_off, self._info()

    def action_masks(self) -> NDArray[np.int8]:
        """Return which actions would do something now, 1 or 0 each, as masked learners ask for it."""
        return self._match.mask(self._match.seat)

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


gymnasium.register("BatLLM/Duel-v0", "batllm_arcade.env:make_single")


# -- Gymnasium's vector API

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def vector_env(
    n: int, opponent: Given | Rival = "scripted:random", *, seat: SeatName = "left",
    plugins_dir: str | Path | None = None, trust: str | Iterable[str] = (), **choices: Any,
) -> ArcadeVectorEnv:  # fmt: skip
    """Return n games that are stepped at once, each as `make_single` makes it.

    Game i begins with the seed given plus i. One that is over begins anew with the step after (`NEXT_STEP`), whose
    action for it is not played. Raise UsageError if something is wrong; nothing is drawn.
    """
    whole_number("n", n, 1)
    if choices.get("render_mode") is not None:
        raise UsageError("a vector of games is not drawn; leave render_mode out, or use make_single")
    chosen = setup(**choices)
    make, bot = opponents(opponent, seat, chosen, plugins_dir, trust), seat_index(seat)
    return ArcadeVectorEnv([SingleMatch(chosen, bot, make()) for _ in range(n)], chosen.seed)


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
        answered(self._matches)
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
        given = answered(self._matches)
        for index, match in enumerate(self._matches):
            rewards[index] += 0.0 if self._ended[index] else given[index]
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
