"""Why a game was lost: what went worse for its loser than for its winner, each with both bots' figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from batllm_arcade.core.model import Part, Rules
from batllm_arcade.match.account import ARMOURED, Account, Accounts
from batllm_arcade.match.counted_words import count, number_word, times

_FEW = 0.25
"""What explains less than this share of the hits that the loser took is no cause."""
_MOSTLY_SO = 0.6
"""The share of the hits in its side and back before which the loser did the same, from which on that is told."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a game was lost: about how much health it cost, in the loser's disfavour, and both ways to say it.

    `told` has `{loser}` and `{winner}` for the names; `tip` speaks to the loser of `it`.
    """

    weight: float
    told: str
    tip: str
    even: bool = False
    """Whether it befell the winner nearly as often."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A cause that is counted: what of an account, and how much of a bullet's damage each time weighs.

    `told` is said where it befell the loser more than twice as often as the winner, else `both`. In these and in `tip`,
    `{mine}` and `{its}` stand for the loser's and the winner's count as `twice`, `{my_number}` and `{its_number}` as
    `two`, `{my_plays}` as `two plays`, `{my_hits}` and `{its_hits}` as `two of five hits`, of all that each took.
    `unless_silent`: left out where the loser never fired although it could, which
    is said instead.
    """

    counted: Literal["blocked", "stayed", "walked", "dry", "missed", "held", "lost", "refused"]
    share: float
    told: str
    both: str
    tip: str
    unless_silent: bool = False


RULES = (
    Rule(
        "blocked",
        1.0,
        "{loser} fired at a raised shield {mine}, {winner} {its}",
        "Both fired at raised shields: {loser} {mine}, {winner} {its}",
        "You fired at its shield {mine}, it at yours {its}: wait, break it, or walk around it.",
    ),
    Rule(
        "stayed",
        0.7,
        "{loser} took {my_hits} without firing back or leaving the line of fire, {winner} {its_hits}",
        "Both took hits without firing back or leaving the line of fire: {loser} {my_hits}, {winner} {its_hits}",
        "You took {my_hits} without firing back or leaving its line, it {its_hits}: step aside or raise the shield.",
    ),
    Rule(
        "walked",
        0.7,
        "{loser} took {my_hits} by walking into the line of fire, {winner} {its_hits}",
        "Both walked into the line of fire: {loser} took {my_hits} there, {winner} {its_hits}",
        "You walked into its line of fire and took {my_hits} there, it {its_hits}: look where it aims.",
    ),
    Rule(
        "dry",
        0.8,
        "{loser} had a clear shot but an empty gun {mine}, {winner} {its}",
        "Both had clear shots with an empty gun: {loser} {mine}, {winner} {its}",
        "Your gun was empty {mine} when it was open, its gun {its} when you were: walk to load.",
        unless_silent=True,
    ),
    Rule(
        "missed",
        0.8,
        "{loser} missed {mine}, {winner} {its}",
        "Both missed: {loser} {mine}, {winner} {its}",
        "You missed {mine}, it {its}: fire when the line is on it.",
    ),
    Rule(
        "held",
        0.7,
        "{loser} had a clear shot {mine} and did not fire, {winner} {its}",
        "Both had clear shots and did not fire: {loser} {mine}, {winner} {its}",
        "You had a clear shot {mine} and did not fire, it {its}.",
        unless_silent=True,
    ),
    Rule(
        "lost",
        0.6,
        "{loser} lost {my_plays}, {winner} {its_number}: no answer in time, or none that is a command",
        "Both lost plays without a command in time: {loser} {my_number}, {winner} {its_number}",
        "You let {my_plays} pass, it {its_number}.",
    ),
    Rule(
        "refused",
        0.6,
        "{loser} tried {mine} what the rules refuse, {winner} {its}",
        "Both tried what the rules refuse: {loser} {mine}, {winner} {its}",
        "You tried {mine} what the rules refuse, it {its}.",
    ),
)


def causes(both: Accounts, loser: int, rules: Rules) -> Sequence[Cause]:
    """Return what went worse for the loser than for the winner, the heaviest first."""
    lost, won, harm = both[loser], both[1 - loser], rules.bullet_damage[loser]
    silent = lost.loaded > 0 and not (lost.shots or lost.refused or lost.lost)
    counted = [_cause(rule, lost, won, harm) for rule in RULES if not (silent and rule.unless_silent)]
    found = [_armour(lost, won), _past_shield(lost, won, harm), _silence(lost, won, harm) if silent else None, *counted]
    return sorted((cause for cause in found if cause is not None), key=lambda cause: -cause.weight)


def _cause(rule: Rule, lost: Account, won: Account, harm: float) -> Cause | None:
    """Return a cause that weighs so much for each time it befell the loser more than the winner, None if none."""
    mine: int = getattr(lost, rule.counted)
    its: int = getattr(won, rule.counted)
    if mine <= its or ("{my_hits}" in rule.told and mine < _FEW * won.hits):
        return None
    words = {
        "mine": times(mine),
        "its": times(its),
        "my_number": number_word(mine),
        "its_number": number_word(its) if its else "none",
        "my_plays": count(mine, "play"),
        "my_hits": _share(mine, won.hits),
        "its_hits": _share(its, lost.hits),
    }
    even = 2 * its >= mine
    told = (rule.both if even else rule.told).format(**words, loser="{loser}", winner="{winner}")
    return Cause(rule.share * harm * (mine - its), told, rule.tip.format(**words), even)


def _share(number: int, hits: int) -> str:
    """Return how many of all the hits that a bot took, as the table counts them: `two of five hits`, `none`."""
    if not number:
        return "none"
    if number < hits:
        return f"{number_word(number)} of {number_word(hits)} hits"
    return ("the only hit", "both hits")[hits - 1] if hits < 3 else f"all {number_word(hits)} hits"


def _armour(lost: Account, won: Account) -> Cause | None:
    """Return the hits in the loser's side and back, if they cost more than the winner's own."""
    weight = sum(won.extra.values()) - sum(lost.extra.values())
    if weight <= 0:
        return None
    where = struck(won)
    advice = "never show your back" if won.extra["back"] > 0 else "turn to face it"
    moved = as_it_moved(lost, won)
    told = f"{{loser}} was hit {where}{moved}{';' if moved else ','} {{winner}} {struck(lost) or 'never there'}"
    return Cause(weight, told, f"It hit you {where}, you it {struck(lost) or 'never there'}: {advice}.")


def as_it_moved(lost: Account, won: Account) -> str:
    """Return what the loser did right before most hits in its side and back, `, mostly as it turned`; "" if nothing."""
    hits, moved = sum(won.parts[part] for part in ARMOURED), lost.bare_turning + lost.bare_walking
    often, how = max((lost.bare_turning, "turned"), (lost.bare_walking, "walked"))
    if often < _MOSTLY_SO * hits:
        often, how = moved, "turned or walked"
    if often < _MOSTLY_SO * hits:
        return ""
    return f"{'' if hits == 1 else ', each time' if often == hits else ', mostly'} as it {how}"


def struck(account: Account) -> str:
    """Return how often it hit beside the front, as the table counts it: `once in the side and twice in the back`.

    "" if never.
    """
    return " and ".join(_struck_there(account, part) for part in ARMOURED if account.parts[part])


def struck_dearly(account: Account) -> str:
    """Return how often it hit there so that it took more, which a bullet off a wall may not; "" if never."""
    return " and ".join(f"{times(account.bare[part])} in the {part}" for part in ARMOURED if account.bare[part])


def _struck_there(account: Account, part: Part) -> str:
    hits, off = account.parts[part], account.parts[part] - account.bare[part]
    wall = "" if not off else " off the wall" if off == hits else f" ({times(off)} off the wall)"
    return f"{times(hits)} in the {part}{wall}"


def _past_shield(lost: Account, won: Account, harm: float) -> Cause | None:
    """Return the hits that the loser took while its shield was up, if they are more than the winner's own."""
    if won.past <= lost.past or won.past < _FEW * won.hits:
        return None
    often = "each time" if won.past_off == won.past > 1 else times(won.past_off)
    off = f" ({often} off the wall)" if won.past_off else ""
    its = times(lost.past)
    tip = f"It hit you {times(won.past)} past your raised shield{off}, you it {its}: turn the shield to the shot."
    told = f"{{loser}} was hit {times(won.past)} past its raised shield{off}, {{winner}} {its}"
    return Cause(0.7 * harm * (won.past - lost.past), told, tip, even=2 * lost.past >= won.past)


def _silence(lost: Account, won: Account, harm: float) -> Cause:
    """Return that the loser never fired, which weighs what it might have shot."""
    weight, its = 0.8 * harm * max(1, lost.dry + lost.held), times(won.shots)
    if lost.held:
        clear = f"had a clear shot {times(lost.held)}"
        return Cause(
            weight,
            f"{{loser}} never fired, {{winner}} {its}; {{loser}} {clear}",
            f"You never fired, it {its}, though you {clear}.",
        )
    tip = f"You never fired, it {its}: aim at it, and load by walking."
    return Cause(weight, f"{{loser}} never fired, {{winner}} {its}", tip)
