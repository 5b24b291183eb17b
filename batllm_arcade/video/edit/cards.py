"""What a film's opening card and end card say, row by row, and how long that is to be read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.match.records import GameEnded, Play
from batllm_arcade.match.result_text import distinct
from batllm_arcade.story.account import Account, accounts, together
from batllm_arcade.story.games import games_of
from batllm_arcade.story.turning import TurningPoint
from batllm_arcade.video.edit.ending import ending
from batllm_arcade.video.edit.story import by_game
from batllm_arcade.video.edit.text import claim, shortened
from batllm_arcade.view.play_text import level_of
from batllm_arcade.view.scene import Scoreboard
from batllm_arcade.view.segment import Segment
from batllm_arcade.view.statistics import MatchStatistics, joined, report
from batllm_arcade.view.timeline import Timeline
from batllm_arcade.view.words.orders_words import in_one_line
from batllm_arcade.view.words.play_words import reads_orders, word_count
from batllm_arcade.view.words.reading_time import WORD_S
from batllm_arcade.view.words.script_words import SCRIPTED

OPENING_S, END_S = 2.5, 4.0
"""Seconds for which the cards are shown at least: longer where there are more words to read."""
LONGEST_ORDERS, LONGEST_TITLE = 90, 120
"""Characters of one player's orders on the opening card, and of a title."""
SHORT_ORDERS = 40
"""Characters of orders on the end card."""
_LONGEST_NAME = 24
_BANNER_S, _WRECK_S = 1.0, 0.4
"""Seconds for which the banner of a result is shown before the end card, or who was knocked out, which needs none."""
_FEW_GAMES = 5
"""Games of a series of which the end card has all health lines."""
HOW_TO_PLAY = "$ batllm-arcade play"
COUNTED = ("shots", "hits", "turns shielded", "turns close up")
"""What is counted of both sides on an end card."""


class CardRow(NamedTuple):
    """Words on a card; `new` says whether they have to be read: names, orders, scores and figures have their places."""

    words: str
    new: bool = False


@dataclass(frozen=True, slots=True)
class CardSide:
    """A player on a card: its name, its orders or what it is where it was told nothing, and its level.

    `counts` are its figures on an end card, as `COUNTED` calls them; none where a player or its orders changed on the
    way.
    """

    name: str
    told: str
    level: str = ""
    counts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class OpeningCard:
    """A film's first picture: what it claims, and both players, left first."""

    claim: str
    sides: tuple[CardSide, CardSide]

    @property
    def rows(self) -> list[CardRow]:
        """Return all that it says."""
        return [CardRow(self.claim, new=True), *_rows_of(self.sides)]

    @property
    def seconds(self) -> float:
        """Return for how long it is shown."""
        return max(OPENING_S, WORD_S * new_words(self.rows, self.sides))


@dataclass(frozen=True, slots=True)
class EndCard:
    """A film's last picture: who won, the score of `of`, both players left first, and why it ended so.

    `bot` is the winner, None if there is none; `figures` has the health lines of the game, or of all of a few, and of
    the last one of many; None if none was shown. `how` stands at its foot.
    """

    title: str
    bot: int | None
    score: tuple[float, float]
    of: str
    sides: tuple[CardSide, CardSide]
    why: str
    figures: MatchStatistics | None
    how: str = HOW_TO_PLAY
    game: int = 0
    """The game of many of which the `figures` are, 0 where they are of all that is shown."""
    first_game: int = 0
    """The first of several games of which the `figures` are, one after the other, 0 where they are of one."""

    @property
    def scored(self) -> str:
        """Return the score, and of what it is where that is not health."""
        left, right = self.score
        return f"{left:g} : {right:g}{' games' if self.of == 'games' else ''}"

    @property
    def table(self) -> list[tuple[str, str, str]]:
        """Return what is counted of both: left's number, what it is, right's number; nothing if that is not told."""
        left, right = (side.counts for side in self.sides)
        return [(f"{one}", what, f"{other}") for one, what, other in zip(left, COUNTED, right, strict=False)]

    @property
    def rows(self) -> list[CardRow]:
        """Return all that it says."""
        told = [CardRow(self.title, new=True), CardRow(self.scored), *_rows_of(self.sides)]
        told += [CardRow(" ".join(each)) for each in self.table]
        return [*told, *([CardRow(self.why, new=True)] if self.why else []), CardRow(self.how)]

    @property
    def seconds(self) -> float:
        """Return for how long it is shown."""
        return max(END_S, WORD_S * new_words(self.rows, self.sides))


class FilmCards(NamedTuple):
    """Both cards of a film of one session."""

    opening: OpeningCard
    closing: EndCard


def new_words(rows: Iterable[CardRow], sides: Iterable[CardSide]) -> int:
    """Return how many words have to be read on a card; a player's name is one."""
    words = " ".join(row.words for row in rows if row.new)
    for side in sorted(sides, key=lambda side: -len(side.name)):
        words = words.replace(side.name, "X")
    return word_count(words)


