"""Expected failures: each becomes one plain sentence and an exit code; bugs keep their traceback.

And where in an author's own code an unexpected one was.
"""

from __future__ import annotations

import os
import re
import reprlib
from collections.abc import Iterator
from functools import partial
from pathlib import PurePath
from types import FunctionType, MethodType, TracebackType
from typing import TypeGuard


class ArcadeError(Exception):
    """The base of every expected failure; `str()` is one sentence that says what to do."""


class UsageError(ArcadeError):
    """Bad arguments, configuration or files (exit code 2)."""


def one_line(error: BaseException, limit: int = 300) -> str:
    """Return an exception's text on one line, with its type in front unless it is an ArcadeError; never raises."""
    try:
        text = " ".join(str(error).split())[:limit]
    except BaseException:  # noqa: BLE001 - a plugin's exception may fail even when it is printed
        text = ""
    if isinstance(error, ArcadeError) and text:
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


_QUOTED = 120
"""Characters of the longest quotation: a value may hold others, level by level."""
_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 40


def named(value: object) -> str:
    """Return a plain value as quoted in a sentence, any other object by its class: `a Dice`."""
    plain = value is None or type(value) in (bool, int, float, str, bytes, list, tuple, dict)
    return quoted(value) if plain else of_kind(value)


def of_kind(value: object) -> str:
    """Return what a value is: `a str`, `an int`, `None`."""
    return "None" if value is None else with_article(type(value).__name__)


def with_article(name: str) -> str:
    """Return a name behind its article: `a Dice`, `an Oracle`."""
    return f"{'an' if name[:1].lower() in tuple('aeio') else 'a'} {name}"


def quoted(value: object) -> str:
    """Return a value as quoted in a sentence: its repr on one line, shortened if long."""
    try:
        text = _SHORT.repr(value)
    except ValueError:  # an int of thousands of digits
        return "a huge number"
    except BaseException:  # noqa: BLE001 - a plugin's object may fail even when it is printed
        return of_kind(value)
    return text if len(text) <= _QUOTED else text[: _QUOTED - 3] + "..."


MOST_WHOLE = 10**18 - 1
"""The largest whole number that is taken anywhere: one of 18 digits."""


def is_whole(value: object, least: int = -MOST_WHOLE, most: int = MOST_WHOLE) -> TypeGuard[int]:
    """Return whether a value is a whole number within these limits; True and 2.0 are none."""
    return type(value) is int and least <= value <= most


def whole_number(name: str, value: object, least: int = -MOST_WHOLE, most: int = MOST_WHOLE) -> int:
    """Return a whole number within these limits; raise UsageError, which names it, if the value is none."""
    if is_whole(value, least, most):
        return value
    limits = f" to {most:,}" if most < MOST_WHOLE else " up"
    within = f"from {least}{limits}" if least > -MOST_WHOLE else "of up to 18 digits"
    raise UsageError(f"{name} must be a whole number {within}, not {quoted(value)}")


_OWN = os.path.dirname(__file__)
_LIBRARY = os.path.dirname(os.__file__)
_PACKAGES = ("site-packages", "dist-packages")


PLACED = re.compile(r"\([^()]+, line \d+\)")
"""Where a sentence names a place in a file."""


def place_of_error(error: BaseException, called: object = None) -> str:
    """Return the last line of an author's code that an exception came through, as ` (bot.py, line 4)`.

    Where it came through none, as wrong arguments do: where `called` is defined, else its very last line. "" if an
    exception says by itself where it is from, and for an expected failure of the program's own.
    """
    if isinstance(error, SyntaxError) and error.filename:
        return ""
    steps = [(step.tb_frame.f_code.co_filename, step.tb_lineno) for step in _steps(error)]
    authors = [step for step in steps if _is_authors(step[0])] or [step for step in steps if _is_packages(step[0])]
    if authors:
        return _told(*authors[-1])
    return place_of_code(called) or (_told(*steps[-1]) if steps and not isinstance(error, ArcadeError) else "")


def place_of_code(code: object) -> str:
    """Return where an author defines a function, a method, a class or an object's class, as ` (bot.py, line 4)`."""
    import inspect

    while type(code) in (partial, MethodType):  # not isinstance, which may call code of a plugin
        code = _wrapped(code) if type(code) is partial else getattr(code, "__func__")  # noqa: B009
    try:
        if type(code) is FunctionType:
            file, line = code.__code__.co_filename, code.__code__.co_firstlineno
        else:
            made = code if issubclass(type(code), type) else type(code)
            file, line = inspect.getsourcefile(made) or "", inspect.getsourcelines(made)[1]  # type: ignore[arg-type]
    except (OSError, TypeError):  # built in, or made by a text
        return ""
    return "" if file.startswith(_OWN) else _told(file, line)


def _wrapped(code: partial[object]) -> object:
    """Return the function behind a partial; where that is the program's own, what it was given to call."""
    own = type(code.func) is FunctionType and code.func.__code__.co_filename.startswith(_OWN)
    return next((each for each in code.args if callable(each)), None) if own else code.func


def method_of(thing: object, name: str) -> object:
    """Return a method as it is defined, without calling any code; the object itself where it has none."""
    from inspect import getattr_static

    return getattr_static(thing, name, None) or thing


def authors_traceback(error: BaseException) -> list[str]:
    """Return the lines of an exception's traceback, from the author's code on where it came through that."""
    import traceback

    steps = list(_steps(error))
    first = next((step for step in steps if _is_authors(step.tb_frame.f_code.co_filename)), steps[0] if steps else None)
    text = "".join(traceback.format_exception(type(error), error, first))
    return text.rstrip("\n").split("\n")


def _steps(error: BaseException) -> Iterator[TracebackType]:
    step: TracebackType | None = getattr(BaseException, "__traceback__").__get__(error)  # noqa: B009 - of no subclass
    while step is not None:
        yield step
        step = step.tb_next


def _is_authors(file: str) -> bool:
    """Return whether a file is neither the program's nor Python's nor an installed package's."""
    return not (file.startswith((_OWN, _LIBRARY, "<")) or _in_packages(file))


def _is_packages(file: str) -> bool:
    """Return whether a file is an installed package's, not the program's own."""
    return not file.startswith(_OWN) and _in_packages(file)


def _in_packages(file: str) -> bool:
    return any(name in PurePath(file).parts for name in _PACKAGES)


def _told(file: str, line: int) -> str:
    return f" ({PurePath(file).name}, line {line})"
