"""What the telegraph shows a person whose turn it is, and the best play."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from batllm_arcade.core.commands import Fire, Move, Nothing, Rotate
from batllm_arcade.core.events import BulletFlew
from batllm_arcade.core.flight import bounce_points
from batllm_arcade.core.geometry import direction
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.core.rules import read_command, runs_into, step
from batllm_arcade.view.play_text import suggest
from batllm_arcade.view.telegraph.advice import (
    STEPS,
    Advice,
    Choice,
    Prospect,
    bumped_ghost,
    command_of,
    has_reason_to_step,
    led,
    likely_step,
    prospect,
    struck_words,
    there,
)
from batllm_arcade.view.telegraph.lines import (
    FireLine,
    Place,
    PlayerKeys,
    Point,
    StepGhost,
    Telegraph,
    fire_line,
    foe_line,
    hurts,
    own_line,
    sentence_place,
    step_ghost,
    turned_to,
)

_ANYWHERE = 180.0
"""Degrees of a turn that looks wherever one likes."""


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
        self._aimed: dict[int, Telegraph] = {}
        self._chosen: dict[Choice, Telegraph | None] = {}

    def telegraph(self, turned: float = 0.0, choice: Choice = "") -> Telegraph:
        """Return what the person sees while they aim `turned` degrees from where the bot looks.

        Turns are made in whole degrees, so the aim is shown in them. The foe's line and the step are those of the arena
        after the turn, for that is what the foe would fire at; so they are after the play of a `choice`, which only an
        aim at rest can have and which shows nothing of its own where the rules refuse it.
        """
        degrees = round(turned)
        if choice and not degrees:
            if choice not in self._chosen:
                self._chosen[choice] = self._after_choice(choice)
            shown = self._chosen[choice]
            if shown is not None:
                return shown
        if degrees not in self._aimed:
            self._aimed[degrees] = self._after_turn(degrees)
        return self._aimed[degrees]

    def _after_turn(self, degrees: int) -> Telegraph:
        arena, rules, bot = self._arena, self._rules, self._bot
        aimed, after = turned_to(arena, bot, arena.bot(bot).rot + degrees), arena
        if degrees:
            after, _ = step(arena, bot, Rotate(degrees, ""), rules)
        own = own_line(aimed, bot, rules)
        foe = foe_line(after, 1 - bot, rules) if degrees else self._foe
        ghost, back = self._ghosts["move"], self._ghosts["retreat"]
        aimed_step = replace(ahead, words="") if degrees and (ahead := step_ghost(after, bot, rules)) else None
        likely = self._likely(aimed.bot(bot), foe, own)
        leads = likely is not None and bool(likely.words) and has_reason_to_step(foe, own) and not hurts(self._foe)
        leads = leads and not self._foe_bumps
        words = self._advice.sentence(own, foe, turning=bool(degrees), leads=leads)
        reach = (self._arena.bot(bot).rot, rules.turn_limit) if 0 < rules.turn_limit < _ANYWHERE else None
        ghost = ghost and replace(ghost, words="" if degrees else ghost.words)
        if ghost and back and likely and (ghost.words or ghost.threat) and back.threat and likely.words:
            if ghost.threat:  # two rings have words: first what hurts, then what the other bot may do
                likely = replace(likely, words="")
            else:
                ghost = replace(ghost, words="")
        return Telegraph(
            own, foe, ghost, likely, back, aimed_step,
            title=self._title, banner=words, place=self._place, marks=self._marks, reach=reach,
        )  # fmt: skip

    def _after_choice(self, choice: Choice) -> Telegraph | None:
        ahead = prospect(self._arena, self._bot, choice, self._rules)
        if ahead is None:
            return None
        rules, bot, alive = self._rules, self._bot, ahead.after.bot(1 - self._bot).health > 0
        walks = choice in STEPS
        lowers = choice == "shield" and not ahead.after.bot(bot).shield
        own = ahead.chance if walks or lowers else own_line(self._arena, bot, rules)
        foe = foe_line(ahead.after, 1 - bot, rules, there=walks) if alive else None
        words = self._advice.chosen(choice, ahead)
        if choice == "fire":
            words = self._advice.sentence(own, self._foe, turning=False)
        rings = ((self._bare[each] if choice == each else None) for each in STEPS)
        ghost, back = (ring and replace(ring, struck=ahead.damage > 0) for ring in rings)
        likely = None if walks or foe is None else self._likely(self._arena.bot(bot), foe, own)
        leaves = self._leaves(ahead) if choice == "shield" else ("", "")
        shoved = bumped_ghost(self._arena, bot, ahead, rules) if choice == "move" else None
        if shoved is not None:  # which says what is struck next
            own, ghost = replace(own, words="", note=""), ghost and replace(ghost, words="")
        return Telegraph(own, foe, ghost, likely, back, None, shoved, choice, leaves, self._title, words, self._place)

    def _leaves(self, ahead: Prospect) -> tuple[str, str]:
        rules, charge = self._rules, ahead.after.bot(self._bot).charge
        if not rules.battery or not ahead.after.bot(self._bot).shield:
            return "", ""
        blocked = max(0, charge - rules.block_charge)
        return f"LEAVES {charge} OF {rules.battery}", f"{blocked} after a blocked hit" if blocked else "a hit breaks it"

    def _likely(self, me: BotState, foe: FireLine, own: FireLine) -> StepGhost | None:
        """Return the other bot's step where it has a reason to make it, with what the person's aim would strike there.

        A person who aims where it would step sees it, too.
        """
        if self._foe_step is None:
            return None
        ghost, moved = self._foe_step
        if self._foe_bumps:
            return replace(ghost, words="IF IT STEPS: BUMPS YOU")
        line = led(moved.replaced(self._bot, me), self._bot, own, self._rules)
        words = "" if line is None else f"IF IT STEPS: {struck_words(line, self._rules, sign='')}"
        return replace(ghost, words=words) if words or has_reason_to_step(foe, own) else None

    # -- what does not turn ---------------------------------------------------------------------

    @cached_property
    def _foe(self) -> FireLine:
        """The other bot's line as long as nobody turns: at what is there after a play that does nothing.

        A shield that is up may be down by then.
        """
        return foe_line(step(self._arena, self._bot, Nothing(), self._rules)[0], 1 - self._bot, self._rules)

    @cached_property
    def _bare(self) -> dict[Choice, StepGhost | None]:
        commands = {choice: command_of(choice, self._rules) for choice in STEPS}
        return {
            choice: None if command is None else step_ghost(self._arena, self._bot, self._rules, command)
            for choice, command in commands.items()
        }

    @cached_property
    def _ghosts(self) -> dict[Choice, StepGhost | None]:
        here = self._foe.damage if hurts(self._foe) else 0.0
        ghosts: dict[Choice, StepGhost | None] = {}
        for choice, ghost in self._bare.items():
            what = prospect(self._arena, self._bot, choice, self._rules) if ghost is not None else None
            told = ghost if ghost is None or what is None else there(ghost, choice, what, here, self._rules)
            if told is not None and choice == "retreat":  # one ring is full of words: this one only warns
                told = replace(told, words="")
            ghosts[choice] = told
        return ghosts

    @cached_property
    def _foe_step(self) -> tuple[StepGhost, Arena] | None:
        return likely_step(self._arena, self._bot, self._rules)

    @cached_property
    def _foe_bumps(self) -> bool:
        return runs_into(self._arena, 1 - self._bot, Move(None, "M"), self._rules)

    @cached_property
    def _marks(self) -> tuple[Point, ...]:
        return bounce_points(self._arena, self._bot, self._rules)

    @cached_property
    def _place(self) -> Place:
        return sentence_place(self._arena, self._rules)

    @cached_property
    def _advice(self) -> Advice:
        now = fire_line(self._arena, self._bot, self._rules)
        aimed = now.bounce is not None and now.outcome != "miss"  # then it is no other play
        banks = bool(self._marks) and not aimed
        return Advice(self._arena, self._rules, self._bot, self._keys, self._foe, banks=banks)


# The best play in a position

_TURN = 2.6
"""Radii from a bot's centre to the tip of the arrow that shows where it would look."""
_STEP = 1.35
"""Radii that the arrow of a step reaches beyond where the bot would stand."""


