"""Whether a seat could play now, judged by its own address, model and key and by nothing else."""

from __future__ import annotations

from batllm_arcade.brains.kinds.declared import check_options
from batllm_arcade.brains.kinds.seat_state import SeatState
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.errors import UsageError, one_line
from batllm_arcade.seats.brain_thread import Kinds, find_kind

UNJUDGED = ("name", "title", "deadline_s", "price", "level", "temperature", "think", "max_tokens")
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
