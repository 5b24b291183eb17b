"""What a player's orders ask for: eleven styles, and how a small language model's guesses at a word become weights.

Pure arithmetic on fitted numbers; `models.orders_reader` asks the model, `training/orders` fits the numbers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from batllm_arcade.brains.wording import SAID, in_english

STYLES = ("attack", "charge", "retreat", "shield", "dodge", "camp", "snipe", "counter", "hold_fire", "idle", "mixed")
"""What orders may ask for; `brains.tactics` and `brains.styles` play them."""
CALLED = {
    "attack": "attacks", "charge": "closes in", "retreat": "gets away", "shield": "shield", "dodge": "dodges",
    "camp": "corner", "snipe": "from afar", "counter": "waits for an opening", "hold_fire": "holds fire",
    "idle": "does nothing", "mixed": "mixes",
}  # fmt: skip
"""What the window calls the styles."""
NO_ORDERS: Mapping[str, float] = {"attack": 0.7, "shield": 0.2, "dodge": 0.1}
"""How a bot without orders plays; nothing is read."""
MOST_WORDS = 40
"""Words of an order that are read: forty take a second and a half, ten a third of one."""
LONGEST = 1000
"""Bytes of an order that are read, for scripts that put no spaces between words."""
IN_DOUBT = 0.6
"""A reading whose top share is lower is right about half of the time."""
UNCLEAR = "unclear orders"
"""What a thought begins with where such a reading begins to count."""
PEACE = 0.6
"""The share that holding fire has where orders say so outright; the rest of them says what is done instead."""
FLOOR = 1e-12
"""The least probability a word is given."""
Weights = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Reading:
    """How orders were read: `weights` by style, shares of 1, all eleven; `note` is what a player should know, or "".

    `rules` are what the orders say outright, names of `SAID`; `then` is what they ask for afterwards, if anything.
    """

    weights: Weights
    note: str = ""
    tokens: Mapping[str, int] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    then: Reading | None = None

    @property
    def ranked(self) -> list[tuple[str, float]]:
        """The styles and their shares, the largest first."""
        return sorted(self.weights.items(), key=lambda item: -item[1])

    @property
    def in_doubt(self) -> bool:
        """Whether no style stands out enough to be relied on."""
        return self._undecided or (self.then is not None and self.then.in_doubt)

    @property
    def unclear(self) -> bool:
        """Whether what counts first is a guess: no style stands out, and nothing is said outright."""
        return self._undecided and not self._besides

    def shown(self, least: float = 0.05) -> str:
        """Return the styles with at least that share as plays record them, such as `camp 0.81 · hold_fire 0.12`."""
        said = [f"{rule} 1.00" for rule in self._besides]
        return " · ".join([*said, *(f"{style} {share:.2f}" for style, share in self._shown(least))])

    def summary(self, least: float = 0.05) -> str:
        """Return the styles with at least that share, such as `camp 81%, hold_fire 12%`; always the first one.

        What was said outright stands before it, what comes afterwards behind it: `no_fire; dodge 92%; then attack 99%`.
        """
        parts = [*self.rules, ", ".join(f"{style} {share:.0%}" for style, share in self._shown(least))]
        return "; ".join([*parts, *([f"then {self.then.summary(least)}"] if self.then is not None else [])])

    def in_words(self) -> str:
        """Return what was said outright and the two likeliest styles, as the window calls them.

        Such as `corner 81%, holds fire 12%`, or `stands still, attacks 98%`.
        """
        parts = [SAID[rule] for rule in self._besides]
        parts += [f"{CALLED[style]} {share:.0%}" for style, share in self._shown(0.05)[:2]]
        return "; then ".join([", ".join(parts), *([self.then.in_words()] if self.then is not None else [])])

    @property
    def _undecided(self) -> bool:
        return self.ranked[0][1] < IN_DOUBT

    @property
    def _besides(self) -> list[str]:
        """The rules that no style's share shows."""
        return [rule for rule in self.rules if rule != "no_fire"]

    def _shown(self, least: float) -> list[tuple[str, float]]:
        return [item for number, item in enumerate(self.ranked) if item[1] >= least or number == 0]


