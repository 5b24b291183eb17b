"""Two games on one clock of turns: their timelines, and what a film of both shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from batllm_arcade.core.events import BotHit, ShotBlocked
from batllm_arcade.match.records import GameStarted, Play, Record, RoundStarted
from batllm_arcade.video.edit import pacing
from batllm_arcade.video.edit.edit_list import Cut
from batllm_arcade.view.timeline import Timeline

Both = tuple[Timeline, Timeline]
Leads = tuple[Sequence[float], Sequence[float]]
QUIET = 6
"""Turns in a row without a hit or a block in either game of which most are left out."""
_KEPT = 1  # turns at each end of such a stretch that are shown
_RIBBON_S = 1.6
_LAST_S = 1.2  # for which both results are shown before the end card


def on_one_clock(first: Sequence[Record], second: Sequence[Record], *, read: bool = True) -> Both:
    """Return the timelines of two games in which every turn begins at the same second.

    Where one turn takes longer the other game waits, and it stands still once it has ended. Unless `read` is False
    words are shown long enough to be read, within the budget of a film.
    """
    both = _together(first, second, ((), ()))
    if not read:
        return both
    end = max(timeline.end for timeline in both)
    budget = pacing.SLOWER * end / 2  # of each: most of both games' waits are not at the same time
    left, right = (pacing.leads(timeline, [(0.0, end)], budget) for timeline in both)
    return _together(first, second, (left, right))


def cuts(both: Both, *, whole: bool = False) -> list[Cut]:
    """Return what a film of both games shows: all but stretches in which nothing happens in either (`whole`: all)."""
    end = max(timeline.segments[-1].start for timeline in both) + _LAST_S
    found, begin, later = list[Cut](), 0.0 if whole else _first_round(both), 0
    for first, last, turns in () if whole else _gaps(both):
        found += _after(begin, first, later)
        begin, later = last, turns
    return [*found, *_after(begin, end, later)]


def _first_round(both: Both) -> float:
    """Return when the first rounds begin: the opening card has told who plays."""
    starts = [segment.start for timeline in both for segment in timeline.segments if segment.board.round]
    return min(starts, default=0.0)


def _after(start: float, end: float, turns: int) -> Iterator[Cut]:
    """Yield the cuts of a part that comes after so many turns that are left out."""
    said = min(end, start + _RIBBON_S) if turns else start
    if turns:
        yield Cut(start, said, text=f"{turns} turns later", entry="flash")
    if said < end:
        yield Cut(said, end)


def _together(first: Sequence[Record], second: Sequence[Record], leads: Leads) -> Both:
    both, plays = (Timeline(), Timeline()), [0, 0]
    for beats in zip_longest(_beats(first), _beats(second), fillvalue=()):
        begins = max(timeline.end for timeline in both)
        for side, (timeline, beat) in enumerate(zip(both, beats, strict=True)):
            for number, record in enumerate(beat):
                lead = 0.0
                if isinstance(record, Play):
                    lead = leads[side][plays[side]] if plays[side] < len(leads[side]) else 0.0
                    plays[side] += 1
                timeline.append(record, not_before=begins if number == 0 else 0.0, lead=lead)
    return both


def _beats(records: Iterable[Record]) -> Iterator[tuple[Record, ...]]:
    """Yield the records of each turn, and what comes before the first turn of a game or a round."""
    beat, turn = list[Record](), (0, 0)
    for record in records:
        new = isinstance(record, (GameStarted, RoundStarted))
        if isinstance(record, Play):
            new, turn = (record.round, record.turn) != turn, (record.round, record.turn)
        if new and beat:
            yield tuple(beat)
            beat = []
        beat.append(record)
    yield tuple(beat)


def _gaps(both: Both) -> Iterator[tuple[float, float, int]]:
    """Yield from when to when nothing happens in either game, and how many turns are left out."""
    run: list[tuple[float, float]] = []
    for start, end, eventful in [*_turns(both), (0.0, 0.0, True)]:
        if not eventful:
            run.append((start, end))
            continue
        if len(run) >= QUIET:
            yield run[_KEPT - 1][1], run[-_KEPT][0], len(run) - 2 * _KEPT
        run = []


def _turns(both: Both) -> list[tuple[float, float, bool]]:
    """Return when each turn begins and ends, and whether a bot hits or blocks in it in one of the games."""
    found: dict[tuple[int, int], tuple[float, float, bool]] = {}
    for timeline in both:
        for segment in timeline.segments:
            play = segment.record
            if isinstance(play, Play):
                key = play.round, play.turn
                start, end, eventful = found.get(key, (segment.start, segment.end, False))
                eventful |= any(isinstance(event, (BotHit, ShotBlocked)) for event in play.events)
                found[key] = min(start, segment.start), max(end, segment.end), eventful
    return sorted(found.values())
