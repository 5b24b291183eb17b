"""What an agent sees of the game, and what it can do: observations and actions."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, degrees, hypot
from struct import Struct

import numpy as np
from numpy.typing import NDArray

from batllm_arcade.brains.bots import BotView, turn_token
from batllm_arcade.brains.protocol import View
from batllm_arcade.core.commands import Command, Fire, Move, Nothing, Shield, StepBack
from batllm_arcade.core.flight import damage, part_struck, struck
from batllm_arcade.core.geometry import bounced, direction
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.core.rules import read_command, refusal, unaffordable
from batllm_arcade.errors import UsageError, quoted

_BOT = ("x", "y", "cos_rot", "sin_rot", "health", "shield", "charge", "loaded")
FEATURES = (
    *(f"my_{name}" for name in _BOT), *(f"foe_{name}" for name in _BOT),
    "cos_to_foe", "sin_to_foe", "cos_to_me", "sin_to_me", "distance",
    "i_aim", "my_harm", "foe_aims", "foe_harm",
    "room_ahead", "room_behind", "foe_room_ahead", "foe_room_behind",
    "round", "turn", "i_act_first", "has_battery", "has_bounce",
)  # fmt: skip
"""The names of an observation's numbers, in order."""
LOWEST = tuple(
    -1.0 if name.startswith(("cos_", "sin_")) or "_cos" in name or "_sin" in name else 0.0 for name in FEATURES
)
"""The least value of each; the largest is 1."""

Observation = NDArray[np.float32]


_FLOAT = np.dtype(np.float32)
_PACKED = Struct(f"{len(FEATURES)}f")
_LOOSE = 1.001
"""How much wider than a bot a cheap look is at whether a bullet touches it; the rules then say."""


_Pair = tuple[float, float]
_Body = tuple["BotState | None", tuple[float, ...], _Pair, _Pair, "tuple[float, float, float, float] | None"]
"""A bot, and what is known of it alone: its numbers, direction, shares of room ahead and behind, a bullet's bounce."""


