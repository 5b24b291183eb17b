"""Plays games through the training environment, beside the bare rules: what each layer around them costs.

    python benchmarks/environment.py [--plays 20000] [--pairs 7] [--config default couch arena]

The same commands, drawn at random, are played by `rules.step` with parsing, by `raw_env` (step and observe), by `env`
with PettingZoo's wrappers, by both agents at once, and in games against scripted:random, one and several at once, a
trained policy, and a copy that costs nothing.
Prints a Markdown row each: medians of plays a second by the processor's time, and the median of the pairs' shares of
the bare rules. A step against a brain is two plays: the agent's and the answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median

import numpy as np
from common import BenchmarkParser, progress

from batllm_arcade.core.rules import read_command, start, step
from batllm_arcade.core.streams import game_stream
from batllm_arcade.env import ACTIONS, COMMANDS, Rival, env, make_single, parallel_env, raw_env, vector_env
from batllm_arcade.settings import config as configuration

Run = Callable[[], int]
SINGLE, MANY = 1, 64
POLICY = f"policy:{Path(__file__).parent.parent / 'examples' / 'training' / 'learned.py'},isolation=none"
COPY = Rival(lambda _seen, masks: masks.argmax(axis=1))
"""A frozen copy whose network costs nothing."""


def actions(count: int) -> list[int]:
    """Return actions as an agent that knows nothing draws them, commands mostly."""
    stream = Random(1)
    return [stream.randrange(len(COMMANDS)) for _ in range(count)]


def bare(config: str, chosen: list[int]) -> Run:
    """Return what plays these commands by the rules alone, game after game."""
    rules = configuration.load(config).rules
    tokens = [ACTIONS[each].replace("back", f"M-{rules.back_step}") or None for each in chosen]
    most = 2 * rules.turns_per_round * rules.total_rounds

    def run() -> int:
        arena, played, number = start(game_stream(1, 1), rules), 0, 1
        for index, token in enumerate(tokens):
            arena, _ = step(arena, index & 1, read_command(token, rules), rules)
            played += 1
            if played == most or not arena.left.health or not arena.right.health:
                number += 1
                arena, played = start(game_stream(1, number), rules), 0
        return len(tokens)

    return run


def alternating(environment: object, chosen: list[int]) -> Run:
    """Return what plays these actions agent by agent, each seeing the game before."""
    games: object = environment

    def run() -> int:
        games.reset(seed=1)  # type: ignore[attr-defined]
        for action in chosen:
            _, _, ended, _, _ = games.last()  # type: ignore[attr-defined]
            if ended:
                games.reset()  # type: ignore[attr-defined]
                games.last()  # type: ignore[attr-defined]
            games.step(action)  # type: ignore[attr-defined]
        return len(chosen)

    return run


def at_once(environment: object, chosen: list[int]) -> Run:
    """Return what plays these actions two by two."""
    games: object = environment

    def run() -> int:
        games.reset(seed=1)  # type: ignore[attr-defined]
        for index in range(0, len(chosen) - 1, 2):
            given = {"player_0": chosen[index], "player_1": chosen[index + 1]}
            if not any(games.step(given)[2].values()):  # type: ignore[attr-defined]
                continue
            games.reset()  # type: ignore[attr-defined]
        return len(chosen)

    return run


def against_a_brain(environment: object, chosen: list[int], n: int) -> Run:
    """Return what plays these actions in n games at once, each answered."""
    games: object = environment
    rows = np.resize(np.array(chosen), (len(chosen) // (2 * n), n))

    def run() -> int:
        games.reset(seed=1)  # type: ignore[attr-defined]
        for row in rows:
            ended = games.step(row if n > 1 else row[0])[2]  # type: ignore[attr-defined]
            if n == 1 and ended:
                games.reset()  # type: ignore[attr-defined]
        return 2 * rows.size

    return run


def speed(run: Run) -> float:
    """Return plays a second by the processor's time."""
    began = time.process_time()
    plays = run()
    return plays / (time.process_time() - began)


def rows_of(config: str, chosen: list[int]) -> dict[str, Run]:
    """Return what is measured, by name."""
    return {
        "`raw_env`, step and observe": alternating(raw_env(config=config), chosen),
        "`env`, with its wrappers": alternating(env(config=config), chosen),
        "`parallel_env`": at_once(parallel_env(config=config), chosen),
        "`make_single`": against_a_brain(make_single(config=config), chosen, SINGLE),
        "`make_single`, against a policy inside": against_a_brain(make_single(POLICY, config=config), chosen, SINGLE),
        f"`vector_env({MANY})`": against_a_brain(vector_env(MANY, config=config), chosen, MANY),
        f"`vector_env({MANY})`, against a copy": against_a_brain(vector_env(MANY, COPY, config=config), chosen, MANY),
    }


def main() -> None:
    """Play in turn and print."""
    parser = BenchmarkParser(__doc__, plays=400, pairs=1)
    parser.add_argument("--plays", type=int, default=20_000)
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--config", nargs="+", default=["default", "couch", "arena"])
    options = parser.parse()
    chosen = actions(options.plays)
    print("| rules | what | plays/s | share of the bare rules |")
    print("| --- | --- | ---: | ---: |")
    for config in options.config:
        plain = bare(config, chosen)
        first = median(speed(plain) for _ in range(3))
        print(f"| `{config}` | parsing and `rules.step` | {first:,.0f} | 1 |")
        for name, run in rows_of(config, chosen).items():
            progress(f"{config}: {name}")
            speed(run)
            pairs = [(speed(plain), speed(run)) for _ in range(options.pairs)]
            share = median(own / whole for whole, own in pairs)
            print(f"| `{config}` | {name} | {median(own for _, own in pairs):,.0f} | {share:.3f} |")


if __name__ == "__main__":
    main()
