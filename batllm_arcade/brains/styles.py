"""Styles of play: places, ways and what each style wants."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import asin, atan2, cos, degrees, hypot, inf, radians, sin
from typing import NamedTuple

from batllm_arcade.brains import tactics
from batllm_arcade.brains.bots import BotView, turn_token
from batllm_arcade.brains.orders import in_english
from batllm_arcade.brains.tactics import Situation, covered
from batllm_arcade.brains.temper import load

SIDES = {
    "left": "left west links linken linke gauche izquierda izquierdo sinistra",
    "right": "right east rechts rechten rechte droite derecha derecho destra",
    "top": "top upper up north oben obere oberen haut arriba alto",
    "bottom": "bottom lower down south unten untere unteren bas abajo basso",
    "middle": "middle center centre mid mitte milieu centro",
    "wall": "wall walls edge edges border side wand rand mur pared muro",
    "corner": "corner corners nook ecke coin esquina angolo",
}
"""The words for each part of a place, in some languages."""
_PART = {word: part for part, words in SIDES.items() for word in words.split()}
_NOT = re.compile(r"\b(?:not|never|don't|dont|avoid|leave|no)\s+(?:[\w']+\s+){0,3}?(?:the\s+)?([\w']+)")

_SHIELD = re.compile(
    r"\b(?:shields?|guard|gun)\b(?:'s| is| are| stays?| goes| comes)? (?:up|down)\b"
    r"|\b(?:up|down|lower) (?:with )?(?:(?:the|your|his|its|her|their) )?(?:shields?|guard|gun)\b"
)
"""Words of a place that say where a shield is."""


class Spot(NamedTuple):
    """A point where a bot's centre can be, and what it is called."""

    x: float
    y: float
    name: str


def place_named(orders: str, me: BotView, foe: BotView) -> Spot:
    """Return the place the orders name that is nearest to `me`, the nearest corner if they name none.

    A place the other bot stands on is only taken if there is no other.
    """
    parts = _parts(orders)
    places = _places(me, parts)
    blocked = 2.2 * me.rules.bot_radius

    def cost(place: Spot) -> tuple[bool, float]:
        taken = hypot(place.x - foe.x, place.y - foe.y) < blocked
        way_x, way_y = place.x - me.x, place.y - me.y
        towards = way_x * (foe.x - me.x) + way_y * (foe.y - me.y) > 0
        return taken, hypot(way_x, way_y) * (2 if towards else 1)

    return min(places, key=cost)


def _parts(orders: str) -> set[str]:
    text = _SHIELD.sub(" ", in_english(orders.lower()))
    words = re.findall(r"[\w']+", text)
    named = {_PART[word] for word in words if word in _PART}
    if any(word in ("northeast", "northwest", "southeast", "southwest") for word in words):
        named |= {"top" if "north" in text else "bottom", "right" if "east" in text else "left"}
    avoided = {_PART[word] for word in _NOT.findall(text) if word in _PART}
    # "Don't leave the corner" means the corner: only the open is ever avoided.
    return named - (avoided & {"middle"})


def place_words(orders: str) -> str:
    """Return the place that orders name, such as `top right corner`, "" for any corner or none."""
    parts = _parts(orders)
    sides = [side for side in ("top", "bottom", "left", "right") if side in parts]
    if not sides:
        return next((place for place in ("corner", "middle", "wall") if place in parts), "").removeprefix("corner")
    return " ".join([*sides, "corner" if "corner" in parts or len(sides) > 1 else "wall"])