class Sight:
    """What both bots of a match see under its rules; of a bot that has not changed nothing is worked out again."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._diagonal = hypot(rules.arena_width, rules.arena_height)
        self._battery, self._reach = rules.battery > 0, _LOOSE * rules.bot_radius
        self._bodies: list[_Body] = [(None, (), (0, 0), (0, 0), None)] * 2

    def body(self, bot: BotState, seat: int) -> _Body:
        """Return what is known of the bot at a seat."""
        if self._bodies[seat][0] is bot:
            return self._bodies[seat]
        rules, full = self._rules, self._rules.battery
        along = ux, uy = direction(bot.rot)
        x, y, radius, width, height = bot.x, bot.y, rules.bot_radius, rules.arena_width, rules.arena_height
        ahead = behind = _FAR  # from its edge to the walls
        if ux:
            right, left = (width - radius - x) / ux, (radius - x) / ux
            ahead, behind = (right, -left) if ux > 0 else (left, -right)
        if uy:
            down, up = (height - radius - y) / uy, (radius - y) / uy
            y_ahead, y_behind = (down, -up) if uy > 0 else (up, -down)
            ahead, behind = y_ahead if y_ahead < ahead else ahead, y_behind if y_behind < behind else behind
        rooms = ahead / self._diagonal if ahead > 0 else 0.0, behind / self._diagonal if behind > 0 else 0.0
        numbers = (
            x / width, y / height, ux, uy, bot.health / rules.initial_health[seat], bot.shield,
            bot.charge / full if full else 1.0, not full or bot.charge >= rules.shot_charge,
        )  # fmt: skip
        bounce = bounced(x, y, ux, uy, width, height) if rules.ricochet else None
        body = self._bodies[seat] = bot, numbers, along, rooms, bounce
        return body

    def observe(self, arena: Arena, seat: int, rounds: int, turns: int, first: int) -> Observation:
        """Return what the bot at `seat` sees: float32 of shape (34,), as `FEATURES` names it.

        `rounds` and `turns` are how many are over, `first` who acts first in this round.
        """
        me, foe = (arena.right, arena.left) if seat else (arena.left, arena.right)
        body = self._bodies[seat]  # of whoever acts next it is known mostly
        _, mine, along, rooms, bounce = body if body[0] is me else self.body(me, seat)
        _, theirs, foe_along, foe_rooms, foe_bounce = self.body(foe, 1 - seat)
        ux, uy = along
        vx, vy = foe_along
        dx, dy = foe.x - me.x, foe.y - me.y
        away = hypot(dx, dy)
        ex, ey = (dx / away, dy / away) if away else (ux, uy)
        to_foe, beside_foe = ex * ux + ey * uy, ux * ey - uy * ex
        to_me, beside_me = -ex * vx - ey * vy, vy * ex - vx * ey
        rules, reach = self._rules, self._reach
        i_aim = foe_aims = False
        my_harm = foe_harm = 0.0
        if (
            (to_foe > 0 and -reach <= beside_foe * away <= reach)
            or away <= reach
            or (bounce and _meets(bounce, foe, reach))
        ):
            i_aim, my_harm = _shot(me, foe, along, seat, rules)
        if (
            (to_me > 0 and -reach <= beside_me * away <= reach)
            or away <= reach
            or (foe_bounce and _meets(foe_bounce, me, reach))
        ):
            foe_aims, foe_harm = _shot(foe, me, foe_along, 1 - seat, rules)
        observation = bytearray(_PACKED.size)
        _PACKED.pack_into(
            observation, 0, *mine, *theirs, to_foe, beside_foe, to_me, beside_me, away / self._diagonal,
            i_aim, my_harm, foe_aims, foe_harm, *rooms, *foe_rooms,
            rounds / rules.total_rounds, turns / rules.turns_per_round, first == seat, self._battery, rules.ricochet,
        )  # fmt: skip
        return np.frombuffer(observation, _FLOAT)


def observe(view: View) -> Observation:
    """Return what a brain sees that is asked with this view: float32 of shape (34,), as `FEATURES` names it."""
    sight = Sight(view.rules)
    return sight.observe(view.arena, view.seat, view.round - 1, view.turn - 1, view.acting_order[0])


def _meets(way: tuple[float, float, float, float], target: BotState, reach: float) -> bool:
    x, y, ux, uy = way
    dx, dy = target.x - x, target.y - y
    return -reach <= dy * ux - dx * uy <= reach and dx * ux + dy * uy > -reach


def _shot(me: BotState, foe: BotState, along: tuple[float, float], seat: int, rules: Rules) -> tuple[bool, float]:
    """Return whether a bullet fired now would touch the other bot, and what share of its starting health it would take.

    Whether the shooter's own shield or its charge would let it fire is not asked.
    """
    hit = struck(me, foe, along, rules)
    if hit is None:
        return False, 0.0
    (x, y), bounce = hit
    part = part_struck(foe.rot, x - foe.x, y - foe.y, rules)
    if foe.shield and part == "front":
        return True, 0.0
    return True, min(1.0, damage(seat, part, rules, bounced=bounce is not None) / rules.initial_health[1 - seat])


_FAR = 1e12
"""Farther than any wall."""


BACK, LEAD, BANK = "back", "@lead", "@bank"
_ANGLES = (1, 2, 5, 10, 20, 45, 90)
COMMANDS = ("", "M", "B", "S1", "S0", BACK, *(f"{way}{angle}" for angle in _ANGLES for way in "CA"), "C180")
"""Actions that are commands: nothing, step, fire, shield up and down, step back, turns by fixed angles."""
ACTIONS = (*COMMANDS, "@0", LEAD, "@65", "@-65", "@110", "@-110", "@180", BANK)
"""All actions, by number. `@DEGREES` turns to so many degrees beside the opponent, positive clockwise; `@lead` to
halfway between it and where its next step leads; `@bank` to the best shot off a wall, or straight to it without one."""

Mask = NDArray[np.int8]


class ActionTable:
    """Actions by number under given rules; raise UsageError if a name is no action."""

    def __init__(self, names: Sequence[str], rules: Rules) -> None:
        self.names, self._rules = tuple(names), rules
        if not self.names or isinstance(names, str):
            raise UsageError(f"actions must be a list of names such as ('M', 'B', '@0'), not {quoted(names)}")
        self._tokens = [self._fixed(name) for name in self.names]
        self._commands = [None if token is None else read_command(token or None, rules) for token in self._tokens]
        self._open = np.ones(len(self.names), np.int8)
        self._asked: list[tuple[int, Command]] = []
        """Those that only the rules can say of whether they would be refused: steps of any length."""
        kinds: dict[type, list[int]] = {Fire: [], Shield: [], Move: [], StepBack: []}
        for index, (name, command) in enumerate(zip(self.names, self._commands, strict=True)):
            if name == BACK and not self._rules.back_step:
                self._open[index] = 0
            elif name == BANK:
                self._open[index] = bool(self._rules.ricochet)
            elif isinstance(command, Move) and command.distance is not None:
                self._asked.append((index, command))
            elif type(command) in kinds and not (isinstance(command, Shield) and command.up is False):
                kinds[type(command)].append(index)
        self._masks = [self._open.copy() for _ in range(16)]
        for number, mask in enumerate(self._masks):
            for bit, indices in enumerate(kinds.values()):
                mask[indices] &= number >> bit & 1
        longest = max(rules.step_length, rules.back_step)
        self._apart = 2 * rules.bot_radius + longest
        self._room = 0.001 * longest / hypot(rules.arena_width, rules.arena_height)

    def __len__(self) -> int:
        return len(self.names)

    def _fixed(self, name: str) -> str | None:
        if name == BACK:
            return f"M-{self._rules.back_step}" if self._rules.back_step else ""
        if name in (LEAD, BANK):
            return None
        try:
            if name.startswith("@"):
                float(name[1:])
                return None
            command = read_command(name or None, self._rules)
        except (AttributeError, TypeError, ValueError):
            command = Nothing("no text")
        if isinstance(command, Nothing) and command.reason:
            raise UsageError(
                f"{quoted(name)} is no action; one is a command, '' for nothing, 'back', '@DEGREES', '@lead' or '@bank'"
            )
        return name

    def command(self, index: int, arena: Arena, seat: int) -> tuple[str | None, Command]:
        """Return an action's token, None for nothing, and the command that it is; raise UsageError if there is none."""
        if not 0 <= index < len(self.names):
            raise UsageError(f"there is no action {index}; the actions are 0 to {len(self.names) - 1}")
        command = self._commands[index]
        if command is not None:
            return self._tokens[index] or None, command
        token = self._aimed(self.names[index], arena, seat)
        return token, read_command(token, self._rules)

    def _aimed(self, name: str, arena: Arena, seat: int) -> str | None:
        me, foe = BotView.pair(arena, seat, self._rules)
        if name == BANK:
            shot = next(iter(me.banks(foe)), None)
            return me.turn_to(foe) if shot is None else turn_token(shot.turn)
        if name == LEAD:
            ahead = foe.simulate("M").me
            dx, dy = (foe.x + ahead.x) / 2 - me.x, (foe.y + ahead.y) / 2 - me.y
            return turn_token(degrees(atan2(dy, dx)) - me.rot)
        beside = float(name[1:])
        return turn_token(me.bearing_to(foe) + beside) if beside else me.turn_to(foe)

    def mask(self, arena: Arena, seat: int, sight: Sight) -> Mask:
        """Return a new array with 1 for each action that would do something, 0 for those that the rules would refuse.

        A turn, lowering the shield and doing nothing are never refused; `back` and `@bank` always are where the rules
        have no back step or no bounce.
        """
        me, foe = (arena.right, arena.left) if seat else (arena.left, arena.right)
        rules, battery = self._rules, self._rules.battery
        ahead, behind = sight.body(me, seat)[3]
        apart = hypot(foe.x - me.x, foe.y - me.y) > self._apart  # no step can end at the other bot
        fires = not me.shield and not (battery and unaffordable(me, seat, _FIRE, rules))
        raises = not (battery and unaffordable(me, seat, _RAISE, rules))
        steps = (apart and ahead > self._room) or refusal(arena, seat, _STEP, rules) is None
        backs = not rules.back_step or (apart and behind > self._room) or refusal(arena, seat, _BACK, rules) is None
        mask: Mask = self._masks[fires + 2 * raises + 4 * steps + 8 * backs].copy()
        for index, command in self._asked:
            mask[index] = refusal(arena, seat, command, rules) is None
        return mask


_FIRE, _RAISE, _STEP, _BACK = Fire(), Shield(True, "S1"), Move(None, "M"), StepBack("M-")
