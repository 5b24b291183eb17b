"""What would come of a play that a person could choose: where it leaves both, what would hit them, what they could hit.

As in `view/telegraph/lines.py`, everything is asked of `rules.step`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from batllm_arcade.core.commands import Command, Fire, Move, Nothing, Shield, StepBack
from batllm_arcade.core.flight import lined_up
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.refusal import refusal
from batllm_arcade.core.rules import step
from batllm_arcade.view.telegraph.lines import FireLine, StepGhost, fire_line, hurts, own_line, step_ghost

Choice = Literal["", "move", "retreat", "fire", "shield", "wait"]
"""A play that a person chooses and has not made yet; "" where they have chosen none."""
CHOICES: tuple[Choice, ...] = ("move", "retreat", "fire", "shield", "wait")
STEPS: tuple[Choice, ...] = ("move", "retreat")
_NAMED: dict[Choice, str] = {"move": "STEP", "retreat": "STEP BACK"}
"""How the words at a step's ring call it: both rings may be next to each other."""
_COMMANDS: dict[Choice, Command] = {
    "move": Move(None, "M"), "fire": Fire(), "shield": Shield(None, "S"), "wait": Nothing(),
}  # fmt: skip


def command_of(choice: Choice, rules: Rules) -> Command | None:
    """Return the command of a play, None where the rules have no such play."""
    if choice == "retreat":
        return StepBack(f"M-{rules.back_step}") if rules.back_step else None
    return _COMMANDS[choice]


@dataclass(frozen=True, slots=True)
class Prospect:
    """The arena `after` a play, what the other bot's shot would do there, and what the person's own would.

    `spent` is what the play takes from the person's charge, negative where it loads.
    """

    after: Arena
    threat: FireLine
    chance: FireLine
    spent: int

    @property
    def damage(self) -> float:
        """What the other bot's shot would take from the person's health, 0 where it cannot or does not hit."""
        return self.threat.damage if hurts(self.threat) else 0.0

    @property
    def hits(self) -> bool:
        """Whether a shot of the person's own would take health."""
        return hurts(self.chance)


def prospect(arena: Arena, bot: int, choice: Choice, rules: Rules) -> Prospect | None:
    """Return what comes of a play of bot `bot`, None if the rules refuse it or have none such."""
    command = command_of(choice, rules)
    if command is None or refusal(arena, bot, command, rules) is not None:
        return None
    after, _ = step(arena, bot, command, rules)
    spent = arena.bot(bot).charge - after.bot(bot).charge
    return Prospect(after, fire_line(after, 1 - bot, rules), own_line(after, bot, rules), spent)


def there(ghost: StepGhost, choice: Choice, found: Prospect, here: float, rules: Rules) -> StepGhost:
    """Return the ghost with what would hit the person where it stands, and what they could hit from there.

    `choice` is the step that leads there, `here` the health that a shot would take where they stand now.
    """
    words = struck_words(found.threat, rules) if found.damage else ""
    chance = struck_words(found.chance, rules, sign="") if found.hits else ""
    note = " ".join(part for part in (ghost.words, f"THEN {chance}" if chance else "") if part)
    threat = f"{_NAMED[choice]}: {words}" if words else ""
    return replace(ghost, words=note, threat=threat, worse=found.damage > here, struck=bool(words))


def struck_words(line: FireLine, rules: Rules, sign: str = "-") -> str:
    """Return what a line takes, and where: `-24 SIDE`, without armour `-5`; without a `sign` the part comes first."""
    part = line.part.upper() if rules.has_armour else ""
    found = (f"-{line.damage:g}", part) if sign else (part, f"{line.damage:g}")
    return " ".join(filter(None, found))


def likely_step(arena: Arena, bot: int, rules: Rules) -> tuple[StepGhost, Arena] | None:
    """Return where the other bot would stand after a step, and the arena then; None if it cannot or is shielded."""
    if arena.bot(1 - bot).shield:
        return None
    ghost = step_ghost(arena, 1 - bot, rules)
    if ghost is None:
        return None
    return replace(ghost, words=""), step(arena, 1 - bot, _COMMANDS["move"], rules)[0]


def has_reason_to_step(foe: FireLine, own: FireLine) -> bool:
    """Return whether the other bot would rather step than shoot: its gun is empty, or this one's shot would hit it."""
    return foe.held == "charge" or (hurts(own) and not hurts(foe))


def led(moved: Arena, bot: int, own: FireLine, rules: Rules) -> FireLine | None:
    """Return the person's line once the other bot has made that step, None where it hits nothing or the same as now."""
    if not lined_up(moved, bot, rules):
        return None
    line = fire_line(moved, bot, rules)
    same = own.outcome == "hit" and (own.part, own.damage) == (line.part, line.damage)
    return line if hurts(line) and not same else None
