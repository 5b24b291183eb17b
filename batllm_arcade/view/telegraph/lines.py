"""What a person sees coming in their turn: who would hit whom if a gun were fired now.

Everything is asked of `rules.step`, on arenas that never come to be: no rule is written a second time here. What a
person sees while they aim is put together in `view/telegraph/person_turn.py`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from batllm_arcade.core.commands import Command, Fire, Move
from batllm_arcade.core.events import (
    BotBumped,
    BotHit,
    BotKnockedOut,
    BotMoved,
    BulletFlew,
    FireRefused,
    ShieldBroke,
    ShotBlocked,
)
from batllm_arcade.core.geometry import wrapped
from batllm_arcade.core.model import Arena, Part, Rules
from batllm_arcade.core.rules import step

Point = tuple[float, float]
Outcome = Literal["hit", "blocked", "miss"]
Held = Literal["", "charge", "shield"]
Place = Literal["bottom", "top", "middle"]
_NOTES: dict[Held, str] = {"": "", "charge": "YOUR GUN IS EMPTY", "shield": "YOUR SHIELD IS UP"}
OFF_THE_WALL = "OFF THE WALL"
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
    retreat: str = ""


@dataclass(frozen=True, slots=True)
class FireLine:
    """Where a bot's bullet would fly (world units) if it were fired now, and what it would do.

    `bounce` is the point on a wall that it would come off, None where it flies straight.

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
    bounce: Point | None = None

    @property
    def path(self) -> tuple[Point, ...]:
        """Return the corners of its way."""
        return (self.start, self.end) if self.bounce is None else (self.start, self.bounce, self.end)


@dataclass(frozen=True, slots=True)
class StepGhost:
    """Where a step would land (world units), in which direction, and what it would load."""

    bot: int
    start: Point
    end: Point
    rot: float
    words: str
    threat: str = ""
    """What would hit the person there, "" where nothing would at once."""
    worse: bool = False
    """Whether that is more than what would hit them where they stand."""
    struck: bool = False
    """Whether a shot would hit them there at once, in words or not."""


@dataclass(frozen=True, slots=True)
class Telegraph:
    """What is drawn in a person's turn: both lines of fire, their steps, one sentence and where it hides no bot.

    `foe_step` is where the other bot would stand after a step that it has reason to make. While a play is `chosen`, the
    lines are those after it, and `leaves` says of a shield what it leaves of the charge, with a note below it.
    `marks` are the points on the walls off which a shot of the person's would take health, `reach` where the barrel
    looks and how far one play turns it, both in degrees.
    `step` and `back` are the plays that a key or the wheel would make now, `aimed_step` is the step after the turn that
    is aimed; `shoved` is the other bot after a chosen step that runs into it.
    `covered` is a part of the arena that something else lies over, (top, bottom) in shares of its height: no word of a
    line is written there.
    """

    own: FireLine
    foe: FireLine | None = None
    step: StepGhost | None = None
    foe_step: StepGhost | None = None
    back: StepGhost | None = None
    aimed_step: StepGhost | None = None
    shoved: StepGhost | None = None
    chosen: str = ""
    leaves: tuple[str, str] = ("", "")
    title: str = ""
    banner: str = ""
    place: Place = "bottom"
    covered: tuple[float, float] | None = None
    marks: tuple[Point, ...] = ()
    reach: tuple[float, float] | None = None


def aim_alone(arena: Arena, rules: Rules, bot: int, rot: float, *, named: bool) -> Telegraph:
    """Return the person's own line of fire and nothing else, with what it strikes if it is to be `named`."""
    line = own_line(turned_to(arena, bot, rot), bot, rules)
    return Telegraph(line if named else replace(line, held="", words="", note=""))


def turned_to(arena: Arena, bot: int, rot: float) -> Arena:
    """Return the arena with a bot that looks in another direction, whether or not it could turn there."""
    return arena.replaced(bot, replace(arena.bot(bot), rot=wrapped(rot)))


