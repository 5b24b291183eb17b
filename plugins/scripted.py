"""Characters worth meeting: all but one are a function each of what they see, the strategist looks ahead."""

from __future__ import annotations

from collections.abc import Callable
from math import atan2, copysign, degrees, inf

from batllm_arcade import (
    BotBrain,
    BotClock,
    BotView,
    BrainKind,
    Option,
    Spec,
    UsageError,
    hookimpl,
    level_of,
    likely_plays,
    outlook,
    rookie_lapse,
    turn_token,
)

Character = Callable[[BotView, BotView, BotClock], "str | None"]


def blocked(me: BotView, foe: BotView) -> bool:
    """Whether your shield would stop a bullet fired now."""
    strike = me.strike(foe) if foe.shield else None
    return foe.shield and (strike.part == "front" if strike and strike.off_wall else foe.covers(me))


def off_a_wall(me: BotView, foe: BotView) -> str | None:
    """Return the shot off a wall that is lined up, or the turn to one where your shield stops the straight one."""
    if not me.rules.ricochet or not me.loaded or me.shield:
        return None
    if me.aims_at(foe) and not me.faces(foe) and not blocked(me, foe):
        return "B"
    if not (foe.shield and foe.covers(me)):
        return None
    shot = next((shot for shot in me.banks(foe) if shot.damage and not bares(me, foe, shot.turn)), None)
    return shot and turn_token(shot.turn)


def bares(me: BotView, foe: BotView, turn: float) -> bool:
    """Whether a turn would leave more than its front towards you while you are loaded."""
    return foe.loaded and abs((turn - me.bearing_to(foe) + 180) % 360 - 180) > me.rules.shield_degrees


def to_and_fro(me: BotView, foe: BotView) -> str | None:
    """Return the step forward or back that loads an empty gun near you, its front to you; None where none does.

    A step back makes the room for the step forward that loads.
    """
    if not me.back or me.loaded or me.shield or abs(me.bearing_to(foe)) > 30:
        return None
    gap, half = me.distance_to(foe) - 2 * me.rules.bot_radius, 0.5 * me.rules.step_length
    if half <= gap < 3 * half and me.free_ahead() >= half:
        return "M"
    return me.back if gap < half and me.can_step_back(foe) else None


def bump(me: BotView, foe: BotView) -> str | None:
    """Return the step into your front that spins you, for whoever is empty or about to be shot; None without one."""
    if (me.loaded and not foe.menaces(me)) or me.shield or foe.part_towards(me) != "front" or not me.bumps(foe):
        return None
    after = me.simulate("M")
    return None if after.foe.part_towards(after.me) == "front" else "M"


def in_danger(me: BotView, foe: BotView) -> bool:
    """Whether you could hit it right now."""
    return foe.menaces(me) and not blocked(foe, me)


def sideways(me: BotView, foe: BotView) -> bool:
    """Whether a step now would lead it past you."""
    return 35 < abs(me.bearing_to(foe)) < 145 and me.can_step(foe)


def spare(me: BotView, charge: int) -> bool:
    """Whether its battery holds that much, or there is none."""
    return me.charge >= charge or not me.rules.battery


def turn_aside(me: BotView, foe: BotView, clock: BotClock) -> str:
    """Turn to one side of you, for a step that changes the angle; where you are close, it has to lead away.

    Where there is a step back, to a side with room for a step, along the wall if need be.
    """
    aside = 65 if me.distance_to(foe) > 3 * me.rules.bot_radius else 110
    towards, side = me.bearing_to(foe), clock.rng.choice((-aside, aside))
    if me.back:
        half, sides = 0.5 * me.rules.step_length, (side, -side, copysign(90, side), -copysign(90, side))
        side = next((each for each in sides if me.free_ahead(towards + each) >= half), side)
    return turn_token(towards + side)


def sharpshooter(me: BotView, foe: BotView, clock: BotClock) -> str | None:
    """Walks straight at you, loads on the way and fires; under fire it changes place."""
    dice, menaced = clock.rng.random(), foe.menaces(me)
    if sideways(me, foe) and (in_danger(me, foe) or (not me.loaded and dice < 0.5)):
        return "M"
    if token := bump(me, foe) or off_a_wall(me, foe) or to_and_fro(me, foe):
        return token
    if not me.faces(foe):  # by the rules of `arena` it does not follow every step of yours with its barrel
        return turn_to_next(me, foe, me.back if dice < 0.3 else "M") if me.back else me.turn_to(foe)
    if me.shield:
        return None if menaced and not me.loaded and me.charge > 1 else "S0"
    if me.loaded and not (blocked(me, foe) and dice < 0.7):
        return "B"
    if menaced and spare(me, 3) and dice < 0.6:
        return "S1"
    return "M" if me.can_step(foe) and me.distance_to(foe) > 3 * me.rules.bot_radius else turn_aside(me, foe, clock)


def turtle(me: BotView, foe: BotView, clock: BotClock) -> str | None:
    """Never takes its eyes off you, creeps up and hides behind its shield whenever you could fire."""
    dice, menaced = clock.rng.random(), foe.menaces(me)
    if token := bump(me, foe) or off_a_wall(me, foe) or to_and_fro(me, foe):
        return token
    if abs(me.bearing_to(foe)) > 5:
        return me.turn_to(foe)
    if me.shield:
        return None if menaced and spare(me, 2) and not (me.loaded and dice < 0.5) else "S0"
    if me.loaded and not blocked(me, foe):
        return "S1" if menaced and dice < 0.25 and spare(me, 3) else "B"
    if menaced and spare(me, 3):
        return "S1"
    return "M" if me.can_step(foe) and dice < 0.8 else None


