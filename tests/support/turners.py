"""Two brains without threads that play on from anywhere."""

from __future__ import annotations

from batllm_arcade.brains.protocol import Decision, SeatInfo
from batllm_arcade.match import runner
from batllm_arcade.match.runner import Answer, SeatChange

LATER = "2031-01-01T12:00:00.000000Z"


class Turners(runner.TableProtocol):
    """Two brains that turn a little, each time by what it draws; `fallback` plays for one that had failed too often."""

    def __init__(self):
        self.change = {}

    def begin_game(self):
        return SeatInfo("new", "fake:left"), SeatInfo("new", "fake:right")

    def fall_back(self, bot, problem):
        self.change[bot] = SeatChange(SeatInfo("random", "scripted:random"), "fallback", problem)
        return True

    def seat_change(self, bot):
        return self.change.pop(bot, None)

    def ask(self, bot, view):
        token = f"C{view.rng.randrange(1, 20)}"
        return Answer(Decision(token, token), "ok", "", 0.0, LATER)

    def now(self):
        return LATER
