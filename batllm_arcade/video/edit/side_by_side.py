"""Two games side by side, and how they differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, zip_longest
from math import inf
from operator import attrgetter
from typing import NamedTuple

from batllm_arcade.core.events import BotHit, ShotBlocked
from batllm_arcade.core.model import plain
from batllm_arcade.match.records import GameEnded, GameStarted, Play, Record, RoundStarted
from batllm_arcade.match.series import turns_text
from batllm_arcade.story.result import Account, accounts
from batllm_arcade.story.sentences import say
from batllm_arcade.video.edit import captions as pacing
from batllm_arcade.video.edit.cards import LONGEST_TITLE, first_round
from batllm_arcade.video.edit.edit_list import Cut
from batllm_arcade.video.edit.stretches import FASTER, turns_later
from batllm_arcade.video.edit.text import film_names, shortened
from batllm_arcade.view.play_words import in_one_line, reads_orders
from batllm_arcade.view.scene import Scoreboard
from batllm_arcade.view.timeline import Timeline

# Two games on one clock of turns

Both = tuple[Timeline, Timeline]
Leads = tuple[Sequence[float], Sequence[float]]
QUIET = 6
"""Turns in a row without a hit or a block in either game of which most are left out."""
BOTH_S = (7.0, 12.0)
"""Seconds that are shown at most of the turns that both games have: of the first ones, and of the last ones."""
FAST_S = 12.0
"""Seconds at most of the turns between these in which the bots lose most health, which are shown faster."""
ALONE_S = 4.0
"""Seconds that are shown at most of the turns that only one game has, the last ones."""
RESULT_S = 2.4
"""For which both games are shown after one has ended, whose result is read meanwhile."""
_KEPT = 1  # turns at each end of such a stretch that are shown
_RIBBON_S = 1.6
_BANNER_S = 1.0  # for which a game shows who won in it, before what its side did
_LAST_S = 1.6  # for which both results are shown before the end card


def on_one_clock(first: Sequence[Record], second: Sequence[Record], *, read: bool = True) -> Both:
    """Return the timelines of two games in which every turn begins at the same second.

    Where one turn takes longer the other game waits, and it stands still once it has ended. Unless `read` is False
    words are shown long enough to be read, within the budget of a film.
    """
    both = _together(first, second, ((), ()))
    if not read:
        return both
    end = max(timeline.end for timeline in both)
    budget = pacing.SLOWEST * end / 2  # of each: most of both games' waits are not at the same time
    left, right = (pacing.leads(timeline, [(0.0, end)], budget) for timeline in both)
    return _together(first, second, (left, right))


def cuts(both: Both, *, whole: bool = False) -> list[Cut]:
    """Return what a film of both games shows: all of them (`whole`), else about half a minute.

    Stretches in which nothing happens in either are left out, then turns in the middle of what both games have, and of
    what only one of them has.
    """
    end = max(_ends(both)) + _LAST_S
    if whole:
        return [Cut(0.0, end)]
    turns, alone = _turns(both), min(_ends(both)) + RESULT_S
    fast, left_out = _hurried(turns, alone)
    found, begin, later = list[Cut](), _first_round(both), 0
    for how, run in groupby(turns, lambda turn: "out" if turn in left_out else "fast" if turn in fast else ""):
        if how:
            several = list(run)
            until = alone if how == "out" and begin < alone <= several[0].start else several[0].start
            at_once = how == "fast" and later > 0 and until - begin < _BANNER_S  # no time to say how many are left out
            found += [] if at_once else _after(begin, until, later)
            if how == "fast":
                gone = f", {turns_later(later)}" if at_once else ""
                found.append(Cut(until, several[-1].end, FASTER, f"{FASTER:g}\u00d7 faster{gone}"))
            begin, later = several[-1].end, len(several) + 1 if how == "out" else 0  # to the next that is shown
    return [*found, *_after(begin, end, later)]


def meanwhile(timeline: Timeline, subject: int, start: float, end: float) -> str:
    """Return what a seat's hits took and what it lost between these seconds: `dealt 48, took 24`; "" if nothing."""
    taken = [0.0, 0.0]
    for segment in timeline.segments:
        if start <= segment.start < end and isinstance(segment.record, Play):
            for hit in _hits(segment.record):
                taken[hit.bot] += hit.damage
    dealt, took = taken[1 - subject], taken[subject]
    return f"dealt {plain(round(dealt, 1))}, took {plain(round(took, 1))}" if dealt or took else ""


def result_shown(both: Both, number: int) -> float:
    """Return from when on a game stands still with its result; never where the other one is not longer than it."""
    ended = _ends(both)
    return ended[number] + _BANNER_S if ended[1 - number] > ended[number] + _BANNER_S else inf


def _ends(both: Both) -> tuple[float, float]:
    first, second = (timeline.segments[-1].start for timeline in both)
    return first, second


def _first_round(both: Both) -> float:
    starts = [segment.start for timeline in both for segment in timeline.segments if segment.board.round]
    return min(starts, default=0.0)


