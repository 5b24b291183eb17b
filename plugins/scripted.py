"""Four characters worth meeting; each is one function of what it sees, to read in a minute."""

from __future__ import annotations

from collections.abc import Callable

from batllm_arcade import BotBrain, BotClock, BotView, BrainKind, Spec, UsageError, hookimpl, turn_token

Character = Callable[[BotView, BotView, BotClock], "str | None"]


def blocked(me: BotView, foe: BotView) -> bool:
    """Whether your shield would stop a bullet fired now."""
    return foe.shield and foe.covers(me)


def walks(me: BotView, foe: BotView) -> bool:
    """Whether there is room for a step, and nobody in the way."""
    touching = me.distance_to(foe) < 2.1 * me.rules.bot_radius and abs(me.bearing_to(foe)) < 90
    return me.free_ahead() > 0.1 * me.rules.bot_radius and not touching


def sharpshooter(me: BotView, foe: BotView, clock: BotClock) -> str:
    """Turns to you and fires; a shield it cannot get through it walks around."""
    if not me.aims_at(foe):
        # Right after a step to the side it goes on around you now and then instead of turning back.
        return "M" if blocked(me, foe) and clock.rng.random() < 0.4 and walks(me, foe) else me.turn_to(foe)
    if me.shield:
        return "S0"
    if blocked(me, foe) and clock.rng.random() < 0.8:
        return turn_token(clock.rng.choice((-60, 60)))
    return "B"


def turtle(me: BotView, foe: BotView, clock: BotClock) -> str:
    """Creeps up on you behind its shield, and snaps when you leave yourself open."""
    if not me.aims_at(foe):
        return me.turn_to(foe)
    if not me.shield:
        return "S1" if blocked(me, foe) or clock.rng.random() < 0.2 else "B"
    if not blocked(me, foe) or not walks(me, foe) or clock.rng.random() < 0.2:
        return "S0"
    return "M"


def dancer(me: BotView, foe: BotView, clock: BotClock) -> str:
    """Never stands where you aim: steps aside, and shoots before you have turned."""
    sideways = abs(abs(me.bearing_to(foe)) - 90) < 40
    if foe.aims_at(me) and sideways and walks(me, foe) and clock.rng.random() < 0.9:
        return "M"
    if me.shield:
        return "S0"
    if not me.aims_at(foe):
        return me.turn_to(foe)
    if blocked(me, foe) or clock.rng.random() < 0.1:
        return turn_token(clock.rng.choice((-90, 90)))
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
