"""Fit and score the reader of orders: labelled orders -> what the model says of them -> one linear layer.

    python training/orders/fit.py fit [--cache FILE]             cross-validate, then write the asset
    python training/orders/fit.py known                          write the words of the table, as `fit` does, too
    python training/orders/fit.py score FILE.tsv... [--cache FILE]   accuracy of the asset on other labelled orders

A line of a table is `ORDERS<tab>STYLE`, with `|` between styles that are both right. Asking the model takes some tenths
of a second an order, so its answers are kept in the cache (by default in the user's cache folder) and only new lines
are asked. Needs scikit-learn (extra `dev`).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from batllm_arcade_plugins.embedded import model_file
from platformdirs import user_cache_path
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold

from batllm_arcade import ModelProcess, Spec
from batllm_arcade.brains.manner import lean
from batllm_arcade.brains.orders import ENDS, FEW_SHOT, FLOOR, PLAIN, STYLES, FittedReader, normalised, words_of
from batllm_arcade.models.orders_reader import BOOST, SETTINGS

HERE = Path(__file__).resolve().parent
TABLE, OTHERS = HERE / "orders.tsv", HERE / "other_languages.tsv"
"""Labelled orders in English and in other languages, which are read word by word in English; both are fitted to."""
WORDS = tuple((HERE / "words.txt").read_text("utf-8").split())
ASSET = HERE.parents[1] / "assets" / "orders" / "smollm2-135m.json"
QUESTIONS = (FEW_SHOT, PLAIN)
STRENGTH, SHARE, HEAT = 0.05, 0.3, 1.3
"""The regularisation (C of scikit-learn), the discriminant's share, the temperature; all chosen by cross-validation."""
FOLDS = 5
AXES = {
    "near": (
        "charge rush chase close near approach forward advance follow",
        "away distance far afar distant long range retreat flee",
    ),
    "bold": (
        "aggressive fight brave brutal ruthless kill destroy strike",
        "careful cautious protect safe cover shield guard afraid hide",
    ),
    "patient": (
        "wait patience patient hold calm slow slowly later until time",
        "quick fast quickly hurry speed always rush constant",
    ),
    "lively": (
        "move moving dance circle around jump spin evade mobile motion",
        "stay still stand stationary sit hold place position freeze",
    ),
}
"""The words that speak for each figure of a `Manner`, and those that speak against it."""
Labelled = list[tuple[str, tuple[str, ...]]]


def table(path: Path) -> Labelled:
    """Return the orders of a file, as they are read, with the styles that are right."""
    rows = [line.split("\t")[:2] for line in path.read_text("utf-8").splitlines() if line and line[0] != "#"]
    return [(normalised(orders), tuple(styles.strip().split("|"))) for orders, styles in rows]


class Readings:
    """The log-probabilities of all words for each order, kept in a file of JSON lines."""

    def __init__(self, cache: Path) -> None:
        self._cache, self._known = cache, dict[str, list[list[float]]]()
        if cache.exists():
            self._known = dict(map(json.loads, cache.read_text("utf-8").splitlines()))

    def features(self, orders: Sequence[str]) -> np.ndarray:
        """Return a row of features for each order, asking the model where the file does not know them."""
        new = [text for text in dict.fromkeys(orders) if text not in self._known]
        if new:
            self._ask(new)
        return np.array([np.concatenate(self._known[text]) for text in orders])

    def _ask(self, orders: Sequence[str]) -> None:
        path = model_file(Spec("embedded"))
        assert path is not None
        engine = ModelProcess.shared(path, {**SETTINGS, "threads": 1})
        body = {
            "n_predict": 1, "n_probs": len(WORDS), "post_sampling_probs": True, "samplers": ["temperature"],
            "logit_bias": [[f" {word}", BOOST] for word in WORDS], "temperature": 1.0, "seed": 1,
        }  # fmt: skip
        self._cache.parent.mkdir(parents=True, exist_ok=True)
        with self._cache.open("a", encoding="utf-8") as file:
            for number, text in enumerate(orders, 1):
                said = [engine.complete(slot, q.header, q.about(text), body, None) for slot, q in enumerate(QUESTIONS)]
                rows = [[np.log(max(each.weights.get(f" {word}", 0.0), FLOOR)) for word in WORDS] for each in said]
                self._known[text] = [[round(float(value), 9) for value in row] for row in rows]
                file.write(json.dumps([text, self._known[text]]) + "\n")
                if number % 50 == 0:
                    print(f"{number} of {len(orders)} orders asked", flush=True)
        engine.release()


