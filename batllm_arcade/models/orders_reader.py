"""Reads a player's orders with a language model in a process of its own: two questions, one word each, then arithmetic.

The fitted numbers are an asset that belongs to one model file; with any other the model's own words count,
and every reading says so.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar

from batllm_arcade.brains.cases import split
from batllm_arcade.brains.live import Live
from batllm_arcade.brains.orders import (
    AFAR,
    FEW_SHOT,
    MOVES,
    NEUTRAL,
    NO_ORDERS,
    PLACE,
    PRESS,
    SPIN,
    STYLE_WORDS,
    STYLES,
    UNFITTED,
    UNREAD,
    FittedReader,
    Question,
    Reading,
    bound,
    normalised,
    outright,
    outspoken,
    stages,
    strange,
    unfitted_weights,
    unread,
    without,
)
from batllm_arcade.brains.protocol import BrainError
from batllm_arcade.brains.styles import BINDS, place_words
from batllm_arcade.models.llama import ModelProcess

SETTINGS = {"n_ctx": 2 * 1536, "kv_unified": False}
"""Settings of a `ModelProcess` that reads orders: a slot for each question, with room for the longest order."""
BOOST = 60.0
"""Added to the logit of each word that counts, so that no other word has any weight."""
SURE = 0.85
"""Share of a style from which a clause without a known word counts as read."""
KEPT = 500
"""Readings that are remembered; who types a long order makes one every few letters."""
_UNORDERED = {style: NO_ORDERS.get(style, 0.0) for style in STYLES}
"""The share of each style where nothing is ordered."""


class OrdersReader:
    """Reads orders with a model's process, which its other readers share with all they have read; thread-safe.

    `prepare` before the first `read` keeps that one short; both may raise BrainError,
    and Cancelled once the process was released.
    """

    SETTINGS: ClassVar[Mapping[str, Any]] = SETTINGS

    def __init__(self, engine: ModelProcess) -> None:
        self._engine, self._path = engine, engine.path
        self._fit: FittedReader | None = None
        self._chosen = False

    @property
    def fitted(self) -> bool:
        """Whether the fitted numbers belong to this model file; False before `prepare`."""
        return self._fit is not None

    def prepare(self, report: Callable[[str], None]) -> None:
        """Load the model, choose how to read, and let it read the questions; `report` shows what takes time."""
        self._engine.start()
        report("the model is warming up")
        with self._engine.exclusive:
            self._choose()
            known = bool(self._engine.readings)  # who has read orders before knows the questions
            for slot, question in enumerate(self._fit.questions if self._fit and not known else ()):
                self._engine.complete(slot, question.header, question.header, {"n_predict": 0}, None)
        if self._fit is None:
            report(f"{self._path.stem}: orders are {UNFITTED}")

    def read(self, orders: str, live: Live | None = None) -> Reading:
        """Return how orders are read: from memory where they were read before, `NO_ORDERS` where there are none."""
        text = normalised(orders)
        if not text:
            return Reading(_UNORDERED)
        known = self._engine.readings
        reading = known.get(text)
        if reading is None:
            # One order at a time: what another asked in between would change the last digits.
            with self._engine.exclusive:
                self._choose()
                reading = known.get(text)
                if reading is None:
                    reading = self._in_turn(text, live)
                known[text] = reading
                if len(known) > KEPT:
                    del known[next(iter(known))]
        return reading

    def _choose(self) -> None:
        if not self._chosen:
            self._fit = fit_for(self._path)
            self._chosen = True

    def _in_turn(self, text: str, live: Live | None) -> Reading:
        usual, cases = split(text)
        whole = self._ask(text, live) if self._fit is not None else None

        def read(part: str) -> Reading:
            guessed = self._guessed(part, live)
            rules, rest = outright(asked := without(part, guessed))
            reading = whole if whole is not None and not rules and rest == text else self._under_rules(asked, live)
            manner = whole.manner if whole is not None else None
            place = place_words(part) if reading.weights["camp"] >= BINDS else ""
            return replace(reading, manner=manner, place=place, unread=(*unread(part), *guessed))

        # The later of what is asked for in turn comes afterwards.
        first, *later = map(read, stages(usual or text))
        if not usual:  # what counts in a case only
            first = replace(first, weights=_UNORDERED, rules=(), place="", unread=())
        first = replace(first, cases=tuple((condition, read(deed)) for condition, deed in cases))
        return replace(first, then=later[0]) if later else first

    def _under_rules(self, text: str, live: Live | None) -> Reading:
        rules, rest = outright(text)
        rules = tuple(rule for rule in rules if rule not in (SPIN, UNREAD))
        if not rules:
            return self._ask(rest, live) if rest else Reading(_UNORDERED)
        if rules == ("stand",) and not rest and (reading := self._ask(text, live)).weights["idle"] >= BINDS:
            return reading
        asked = self._ask(rest, live) if rest else Reading(outspoken(rules))
        weights = bound(rules, asked.weights) if rest else asked.weights
        # Who camps goes to its place first, and then stands there anyway.
        settled = weights["camp"] >= BINDS and bool(place_words(text) or "corner" in text)
        afar = "unfaced" in rules and weights["snipe"] >= BINDS  # which goes round it, but not close
        dropped = {PLACE, PRESS, AFAR, MOVES, *["stand"] * settled, *["flank"] * afar}
        kept = tuple(rule for rule in rules if rule not in dropped)
        return replace(asked, weights=weights, rules=kept)

    def _guessed(self, text: str, live: Live | None) -> list[str]:
        """Return the clauses of strange words that the fitted model makes nothing of."""
        if self._fit is None:
            return []
        tops = [(clause, *self._ask(clause, live).ranked[0]) for clause in strange(text)]
        return [clause for clause, style, share in tops if style in ("mixed", "idle") or share < SURE]

    def _ask(self, text: str, live: Live | None) -> Reading:
        fit = self._fit
        if fit is None:
            habits = self._engine.notes or self._habits(live)
            weights, tokens = self._complete(0, FEW_SHOT, text, _WORDS, live)
            return Reading(unfitted_weights(weights, habits), UNFITTED, tokens)
        replies = [self._complete(slot, question, text, fit.words, live) for slot, question in enumerate(fit.questions)]
        counted: Counter[str] = Counter()
        for _, tokens in replies:
            counted.update(tokens)
        features = fit.features([weights for weights, _ in replies])
        return Reading(fit.read(features), tokens=dict(counted), manner=fit.manner(features))

    def _habits(self, live: Live | None) -> dict[str, float]:
        """Return each word's probability where orders say nothing; all readers of a model share it."""
        seen = [self._complete(0, FEW_SHOT, orders, _WORDS, live)[0] for orders in NEUTRAL]
        for style, words in STYLE_WORDS.items():
            if not any(f" {word}" in weights for word in words for weights in seen):
                raise BrainError(f"{self._path.stem} has no single token for {style!r}; use embedded:raw with it")
        for word in _WORDS:
            mean = sum(math.log(max(weights.get(f" {word}", 0.0), 1e-9)) for weights in seen) / len(seen)
            self._engine.notes[f" {word}"] = math.exp(mean)
        return self._engine.notes

    def _complete(
        self, slot: int, question: Question, text: str, words: Sequence[str], live: Live | None
    ) -> tuple[Mapping[str, float], Mapping[str, int]]:
        body: dict[str, Any] = {
            "n_predict": 1, "n_probs": len(words), "post_sampling_probs": True,
            "logit_bias": [[f" {word}", BOOST] for word in words],
            "samplers": ["temperature"], "temperature": 1.0, "seed": 1,
        }  # fmt: skip
        reply = self._engine.complete(slot, question.header, question.about(text), body, live)
        return reply.weights, reply.tokens


_WORDS = tuple(word for words in STYLE_WORDS.values() for word in words)


@cache
def fitted() -> FittedReader:
    """Return the fitted numbers that are shipped."""
    data = (files("batllm_arcade.assets") / "orders" / "smollm2-135m.json").read_text("utf-8")
    return FittedReader.from_json(json.loads(data))


def fit_for(path: Path) -> FittedReader | None:
    """Return the fitted numbers if they are for this very file, else None; raise BrainError if it cannot be read."""
    fit = fitted()
    try:
        if path.stat().st_size != fit.size:
            return None
        return fit if _sha256(path, path.stat().st_mtime_ns) == fit.sha256 else None
    except OSError as error:
        problem = error.strerror or type(error).__name__
        raise BrainError(f"the model file {path.name!r} cannot be read: {problem}") from None


@cache
def _sha256(path: Path, _changed: int) -> str:
    import hashlib  # which takes 4 MB: OpenSSL

    found = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            found.update(block)
    return found.hexdigest()
