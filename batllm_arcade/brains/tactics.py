"""A tactician: what serves one of five tactics best in an arena, pure; aiming, stepping and shields are its craft.

A brain that knows only roughly what it wants (a small language model, a script of your own) chooses a tactic;
`carry_out` returns the command for it, `tactic_weights` how much the arena speaks for each.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from math import atan2, degrees, hypot

from batllm_arcade.brains.bots import BotView, turn_token
from batllm_arcade.core.flight import BankShot

TACTICS = ("attack", "charge", "retreat", "shield", "dodge")
"""What can be carried out: fire, close in, get away, hide behind the shield, step out of the line."""

BUMP = ("M", "bumping it: it spins, and its side is open")


class Situation:
    """What matters about an arena, seen from `me`; `begun` is the tactic that is half carried out, "" if none is."""

    def __init__(self, me: BotView, foe: BotView, begun: str = "") -> None:
        rules = me.rules
        self.me, self.foe, self.begun = me, foe, begun
        self.off = me.bearing_to(foe)
        self.distance = me.distance_to(foe)
        self.close = self.distance <= 2 * rules.bot_radius + 0.75 * rules.step_length
        self.far = self.distance > 0.5 * hypot(rules.arena_width, rules.arena_height)
        self.touching = self.distance < 2.05 * rules.bot_radius
        self.sideways = 60 <= abs(self.off) <= 120
        strike = me.strike(foe)
        off_wall = strike is not None and strike.off_wall
        self.faced = strike is not None and not off_wall
        """Whether a bullet fired now would strike on a straight way."""
        self.lined_up = self.faced or (off_wall and me.loaded)
        guards = strike is not None and strike.part == "front" if off_wall else foe.covers(me)
        self.open = not (foe.shield and guards)
        self.weak_spot = strike is not None and strike.part != "front" and strike.damage > me.bullet_damage
        self.ready = self.lined_up and self.open and me.loaded and not me.shield
        self.full = bool(rules.battery) and me.charge >= rules.battery
        """Whether the battery takes no more, so that a shot is what a play can still gain."""
        falls = foe.charge <= rules.block_charge + rules.shield_charge and me.charge >= 2 * rules.shot_charge
        self.hammers = bool(rules.battery) and self.lined_up and not me.shield and (self.full or falls)
        """Whether a shot at its shield is worth it: that falls soon and a shot is left, or nothing else is gained."""
        self.guarded = me.shield and abs(self.off) <= 0.6 * rules.shield_degrees
        self.menaced = foe.menaces(me)
        self.threatened = self.menaced and not (me.shield and covered(me, foe))
        self.shields = not rules.battery or me.charge >= rules.shield_charge + (1 if me.shield else rules.block_charge)
        """Whether the battery holds enough for a shield that stops a bullet."""
        into = me.bumps(foe)
        self.walks = (
            me.free_ahead() >= 0.5 * rules.step_length and not (self.touching and abs(self.off) < 90) and not into
        )
        """Whether there is room for half a step, which is what loads a battery."""
        after = me.simulate("M") if into and not me.shield and foe.part_towards(me) == "front" else None
        self.bump = after is not None and after.foe.part_towards(after.me) != "front"
        """Whether a step now would run into the foe's front and spin it, so that its side or back is open."""
        self.backs = abs(self.off) <= rules.shield_degrees and me.can_step_back(foe)
        """Whether it can step back and keep its front to the foe."""

    @cached_property
    def bank(self) -> BankShot | None:
        """The best shot off a wall that would do damage and bares no side to a loaded gun, None where there is none."""
        bared = self.me.rules.shield_degrees if self.foe.loaded else 180.0
        aims = self.me.banks(self.foe) if self.me.loaded else ()
        return next((aim for aim in aims if aim.damage and abs(shorter(aim.turn - self.off)) <= bared), None)


