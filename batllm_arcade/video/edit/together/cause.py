"""Why one side did better than another against the same opponent, in one true sentence made of what both did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from batllm_arcade.match.account import ARMOURED, Account, Accounts
from batllm_arcade.match.counted_words import times_in_digits

_ENOUGH = 0.25
"""What explains less than this share of a difference in hits is no reason for it."""


class _Reason(NamedTuple):
    """What is counted of an account and explains why one side did better: it has `more` of it, or less.

    Of the words `{good}` is the better side and `{bad}` the other one, `{g}` and `{b}` how often it befell them; the
    side of which there is more to say comes first.
    """

    counted: Literal["missed", "blocked", "dry", "held", "shots", "stayed", "walked", "behind", "past"]
    more: bool
    told: str

    def words(self, good: str, bad: str, g: int, b: int) -> str:
        """Return it with both figures, of which the first one that is said is `never`, `once` or `5 times`."""
        if self.told.index("{g}") < self.told.index("{b}"):
            g_said, b_said = in_words(g, b)
        else:
            b_said, g_said = in_words(b, g)
        return self.told.format(good=good, bad=bad, g=g_said, b=b_said)


_OFFENCE = (
    _Reason("missed", False, "{bad} missed {b}, {good} {g}"),
    _Reason("blocked", False, "{bad} fired at a raised shield {b}, {good} {g}"),
    _Reason("dry", False, "{bad} had a clear shot but an empty gun {b}, {good} {g}"),
    _Reason("held", False, "{bad} had a clear shot and did not fire {b}, {good} {g}"),
    _Reason("shots", True, "{good} fired {g}, {bad} {b}"),
)
"""Of what the sides that are compared did."""
_DEFENCE = (
    _Reason("blocked", True, "the shield of {good} stopped shots {g}, that of {bad} {b}"),
    _Reason("missed", True, "shots missed {good} {g}, {bad} {b}"),
    _Reason("shots", False, "{bad} was fired at {b}, {good} {g}"),
    _Reason("past", False, "{bad} was hit past its raised shield {b}, {good} {g}"),
)
"""Of what their opponents did."""
_EXPOSED = (
    _Reason("behind", True, "{good} hit from behind {g}, {bad} {b}"),
    _Reason("stayed", False, "{bad} neither fired back nor stepped aside {b}, {good} {g}"),
    _Reason("walked", False, "{bad} walked into the line of fire {b}, {good} {g}"),
)
"""Of what the sides did that are compared, and what they were hit for."""


def cause(better: Accounts, worse: Accounts, names: tuple[str, str]) -> str:
    """Return why a side did better than another: of what it dealt and what it took, what differs more.

    "" if both did the same damage and took the same.

    Each side's account comes first, then its opponent's; `names` are those of the better side and the other one.
    """
    (good, its), (bad, others) = better, worse
    dealt, spared = good.damage - bad.damage, others.damage - its.damage
    if max(dealt, spared) <= 0:
        return ""
    if dealt >= spared:
        return _told(good, bad, names, "hit", [(_OFFENCE, good, bad)])
    by_part = exposed(better, worse, names) if _by_part(its, others) else ""
    return by_part or _told(its, others, names, "was hit", [(_DEFENCE, its, others), (_EXPOSED, good, bad)])


def exposed(better: Accounts, worse: Accounts, names: tuple[str, str]) -> str:
    """Return how often two sides were hit where that may do more, "" unless the worse one was more often.

    Each side's account comes first, then its opponent's; `names` are those of the better side and the other one.
    """
    (_, hitting), (bad, hit_by) = better, worse
    g, b = (sum(account.bare[part] for part in ARMOURED) for account in (hitting, hit_by))
    parts = [part for part in ARMOURED if hitting.bare[part] or hit_by.bare[part]]
    extra = sum(hit_by.extra.values()) - sum(hitting.extra.values())
    if g >= b or extra <= 0:
        return ""
    b_said, g_said = in_words(b, g)
    other = f"{names[0]} {g_said}" if g else f"{names[0]} was never hit there"
    told = f"{names[1]} was hit in the {' or '.join(parts)} {b_said}"
    did = [("turned", bad.bare_turning), ("walked", bad.bare_walking)]
    if not b == sum(hit_by.parts[part] for part in ARMOURED) == sum(times for _, times in did):
        return f"{told}, {other}"
    each = " as it" if b == 1 else ", each time as it"
    return f"{told}{each} {' or '.join(what for what, times in did if times)}; {other}"


def in_words(first: int, second: int) -> tuple[str, str]:
    """Return two numbers of times, of which the second one may leave out the word: `12 times`, `20`."""
    short = min(first, second) > 2
    return times_in_digits(first), str(second) if short else times_in_digits(second)


_Reasons = Sequence[tuple[Sequence[_Reason], Account, Account]]


def _told(one: Account, other: Account, names: tuple[str, str], did: str, reasons: _Reasons) -> str:
    """Return how often both hit or were hit (`one` and `other` count that), and what explains it best."""
    good, bad = names
    by_part = _by_part(one, other)
    alike = by_part or one.hits == other.hits
    first, second = (_where(one), _where(other)) if alike else in_words(one.hits, other.hits)
    whom = " its foe" if did == "hit" else ""  # "B hit 7 times" may be read as what befell B
    hits = f"{good} {did}{whom} {first}, {bad} {second}"
    if by_part:
        return hits
    if did == "hit" and one.shots == one.hits > other.hits == other.shots > 0:
        return f"{good} fired {first}, {bad} {second}: every shot hit"
    enough = _ENOUGH * abs(one.hits - other.hits)
    found = [
        (abs(g - b), reason.words(good, bad, g, b))
        for table, mine, its in reasons
        for reason in table
        for g, b in [(getattr(mine, reason.counted), getattr(its, reason.counted))]
        if (g > b) == reason.more and abs(g - b) >= max(enough, 1) and (g, b) != (one.hits, other.hits)
    ]
    return f"{hits}: {max(found, key=lambda each: each[0])[1]}" if found else hits


def _by_part(one: Account, other: Account) -> bool:
    """Return whether the difference is due more to the parts that were struck than to the number of hits."""
    extra = sum(one.extra.values()) - sum(other.extra.values())
    rest = one.damage - other.damage - extra
    return extra * (one.damage - other.damage) > 0 and abs(extra) > abs(rest)


def _where(account: Account) -> str:
    """Return where a bot hit: `twice in the back, once in the side and 3 times in the front`, `never`.

    A hit off a wall that does no more than one in the front counts with those.
    """
    bare = {part: account.bare[part] for part in reversed(ARMOURED)}
    rest = account.hits - sum(bare.values())
    off = sum(account.parts[part] for part in ARMOURED) - sum(bare.values())
    places = [f"{times_in_digits(number)} in the {part}" for part, number in bare.items() if number]
    places += [f"{times_in_digits(rest)} {'in the front or off the wall' if off else 'in the front'}"] if rest else []
    *most, last = places or ["never"]
    return f"{', '.join(most)} and {last}" if most else last
