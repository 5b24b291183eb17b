"""What an agent sees of the game, and what it can do: observations and actions."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, degrees, hypot

import numpy as np
from numpy.typing import NDArray

from batllm_arcade.brains.bots import BotView, turn_token
from batllm_arcade.core.commands import Command, Fire, Move, Nothing, Shield, StepBack
from batllm_arcade.core.flight import damage, part_struck, struck
from batllm_arcade.core.geometry import direction
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


def observe(arena: Arena, seat: int, rules: Rules, rounds: int, turns: int, first: int) -> Observation:
    """Return what the bot at `seat` sees: float32 of shape (34,), as `FEATURES` names it.

    `rounds` and `turns` are how many are over, `first` who acts first in this round.
    """
    me, foe = (arena.right, arena.left) if seat else (arena.left, arena.right)
    ux, uy = direction(me.rot)
    vx, vy = direction(foe.rot)
    dx, dy = foe.x - me.x, foe.y - me.y
    away = hypot(dx, dy)
    ex, ey = (dx / away, dy / away) if away else (ux, uy)
    width, height, full = rules.arena_width, rules.arena_height, rules.battery
    diagonal = hypot(width, height)
    i_aim, my_harm = _shot(me, foe, (ux, uy), seat, rules)
    foe_aims, foe_harm = _shot(foe, me, (vx, vy), 1 - seat, rules)
    ahead, behind = _rooms(me, ux, uy, rules)
    foe_ahead, foe_behind = _rooms(foe, vx, vy, rules)
    values = (
        me.x / width, me.y / height, ux, uy, me.health / rules.initial_health[seat], me.shield,
        me.charge / full if full else 1.0, not full or me.charge >= rules.shot_charge,
        foe.x / width, foe.y / height, vx, vy, foe.health / rules.initial_health[1 - seat], foe.shield,
        foe.charge / full if full else 1.0, not full or foe.charge >= rules.shot_charge,
        ex * ux + ey * uy, ux * ey - uy * ex, -ex * vx - ey * vy, vy * ex - vx * ey, away / diagonal,
        i_aim, my_harm, foe_aims, foe_harm,
        ahead / diagonal, behind / diagonal, foe_ahead / diagonal, foe_behind / diagonal,
        rounds / rules.total_rounds, turns / rules.turns_per_round, first == seat, full > 0, rules.ricochet,
    )  # fmt: skip
    return np.array(values, np.float32)


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


def _rooms(bot: BotState, ux: float, uy: float, rules: Rules) -> tuple[float, float]:
    """Return how far a bot's edge is from the walls along a unit vector and against it."""
    radius = rules.bot_radius
    right, left = rules.arena_width - radius - bot.x, bot.x - radius
    down, up = rules.arena_height - radius - bot.y, bot.y - radius
    x = (right / ux, left / ux) if ux > 0 else (left / -ux, right / -ux) if ux else (_FAR, _FAR)
    y = (down / uy, up / uy) if uy > 0 else (up / -uy, down / -uy) if uy else (_FAR, _FAR)
    return max(0.0, min(x[0], y[0])), max(0.0, min(x[1], y[1]))


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
        self._checked: list[tuple[int, Command]] = []
        for index, (name, command) in enumerate(zip(self.names, self._commands, strict=True)):
            if name == BACK and not self._rules.back_step:
                self._open[index] = 0
            elif name == BANK:
                self._open[index] = bool(self._rules.ricochet)
            elif command is not None and self._may_be_refused(command):
                self._checked.append((index, command))
        self._near = rules.bot_radius + max(rules.step_length, rules.back_step)

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

    def _may_be_refused(self, command: Command) -> bool:
        raises = isinstance(command, Shield) and command.up is not False
        return isinstance(command, (Move, StepBack, Fire)) or (raises and self._rules.battery > 0)

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

    def mask(self, arena: Arena, seat: int) -> Mask:
        """Return a new array with 1 for each action that would do something, 0 for those that the rules would refuse.

        A turn, lowering the shield and doing nothing are never refused; `back` and `@bank` always are where the rules
        have no back step or no bounce.
        """
        mask: Mask = self._open.copy()
        clear = self._is_clear(arena, seat)
        for index, command in self._checked:
            if self._refused(command, arena, seat, clear):
                mask[index] = 0
        return mask

    def _refused(self, command: Command, arena: Arena, seat: int, clear: bool) -> bool:
        """Ask the rules; in full only for steps near something, for carrying a play out takes long."""
        kind, me, rules = type(command), arena.bot(seat), self._rules
        if kind is Fire or kind is Shield:
            short = rules.battery > 0 and unaffordable(me, seat, command, rules) is not None
            return short or (kind is Fire and me.shield)
        usual = kind is StepBack or (isinstance(command, Move) and command.distance is None)
        return not (clear and usual) and refusal(arena, seat, command, rules) is not None

    def _is_clear(self, arena: Arena, seat: int) -> bool:
        """Whether no step can end at a wall or at the other bot, so that the rules need not be asked."""
        me, foe, near, rules = arena.bot(seat), arena.bot(1 - seat), self._near, self._rules
        return (
            near < me.x < rules.arena_width - near
            and near < me.y < rules.arena_height - near
            and hypot(foe.x - me.x, foe.y - me.y) > near + rules.bot_radius
        )