def fire_line(arena: Arena, bot: int, rules: Rules) -> FireLine:
    """Return what this bot's shot would do now, without words."""
    held: Held = ""
    _, events = step(arena, bot, Fire(), rules)
    if isinstance(events[0], FireRefused):
        held, me = "charge" if events[0].reason == "charge" else "shield", arena.bot(bot)
        charge = max(me.charge, rules.shot_charge) if rules.battery else me.charge
        _, events = step(arena.replaced(bot, replace(me, shield=False, charge=charge)), bot, Fire(), rules)
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
    return FireLine(bot, flew.start, flew.end, outcome, held, damage, part, final, breaks, bounce=flew.bounce)


def own_line(arena: Arena, bot: int, rules: Rules) -> FireLine:
    """Return the person's own line: it names what it would strike, and why the gun cannot fire."""
    line = fire_line(arena, bot, rules)
    words = "MISS"
    if line.outcome == "hit":
        words = f"{line.part.upper()} {line.damage:g}" if rules.has_armour else f"-{line.damage:g}"
    elif line.outcome == "blocked":
        words = "BREAKS SHIELD" if line.breaks else "SHIELD"
    off = OFF_THE_WALL if line.bounce is not None and line.outcome != "miss" else ""
    return replace(line, words=words, note=_NOTES[line.held] or off)


def foe_line(arena: Arena, bot: int, rules: Rules, *, there: bool = False) -> FireLine:
    """Return the other bot's line: `HITS YOU` exactly where firing now would take that much health.

    `there`: the arena is that after a step, where it would hit.
    """
    line = fire_line(arena, bot, rules)
    if line.held == "charge":
        return replace(line, note="ITS GUN IS EMPTY")
    if line.held or line.outcome == "miss":
        return line
    off = OFF_THE_WALL if line.bounce is not None else ""
    if line.outcome == "blocked":
        return replace(line, words="YOUR SHIELD BREAKS" if line.breaks else "YOUR SHIELD HOLDS", note=off)
    part = f" {line.part.upper()}" if rules.has_armour else ""
    return replace(line, words=f"{'THERE' if there else 'HITS YOU'} -{line.damage:g}{part}", note=off)


def step_ghost(arena: Arena, bot: int, rules: Rules, command: Command = Move(None, "M")) -> StepGhost | None:  # noqa: B008, frozen
    """Return where a step lands and what it loads or runs into, None where something is right in the way.

    `command` is the step: one forwards, or one back.
    """
    after, events = step(arena, bot, command, rules)
    moved = next(event for event in events if isinstance(event, BotMoved))
    (x, y), (end_x, end_y) = moved.start, moved.end
    if any(isinstance(event, BotBumped) for event in events):
        return StepGhost(bot, moved.start, moved.end, arena.bot(bot).rot, "BUMP")
    if (end_x - x) ** 2 + (end_y - y) ** 2 < (_SHORTEST * rules.bot_radius) ** 2:
        return None
    gain = after.bot(bot).charge - arena.bot(bot).charge
    return StepGhost(bot, moved.start, moved.end, arena.bot(bot).rot, f"+{gain}" if gain > 0 else "")


def threatened(arena: Arena, bot: int, rules: Rules) -> bool:
    """Return whether the other bot's shot would hurt this one now."""
    return hurts(fire_line(arena, 1 - bot, rules))


def hurts(foe: FireLine) -> bool:
    """Return whether a shot along this line would take health, and the gun can fire."""
    return foe.outcome == "hit" and not foe.held


def sentence_place(arena: Arena, rules: Rules) -> Place:
    """Return where in the arena's height a sentence hides no bot: two bots leave one of three bands free."""
    above, below = (0.07 + radii * rules.bot_radius / rules.arena_height for radii in (1.5, 1.9))  # its bar is over it
    heights = [bot.y / rules.arena_height for bot in (arena.left, arena.right)]
    bands: tuple[tuple[Place, float], ...] = (("bottom", 0.95), ("top", 0.05), ("middle", 0.5))
    free = [place for place, at in bands if not any(at - above < height < at + below for height in heights)]
    return free[0] if free else "bottom"
