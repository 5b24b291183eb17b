"""What a league keeps of one game, from its records: the counts of a pair's line, the text of a session file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import TypeVar

from batllm_arcade.core.model import plain
from batllm_arcade.history import schema
from batllm_arcade.history.manager import HistoryManager, compact, session_parts
from batllm_arcade.league.statistics.outcome import fault_of, no_faults
from batllm_arcade.league.statistics.pair_line import GameLine, PlayTimesLine
from batllm_arcade.match.records import GameEnded, GameStarted, Play, Record, RoundStarted, SeatSwapped

T = TypeVar("T")


@dataclass(slots=True)
class GameCounts:
    """What a pair's line tells of one game, counted from its records; names are left first."""

    names: tuple[str, str]
    faults: tuple[dict[str, int], dict[str, int]] = field(default_factory=lambda: (no_faults(), no_faults()))
    tokens: list[int] = field(default_factory=lambda: [0, 0])
    written: list[int] = field(default_factory=lambda: [0, 0])
    requests: list[int] = field(default_factory=lambda: [0, 0])
    latencies: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    by_fallback: list[int] = field(default_factory=lambda: [0, 0])
    failures: dict[str, str] = field(default_factory=dict)
    """Why a player has lost its seat or the game, by name."""
    turns: int = 0
    first: str = ""
    ended: GameEnded | None = None
    _turn: tuple[int, int] = (0, 0)
    _fallback: list[bool] = field(default_factory=lambda: [False, False])

    def notify(self, record: Record) -> None:
        """Receive the next record of the game."""
        if isinstance(record, Play):
            self._play(record)
        elif isinstance(record, RoundStarted) and record.round == 1:
            self.first = self.names[record.acting_order[0]]
        elif isinstance(record, GameEnded):
            self.ended = record
        elif isinstance(record, SeatSwapped):
            self._fallback[record.bot] = record.why == "fallback"
            if record.why == "fallback":
                self.failures[self.names[record.bot]] = record.problem

    def _play(self, play: Play) -> None:
        bot, decision = play.bot, play.decision
        if fault := fault_of(play.status, play.reason):
            self.faults[bot][fault] += 1
        if decision.tokens:
            self.written[bot] += decision.tokens.get("completion", 0)
            self.tokens[bot] += decision.tokens.get("prompt", 0) + decision.tokens.get("completion", 0)
        self.by_fallback[bot] += self._fallback[bot]
        if play.status == "forfeit":
            self.failures.setdefault(self.names[bot], play.reason)
        self.requests[bot] += decision.queued_from is None
        self.latencies[bot].append(play.latency_s)
        if (play.round, play.turn) != self._turn:
            self._turn = (play.round, play.turn)
            self.turns += 1

    @property
    def aborted(self) -> bool:
        """Return whether the game was given up before its end."""
        return self.ended is None or self.ended.result.reason == "aborted"

    def line(self, asks: list[bool]) -> GameLine:
        """Return the game as a pair's line holds it; `asks` says whose decisions are requests to a server."""
        assert self.ended is not None
        result, arena = self.ended.result, self.ended.arena
        return {
            "left": self.names[0],
            "winner": None if result.winner is None else self.names[result.winner],
            "reason": result.reason,
            "turns": self.turns,
            "health": self._by_name([plain(arena.bot(bot).health) for bot in (0, 1)]),
            "first": self.first,
            "faults": self._by_name(self.faults),
            "tokens": self._by_name(self.tokens),
            "written": self._by_name(self.written),
            "requests": self._by_name([count * asked for count, asked in zip(self.requests, asks, strict=True)]),
            "by_fallback": self._by_name(self.by_fallback),
            "latency_s": self._by_name([_latency(seen) for seen in self.latencies]),
        }

    def _by_name(self, values: Sequence[T]) -> dict[str, T]:
        return dict(sorted(zip(self.names, values, strict=True)))


def _latency(seen: list[float]) -> PlayTimesLine:
    """Return a game's latencies of one player, in seconds."""
    return {
        "plays": len(seen),
        "median": round(median(seen), 6) if seen else 0.0,
        "max": round(max(seen), 6) if seen else 0.0,
        "total": round(sum(seen), 6),
    }


class SessionText:
    """The session file of a game as text, from its records."""

    def __init__(self) -> None:
        self._history = HistoryManager()
        self._battery = False

    def notify(self, record: Record) -> None:
        """Receive the next record of the session."""
        if isinstance(record, GameStarted):
            self._battery = bool(record.rules.battery)
        self._history.append(schema.entry(record, battery=self._battery))

    def text(self) -> str:
        """Return the file's whole text."""
        session = self._history.session
        return "".join(session_parts(session, map(compact, session["games"])))
