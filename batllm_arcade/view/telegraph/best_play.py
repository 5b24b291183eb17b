"""The best play in a position, as it is drawn: where the bot would stand, look and hit."""

from __future__ import annotations

from dataclasses import dataclass

from batllm_arcade.core.commands import Fire, Nothing
from batllm_arcade.core.events import BulletFlew
from batllm_arcade.core.geometry import direction
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.core.rules import read_command, step
from batllm_arcade.view.play_text import suggest

Point = tuple[float, float]
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
    """Return the point so far beyond `end` on the way from `start`."""
    dx, dy = end.x - start.x, end.y - start.y
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    return end.x + dx / length * far, end.y + dy / length * far
