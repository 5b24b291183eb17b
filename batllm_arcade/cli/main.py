"""Where the program begins: a signal to end it that comes while modules are loaded ends it at once, without a word."""

from __future__ import annotations

import os
import signal

TYPE_CHECKING = False  # that of `typing`, while whose import a signal may come
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType

_USUAL = (signal.SIG_DFL, signal.default_int_handler)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program, or the command of these arguments in another one; return and raise what `run_command` does."""
    return _program() if arguments is None else _commands()(arguments)


def _commands() -> Callable[[Sequence[str] | None], int]:
    from batllm_arcade.cli.commands import run_command

    return run_command


def _program() -> int:
    named = (getattr(signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP"))  # Windows has no SIGHUP
    before = {number: signal.getsignal(number) for number in named if number is not None}
    handled = [number for number, handler in before.items() if handler in _USUAL]  # none that is ignored, as by nohup
    for number in handled:
        signal.signal(number, _end)
    run_command = _commands()
    try:
        for number in handled:
            signal.signal(number, _interrupt if number == signal.SIGINT else before[number])
        return run_command(None)
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    finally:
        if signal.SIGINT in handled:
            signal.signal(signal.SIGINT, _end)  # while Python ends


def _end(number: int, _frame: FrameType | None) -> None:
    os._exit(128 + number)


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Interrupt the program as Python does, but in imports, where it may be lost or taken for a plugin's, end it."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            _end(number, frame)
        frame = frame.f_back
    raise KeyboardInterrupt
