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
    lowering = command == "S0" and ("fire" in why or "shot" in why)
    return _stroll(now) if command == "B" or lowering else (command, f"{DOING[style]}, {why}")


# ------------------------------------------------------------------------------ camp


def _camp(now: Situation, orders: str) -> Deed:
    me, foe = now.me, now.foe
    place = place_named(orders, me, foe)
    way = hypot(place.x - me.x, place.y - me.y)
    direction = degrees(atan2(place.y - me.y, place.x - me.x))
    taken = hypot(place.x - foe.x, place.y - foe.y) < 2.2 * me.rules.bot_radius and now.close
    barred = now.touching and abs(tactics.shorter(direction - me.rot - now.off)) < 90
    if way > 0.6 * me.rules.step_length and not (taken or barred):
        if now.ready and now.weak_spot:
            return "B", "on its way, its side or back is open, fire"
        return _walk(now, direction, way)
    command, why = hold_out(now)
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


def hold_out(now: Situation) -> Deed:
    """Fight without a step: return the command (None: do nothing), and why."""
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


# ------------------------------------------------------------------------------ charge


def _press(now: Situation) -> Deed:
    """Close in, and stay there: who is empty nose to nose waits behind its shield instead of stepping back."""
    far = now.distance > 2 * now.me.rules.bot_radius + 1.5 * now.me.rules.step_length
    if far and abs(now.off) <= 20 and now.walks and not (now.ready and (now.weak_spot or now.full)):
        return "M", "closing in"  # an exact aim can wait
    command, why = tactics.carry_out("charge", now)
    if command != now.me.back or not now.me.back:
        return command, why
    if now.menaced and now.shields:
        return "S1", "nose to nose and empty, shield up"
    return None, "nose to nose, resting to load"


# ------------------------------------------------------------------------------ shield, dodge


def _hide(now: Situation) -> Deed:
    """Stay behind the shield as long as the battery allows, raise it again once half full; out for an open side.

    A foe that hides too cannot fire: that is the time to load, and to wear its shield down.
    """
    me = now.me
    if now.ready and now.weak_spot:
        return "B", "its side or back is open, fire"
    exposed = now.lined_up and now.open and now.weak_spot and not now.menaced
    if me.rules.battery and me.shield and exposed and me.loaded:
        return "S0", "its side or back is open, coming out for a shot"
    if me.rules.battery and now.foe.shield:
        return ("B", "hammering its shield") if now.hammers else tactics.carry_out("shield", now)
    if me.rules.battery and now.guarded and me.charge > me.rules.shield_charge:
        return "S1", "staying behind the shield"
    facing = abs(now.off) <= 0.6 * me.rules.shield_degrees
    if me.rules.battery and not me.shield and facing and me.charge >= 0.5 * me.rules.battery:
        return "S1", "shield up"
    return tactics.carry_out("shield", now)


def _dance(now: Situation) -> Deed:
    """Step as long as steps lead past the foe; fully loaded, take aim where a turn is due anyway."""
    stepping = now.sideways and now.walks
    passing = (now.full or not now.menaced) and not (now.begun == "dodge" and stepping)
    if now.ready and (now.weak_spot or passing):
        return "B", "a shot in passing"
    if now.full and not (stepping or now.me.shield):
        return ("B", "fully loaded, a shot") if now.lined_up else (now.me.turn_to(now.foe), "fully loaded, taking aim")
    return tactics.sidestep(now)


# ------------------------------------------------------------------------------ snipe


def _too_near(now: Situation, half: float) -> str:
    """Return why a sniper that likes to be so far away goes on."""
    return "too near" if now.distance < 0.5 * half else "not far enough"


def _snipe(now: Situation) -> Deed:
    me, rules = now.me, now.me.rules
    half = 0.5 * hypot(rules.arena_width, rules.arena_height)
    if now.distance < half + 0.5 * rules.step_length:
        worth = now.weak_spot or now.distance > 0.5 * half or me.charge >= 2 * rules.shot_charge
        if (now.ready and worth) or now.hammers:
            return "B", "its side or back is open, fire" if now.weak_spot else "a shot before it backs off"
        if now.full and not (now.close or now.lined_up or me.shield):
            return me.turn_to(now.foe), "fully loaded, turning for a shot"
        if now.backs and now.faced and me.back and not now.open:
            return me.back, f"backing off, its gun on it: {_too_near(now, half)}"
        command, why = tactics.retreat(now)
        if not why.startswith("as far as it goes"):
            return command, f"{why}: {_too_near(now, half)}"
    if not me.loaded:
        return _load_afar(now)
    if not now.lined_up:
        return me.turn_to(now.foe), "taking aim from afar"
    if me.shield:
        return "S0", "lowering the shield to fire from afar"
    if now.open or now.hammers:
        return "B", "firing from afar"
    return None, "keeping its gun on it until the shield falls"


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
    reason = _opening(now, foe_fired)
    if abs(now.off) > 20 or (not now.lined_up and (reason or not now.menaced)):
        return me.turn_to(foe), "keeping turned to it"
    if reason and me.loaded:
        return ("S0", f"{reason}, opening the shield") if me.shield else ("B", f"{reason}, striking")
    if me.rules.battery and not now.menaced and not (now.guarded and foe.loaded and now.shields):
        return ("S0", "resting to load") if me.shield else (None, "resting to load")
    if me.rules.battery and not me.shield and me.charge <= me.rules.shield_charge:
        return None, "resting to load"
    return "S1", "behind the shield, waiting for an opening"


def _opening(now: Situation, foe_fired: bool) -> str:
    """Return why this is the moment to strike, "" if it is none."""
    foe = now.foe
    if not now.open:
        return ""
    if not foe.aims_at(now.me):
        return "it looks away"
    if foe_fired:
        return "it has just fired"
    if not foe.loaded or foe.shield:
        return "it cannot fire"
    return "it is too near to wait" if now.touching else ""


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
    "charge": _press, "shield": _hide, "dodge": _dance, "snipe": _snipe, "hold_fire": _stroll, "idle": _idle,
}  # fmt: skip
