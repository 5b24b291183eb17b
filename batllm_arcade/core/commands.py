"""Text to Command: a closed union of what a bot can do; parsing never raises."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite
from typing import Literal, Union


@dataclass(frozen=True, slots=True)
class Rotate:
    """Turn by `degrees`, positive clockwise as seen on the screen."""

    degrees: float
    token: str


@dataclass(frozen=True, slots=True)
class Move:
    """Go forward by `distance` units (backwards if negative), or one step length if None."""

    distance: float | None
    token: str


@dataclass(frozen=True, slots=True)
class StepBack:
    """Go backwards by the rule's `back_step`, whatever number the token has; the direction stays."""

    token: str


@dataclass(frozen=True, slots=True)
class Shield:
    """Put the shield up (True), down (False), or toggle it (None)."""

    up: bool | None
    token: str


@dataclass(frozen=True, slots=True)
class Fire:
    """Fire one bullet along the own direction; only with the own shield down."""

    token: Literal["B"] = "B"


@dataclass(frozen=True, slots=True)
class Nothing:
    """Do nothing; `reason` says why, and is empty where nothing was meant."""

    reason: str = ""
    token: Literal["ERR"] = "ERR"


Command = Union[Rotate, Move, StepBack, Shield, Fire, Nothing]

_FIXED: dict[str, Command] = {
    "M": Move(None, "M"),
    "S1": Shield(True, "S1"),
    "S0": Shield(False, "S0"),
    "S": Shield(None, "S"),
    "B": Fire(),
}
_SPELLING = re.ASCII | re.IGNORECASE
_TURN = re.compile(r"([CA])([0-9]{1,3}(?:\.[0-9]+)?)", _SPELLING)
_MOVE = re.compile(r"M(-?[0-9]+(?:\.[0-9]+)?)", _SPELLING)
_BACK = re.compile(r"M-([0-9]{1,4})", _SPELLING)
_CACHED_LENGTH = 24


def parse(text: str | None, free_move: bool = False, back_step: float = 0) -> Command:
    """The command that `text` spells: outer white space and case do not matter, all else does.

    None is a deliberate nothing. `M<d>` is a command only with the rule `free_move`, `M-` and up to four digits only
    with a `back_step`: one back step, whatever the digits. Where there are rules, `read_command` asks them.
    """
    if text is None:
        return Nothing()
    if len(text) > _CACHED_LENGTH:
        return _parse(text, free_move, back_step)
    return _parse_short(text, free_move, back_step) if free_move or back_step else _parse_plain(text)


def _parse(text: str, free_move: bool, back_step: float) -> Command:
    token = text.strip()
    fixed = _FIXED.get(token.upper()) if len(token) <= 2 and token.isascii() else None
    if fixed is not None:
        return fixed
    found = _TURN.fullmatch(token)
    if found:
        degrees, digits = float(found[2]), canonical(found[2])
        if int(digits.partition(".")[0]) < 360 or digits == "360":  # in digits: a float takes a hair above for 360
            clockwise = found[1] in "cC"
            return Rotate(degrees if clockwise else -degrees, ("C" if clockwise else "A") + digits)
    found = _MOVE.fullmatch(token) if free_move else None
    if found and isfinite(float(found[1])):
        return Move(float(found[1]), "M" + canonical(found[1]))
    found = _BACK.fullmatch(token) if back_step else None
    if found:
        return StepBack(f"M-{int(found[1])}")
    return _no_command(text, free_move, back_step)


_parse_short = lru_cache(maxsize=4096)(_parse)


@lru_cache(maxsize=4096)
def _parse_plain(text: str) -> Command:
    """The same without either rule: what a cache finds fastest is a text alone."""
    return _parse(text, False, 0)


def canonical(digits: str) -> str:
    """A number as written, without needless zeros: `007.50` is `7.5`, `-0.0` is `0`."""
    sign, digits = ("-", digits[1:]) if digits.startswith("-") else ("", digits)
    whole, _, part = digits.partition(".")
    whole, part = whole.lstrip("0") or "0", part.rstrip("0")
    number = f"{whole}.{part}" if part else whole
    return number if number == "0" else sign + number


def _no_command(text: str, free_move: bool, back_step: float) -> Nothing:
    shown = text if len(text) <= 40 else text[:40] + "..."
    move = "M or M<distance>" if free_move else f"M, M-{back_step:g}" if back_step else "M"
    return Nothing(f"{shown!r} is no command; a command is C<angle>, A<angle>, {move}, S1, S0, S or B")
