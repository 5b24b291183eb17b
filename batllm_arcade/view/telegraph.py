"""What a person sees coming in their turn: who would hit whom if a gun were fired now.

Everything is asked of `rules.step`, on arenas that never come to be: no rule is written a second time here. While a
person aims, only their own bot turns from frame to frame: what does not depend on that is asked once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from batllm_arcade.core.commands import Command, Fire, Move, Nothing, Rotate, Shield
from batllm_arcade.core.events import (
    BotHit,
    BotKnockedOut,
    BotMoved,
    BulletFlew,
    FireRefused,
    ShieldBroke,
    ShieldRefused,
    ShotBlocked,
)
from batllm_arcade.core.geometry import bearing, turn_between, wrapped
from batllm_arcade.core.model import Arena, BotState, Part, Rules
from batllm_arcade.core.rules import part_towards, step

Point = tuple[float, float]
Outcome = Literal["hit", "blocked", "miss"]
Held = Literal["", "charge", "shield"]
Place = Literal["bottom", "top", "middle"]
_NOTES: dict[Held, str] = {"": "", "charge": "YOUR GUN IS EMPTY", "shield": "YOUR SHIELD IS UP"}
_SHORTEST = 0.1
"""Radii that a step must go to be worth a ghost."""


@dataclass(frozen=True, slots=True)
class PlayerKeys:
    """The key of each action of the person asked, as printed on it; "" if there is none."""

    fire: str = ""
    move: str = ""
    shield: str = ""
    aim: str = ""
    wait: str = ""


@dataclass(frozen=True, slots=True)
class FireLine:
    """Where a bot's bullet would fly (world units) if it were fired now, and what it would do.

    `held` is why the gun cannot fire: too little charge, or the own shield; then the rest is what it would do if it
    could. `damage` is the health it would take, `part` where; `final` if that knocks the target out, `breaks` if
    a blocked bullet breaks the shield. `words` and the smaller `note` are written at its end.
    """

    bot: int
    start: Point
    end: Point
    outcome: Outcome
    held: Held = ""
    damage: float = 0.0
    part: Part = "front"
    final: bool = False
    breaks: bool = False
    words: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class StepGhost:
    """Where a step would land (world units), in which direction, and what it would load."""

    bot: int
    start: Point
    end: Point
    rot: float
    words: str


@dataclass(frozen=True, slots=True)
class Telegraph:
    """What is drawn in a person's turn: both lines of fire, their step, one sentence and where it hides no bot.

    `covered` is a part of the arena that something else lies over, (top, bottom) in shares of its height: no word of a
    line is written there.
    """

    own: FireLine
    foe: FireLine | None = None
    step: StepGhost | None = None
    title: str = ""
    banner: str = ""
    place: Place = "bottom"
    covered: tuple[float, float] | None = None


@lru_cache(maxsize=8)
def telegraph(
    arena: Arena,
    rules: Rules,
    bot: int,
    *,
    rot: float | None = None,
    turned: float = 0.0,
    keys: PlayerKeys = PlayerKeys(),
    title: str = "",
) -> Telegraph:
    """Return what the person of this bot sees; while they aim at `rot`, `turned` degrees from where the bot looks.

    Turns are made in whole degrees, so the aim is shown in them. The foe's line and the step are those of the arena
    after the turn, for that is what the foe would fire at.
    """
    whole = round(turned)
    next_arena = step(arena, bot, Rotate(whole, ""), rules)[0] if whole else arena
    me = arena.bot(bot)
    aimed = _with(arena, bot, wrapped(me.rot + whole if rot is None else rot + whole - turned))
    own, foe = own_line(aimed, bot, rules), foe_line(next_arena, 1 - bot, rules)
    words = banner(arena, bot, rules, (own, foe), keys, turning=bool(whole))
    return Telegraph(own, foe, step_ghost(next_arena, bot, rules), title, words, sentence_place(arena, rules))


@lru_cache(maxsize=8)
def aim_alone(arena: Arena, rules: Rules, bot: int, rot: float, *, named: bool) -> Telegraph:
    """Return the person's own line of fire and nothing else, with what it strikes if it is to be `named`."""
    line = own_line(_with(arena, bot, wrapped(rot)), bot, rules)
    return Telegraph(line if named else replace(line, held="", words="", note=""))