def bound(rules: Sequence[str], weights: Weights) -> dict[str, float]:
    """Return the share of each style under what orders say outright; `weights` are those of the rest of them."""
    held = dict(weights)
    if "no_shield" in rules and (left := 1.0 - held.get("shield", 0.0)) > 0.2:
        held = {style: 0.0 if style == "shield" else share / left for style, share in held.items()}
    if "no_retreat" in rules:
        held["charge"], held["retreat"] = held.get("charge", 0.0) + held.get("retreat", 0.0), 0.0
    if "open" in rules:  # who waits for an opening would never fire at a foe that has no shield up
        held["attack"], held["counter"] = held.get("attack", 0.0) + held.get("counter", 0.0), 0.0
    if "no_fire" in rules and held.get("idle", 0.0) < PEACE:
        held = {style: (1 - PEACE) * share + PEACE * (style == "hold_fire") for style, share in held.items()}
    return held


def outspoken(rules: Sequence[str]) -> dict[str, float]:
    """Return the share of each style for orders that say nothing besides their rules."""
    if "no_fire" in rules:
        return {style: float(style == ("idle" if "stand" in rules else "hold_fire")) for style in STYLES}
    return {style: float(style == ("charge" if "no_retreat" in rules else "attack")) for style in STYLES}


class ReadsOrders(Protocol):
    """Reads orders as a brain does: `prepare` once, then `read_orders` from one thread; `close` at any time.

    They raise BrainError if something is missing or failed, Cancelled after `close`.
    """

    def prepare(self, report: Callable[[str], None]) -> None:
        """Do what takes time; `report` shows a line of progress."""

    def read_orders(self, orders: str) -> Reading:
        """Return how orders are read."""
        ...

    def close(self) -> None:
        """Release what `prepare` took."""


GOES_ON = re.compile(
    r"(?:[.,;:!?]|\b(?:the|an?|and|or|but|so|to|of|in|at|on|by|from|with|if|when|while|until|his|its|your|only|not))$",
    re.I,
)
"""How a line ends whose clause ends there by itself, or goes on in the next one."""


def normalised(orders: str) -> str:
    """Return the orders as they are read: one line in small letters, at most forty words, no full stop at the end.

    A line is a clause of its own, unless it ends within one. Other languages are read word by word in English.
    """
    words = _in_one_line(orders).lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split()[:MOST_WORDS]
    return in_english(" ".join(words).strip(" .!")).encode()[:LONGEST].decode("utf-8", "ignore").strip()


def _in_one_line(orders: str) -> str:
    lines = [line.strip() for line in orders.splitlines() if line.strip()]
    return " ".join(line if GOES_ON.search(line) else f"{line}," for line in lines).strip(",")


@dataclass(frozen=True, slots=True)
class Question:
    """A prompt that a language model completes with one word; `header` is the same for all orders."""

    header: str
    tail: str

    def about(self, orders: str) -> str:
        """Return the whole prompt for orders that are `normalised`: one line, which cannot pass for an example."""
        return self.header + self.tail.format(orders)


