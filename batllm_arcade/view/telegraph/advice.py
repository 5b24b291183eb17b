"""Advice to a person whose turn it is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from batllm_arcade.core.commands import Command, Fire, Move, Nothing, Rotate, Shield, StepBack
from batllm_arcade.core.flight import lined_up, part_towards
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.rules import refusal, runs_into, step
from batllm_arcade.story.moments import degrees_off
from batllm_arcade.view.telegraph.lines import (
    FireLine,
    PlayerKeys,
    StepGhost,
    fire_line,
    hurts,
    own_line,
    step_ghost,
    threatened,
)

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
    """The arena `after` a play, what the other bot's shot would do there, and what the person's own would."""

    after: Arena
    threat: FireLine
    chance: FireLine

    @property
    def damage(self) -> float:
        """What the other bot's shot would take from the person's health, 0 where it cannot or does not hit."""
        return self.threat.damage if hurts(self.threat) else 0.0


def prospect(arena: Arena, bot: int, choice: Choice, rules: Rules) -> Prospect | None:
    """Return what comes of a play of bot `bot`, None if the rules refuse it or have none such."""
    command = command_of(choice, rules)
    if command is None or refusal(arena, bot, command, rules) is not None:
        return None
    after, _ = step(arena, bot, command, rules)
    return Prospect(after, fire_line(after, 1 - bot, rules), own_line(after, bot, rules))


def there(ghost: StepGhost, choice: Choice, ahead: Prospect, here: float, rules: Rules) -> StepGhost:
    """Return the ghost with what would hit the person where it stands, and what they could hit from there.

    `choice` is the step that leads there, `here` the health that a shot would take where they stand now.
    """
    words = struck_words(ahead.threat, rules) if ahead.damage else ""
    chance = struck_words(ahead.chance, rules, sign="") if hurts(ahead.chance) else ""
    note = " ".join(part for part in (ghost.words, f"THEN {chance}" if chance else "") if part)
    threat = f"{_NAMED[choice]}: {words}" if words else ""
    return replace(ghost, words=note, threat=threat, worse=ahead.damage > here, struck=bool(words))


def struck_words(line: FireLine, rules: Rules, sign: str = "-") -> str:
    """Return what a line takes, and where: `-24 SIDE`, without armour `-5`; without a `sign` the part comes first."""
    part = line.part.upper() if rules.has_armour else ""
    parts = (f"-{line.damage:g}", part) if sign else (part, f"{line.damage:g}")
    return " ".join(filter(None, parts))


def bumped_ghost(arena: Arena, bot: int, ahead: Prospect, rules: Rules) -> StepGhost | None:
    """Return the other bot as a step leaves it that runs into it, and what is open to the next shot; None without."""
    if not runs_into(arena, bot, _COMMANDS["move"], rules):
        return None
    before, after, chance = arena.bot(1 - bot), ahead.after.bot(1 - bot), ahead.chance
    words = "BUMP"
    if hurts(chance):
        words = f"BUMP: {struck_words(chance, rules, sign='')} NEXT"
    elif chance.outcome == "hit" and rules.has_armour:
        words = f"BUMP: {chance.part.upper()} OPEN"
    return StepGhost(1 - bot, (before.x, before.y), (after.x, after.y), after.rot, words)


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


def loads_by_waiting(arena: Arena, bot: int, rules: Rules) -> bool:
    """Return whether one press waits here until the gun is loaded: it is empty, waiting loads it, nothing threatens."""
    me = arena.bot(bot)
    if not rules.battery or rules.rest_charge <= 0 or me.shield or me.charge >= rules.shot_charge:
        return False
    return not threatened(arena, bot, rules)


def waits_until_loaded(arena: Arena, bot: int, rules: Rules) -> bool:
    """Return whether waiting until the gun is loaded is sensible here: nothing threatens, and nothing loads faster.

    A turn away would give up the aim; a step ahead gives no more than standing still where something is in the way.
    """
    if not loads_by_waiting(arena, bot, rules) or not lined_up(arena, bot, rules):
        return False
    stepped, rested = (step(arena, bot, command, rules)[0].bot(bot).charge for command in (Move(None, "M"), Nothing()))
    return rested >= stepped


def waits_left(arena: Arena, bot: int, rules: Rules) -> int:
    """Return how many plays of waiting load the gun for a shot."""
    missing = rules.shot_charge - arena.bot(bot).charge
    return -(-missing // rules.rest_charge) if rules.rest_charge > 0 else 0


class Advice:
    """The sentences of one turn; what the aim does not change is asked once, and only if it is needed.

    `foe` is the other bot's line as long as nobody turns; `banks`: there is a shot off a wall that would take health.
    """

    def __init__(
        self, arena: Arena, rules: Rules, bot: int, keys: PlayerKeys, foe: FireLine, *, banks: bool = False
    ) -> None:
        self._arena, self._rules, self._bot, self._keys, self._foe = arena, rules, bot, keys, foe
        self._banks = banks

    def sentence(self, own: FireLine, foe: FireLine, *, turning: bool, leads: bool = False) -> str:
        """Return one sentence; the lines are those shown, which is after the turn while there is one.

        `leads`: they aim where the other bot is likely to step.
        """
        if own.outcome == "hit" and not own.held:
            last_chance = hurts(self._foe) and self._foe.final and not (own.final or turning)
            return self._way_out if last_chance and self._way_out else self._shot(own, foe, turning=turning)
        if hurts(self._foe):
            return self._escape
        if leads:
            shot = f"{self._keys.fire or 'a shot'} hits it if it steps"
            return f"turn, then {shot}" if turning else shot
        if own.held == "shield":
            if own.outcome != "miss":
                return self._lowering
            if foe.outcome == "blocked" and not foe.held:
                return "your shield breaks if it fires" if foe.breaks else "your shield holds"
            return self._aim
        if own.held == "charge":
            return self._load
        if own.outcome == "blocked":
            if own.breaks:
                return "its shield blocks this and breaks"
            return f"its shield blocks this{': aim off the wall' if self._banks else ''}"
        return self._aim

    def _shot(self, own: FireLine, foe: FireLine, *, turning: bool) -> str:
        does = "wins" if own.final else f"hits its {own.part}" if self._rules.has_armour else "hits it"
        off = " off the wall" if own.bounce is not None else ""
        words = f"{self._keys.fire or 'a shot'} {does}{off}"
        if turning:
            return f"turn, then {words}"
        if not hurts(foe) or own.final:
            first = own.part == "front" and own.bounce is None and self._opens and not own.final
            return f"{words}; {self._keys.move or 'a step'} bumps it first" if first else words
        if foe.final:
            return f"{words}, but its shot knocks you out"
        return f"{words}, but its shot costs you more" if foe.damage > own.damage else words

    # -- a play that is chosen --------------------------------------------------------------------

    def chosen(self, choice: Choice, ahead: Prospect) -> str:
        """Return what a play leaves, in one sentence."""
        after = self._struck(ahead)
        if choice == "shield":
            return self._raised(ahead) if ahead.after.bot(self._bot).shield else f"shield down: {after}"
        if choice in STEPS:
            return f"there {after}"
        return f"then {after}"

    def _struck(self, ahead: Prospect) -> str:
        if ahead.threat.outcome == "hit" and ahead.threat.held == "charge":
            return "it aims at you, but its gun is empty"
        if not ahead.damage:
            return "its shot does not hit you"
        if ahead.threat.final:
            return "its shot knocks you out"
        return f"its shot hits your {ahead.threat.part}" if self._rules.has_armour else "its shot hits you"

    def _raised(self, ahead: Prospect) -> str:
        threat = ahead.threat
        if threat.outcome == "blocked" and not threat.held:
            return "it breaks if hit" if threat.breaks else "it blocks; lowering it takes a play"
        if threat.outcome == "blocked":
            return "it would block; the other one is loading"
        return "it does not cover you there" if ahead.damage else "nothing to block"

    # -- what the aim does not change -------------------------------------------------------------

    @cached_property
    def _escape(self) -> str:
        """That the other bot aims, with the play after which its shot does the least, and what a shield would do."""
        if self._way_out:
            return self._way_out
        me, ahead = self._arena.bot(self._bot), self._prospect("move")
        if self._fades:
            return f"your shield fades now: {_with_key('lower it, that loads', self._keys.shield)}"
        if me.charge >= self._rules.shot_charge:
            return f"{self._warning}: aim back{self._or_off_the_wall}" if not me.shield else self._warning
        gained = ahead.after.bot(self._bot).charge - me.charge if ahead is not None else 0
        if ahead is not None and gained > self._rules.rest_charge and ahead.damage <= self._foe.damage:
            loads = f"{self._keys.move} loads" if self._keys.move else "a step loads"
            return f"{self._warning}: {loads}{self._or_off_the_wall}"
        if self._rules.bumps and self._arena.apart < 2 * self._rules.bot_radius + self._rules.step_length / 2:
            return f"{self._warning}: turn to it and bump it"
        return f"{self._warning}: aim off the wall" if self._banks else self._warning

    @cached_property
    def _lowering(self) -> str:
        lowered = self._prospect("shield")
        if lowered is None or not lowered.damage:
            return _with_key("lower the shield first", self._keys.shield)
        if lowered.threat.final:
            return "without your shield its shot knocks you out"
        return _with_key("lower it to fire, but its shot then hits you", self._keys.shield)

    @property
    def _fades(self) -> bool:
        kept = self._after(Nothing()).bot(self._bot).shield
        return bool(self._rules.battery) and self._arena.bot(self._bot).shield and not kept

    @cached_property
    def _opens(self) -> str:
        """What of the other bot is open once a step has run into it now, "" where none does or its front is."""
        if not runs_into(self._arena, self._bot, Move(None, "M"), self._rules):
            return ""
        after = self._after(Move(None, "M"))
        part = part_towards(after.bot(1 - self._bot), after.bot(self._bot), self._rules)
        return "" if part == "front" else part

    @property
    def _or_off_the_wall(self) -> str:
        return ", or aim off the wall" if self._banks else ""

    @property
    def _aim(self) -> str:
        return _with_key(f"aim at it{', or off the wall' if self._banks else ''}", self._keys.aim)

    @property
    def _warning(self) -> str:
        return "its shot knocks you out" if self._foe.final else "it aims at you"

    @cached_property
    def _way_out(self) -> str:
        keys, foe, least = self._keys, self._foe, self._foe.damage
        moved, raised, back = (self._prospect(choice) for choice in ("move", "shield", "retreat"))
        blocks = raised is not None and not raised.damage and not self._arena.bot(self._bot).shield
        if moved is not None and not moved.damage:
            does = ("bumps it", "bump it") if self._opens else ("steps aside", "step aside")
            return f"{self._warning}: {f'{keys.move} {does[0]}' if keys.move else does[1]}"
        if back is not None and not back.damage:
            return f"{self._warning}: {keys.retreat} steps back" if keys.retreat else f"{self._warning}: step back"
        if blocks and foe.final:
            return _with_key(f"{self._warning}: raise the shield", keys.shield)
        ways = []
        if moved is not None and moved.damage < least:
            least, ways = moved.damage, [f"{keys.move or 'a step'} costs less"]
        turned, words = self._turned
        if words and turned < least:
            ways = [words]
        if blocks:
            ways.append(f"{keys.shield or 'a shield'} would block, for two plays")
        return f"{self._warning}: {'; '.join(ways)}" if ways else ""

    @cached_property
    def _turned(self) -> tuple[float, str]:
        """What a shot takes once the person faces the other bot, and how to say so; no words if that does not help."""
        me, foe = self._arena.bot(self._bot), self._arena.bot(1 - self._bot)
        facing = Rotate(degrees_off(self._arena, self._bot), "")
        line = fire_line(self._after(facing), 1 - self._bot, self._rules)
        if not hurts(line):
            return 0.0, "turn your shield to it"
        less = line.damage < self._foe.damage and part_towards(me, foe, self._rules) != "front"
        return line.damage, "turn your front to it, that costs less" if less else ""

    @cached_property
    def _load(self) -> str:
        """How the gun is loaded from here: by a step, unless that gives no more than standing still."""
        bot, rules, keys = self._bot, self._rules, self._keys
        charge = self._arena.bot(bot).charge
        if self._opens:
            return f"{keys.move or 'a step'} bumps it: its {self._opens} is yours"
        stepped, rested = (self._after(command).bot(bot).charge for command in (Move(None, "M"), Nothing()))
        if stepped > rested:
            ahead = self._prospect("move")
            if ahead is not None and ahead.damage:
                return "a step would load, but into its line of fire"
            if self._banks:
                return f"load: {f'{keys.move} steps' if keys.move else 'step'}{self._or_off_the_wall}"
            return _with_key("step to load first", keys.move)
        if waits_until_loaded(self._arena, bot, rules):
            words = _with_key("wait until loaded", keys.wait)
            return f"{words}; or aim off the wall" if self._banks else words
        if rules.step_charge > rules.rest_charge and stepped < charge + rules.step_charge:
            return "load first: turn, then step"
        return _with_key("wait to load first", keys.wait) if rested > charge else "your gun is empty"

    def _prospect(self, choice: Choice) -> Prospect | None:
        return prospect(self._arena, self._bot, choice, self._rules)

    def _after(self, command: Command) -> Arena:
        return step(self._arena, self._bot, command, self._rules)[0]


def _with_key(words: str, key: str) -> str:
    return f"{words}: {key}" if key else words