def _after(start: float, end: float, turns: int) -> Iterator[Cut]:
    """Yield the cuts of a part that comes after so many turns that are left out."""
    said = min(end, start + _RIBBON_S) if turns else start
    if start < said:
        yield Cut(start, said, text=turns_later(turns), entry="flash")
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


def _hurried(turns: Sequence[_Turn], alone: float) -> tuple[set[_Turn], set[_Turn]]:
    """Return the turns that are shown faster and those that are left out; one game has ended from `alone` on."""
    quiet = {turn for run in _quiet_runs(turns) for turn in run[_KEPT:-_KEPT]}
    kept = [turn for turn in turns if turn not in quiet]
    middle = _middle([turn for turn in kept if turn.start < alone], *BOTH_S)
    fast = _most_lost(middle, FAST_S)
    if fast:  # no single turn beside these is left out
        first, last = middle.index(fast[0]), middle.index(fast[-1])
        fast = middle[0 if first == 1 else first : len(middle) if last == len(middle) - 2 else last + 1]
    left_out = quiet | {turn for turn in middle if turn not in fast}
    return set(fast), left_out | set(_middle([turn for turn in kept if turn.start >= alone], 0.0, ALONE_S))


def _quiet_runs(turns: Iterable[_Turn]) -> Iterator[list[_Turn]]:
    for eventful, run in groupby(turns, attrgetter("eventful")):
        several = list(run)
        if not eventful and len(several) >= QUIET:
            yield several


def _middle(turns: Sequence[_Turn], first: float, last: float) -> list[_Turn]:
    """Return the turns that are neither shown in the `first` seconds nor in the `last` ones; not one alone.

    The last turn is always shown.
    """
    lasting = list(accumulate(turn.end - turn.start for turn in turns))
    whole = lasting[-1] if turns else 0.0
    found = [turn for turn, until in zip(turns[:-1], lasting, strict=False)
             if until > first and whole - until + turn.end - turn.start > last]  # fmt: skip
    return found if len(found) > 1 else []


def _most_lost(turns: Sequence[_Turn], seconds: float) -> Sequence[_Turn]:
    """Return turns in a row, of at most so many seconds, in which the bots lose most health; none if they lose none."""
    best = turns[:0]
    for first in range(len(turns)):
        lasting = accumulate(turn.end - turn.start for turn in turns[first:])
        run = turns[first : first + sum(until <= seconds for until in lasting)]
        if sum(turn.lost for turn in run) > sum(turn.lost for turn in best):
            best = run
    return best


def _hits(play: Play) -> Iterator[BotHit]:
    return (event for event in play.events if isinstance(event, BotHit))


class _Turn(NamedTuple):
    """When a turn is shown, whether a bot hits or blocks in it in one of the games, and the health lost in both."""

    start: float
    end: float
    eventful: bool
    lost: float


def _turns(both: Both) -> list[_Turn]:
    found: dict[tuple[int, int], _Turn] = {}
    for timeline in both:
        for segment in timeline.segments:
            play = segment.record
            if isinstance(play, Play):
                key = play.round, play.turn
                start, end, eventful, lost = found.get(key, (segment.start, segment.end, False, 0.0))
                eventful |= any(isinstance(event, (BotHit, ShotBlocked)) for event in play.events)
                lost += sum(hit.damage for hit in _hits(play))
                found[key] = _Turn(min(start, segment.start), max(end, segment.end), eventful, lost)
    return sorted(found.values())


# Which went better

LETTERS = ("A", "B")
LONGEST_ORDERS = 110
"""Characters of the orders on a plate."""
CLOSE = 2
"""Hits in front: a lead of no more is none that one game shows."""
_DID = {1: "wins", 0: "draws", -1: "loses"}


@dataclass(frozen=True, slots=True)
class Contest:
    """What is compared: the seat (`subject`), a label for each game, and what is said of each on its plate."""

    subject: int
    labels: tuple[str, str]
    told: tuple[str, str]
    claim: str
    against: str
    """Who plays both, or reads the orders and who plays them, against whom."""


@dataclass(frozen=True, slots=True)
class SideResult:
    """How a game ended for the side that is compared: 1 won, 0 drawn, -1 lost, None if it has not ended.

    `lead` is by how much health it was ahead, in percent of a full bot's where both sides' differ; `did` is what it
    did, and `damage` what a hit in front takes.
    """

    outcome: int | None
    health: tuple[float, float]
    lead: float
    turns: int
    did: Account
    damage: float

    @property
    def words(self) -> tuple[str, ...]:
        """Return how it ended, with the score, and what end cards count of a side: `wins 64 : 0`, `9 shots, 5 hits`,
        `0 turns shielded, 3 close up`."""
        (own, other), did = self.health, self.did
        ended = "so far" if self.outcome is None else _DID[self.outcome]
        shots, hits = f"{did.shots} shot{'s' * (did.shots != 1)}", f"{did.hits} hit{'s' * (did.hits != 1)}"
        shielded = f"{did.shielded} turn{'s' * (did.shielded != 1)} shielded"
        return f"{ended} {own:g} : {other:g}", f"{shots}, {hits}", f"{shielded}, {did.close} close up"

    @property
    def rank(self) -> tuple[int, float, int]:
        """Return what games are compared by: result, then health, then how soon they ended."""
        soon = {1: -self.turns, -1: self.turns}.get(self.outcome or 0, 0)
        return self.outcome or 0, round(self.lead, 1), soon


