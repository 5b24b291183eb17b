"""Which of two games went better for the side that is compared, and by how much; in words for a film's cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from batllm_arcade.core.model import plain
from batllm_arcade.match.records import GameEnded, GameStarted, Play, Record
from batllm_arcade.match.result_text import turns_text
from batllm_arcade.story.account import Account, accounts
from batllm_arcade.story.sentences import say
from batllm_arcade.video.edit.cards import LONGEST_TITLE, first_round
from batllm_arcade.video.edit.text import film_names, shortened
from batllm_arcade.video.edit.together.side_by_side import Both
from batllm_arcade.view.scene import Scoreboard
from batllm_arcade.view.words.orders_words import in_one_line
from batllm_arcade.view.words.play_words import reads_orders

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
        if first.seats[seat].name == second.seats[seat].name and first.prompts[seat] != second.prompts[seat]:
            told = tuple(_quoted(board.prompts[seat]) for board in boards)
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
            told = tuple(_quoted(board.prompts[seat]) if board.prompts[seat].strip() else "" for board in boards)
            return Contest(seat, labels, (told[0], told[1]), claim or "Who does better?", _against(boards, 1 - seat))
    told = tuple(f"{film_names(board.seats)[0]}, game {board.game} of seed {board.seed}" for board in boards)
    return Contest(0, LETTERS, (told[0], told[1]), claim or "Which goes better?", _against(boards, 1))


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
    """Return whom the side that is compared plays against."""
    pairs = [film_names(board.seats) for board in boards]
    names = [pair[seat] for pair in pairs]
    if names[0] == names[1]:
        return f"against {names[0]}"
    return "against each other" if pairs[0] == pairs[1][::-1] else f"against {names[0]} and {names[1]}"
