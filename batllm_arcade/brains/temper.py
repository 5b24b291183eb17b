"""What of orders shapes a style: when a case of theirs holds, and what their manner makes of a play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import hypot, inf

from batllm_arcade.brains import tactics
from batllm_arcade.brains.manner import Manner, guards, keeps
from batllm_arcade.brains.tactics import Situation, covered

HOLDS: Mapping[str, Callable[[Situation], bool]] = {
    "hurt": lambda now: now.me.health < 0.5 * now.me.full_health,
    "weak": lambda now: now.foe.health < 0.5 * now.foe.full_health,
    "empty": lambda now: bool(now.me.rules.battery) and not now.foe.loaded,
    "near": lambda now: now.distance < 2 * now.me.rules.bot_radius + 2 * now.me.rules.step_length,
    "armed": lambda now: now.foe.loaded,
    "aimed": lambda now: now.menaced,
    "loaded": lambda now: now.me.loaded,
    "away": lambda now: now.foe.part_towards(now.me) != "front",
    "far": lambda now: now.distance > 0.35 * hypot(now.me.rules.arena_width, now.me.rules.arena_height),
    "shielded": lambda now: now.foe.shield,
    "ahead": lambda now: now.me.health > now.foe.health,
    "behind": lambda now: now.me.health < now.foe.health,
    "spent": lambda now: not now.me.loaded,
}
"""When a condition of `cases.CONDITIONS` holds."""


def tempered(
    manner: Manner, style: str, now: Situation, command: str | None, why: str, chance: float
) -> tuple[str | None, str]:
    """Return the command for a style in a manner, and why: the style's own where nothing speaks against it."""
    me, rules = now.me, now.me.rules
    spare = me.charge >= 2 * rules.shot_charge or not rules.battery  # a shield that leaves a shot behind it
    if now.menaced and spare and not me.shield and covered(now.me, now.foe) and chance < guards(style, manner):
        return "S1", "aimed at, shield up"
    sure = now.weak_spot or now.foe.health <= me.bullet_damage or now.full or not now.foe.loaded
    if command == "B" and rules.battery and not sure and chance > 1 - manner.holds:
        command, why = load(now, keeps(style, manner)) if style != "camp" else (None, "resting to load")
        return command, f"holding its shot, {why}"
    nearer = now.walks and now.distance - rules.step_length >= keeps(style, manner) > 0
    if command == "B" and not sure and now.faced and nearer and chance < manner.closes:
        return "M", "closing in before it fires"
    idle = command in (None, "S0", me.back, "M") and not (me.loaded or me.shield) and abs(now.off) < 60
    if idle and rules.battery and style != "camp" and chance > 1 - manner.strays:
        command, why = tactics.sidestep(now)
        return command, f"{why} to load"
    room = now.distance - (style != "shield") * rules.step_length  # behind a shield it may come a step nearer
    if command == "M" and abs(now.off) < 60 and room < keeps(style, manner):
        if not me.shield:
            return load(now, keeps(style, manner))
        off = now.backs and me.back and now.distance < keeps(style, manner) - rules.step_length
        return (me.back, "backing off behind the shield") if off else ("S1", "staying behind the shield")
    return command, why


def load(now: Situation, keep: float) -> tuple[str | None, str]:
    """Return the play that loads at a distance that is kept, its front to the foe where it can be, and why."""
    me, rules = now.me, now.me.rules
    if me.shield:
        return "S0", "lowering the shield to load"
    if abs(now.off) > 30:
        return me.turn_to(now.foe), "turning to face it"
    pressed = max(2 * rules.bot_radius + rules.step_length, 0.8 * keep)  # under its gun a step forward loads best
    if now.walks and now.distance - rules.step_length >= min(keep, pressed if now.foe.aims_at(me) else keep):
        return "M", "walking at it to load"
    if now.backs and me.back:
        return me.back, "stepping back to load"
    if keep < inf and now.walks and now.distance > 3.2 * rules.bot_radius:
        return "M", "stepping forward to load"
    return tactics.sidestep(now) if keep < inf and rules.battery and not now.menaced else (None, "resting to load")
