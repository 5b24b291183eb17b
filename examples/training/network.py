"""A policy of two layers in numpy: forward, backward and Adam; nothing else is needed to train one this small."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

HIDDEN = 96
NAMES = ("w1", "b1", "w2", "b2", "wp", "bp", "wv", "bv")


class Network:
    """Observations to the logits of actions and to a value: two layers of tanh, one head each."""

    def __init__(self, parameters: dict[str, Array]) -> None:
        self.parameters = parameters
        self._step = 0
        self._mean: dict[str, Array] = {}
        self._square: dict[str, Array] = {}

    @classmethod
    def new(cls, inputs: int, actions: int, rng: np.random.Generator) -> Network:
        """Return a network that knows nothing."""

        def weights(rows: int, columns: int, gain: float) -> Array:
            drawn: Array = rng.standard_normal((rows, columns)) * gain / np.sqrt(rows)
            return drawn.astype(np.float32)

        made = (
            weights(inputs, HIDDEN, 1.4), np.zeros(HIDDEN, np.float32), weights(HIDDEN, HIDDEN, 1.4),
            np.zeros(HIDDEN, np.float32), weights(HIDDEN, actions, 0.01), np.zeros(actions, np.float32),
            weights(HIDDEN, 1, 1.0), np.zeros(1, np.float32),
        )  # fmt: skip
        return cls(dict(zip(NAMES, made, strict=True)))

    @classmethod
    def read(cls, path: Path) -> Network:
        """Return the network of a file that `write` has made."""
        with np.load(path) as saved:
            return cls({name: saved[name].astype(np.float32) for name in NAMES})

    def write(self, path: Path) -> None:
        """Write it, rounded to 16 bits."""
        small: dict[str, Any] = {name: each.astype(np.float16) for name, each in self.parameters.items()}
        np.savez_compressed(path, **small)

    def forward(self, seen: Array) -> tuple[Array, Array, tuple[Array, Array]]:
        """Return logits (n, actions) and values (n,) of observations (n, inputs), and both layers for `backward`."""
        p = self.parameters
        first = np.tanh(seen @ p["w1"] + p["b1"])
        second = np.tanh(first @ p["w2"] + p["b2"])
        return second @ p["wp"] + p["bp"], (second @ p["wv"] + p["bv"])[:, 0], (first, second)

    def backward(self, seen: Array, layers: tuple[Array, Array], d_logits: Array, d_values: Array) -> dict[str, Array]:
        """Return the gradients of the parameters, of those of logits and values."""
        p, (first, second), d_values = self.parameters, layers, d_values[:, None]
        d_second = (d_logits @ p["wp"].T + d_values @ p["wv"].T) * (1 - second**2)
        d_first = (d_second @ p["w2"].T) * (1 - first**2)
        return {
            "w1": seen.T @ d_first, "b1": d_first.sum(0), "w2": first.T @ d_second, "b2": d_second.sum(0),
            "wp": second.T @ d_logits, "bp": d_logits.sum(0), "wv": second.T @ d_values, "bv": d_values.sum(0),
        }  # fmt: skip

    def adjust(self, gradients: dict[str, Array], rate: float, most: float = 0.5) -> None:
        """Take a step of Adam against the gradients, whose common length is cut to `most`."""
        length = np.sqrt(sum(float((each**2).sum()) for each in gradients.values()))
        self._step += 1
        for name, gradient in gradients.items():
            gradient = gradient * min(1.0, most / (length + 1e-8))
            mean = self._mean[name] = 0.9 * self._mean.get(name, 0.0) + 0.1 * gradient
            square = self._square[name] = 0.999 * self._square.get(name, 0.0) + 0.001 * gradient**2
            corrected = mean / (1 - 0.9**self._step) / (np.sqrt(square / (1 - 0.999**self._step)) + 1e-5)
            self.parameters[name] -= (rate * corrected).astype(np.float32)


def probabilities(logits: Array, masks: Array) -> Array:
    """Return the chances of actions (n, actions), 0 where the mask is 0."""
    logits = np.where(masks > 0, logits, -1e9)
    weights: Array = np.exp(logits - logits.max(1, keepdims=True))
    weights /= weights.sum(1, keepdims=True)
    return weights
