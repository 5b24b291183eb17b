"""Every target of `fuzz/`, for a moment: the same inputs on every machine, so that a broken target is noticed."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from paths import ROOT

FUZZ = ROOT / "fuzz"
CORPORA = sorted(path.name for path in (FUZZ / "corpus").iterdir())
SLOW = {"configurations", "journals", "leagues", "original", "pages", "sessions"}
"""Targets that take more than two milliseconds for an input."""
LONGEST = 32 * 1024


def inputs(corpus: Path, mutated: object, number: int) -> Iterator[bytes]:
    """Yield the seeds, then so many inputs that are made of them."""
    seeds, rng = [path.read_bytes() for path in sorted(corpus.iterdir())], Random(corpus.name)
    yield from seeds
    for _ in range(number):
        seed = rng.choice(seeds)
        data = mutated(seed, LONGEST, rng) if rng.random() < 0.7 else None  # type: ignore[operator]
        if data is None:
            place, size = rng.randrange(len(seed) + 1), rng.randrange(9)
            data = seed[:place] + rng.randbytes(size) + seed[place + rng.randrange(9) :]
        yield data


@pytest.mark.parametrize("name", CORPORA)
def test_every_reader_of_what_others_wrote_holds_for_a_moment(name, monkeypatch, tmp_path_factory):
    monkeypatch.syspath_prepend(str(FUZZ))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path_factory.getbasetemp()))
    from mutations import mutated
    from targets import TARGETS

    assert sorted(TARGETS) == CORPORA
    for data in inputs(FUZZ / "corpus" / name, mutated, 20 if name in SLOW else 60):
        try:
            TARGETS[name](data)
        except Exception:
            sys.stderr.write(f"fuzz target {name}: {data!r}\n")
            raise
