"""Fit the chances to simulated games, or check them on fresh ones.

    python training/analysis/fit.py fit GAMES...     writes assets/analysis/fits.json
    python training/analysis/fit.py check GAMES...   prints ten bins, their share of wins, and the Brier score

GAMES are files of simulate.py. A fit is a logistic regression by Newton's method, each position weighing the same, and
a second one that bends its curve; what they weigh is in batllm_arcade/analysis/game.py.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from batllm_arcade.analysis.game import KNOTS
from batllm_arcade.history import schema
from batllm_arcade.settings import config

FITS = Path(__file__).parents[2] / "assets" / "analysis" / "fits.json"
RIDGE = 1e-4
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


def regression(x: Any, y: Any) -> Any:
    """Return the weights of a logistic regression, by Newton's method."""
    weights = np.zeros(x.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        slope = x.T @ (y - chance) - RIDGE * len(y) * weights
        bend = (x.T * (chance * (1 - chance))) @ x + RIDGE * len(y) * np.eye(len(weights))
        weights = weights + np.linalg.solve(bend, slope)
    return weights


def bends_of(odds: Any) -> Any:
    """Return the figures of `position.bent` for many log odds."""
    return np.column_stack([np.ones_like(odds), odds, *(np.clip(odds, -knot, knot) for knot in KNOTS)])


def fitted(found: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the fit to these games; raise ValueError if its chances do not grow with the odds."""
    parts = [rows(game) for game in found if game["plays"]]
    x, y = np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])
    weights = np.round(regression(x, y), 4)
    bends = np.round(regression(bends_of(x @ weights), y), 4)
    if min(np.cumsum([bends[1], *bends[:1:-1]])) <= 0:
        raise ValueError("the curve falls: more games are needed, or fewer knots")
    return {"games": len(parts), "weights": weights.tolist(), "bends": bends.tolist()}


def fit(paths: list[str]) -> None:
    """Write the weights of every configuration that was played."""
    found = defaultdict(list)
    for game in games(paths):
        found[game["config"]].append(game)
    fits = {
        name: {"rules": schema.rules(config.load(name).rules), **fitted(played)}
        for name, played in sorted(found.items())
    }
    FITS.parent.mkdir(exist_ok=True)
    FITS.write_text(json.dumps(fits, indent=1) + "\n", "utf-8")


def check(paths: list[str]) -> None:
    """Print how often left won where its chance was said to be so and so much, of all configurations together."""
    fits = json.loads(FITS.read_text("utf-8"))
    bins: list[list[tuple[float, float, int]]] = [[] for _ in range(10)]
    for number, game in enumerate(games(paths)):
        figures, _ = rows(game)
        weights, bends = (np.array(fits[game["config"]][part]) for part in ("weights", "bends"))
        mover = 1 / (1 + np.exp(-bends_of(figures @ weights) @ bends))
        for play, chance in zip(game["plays"], mover, strict=True):
            left = float(chance if play[0] == 0 else 1 - chance)
            bins[min(9, int(left * 10))].append((left, game["score"], number))
    print(table(bins))


def table(bins: list[list[tuple[float, float, int]]]) -> str:
    """Return the bins as a table: what was said, what came, of how many positions of how many games."""
    lines = ["said    came    off   games  positions"]
    for each in bins:
        if each:
            said, came = np.mean([(chance, score) for chance, score, _ in each], axis=0)
            played = len({number for _, _, number in each})
            lines.append(f"{said:.3f}  {came:.3f}  {came - said:+.3f}  {played:5}  {len(each):6}")
    pairs = [pair for each in bins for pair in each]
    lines.append(f"Brier score {np.mean([(chance - score) ** 2 for chance, score, _ in pairs]):.3f}")
    return "\n".join(lines)


if __name__ == "__main__":
    {"fit": fit, "check": check}[sys.argv[1]](sys.argv[2:])
