"""What each act costs or gives, and what a hit takes: short lines for the help, read off the rules of `arena`."""

from __future__ import annotations

from batllm_arcade.core.armour import damage
from batllm_arcade.core.model import Rules

Price = tuple[str, str]
"""A figure and what it is for."""


def prices(rules: Rules) -> tuple[Price, ...]:
    """Return what each act does to the battery, and what each hit takes."""
    return (
        (f"+{rules.step_charge}", "a step, a half one at least"),
        (f"+{rules.rest_charge}", "a turn, waiting, a step back"),
        (f"-{rules.shot_charge}", "a shot, hit or miss"),
        (f"-{rules.shield_charge}", "a turn behind your shield"),
        (f"-{rules.block_charge}", "a bullet on your shield"),
        (f"{rules.battery}", f"at most; you begin with {rules.initial_charge}"),
        (f"{damage(0, 'front', rules):g}", "a hit in front takes"),
        (f"{damage(0, 'side', rules):g}", "a hit in the side"),
        (f"{damage(0, 'back', rules):g}", "a hit in the back"),
        (f"{damage(0, 'back', rules, bounced=True):g}", "any hit off the wall (arena)"),
    )
