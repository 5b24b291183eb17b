"""Four characters worth meeting; each is one function of what it sees, to read in a minute."""

from __future__ import annotations

from collections.abc import Callable

from batllm_arcade import BotBrain, BotClock, BotView, BrainKind, Spec, UsageError, hookimpl, turn_token

Character = Callable[[BotView, BotView, BotClock], "str | None"]


def blocked(me: BotView, foe: BotView) -> bool:
    """Whether your shield would stop a bullet fired now."""
    return foe.shield and foe.covers(me)


def in_danger(me: BotView, foe: BotView) -> bool:
    """Whether you could hit it right now."""
    return foe.aims_at(me) and not foe.shield and not blocked(foe, me)


def walks(me: BotView, foe: BotView) -> bool:
    """Whether there is room for a step, and nobody in the way."""
    touching = me.distance_to(foe) < 2.1 * me.rules.bot_radius and abs(me.bearing_to(foe)) < 90
    return me.free_ahead() > 0.1 * me.rules.bot_radius and not touching


def sideways(me: BotView, foe: BotView) -> bool:
    """Whether a step now would lead it past you."""
    return 35 < abs(me.bearing_to(foe)) < 145 and walks(me, foe)


def turn_aside(me: BotView, foe: BotView, clock: BotClock) -> str:
    """Turn to one side of you, for a step that changes the angle; where you are close, it has to lead away."""
    aside = 65 if me.distance_to(foe) > 3 * me.rules.bot_radius else 110
    return turn_token(me.bearing_to(foe) + clock.rng.choice((-aside, aside)))


def sharpshooter(me: BotView, foe: BotView, clock: BotClock) -> str:
    """Takes aim and fires; under fire it changes place, and a shield it cannot get through it walks around."""
    dice = clock.rng.random()
    if sideways(me, foe) and (in_danger(me, foe) or dice < 0.25):
        return "M"
    if not me.aims_at(foe):
        return me.turn_to(foe)
    if me.shield:
        return "S0"
    if blocked(me, foe):
        return "B" if dice < 0.5 else turn_aside(me, foe, clock)
    return turn_aside(me, foe, clock) if in_danger(me, foe) and dice < 0.12 else "B"


def turtle(me: BotView, foe: BotView, clock: BotClock) -> str:
    """Creeps up on you behind its shield, snaps when you are near or leave yourself open, and hides again."""
    dice = clock.rng.random()
    if not me.aims_at(foe):
        return me.turn_to(foe)
    if not me.shield:
        return "S1" if dice < (0.35 if in_danger(me, foe) else 0.1) else "B"
    return "M" if walks(me, foe) and me.distance_to(foe) > 4 * me.rules.bot_radius and dice < 0.6 else "S0"


def dancer(me: BotView, foe: BotView, clock: BotClock) -> str:
    """Circles you, shoots from the hip, and is gone before you have turned."""
    dice = clock.rng.random()
    if sideways(me, foe) and (in_danger(me, foe) or dice < 0.3):
        return "M"
    if me.shield:
        return "S0"
    if abs(me.bearing_to(foe)) > 12 or (not me.aims_at(foe) and dice < 0.7):
        return turn_token(me.bearing_to(foe) + clock.rng.uniform(-7, 7))
    if dice < (0.5 if blocked(me, foe) else 0.12):
        return turn_aside(me, foe, clock)
    return "B"


def random(me: BotView, foe: BotView, clock: BotClock) -> str:
    """Does anything at all, and shoots at you when it happens to be lined up."""
    if me.aims_at(foe) and not me.shield and clock.rng.random() < 0.8:
        return "B"
    turn = turn_token(clock.rng.uniform(-180, 180), 0)
    return clock.rng.choice(("M", "M", "M", turn, turn, me.turn_to(foe), "S", "B"))


CHARACTERS: dict[str, Character] = {f.__name__: f for f in (sharpshooter, turtle, dancer, random)}


def make(spec: Spec) -> BotBrain:
    """The character a spec names."""
    spec.allow(variants=tuple(CHARACTERS))
    if not spec.variant:
        raise UsageError(f"scripted needs a character: scripted:{' or scripted:'.join(CHARACTERS)}")
    return BotBrain(spec.variant, CHARACTERS[spec.variant])


@hookimpl
def batllm_brains() -> list[BrainKind]:
    about = {name: decide.__doc__ or "" for name, decide in CHARACTERS.items()}
    return [BrainKind("scripted", "a scripted character", make, variants=tuple(CHARACTERS), about=about)]
