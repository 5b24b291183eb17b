"""What decided a game, in one or two true sentences, and what its loser may do better; both from the records."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from batllm_arcade.core.model import Part, Rules
from batllm_arcade.core.outcome import Result
from batllm_arcade.match.account import Account, Accounts, accounts
from batllm_arcade.match.records import GameEnded, GameStarted, Play, Record, SeatSwapped
from batllm_arcade.match.result_text import distinct

_ARMOURED: tuple[Part, ...] = ("side", "back")
_SECOND = 0.4
"""A second cause is told if it weighs at least this share of the first."""
_MINOR = 0.5
"""Where the heaviest cause explains less than this share of the damage that one did more, the hits are told first."""
_TIMES = ("never", "once", "twice")
_NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a game was lost: about how much health it cost, in the loser's disfavour, and both ways to say it.

    `told` has `{loser}` and `{winner}` for the names; `tip` speaks to the loser of `it`.
    """

    weight: float
    told: str
    tip: str


def verdict(records: Iterable[Record]) -> tuple[str, ...]:
    """Return what decided the last game in the records, in one or two sentences; none unless it was played out."""
    game = _GameSoFar.of(records)
    if game is None or game.result.reason in ("forfeit", "aborted"):
        return ()
    names = distinct(game.names)
    if game.result.winner is None:
        return (_drawn(names, game.accounts),)
    loser = 1 - game.result.winner
    causes = _causes(game.accounts, loser, game.rules)
    told = [cause.told for cause in causes[:2] if cause.weight >= _SECOND * causes[0].weight]
    lost, won = game.accounts[loser], game.accounts[1 - loser]
    if not told or (won.hits > lost.hits and causes[0].weight < _MINOR * (won.damage - lost.damage)):
        told = [_plainly(game.accounts, loser), *told[:1]]
    return tuple(_sentence(each, names[loser], names[1 - loser]) for each in told)


def tip(records: Iterable[Record], loser: int) -> str:
    """Return one true sentence for who lost the last game in the records, "" if that bot did not lose it."""
    game = _GameSoFar.of(records)
    if game is None or game.result.winner != 1 - loser or game.result.reason in ("forfeit", "aborted"):
        return ""
    causes = _causes(game.accounts, loser, game.rules)
    if causes:
        return causes[0].tip
    mine, its = game.accounts[loser], game.accounts[1 - loser]
    if its.hits > mine.hits:
        return f"It hit you {times(its.hits)}, you hit it {times(mine.hits)}."
    return f"It did {its.damage:g} damage, you did {mine.damage:g}."


@dataclass(frozen=True, slots=True)
class _GameSoFar:
    """The last game of some records, as far as a verdict needs it."""

    rules: Rules
    names: tuple[str, str]
    accounts: Accounts
    result: Result

    @classmethod
    def of(cls, records: Iterable[Record]) -> _GameSoFar | None:
        """Return the last game of the records, None unless it has ended."""
        rules, names, plays, result = None, ["", ""], list[Play](), None
        for record in records:
            if isinstance(record, GameStarted):
                rules, plays, result = record.rules, [], None
                names = [seat.name for seat in record.seats]
            elif isinstance(record, SeatSwapped):
                names[record.bot] = record.seat.name
            elif isinstance(record, Play):
                plays.append(record)
            elif isinstance(record, GameEnded):
                result = record.result
        if rules is None or result is None:
            return None
        return cls(rules, (names[0], names[1]), accounts(plays, rules), result)


@dataclass(frozen=True, slots=True)
class Rule:
    """A cause that is counted: what of an account, and how much of a bullet's damage each time weighs.

    `told` and `tip` may hold `{times}`, `{shots}` and `{plays}` for the loser's count in words. `unless_silent`:
    left out where the loser never fired although it could, which is said instead.
    """

    counted: Literal["blocked", "stayed", "walked", "dry", "missed", "held", "lost", "refused"]
    share: float
    told: str
    tip: str
    unless_silent: bool = False


RULES = (
    Rule(
        "blocked",
        1.0,
        "{loser} fired {shots} at {winner}'s shield",
        "You fired at its shield {times}: wait, break it, or walk around it.",
    ),
    Rule(
        "stayed",
        0.7,
        "{loser} stayed in {winner}'s line of fire and was hit {times}",
        "You stayed in its line of fire and were hit {times}: step aside or raise the shield.",
    ),
    Rule(
        "walked",
        0.7,
        "{loser} walked into {winner}'s line of fire {times}",
        "You walked into its line of fire {times}: look where it aims.",
    ),
    Rule(
        "dry",
        0.8,
        "{loser} was out of charge when it mattered: {winner} stood open before its gun {times}",
        "You had it before your gun {times} without the charge to fire: walk to load.",
        unless_silent=True,
    ),
    Rule("missed", 0.8, "{loser} missed {times}", "You missed {times}: fire when the line is on it."),
    Rule(
        "held",
        0.7,
        "{loser} had a clear shot {times} and did not fire",
        "You had a clear shot {times} and did not fire.",
        unless_silent=True,
    ),
    Rule(
        "lost",
        0.6,
        "{loser} lost {plays}: no answer in time, or none that is a command",
        "You let {plays} pass.",
    ),
    Rule("refused", 0.6, "{loser} tried {times} what the rules refuse", "You tried {times} what the rules refuse."),
)