def opening_card(timeline: Timeline, start: float, title: str, above: str = "") -> OpeningCard:
    """Return the card of a film that shows the timeline from `start` seconds on.

    It claims the title, else what is shown (`above`), else what plays.
    """
    board = first_round(timeline, start)
    claimed = shortened(title, LONGEST_TITLE) or above or claim(board, reads=any_reads(timeline))
    return OpeningCard(claimed, _sides(board, LONGEST_ORDERS))


def any_reads(timeline: Timeline) -> bool:
    """Return whether the model at a seat reads the orders alone, and a tactician plays them."""
    records = [segment.record for segment in timeline.segments]
    return any(reads_orders(records, seat) for seat in (0, 1))


def end_card(timeline: Timeline, end: float, points: Sequence[TurningPoint] = (), sign: str = "") -> EndCard:
    """Return the card of a film that shows the timeline up to `end` seconds; `points` is where its games tipped.

    At its foot stands the `sign`, else how to play.
    """
    shown = [segment for segment in timeline.segments if segment.start < end] or timeline.segments[:1]
    board = shown[-1].board
    sides = _sides(board, SHORT_ORDERS)
    told = ending(shown, (sides[0].name, sides[1].name), points)
    left, right = told["score"]
    games = by_game(shown)
    few = [game[-1] for game in games] if told["of"] == "games" and len(games) <= _FEW_GAMES else []
    figures = joined([report(segment.record for segment in game) for game in games[-max(1, len(few)) :]])
    return EndCard(
        told["title"],
        told["bot"],
        (left, right),
        told["of"],
        _counted(sides, games if told["of"] == "games" else games[-1:]),
        told["decided"].removesuffix("."),
        figures,
        sign or HOW_TO_PLAY,
        game=board.game if told["of"] == "games" and not few else 0,
        first_game=few[0].board.game if few else 0,
    )


def match_begins(timeline: Timeline) -> float:
    """Return when a film goes on after its opening card, which says who plays: with the time before the first play."""
    pairs = pairwise(timeline.segments)
    return next((before.end for before, segment in pairs if isinstance(segment.record, Play)), 0.0)


def result_shown(timeline: Timeline, end: float) -> float:
    """Return when a film that ends at `end` seconds goes over to its end card, which says again who won."""
    last = next((segment for segment in reversed(timeline.segments) if segment.start < end), timeline.segments[0])
    over = last.record.result.reason if isinstance(last.record, GameEnded) else ""
    return min(end, last.start + (_WRECK_S if over == "knockout" else _BANNER_S)) if over else end


def first_round(timeline: Timeline, t: float) -> Scoreboard:
    """Return the scoreboard of the first round that is shown from `t` on, with what both players were told."""
    shown = [segment.board for segment in timeline.segments if segment.end > t]
    return next((board for board in shown if board.round), (shown or [timeline.segments[-1].board])[0])


def _rows_of(sides: Iterable[CardSide]) -> list[CardRow]:
    return [CardRow(words) for side in sides for words in (side.name, side.level, side.told) if words]


def _sides(board: Scoreboard, longest: int) -> tuple[CardSide, CardSide]:
    left, right = (shortened(seat.name, _LONGEST_NAME) for seat in board.seats)
    names = distinct((left or "left", right or "right"))
    told = [_told(seat, orders, longest) for seat, orders in zip(board.seats, board.prompts, strict=True)]
    levels = [shortened(level_of(seat), _LONGEST_NAME) for seat in board.seats]
    return CardSide(names[0], told[0], levels[0]), CardSide(names[1], told[1], levels[1])


def _told(seat: SeatInfo, orders: str, longest: int) -> str:
    """Return a player's orders in quotation marks, else what it is."""
    if orders.strip() and not seat.human:
        return f"\u201c{shortened(in_one_line(orders), longest)}\u201d"
    return "a person" if seat.human else "a script" if seat.brain.startswith(SCRIPTED) else "no orders"


def _counted(sides: tuple[CardSide, CardSide], games: Sequence[Sequence[Segment]]) -> tuple[CardSide, CardSide]:
    """Return both players with their figures in these games."""
    boards = [segment.board for game in games for segment in game if isinstance(segment.record, Play)]
    if not boards or any((each.seats, each.prompts) != (boards[0].seats, boards[0].prompts) for each in boards):
        return sides
    played = games_of(segment.record for game in games for segment in game)
    both = together(accounts(game.plays, game.rules) for game in played)
    left, right = (
        CardSide(side.name, side.told, side.level, _figures(account)) for side, account in zip(sides, both, strict=True)
    )
    return left, right


def _figures(account: Account) -> tuple[int, ...]:
    return account.shots, account.hits, account.shielded, account.close