@dataclass(frozen=True, slots=True)
class Outcome:
    """Which game went better (None: neither), the headline that says so, and by how much."""

    better: int | None
    title: str
    margin: str
    plates: tuple[tuple[str, ...], tuple[str, ...]]
    """What is said of each game, how it ended first."""


def contest(both: Both, title: str = "") -> Contest:
    """Return what two games compare: orders where a seat's differ, else players, else the games."""
    first, second = boards = (first_round(both[0], 0.0), first_round(both[1], 0.0))
    claim = shortened(title, LONGEST_TITLE)
    for seat in (0, 1):
        if first.seats[seat].name == second.seats[seat].name and first.given[seat] != second.given[seat]:
            told = tuple(_quoted(board.given[seat]) for board in boards)
            name = film_names(first.seats)[seat]
            reads = any(reads_orders((each.record for each in timeline.segments), seat) for timeline in both)
            does = f"{name} reads the orders once; a tactician plays them," if reads else name
            against = f"{does} {_against(boards, 1 - seat)}"
            asked = say("who wins", what="One AI model, two orders" if first.seats[seat].model else "Two orders")
            return Contest(seat, LETTERS, (told[0], told[1]), claim or asked, against)
    for seat in (0, 1):
        names = tuple(shortened(board.seats[seat].name, 24) for board in boards)
        if names[0] != names[1]:
            labels = (f"{LETTERS[0]}: {names[0]}", f"{LETTERS[1]}: {names[1]}")
            told = tuple(_quoted(board.given[seat]) if board.given[seat].strip() else "" for board in boards)
            return Contest(
                seat, labels, (told[0], told[1]), claim or say("compared", which="Who does"), _against(boards, 1 - seat)
            )
    told = tuple(f"{film_names(board.seats)[0]}, game {board.game} of seed {board.seed}" for board in boards)
    return Contest(0, LETTERS, (told[0], told[1]), claim or say("compared", which="Which goes"), _against(boards, 1))


def outcome(first: Sequence[Record], second: Sequence[Record], subject: int) -> Outcome:
    """Return which game went better for a seat: by its result, then by health, then by how soon it ended."""
    one, other = result_of(first, subject), result_of(second, subject)
    plates = one.words, other.words
    if one.rank == other.rank:
        return Outcome(None, say("no difference", how="").capitalize(), "", plates)
    better = int(other.rank > one.rank)
    good, bad = (other, one) if better else (one, other)
    gap = round(good.lead - bad.lead, 1)
    by = say("margin", how=f"{gap:g} health" if gap else turns_text(abs(good.turns - bad.turns)))
    if good.outcome is None or bad.outcome is None:
        return Outcome(better, say("better", how="So far", better=LETTERS[better]), by, plates)
    if good.outcome != bad.outcome:
        did = {"did": _DID[good.outcome], "other": _DID[bad.outcome]}
        title = say("apart", better=LETTERS[better], worse=LETTERS[1 - better], **did)
        return Outcome(better, title, by, plates)
    both = f"Both {_DID[good.outcome].removesuffix('s')}"
    if 0 < gap <= CLOSE * good.damage:
        return Outcome(None, say("no difference", how=f"{both}: "), "", plates)
    return Outcome(better, say("better", how=both, better=LETTERS[better]), by, plates)


def result_of(records: Sequence[Record], seat: int) -> SideResult:
    """Return how a game whose records these are ended for a seat."""
    begun = next(record for record in records if isinstance(record, GameStarted))
    plays = [record for record in records if isinstance(record, Play)]
    result = next((record.result for record in records if isinstance(record, GameEnded)), None)
    arena, full = plays[-1].after if plays else begun.arena, begun.rules.initial_health
    own, other = arena.bot(seat).health, arena.bot(1 - seat).health
    lead = own - other
    if full[0] != full[1]:
        lead = 100 * (own / full[seat] - other / full[1 - seat])
    ended = None
    if result is not None and result.reason != "aborted":
        ended = 0 if result.winner is None else 1 if result.winner == seat else -1
    return SideResult(
        ended,
        (plain(own), plain(other)),
        lead,
        len({(play.round, play.turn) for play in plays}),
        accounts(plays, begun.rules)[seat],
        begun.rules.bullet_damage[seat],
    )


def _quoted(orders: str) -> str:
    return f"\u201c{shortened(in_one_line(orders), LONGEST_ORDERS)}\u201d" if orders.strip() else "no orders"


def _against(boards: tuple[Scoreboard, Scoreboard], seat: int) -> str:
    pairs = [film_names(board.seats) for board in boards]
    names = [pair[seat] for pair in pairs]
    if names[0] == names[1]:
        return f"against {names[0]}"
    return "against each other" if pairs[0] == pairs[1][::-1] else f"against {names[0]} and {names[1]}"
