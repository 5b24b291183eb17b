"""Fit the chances to simulated games, or check them on fresh ones.

    python training/analysis/fit.py fit GAMES...     writes assets/analysis/fits.json
    python training/analysis/fit.py check GAMES...   prints ten bins, their share of wins, and the Brier score

GAMES are files of simulate.py. A fit is a logistic regression by Newton's method, each game weighing the same; what it
weighs is in batllm_arcade/analysis/position.py.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

FITS = Path(__file__).parents[2] / "assets" / "analysis" / "fits.json"
RIDGE = 1e-3
"""How much large weights are held back."""
STEPS = 30


def games(paths: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the games in these files; of a line that was cut off nothing."""
    for path in paths:
        for line in Path(path).read_text("utf-8").splitlines():
            try:
                yield json.loads(line)
            except ValueError:
                continue


def rows(game: dict[str, Any]) -> tuple[Any, Any]:
    """Return a game's figures, and what became of the bot that played next."""
    figures = np.array([[1.0, *play[1:]] for play in game["plays"]])
    scores = np.array([game["score"] if play[0] == 0 else 1 - game["score"] for play in game["plays"]])
    return figures, scores


def fitted(found: list[dict[str, Any]]) -> list[float]:
    """Return the weights that fit these games best."""
    parts = [rows(game) for game in found if game["plays"]]
    x, y = np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])
    share = np.concatenate([np.full(len(part[1]), 1 / len(part[1])) for part in parts])
    weights = np.zeros(x.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (share * (y - chance)) - RIDGE * len(parts) * weights
        bend = (x.T * (share * chance * (1 - chance))) @ x + RIDGE * len(parts) * np.eye(len(weights))
        weights = weights + np.linalg.solve(bend, slope)
    return [round(float(each), 4) for each in weights]


def fit(paths: list[str]) -> None:
    """Write the weights of every configuration that was played."""
    found = defaultdict(list)
    for game in games(paths):
        found[game["config"]].append(game)
    weights = {name: fitted(played) for name, played in sorted(found.items())}
    about = {"games": {name: len(played) for name, played in sorted(found.items())}, "weights": weights}
    FITS.parent.mkdir(exist_ok=True)
    FITS.write_text(json.dumps(about, indent=1) + "\n", "utf-8")


def check(paths: list[str]) -> None:
    """Print how often left won where its chance was said to be so and so much, of all configurations together."""
    weights = json.loads(FITS.read_text("utf-8"))["weights"]
    bins: list[list[tuple[float, float, int]]] = [[] for _ in range(10)]
    for number, game in enumerate(games(paths)):
        figures, _ = rows(game)
        mover = 1 / (1 + np.exp(-figures @ np.array(weights[game["config"]])))
        for play, chance in zip(game["plays"], mover, strict=True):
            left = float(chance if play[0] == 0 else 1 - chance)
            bins[min(9, int(left * 10))].append((left, game["score"], number))
    print(table(bins))


def table(bins: list[list[tuple[float, float, int]]]) -> str:
    """Return the bins as a table: what was said, what came, how many games; each game weighs the same in a bin."""
    lines = ["said    came    off   games  positions"]
    for each in bins:
        by_game = defaultdict(list)
        for chance, score, number in each:
            by_game[number].append((chance, score))
        means = np.array([np.mean(pairs, axis=0) for pairs in by_game.values()] or [[np.nan, np.nan]])
        said, came = means.mean(axis=0)
        lines.append(f"{said:.3f}  {came:.3f}  {came - said:+.3f}  {len(by_game):5}  {len(each):6}")
    pairs = [pair for each in bins for pair in each]
    lines.append(f"Brier score {np.mean([(chance - score) ** 2 for chance, score, _ in pairs]):.3f}")
    return "\n".join(lines)


if __name__ == "__main__":
    {"fit": fit, "check": check}[sys.argv[1]](sys.argv[2:])