def _with(arena: Arena, bot: int, rot: float) -> Arena:
    me = arena.bot(bot)
    turned = BotState(me.x, me.y, rot, me.health, me.shield, me.charge)
    return Arena(arena.left, turned) if bot else Arena(turned, arena.right)


# -- lines of fire ------------------------------------------------------------------------------


def fire_line(arena: Arena, bot: int, rules: Rules) -> FireLine:
    """Return what this bot's shot would do now, without words."""
    held: Held = ""
    _, events = step(arena, bot, Fire(), rules)
    if isinstance(events[0], FireRefused):
        held, me = "charge" if events[0].reason == "charge" else "shield", arena.bot(bot)
        charge = max(me.charge, rules.shot_charge) if rules.battery else me.charge
        ready = BotState(me.x, me.y, me.rot, me.health, False, charge)
        _, events = step(Arena(arena.left, ready) if bot else Arena(ready, arena.right), bot, Fire(), rules)
    flew = next(event for event in events if isinstance(event, BulletFlew))
    outcome: Outcome = "miss"
    damage: float = 0.0
    part: Part = "front"
    final = breaks = False
    for event in events:
        if isinstance(event, BotHit):
            outcome, damage, part = "hit", event.damage, event.part
        elif isinstance(event, ShotBlocked):
            outcome = "blocked"
        final = final or isinstance(event, BotKnockedOut)
        breaks = breaks or isinstance(event, ShieldBroke)
    return FireLine(bot, flew.start, flew.end, outcome, held, damage, part, final, breaks)


def own_line(arena: Arena, bot: int, rules: Rules) -> FireLine:
    """Return the person's own line: it names what it would strike, and why the gun cannot fire."""
    line = fire_line(arena, bot, rules)
    words = "MISS"
    if line.outcome == "hit":
        words = f"{line.part.upper()} {line.damage:g}" if rules.has_armour else f"-{line.damage:g}"
    elif line.outcome == "blocked":
        words = "BREAKS SHIELD" if line.breaks else "SHIELD"
    return _worded(line, words, _NOTES[line.held])


@lru_cache(maxsize=16)
def foe_line(arena: Arena, bot: int, rules: Rules) -> FireLine:
    """Return the other bot's line: `HITS YOU` exactly where firing now would take that much health."""
    line = fire_line(arena, bot, rules)
    if line.held == "charge":
        return _worded(line, "", "ITS GUN IS EMPTY")
    if line.held or line.outcome == "miss":
        return line
    if line.outcome == "blocked":
        return _worded(line, "YOUR SHIELD BREAKS" if line.breaks else "YOUR SHIELD HOLDS")
    part = f" {line.part.upper()}" if rules.has_armour else ""
    return _worded(line, f"HITS YOU -{line.damage:g}{part}")


def _worded(line: FireLine, words: str, note: str = "") -> FireLine:
    return FireLine(
        line.bot, line.start, line.end, line.outcome, line.held, line.damage, line.part, line.final, line.breaks,
        words, note,
    )  # fmt: skip


def step_ghost(arena: Arena, bot: int, rules: Rules) -> StepGhost | None:
    """Return where a step lands and what it loads, None where something is right in the way."""
    after, events = step(arena, bot, Move(None, "M"), rules)
    moved = next(event for event in events if isinstance(event, BotMoved))
    (x, y), (end_x, end_y) = moved.start, moved.end
    if (end_x - x) ** 2 + (end_y - y) ** 2 < (_SHORTEST * rules.bot_radius) ** 2:
        return None
    gain = after.bot(bot).charge - arena.bot(bot).charge
    return StepGhost(bot, moved.start, moved.end, arena.bot(bot).rot, f"+{gain}" if gain > 0 else "")


# -- the sentence -------------------------------------------------------------------------------


