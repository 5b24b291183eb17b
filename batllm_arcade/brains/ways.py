"""How what orders say outright is played, pure: ways to fight beside the styles, and rules that no command breaks."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, degrees, hypot, radians, sin

from batllm_arcade.brains import tactics
from batllm_arcade.brains.bot_view import turn_token
from batllm_arcade.brains.styles import Deed, hold_out
from batllm_arcade.brains.tactics import Situation

WAYS = {"flank": "going round it", "bank": "using the walls", "stand": "standing still"}
"""Ways to fight that orders name outright, and what a bot is called that fights so."""
FIGHTING = ("attack", "charge", "dodge", "snipe", "counter", "mixed")
"""Styles that a way stands in for; who hides, gets away, camps or keeps the peace goes on with that."""
_AROUND, _REACH = 40.0, 2.3
"""Degrees about the foe that one step is aimed at, and the distance in radii at which it is gone round."""


def way_of(style: str, rules: Sequence[str]) -> str:
    """Return the way that what was said makes of a style, "" where the style is played as it is."""
    if style == "retreat" and "stand" in rules:
        return "stand"
    return next((way for way in ("bank", "flank", "stand") if way in rules), "") if style in FIGHTING else ""


def carry_out(way: str, now: Situation) -> Deed:
    """Return the command that serves a way best now (None: do nothing), and why; raise KeyError for another word."""
    return {"flank": _flank, "bank": _bank, "stand": hold_out}[way](now)


def within(rules: Sequence[str], now: Situation, command: str | None, why: str) -> Deed:
    """Return a command that keeps to what was said outright, and why: the same one where it does."""
    me = now.me
    if "stand" in rules and command in ("M", me.back):
        command, why = hold_out(now) if "no_fire" not in rules else (None, "standing still")
    if "no_shield" in rules and command == "S1":
        command, why = _uncovered(now, fires="no_fire" not in rules)
    if command == "B" and "open" in rules and not now.open:
        command, why = _until_open(now)
    if command == "B" and "spare" in rules and not _surely(now):
        command, why = _spare(now)
    return command, why


def _uncovered(now: Situation, *, fires: bool) -> Deed:
    if not fires or not now.me.loaded:
        return tactics.sidestep(now)
    return ("B", "no shield wanted, firing") if now.ready else tactics.carry_out("attack", now)


def _until_open(now: Situation) -> Deed:
    if now.bank:
        return turn_token(now.bank.turn), "its shield is in the way, aiming off the wall"
    return None, "keeping its gun on it until the shield falls"


def _surely(now: Situation) -> bool:
    """Whether a shot is worth its charge: at a side or back, or at a foe that cannot fire back; never at a shield."""
    return now.open and (now.weak_spot or (not now.menaced and not now.foe.loaded))


def _spare(now: Situation) -> Deed:
    if now.menaced and now.shields and not now.me.shield:
        return "S1", "sparing its shot, shield up"
    command, why = _round(now)
    return command, f"sparing its shot, {why}"


# ------------------------------------------------------------------------------ round it, off the walls


def _flank(now: Situation) -> Deed:
    """Go round the foe and fire at its side or back; fully loaded or aimed at, from the front, too.

    Who is faced whatever it does can go round for ever: a full battery is then worth more than one more step.
    """
    me, foe = now.me, now.foe
    bare = me.strikes(foe) not in (None, "front")
    if now.ready and (bare or now.full or (now.menaced and me.charge >= 2 * me.rules.shot_charge)):
        return "B", "its side or back is open, fire" if bare else "it shows nothing but its front, fire"
    if now.menaced and now.close and now.shields and me.covers(foe):
        return "S1", "aimed at, shield up"
    beside = foe.part_towards(me) != "front"
    if beside and me.loaded and not now.lined_up:
        return me.turn_to(foe), "at its side, taking aim"
    if me.shield:
        return "S0", "lowering the shield to fire" if beside else "lowering the shield to go on"
    if now.full and now.bank and now.bank.part != "front":
        return turn_token(now.bank.turn), "aiming at its side off the wall"
    if now.hammers and foe.shield:
        return "B", "hammering its shield"
    if now.full and now.close and not now.lined_up:
        return me.turn_to(foe), "it shows nothing but its front, taking aim"
    return _round(now)


def _round(now: Situation) -> Deed:
    """Step towards a place a little further round the foe, on the way to its back."""
    me, foe, radius = now.me, now.foe, now.me.rules.bot_radius
    seen = degrees(atan2(me.y - foe.y, me.x - foe.x))
    off = tactics.shorter(seen - foe.rot)
    side = 1.0 if off >= 0 else -1.0
    ways = [_towards(now, seen + around * _AROUND, _REACH * radius) for around in (side, -side)]
    turn = next((way for way in ways if way is not None), None)
    if turn is None:
        return tactics.sidestep(now)
    if abs(turn) > 25:
        return turn_token(turn), "turning to go round it"
    return ("M", "going round it") if now.walks else tactics.sidestep(now)


def _towards(now: Situation, around: float, reach: float) -> float | None:
    """Return the turn to a place at an angle about the foe, None where a wall is."""
    me, foe = now.me, now.foe
    x, y = foe.x + reach * cos(radians(around)), foe.y + reach * sin(radians(around))
    rules, radius = me.rules, me.rules.bot_radius
    if not (radius <= x <= rules.arena_width - radius and radius <= y <= rules.arena_height - radius):
        return None
    if hypot(x - me.x, y - me.y) < 0.3 * rules.step_length:
        return None
    turn = tactics.shorter(degrees(atan2(y - me.y, x - me.x)) - me.rot)
    into = now.touching and abs(tactics.shorter(turn - now.off)) < 95
    return tactics.shorter(now.off + (100 if tactics.shorter(turn - now.off) > 0 else -100)) if into else turn


def _bank(now: Situation) -> Deed:
    """Fire off a wall wherever a bullet that bounces would do damage; load between the shots."""
    me = now.me
    if not me.rules.ricochet:
        command, why = tactics.carry_out("attack", now)
        return command, f"walls stop bullets, {'firing straight' if command == 'B' else why}"
    if not me.loaded:
        return tactics.carry_out("attack", now)  # which loads
    strike = me.strike(now.foe)
    shots = [shot for shot in me.banks(now.foe) if shot.damage]
    if strike is not None and strike.off_wall and now.open:
        return (
            ("S0", "lined up off the wall, lowering the shield") if me.shield else ("B", "lined up off the wall, fire")
        )
    if shots:
        return turn_token(shots[0].turn), "aiming off the wall"
    if now.menaced and now.shields:
        return "S1", "no wall shot from here, shield up"
    return tactics.sidestep(now)
