"""Which words of its orders a player did not keep to at all, as what it did shows."""

from __future__ import annotations

import re
from typing import NamedTuple

_OWN_SHIELD = re.compile(r"\b(behind|raise|use|keep|hold)\s+((a|the|your|up)\s+)*shield\b|\bshield up\b")
_NO_SHIELD = re.compile(
    r"\b(no|never|not|without|don'?t|avoid|instead|rarely|hardly)\b[^.;,:]*\bshield"
    r"|\bshield (is )?down\b|\b(his|its|their) shield"
)
"""What orders say that ask for the own shield, and of those what may mean something else."""
_CLAUSE = re.compile(r"[.;:,!?]| and | but | then ")
_FIRE = re.compile(r"\b(fire|shoot|snipe|attack)\b(?! back)")
_NO_FIRE = re.compile(r"\b(never|don'?t|do not) (fire|shoot|attack)\b|\bhold (your )?fire\b")
_MOVE = re.compile(r"\b(rush|circle|chase|approach|advance|walk|run|dodge)\b|\bcharge (in|at|straight|it|him|them)\b")
_ALWAYS_MOVE = re.compile(r"\b(never|don'?t|do not) (stop moving|stop running|stand still)\b|\b(always|keep) moving\b")
_STILL = re.compile(r"\b(never|don'?t|do not) move\b|\b(stand|stay|keep|sit) still\b")
_WHOLLY = re.compile(
    r"(please|just|at all|ever|at|him|her|it|them|anyone|anybody|the|other|enemy|a|single|shot|you|\s)*"
)
"""What may stand beside words that forbid something without a limit to that."""
_BOUNCE = re.compile(r"\b(bounce|ricochet|rebound)\b|\b(shots?|bullets?|shoot|fire)\b.*\boff (the |a )?walls?\b")
_PERHAPS = re.compile(
    r"\b(no|never|not|don'?t|without|avoid|instead|rarely|hardly|stop|unless|until|only|if|when|whenever|once|wait|after"
    r"|before|as|or)\b"
)
"""Words that may forbid what follows, or ask for it at some times alone."""


class Deeds(NamedTuple):
    """How often a player fired, raised its shield and walked in a game; whether a bullet of its may `bounce`."""

    shots: int
    raised: int
    steps: int
    bounce: bool = False


def broken(orders: str, did: Deeds) -> str:
    """Return what a player never did although its orders ask for it, or did although they forbid it; "" if neither.

    Orders that ask for something at some times alone, or may mean something else, are taken as kept.
    """
    said = orders.lower()
    clauses = [clause.strip() for clause in _CLAUSE.split(said)]
    plain = [clause for clause in clauses if not _PERHAPS.search(clause)]
    if _OWN_SHIELD.search(said) and not _NO_SHIELD.search(said) and not did.raised:
        return "never raised its shield"
    if did.shots and any(_is_whole(_NO_FIRE, clause) for clause in clauses):
        return "fired once all the same" if did.shots == 1 else f"fired {did.shots} times all the same"
    if not did.shots and any(_FIRE.search(clause) for clause in plain):
        return "never fired"
    if did.steps and any(_is_whole(_STILL, clause) for clause in clauses):
        return "walked all the same"
    if not did.steps and (_ALWAYS_MOVE.search(said) or any(_MOVE.search(clause) for clause in plain)):
        return "never took a step"
    if not did.bounce and any(_BOUNCE.search(clause) for clause in plain):
        return "walls stop bullets here"
    return ""


def _is_whole(words: re.Pattern[str], clause: str) -> bool:
    """Return whether a clause forbids what these words do without a limit."""
    found = words.search(clause)
    return found is not None and bool(_WHOLLY.fullmatch(f"{clause[: found.start()]} {clause[found.end() :]}"))
