"""What a play leads to: the damage it does, less what the other bot can do next; and what is clearly better than it."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from batllm_arcade.brains.bots import BotView, turn_token
from batllm_arcade.brains.tactics import BUMP, Situation, covered

CHANCE = 0.6
"""What damage is worth that could be done the play after next, which the other may prevent."""
KEPT = 1.5
"""How many bullets more another play must be better by than one that a style is known by."""
CHARGE = 0.1
"""The bullets' damage that a unit of charge is worth, up to two shots."""


def better(
    now: Situation, command: str | None, why: str, sight: tuple[int, float], character: tuple[str, str]
) -> tuple[str | None, str]:
    """Return the play that is worth most as far as one sees, and why; the same one where none is clearly better.

    `sight` is how many plays one looks ahead, and how many bullets another play must be better by. `character` says
    which plays are kept at nearly any cost, and which are never better, in letters of `_SAID` (`N`: nothing).
    """
    me, foe = now.me, now.foe
    (depth, slack), (keeps, never) = sight, character
    # Without a battery a shield costs nothing: who looks ahead would never lower it.
    slack += KEPT * (_kind(now, command) in (keeps if me.rules.battery else f"{keeps}S"))
    least = _worth(me, foe, command, depth, -inf) + slack * me.bullet_damage
    chosen = command
    most = _most(me) + CHARGE * me.bullet_damage * (
        2 * me.rules.shot_charge - min(foe.charge, 2 * me.rules.shot_charge)
    )
    for token in _plays(me, foe, wide=depth > 1):
        if token == command or _kind(now, token) in never or (token != "B" and most <= least):
            continue
        if (value := _worth(me, foe, token, depth, least)) > least:
            chosen, least, why = token, value, _SAID[_kind(now, token)]
    return chosen, BUMP[1] if chosen == "M" != command and now.bump else why


_SAID = {
    "M": "stepping nearer in time", "+": "stepping out of danger", "-": "stepping back in time",
    "T": "turning in time", "B": "firing first", "S": "shield in time",
}  # fmt: skip
"""Kinds of plays, and why they are better: a step nearer, one past the foe or into it, one back, a turn, and so on."""


def _kind(now: Situation, token: str | None) -> str:
    if token == "M":
        return "+" if now.bump or abs(now.off) > 60 else "M"
    return "N" if token is None else "-" if token == now.me.back else "T" if token[0] in "AC" else token[0]


def _plays(me: BotView, foe: BotView, *, wide: bool = False) -> Iterator[str]:
    if me.loaded and not me.shield and me.aims_at(foe):
        yield "B"
    yield "M"
    yield me.turn_to(foe)
    if me.shield:
        yield "S0"
    elif covered(me, foe):
        yield "S1"
    if me.back:
        yield me.back
    if wide:
        yield from (turn_token(me.bearing_to(foe) + side) for side in (90, -90))
        yield from (turn_token(shot.turn) for shot in me.banks(foe)[:2])


def _worth(me: BotView, foe: BotView, command: str | None, depth: int, least: float) -> float:
    """Return what a play is worth; what is worth no more than `least` only has to be known as such."""
    mine, theirs, _ = me.simulate(command)
    dealt = foe.health - theirs.health
    if theirs.health <= 0:
        return dealt + foe.full_health
    if depth == 1:
        store = 2 * me.rules.shot_charge
        charge = CHARGE * me.bullet_damage * (min(mine.charge, store) - min(theirs.charge, store))
        if (bound := dealt + _most(me) + charge) <= least or (
            bound := bound - (danger := _menace(theirs, mine))
        ) <= least:
            return bound
        return dealt - danger + CHANCE * _menace(mine, theirs) + charge
    worth = inf
    for token in _plays(theirs, mine):
        worth = min(worth, dealt - _worth(theirs, mine, token, depth - 1, dealt - worth))
        if worth <= least:
            break
    return worth


def _most(me: BotView) -> float:
    """Return the most that can be done the play after next is worth."""
    return CHANCE * me.bullet_damage * max(1.0, me.rules.side_damage, me.rules.back_damage)


def _menace(me: BotView, foe: BotView) -> float:
    """Return the damage a bot can do with its next play; a bump counts as the shot at a side that it makes room for."""
    rules = me.rules
    if me.shield:
        return 0.0
    strike = me.strike(foe) if me.loaded else None
    shot = strike.damage if strike is not None and not (foe.shield and strike.part == "front") else 0.0
    near = rules.bump_turn and me.distance_to(foe) <= 2 * rules.bot_radius + rules.step_length
    if not near or shot > me.bullet_damage or foe.part_towards(me) != "front" or not me.bumps(foe):
        return shot
    follows = me.charge + rules.rest_charge >= rules.shot_charge
    return max(shot, me.bullet_damage * rules.side_damage * (1.0 if follows else 0.5))
