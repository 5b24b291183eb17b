"""Outages without waiting: pauses pass at once, and the deadline is as much nearer."""

from __future__ import annotations

import os
from typing import Any, TypeVar

from providers import PROVIDERS

from batllm_arcade import Spec
from batllm_arcade.models.deadline import Deadline
from batllm_arcade.models.http_client import ModelServer

S = TypeVar("S", bound=ModelServer)


def skipping(server: S, pauses: list[float] | None = None) -> S:
    """The server, which is asked again without a wait; what it would have waited is added to `pauses`."""

    def pause(deadline: Deadline, seconds: float) -> None:
        deadline._ends -= seconds
        if pauses is not None:
            pauses.append(seconds)

    server.pause = pause  # type: ignore[method-assign]
    return server


def quick_brain(name: str, url: str, **options: str) -> Any:
    """The provider's brain for the server at this address, with its key if there is one; asked again without a wait."""
    provider = PROVIDERS[name]
    named = {"key_env": provider.key} if os.environ.get(provider.key) else {}
    brain = provider.make(Spec(name, "", {"base_url": url, "model": provider.model, **named, **options}))
    skipping(brain.server)
    return brain
