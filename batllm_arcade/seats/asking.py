"""Asking a brain: its checked decision, or one sentence why there is none, whatever the plugin does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath
from types import TracebackType
from typing import Any

from batllm_arcade.brains.live import Cancelled
from batllm_arcade.brains.protocol import BrainError, Decision
from batllm_arcade.brains.redaction import without_folders
from batllm_arcade.errors import ArcadeError, one_line
from batllm_arcade.seats.plugin_values import checked


def decision_of(decide: Callable[[], Any], name: str, number: int) -> tuple[Decision | None, str]:
    """Return what the brain called `name` decides in play `number`, or why there is none; never raise."""
    try:
        return checked(decide(), name, number), ""
    except Cancelled:
        return None, ""  # it was given up or closed: the same as not answering
    except ArcadeError as error:
        return _received(error), without_folders(one_line(error, 4000))[:500]
    except BaseException as error:  # noqa: BLE001 - a plugin may raise anything, even SystemExit
        problem = without_folders(one_line(error, 4000))[:300]  # cut last: half a password would not be known
        return None, f"{name} failed with {problem}{_where(error)}"


def _where(error: BaseException) -> str:
    """The file and line a bot's author has to look at."""
    last: TracebackType | None = getattr(BaseException, "__traceback__").__get__(error)  # noqa: B009 - of no subclass
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return "" if last is None else f" ({PurePath(last.tb_frame.f_code.co_filename).name}, line {last.tb_lineno})"


def _received(error: ArcadeError) -> Decision | None:
    """Return what came with a failure (text, thought, tokens) as a decision that plays nothing; None if nothing did."""
    if not isinstance(error, BrainError):
        return None
    try:
        received = checked(Decision(error.raw, None, error.thought, tokens=error.tokens), "", 1)
    except BaseException:  # noqa: BLE001 - a plugin may have put anything there
        return None
    return received if received.raw or received.thought or received.tokens else None
