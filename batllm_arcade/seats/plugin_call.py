"""Calls of a plugin's code that are waited for only so long, and whatever they raise."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from batllm_arcade.brains.live import Cancelled
from batllm_arcade.brains.protocol import BrainError
from batllm_arcade.brains.redaction import without_secrets
from batllm_arcade.errors import ArcadeError, one_line, place_of_error

_T = TypeVar("_T")


class PluginCall(Generic[_T]):
    """A call on a thread of its own; one that never returns is left behind.

    `what` begins the sentence about a failure: "NAME could not start", `todo` ends that of one that takes too long.
    `discard` gets a value that came too late. `code` is what is called, for an author to look at.
    """

    def __init__(
        self,
        call: Callable[[], _T],
        what: str,
        discard: Callable[[_T], None] = lambda value: None,
        todo: str = "give it more with prepare_s",
        code: object = None,
    ) -> None:
        self._call, self._what, self._discard, self._todo, self._code = call, what, discard, todo, code
        self._lock = threading.Lock()
        self._settled = threading.Event()
        self._given_up = False
        self._values: list[_T] = []
        self._error: BaseException | None = None

    def result(self, seconds: float) -> _T:
        """Return what the call returns.

        Raise BrainError for whatever it raises or if it takes longer than `seconds`, Cancelled if it was given up;
        an ArcadeError and KeyboardInterrupt (a plugin that raises it means ctrl-C) pass as they are.
        """
        threading.Thread(target=self._run, daemon=True, name=self._what).start()
        in_time = self._settled.wait(seconds)
        with self._lock:
            if self._values:
                return self._values[0]
            self._given_up = True
        if self._error is not None:
            raise _failure(self._error, self._what, self._code) from None
        if in_time:
            raise Cancelled
        raise BrainError(f"{self._what} within {seconds:g} s; {self._todo}")

    def give_up(self) -> None:
        """Let `result` wait no more."""
        self._settled.set()

    def _run(self) -> None:
        try:
            value = self._call()
        except BaseException as error:  # noqa: BLE001 - a plugin may raise anything, even SystemExit
            self._error = error
        else:
            with self._lock:
                if not self._given_up:
                    self._values.append(value)
            if not self._values:
                self._discard(value)
        self._settled.set()


def _failure(error: BaseException, what: str, code: object) -> BaseException:
    if isinstance(error, (ArcadeError, Cancelled, KeyboardInterrupt)):
        return error
    return BrainError(f"{what}: {without_secrets(one_line(error, 1000))[:300]}{place_of_error(error, code)}")