def _causes(both: Accounts, loser: int, rules: Rules) -> list[Cause]:
    """Return what went worse for the loser than for the winner, the heaviest first."""
    lost, won, harm = both[loser], both[1 - loser], rules.bullet_damage[loser]
    silent = lost.loaded > 0 and not (lost.shots or lost.refused or lost.lost)
    counted = [_cause(rule, lost, won, harm) for rule in RULES if not (silent and rule.unless_silent)]
    found = [_armour(lost, won), _silence(lost, harm) if silent else None, *counted]
    return sorted((cause for cause in found if cause is not None), key=lambda cause: -cause.weight)


def _cause(rule: Rule, lost: Account, won: Account, harm: float) -> Cause | None:
    """Return a cause that weighs so much for each time it befell the loser more than the winner, None if none."""
    mine: int = getattr(lost, rule.counted)
    more = mine - getattr(won, rule.counted)
    if more <= 0:
        return None
    words = {"times": times(mine), "shots": shots(mine), "plays": count(mine, "play")}
    told = rule.told.format(**words, loser="{loser}", winner="{winner}")
    return Cause(rule.share * harm * more, told, rule.tip.format(**words))


def _armour(lost: Account, won: Account) -> Cause | None:
    """Return the hits in the loser's side and back, if they cost more than the winner's own."""
    weight = sum(won.extra.values()) - sum(lost.extra.values())
    if weight <= 0:
        return None
    struck = [(part, won.parts[part]) for part in _ARMOURED if won.extra[part] > 0]
    where = " and ".join(f"{times(number)} in the {part}" for part, number in struck)
    back = any(part == "back" for part, _ in struck)
    advice = "never show your back" if back else "turn to face it"
    return Cause(weight, f"{{loser}} was hit {where}", f"It hit you {where}: {advice}.")


def _silence(lost: Account, harm: float) -> Cause:
    """Return that the loser never fired, which weighs what it might have shot."""
    chances = max(1, lost.dry + lost.held)
    clear = f": it had a clear shot {times(lost.held)}" if lost.held else ""
    tip = (
        f"You never fired, though you had a clear shot {times(lost.held)}."
        if lost.held
        else "You never fired: aim at it, and load by walking."
    )
    return Cause(0.8 * harm * chances, f"{{loser}} never fired{clear}", tip)


def _plainly(both: Accounts, loser: int) -> str:
    """Return how often both hit, or what that did where it was as often."""
    lost, won = both[loser], both[1 - loser]
    if won.hits > lost.hits:
        hits = f"{{winner}} hit {times(won.hits)}, {{loser}} {times(lost.hits)}"
        if won.caught - lost.caught > 0:
            often = "each time" if won.caught == won.hits else times(won.caught)
            return f"{hits}; {often} while the other's gun was empty"
        return f"{hits}: that made the difference"
    return f"{{winner}} did {won.damage:g} damage, {{loser}} {lost.damage:g}"


def _drawn(names: tuple[str, str], both: Accounts) -> str:
    left, right = both
    stopped = left.blocked + right.blocked
    if not left.hits and not right.hits:
        return f"Nobody hit anybody: {count(stopped, 'shot')} ended at a shield." if stopped else "Nobody hit anybody."
    return f"{names[0]} hit {times(left.hits)}, {names[1]} {times(right.hits)}: neither was ahead in the end."


def _sentence(told: str, loser: str, winner: str) -> str:
    # Not str.format: a name may hold braces.
    return told.replace("{loser}", loser, 1).replace("{winner}", winner, 1) + "."


def times(number: int) -> str:
    """Return how often in words: `once`, `twice`, `five times`, `14 times`."""
    return _TIMES[number] if number < len(_TIMES) else f"{_number(number)} times"


def shots(number: int) -> str:
    """Return so many shots in words: `one shot`, `three shots`."""
    return count(number, "shot")


def count(number: int, what: str) -> str:
    """Return so many of something in words: `one play`, `three plays`."""
    return f"{_number(number)} {what}{'' if number == 1 else 's'}"


def _number(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)