def banner(
    arena: Arena, bot: int, rules: Rules, lines: tuple[FireLine, FireLine], keys: PlayerKeys, *, turning: bool
) -> str:
    """Return one sentence: what a shot would do, else what threatens and what helps, else what comes first.

    `lines` are the person's and the other's as they are shown, which is after the turn while there is one.
    """
    own, foe = lines
    if own.outcome == "hit" and not own.held:
        does = "knocks it out" if own.final else f"hits its {own.part}" if rules.has_armour else "hits it"
        return f"turn, then {keys.fire or 'a shot'} {does}" if turning else f"{keys.fire or 'a shot'} {does}"
    if _hurts(foe_line(arena, 1 - bot, rules) if turning else foe):
        return _escape(arena, bot, rules, keys)
    if own.held == "shield":
        if own.outcome != "miss":
            return _with_key("lower the shield first", keys.shield)
        if foe.outcome == "blocked" and not foe.held:
            return "your shield breaks if it fires" if foe.breaks else "your shield holds"
        return _with_key("aim at it", keys.aim)
    if own.held == "charge":
        return _load(arena, bot, rules, keys)
    if own.outcome == "blocked":
        return "its shield blocks this and breaks" if own.breaks else "its shield blocks this"
    return _with_key("aim at it", keys.aim)


def _with_key(words: str, key: str) -> str:
    return f"{words}: {key}" if key else words


def threatened(arena: Arena, bot: int, rules: Rules) -> bool:
    """Return whether the other bot's shot would hurt this one now."""
    return _hurts(fire_line(arena, 1 - bot, rules))


def _hurts(foe: FireLine) -> bool:
    return foe.outcome == "hit" and not foe.held


@lru_cache(maxsize=8)
def _escape(arena: Arena, bot: int, rules: Rules, keys: PlayerKeys) -> str:
    """Return that the other bot aims, with the plays after which its shot would do no harm."""
    ways = []
    if not _hurts(_after(arena, bot, Move(None, "M"), rules)):
        ways.append(f"{keys.move} steps aside" if keys.move else "step aside")
    after, events = step(arena, bot, Shield(True, "S1"), rules)
    raised = not arena.bot(bot).shield and not isinstance(events[0], ShieldRefused)
    if raised and not _hurts(foe_line(after, 1 - bot, rules)):
        ways.append(f"{keys.shield} blocks it" if keys.shield else "raise the shield")
    if ways:
        return f"it aims at you: {', '.join(ways)}"
    me, foe = arena.bot(bot), arena.bot(1 - bot)
    facing = turn_between(me.rot, bearing(foe.x - me.x, foe.y - me.y))
    now, turned = fire_line(arena, 1 - bot, rules), _after(arena, bot, Rotate(facing, ""), rules)
    if not _hurts(turned):
        return "it aims at you: turn your shield to it"
    if turned.damage < now.damage and part_towards(me, foe, rules) != "front":
        return "it aims at you: turn your front to it"
    return "it aims at you"


def _after(arena: Arena, bot: int, command: Command, rules: Rules) -> FireLine:
    """Return the other bot's line after this play of the person's."""
    return foe_line(step(arena, bot, command, rules)[0], 1 - bot, rules)


@lru_cache(maxsize=8)
def _load(arena: Arena, bot: int, rules: Rules, keys: PlayerKeys) -> str:
    """Return how the gun is loaded from here: by a step, unless that gives no more than standing still."""
    gains = [step(arena, bot, command, rules)[0].bot(bot).charge for command in (Move(None, "M"), Nothing())]
    if gains[0] > gains[1]:
        return f"load first: step {keys.move}".rstrip()
    if rules.step_charge > rules.rest_charge and gains[0] < arena.bot(bot).charge + rules.step_charge:
        return "load first: turn, then step"
    return f"load first: wait {keys.wait}".rstrip() if gains[1] > arena.bot(bot).charge else "your gun is empty"


def sentence_place(arena: Arena, rules: Rules) -> Place:
    """Return where in the arena's height a sentence hides no bot: two bots leave one of three bands free."""
    reach = 0.07 + 1.9 * rules.bot_radius / rules.arena_height
    heights = [bot.y / rules.arena_height for bot in (arena.left, arena.right)]
    bands: tuple[tuple[Place, float], ...] = (("bottom", 0.95), ("top", 0.05), ("middle", 0.5))
    free = [place for place, at in bands if all(abs(height - at) > reach for height in heights)]
    return free[0] if free else "bottom"
