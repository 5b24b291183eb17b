"""Asking a brain: its checked decision, or one sentence why there is none, whatever the plugin does."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from batllm_arcade.brains.live import Cancelled
from batllm_arcade.brains.protocol import BrainError, Decision
from batllm_arcade.brains.redaction import without_folders
from batllm_arcade.errors import ArcadeError, authors_traceback, method_of, one_line, place_of_code, place_of_error
from batllm_arcade.seats.plugin_values import checked

Log = Callable[[str], None]
"""Gets a line of a bot's log."""


def decision_of(
    decide: Callable[[], Any], name: str, brain: object = None, log: Log | None = None
) -> tuple[Decision | None, str]:
    """Return what the brain called `name` decides, or why there is none; never raise.

    `brain` is whose code it is, for an author to look at; `log` gets the whole traceback of an unexpected failure.
    """
    try:
        answer = decide()
    except Cancelled:
        return None, ""  # it was given up or closed: the same as not answering
    except ArcadeError as error:
        return _received(error), without_folders(one_line(error, 4000))[:500]
    except BaseException as error:  # noqa: BLE001 - a plugin may raise anything, even SystemExit
        return None, _failed(error, name, brain, log)
    try:
        return checked(answer, name), ""
    except ArcadeError as error:
        return None, without_folders(one_line(error, 4000))[:500] + place_of_code(method_of(brain, "decide"))
    except BaseException as error:  # noqa: BLE001 - what is in an answer is a plugin's code, too
        return None, _failed(error, name, brain, log)


def _failed(error: BaseException, name: str, brain: object, log: Log | None) -> str:
    if log is not None:
        with suppress(BaseException):  # an exception of a plugin's own may fail even when it is printed
            for line in authors_traceback(error):
                log(line)
    problem = without_folders(one_line(error, 4000))[:300]  # cut last: half a password would not be known
    return f"{name} failed with {problem}{place_of_error(error, method_of(brain, 'decide'))}"


def _received(error: ArcadeError) -> Decision | None:
    """Return what came with a failure (text, thought, tokens) as a decision that plays nothing; None if nothing did."""
    if not isinstance(error, BrainError):
        return None
    try:
        received = checked(Decision(error.raw, None, error.thought, tokens=error.tokens), "")
    except BaseException:  # noqa: BLE001 - a plugin may have put anything there
        return None
    return received if received.raw or received.thought or received.tokens else None
