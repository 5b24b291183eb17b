"""The options of every model brain that shape its requests: `think`, `max_tokens` and `temperature`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.errors import UsageError
from batllm_arcade.models.adapting.adaptation import MOST_ROOM, Adaptation

Think = Literal["auto", "off", "low", "high"]
THINK: tuple[Think, ...] = ("auto", "off", "low", "high")
TEMPERATURE = 0.8


@dataclass(frozen=True, slots=True)
class RequestOptions:
    """How a model is asked: `max_tokens` is what its answer takes at most (0: what its form takes).

    `adaptations` are what the options change in every request, `asked` the parameters that they set.
    """

    temperature: float
    think: Think
    max_tokens: int
    adaptations: tuple[Adaptation, ...] = ()
    asked: frozenset[str] = frozenset()


def request_options(spec: Spec) -> RequestOptions:
    """Return these options of a spec; raise UsageError if one of them is wrong."""
    none = spec.text("temperature").lower() == "none"
    temperature = TEMPERATURE if none else spec.number("temperature", TEMPERATURE)
    think = next((each for each in THINK if each == spec.text("think", "auto")), None)
    if think is None:
        raise UsageError(f"think of {spec.name} must be {', '.join(THINK)}, not {spec.text('think')!r}")
    longest = int(spec.number("max_tokens", 1, least=1)) if "max_tokens" in spec.options else 0
    changes = [Adaptation("drop", "temperature")] if none else []
    if think in ("low", "high"):
        changes.append(Adaptation("room", "", MOST_ROOM))
    asked = frozenset({"temperature"} & spec.options.keys())
    return RequestOptions(temperature, think, longest, tuple(changes), asked)
