"""The sentence of a person's turn: what a shot would do, else what threatens and what helps, else what comes first.

Plays are compared by what they leave: the health that the other bot's shot would take, and the turns that they cost.
"""

from __future__ import annotations

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

    `foe` is the other bot's line as long as nobody turns.
    """

    def __init__(self, arena: Arena, rules: Rules, bot: int, keys: PlayerKeys, foe: FireLine) -> None:
        self._arena, self._rules, self._bot, self._keys, self._foe = arena, rules, bot, keys, foe

    def sentence(self, own: FireLine, foe: FireLine, *, turning: bool, leads: bool = False) -> str:
        """Return one sentence; the lines are those shown, which is after the turn while there is one.

        `leads`: they aim where the other bot is likely to step.
        """
        keys = self._keys
        if own.outcome == "hit" and not own.held:
            return self._shot(own, foe, turning=turning)
        if hurts(self._foe):
            return self._escape
        if leads:
            shot = f"{self._keys.fire or 'a shot'} hits it if it steps"
            return f"turn, then {shot}" if turning else shot
        if own.held == "shield":
            if own.outcome != "miss":
                return _with_key("lower the shield first", keys.shield)
            if foe.outcome == "blocked" and not foe.held:
                return "your shield breaks if it fires" if foe.breaks else "your shield holds"
            return _with_key("aim at it", keys.aim)
        if own.held == "charge":
            return self._load
        if own.outcome == "blocked":
            return "its shield blocks this and breaks" if own.breaks else "its shield blocks this"
        return _with_key("aim at it", keys.aim)

    def _shot(self, own: FireLine, foe: FireLine, *, turning: bool) -> str:
        does = "knocks it out" if own.final else f"hits its {own.part}" if self._rules.has_armour else "hits it"
        off = " off the wall" if own.bounce is not None else ""
        words = f"{self._keys.fire or 'a shot'} {does}{off}"
        if turning:
            return f"turn, then {words}"
        worse = hurts(foe) and foe.damage > own.damage and not own.final
        return f"{words}: {own.damage:g}, its shot takes {foe.damage:g}" if worse else words

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
        where = f"in the {found.threat.part}" if self._rules.has_armour else "you"
        return f"its shot knocks you out {where}" if found.threat.final else f"its shot takes {found.damage:g} {where}"

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
        keys, foe, least = self._keys, self._foe, self._foe.damage
        moved, raised = self._prospect("move"), self._prospect("shield")
        blocks = raised is not None and not raised.damage and not self._arena.bot(self._bot).shield
        if moved is not None and not moved.damage:
            return f"it aims at you: {keys.move} steps aside" if keys.move else "it aims at you: step aside"
        if (back := self._prospect("retreat")) is not None and not back.damage:
            return f"it aims at you: {keys.retreat} steps back" if keys.retreat else "it aims at you: step back"
        if blocks and foe.final:
            return _with_key("its shot knocks you out: raise the shield", keys.shield)
        ways = []
        if moved is not None and moved.damage < least:
            least = moved.damage
            ways = [f"{keys.move or 'a step'} takes {least:g}, not {foe.damage:g}"]
        turned, words = self._turned
        if words and turned < least:
            ways = [words]
        if blocks:
            ways.append(f"{keys.shield or 'a shield'} would block, for two plays")
        if ways:
            return f"it aims at you: {'; '.join(ways)}"
        if moved is None and back is not None and self._arena.bot(self._bot).charge < self._rules.shot_charge:
            return _with_key("too close to load, step back", keys.retreat)
        return "it aims at you"

    @cached_property
    def _turned(self) -> tuple[float, str]:
        """What a shot takes once the person faces the other bot, and how to say so; no words if that does not help."""
        me, foe = self._arena.bot(self._bot), self._arena.bot(1 - self._bot)
        facing = turn_between(me.rot, bearing(foe.x - me.x, foe.y - me.y))
        line = fire_line(self._after(Rotate(facing, "")), 1 - self._bot, self._rules)
        if not hurts(line):
            return 0.0, "turn your shield to it"
        less = line.damage < self._foe.damage and part_towards(me, foe, self._rules) != "front"
        return line.damage, f"turn your front to it: {line.damage:g}, not {self._foe.damage:g}" if less else ""

    @cached_property
    def _load(self) -> str:
        """How the gun is loaded from here: by a step, unless that gives no more than standing still."""
        bot, rules, keys = self._bot, self._rules, self._keys
        charge = self._arena.bot(bot).charge
        stepped, rested = (self._after(command).bot(bot).charge for command in (Move(None, "M"), Nothing()))
        if stepped > rested:
            return _with_key("step to load first", keys.move)
        if waits_until_loaded(self._arena, bot, rules):
            words = _with_key("wait until loaded", keys.wait)
            back = self._prospect("retreat")
            return words if back is None else f"{words}; {_with_key('or step back', keys.retreat)}"
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
