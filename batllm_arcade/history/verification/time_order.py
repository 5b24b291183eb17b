"""Check that the times of a session, and of the sessions that a fork comes from, do not run backwards."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from batllm_arcade.history.reader import GameTape, PlayTape
from batllm_arcade.history.times import utc_time
from batllm_arcade.history.verification.difference import Difference, Place, play_place, round_place
from batllm_arcade.match.records import ForkedFrom

_CLOCKS = timedelta(seconds=1)
"""By how much a latency may be longer than the time between: sessions of before had two clocks for them."""


def fork_times(place: Place, game: GameTape, origin: ForkedFrom, start: str) -> Iterator[Difference]:
    """Yield the differences in the times of what a fork has taken over: session by session, all before its `start`."""
    times, points, reached = TimeOrder(), origin.points, -1
    for position, tape in enumerate(game.rounds, 1):
        for number, play in enumerate(tape.plays, 1):
            session = origin.session_of(position, (number + 1) // 2)
            if session > reached:
                reached = session
                if session == len(points):
                    break
                yield from times.check(place, "forked_from.session_start", points[session].session_start)
            if session < len(points):
                yield from times.check_play(play_place(round_place(place, position, tape.number), number), play)
    yield from times.check(place, "the session's session_start", start)


class TimeOrder:
    """Follows the times of a session, which must not run backwards."""

    def __init__(self) -> None:
        self._last: datetime | None = None
        self._text = ""

    def check_play(self, place: Place, play: PlayTape) -> Iterator[Difference]:
        """Yield the differences of a play: its brain was not asked before the time before it."""
        before = self._last
        yield from self.check(place, "timestamp", play.timestamp)
        if before is not None and self._last is not None:
            most = (self._last - before + _CLOCKS).total_seconds()
            if play.latency_s > most:
                yield place.broken("latency_s", play.latency_s, f"must be at most {most:g} by the time before it")

    def check(self, place: Place, field: str, text: str) -> Iterator[Difference]:
        """Yield a difference where the text is no time, or one before the last."""
        try:
            time = utc_time(text)
        except ValueError:
            yield place.broken(field, text, "must be a time (ISO 8601)")
            return
        if self._last is not None and time < self._last:
            yield place.broken(field, text, f"must not be before {self._text!r}, the time before it")
            return
        self._last, self._text = time, text
