"""Whether a seat can play now."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping

from batllm_arcade.brains.kinds import SeatState
from batllm_arcade.brains.protocol import BrainKind, Spec, check_options
from batllm_arcade.errors import UsageError, one_line
from batllm_arcade.isolation.sandbox import in_words
from batllm_arcade.seats.brain_thread import Kinds, find_kind

PATIENCE_S = 1.6
"""Seconds for all brains together to answer."""


def lines(kinds: Mapping[str, BrainKind]) -> Iterator[str]:
    """Yield the lines of `batllm-arcade brains`: name, availability and summary of each brain."""
    for kind, problem in missing(kinds):
        variants = f" ({', '.join(kind.variants)})" if kind.variants else ""
        runs = f"; {in_words(kind.isolation, {}, short=True)}" if kind.isolation else ""
        yield from brain_lines(kind.name, problem, f"{kind.summary}{variants}{runs}")


def brain_lines(name: str, problem: str, summary: str) -> Iterator[str]:
    """Yield the line of a brain, and a second one with what is missing to play now if anything is."""
    yield f"{name:12} {'not ready' if problem else 'ready':10} {summary}".rstrip()
    if problem:
        yield f"{'':12} {problem}"


def missing(kinds: Mapping[str, BrainKind]) -> list[tuple[BrainKind, str]]:
    """Return every kind, sorted by name, with what is missing to play now, "" if nothing is."""
    found: dict[str, str] = {}
    threads = []
    for kind in kinds.values():
        if kind.missing is not None:
            threads.append(threading.Thread(target=_ask, args=(kind, found), daemon=True))
            threads[-1].start()
    ends = time.monotonic() + PATIENCE_S
    for thread in threads:
        thread.join(max(0.0, ends - time.monotonic()))
    late = "it did not say in time whether it could play"
    ordered = sorted(kinds.values(), key=lambda kind: kind.name)
    return [(kind, found.get(kind.name, late) if kind.missing else "") for kind in ordered]


def _ask(kind: BrainKind, found: dict[str, str]) -> None:
    assert kind.missing is not None
    try:
        found[kind.name] = " ".join(str(kind.missing(Spec(kind.name)) or "").split())
    except BaseException as error:  # noqa: BLE001 - a plugin may raise anything
        found[kind.name] = f"it failed with {one_line(error)}"


UNJUDGED = ("name", "title", "deadline_s", "price", "level", "temperature", "think", "max_tokens", "rpm", "tpm")
"""Options that change nothing in whether a seat could play."""


def seat_state(kinds: Kinds, spec: Spec) -> SeatState:
    """Return whether this very seat could play; takes up to two seconds, and never raises."""
    try:
        kind = find_kind(kinds, spec)
        check_options(kind, spec)
    except UsageError as error:
        return SeatState(str(error), "options")
    try:
        if kind.state is not None:
            return kind.state(spec)
        problem = " ".join(str(kind.missing(spec) or "").split()) if kind.missing is not None else ""
    except BaseException as error:  # noqa: BLE001 - a plugin may raise anything
        return SeatState(f"it failed with {one_line(error)}", "other")
    return SeatState(problem, "missing" if problem else "", spec.text("model"))


def judged(spec: Spec) -> str:
    """Return what of a spec decides whether it could play: the same text, the same answer."""
    rest = {key: text for key, text in spec.options.items() if key not in UNJUDGED}
    return str(Spec(spec.name, spec.variant, dict(sorted(rest.items()))))
