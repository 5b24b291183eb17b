"""A policy that `train.py` has made: play it with `policy:examples/training/learned.py`.

Its weights are in the file of the same name beside it, `learned.npz`.
"""

from pathlib import Path

import numpy as np

from batllm_arcade.env import ACTIONS


def load(folder):
    """Return the weights; called once, with the folder of this file."""
    with np.load(folder / f"{Path(__file__).stem}.npz") as saved:
        return {name: saved[name].astype(np.float32) for name in saved.files}


def act(weights, observation, action_mask, rng):
    """Return the number of the likeliest action that the rules would not refuse, and the first three as its thought."""
    first = np.tanh(observation @ weights["w1"] + weights["b1"])
    second = np.tanh(first @ weights["w2"] + weights["b2"])
    logits = np.where(action_mask, second @ weights["wp"] + weights["bp"], -np.inf)
    chances = np.exp(logits - logits.max())
    chances /= chances.sum()
    best = [each for each in np.argsort(-chances, kind="stable")[:3] if chances[each] >= 0.005]
    return int(best[0]), ", ".join(f"{ACTIONS[each] or 'nothing'} {chances[each]:.0%}" for each in best)
