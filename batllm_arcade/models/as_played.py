"""How a model was made to play: what its requests held in the end, and where that is not what was asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from batllm_arcade.models.adaptation import Body, named, parameters, value_at
from batllm_arcade.models.refused_parameters import BUDGETS, EFFORT_NAMES, rank

_THINKING = (*EFFORT_NAMES, *BUDGETS, "enable_thinking")


def thinking(body: Body) -> dict[str, Any]:
    """Return the parameters of a request that say how much to think, by their dotted names."""
    return {
        path: value
        for path, value in parameters(body)
        if not isinstance(value, Mapping) and (path.rpartition(".")[2] in _THINKING or path.endswith("thinking.type"))
    }


def temperature(body: Body) -> Any:
    """Return the temperature of a request, None without one."""
    return next((value_at(body, path) for path in named(body, "temperature")), None)


def as_sent(sent: Body) -> dict[str, str]:
    """Return `think` and `temperature` as a request held them, "" for what it did not say."""
    said = (f"{path.rpartition('.')[2]} {_word(value)}" for path, value in thinking(sent).items())
    return {"think": ", ".join(said), "temperature": _word(temperature(sent))}


def _word(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)


def unlike(think: str, wished: Body, sent: Body, *, thought: bool, cold: bool) -> dict[str, str]:
    """Return in what a model does not play as it was told to, with a clause for each.

    `wished` is the request as it was meant, `sent` as the server takes it; `thought` says that answers came with a
    thought, `cold` that no temperature was wished.
    """
    found, meant, held = dict[str, str](), thinking(wished), thinking(sent)
    if think == "off" and (thought or any(rank(value) for value in held.values())):
        found["think"] = "cannot be kept from thinking"
    elif think in ("low", "high") and (not held or [*held.values()] != [*meant.values()]):
        found["think"] = "cannot be told how much to think"
    if not cold and temperature(wished) != temperature(sent):
        found["temperature"] = "does not take the temperature"
    return found
