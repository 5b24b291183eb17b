"""Whether a server streams: gateways may have no route for it, or none that answers as it comes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from batllm_arcade.brains.protocol import BrainError

T = TypeVar("T")
NO_ROUTE = (404, 405, 501)
"""What servers answer where an API has a route and they have none."""


class Streaming:
    """Asks for a stream, and for a whole answer where there is no such route; what a server has is remembered."""

    def __init__(self) -> None:
        self._on = True

    def ask(self, ask: Callable[[bool], T]) -> T:
        """Return `ask(True)`, or `ask(False)` of a server that does not stream; raise what that raises."""
        if self._on:
            try:
                return ask(True)
            except BrainError as error:
                if getattr(error, "status", None) not in NO_ROUTE or getattr(error, "fatal", False):
                    raise
        answer = ask(False)
        self._on = False
        return answer
