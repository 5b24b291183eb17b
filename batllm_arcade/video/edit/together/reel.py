"""Which moments of many games a reel shows, in which order, and for how long; the best comes last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from batllm_arcade.analysis.judgement import Swings
from batllm_arcade.match.records import Play, Record, RoundStarted
from batllm_arcade.video.edit import highlights, pacing
from batllm_arcade.video.edit.cards import end_card, first_round
from batllm_arcade.video.edit.edit_list import EditList
from batllm_arcade.video.edit.fight_moment import fight_scene
from batllm_arcade.video.edit.moments import KNOCKOUT, Highlight, moments
from batllm_arcade.video.edit.story import behind_words, furthest_behind
from batllm_arcade.video.edit.text import film_names, own_name, shortened, told_apart, unnamed
from batllm_arcade.video.edit.together.headlines import COMEBACK, PLAIN, Headline, begins, headlines, teaser
from batllm_arcade.video.edit.together.said_first import Said, kept_of, saying, title_seconds
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.timeline import Timeline
from batllm_arcade.view.words.orders_words import in_one_line

LONGEST_S = 60.0
CARD_S = 1.6
"""Seconds for which the first moment's card says who plays, with which orders, and what is to be seen."""
RECAP_S = 3.5
"""Seconds for which the last card names the moments again, with whose they were."""
LEAD_PLAYS, LEAST_PLAYS = 6, 2
"""Plays that are shown before the one that a moment is about: who watches sees where both stand. Fewer are where the
score is that of another moment else."""
MOST_OF_GAME = 2
"""Moments of one game at most."""
MANY = 4
"""Games of which one moment each is shown, for every card takes time to be read."""
_BEFORE_S, _AFTER_S = 0.3, 1.0
"""Seconds that are shown before and after the hit after which who comes back was furthest behind."""
_ENOUGH, _FAR = 5, 0.55
"""Moments after which none is shown that one would not remember or in which bots are so many arena's widths apart."""
_NEARLY = 0.9
"""The share of the best moment's score with which another one is nearly as good."""
_SAID_AFTER_S = 0.45
"""Seconds after a knock-out for which it is not yet said who wins."""
_LONGEST_ORDERS = 40
"""Characters of orders that stand for a name."""
_LONGEST_AGAIN = 80
"""Characters of what the last card says of a moment, if it says how orders were kept, too."""
_ALIKE = 2
"""Headlines of one kind, before another is taken that is true as well."""


