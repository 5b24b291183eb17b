"""How each style is played so that one sees it, pure; `tactics` has the craft of aiming, stepping and covering."""

from __future__ import annotations

from collections.abc import Callable
from math import atan2, degrees, hypot

from batllm_arcade.brains import tactics
from batllm_arcade.brains.bot_view import turn_token
from batllm_arcade.brains.places import place_named
from batllm_arcade.brains.tactics import Situation

DOING = {
    "attack": "attacking", "charge": "charging", "retreat": "getting away", "shield": "shielding",
    "dodge": "dodging", "camp": "camping", "snipe": "sniping", "counter": "countering",
    "hold_fire": "holding fire", "idle": "idling", "mixed": "mixing",
}  # fmt: skip
"""What a bot is called that plays a style."""
BINDING = ("hold_fire", "idle", "camp")
"""Styles that hold for a whole round where a reading gives one of them at least `BINDS`."""
BINDS = 0.5
PEACEFUL = ("charge", "retreat", "shield", "dodge", "camp")
"""What there is to do without firing."""
CHANGING = ("attack", "charge", "retreat", "shield", "dodge", "snipe")
"""What a bot that mixes its play draws from."""
Deed = tuple["str | None", str]


def play_style(style: str, now: Situation, orders: str = "", *, foe_fired: bool = False) -> Deed:
    """Return the command that serves a style best now (None: do nothing), and why in a few words.

    `orders` are searched for a place; `foe_fired` tells that the foe's last play was a shot. Raise KeyError for
    `mixed` and other words: who mixes draws another style first.
    """
    if style == "camp":
        return _camp(now, orders)
    if style == "counter":
        return _counter(now, foe_fired)
    if style in _PLAIN:
        return _PLAIN[style](now)
    return tactics.carry_out(style, now)


def without_firing(style: str, now: Situation, orders: str = "") -> Deed:
    """Return what `play_style` would do, something peaceful instead of a shot."""
    if style not in PEACEFUL:
        return _stroll(now)
    command, why = play_style(style, now, orders)
    lowering = command == "S0" and "fire" in why
    return _stroll(now) if command == "B" or lowering else (command, f"{DOING[style]}, {why}")


# ------------------------------------------------------------------------------ camp


def _camp(now: Situation, orders: str) -> Deed:
    me, foe = now.me, now.foe
    place = place_named(orders, me, foe)
    way = hypot(place.x - me.x, place.y - me.y)
    blocked = hypot(place.x - foe.x, place.y - foe.y) < 2.2 * me.rules.bot_radius and now.close
    if way > 0.6 * me.rules.step_length and not blocked:
        return _walk(now, degrees(atan2(place.y - me.y, place.x - me.x)), way)
    command, why = _hold_out(now)
    return command, f"{place.name}, {why}"


def _walk(now: Situation, direction: float, way: float) -> Deed:
    me, step = now.me, now.me.rules.step_length
    turn = tactics.shorter(direction - me.rot)
    in_the_way = now.distance < way and abs(tactics.shorter(turn - now.off)) < 40
    if in_the_way and now.distance < 2 * me.rules.bot_radius + step:
        return tactics.sidestep(now)
    if me.shield and not (now.menaced and now.shields):
        return "S0", "on its way, lowering the shield"
    if abs(turn) > (6 if way > 3 * step else 12):
        return turn_token(turn), "turning to its place"
    return "M", "walking to its place"


def _hold_out(now: Situation) -> Deed:
    """Fight without a step."""
    me, foe = now.me, now.foe
    if now.ready:
        return "B", "firing"
    if not now.lined_up:
        return me.turn_to(foe), "keeping its eyes on it"
    if now.menaced and now.shields:
        return ("S1", "shield up") if not me.shield or not me.loaded or not now.open else ("S0", "about to fire")
    if me.shield:
        return ("S0", "shield down to fire" if me.loaded else "resting to load")
    return None, "waiting" if me.loaded else "resting to load"


# ------------------------------------------------------------------------------ shield, dodge


def _hide(now: Situation) -> Deed:
    """Stay behind the shield as long as the battery allows, and raise it again once it is half full."""
    me = now.me
    if me.rules.battery and now.guarded and me.charge > me.rules.shield_charge:
        return "S1", "staying behind the shield"
    facing = abs(now.off) <= 0.6 * me.rules.shield_degrees
    if me.rules.battery and not me.shield and facing and me.charge >= 0.5 * me.rules.battery:
        return "S1", "shield up"
    return tactics.carry_out("shield", now)


def _dance(now: Situation) -> Deed:
    """Step and step again; a shot only where it costs no turn."""
    if now.ready and not now.menaced and not (now.begun == "dodge" and now.sideways):
        return "B", "a shot in passing"
    return tactics.sidestep(now)


# ------------------------------------------------------------------------------ snipe


def _snipe(now: Situation) -> Deed:
    me, rules = now.me, now.me.rules
    half = 0.5 * hypot(rules.arena_width, rules.arena_height)
    if now.distance < half + 0.5 * rules.step_length:
        if now.ready and now.distance > 0.75 * half:
            return "B", "a shot before it backs off"
        command, why = tactics.retreat(now)
        if not why.startswith("as far as it goes"):
            return command, f"{why}: too near"
    if not me.loaded:
        return _load_afar(now)
    if not now.lined_up:
        return me.turn_to(now.foe), "taking aim from afar"
    if me.shield:
        return "S0", "lowering the shield to fire from afar"
    if now.open:
        return "B", "firing from afar"
    return tactics.sidestep(now)


def _load_afar(now: Situation) -> Deed:
    me = now.me
    if now.menaced and now.shields:
        return ("S1", "shield up while it loads") if now.guarded or not me.shield else (me.turn_to(now.foe), "turning")
    if me.shield:
        return "S0", "lowering the shield to load"
    command, why = tactics.sidestep(now)
    return command, f"{why}, to load"


# ------------------------------------------------------------------------------ counter


def _counter(now: Situation, foe_fired: bool) -> Deed:
    me, foe = now.me, now.foe
    away = not foe.aims_at(me)
    opening = now.open and (away or foe_fired or not foe.loaded or foe.shield)
    if abs(now.off) > 20 or (opening and not now.lined_up):
        return me.turn_to(foe), "keeping turned to it"
    if opening and me.loaded:
        reason = "it looks away" if away else "it has just fired" if foe_fired else "it cannot fire"
        return ("S0", f"{reason}, opening the shield") if me.shield else ("B", f"{reason}, striking")
    if me.rules.battery and not now.menaced and (not now.shields or not me.loaded):
        return ("S0", "resting to load") if me.shield else (None, "resting to load")
    return "S1", "behind the shield, waiting for an opening"


# ------------------------------------------------------------------------------ hold_fire, idle


def _stroll(now: Situation) -> Deed:
    if now.threatened and now.shields:
        return ("S1", "shield up") if now.me.covers(now.foe) else (now.me.turn_to(now.foe), "turning its front to it")
    if now.me.shield and not now.menaced:
        return "S0", "strolling, shield down"
    command, why = tactics.sidestep(now)
    return command, f"strolling, {why}"


def _idle(_now: Situation) -> Deed:
    return None, "doing nothing"


_PLAIN: dict[str, Callable[[Situation], Deed]] = {
    "shield": _hide, "dodge": _dance, "snipe": _snipe, "hold_fire": _stroll, "idle": _idle,
}  # fmt: skip
