"""What a session's models have read and written, and what that cost: of a game, and of all."""

from __future__ import annotations

from batllm_arcade.brains.price import cost_of, money
from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.model import SEATS
from batllm_arcade.match.records import ForkedFrom, GameStarted, Play, Record, SeatSwapped


class Spending:
    """Counts the tokens of each seat, those of failed plays included, and their cost where there is a price.

    What a fork has taken over was paid before.
    """

    def __init__(self) -> None:
        self.tokens: list[dict[str, int]] = [{}, {}]
        """By seat, left first: `prompt` and `completion`, as far as they were counted."""
        self.cost: list[float | None] = [None, None]
        self._seats: list[SeatInfo] = []
        self._origin: ForkedFrom | None = None
        self._names = ["", ""]

    def notify(self, record: Record) -> None:
        """Receive the next record of the session."""
        if isinstance(record, GameStarted):
            self._seats, self._origin = list(record.seats), record.forked_from
        elif isinstance(record, SeatSwapped):
            self._seats[record.bot] = record.seat
        elif isinstance(record, Play) and record.decision.tokens and not (self._origin and self._origin.holds(record)):
            self._add(record.bot, dict(record.decision.tokens))

    def _add(self, bot: int, tokens: dict[str, int]) -> None:
        seat, total = self._seats[bot], self.tokens[bot]
        self._names[bot] = seat.name
        for name, count in tokens.items():
            total[name] = total.get(name, 0) + count
        if (cost := cost_of(seat.options, tokens)) is not None:
            self.cost[bot] = (self.cost[bot] or 0.0) + cost

    def entry(self) -> dict[str, object]:
        """Return the figures as a game's line of JSON holds them, nothing where nothing was counted."""
        rounded = [None if cost is None else round(cost, 9) for cost in self.cost]
        return {"tokens": self.tokens, "cost": rounded} if any(self.tokens) else {}

    def sentences(self) -> list[str]:
        """Return a line for each seat that has used tokens."""
        lines = []
        for seat, name, tokens, cost in zip(SEATS, self._names, self.tokens, self.cost, strict=True):
            if tokens:
                figures = f"{tokens.get('prompt', 0):,} read, {tokens.get('completion', 0):,} written"
                lines.append(f"tokens of {seat} ({name}): {figures}{'' if cost is None else f', cost {money(cost)}'}")
        return lines