@dataclass(frozen=True, slots=True)
class FittedReader:
    """A linear layer over the log-probabilities of fixed words, for the one model file with this SHA-256.

    `weights` has a row for each style, one number for each word of each question in turn; `heat` is the temperature
    of the softmax over the scores.
    """

    sha256: str
    size: int
    words: tuple[str, ...]
    questions: tuple[Question, ...]
    heat: float
    bias: tuple[float, ...]
    weights: tuple[tuple[float, ...], ...]

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> FittedReader:
        """Return the reader that `training/orders/fit.py` wrote; raise KeyError, TypeError or ValueError if damaged."""
        weights = tuple(tuple(map(float, row)) for row in data["weights"])
        questions = tuple(Question(each["header"], each["tail"]) for each in data["questions"])
        width = len(data["words"]) * len(questions)
        if tuple(data["styles"]) != STYLES or len(weights) != len(STYLES) or {len(row) for row in weights} != {width}:
            raise ValueError("the fitted numbers do not match the styles and words")
        bias = tuple(map(float, data["bias"]))
        return cls(
            data["sha256"], int(data["size"]), tuple(data["words"]), questions, float(data["heat"]), bias, weights
        )

    def features(self, probabilities: Sequence[Weights]) -> list[float]:
        """Return the log-probability of each word for each question; a token is a word with a space before it."""
        return [math.log(max(each.get(f" {word}", 0.0), FLOOR)) for each in probabilities for word in self.words]

    def read(self, features: Sequence[float]) -> dict[str, float]:
        """Return the share of each style for the features of some orders."""
        scores = [
            (start + sum(weight * value for weight, value in zip(row, features, strict=True))) / self.heat
            for start, row in zip(self.bias, self.weights, strict=True)
        ]
        return shares({style: math.exp(score - max(scores)) for style, score in zip(STYLES, scores, strict=True)})


# ------------------------------------------------------------------------------ a model nothing was fitted for

EXAMPLES = (
    ("use your gun", "shoot"),
    ("move towards him", "charge"),
    ("go there, to that side, and remain", "corner"),
    ("fear the enemy, go away", "retreat"),
    ("stay behind cover", "shield"),
    ("don't get hit, keep moving", "evade"),
    ("shoot him from over there", "distance"),
    ("act when he makes a mistake", "wait"),
    ("put the weapon down", "peace"),
    ("no action please", "nothing"),
    ("always something new", "random"),
)
"""One line for each style; a word from each is what the model may answer."""
_TAIL = "Orders: {} Tactic:"
FEW_SHOT = Question("".join(f"{_TAIL.format(orders)} {word}\n" for orders, word in EXAMPLES), _TAIL)
PLAIN = Question(
    "In a shooting game, a player gives orders to his robot in plain words.\n", 'The order "{}" means in one word:'
)
STYLE_WORDS: Mapping[str, tuple[str, ...]] = {
    "attack": ("shoot", "attack", "fire", "kill"),
    "charge": ("charge", "advance", "chase", "rush"),
    "retreat": ("retreat", "flee", "escape", "run"),
    "shield": ("shield", "hide", "defend", "block"),
    "dodge": ("evade", "circle", "dance", "move"),
    "camp": ("corner", "wall", "camp", "position"),
    "snipe": ("distance", "far", "long", "aim"),
    "counter": ("wait", "patience", "counter", "opening"),
    "hold_fire": ("peace", "mercy", "hold", "refuse"),
    "idle": ("nothing", "still", "rest", "sleep"),
    "mixed": ("random", "change", "anything", "surprise"),
}
"""The words that stand for each style where nothing is fitted; several even out a small model's whims."""
NEUTRAL = ("n/a", "something", "play", "do it", "...")
"""Orders without content: what a model makes of them is its habit, and is divided out."""
UNFITTED = (
    "read by eleven examples alone, about half of all orders rightly: the fitted reader is for another model file"
)
"""What is said of a reading by a model that nothing was fitted for."""


def unfitted_weights(probabilities: Weights, habits: Weights) -> dict[str, float]:
    """Return the share of each style by its own words, each divided by its probability where orders say nothing."""
    return shares(
        {
            style: sum(probabilities.get(f" {word}", 0.0) / max(habits.get(f" {word}", 0.0), 1e-9) for word in words)
            / len(words)
            + FLOOR
            for style, words in STYLE_WORDS.items()
        }
    )


def shares(weights: Weights) -> dict[str, float]:
    """Return the weights divided by their sum."""
    total = sum(weights.values())
    return {name: weight / total for name, weight in weights.items()}
