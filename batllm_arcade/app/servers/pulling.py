"""Offers to have a server fetch the model that is chosen, where it has not got it."""

from __future__ import annotations

from batllm_arcade.app.servers.model_row import is_there
from batllm_arcade.app.servers.pull_row import PullRow
from batllm_arcade.app.shell import Services
from batllm_arcade.brains.kinds.seat_state import SeatState
from batllm_arcade.brains.protocol import BrainKind, Spec


def wanted_model(kind: BrainKind, spec: Spec, state: SeatState | None) -> str:
    """Return the model that a server would have to fetch before it can play, "" for none."""
    if kind.pull is None or state is None or state.why != "model":
        return ""
    model = spec.text("model") or next(iter(kind.pullable), "")
    return "" if is_there(model, state.models) else model


def pull_row(services: Services, kind: BrainKind, spec: Spec, state: SeatState | None) -> list[PullRow]:
    """Return the row that fetches the model, [] where nothing is to be fetched."""
    model = wanted_model(kind, spec, state)
    pull = services.pulls.of(spec, model) if model else None
    return [PullRow(model, lambda: services.pulls.start(kind, spec, model), pull)] if model else []
