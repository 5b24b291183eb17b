"""Looking some plays ahead: the plays worth considering, and what a play is worth if both sides play on well."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import atan2, ceil, degrees, inf, sqrt

from batllm_arcade.brains.bots import BotView, turn_token
from batllm_arcade.core.commands import Rotate
from batllm_arcade.core.model import Rules
from batllm_arcade.core.rules import limited, read_command

WON = 1000.0
"""What a knock-out is worth, more than anything else; the sooner the better."""
AROUND = (60, -60, 90, -90, 120, -120, 180, 35, -35)
"""Directions that are considered, in degrees from that to the opponent."""


def outlook(me: BotView, token: str | None, depth: int, least: float, most: float = inf) -> float:
    """Return what a move is worth to `me` when both play on for `depth` plays in all, this one included.

    Exact between `least` and `most`; what is worth less or more only has to be known as such (alpha-beta search).
    """
    mine, foe, _ = me.simulate(token)
    if foe.health <= 0:
        return WON + depth
    if depth == 1:
        return -advantage(foe, mine)
    worst = most
    for answer in likely_plays(foe, mine):
        worst = min(worst, -outlook(foe, answer, depth - 1, -worst, -least))
        if worst <= least:
            break
    return worst


def likely_plays(me: BotView, foe: BotView) -> Iterator[str | None]:
    """Yield the plays worth considering, likely ones first, which makes the search short.

    With a `turn_limit` only the first of the turns that end alike.
    """
    if me.rules.turn_limit:
        yield from _ending_apart(me, _plays(me, foe))
    else:
        yield from _plays(me, foe)


def _ending_apart(me: BotView, plays: Iterable[str | None]) -> Iterator[str | None]:
    ends: set[float] = set()
    for token in plays:
        command = read_command(token, me.rules)
        if isinstance(command, Rotate):
            end = round(limited(command.degrees, me.rules.turn_limit), 2)
            if end in ends:
                continue
            ends.add(end)
        yield token


def _plays(me: BotView, foe: BotView) -> Iterator[str | None]:
    towards = me.bearing_to(foe)
    if me.loaded and not me.shield:
        yield "B"
    yield "M"
    if abs(towards) > 0.01:
        yield me.turn_to(foe)
    yield "S0" if me.shield else "S1"
    yield from (turn_token(shot.turn) for shot in me.banks(foe) if abs(shot.turn) > 0.01)
    yield from (turn_token(towards + off) for off in AROUND if abs((towards + off + 180) % 360 - 180) > 8)
    yield None
    if me.back:
        yield me.back
    step = foe.simulate("M").me
    for part in (1.0, 0.5):
        turn = degrees(atan2(foe.y + part * (step.y - foe.y) - me.y, foe.x + part * (step.x - foe.x) - me.x)) - me.rot
        if abs((turn - towards + 180) % 360 - 180) > (8 if part == 1 else 0.7):
            yield turn_token(turn)


def advantage(me: BotView, foe: BotView) -> float:
    """Return how much better `me` stands than its opponent when it is its turn, in points of health."""
    mine, theirs = me.bearing_to(foe), foe.bearing_to(me)
    ahead = me.health - foe.health + 0.012 * (abs(theirs) - abs(mine))
    if me.rules.battery:
        ahead += 4.5 * (sqrt(me.charge) - sqrt(foe.charge)) + 3 * (me.loaded - foe.loaded)
    if me.rules.turn_limit:
        ahead += 1.5 * (_plays_to_aim(theirs, me.rules) - _plays_to_aim(mine, me.rules))
    return ahead + 0.9 * threat(me, foe) - 0.6 * threat(foe, me)


def _plays_to_aim(off: float, rules: Rules) -> int:
    """Return how many plays a bot turns until it looks at the other, which is so many degrees off."""
    return ceil(max(0.0, abs(off) - 4) / rules.turn_limit)


def threat(me: BotView, foe: BotView) -> float:
    """Return the damage that a shot along the direction of `me` would do, less where it cannot be fired at once."""
    strike = me.strike(foe)
    if strike is None:
        return 0.0
    likely = (1.0 if me.loaded else 0.4) * (0.5 if me.shield else 1.0)
    return likely * strike.damage * (0.25 if foe.shield and strike.part == "front" else 1.0)
