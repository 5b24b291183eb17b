"""One game, played a command at a time: whose turn it is, by the rules and streams that a match has."""

from __future__ import annotations

from batllm_arcade.core.commands import Command
from batllm_arcade.core.events import Event
from batllm_arcade.core.model import Rules
from batllm_arcade.core.outcome import Result, knocked_out, outcome
from batllm_arcade.core.rules import acting_order, start, step
from batllm_arcade.core.streams import game_stream


class EnvGame:
    """Game `number` of a seed. `actor` is the index of the bot to act; `result` is None until the game is over."""

    __slots__ = ("_rules", "_stream", "actor", "arena", "number", "order", "result", "round", "second", "seed", "turn")

    def __init__(self, rules: Rules, seed: int, number: int) -> None:
        self._rules, self.seed, self.number = rules, seed, number
        self._stream = game_stream(seed, number)
        self.arena = start(self._stream, rules)
        self.round = 0
        self.result: Result | None = None
        self._begin_round()

    def _begin_round(self) -> None:
        self.round, self.turn, self.second = self.round + 1, 1, False
        self.order = acting_order(self._stream)
        self.actor = self.order[0]

    @property
    def play_number(self) -> int:
        """Return the number of the play to come within its round, from 1."""
        return 2 * self.turn - 1 + self.second

    def play(self, command: Command) -> tuple[Event, ...]:
        """Carry out the next play and go on to the one after it; return what happened."""
        self.arena, events = step(self.arena, self.actor, command, self._rules)
        if knocked_out(self.arena) is not None:
            self.result = outcome(self.arena, self._rules)
        elif not self.second:
            self.second, self.actor = True, self.order[1]
        elif self.turn < self._rules.turns_per_round:
            self.turn, self.second, self.actor = self.turn + 1, False, self.order[0]
        elif self.round < self._rules.total_rounds:
            self._begin_round()
        else:
            self.result = outcome(self.arena, self._rules)
        return events

    def forfeit(self, bot: int) -> None:
        """End the game: the other bot wins."""
        self.result = Result(1 - bot, "forfeit")