@dataclass(frozen=True, slots=True)
class GameMoment:
    """A moment of a game, and all that is drawn of that."""

    timeline: Timeline
    moment: Highlight
    headlines: tuple[Headline, ...] = ()
    """What can be said of it, the best first; the moment has the one that is."""
    kind: str = ""
    """The kind of that one."""
    weight: float = 0.0
    """Its weight among those of its kind."""
    before: Highlight | None = None
    """What is shown first: where who comes back was furthest behind."""

    def edit_list(self, card: float, pace: float, title: str = "") -> EditList:
        """Return what is shown of it: a card of so many seconds, then the moment, first with ribbons."""
        moment = self.moment
        if moment.score >= KNOCKOUT:  # who won is said once it is seen
            moment = replace(moment, known=min(moment.known + _SAID_AFTER_S, moment.end - _SAID_AFTER_S))
        shown = [self.before, moment] if self.before and self.kind == COMEBACK else [moment]
        cuts = highlights.of_moments(shown, self.timeline)
        if card or title:
            cuts = saying(cuts, [Said(title, None, title_seconds(cuts, self.timeline)), self._kept])
        return EditList(cuts, card, highlights=True).faster(pace)

    def with_leads(self) -> Iterator[GameMoment]:
        """Yield it with the plays that are shown before its shot, then with fewer of these."""
        yield self
        for plays in range(LEAD_PLAYS - 1, LEAST_PLAYS - 1, -1):
            start = _lead_begins(self.moment, self.timeline, plays)
            yield replace(self, moment=replace(self.moment, start=max(start, self.moment.start)))

    @property
    def _kept(self) -> Said:
        """Return what is said of how a bot kept to its orders in the whole game."""
        return kept_of(end_card(self.timeline, self.timeline.end).sides, self.moment.bot)

    @property
    def names(self) -> tuple[str, str]:
        """Return whose game it is of, left first."""
        return film_names(self.timeline.segments[0].board.seats)

    @property
    def players(self) -> tuple[object, ...]:
        """Return who plays with which orders."""
        board = first_round(self.timeline, self.moment.start)
        return tuple(seat.name for seat in board.seats), board.prompts

    @property
    def teaser(self) -> str:
        """Return what its card says before it is seen, which does not tell who wins."""
        return teaser(self.moment, self.kind, self.weight, self.timeline)

    @property
    def score(self) -> str:
        """Return the health of both bots when it begins, the lower one first."""
        arena = begins(self.moment, self.timeline)[1]
        return " : ".join(f"{health:g}" for health in sorted((arena.left.health, arena.right.health)))

    @property
    def told_again(self) -> tuple[str, int | None]:
        """Return what the last card says of it and of which bot, with how that kept to its orders where it is short."""
        bot, kept = self.moment.bot, self._kept
        *_, done = kept.text.partition("\u201d: ")
        text = f"{self.recap}: {done}"
        if kept.bot != bot and self.moment.score >= KNOCKOUT:  # it did not do as it was told
            text, bot = f"{kept.text}, and loses", kept.bot
        return (text, bot) if kept.text and len(text) <= _LONGEST_AGAIN else (self.recap, self.moment.bot)

    @property
    def recap(self) -> str:
        """Return what happened for who does not see the bots: those of one name are named by their orders."""
        prompts, text = first_round(self.timeline, self.moment.start).prompts, self.moment.text
        text = text if text.startswith(self.names) else f"{text[:1].upper()}{text[1:]}"
        if prompts[0] == prompts[1] or not all(orders.strip() for orders in prompts):
            return text
        for name, orders in zip(self.names, prompts, strict=True):
            if own_name(name) != name:
                text = text.replace(name, f"\u201c{shortened(in_one_line(orders), _LONGEST_ORDERS)}\u201d")
        return text

    @property
    def seen(self) -> Scene:
        """Return the scene in which a picture shows it: right after its hit has landed."""
        return fight_scene(self.timeline, [(self.moment.known, self.moment.end)])

    @property
    def is_far(self) -> bool:
        """Return whether bots are far apart, and hence drawn small, where its hit lands."""
        scene = self.timeline.at(self.moment.known)
        return scene.arena.apart > _FAR * scene.board.rules.arena_width

    @property
    def seconds(self) -> float:
        """Return how long it takes without a card."""
        return self.edit_list(0.0, 1.0).seconds

    def told(self, headline: Headline) -> GameMoment:
        """Return it with another headline."""
        moment = replace(self.moment, text=headline.text, bot=headline.bot)
        return replace(self, moment=moment, kind=headline.kind, weight=headline.weight)


def excitement(records: Sequence[Record]) -> float:
    """Return how much there is to see in a game, counted without its chances."""
    return highlights.drama(Timeline.of(records), {})


def best_of_game(records: Sequence[Record], swings: Swings, *, read: bool = True) -> list[GameMoment]:
    """Return the moments of a game that change most who is likely to win, the best first; none may overlap.

    Unless `read` is False a play is shown for as long as it takes to read its words.
    """
    timeline = _timeline(records, read=read)
    found: list[Highlight] = []
    for moment in sorted(moments(timeline, swings), key=lambda moment: (-moment.score, moment.start)):
        led = replace(moment, start=_lead_begins(moment, timeline))
        if len(found) < MOST_OF_GAME and not any(_overlap(led, other) for other in found):
            found.append(led)
    each = ((moment, tuple(headlines(moment, timeline))) for moment in found)
    return [
        GameMoment(timeline, moment, said, before=_lowest(moment, said[0], timeline)).told(said[0])
        for moment, said in each
    ]


def _lowest(moment: Highlight, headline: Headline, timeline: Timeline) -> Highlight | None:
    """Return the hit after which who comes back was furthest behind, None without a comeback or if that is soon."""
    if headline.kind != COMEBACK or headline.bot is None:
        return None
    segment, far = furthest_behind(timeline.segments, headline.bot)
    if segment is None or segment.flight is None or segment.known + _AFTER_S >= moment.start:
        return None
    text = f"{film_names(segment.board.seats)[headline.bot]} is {behind_words(far, segment.board.rules)}"
    return Highlight(segment.flight[0] - _BEFORE_S, segment.known + _AFTER_S, 0.0, text, headline.bot, segment.known)


