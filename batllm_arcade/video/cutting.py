"""A film's timeline and its cuts: what its plan shows of a session, and for how long."""

from __future__ import annotations

import math
from collections.abc import Sequence

from batllm_arcade.analysis.game import swings
from batllm_arcade.errors import UsageError
from batllm_arcade.history.reader import SessionTape
from batllm_arcade.history.replay import replay
from batllm_arcade.story.turning import TurningPoint, turnings
from batllm_arcade.video.edit import cards, highlights, pacing, selection, stretches
from batllm_arcade.video.edit.cards import FilmCards
from batllm_arcade.video.edit.edit_list import Cut, EditList
from batllm_arcade.video.edit.story import games
from batllm_arcade.video.edit.text import told_apart
from batllm_arcade.video.film_plan import FilmPlan
from batllm_arcade.view.timeline import Timeline


def film_timeline(session: SessionTape, plan: FilmPlan) -> tuple[Timeline, list[TurningPoint]]:
    """Return the timeline of what may be shown, and where its games tipped."""
    game = plan.game or selection.implied_game(plan.first, plan.last)
    replayed = replay(session)
    records = list(told_apart(selection.records_of_game(replayed, game) if game else replayed))
    timeline = pacing.timeline_of(records)
    if not timeline.segments:
        raise UsageError("this session holds no game yet; film one in which something was played")
    points = [] if plan.fast else list(turnings(records))
    leads = () if plan.fast else _leads(timeline, plan, points)
    return pacing.timeline_of(records, leads) if any(leads) else timeline, points


def _leads(timeline: Timeline, plan: FilmPlan, points: Sequence[TurningPoint]) -> Sequence[float]:
    """Return how many seconds longer each play is shown, so that its words can be read."""
    start, end = _span(timeline, plan)
    if plan.highlights:
        return pacing.leads(timeline, highlights.spans(timeline, start, end), math.inf)
    cuts = _whole(timeline, plan, start, end, points, quiet=False)
    first, last = selection.time_span(timeline, plan.first, plan.last)
    return pacing.leads(
        timeline, [(cut.start, cut.end) for cut in cuts if cut.speed == 1.0], pacing.budget(last - first)
    )


def film_cards(timeline: Timeline, plan: FilmPlan, points: Sequence[TurningPoint] = ()) -> FilmCards | None:
    """Return a film's cards, None if it has none; `points` is where the games of its timeline tipped."""
    if not plan.cards or plan.fast:
        return None
    start, end = _span(timeline, plan)
    number = len(games(timeline))
    above = f"Highlights of {number} games" if plan.highlights and number > 1 else ""
    opening = cards.opening_card(timeline, start, plan.title, above)
    return FilmCards(opening, cards.end_card(timeline, end, points, plan.sign))


def film_edit_list(
    timeline: Timeline, plan: FilmPlan, shown: FilmCards | None, points: Sequence[TurningPoint] = ()
) -> EditList:
    """Return the cuts of a film between the cards that are `shown`; `points` is where the games of its timeline
    tipped."""
    start, end = _span(timeline, plan)
    opening, closing = (0.0, 0.0) if shown is None else (shown.opening.seconds, shown.closing.seconds * plan.ends)
    longest = plan.longest - opening - closing
    if plan.highlights:
        found = swings(segment.record for segment in timeline.segments)
        return EditList(
            highlights.cuts(timeline, found, start, end, longest, points), opening, closing, highlights=True
        )
    if plan.fast:
        return EditList([Cut(start, end)])
    return EditList(_whole(timeline, plan, start, end, points), opening, closing)


def _span(timeline: Timeline, plan: FilmPlan) -> tuple[float, float]:
    """Return from when to when a film shows its timeline; its cards say already who plays and who has won."""
    start, end = selection.time_span(timeline, plan.first, plan.last)
    if not plan.cards or plan.fast:
        return start, end
    return (
        start if plan.first else cards.match_begins(timeline),
        cards.result_shown(timeline, end) if plan.ends else end,
    )


def _whole(
    timeline: Timeline, plan: FilmPlan, start: float, end: float, points: Sequence[TurningPoint], *, quiet: bool = True
) -> list[Cut]:
    """Return the cuts of a whole film; of a part that was asked for nothing is left out, nor shown faster.

    `quiet`: plays without a shot are shown faster, which must wait until it is known which words are waited for.
    """
    if plan.first or plan.last:
        return stretches.whole(timeline, [stretches.Piece(start, end)], points, faster=False)
    return stretches.whole(timeline, stretches.pieces(timeline, start, end, points), points, quiet=quiet)
