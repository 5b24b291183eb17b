"""How an environment is set up, its rewards included."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.rules import Result
from batllm_arcade.env.agent import ACTIONS, ActionTable
from batllm_arcade.errors import MOST_WHOLE, UsageError, quoted, whole_number
from batllm_arcade.files.paths import check_output
from batllm_arcade.session.live_session import new_seed
from batllm_arcade.settings import config as configuration
from batllm_arcade.settings.config import Config

Reward = Callable[[int, Arena, Arena, Rules, "Result | None"], float]
"""Called after every play for each seat: (seat, before, after, rules, result); None while the game goes on."""


def by_result(seat: int, _before: Arena, _after: Arena, _rules: Rules, result: Result | None) -> float:
    """Return 1 for a game won, -1 for one lost, else 0."""
    if result is None or result.winner is None:
        return 0.0
    return 1.0 if result.winner == seat else -1.0


def by_damage(seat: int, before: Arena, after: Arena, rules: Rules, result: Result | None) -> float:
    """Return the same, and the share of the opponent's starting health that the play took, less the share it lost."""
    taken = (before.bot(1 - seat).health - after.bot(1 - seat).health) / rules.initial_health[1 - seat]
    lost = (before.bot(seat).health - after.bot(seat).health) / rules.initial_health[seat]
    return by_result(seat, before, after, rules, result) + taken - lost


REWARDS: dict[str, Reward] = {"result": by_result, "damage": by_damage}


def reward_of(given: str | Reward) -> Reward:
    """Return the function that rewards; raise UsageError if there is none of this name."""
    if isinstance(given, str) and given in REWARDS:
        return REWARDS[given]
    if isinstance(given, str) or not callable(given):
        raise UsageError(f"rewards must be {' or '.join(map(repr, REWARDS))} or a function, not {quoted(given)}")
    return given


RENDER_MODES = ("human", "rgb_array")
Orders = tuple[str | None, str | None]


@dataclass(frozen=True, slots=True)
class Setup:
    """The choices for one environment, checked."""

    config: Config
    seed: int
    actions: ActionTable
    reward: Reward
    render_mode: str | None
    max_cycles: int | None
    """Turns after which a game is cut off, None for none."""
    history: Path | None
    """The session file to write, None for none; a further session gets a number."""


def setup(
    *,
    config: str | Path = "default",
    seed: int | None = None,
    orders: Orders = (None, None),
    render_mode: str | None = None,
    rewards: str | Reward = "result",
    actions: Sequence[str] = ACTIONS,
    rounds: int | None = None,
    turns: int | None = None,
    max_cycles: int | None = None,
    history: str | Path | None = None,
) -> Setup:
    """Return the choices for an environment; raise UsageError if one is wrong.

    `config` is a shipped configuration or a YAML file, `seed` that of the first games (None: drawn), `orders` the
    players' texts, left first (None: the configuration's), `rewards` "result", "damage" or a function, `actions` the
    names of the actions, `rounds` and `turns` a game's length, `max_cycles` the turns after which it is cut off, and
    `history` the session file in which it is recorded.
    """
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise UsageError(
            f"render_mode must be {' or '.join(map(repr, RENDER_MODES))} or None, not {quoted(render_mode)}"
        )
    for name, number in (("rounds", rounds), ("turns", turns), ("max_cycles", max_cycles)):
        if number is not None:
            whole_number(name, number, 1)
    chosen = configuration.with_lengths(configuration.load(str(config)), rounds, turns)
    left, right = (
        usual if text is None else configuration.prompt_text(text)
        for usual, text in zip(chosen.prompts, _pair(orders), strict=True)
    )
    chosen = replace(chosen, prompts=(left, right))
    path = None if history is None else Path(history).absolute()
    if path is not None:
        check_output(path, force=True)
    return Setup(
        chosen, new_seed() if seed is None else seed_of(seed), ActionTable(actions, chosen.rules), reward_of(rewards),
        render_mode, max_cycles, path,
    )  # fmt: skip


def _pair(orders: Any) -> Orders:
    if not isinstance(orders, (tuple, list)) or len(orders) != 2 or not all(isinstance(o, str | None) for o in orders):
        raise UsageError(f"orders must be a pair, left first, such as ('attack', None), not {quoted(orders)}")
    return orders[0], orders[1]


def seed_of(seed: Any) -> int:
    """Return a seed as a plain number; raise UsageError if it is none of up to 18 digits."""
    try:
        number = int(seed)
    except (TypeError, ValueError):
        number = MOST_WHOLE + 1
    if abs(number) > MOST_WHOLE or number != seed:
        raise UsageError(f"seed must be a whole number of up to 18 digits, not {quoted(seed)}")
    return number
