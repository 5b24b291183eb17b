"""Which part of a replay is to be filmed."""

from __future__ import annotations

from batllm_arcade.share.shown import Selection
from batllm_arcade.video.edit.selection import Turn
from batllm_arcade.view.timeline_index import TimelineIndex


class FilmRange:
    """`times` are where it begins and ends, in seconds of the timeline; None is the whole timeline."""

    def __init__(self, index: TimelineIndex) -> None:
        self._index = index
        self.times: tuple[float, float] | None = None

    def begin_at(self, t: float) -> None:
        """Let it begin at a moment; if it would end before that, it ends with the timeline."""
        _, end = self.times or (0.0, self._index.end)
        self._set(t, end if end > t else self._index.end)

    def end_at(self, t: float) -> None:
        """Let it end at a moment; if it would begin after that, it begins with the timeline."""
        start, _ = self.times or (0.0, self._index.end)
        self._set(start if start < t else 0.0, t)

    def _set(self, start: float, end: float) -> None:
        self.times = (start, end) if start > 0.0 or end < self._index.end else None

    def options(self) -> list[str]:
        """Return the options of `video` for it: its first turn and its last; none for the whole timeline."""
        chosen = self.selection()
        return [] if chosen.first is None else ["--from", str(chosen.first), "--to", str(chosen.last)]

    def selection(self) -> Selection:
        """Return its first turn and its last, for a page; neither for the whole timeline."""
        plays = self._index.plays
        if self.times is None or not plays:
            return Selection()
        last = self._index.play_at(self.times[1]) or plays[0]
        first = self._index.play_from(self.times[0]) or last
        if (first.game, first.round, first.turn) > (last.game, last.round, last.turn):
            first = last  # nothing but a banner lies between them
        return Selection(None, *(Turn(play.turn, play.round, play.game) for play in (first, last)))
