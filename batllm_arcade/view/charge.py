"""How a bot's charge is shown: one cartridge per shot, whatever the rules' figures are."""

from __future__ import annotations

from batllm_arcade.core.events import FireRefused, ShieldRefused
from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import Play

MOST_CARTRIDGES = 9
"""A battery with more shots than that is shown as one."""


def cartridges(rules: Rules) -> tuple[int, ...]:
    """Return what each cartridge holds: one per shot, then a smaller one for the rest; none without a battery."""
    battery, shot = rules.battery, rules.shot_charge
    if not battery:
        return ()
    if not shot or battery // shot > MOST_CARTRIDGES:
        return (battery,)
    rest = battery % shot
    return (shot,) * (battery // shot) + ((rest,) if rest else ())


def filled(rules: Rules, charge: int) -> tuple[int, ...]:
    """Return how much of the charge is in each cartridge; they fill one after the other."""
    left, found = charge, []
    for size in cartridges(rules):
        found.append(max(0, min(size, left)))
        left -= size
    return tuple(found)


def is_loaded(rules: Rules, charge: int) -> bool:
    """Return whether the charge is enough for a shot; False without a battery."""
    return bool(rules.battery) and charge >= rules.shot_charge


def is_weak(rules: Rules, charge: int) -> bool:
    """Return whether the next bullet, or the next play behind it, ends a shield that is up."""
    return bool(rules.battery) and charge <= max(rules.block_charge, rules.shield_charge)


def uncharged(play: Play, rules: Rules) -> str:
    """Return why the play's fire or shield was refused for want of charge, "" if it was not."""
    charge = play.before.bot(play.bot).charge
    for event in play.events:
        if isinstance(event, ShieldRefused):
            return f"no shield: charge {charge} of {rules.shield_charge + 1}"
        if isinstance(event, FireRefused) and event.reason == "charge":
            return f"too little charge: {charge} of {rules.shot_charge}"
    return ""


def resting(play: Play, rules: Rules) -> str:
    """Return why a bot does nothing: `rests to load` where that loads a gun that is empty, else `waits`."""
    empty = rules.battery and rules.rest_charge and play.before.bot(play.bot).charge < rules.shot_charge
    return "rests to load" if empty else "waits"
