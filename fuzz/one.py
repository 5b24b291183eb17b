"""Fuzz one target until its time is up: `one.py TARGET SECONDS CORPUS FOUND`; fuzz/run.py starts it."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from random import Random

LONGEST = 32 * 1024
"""Bytes of the longest input."""
HANG_S, MEMORY_MB = 20, 1500


def with_atheris(name: str, seconds: int, corpus: Path, found: Path) -> None:
    """Fuzz by coverage; a failure ends the process with a traceback, and its input is kept in `found`."""
    import atheris

    with atheris.instrument_imports(include=["batllm_arcade", "batllm_arcade_plugins"]):
        from targets import TARGETS

    import mutations

    def change(data: bytes, longest: int, seed: int) -> bytes:
        rng = Random(seed)
        changed = mutations.mutated(data, longest, rng) if rng.random() < 0.7 else None
        return atheris.Mutate(data, longest) if changed is None else changed

    options = [
        f"-max_total_time={seconds}", f"-max_len={LONGEST}", f"-timeout={HANG_S}", f"-rss_limit_mb={MEMORY_MB}",
        f"-artifact_prefix={found}/{name}-", "-print_final_stats=1", "-verbosity=0", "-close_fd_mask=0",
    ]  # fmt: skip
    atheris.Setup([sys.argv[0], *options, str(corpus)], TARGETS[name], custom_mutator=change)
    atheris.Fuzz()


def with_hypothesis(name: str, seconds: int, corpus: Path, found: Path) -> None:
    """Fuzz without coverage, where atheris does not install: seeds changed at random, failures made small."""
    import mutations
    from hypothesis import HealthCheck, given, settings
    from hypothesis import strategies as st
    from targets import TARGETS

    seeds = [path.read_bytes() for path in sorted(corpus.iterdir())] or [b""]
    ends = time.monotonic() + seconds

    @settings(max_examples=500, deadline=HANG_S * 1000, database=None, suppress_health_check=list(HealthCheck))
    @given(st.sampled_from(seeds), st.integers(0, 2**32), st.binary(max_size=40), st.integers(0, LONGEST))
    def attempt(seed: bytes, number: int, patch: bytes, place: int) -> None:
        data = mutations.mutated(seed, LONGEST, Random(number)) or seed
        if patch:
            place %= len(data) + 1
            data = data[:place] + patch + data[place + len(patch) :]
        (found / f"{name}-last").write_bytes(data)
        TARGETS[name](data)

    while time.monotonic() < ends:
        attempt()
    (found / f"{name}-last").unlink(missing_ok=True)


if __name__ == "__main__":
    target, limit, corpus_folder, found_folder = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]), Path(sys.argv[4])
    try:
        import atheris  # noqa: F401
    except ImportError:
        with_hypothesis(target, limit, corpus_folder, found_folder)
    else:
        with_atheris(target, limit, corpus_folder, found_folder)
