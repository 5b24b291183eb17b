"""What a person sees in one of their turns, put together: the lines of fire, their step, and one sentence."""

from __future__ import annotations

from functools import cached_property

from batllm_arcade.core.armour import part_towards
from batllm_arcade.core.commands import Command, Move, Nothing, Rotate, Shield
from batllm_arcade.core.events import ShieldRefused
from batllm_arcade.core.geometry import bearing, turn_between
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.rules import step
from batllm_arcade.view.telegraph.lines import (
    FireLine,
    Place,
    PlayerKeys,
    Telegraph,
    fire_line,
    foe_line,
    hurts,
    own_line,
    sentence_place,
    step_ghost,
    threatened,
    turned_to,
)


class PersonTurn:
    """A turn of the person of this bot: the rules are asked once for each whole degree at which they aim.

    What the aim does not change is asked once for the whole turn, and only if it is needed.
    """

    def __init__(
        self,
        arena: Arena,
        rules: Rules,
        bot: int,
        keys: PlayerKeys = PlayerKeys(),  # noqa: B008, frozen
        title: str = "",
    ) -> None:
        self.asked = (arena, rules, bot, keys, title)
        """What the turn was made of: another turn is another object."""
        self._arena, self._rules, self._bot, self._keys, self._title = self.asked
        self._shown: dict[int, Telegraph] = {}

    def telegraph(self, turned: float = 0.0) -> Telegraph:
        """Return what the person sees while they aim `turned` degrees from where the bot looks.

        Turns are made in whole degrees, so the aim is shown in them. The foe's line and the step are those of the arena
        after the turn, for that is what the foe would fire at.
        """
        degrees = round(turned)
        if degrees not in self._shown:
            self._shown[degrees] = self._asked(degrees)
        return self._shown[degrees]

    def _asked(self, degrees: int) -> Telegraph:
        arena, rules, bot = self._arena, self._rules, self._bot
        aimed, after = turned_to(arena, bot, arena.bot(bot).rot + degrees), arena
        if degrees:
            after, _ = step(arena, bot, Rotate(degrees, ""), rules)
        own = own_line(aimed, bot, rules)
        foe = foe_line(after, 1 - bot, rules) if degrees else self._foe
        words = self._sentence(own, foe, turning=bool(degrees))
        return Telegraph(own, foe, step_ghost(after, bot, rules), self._title, words, self._place)

    # -- what does not turn ---------------------------------------------------------------------

    @cached_property
    def _foe(self) -> FireLine:
        """The other bot's line as long as nobody turns."""
        return foe_line(self._arena, 1 - self._bot, self._rules)

    @cached_property
    def _place(self) -> Place:
        return sentence_place(self._arena, self._rules)

    @cached_property
    def _escape(self) -> str:
        """That the other bot aims, with the plays after which its shot would do no harm."""
        arena, bot, keys = self._arena, self._bot, self._keys
        ways = []
        if not threatened(self._after(Move(None, "M")), bot, self._rules):
            ways.append(f"{keys.move} steps aside" if keys.move else "step aside")
        shielded, events = step(arena, bot, Shield(True, "S1"), self._rules)
        raised = not arena.bot(bot).shield and not isinstance(events[0], ShieldRefused)
        if raised and not threatened(shielded, bot, self._rules):
            ways.append(f"{keys.shield} blocks it" if keys.shield else "raise the shield")
        if ways:
            return f"it aims at you: {', '.join(ways)}"
        return f"it aims at you: turn your {self._better_side} to it" if self._better_side else "it aims at you"

    @cached_property
    def _better_side(self) -> str:
        """What the person would better turn to the other bot: the shield or the front, "" if that does not help."""
        me, foe = self._arena.bot(self._bot), self._arena.bot(1 - self._bot)
        facing = turn_between(me.rot, bearing(foe.x - me.x, foe.y - me.y))
        turned = fire_line(self._after(Rotate(facing, "")), 1 - self._bot, self._rules)
        if not hurts(turned):
            return "shield"
        less = turned.damage < self._foe.damage and part_towards(me, foe, self._rules) != "front"
        return "front" if less else ""

    @cached_property
    def _load(self) -> str:
        """How the gun is loaded from here: by a step, unless that gives no more than standing still."""
        bot, rules, keys = self._bot, self._rules, self._keys
        charge = self._arena.bot(bot).charge
        stepped, rested = (self._after(command).bot(bot).charge for command in (Move(None, "M"), Nothing()))
        if stepped > rested:
            return f"load first: step {keys.move}".rstrip()
        if rules.step_charge > rules.rest_charge and stepped < charge + rules.step_charge:
            return "load first: turn, then step"
        return f"load first: wait {keys.wait}".rstrip() if rested > charge else "your gun is empty"

    def _after(self, command: Command) -> Arena:
        """Return the arena after this play of the person's."""
        return step(self._arena, self._bot, command, self._rules)[0]

    # -- the sentence ---------------------------------------------------------------------------

    def _sentence(self, own: FireLine, foe: FireLine, *, turning: bool) -> str:
        """Return one sentence: what a shot would do, else what threatens and what helps, else what comes first.

        The lines are the person's and the other's as they are shown, which is after the turn while there is one.
        """
        keys = self._keys
        if own.outcome == "hit" and not own.held:
            does = "knocks it out" if own.final else f"hits its {own.part}" if self._rules.has_armour else "hits it"
            return f"turn, then {keys.fire or 'a shot'} {does}" if turning else f"{keys.fire or 'a shot'} {does}"
        if hurts(self._foe):
            return self._escape
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


def _with_key(words: str, key: str) -> str:
    return f"{words}: {key}" if key else words