@dataclass(frozen=True)
class Layer:
    """One linear layer: the style with the largest score is the likeliest."""

    classes: list[str]
    weights: np.ndarray
    bias: np.ndarray

    def scores(self, features: Any) -> np.ndarray:
        """Return a row of scores for each row of features."""
        return np.asarray(features @ self.weights.T + self.bias)

    def predict(self, features: Any) -> list[str]:
        """Return the likeliest style of each row."""
        return [self.classes[best] for best in self.scores(features).argmax(axis=1)]


def logistic(features: Any, rows: Labelled) -> Layer:
    """Return a logistic regression; an order with two right styles counts half for each."""
    at = [(index, style, 1 / len(styles)) for index, (_, styles) in enumerate(rows) for style in styles]
    chosen = features[[index for index, _, _ in at]]
    fitted = LogisticRegression(C=STRENGTH, max_iter=2000).fit(
        chosen, [style for _, style, _ in at], sample_weight=[weight for _, _, weight in at]
    )
    return Layer(list(fitted.classes_), fitted.coef_, fitted.intercept_)


def layer(features: Any, rows: Labelled) -> Layer:
    """Return a logistic regression plus a part of a linear discriminant: their mistakes differ, their sum is linear."""
    first = logistic(features, rows)
    at = [(index, style) for index, (_, styles) in enumerate(rows) for style in styles]
    other = LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto").fit(
        features[[index for index, _ in at]], [style for _, style in at]
    )
    return Layer(first.classes, first.weights + SHARE * other.coef_, first.bias + SHARE * other.intercept_)


def right(fitted: Layer, features: Any, rows: Labelled) -> list[bool]:
    """Return for each row whether the likeliest style is one of those that are right."""
    return [style in styles for style, (_, styles) in zip(fitted.predict(features), rows, strict=True)]


def cross_validated(fit_to: Callable[[Any, Labelled], Layer], features: Any, rows: Labelled) -> np.ndarray:
    """Return for each row whether it is read rightly by a layer fitted without it.

    Orders that are read as the same text, such as one and its translation word by word, are left out together.
    """
    good, texts = np.zeros(len(rows)), np.array([orders for orders, _ in rows])
    different = np.unique(texts)
    for _, left_out in KFold(FOLDS, shuffle=True, random_state=1).split(different):
        out = np.isin(texts, different[left_out])
        train, test = np.flatnonzero(~out), np.flatnonzero(out)
        fitted = fit_to(features[train], [rows[index] for index in train])
        good[test] = right(fitted, features[test], [rows[index] for index in test])
    return good


def bag_of_words(rows: Labelled) -> tuple[CountVectorizer, Any]:
    """Return the same table as counts of its words and pairs of words: what one would do without a model."""
    counter = CountVectorizer(ngram_range=(1, 2), token_pattern=r"\S+")
    # Scaled so that the same regularisation suits counts, which are far smaller than log-probabilities.
    return counter, counter.fit_transform([orders for orders, _ in rows]).astype(float) * 8.0


