"""What turns a game: who takes the lead, when the next hit wins, who wins from far behind, the turning point."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from batllm_arcade.analysis.tipping import TurningPoint
from batllm_arcade.core.commands import Fire
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.match.records import GameEnded, GameStarted, Play
from batllm_arcade.video.edit.text import film_names
from batllm_arcade.view.segment import Segment
from batllm_arcade.view.timeline import Timeline
from batllm_arcade.view.words.judged_words import next_hit_wins, turning_play, turning_ribbon

BEHIND = 24.0
"""Who wins after being behind by so much health, in percent of its start, has come back."""
TwistKind = Literal["lead", "next", "comeback", "turning"]


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
    found = {segment.start: twist for game in games(timeline) for segment, twist in _of_game(game)}
    return found | dict(_turnings(timeline, points))


def _turnings(timeline: Timeline, points: Sequence[TurningPoint]) -> Iterator[tuple[float, Twist]]:
    """Yield the turning points, each with the start of the segment in which it is seen.

    A shot that is answered by a knock-out is none: who watches sees only that both fire.
    """
    plays = by_play(timeline)
    for point in points:
        if point.hit.knocks_out and isinstance(point.play.command, Fire):
            continue
        shown = point.play if point.hit.knocks_out else point.hit
        segment = plays.get(shown.key)
        if segment is not None:
            known = segment.known if shown is point.hit else segment.acts
            yield segment.start, Twist("turning", f"turning point: {_told(point, segment)}", point.play.bot, known)


def _told(point: TurningPoint, segment: Segment) -> str:
    """Return what is said of a turning point when this segment is shown: of a knock-out only what led to it."""
    names = film_names(segment.board.seats)
    if point.hit.knocks_out:
        return turning_play(point, names)
    return turning_ribbon(point, names, segment.board.rules)


def by_play(timeline: Timeline) -> dict[tuple[int, int, int], Segment]:
    """Return the segments of plays by their keys."""
    return {segment.record.key: segment for segment in timeline.segments if isinstance(segment.record, Play)}


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


def _of_game(segments: list[Segment]) -> Iterator[tuple[Segment, Twist]]:
    leader: int | None = None
    most, tense = [0.0, 0.0], False
    for segment in segments:
        record, rules = segment.record, segment.board.rules
        names = film_names(segment.board.seats)
        if isinstance(record, GameEnded):
            winner = record.result.winner
            if winner is not None and most[winner] >= BEHIND:
                told = f"comeback by {names[winner]}, once {behind_words(most[winner], rules)}"
                yield segment, Twist("comeback", told, winner, segment.start)
        if not isinstance(record, Play) or not record.is_hit:
            continue
        known, ahead = segment.known, _lead(record.after, rules)
        most = [max(most[0], -ahead), max(most[1], ahead)]
        now = None if abs(ahead) < 1e-9 else int(ahead < 0)
        if not tense and next_hit_wins(record.after, rules):
            tense = True
            yield segment, Twist("next", "next hit wins", None, known)
        elif leader is not None and now not in (None, leader) and not record.knocks_out:
            yield segment, Twist("lead", f"lead change: {names[int(ahead < 0)]}", int(ahead < 0), known)
        leader = leader if now is None else now


def behind_words(percent: float, rules: Rules) -> str:
    """Return how far behind that is: `24 behind` of bots with 100 health, else `24% behind`."""
    return f"{percent:.0f}{'' if set(rules.initial_health) == {100} else '%'} behind"


def _lead(arena: Arena, rules: Rules) -> float:
    """Return by how much of its health, in percent, left is ahead of right."""
    left, right = rules.initial_health
    return 100 * (arena.left.health / left - arena.right.health / right)