def _places(me: BotView, parts: set[str]) -> list[Spot]:
    radius, rules = me.rules.bot_radius, me.rules
    right, bottom = rules.arena_width - radius, rules.arena_height - radius
    across = {"left": radius, "right": right}
    along = {"top": radius, "bottom": bottom}
    chosen_x = {side: at for side, at in across.items() if side in parts}
    chosen_y = {side: at for side, at in along.items() if side in parts}
    if "middle" in parts and not (chosen_x or chosen_y):
        return [Spot(rules.arena_width / 2, rules.arena_height / 2, "in the middle")]
    corners = [
        Spot(x, y, f"in the {v} {h} corner" if chosen_x or chosen_y else "in the corner")
        for v, y in (chosen_y or along).items()
        for h, x in (chosen_x or across).items()
    ]
    if "corner" in parts or (chosen_x and chosen_y) or not parts & {*across, *along, "wall"}:
        return corners
    xs, ys = (chosen_x, chosen_y) if chosen_x or chosen_y else (across, along)
    by_sides = [Spot(x, me.y, f"at the {side} wall") for side, x in xs.items()]
    return by_sides + [Spot(me.x, y, f"at the {side} wall") for side, y in ys.items()]


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


def play_style(style: str, now: Situation, orders: str = "", *, foe_fired: bool = False, there: str = "") -> Deed:
    """Return the command that serves a style best now (None: do nothing), and why in a few words.

    `orders` are searched for a place; `foe_fired` tells that the foe's last play was a shot, `there` what who camps
    does at its place, `shield` or `dodge`. Raise KeyError for `mixed` and other words: who mixes draws another style.
    """
    if style == "camp":
        return _camp(now, orders, there)
    if style == "counter":
        return _counter(now, foe_fired)
    if style in _PLAIN:
        return _PLAIN[style](now)
    return tactics.carry_out(style, now)


def without_firing(style: str, now: Situation, orders: str = "") -> Deed:
    """Return what `play_style` would do, something peaceful instead of a shot."""
    if style not in PEACEFUL:
        return _stroll(now)
    command, why = hide(now) if style == "shield" else play_style(style, now, orders)
    lowering = command == "S0" and ("fire" in why or "shot" in why)
    return _stroll(now) if command == "B" or lowering else (command, f"{DOING[style]}, {why}")


# Camp


def _camp(now: Situation, orders: str, there: str) -> Deed:
    me, foe = now.me, now.foe
    place = place_named(orders, me, foe)
    way = hypot(place.x - me.x, place.y - me.y)
    direction = degrees(atan2(place.y - me.y, place.x - me.x))
    taken = hypot(place.x - foe.x, place.y - foe.y) < 2.2 * me.rules.bot_radius and now.close
    barred = now.touching and abs(tactics.shorter(direction - me.rot - now.off)) < 90
    if way > me.rules.step_length and not (taken or barred):
        if now.ready and now.weak_spot:
            return "B", "on its way, open side or back, fire!"
        return _walk(now, direction, way)
    if there == "dodge" and place.name.endswith("wall") and not (now.ready and (now.full or now.weak_spot)):
        return _patrol(now, 90.0 if "left" in place.name or "right" in place.name else 0.0)
    command, why = hide(now, inf) if there == "shield" else hold_out(now)
    return command, f"{place.name}, {why}"


def _patrol(now: Situation, along: float) -> Deed:
    """Walk along a wall, on as long as there is room."""
    me = now.me
    turns = sorted((tactics.shorter(way - me.rot) for way in (along, along + 180)), key=abs)
    turn = next((turn for turn in turns if me.free_ahead(turn) >= 0.5 * me.rules.step_length), turns[0])
    if me.shield:
        return "S0", "on its way, lowering the shield"
    return (turn_token(turn), "turning along the wall") if abs(turn) > 5 else ("M", "walking along the wall")


def _walk(now: Situation, direction: float, way: float) -> Deed:
    me, radius = now.me, now.me.rules.bot_radius
    turn = tactics.shorter(direction - me.rot)
    beside = tactics.shorter(turn - now.off)
    clear = degrees(asin(min(1.0, 2.1 * radius / now.distance)))
    if now.distance < way and abs(beside) < clear:  # the foe stands in the way
        turn = now.off + (clear if beside >= 0 else -clear)
    if me.shield and not (now.menaced and now.shields):
        return "S0", "on its way, lowering the shield"
    if abs(turn) > (20 if way > 3 * me.rules.step_length else 10):
        return turn_token(turn), "turning to its place"
    return "M", "walking to its place"


