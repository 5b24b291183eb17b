"""Which moments of many games a reel shows, in which order, and for how long; the best comes last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from batllm_arcade.analysis.judgement import Swings
from batllm_arcade.match.records import GameEnded, Play, Record
from batllm_arcade.video.edit import highlights, pacing
from batllm_arcade.video.edit.cards import BANNER_S, END_S, first_round, result_shown
from batllm_arcade.video.edit.edit_list import EditList
from batllm_arcade.video.edit.moments import KNOCKOUT, Highlight, moments
from batllm_arcade.video.edit.story import twists
from batllm_arcade.video.edit.text import film_names, told_apart
from batllm_arcade.video.edit.thinking_time import ThinkingTimes, append_with_thinking
from batllm_arcade.view.timeline import Timeline

LONGEST_S = 60.0
CARD_S = 1.6
"""Seconds for which each moment's card says who plays, with which orders, and what is to be seen."""
FINALE_S = BANNER_S + END_S
"""Seconds at most for the banner of the last moment's game and its end card, where that moment ends it."""
CLOSE = 0.2
"""The share of its health with which a winner has only just won."""
MOST_OF_GAME = 2
"""Moments of one game at most."""
MANY = 4
"""Games of which one moment each is shown, for every card takes time to be read."""


@dataclass(frozen=True, slots=True)
class GameMoment:
    """A moment of a game, and all that is drawn of that."""

    timeline: Timeline
    thinking: ThinkingTimes
    moment: Highlight

    def edit_list(self, card: float, pace: float, end_card: float = 0.0) -> EditList:
        """Return what is shown of it: a card of so many seconds, then the moment; with an end card the result, too."""
        moment = self.moment
        if end_card:
            moment = replace(moment, end=result_shown(self.timeline, self.timeline.end))
        return EditList(highlights.alone(moment, self.timeline.end), card, end_card, highlights=True).faster(pace)

    @property
    def ends(self) -> bool:
        """Return whether its game ends with it."""
        return self.moment.score >= KNOCKOUT

    @property
    def players(self) -> tuple[object, ...]:
        """Return who plays with which orders."""
        board = first_round(self.timeline, self.moment.start)
        return tuple(seat.name for seat in board.seats), board.prompts

    @property
    def reads(self) -> object:
        """Return what its card says: what happens, between whom, with which orders."""
        return self.moment.text, self.players

    @property
    def seconds(self) -> float:
        """Return how long it takes without a card."""
        return self.edit_list(0.0, 1.0).seconds


def excitement(records: Sequence[Record]) -> float:
    """Return how much there is to see in a game, counted without its chances."""
    return highlights.drama(Timeline.of(records), {})


def best_of_game(records: Sequence[Record], swings: Swings, *, read: bool = True) -> list[GameMoment]:
    """Return the moments of a game that change most who is likely to win, the best first; none may overlap.

    Unless `read` is False a play is shown for as long as it takes to read its words.
    """
    timeline, thinking = _timeline(records, read=read)
    found: list[Highlight] = []
    for moment in sorted(moments(timeline, swings), key=lambda moment: (-moment.score, moment.start)):
        if len(found) < MOST_OF_GAME and not any(_overlap(moment, other) for other in found):
            found.append(moment)
    return [GameMoment(timeline, thinking, _told(moment, timeline)) for moment in found]


def _told(moment: Highlight, timeline: Timeline) -> Highlight:
    """Return a moment; a knock-out says how near it was (`SmolLM2 wins with its last 4`), or what led to its hit."""
    over = next((segment for segment in reversed(timeline.segments) if isinstance(segment.record, GameEnded)), None)
    winner = over.board.result.winner if over is not None and over.board.result is not None else None
    if moment.score < KNOCKOUT or over is None or winner is None:
        return moment
    comeback, name = twists(timeline).get(over.start), film_names(over.board.seats)[winner]
    left, full = over.arena.bot(winner).health, over.board.rules.initial_health[winner]
    if comeback is not None:
        text = comeback.text
    elif left >= full:
        text = f"{name} wins unhurt"
    elif left <= CLOSE * full:
        text = f"{name} wins with its last {left:g}"
    elif over.board.rules.has_armour and moment.text.endswith(("side", "back")):
        return moment
    else:
        text = f"{name} wins with {left:g} left"
    return replace(moment, text=text, bot=winner)


def chosen(games: Iterable[Sequence[GameMoment]], card: float) -> list[GameMoment]:
    """Return the moments of a reel, the best last: each game's best before any game's second, at most a minute.

    Of many games there is one moment each, and one of the same players with the same orders where there are many of
    these. What reads as a better moment comes after all that does not.
    """
    shown = [of_game for of_game in games if of_game]
    most = 1 if len(shown) >= MANY else MOST_OF_GAME
    ranked = sorted(
        ((place, -each.moment.score, number, each) for number, of_game in enumerate(shown)
         for place, each in enumerate(of_game[:most])),
        key=lambda entry: entry[:3],
    )  # fmt: skip
    best: dict[object, GameMoment] = {}
    for *_, each in ranked:
        best.setdefault(each.players, each)
    several = best.values() if len(best) >= MANY else [each for *_, each in ranked]
    seen: Counter[object] = Counter()
    repeats: list[tuple[int, GameMoment]] = []
    for each in several:
        repeats.append((seen[each.reads], each))
        seen[each.reads] += 1
    kept, room = list[GameMoment](), LONGEST_S - (FINALE_S if card else 0.0)
    for _, each in sorted(repeats, key=lambda entry: entry[0]):
        needed = card + each.seconds
        if needed <= room:
            kept.append(each)
            room -= needed
    return sorted(kept, key=lambda each: each.moment.score)


def _timeline(records: Sequence[Record], *, read: bool) -> tuple[Timeline, ThinkingTimes]:
    records, timeline = list(told_apart(records)), Timeline()
    times = append_with_thinking(timeline, records, None)
    if not read or not any(isinstance(record, Play) for record in records):
        return timeline, times
    leads = pacing.leads(timeline, highlights.spans(timeline, 0.0, timeline.end), float("inf"))
    timeline = Timeline()
    return timeline, append_with_thinking(timeline, records, None, leads)


def _overlap(one: Highlight, other: Highlight) -> bool:
    return one.start < other.end and one.end > other.start
