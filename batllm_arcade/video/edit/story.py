"""What turns the games of a timeline, and when that is seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from batllm_arcade.match.records import GameStarted, Play
from batllm_arcade.story import moments
from batllm_arcade.story.games import games_of
from batllm_arcade.story.moments import TwistKind
from batllm_arcade.story.turning import TurningPoint
from batllm_arcade.video.edit.text import film_names
from batllm_arcade.view.segment import Segment
from batllm_arcade.view.timeline import Timeline


class Twist(NamedTuple):
    """What a segment turns: `text` names it, in the colour of `bot`, from `known` seconds on."""

    kind: TwistKind
    text: str
    bot: int | None
    known: float


def twists(timeline: Timeline, points: Sequence[TurningPoint] = ()) -> dict[float, Twist]:
    """Return what turns the games of a timeline, each by the start of the segment in which it happens.

    `points` are the turning points of its games, which come before all else that their plays turn.
    """
    found: dict[float, Twist] = {}
    for segments in games(timeline):
        plays, names = by_play(segments), film_names(segments[-1].board.seats)
        for game in games_of(segment.record for segment in segments):
            point = next((each for each in points if each.play.key in plays and each.play.game == game.number), None)
            for kind, text, bot, play in moments.twists(game, names, point):
                segment = plays.get(play.key) if play is not None else segments[-1]
                if segment is not None:
                    found[segment.start] = Twist(kind, text, bot, segment.known if play is not None else segment.start)
    return found


def by_play(segments: Iterable[Segment]) -> dict[tuple[int, int, int], Segment]:
    """Return the segments of plays by their keys."""
    return {segment.record.key: segment for segment in segments if isinstance(segment.record, Play)}


def games(timeline: Timeline) -> list[list[Segment]]:
    """Return the segments of each game."""
    return by_game(timeline.segments)


def by_game(segments: Iterable[Segment]) -> list[list[Segment]]:
    """Return those of these segments that are of each game."""
    found: list[list[Segment]] = []
    for segment in segments:
        if isinstance(segment.record, GameStarted) or not found:
            found.append([])
        found[-1].append(segment)
    return found
