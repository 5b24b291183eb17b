"""Words of a film."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.match.records import GameStarted, Play, Record
from batllm_arcade.match.series import MARKS, distinct
from batllm_arcade.story import moments
from batllm_arcade.story.games import games_of
from batllm_arcade.story.moments import TurningPoint, TwistKind
from batllm_arcade.story.sentences import say
from batllm_arcade.view.animation import Segment
from batllm_arcade.view.cut_words import ended
from batllm_arcade.view.play_text import level_of
from batllm_arcade.view.scene import Scoreboard
from batllm_arcade.view.timeline import Timeline

# Short safe texts

LONGEST = 160
"""Characters that are shown of a text."""
LONGEST_NAME = 16
"""Characters of a name in ribbons and captions, where two may have to fit."""
WHO_WINS = "Who wins?"


def shortened(text: str, most: int = LONGEST) -> str:
    """Return the text on one line of at most `most` characters, cut at a clause or word, without control characters."""
    kept = text[: 4 * most]
    kept = "".join(" " if unicodedata.category(character)[0] in "CZ" else character for character in kept)
    kept = " ".join(kept.split())
    if len(kept) <= most:
        return kept
    return ended(kept[: most - 1].rsplit(" ", 1)[0])


def film_names(seats: Iterable[SeatInfo]) -> tuple[str, str]:
    """Return both names as films show them, left first: short, and told apart where they would read the same."""
    left, right = (_short(seat.name) for seat in seats)
    return distinct((left, right))


def told_apart(records: Iterable[Record]) -> Iterator[Record]:
    """Yield the records; two of one name that begin a game are `NAME (blue)` and `NAME (orange)`, as their bots are.

    A bot may stand anywhere in the arena, so that "left" and "right" would often be untrue of a picture.
    """
    for record in records:
        if isinstance(record, GameStarted):
            left, right = (_short(seat.name) for seat in record.seats)
            if left.casefold() == right.casefold():
                named = zip(record.seats, (left, right), MARKS, strict=True)
                first, second = (replace(seat, name=f"{name}{mark}") for seat, name, mark in named)
                record = replace(record, seats=(first, second))
        yield record


def own_name(name: str) -> str:
    """Return a name without what tells it apart from an equal one."""
    return next((name.removesuffix(mark) for mark in MARKS if name.endswith(mark)), name)


def _short(name: str) -> str:
    own = own_name(name)
    return f"{shortened(own, LONGEST_NAME)}{name.removeprefix(own)}"


def claim(board: Scoreboard, *, reads: bool) -> str:
    """Return what a film is about: what plays where a model does, else the question that it answers.

    `reads`: a model reads the orders alone, and a tactician plays them.
    """
    seats = board.seats
    models = [seat.model for seat in seats if seat.model and not seat.human]
    told = [orders.strip() for seat, orders in zip(seats, board.prompts, strict=True) if seat.model and not seat.human]
    if reads and any(told):
        return say("reads")
    if len(models) == 2:
        what = _difference(seats, told)
    elif models and any(told) and not any(seat.human for seat in seats):
        return say("told")
    else:
        what = "" if not models else "Person against AI" if any(seat.human for seat in seats) else "AI against script"
    return say("who wins", what=what) if what else WHO_WINS


def _difference(seats: tuple[SeatInfo, SeatInfo], told: Sequence[str]) -> str:
    """Return what plays where both are models; of one model what differs between its seats, "" if that is not clear."""
    left, right = seats
    if left.model != right.model or own_name(left.name) != own_name(right.name):
        return "Two AI models"
    differs = {
        "One AI model, two orders": all(told) and told[0] != told[1],
        "One AI model, one order": bool(told[0]) != bool(told[1]),
        "One AI model, two levels": level_of(left) != level_of(right),
    }
    found = [what for what, so in differs.items() if so]
    return found[0] if len(found) == 1 else ""


# What turns games, and when that is seen


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