def tactic_weights(now: Situation) -> dict[str, float]:
    """Return how much the situation speaks for each tactic: 1 where it says nothing, more where it is worth doing."""
    factor = dict.fromkeys(TACTICS, 1.0)
    factor["attack"] = 4.0 if now.ready else 2.0 if now.lined_up and now.open else 1.0 if now.open else 0.6
    factor["charge"] = 0.5 if now.close or (now.lined_up and now.open) else 1.5 if now.far else 1.0
    factor["retreat"] = 0.5 if now.far else 1.0
    # Who is covered already has nothing to do behind the shield: that leaves room to act.
    factor["shield"] = 0.4 if now.guarded else 1.0
    factor["dodge"] = 0.5 if now.foe.shield else 1.0
    if now.ready and now.weak_spot:
        factor["attack"] *= 3.0
    if now.me.rules.battery:
        _weigh_charge(now, factor)
    if now.threatened and not now.ready:
        for tactic in ("retreat", "shield", "dodge"):
            factor[tactic] *= 2.0
    if now.begun in factor:
        factor[now.begun] *= 30.0
    return factor


def _weigh_charge(now: Situation, factor: dict[str, float]) -> None:
    if not now.me.loaded:  # steps load
        factor["attack"] *= 0.5
        factor["charge"] *= 2.0
        factor["dodge"] *= 2.0
    if not now.shields:
        factor["shield"] *= 0.5
    elif now.ready and now.threatened:
        factor["shield"] *= 3.0  # a bullet that is blocked costs the other more than this bot


def covered(me: BotView, foe: BotView) -> bool:
    """Whether the shield, were it up, would stop what the foe can fire now, or faces it where it aims elsewhere."""
    return foe.strikes(me) == "front" if foe.aims_at(me) else me.covers(foe)


def carry_out(tactic: str, now: Situation) -> tuple[str, str]:
    """Return the command that serves a tactic best now, and why in a few words; raise KeyError for another word."""
    return _SERVE[tactic](now)


def _attack(now: Situation) -> tuple[str, str]:
    me, foe = now.me, now.foe
    if not me.loaded:
        return BUMP if now.bump else _load(now)
    if now.bank and foe.shield and not now.open and not me.shield:
        return turn_token(now.bank.turn), "shield in the way, aiming off the wall"
    if not now.lined_up:
        return me.turn_to(foe), "taking aim"
    if me.shield:
        # Also before a shield: whoever can fire first when it opens wins the exchange.
        return "S0", "lined up, shield down to fire"
    if now.open:
        if now.weak_spot:
            return "B", "its side or back is open, fire!"
        return "B", "lined up, fire!" if now.faced else "lined up off the wall, fire"
    if (now.close and not me.rules.battery) or now.hammers:
        return "B", "hammering its shield"
    if now.walks and now.faced:
        return "M", "shield in the way, closing in"
    return ("S0", "gun on it until its shield falls") if me.rules.battery else sidestep(now)


def _fight(now: Situation) -> tuple[str, str]:
    """Attack; a bump is worth more than a shot to who is aimed at."""
    return BUMP if now.bump and now.menaced else _attack(now)


def _load(now: Situation) -> tuple[str, str]:
    """Walk to load the gun: straight at the foe, which shows it the front, while that is far enough; then past it."""
    me = now.me
    if me.shield:
        if now.menaced and now.guarded and now.shields:
            return "S1", "staying behind the shield"
        return "S0", "shield down to load"
    if abs(now.off) <= 30 and now.walks and now.distance > 4 * me.rules.bot_radius:
        return "M", "walking at it to load"
    if me.back and abs(now.off) <= 30:  # to and fro: a step back makes the room for the step that loads
        if now.walks and now.distance - 2 * me.rules.bot_radius >= 0.5 * me.rules.step_length:
            return "M", "walking at it to load"
        if now.backs:
            return me.back, "too close and empty, stepping back"
        return ("S0", "its back to the wall, resting to load") if now.menaced else sidestep(now)
    if me.back and now.foe.loaded and not (now.sideways and now.walks):
        return me.turn_to(now.foe), "turning to face it"
    command, why = sidestep(now)
    return command, f"{why} to load"


def _charge(now: Situation) -> tuple[str, str]:
    if now.ready and now.weak_spot:
        return "B", "its side or back is open, fire!"
    if now.bump and not now.me.loaded:
        return BUMP
    if now.ready and now.full:
        return "B", "fully loaded, fire!"
    if not now.close:
        return ("M", "closing in") if now.faced else (now.me.turn_to(now.foe), "turning to face it")
    return _attack(now) if now.open or now.hammers else sidestep(now)