def axes(features: np.ndarray) -> dict[str, dict[str, Any]]:
    """Return the words of each figure of a manner, and what is usual among some orders."""
    found = {}
    for name, (more, less) in ((name, [side.split() for side in sides]) for name, sides in AXES.items()):
        leans = [lean(more, less, WORDS, row) for row in np.unique(features, axis=0)]
        mean, spread = round(float(np.mean(leans)), 3), round(float(np.std(leans)), 3)
        found[name] = {"more": more, "less": less, "mean": mean, "spread": spread}
    return found


def write(fitted: Layer, center: np.ndarray, measured: dict[str, dict[str, Any]]) -> None:
    """Write the asset: the layer in the order of the styles, for features that are not centred, and the axes."""
    path = model_file(Spec("embedded"))
    assert path is not None
    order = [fitted.classes.index(style) for style in STYLES]
    weights = fitted.weights[order]
    bias = fitted.bias[order] - weights @ center
    data = {
        "model": path.name, "size": path.stat().st_size, "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "styles": STYLES, "words": WORDS, "heat": HEAT,
        "questions": [{"header": each.header, "tail": each.tail} for each in QUESTIONS],
        "bias": [round(float(value), 4) for value in bias],
        "weights": [[round(float(value), 4) for value in row] for row in weights],
        "axes": measured,
    }  # fmt: skip
    ASSET.parent.mkdir(exist_ok=True)
    ASSET.write_text(json.dumps(data, separators=(",", ":")) + "\n", "utf-8")


def write_known(rows: Labelled) -> None:
    """Write the words of some orders without their endings; the first line, words that say nothing alone, stays."""
    path = ASSET.with_name("known.txt")
    neutral = path.read_text("utf-8").splitlines()[0]
    words = {word for orders, _ in rows for word in words_of(orders)} - set(neutral.split())
    ended = {f"{word}{end}" for word in words for end in ENDS if end}
    path.write_text("\n".join([neutral, *textwrap.wrap(" ".join(sorted(words - ended)), 118)]) + "\n", "utf-8")


def fit(readings: Readings) -> None:
    """Cross-validate with and without the model, then write the layer fitted to both tables."""
    english, others = table(TABLE), table(OTHERS)
    rows = english + others
    features = readings.features([orders for orders, _ in rows])
    center = features.mean(axis=0)
    words = bag_of_words(rows)[1]
    for name, fit_to, given in (("the reader", layer, features - center), ("a bag of words", logistic, words)):
        good = cross_validated(fit_to, given, rows)
        first, rest = good[: len(english)].mean(), good[len(english) :].mean()
        print(f"{name}, {FOLDS}-fold: all {len(rows)} orders {good.mean():.3f}", end=", ")
        print(f"{len(english)} in English {first:.3f}, {len(others)} in others {rest:.3f}")
    write(layer(features - center, rows), center, axes(features))
    write_known(rows)


def score(readings: Readings, files: Sequence[Path]) -> None:
    """Print how many orders of each file the asset reads rightly, and what a bag of words would."""
    reader = FittedReader.from_json(json.loads(ASSET.read_text("utf-8")))
    known = table(TABLE) + table(OTHERS)
    counter, counts = bag_of_words(known)
    plain = logistic(counts, known)
    for file in files:
        rows = table(file)
        features = readings.features([orders for orders, _ in rows])
        read = [reader.read(row) for row in features]
        good = [max(shares, key=shares.__getitem__) in styles for shares, (_, styles) in zip(read, rows, strict=True)]
        bag = sum(right(plain, counter.transform([orders for orders, _ in rows]).astype(float) * 8.0, rows))
        print(f"{file.name}: {sum(good)} of {len(rows)} read rightly, {bag} by a bag of words")


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("fit", "known", "score"))
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--cache", type=Path, default=user_cache_path("batllm-arcade") / "readings.jsonl")
    wanted = parser.parse_args()
    readings = Readings(wanted.cache)
    if wanted.command == "fit":
        fit(readings)
    elif wanted.command == "known":
        write_known(table(TABLE) + table(OTHERS))
    else:
        score(readings, wanted.files)


if __name__ == "__main__":
    main()