def hold_out(now: Situation) -> Deed:
    """Fight without a step: return the command (None: do nothing), and why."""
    me, foe = now.me, now.foe
    if now.ready:
        return "B", "firing"
    if not now.lined_up:
        return me.turn_to(foe), "watching it"
    if now.menaced and now.shields:
        return ("S1", "shield up") if not me.shield or not me.loaded or not now.open else ("S0", "about to fire")
    if me.shield:
        return ("S0", "shield down to fire" if me.loaded else "resting to load")
    return None, "waiting" if me.loaded else "resting to load"


def duel(now: Situation, keep: float) -> Deed:
    """Fight with the front to the foe: fire when that does damage, else load no nearer than `keep`."""
    me = now.me
    if now.bump and not (now.ready and now.weak_spot):
        return tactics.BUMP
    if now.ready:
        return "B", "its side or back is open, fire!" if now.weak_spot else "lined up, fire!"
    if now.hammers:
        return "B", "hammering its shield"
    if me.loaded and not now.lined_up:
        return me.turn_to(now.foe), "taking aim"
    if me.loaded and me.shield and now.open:
        return "S0", "lined up, shield down to fire"
    if me.loaded and now.bank and not me.shield:
        return turn_token(now.bank.turn), "shield in the way, aiming off the wall"
    return load(now, keep)


# Charge


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


# Shield, dodge


def hide(now: Situation, keep: float = 0.0) -> Deed:
    """Shield up, the front to the foe; down to load while nothing threatens, and for a shot that cannot be answered."""
    me, foe, rules = now.me, now.foe, now.me.rules
    if not rules.battery:
        return tactics.carry_out("shield", now)
    safe = now.weak_spot or (not foe.loaded and me.charge > rules.shot_charge)
    if now.ready and safe:
        return "B", "its side or back is open, fire!" if now.weak_spot else "clear shot, fire!"
    if not me.shield:
        up = now.shields or (now.menaced and me.charge > rules.shield_charge)
        return ("S1", "shield up") if up and covered(me, foe) else load(now, keep or 3 * rules.bot_radius)
    if me.loaded and safe and now.lined_up and now.open:
        return "S0", "no danger, shield down for a shot"
    if me.charge <= rules.shield_charge and not now.menaced:
        return "S0", "lowering the shield to load"
    bare = now.menaced and abs(now.off) > 3 and not covered(me, foe)
    if not now.guarded or bare or (me.loaded and safe and not now.lined_up):
        return me.turn_to(foe), "turning the shield to it"
    nearer = now.walks and now.distance - rules.step_length > keep and now.distance > 4 * rules.bot_radius
    return ("M", "walking at it behind the shield") if nearer else ("S1", "staying behind the shield")


def _dance(now: Situation) -> Deed:
    """Step as long as steps lead past the foe; fully loaded, take aim where a turn is due anyway."""
    stepping = now.sideways and now.walks
    passing = now.full and not (now.begun == "dodge" and stepping)
    if now.ready and (now.weak_spot or passing):
        return "B", "clear shot, fire!"
    if now.full and not (stepping or now.me.shield):
        return ("B", "fully loaded, a shot") if now.lined_up else (now.me.turn_to(now.foe), "fully loaded, taking aim")
    return tactics.sidestep(now)


# Snipe


def _snipe(now: Situation) -> Deed:
    """Fire from afar; load by steps back, or round the foe and away from it, which its barrel has to follow."""
    me, rules = now.me, now.me.rules
    far = 0.4 * hypot(rules.arena_width, rules.arena_height)
    if now.backs and me.back and now.distance < 0.7 * far and not (now.ready and (now.weak_spot or now.full)):
        return me.back, "backing off to fire from afar"
    aims = me.charge >= 2 * rules.shot_charge or now.menaced or abs(now.off) <= 30
    if now.ready or now.bump or (me.loaded and aims):
        return duel(now, far)
    if me.shield:
        return "S0", "lowering the shield to load"
    return _round(now, max(now.distance + 0.5 * rules.step_length, far), "going round it from afar")


# Counter