def _shield(now: Situation) -> tuple[str, str]:
    me, foe = now.me, now.foe
    if now.ready and (now.begun or not foe.menaces(me)):
        return "B", "clear shot, fire!"
    if not me.shield:
        return _raise_shield(now)
    if not now.guarded:
        return me.turn_to(foe), "turning the shield to it"
    if now.open and not now.menaced and me.loaded:
        return (
            ("S0", "no danger, shield down for a shot") if now.lined_up else (me.turn_to(foe), "no danger, taking aim")
        )
    if me.rules.battery and not (now.menaced and now.shields):
        return "S0", "lowering the shield to load"
    return "S1", "staying behind the shield"


def _raise_shield(now: Situation) -> tuple[str, str]:
    me = now.me
    if not me.rules.battery or (now.menaced and now.shields):
        return "S1", "shield up"
    if abs(now.off) > 0.1 * me.rules.shield_degrees:
        return me.turn_to(now.foe), "turning to face it"
    if now.menaced or now.close or not now.walks:
        return "S0", "resting to load"
    return "M", "creeping up to load"


def _dodge(now: Situation) -> tuple[str, str]:
    # Whoever is not aimed at may sting, unless a step is begun; whoever is steps out of the line.
    me, sting = now.me, not now.menaced
    begun = now.begun == "dodge" and now.sideways
    if me.rules.battery:  # steps load it; two shots are worth an exchange, which is then fought out
        sting = sting or now.lined_up or me.charge >= 2 * me.rules.shot_charge
        begun = begun and not now.lined_up
    return _attack(now) if now.open and me.loaded and sting and not begun else sidestep(now)


def sidestep(now: Situation) -> tuple[str, str]:
    """Return a step past the foe, or the turn to one, to the side with more room."""
    me, step = now.me, now.me.rules.step_length
    if now.sideways and now.walks:
        return "M", "stepping aside"
    # To the side with more room, up to three steps; then the shorter turn.
    lean = 100 if now.touching else 90  # at contact a right angle may still bring the two nearer
    sides = sorted((now.off - lean, now.off + lean), key=lambda turn: (-min(me.free_ahead(turn), 3 * step), abs(turn)))
    return turn_token(shorter(sides[0])), "turning aside"


def retreat(now: Situation) -> tuple[str, str]:
    """Return a step to the corner that is farthest from the foe, or the turn to it; cover once it is there."""
    me, foe, step = now.me, now.foe, now.me.rules.step_length
    if now.backs and me.back and foe.loaded and not now.far:
        return me.back, "backing off, its front to the foe"
    x, y = _refuge(now)
    dx, dy = x - me.x, y - me.y
    if hypot(dx, dy) < 0.6 * step:
        command, why = _shield(now)
        return command, f"far enough: {why}"
    turn = shorter(degrees(atan2(dy, dx)) - me.rot)
    if now.touching and abs(shorter(turn - now.off)) < 95:
        # The other bot stands in the way: get off it first, to the side with room that is nearer.
        ways = [way for way in (shorter(now.off - 100), shorter(now.off + 100)) if me.free_ahead(way) >= 0.5 * step]
        if not ways:
            command, why = _attack(now)
            return command, f"cornered: {why}"
        turn = min(ways, key=abs)
    if abs(turn) > (3 if now.touching else 12):
        return turn_token(turn), "turning away"
    return "M", "getting away"


def _refuge(now: Situation) -> tuple[float, float]:
    """Return the corner that is farthest from the foe, not too far from here and not behind the foe."""
    me, foe, radius = now.me, now.foe, now.me.rules.bot_radius
    right, bottom = me.rules.arena_width - radius, me.rules.arena_height - radius

    def worth(corner: tuple[float, float]) -> float:
        x, y = corner
        way_x, way_y = x - me.x, y - me.y
        behind = (way_x * (foe.x - me.x) + way_y * (foe.y - me.y)) > 0.7 * hypot(way_x, way_y) * now.distance
        gain = hypot(x - foe.x, y - foe.y) - 0.4 * hypot(way_x, way_y)
        return gain - (hypot(right, bottom) if behind else 0.0)

    return max(((x, y) for x in (radius, right) for y in (radius, bottom)), key=worth)


def shorter(turn: float) -> float:
    """Return the same turn the shorter way round."""
    return (turn + 180) % 360 - 180


_SERVE: dict[str, Callable[[Situation], tuple[str, str]]] = {
    "attack": _fight, "charge": _charge, "retreat": retreat, "shield": _shield, "dodge": _dodge,
}  # fmt: skip