def _lead_begins(moment: Highlight, timeline: Timeline, plays: int = LEAD_PLAYS) -> float:
    """Return when a moment begins with so many plays before it, of the same round."""
    starts = list[float]()
    for segment in timeline.segments:
        if segment.start >= moment.known:
            break
        if isinstance(segment.record, RoundStarted):
            starts = []
        elif isinstance(segment.record, Play):
            starts.append(segment.start)
    return min(starts[-1 - plays :], default=moment.start)


def chosen(games: Iterable[Sequence[GameMoment]], card: float) -> list[GameMoment]:
    """Return the moments of a reel, the best last: each game's best before any game's second, at most a minute.

    Of many games there is one moment each, and one of the same players with the same orders where there are many of
    these. What reads as a better moment comes after all that does not, and what one would not remember is left out
    where there are enough others.
    """
    shown = [of_game for of_game in games if of_game]
    most = 1 if len(shown) >= MANY else MOST_OF_GAME
    ranked = sorted(
        ((place, -each.moment.score, number, each) for number, of_game in enumerate(shown)
         for place, each in enumerate(of_game[:most])),
        key=lambda entry: entry[:3],
    )  # fmt: skip
    found = [each for *_, each in ranked]
    best = _of_players(found)
    several = best if len(best) >= MANY else found
    kept, room = list[GameMoment](), LONGEST_S - (card + RECAP_S if card else 0.0)
    for each in _varied(several):
        if len(kept) >= _ENOUGH and (each.kind == PLAIN or each.is_far):
            continue
        if each.seconds <= room:
            kept.append(each)
            room -= each.seconds
    return _in_order(kept)


def _of_players(ranked: Iterable[GameMoment]) -> list[GameMoment]:
    """Return the best moment of each players and orders, or one nearly as good that begins with another score."""
    groups: dict[object, list[GameMoment]] = {}
    for each in ranked:
        groups.setdefault(each.players, []).append(each)
    found, scores = list[GameMoment](), set[str]()
    for best, *others in groups.values():
        near = (best, *(each for each in others if _nearly_as_good(each, best)))
        told = (led for each in near for led in each.with_leads() if led.score not in scores)
        found.append(next(told, best))
        scores.add(found[-1].score)
    return found


def _nearly_as_good(each: GameMoment, best: GameMoment) -> bool:
    """Return whether a moment has nearly the score of the best one, and what is said of it reads as well."""
    as_told = each.kind != best.kind or each.weight >= best.weight
    return each.moment.score >= _NEARLY * best.moment.score and each.kind != PLAIN and as_told


def _in_order(kept: Iterable[GameMoment]) -> list[GameMoment]:
    """Return moments with the best last; those of one kind change places so that what reads as more comes later."""
    found = sorted(kept, key=lambda each: each.moment.score)
    for kind in {each.kind for each in found}:
        places = [place for place, each in enumerate(found) if each.kind == kind]
        for place, each in zip(places, sorted((found[at] for at in places), key=attrgetter("weight")), strict=True):
            found[place] = each
    return found


def _varied(found: Iterable[GameMoment]) -> list[GameMoment]:
    """Return moments with headlines that differ as far as can be; those that read like a better one come last."""
    said, alike, told = Counter[str](), Counter[str]({PLAIN: _ALIKE}), list[tuple[tuple[int, int], GameMoment]]()

    def repeated(each: GameMoment) -> tuple[int, int]:
        return said[_anybody(each)], alike[each.kind] // _ALIKE + 2 * each.is_far

    for each in found:
        best = min((each.told(headline) for headline in each.headlines), key=repeated, default=each)
        told.append((repeated(best), best))
        said[_anybody(best)] += 1
        alike[best.kind] += 1
    return [each for _, each in sorted(told, key=lambda entry: entry[0])]


def _anybody(each: GameMoment) -> str:
    """Return what happens in a moment, whoever it is."""
    return unnamed(each.moment.text, each.names)


def _timeline(records: Sequence[Record], *, read: bool) -> Timeline:
    records = list(told_apart(records))
    timeline = pacing.timeline_of(records)
    if not read or not any(isinstance(record, Play) for record in records):
        return timeline
    return pacing.timeline_of(
        records, pacing.leads(timeline, highlights.spans(timeline, 0.0, timeline.end), float("inf"))
    )


def _overlap(one: Highlight, other: Highlight) -> bool:
    return one.start < other.end and one.end > other.start
