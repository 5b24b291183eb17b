"""The parts of a bot and what a bullet takes from its health where it strikes them."""

from __future__ import annotations

from batllm_arcade.core.geometry import bearing, rounded, turn_between
from batllm_arcade.core.model import BotState, Part, Rules


def part_at(off: float, rules: Rules) -> Part:
    """Return the part of a bot that is `off` degrees, 0 to 180, from its direction: its front as far as its shield."""
    if off <= rules.shield_degrees:
        return "front"
    return "back" if off >= 180 - rules.shield_degrees else "side"


def part_struck(rot: float, dx: float, dy: float, rules: Rules) -> Part:
    """Return the part that the vector (dx, dy) from the centre of a bot with direction `rot` leads to."""
    return part_at(rounded(abs(turn_between(rot, bearing(dx, dy)))), rules)


def part_towards(bot: BotState, other: BotState, rules: Rules) -> Part:
    """Return the part of `bot` that is towards the other's centre; the front where both stand on one spot."""
    dx, dy = other.x - bot.x, other.y - bot.y
    return part_struck(bot.rot, dx, dy, rules) if dx or dy else "front"


def damage(actor: int, part: Part, rules: Rules, *, bounced: bool = False) -> float:
    """Return what a bullet of bot `actor` takes from a target's health where it strikes that part.

    Where it has `bounced` off a wall before, the part counts `bounce_cap` times the front at most.
    """
    times = 1 if part == "front" else rules.side_damage if part == "side" else rules.back_damage
    if bounced and 0 < rules.bounce_cap < times:
        times = rules.bounce_cap
    full = rules.bullet_damage[actor]
    return full if times == 1 else rounded_health(full * times)


def rounded_health(value: float) -> float:
    """Health like any figure of a state; whole numbers stay whole."""
    return round(value, 9) if type(value) is float else value