def _counter(now: Situation, foe_fired: bool) -> Deed:
    me = now.me
    if not me.rules.battery and not (now.open and _opening(now, foe_fired)):
        return (me.turn_to(now.foe), "keeping it in sight") if abs(now.off) > 20 else _GUARD
    reason = _opening(now, foe_fired)
    if reason or now.full or now.bump:
        command, why = duel(now, now.distance)
        return command, f"{reason}, striking" if reason and command == "B" else why
    if now.menaced and now.shields and (not me.shield or foe_fired) and covered(me, now.foe):
        return _GUARD
    if abs(now.off) > 20:
        return me.turn_to(now.foe), "keeping it in sight"
    return load(now, 0.25 * hypot(me.rules.arena_width, me.rules.arena_height))


_GUARD = ("S1", "shield up, waiting for an opening")


def _opening(now: Situation, foe_fired: bool) -> str:
    foe = now.foe
    if not now.open:
        return ""
    if not foe.aims_at(now.me):
        return "it looks away"
    if foe_fired:
        return "it has just fired"
    if not foe.loaded or foe.shield:
        return "the foe cannot fire"
    return "too near to wait" if now.touching else ""


# Hold_fire, idle


def _stroll(now: Situation) -> Deed:
    if now.threatened and now.shields:
        return ("S1", "shield up") if now.me.covers(now.foe) else (now.me.turn_to(now.foe), "turning to face it")
    if now.me.shield and not now.menaced:
        return "S0", "strolling, shield down"
    if now.walks and not now.menaced:
        return "M", "strolling"
    command, why = tactics.sidestep(now)
    return command, f"strolling, {why}"


_PLAIN: dict[str, Callable[[Situation], Deed]] = {
    "charge": _press, "dodge": _dance, "snipe": _snipe, "hold_fire": _stroll,
    "idle": lambda _: (None, "doing nothing"),
}  # fmt: skip

WAYS = {
    "flank": "going round it", "bank": "using the walls", "circle": "circling", "kite": "backing off",
    "stand": "standing still", "spray": "spraying bullets",
}  # fmt: skip
"""Ways to fight that orders name outright, and what a bot is called that fights so."""
FIGHTING = ("attack", "charge", "dodge", "snipe", "counter", "mixed")
"""Styles that a way stands in for; who hides, gets away, camps or keeps the peace goes on with that."""
_AROUND, _REACH = 40.0, 2.3
"""Degrees about the foe that one step is aimed at, and the distance in radii at which it is gone round."""


def way_of(style: str, rules: Sequence[str]) -> str:
    """Return the way that what was said makes of a style, "" where the style is played as it is."""
    ways = [way for way in WAYS if way in rules]
    if style == "retreat":
        return next((way for way in ways if way in ("kite", "stand")), "")
    return next(iter(ways), "") if style in FIGHTING else ""


def carry_out(way: str, now: Situation) -> Deed:
    """Return the command that serves a way best now (None: do nothing), and why; raise KeyError for another word."""
    ways = {"flank": _flank, "bank": _bank, "circle": _orbit, "kite": _kite, "stand": hold_out, "spray": _spray}
    return ways[way](now)


def within(rules: Sequence[str], now: Situation, command: str | None, why: str) -> Deed:
    """Return a command that keeps to what was said outright, and why: the same one where it does."""
    me = now.me
    if "often" in rules and me.loaded and now.open and (now.ready or command != "M"):
        command, why = tactics.carry_out("attack", now)
    if "stand" in rules and command in ("M", me.back):
        command, why = hold_out(now) if "no_fire" not in rules else (None, "standing still")
    if "no_shield" in rules and command == "S1" and ("no_fire" in rules or not me.loaded):
        command, why = tactics.sidestep(now)
    elif "no_shield" in rules and command == "S1":
        command, why = ("B", "no shield wanted, firing") if now.ready else tactics.carry_out("attack", now)
    if command == "B" and "open" in rules and not now.open:
        aim = turn_token(now.bank.turn) if now.bank else None
        wait = "shield in the way, aiming off the wall" if aim else "gun on it until its shield falls"
        command, why = aim, wait
    if command == "B" and (("empty" in rules and now.foe.loaded) or "full" in rules):
        command, why = load(now, 3 * me.rules.bot_radius)
        why = f"saving its shot, {why}"
    if "facing" in rules and abs(me.simulate(command).me.bearing_to(now.foe)) > 60:
        command, why = (me.turn_to(now.foe), "turning to face it") if abs(now.off) > 30 else load(now, inf)
    if command == "B" and "single" in rules:
        command, why = load(now, 3 * me.rules.bot_radius)
        why = f"one shot at a time, {why}"
    if command == "B" and "unfaced" in rules and not now.weak_spot:
        command, why = _round(now, now.distance)
        why = f"only its front is open, {why}"
    # A shot is worth its charge at a side or back, or at a foe that cannot fire back; never at a shield.
    sure = now.open and (now.weak_spot or (not now.menaced and not now.foe.loaded))
    if command == "B" and "spare" in rules and not sure:
        if now.menaced and now.shields and not me.shield:
            return "S1", "sparing its shot, shield up"
        command, why = _round(now)
        why = f"sparing its shot, {why}"
    return command, why


