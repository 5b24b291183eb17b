"""What orders make depend on the fight: "when you are hurt, hide", "wait until he is empty, then attack"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache

CONDITIONS: Mapping[str, str] = {
    "hurt": "when hurt", "weak": "when it is weak", "empty": "when it is empty", "near": "when it is near",
    "armed": "when it is loaded", "aimed": "when aimed at", "loaded": "when loaded", "away": "when it looks away",
    "shielded": "when its shield is up", "far": "when it is far", "ahead": "when ahead", "behind": "when behind",
    "spent": "when out of shots",
}  # fmt: skip
"""What orders may wait for (`brains.temper` tells when it holds), and how the window says it."""


Cases = tuple[tuple[str, str], ...]
"""Conditions, and the orders that count while they hold."""
_CLAUSES = re.compile(r"\s*[.;:!?,]+\s*|\s+(?=and\b|but\b)")
_JOINS = re.compile(r"^(?:(?:and|but|then|so|also)\b\s*)+")
_SWITCH = re.compile(
    r"(?P<before>.*?)\s*\b(?P<word>when(?:ever)?|if|once|(?:as|so) (?:soon|long) as|while|until|till"
    r"|(?:every|each) time)(?: what| to this that)? (?P<rest>.+)"
)
_VERB = re.compile(r"^(?:(?:and|but|then|is|are|has|have|be|come|left)\b\s*)+")
_WAITING = re.compile(
    r"(?:just |only |always )?(?:wait|be patient|lie in wait|hold (?:your )?fire|hold back)(?: \w+)?(?: there)?"
)
_WAIT_FOR = re.compile(
    r"\bwait(?: \w+)? (?:for|that|what|to what) (?=(?:(?:he|him|it|the \w+) (?:to )?)?(?:come|approach)\b)"
)
_ONLY = re.compile(r"\bonly\b ?")
_UNLESS = re.compile(r"\b(?:don't|dont|do not|never|not) (?:ever )?([^,.;:!]+?) unless\b")
_NOT = re.compile(r"(?:never|no|not|don't|dont|do not)\b")
_FIRE = re.compile(r"(?:shoot|fire|blast)(?: (?:at|back|him|it|them|the|enemy|straight|away|then|at once))*")
_LOWER = re.compile(r"(?:lower|drop|put down) (?:it|(?:the|your) shield)|(?:put|take) (?:it|(?:the|your) shield) down")
_SHORT = ("empty", "away")
"""What orders that name a shot for it alone wait for with it."""
_OTHERWISE = re.compile(r"^(?:otherwise|else|if not|or else)\b[ ,]*")


@lru_cache(maxsize=500)
def split(orders: str) -> tuple[str, Cases]:
    """Return what orders, which are `normalised`, ask for where no case holds ("": nothing), and the cases."""
    usual: list[str] = []
    cases: list[tuple[str, str]] = []
    waiting = ""  # the condition whose deed is still to come
    follows = False  # whether what an "and" adds belongs to the last case
    orders = _WAIT_FOR.sub("wait until ", _UNLESS.sub(r"only \1 when", orders))
    parts = _CLAUSES.split(orders)
    for number, part in enumerate(parts, 1):
        clause, goes_on = _JOINS.sub("", part), follows and part.startswith("and ")
        follows = False
        if rest := _OTHERWISE.match(clause):
            usual, waiting = [*usual, clause[rest.end() :]], ""
            continue
        found = _SWITCH.fullmatch(clause)
        known = _condition(found["rest"]) if found else None
        if found is None or known is None:
            if waiting and clause:
                cases, waiting, follows = [*cases, (waiting, clause)], "", True
            elif goes_on:
                cases[-1], follows = (cases[-1][0], f"{cases[-1][1]} {part}"), True
            else:
                usual.append(clause)
            continue
        condition, after = known
        lasts, before = found["word"] in ("until", "till"), found["before"]
        if usual and number == len(parts) and not (before or after or lasts):  # "hide, when he aims at you"
            before = _JOINS.sub("", usual.pop())
            clause = f"{before} {clause}"
            orders = ", ".join([*usual, clause])
        if usual and lasts and not before and _WAITING.fullmatch(usual[-1]):  # "wait, until he comes"
            before = usual.pop()
        before, often = _ONLY.subn("", before)
        before = before.strip()
        if (often and condition == "empty") or (condition == "shielded" and _NOT.match(before)):  # rules of their own
            usual.append(clause)
            continue
        usual += [f"never {before}"] * often
        if lasts or not before:
            usual += (
                ["hide behind your shield, never shoot" if _WAITING.fullmatch(before) else before] if before else []
            )
            follows = bool(after)
            cases, waiting = ([*cases, (condition, after)], "") if after else (cases, condition)
        else:
            cases.append((condition, _LOWER.sub("attack", before)))
            if condition in _SHORT and not often and _FIRE.fullmatch(_JOINS.sub("", before)) and usual:
                usual.append("never shoot")
    if waiting:  # "hide until he is weak" leaves unsaid what then
        cases.append((waiting, "attack him"))
    return (", ".join(filter(None, usual)), tuple(cases)) if cases else (orders, ())


def _condition(text: str) -> tuple[str, str] | None:
    """Return the condition that a text begins with, and what stands behind it; None for another text."""
    for name, pattern in _patterns():
        if found := pattern.match(text):
            return name, _VERB.sub("", text[found.end() :].strip(" ,%"))
    return None


@cache
def _patterns() -> Sequence[tuple[str, re.Pattern[str]]]:
    return [(name, re.compile(pattern)) for (name,), pattern, _ in patterns_in("conditions.tsv")]


def patterns_in(name: str) -> Iterator[tuple[list[str], str, Mapping[str, str]]]:
    """Yield the fields, the pattern and the parts so far of each line of an asset that is no part itself."""
    from importlib.resources import files

    parts: dict[str, str] = {}
    for line in (files("batllm_arcade.assets") / "orders" / name).read_text("utf-8").splitlines():
        *names, pattern = line.split("\t")
        for part, meaning in parts.items():
            pattern = pattern.replace(part, meaning)
        if line.startswith("<"):
            parts[names[0]] = pattern
        elif not line.startswith("#"):
            yield names, pattern, parts
