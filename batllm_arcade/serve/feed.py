"""A match as messages for pages, made once however many watch it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from batllm_arcade.history import schema
from batllm_arcade.match.records import GameStarted, Play, Record, RoundStarted, SessionStarted
from batllm_arcade.serve.messages import written
from batllm_arcade.share.look_export import LookExport
from batllm_arcade.share.page import packed
from batllm_arcade.share.timeline_export import TimelineExport, states
from batllm_arcade.view.timeline import Timeline

MOST = 2000
"""Records that who comes late is given; with the next game after so many the story begins anew."""
_LONGEST_REPLY = 2000
_SHOWN = ("cmd", "status", "llm_response", "thought", "queued_from")
"""What pages are told of a play, beside what moves."""


class Feed:
    """The records of a session from the first game on, on one clock for all pages; any thread may call any method.

    `clock` gives the time in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self.match = 0
        """Which story this is: with another one pages begin anew."""
        self._begin()

    def _begin(self) -> None:
        self.match += 1
        self.messages: list[str] = []
        self._timeline, self._look, self._origin = Timeline(), LookExport(), self._clock()
        self._export = TimelineExport(self._look, 0.0)
        self._segments: list[Any] = []
        self._games: list[dict[str, Any]] = []
        self._before: Any = None
        self._kept: tuple[int, str] = (-1, "")

    @property
    def now(self) -> float:
        """Return the seconds since the first game, by which all pages show it."""
        return self._clock() - self._origin

    @property
    def unseen_s(self) -> float:
        """Return in how many seconds everything so far has been shown, 0 if it has."""
        return max(0.0, self._timeline.end - self.now)

    def skip(self, left: float) -> None:
        """Have so many seconds left to be shown at most; pages learn it with the next thing they are told."""
        with self._lock:
            self._origin -= max(0.0, self.unseen_s - left)

    def notify(self, record: Record) -> None:
        """Take the next record of a session; what comes before a game's start, for a page that is late, is left out."""
        with self._lock:
            if isinstance(record, SessionStarted):
                self._begin()
                self._timeline.append(record)
            elif self._games or isinstance(record, GameStarted):
                if isinstance(record, GameStarted):
                    if len(self.messages) > MOST:
                        self._begin()
                    if not self._games:
                        self._origin = self._clock()
                        self._before = states(record.arena)
                self._add(record)

    def _add(self, record: Record) -> None:
        told = self._told(record)
        looks, before = len(self._look.rules), len(self._timeline.segments)
        self._timeline.append(record, not_before=self.now)
        place = self._place(record)
        added = [self._export.segment(segment, place) for segment in self._timeline.segments[before:]]
        self._segments += added
        if added or told:
            look = {"look": self._look.figures()} if len(self._look.rules) > looks else {}
            self.messages.append(
                written({"add": added, "end": round(self._timeline.end, 3), **told, **look, "now": self.now})
            )

    def _told(self, record: Record) -> dict[str, Any]:
        """Return what a record adds to the session that pages know, and remember it for those that come late."""
        if isinstance(record, GameStarted):
            self._games.append({"rounds": []})
            return {"game": self._games[-1]}
        rounds = self._games[-1]["rounds"]
        if isinstance(record, RoundStarted):
            rounds.append({"prompts": list(record.prompts), "turns": []})
            return {"round": {"prompts": list(record.prompts), "turns": []}}
        if isinstance(record, Play):
            play = schema.entry(record)["play"]
            turn = {key: play[key] for key in _SHOWN if key in play}
            turn["llm_response"] = turn["llm_response"][:_LONGEST_REPLY]
            rounds[-1]["turns"].append(turn)
            return {"turn": turn}
        return {}

    def _place(self, record: Record) -> tuple[int, ...]:
        game, rounds = len(self._games) - 1, self._games[-1]["rounds"]
        number = max(0, len(rounds) - 1)
        return (game, number, len(rounds[-1]["turns"]) - 1) if isinstance(record, Play) else (game, number)

    def start(self) -> tuple[str, int]:
        """Return the message with all so far, "" before the first game, and how many messages it stands for."""
        with self._lock:
            match, count = self.match, len(self.messages)
            if not count or self._kept[0] == count:
                return (self._kept[1] if count else ""), count
            look, end = self._look.figures(), round(self._timeline.end, 3)
            replay = written({"before": self._before, "segments": self._segments, "end": end, "look": look})
            session = written({"games": self._games})
        # What takes longest is done while the match goes on.
        start = f'{{"start":{{"match":{match},"have":{count},"replay":"{packed(replay)}","session":{session}}}}}'
        with self._lock:
            if self.match == match and self._kept[0] < count:
                self._kept = count, start
        return start, count