# Round it, away from it, off the walls


def _orbit(now: Situation) -> Deed:
    """Step past the foe on and on; fully loaded, take aim and fire all of it."""
    me = now.me
    if now.ready:
        return "B", "its side or back is open, fire!" if now.weak_spot else "clear shot, fire!"
    if now.full and not me.shield:
        return me.turn_to(now.foe), "fully loaded, taking aim"
    return ("S0", "lowering the shield to go on") if me.shield else tactics.sidestep(now)


def _kite(now: Situation) -> Deed:
    """Keep the gun on the foe and step back while there is room; fire at a side or back, or once two are loaded."""
    me, room = now.me, now.backs and now.me.back is not None
    if now.ready and (now.weak_spot or not room or me.charge >= 2 * me.rules.shot_charge):
        return "B", "its side or back is open, fire!" if now.weak_spot else "lined up, fire!"
    return (me.back, "backing off, its gun on it") if room else hold_out(now)


def _spray(now: Situation) -> Deed:
    """Turn on and on, and fire wherever it looks."""
    if now.me.shield:
        return "S0", "lowering the shield to fire"
    return ("B", "firing wherever it looks") if now.me.loaded and now.begun else (turn_token(137), "spinning on")


def _flank(now: Situation) -> Deed:
    """Go round the foe and fire at its side or back; fully loaded or aimed at, from the front, too.

    Who is faced whatever it does can go round for ever: a full battery is then worth more than one more step.
    """
    me, foe = now.me, now.foe
    if now.bump and not me.loaded:
        return tactics.BUMP
    bare = me.strikes(foe) not in (None, "front")
    if now.ready and (bare or (now.menaced and (now.full or not me.rules.turn_limit))):
        return "B", "its side or back is open, fire!" if bare else "only its front is open, fire!"
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
        return me.turn_to(foe), "only its front is open, taking aim"
    return _round(now)


def _round(now: Situation, reach: float = 0.0, why: str = "going round it") -> Deed:
    """Step towards a place a little further round the foe, on the way to its back; `reach` away from it, or close."""
    me, foe, radius = now.me, now.foe, now.me.rules.bot_radius
    seen = degrees(atan2(me.y - foe.y, me.x - foe.x))
    off = tactics.shorter(seen - foe.rot)
    side = 1.0 if off >= 0 else -1.0
    ways = [_towards(now, seen + around * _AROUND, max(reach, _REACH * radius)) for around in (side, -side)]
    turn = next((way for way in ways if way is not None), None)
    if turn is None:
        return tactics.sidestep(now)
    if abs(turn) > 25:
        return turn_token(turn), "turning to go round it"
    return ("M", why) if now.walks else tactics.sidestep(now)


def _towards(now: Situation, around: float, reach: float) -> float | None:
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
    if not me.loaded or now.bump:
        return duel(now, 3 * me.rules.bot_radius)
    back = now.weak_spot and me.strikes(now.foe) == "back"
    if now.ready and now.faced and (back or (now.menaced and now.full)):
        return "B", "its side or back is open, fire!" if back else "aimed at, firing straight"
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
