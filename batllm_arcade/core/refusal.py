"""Which commands would do nothing but cost a play: what a person is spared."""

from __future__ import annotations

from math import dist
from typing import Literal

from batllm_arcade.core.commands import Command, Move, StepBack
from batllm_arcade.core.events import BotMoved, FireRefused, ShieldRefused
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.rules import step

Refusal = Literal["shield", "empty", "weak", "wall", "bot"]
"""Fire behind the own shield (`shield`) or with too little charge (`empty`), a shield that there is too little charge
for (`weak`), a step that ends where it began, at a wall or at the other bot."""

NO_STEP = 1e-6
"""A step shorter than this share of a step's length ends where it began: contact is exact to 1e-9 only."""


def refusal(arena: Arena, actor: int, command: Command, rules: Rules) -> Refusal | None:
    """Return why the rules would refuse bot `actor` this command now, None if it would do something.

    It is found by carrying the command out, so that no rule is written twice. A turn and a deliberate nothing are
    never refused.
    """
    event = step(arena, actor, command, rules)[1][0]
    if isinstance(event, FireRefused):
        return "shield" if event.reason == "shield" else "empty"
    if isinstance(event, ShieldRefused):
        return "weak"
    if isinstance(event, BotMoved) and event.stopped_by:
        return _blocked(event, command, rules)
    return None


def _blocked(event: BotMoved, command: Command, rules: Rules) -> Refusal | None:
    meant = rules.back_step if isinstance(command, StepBack) else rules.step_length
    if isinstance(command, Move) and command.distance is not None:
        meant = command.distance
    if dist(event.start, event.end) > NO_STEP * abs(meant):
        return None
    return "wall" if event.stopped_by == "wall" else "bot"