@dataclass(frozen=True, slots=True)
class BestPlay:
    """A ghost and an arrow in world units: `ghost` is the bot after the play, `path` what the arrow follows.

    `stays` if the bot neither moves nor turns, `shield` if the play raises its shield; `words` say what it is and what
    it would have been worth.
    """

    bot: int
    ghost: BotState
    path: tuple[Point, ...]
    words: str
    stays: bool = False
    shield: bool = False


def best_play(before: Arena, bot: int, token: str, points: int | None, rules: Rules) -> BestPlay:
    """Return what is drawn of the best play of a bot here; `points` is how many it would have saved, None for none."""
    command = read_command(token, rules)
    after, events = step(before, bot, command, rules)
    me, ghost = before.bot(bot), after.bot(bot)
    words = f"best: {suggest(command)}" + (f", +{points}" if points else "")
    stays = (me.x, me.y, me.rot) == (ghost.x, ghost.y, ghost.rot)
    raised = ghost.shield and not me.shield
    if isinstance(command, Fire):
        path = next((event.path for event in events if isinstance(event, BulletFlew)), ())
        return BestPlay(bot, ghost, tuple(path), words, stays)
    if stays or isinstance(command, Nothing):
        return BestPlay(bot, ghost, (), words, stays, raised)
    radius = rules.bot_radius
    if (me.x, me.y) != (ghost.x, ghost.y):
        return BestPlay(bot, ghost, ((me.x, me.y), _beyond(me, ghost, _STEP * radius)), words)
    ux, uy = direction(ghost.rot)
    return BestPlay(bot, ghost, ((me.x, me.y), (me.x + ux * _TURN * radius, me.y + uy * _TURN * radius)), words)


def _beyond(start: BotState, end: BotState, far: float) -> Point:
    dx, dy = end.x - start.x, end.y - start.y
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    return end.x + dx / length * far, end.y + dy / length * far
