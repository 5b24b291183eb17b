"""A seat's best moment in a game, in words: the rarest of what it did."""

from __future__ import annotations

import math
from dataclasses import replace

from batllm_arcade.core.commands import Fire
from batllm_arcade.core.events import (
    BotHit,
    BotMoved,
    BotTurned,
    BulletFlew,
    ShieldBroke,
    ShotBlocked,
)
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.rules import step
from batllm_arcade.match.records import Play

_LED, _BANKED, _BACK, _FAR = 8.0, 4.0, 2.0, 1.0
"""What a hit counts for being so, rarest first; one that is two of these is rarer still."""
_BROKEN, _KNOCKOUT, _BLOCKED = 1.99, 1.05, 0.1
_ALSO_KNOCKOUT = 0.5
_CLOSE, _ACROSS = 0.22, 0.5
"""Shares of the arena's diagonal: up to the first a shot came from close by, beyond the second from far."""
_TOLD = 2  # of what a hit was, at most


class GreatMoments:
    """Finds both seats' best moments while the plays of a game go by."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._ahead = [False, False]  # whose gun has been turned to where the other was not
        self._scores, self.words = [0.0, 0.0], ["", ""]

    def begin_round(self) -> None:
        """Forget where the guns were aimed: the bots start from other places."""
        self._ahead = [False, False]

    def add(self, play: Play, when: str) -> None:
        """Take a play that happened at this time, such as `round 1, turn 4`."""
        for event in play.events:
            bot, (score, words) = play.bot, (0.0, "")
            if isinstance(event, BotHit):
                score, words = self._hit(play, event, knocked_out=play.knocks_out)
            elif isinstance(event, ShieldBroke):
                score, words = _BROKEN, "broke its shield"
            elif isinstance(event, ShotBlocked):
                bot, score, words = event.bot, _BLOCKED, "blocked a shot"
            if score > self._scores[bot]:
                self._scores[bot], self.words[bot] = score, f"{words} in {when}"
        self._follow(play)

    def _hit(self, play: Play, hit: BotHit, *, knocked_out: bool) -> tuple[float, str]:
        """Return how rare a hit is and what it was; nothing where it was from close by and nothing else."""
        gun, size = play.before.bot(play.bot), math.hypot(self._rules.arena_width, self._rules.arena_height)
        share = math.dist((gun.x, gun.y), hit.at) / size
        was = [
            (_LED, "where it would step", self._ahead[play.bot]),
            (_BANKED, "off the wall", play.came_off_a_wall),
            (_BACK, "in the back", self._rules.has_armour and hit.part == "back"),
            (_FAR + min(share, 0.9), "from right across the arena", share > _ACROSS),
        ]
        true = [(score, words) for score, words, so in was if so]
        score, told = sum(score for score, _ in true), [words for _, words in true][:_TOLD]
        if not true and not knocked_out and share > _CLOSE:
            return share, "hit it from a good distance"
        if knocked_out and not true:
            return _KNOCKOUT, "the knock-out"
        what, more = ("the knock-out", _ALSO_KNOCKOUT) if knocked_out else ("hit it", 0.0)
        return score + more, f"{what} {', '.join(told)}"

    def _follow(self, play: Play) -> None:
        """Follow whether a gun waits where the other bot is not: from a turn on, until it fires or its bot moves."""
        for event in play.events:
            if isinstance(event, BotTurned):
                self._ahead[play.bot] = not _aims(play.after, play.bot, self._rules)
            elif isinstance(event, (BotMoved, BulletFlew)):
                self._ahead[play.bot] = False


def _aims(arena: Arena, bot: int, rules: Rules) -> bool:
    """Return whether a shot would meet the other bot, if this one could fire."""
    ready = replace(arena.bot(bot), shield=False, charge=rules.battery)
    prepared = Arena(arena.left, ready) if bot else Arena(ready, arena.right)
    return any(isinstance(event, (BotHit, ShotBlocked)) for event in step(prepared, bot, Fire(), rules)[1])
