"""Four characters worth meeting; each is one function of what it sees, to read in a minute."""

from __future__ import annotations

from collections.abc import Callable

from batllm_arcade import BotBrain, BotClock, BotView, BrainKind, Spec, UsageError, hookimpl, turn_token

Character = Callable[[BotView, BotView, BotClock], "str | None"]


def sharpshooter(me: BotView, foe: BotView, clock: BotClock) -> str:
    """Turns to you and fires, and walks around a shield it cannot get through."""
    if not me.aims_at(foe):
        return me.turn_to(foe)
    if foe.shield and foe.covers(me):
        # Firing at a shield is a waste: step to the side now and then until its flank is open.
        return "M" if clock.rng.random() < 0.4 else turn_token(60 if clock.rng.random() < 0.5 else -60)
    return "S0" if me.shield else "B"


def turtle(me: BotView, foe: BotView, clock: BotClock) -> str:
    """Keeps its shield towards you, waits until yours is down, and snaps."""
    off = abs(me.bearing_to(foe))
    if off > 20:
        return me.turn_to(foe)
    opening = not foe.shield or not foe.covers(me)
    if opening and not foe.aims_at(me):
        return "S0" if me.shield else "B"
    if not me.shield:
        return "B" if opening and me.aims_at(foe) and clock.rng.random() < 0.5 else "S1"
    return "M" if clock.rng.random() < 0.6 else me.turn_to(foe)


def dancer(me: BotView, foe: BotView, clock: BotClock) -> str:
    """Never stands where you aim: sidesteps, circles, and shoots from the turn."""
    if foe.aims_at(me) and not foe.shield:
        sideways = abs(abs(me.bearing_to(foe)) - 90) < 40
        if sideways and me.free_ahead() > 0:
            return "M"
        return turn_token(180 if sideways else me.bearing_to(foe) + clock.rng.choice((-90, 90)))
    if me.shield:
        return "S0"
    if me.aims_at(foe):
        return "B" if not (foe.shield and foe.covers(me)) or clock.rng.random() < 0.3 else "M"
    return me.turn_to(foe) if clock.rng.random() < 0.8 else "M"


def random(me: BotView, foe: BotView, clock: BotClock) -> str:
    """Does anything at all, and shoots at you when it happens to be lined up."""
    if me.aims_at(foe) and not me.shield:
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
