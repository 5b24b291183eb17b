"""Trains a policy to play under the rules of `couch`: proximal policy optimisation against scripted opponents.

    python examples/training/train.py --minutes 6 --out my_policy

Writes the weights (`learned.npz`), the learning curve (`curve.csv`) and `learned.py`, which plays them, to the folder.
"""

from __future__ import annotations

import argparse
import csv
import shutil
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from network import Array, Network, probabilities

from batllm_arcade.env import vector_env

OPPONENTS = {"scripted:dancer": 24, "scripted:random": 8, "scripted:sharpshooter": 8, "scripted:turtle": 8}
"""Against whom it plays, and in how many games at once."""
STEPS, PASSES, BATCH = 64, 3, 768
"""Plays of every game between two lessons; how often each lesson is gone through, and in what portions."""
DISCOUNT, TRACE, CLIP, CURIOSITY = 0.985, 0.95, 0.2, 0.01

Plays = dict[str, Array]
Seen = tuple[Array, Array, Array]
"""What is seen in every game, the masks, and which games have just ended."""


class Games:
    """Games against all opponents, stepped together; counts who has won the last ones."""

    def __init__(self, seed: int, config: str) -> None:
        self.envs = [
            vector_env(n, name, config=config, seed=seed + 1000 * index, rewards="damage")
            for index, (name, n) in enumerate(OPPONENTS.items())
        ]
        self.ends = np.cumsum(list(OPPONENTS.values()))[:-1]
        self.results: list[deque[float]] = [deque(maxlen=200) for _ in OPPONENTS]
        self.games = 0

    def reset(self) -> tuple[Array, Array]:
        """Begin; return what is seen, and the masks."""
        return _joined([env.reset() for env in self.envs])

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array]:
        """Step all games; return what is seen, the masks, the rewards, and which games are over."""
        stepped = [env.step(each) for env, each in zip(self.envs, np.split(actions, self.ends), strict=True)]
        for kept, (seen, _, over, _, _) in zip(self.results, stepped, strict=True):
            self.games += int(over.sum())
            kept.extend(np.sign(seen[over, 4] - seen[over, 12]))  # my health, and the opponent's
        seen, masks = _joined([(each[0], each[4]) for each in stepped])
        return seen, masks, np.concatenate([each[1] for each in stepped]), np.concatenate([each[2] for each in stepped])

    def wins(self) -> list[float]:
        """Return the share of the last games that were won, against each opponent."""
        return [float(np.mean(np.array(kept) > 0)) if kept else 0.0 for kept in self.results]


def _joined(parts: Sequence[tuple[Array, dict[str, Array]]]) -> tuple[Array, Array]:
    return np.concatenate([seen for seen, _ in parts]), np.concatenate([info["action_mask"] for _, info in parts])


def lesson(network: Network, batch: dict[str, Array], rate: float) -> None:
    """Improve the network by plays: their actions' chances in proportion to how much better than expected they went."""
    seen, masks, action = batch["seen"], batch["masks"], batch["action"]
    logits, values, layers = network.forward(seen)
    chances, rows = probabilities(logits, masks), np.arange(len(seen))
    ratio = chances[rows, action] / batch["chance"]
    gain = batch["gain"]
    kept = np.where(gain > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)  # else the policy has moved far enough
    chosen = np.zeros_like(chances)
    chosen[rows, action] = 1
    d_logits = -(kept * ratio * gain)[:, None] * (chosen - chances)
    logs = np.log(chances + 1e-9)
    d_logits += CURIOSITY * chances * (logs - (chances * logs).sum(1, keepdims=True))
    d_values = values - batch["worth"]
    network.adjust(network.backward(seen, layers, d_logits / len(seen), d_values / len(seen)), rate)


def collected(network: Network, games: Games, at: Seen, rng: np.random.Generator) -> tuple[Plays, Seen]:
    """Play STEPS plays in every game; return them with what they were worth, and where the games stand then."""
    seen, masks, fresh = at
    rows: dict[str, list[Array]] = {name: [] for name in ("seen", "masks", "action", "chance", "value", "reward")}
    real, over_at = [], []
    for _ in range(STEPS):
        logits, values, _ = network.forward(seen)
        chances = probabilities(logits, masks)
        action = (chances.cumsum(1) > rng.random((len(seen), 1))).argmax(1)
        then, masks_then, reward, over = games.step(action)
        row = (seen, masks, action, chances[np.arange(len(seen)), action], values, reward)
        for name, each in zip(rows, row, strict=True):
            rows[name].append(each)
        real.append(~fresh)  # the step after an end begins a new game and plays nothing
        over_at.append(over)
        seen, masks, fresh = then, masks_then, over
    worth, gain, after = [], np.zeros(len(seen)), network.forward(seen)[1]
    for step in reversed(range(STEPS)):
        goes_on = ~over_at[step]
        surprise = rows["reward"][step] + DISCOUNT * after * goes_on - rows["value"][step]
        gain = surprise + DISCOUNT * TRACE * gain * goes_on
        after = rows["value"][step]
        worth.append(gain.copy())
        gain = gain * real[step]
    batch = {name: np.concatenate(each) for name, each in rows.items()}
    batch["gain"] = np.concatenate(worth[::-1])
    batch["worth"] = batch["gain"] + batch["value"]
    kept = np.concatenate(real)
    return {name: each[kept] for name, each in batch.items()}, (seen, masks, fresh)


def main() -> None:
    """Train and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=6.0)
    parser.add_argument("--out", type=Path, default=Path("my_policy"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--config", default="couch")
    parser.add_argument("--begin", type=Path, help="weights to begin with")
    parser.add_argument("--rate", type=float, default=7e-4)
    options = parser.parse_args()
    rng, games = np.random.default_rng(options.seed), Games(options.seed, options.config)
    seen, masks = games.reset()
    network = Network.read(options.begin) if options.begin else Network.new(seen.shape[1], masks.shape[1], rng)
    at, plays = (seen, masks, np.zeros(len(seen), bool)), 0
    options.out.mkdir(parents=True, exist_ok=True)
    for name in ("learned.py", ".batllm-bot"):  # the second lets it read its weights in a sandbox
        shutil.copy(Path(__file__).with_name(name), options.out)
    began, reported = time.monotonic(), -1
    with open(options.out / "curve.csv", "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["seconds", "plays", "games", *OPPONENTS])
        while (share := (time.monotonic() - began) / (60 * options.minutes)) < 1:
            batch, at = collected(network, games, at, rng)
            plays += len(batch["gain"])
            batch["gain"] = (batch["gain"] - batch["gain"].mean()) / (batch["gain"].std() + 1e-6)
            for _ in range(PASSES):
                order = rng.permutation(len(batch["gain"]))
                for first in range(0, len(order), BATCH):
                    portion = order[first : first + BATCH]
                    lesson(
                        network, {name: each[portion] for name, each in batch.items()}, options.rate * (1.02 - share)
                    )
            if (minute := int(6 * (time.monotonic() - began) / 60)) > reported:
                reported = minute
                row = [f"{time.monotonic() - began:.0f}", plays, games.games, *(f"{each:.3f}" for each in games.wins())]
                table.writerow(row)
                file.flush()
                print(*row, flush=True)
                network.write(options.out / "learned.npz")
    network.write(options.out / "learned.npz")


if __name__ == "__main__":
    main()