def dancer(me: BotView, foe: BotView, clock: BotClock) -> str:
    """Circles you until it is fully loaded, then shoots at where you are about to be."""
    dice = clock.rng.random()
    if me.shield:
        return "S0"
    if sideways(me, foe) and (in_danger(me, foe) or not spare(me, 3 if dice < 0.4 else 8)):
        return "M"
    touching = me.distance_to(foe) < 2.1 * me.rules.bot_radius
    if token := (foe.shield and off_a_wall(me, foe)) or (touching and (bump(me, foe) or to_and_fro(me, foe))):
        return token
    if not me.loaded or (blocked(me, foe) and dice < 0.8):
        return turn_aside(me, foe, clock)
    if me.aims_at(foe):
        return "B"
    return turn_to_next(me, foe)


def turn_to_next(me: BotView, foe: BotView, step: str = "M") -> str:
    """Turn to the middle between you and where your next step leads, which may be one back."""
    ahead = foe.simulate(step).me
    dx, dy = (foe.x + ahead.x) / 2 - me.x, (foe.y + ahead.y) / 2 - me.y
    return turn_token(degrees(atan2(dy, dx)) - me.rot)


def random(me: BotView, foe: BotView, clock: BotClock) -> str:
    """Does anything at all, and shoots at you when it happens to be lined up."""
    if me.aims_at(foe) and me.loaded and not me.shield and clock.rng.random() < 0.8:
        return "B"
    turn = turn_token(clock.rng.uniform(-180, 180), 0)
    return clock.rng.choice(("M", "M", "M", turn, turn, me.turn_to(foe), "S", "B", *([me.back] if me.back else [])))


CHARACTERS: dict[str, Character] = {f.__name__: f for f in (sharpshooter, turtle, dancer, random)}


# Looking ahead

DEPTHS = (1, 2, 3, 4)
"""How many plays the strategist may look ahead."""
WHIM = 0.4
"""Moves that differ by less are all the same to it: chance decides."""


class Strategist:
    """Looks some plays ahead, the opponent's among them, and takes for granted that you find your best answer."""

    def __init__(self, depth: int) -> None:
        self.depth = depth

    def __call__(self, me: BotView, foe: BotView, clock: BotClock) -> str | None:
        """Return the best of the moves worth considering, as far as it can see."""
        best, chosen = -inf, None
        for token in likely_plays(me, foe):
            whim = WHIM * clock.rng.random()
            least = best - whim
            worth = outlook(me, token, self.depth, least)
            if worth > least:
                best, chosen = worth + whim, token
        return chosen


def target(me: BotView, foe: BotView, clock: BotClock) -> str | None:
    """Stands still, for practice."""
    return None


# Levels

LEVELS = {
    "rookie": "hesitates, forgets its shield, and looks a play less ahead if it looks ahead at all",
    "merciless": "looks further ahead, and does what it is known for only where nothing is clearly better",
}
"""What a level other than `regular` changes, as shown on the card."""
CLEARLY = 4.0
"""By how many points of health another move must be better for the merciless to leave its character."""


def at_level(decide: Character, level: str) -> Character:
    """Return a character as it plays at a level; at `regular` it is the same function."""

    def rookie(me: BotView, foe: BotView, clock: BotClock) -> str | None:
        token = decide(me, foe, clock)
        return None if rookie_lapse(token, clock.rng) else token

    def merciless(me: BotView, foe: BotView, clock: BotClock) -> str | None:
        token = decide(me, foe, clock)
        worth = {move: outlook(me, move, 2, -inf) for move in (token, *likely_plays(me, foe))}
        best = max(worth, key=worth.__getitem__)
        return best if worth[best] > worth[token] + CLEARLY else token

    return {"rookie": rookie, "regular": decide, "merciless": merciless}[level]


# The kind of brain


def make(spec: Spec) -> BotBrain:
    """The character a spec names."""
    spec.allow("level", *(("depth",) if spec.variant == "strategist" else ()), variants=VARIANTS)
    level = level_of(spec)
    if not spec.variant:
        raise UsageError(f"scripted needs a character: scripted:{' or scripted:'.join(VARIANTS)}")
    if spec.variant == "target":
        return BotBrain(spec.variant, target)
    if spec.variant != "strategist":
        return BotBrain(spec.variant, at_level(CHARACTERS[spec.variant], level))
    depth = spec.text("depth", "2")
    if depth not in map(str, DEPTHS):
        raise UsageError(f"depth of scripted:strategist must be one of {', '.join(map(str, DEPTHS))}, not {depth!r}")
    seen = int(depth) + {"rookie": -1, "regular": 0, "merciless": 1}[level]
    strategist = Strategist(min(max(seen, DEPTHS[0]), DEPTHS[-1]))
    return BotBrain(spec.variant, at_level(strategist, level) if level == "rookie" else strategist)


VARIANTS = (*CHARACTERS, "strategist", "target")
OPTIONS = (
    Option("level", "choice", "regular", "how well it plays", ("rookie", "regular", "merciless")),
    Option("depth", "choice", "2", "how many turns it looks ahead", tuple(map(str, DEPTHS)), variants=("strategist",)),
)


@hookimpl
def batllm_brains() -> list[BrainKind]:
    about = {
        name: decide.__doc__ or ""
        for name, decide in {**CHARACTERS, "strategist": Strategist, "target": target}.items()
    }
    summary = "a scripted character"
    return [BrainKind("scripted", summary, make, variants=VARIANTS, about=about, levels=LEVELS, options=OPTIONS)]
