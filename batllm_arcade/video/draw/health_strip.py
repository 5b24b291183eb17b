"""The health of both bots so far, as lines below the words of a film for telephones, where these lay theirs."""

from __future__ import annotations

from bisect import bisect_right

import pygame

from batllm_arcade.match.records import Play
from batllm_arcade.render.health_chart import HealthChart
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.video.edit.story import by_game
from batllm_arcade.view.layout import Layout
from batllm_arcade.view.statistics import report
from batllm_arcade.view.timeline import Timeline

_GAP, _HIGH = 24, 300  # pixels of a film 1080 wide: from the words, and the height
_STROKE = 2.2  # the scale of lines and marks, for each pixel of a film 1080 wide


class HealthStrip:
    """Draws the lines of the game that is shown, on a picture with this layout; without any words."""

    def __init__(self, layout: Layout, timeline: Timeline) -> None:
        assert layout.free is not None
        scale, (left, _, wide, _) = layout.words_scale, layout.arena
        top = layout.free[1] + layout.free[3] + round(_GAP * scale)
        self.rect = pygame.Rect(left, top, wide, round(_HIGH * scale))
        self._scale = _STROKE * scale
        self._games = by_game(timeline.segments)
        self._starts = [game[0].start for game in self._games]
        self._known = [[each.known for each in game if isinstance(each.record, Play)] for game in self._games]
        self._charts: dict[int, HealthChart | None] = {}
        """Of the games that were shown; None of one of which the records do not have the start."""
        self._last: tuple[int, int] | None = None

    def draw(self, target: pygame.Surface, t: float, *, anew: bool) -> list[pygame.Rect]:
        """Draw the lines up to `t` seconds of the timeline; return what changed.

        Unless they are drawn `anew`, `target` must show what was drawn on it last.
        """
        game = max(0, bisect_right(self._starts, t) - 1)
        shown = game, bisect_right(self._known[game], t)
        chart = self._chart(game)
        if chart is None or (shown == self._last and not anew):
            return []
        self._last = shown
        chart.draw_until(target, self.rect.topleft, shown[1])
        return [self.rect]

    def _chart(self, game: int) -> HealthChart | None:
        if game not in self._charts:
            figures, scale = report(segment.record for segment in self._games[game]), self._scale
            text = TextRenderer(scale)
            self._charts[game] = (
                HealthChart(figures, text, scale, self.rect.size, labelled=False) if figures is not None else None
            )
        return self._charts[game]
