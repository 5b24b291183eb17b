"""The sentence of a person's turn: what a shot would do, else what threatens and what helps, else what comes first.

Plays are compared by what they leave: the health that the other bot's shot would take, and the turns that they cost.
How much that is stands at the lines and rings, and only there: the sentence names no health.
"""

from __future__ import annotations

import math
from functools import cached_property

from batllm_arcade.core.armour import part_towards
from batllm_arcade.core.commands import Command, Move, Nothing, Rotate
from batllm_arcade.core.geometry import bearing, turn_between
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.rules import step
from batllm_arcade.view.telegraph.lines import FireLine, PlayerKeys, fire_line, hurts
from batllm_arcade.view.telegraph.prospects import STEPS, Choice, Prospect, prospect
from batllm_arcade.view.telegraph.waiting import waits_until_loaded


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
            return words
        if foe.final:
            return f"{words}, but its shot knocks you out"
        return f"{words}, but its shot costs you more" if foe.damage > own.damage else words

    # -- a play that is chosen --------------------------------------------------------------------

    def chosen(self, choice: Choice, found: Prospect) -> str:
        """Return what a play leaves, in one sentence."""
        after = self._struck(found)
        if choice == "shield":
            return self._raised(found) if found.after.bot(self._bot).shield else f"shield down: {after}"
        if choice in STEPS:
            return f"there {after}"
        return f"then {after}"

    def _struck(self, found: Prospect) -> str:
        if found.threat.outcome == "hit" and found.threat.held == "charge":
            return "it aims at you, but its gun is empty"
        if not found.damage:
            return "its shot does not hit you"
        if found.threat.final:
            return "its shot knocks you out"
        return f"its shot hits your {found.threat.part}" if self._rules.has_armour else "its shot hits you"

    def _raised(self, found: Prospect) -> str:
        """Return what a raised shield does and leaves: it takes a play to raise and one to lower."""
        threat = found.threat
        if threat.outcome == "blocked" and not threat.held:
            return "it breaks if hit" if threat.breaks else "it blocks; lowering it takes a play"
        if threat.outcome == "blocked":
            return "it would block; the other one is loading"
        return "it does not cover you there" if found.damage else "nothing to block"

    # -- what the aim does not change -------------------------------------------------------------

    @cached_property
    def _escape(self) -> str:
        """That the other bot aims, with the play after which its shot does the least, and what a shield would do."""
        if self._way_out:
            return self._way_out
        me, ahead, back = self._arena.bot(self._bot), self._prospect("move"), self._prospect("retreat")
        if self._fades:
            return f"your shield fades now: {_with_key('lower it, that loads', self._keys.shield)}"
        if me.charge >= self._rules.shot_charge:
            return f"{self._warning}: aim back{self._or_off_the_wall}" if not me.shield else self._warning
        if ahead is not None and -ahead.spent > self._rules.rest_charge and ahead.damage <= self._foe.damage:
            loads = f"{self._keys.move} loads" if self._keys.move else "a step loads"
            return f"{self._warning}: {loads}{self._or_off_the_wall}"
        if self._too_close and back is not None and back.damage <= self._foe.damage:
            return _with_key("too close to load, wait or step back", self._keys.retreat)
        return f"{self._warning}: aim off the wall" if self._banks else self._warning

    @cached_property
    def _lowering(self) -> str:
        """What comes of lowering the shield to fire: a play in which the other bot may shoot."""
        lowered = self._prospect("shield")
        if lowered is None or not lowered.damage:
            return _with_key("lower the shield first", self._keys.shield)
        if lowered.threat.final:
            return "without your shield its shot knocks you out"
        return _with_key("lower it to fire, but its shot then hits you", self._keys.shield)

    @property
    def _fades(self) -> bool:
        """Whether the shield is up, and down after any play at all."""
        kept = self._after(Nothing()).bot(self._bot).shield
        return bool(self._rules.battery) and self._arena.bot(self._bot).shield and not kept

    @property
    def _too_close(self) -> bool:
        """Whether the other bot leaves no room for a step that loads more than waiting does."""
        me, foe, rules = self._arena.bot(self._bot), self._arena.bot(1 - self._bot), self._rules
        return math.dist((me.x, me.y), (foe.x, foe.y)) < 2 * rules.bot_radius + rules.step_length / 2

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
        """The plays that cost less than staying, "" if there is none."""
        keys, foe, least = self._keys, self._foe, self._foe.damage
        moved, raised, back = (self._prospect(choice) for choice in ("move", "shield", "retreat"))
        blocks = raised is not None and not raised.damage and not self._arena.bot(self._bot).shield
        if moved is not None and not moved.damage:
            return f"{self._warning}: {keys.move} steps aside" if keys.move else f"{self._warning}: step aside"
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
        facing = turn_between(me.rot, bearing(foe.x - me.x, foe.y - me.y))
        line = fire_line(self._after(Rotate(facing, "")), 1 - self._bot, self._rules)
        if not hurts(line):
            return 0.0, "turn your shield to it"
        less = line.damage < self._foe.damage and part_towards(me, foe, self._rules) != "front"
        return line.damage, "turn your front to it, that costs less" if less else ""

    @cached_property
    def _load(self) -> str:
        """How the gun is loaded from here: by a step, unless that gives no more than standing still."""
        bot, rules, keys = self._bot, self._rules, self._keys
        charge = self._arena.bot(bot).charge
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
        """Return the arena after this play of the person's."""
        return step(self._arena, self._bot, command, self._rules)[0]


def _with_key(words: str, key: str) -> str:
    return f"{words}: {key}" if key else words
