"""Cards of a film: opening, closing, picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import itemgetter
from typing import Any, NamedTuple

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.events import BotHit, BotKnockedOut, ShotBlocked
from batllm_arcade.core.model import plain
from batllm_arcade.match.records import GameEnded, Play
from batllm_arcade.match.series import distinct, reason_text
from batllm_arcade.story.games import called, games_of
from batllm_arcade.story.moments import TurningPoint
from batllm_arcade.story.result import accounts, together, why
from batllm_arcade.story.sentences import say
from batllm_arcade.video.edit.text import by_game, claim, shortened
from batllm_arcade.view.animation import Segment
from batllm_arcade.view.cut_words import WORD_S
from batllm_arcade.view.play_text import level_of
from batllm_arcade.view.play_words import in_one_line, reads_orders, word_count
from batllm_arcade.view.scene import Scene, Scoreboard
from batllm_arcade.view.statistics import MatchStatistics, joined, report
from batllm_arcade.view.timeline import Timeline

# How it ended


def ending(segments: Sequence[Segment], names: tuple[str, str], points: Sequence[TurningPoint] = ()) -> dict[str, Any]:
    """Return who won (`title`, `bot`), how, the score `of` games or health, and why it ended so (`decided`).

    `names` are left first, as is the score; `bot` is None where nobody won or the end is not shown. `points` is where
    the games tipped.
    """
    last = segments[-1]
    result, (won, games) = last.board.result, wins(segments)
    title, reason, bot, decided = say("unfinished"), "", None, ""
    if result is not None:
        bot, reason = result.winner, reason_text(result)
        if games > 1:
            bot, reason = None if won[0] == won[1] else int(won[1] > won[0]), f"after {games} games"
        title = say("wins", winner="Nobody" if bot is None else called(names)[bot])
        decided = why(games_of(segment.record for segment in segments)[-max(1, games) :], names, points)
    health = [plain(bot_state.health) for bot_state in (last.arena.left, last.arena.right)]
    return {
        "title": title,
        "reason": reason,
        "bot": bot,
        "score": list(won) if games > 1 else health,
        "of": "games" if games > 1 else "health",
        "decided": f"{decided}." if decided else "",
    }


def standings(timeline: Timeline) -> dict[tuple[int, bool], str]:
    """Return for each game of a series, before and once it is over, its number and how often each side had won.

    Nothing is returned of one game.
    """
    begins = {segment.board.game: number for number, segment in reversed(list(enumerate(timeline.segments)))}
    if len(begins) < 2:
        return {}
    starts, found = [*sorted((number, game) for game, number in begins.items()), (len(timeline.segments), 0)], {}
    for (first, game), (after, _) in pairwise(starts):
        for over, shown in ((False, first + 1), (True, after)):
            left, right = wins(timeline.segments[:shown])[0]
            found[game, over] = f"GAME {game}   {left} : {right}"
    return found


def wins(segments: Iterable[Segment]) -> tuple[tuple[int, int], int]:
    """Return how often each seat's player has won, left first, and in how many games, since these two have met.

    Who changed places keeps what they won.
    """
    won, games, before, game = [0, 0], 0, ("", ""), 0
    for segment in segments:
        if segment.board.game != game:
            left, right = segment.board.seats
            game, names = segment.board.game, (left.name, right.name)
            if names != before:
                won, games = (won[::-1], games) if names == before[::-1] else ([0, 0], 0)
            before = names
        if isinstance(segment.record, GameEnded):
            games += 1
            if segment.record.result.winner is not None:
                won[segment.record.result.winner] += 1
    return (won[0], won[1]), games


# What cards say

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
UNTOLD = ("a script", "no orders")
"""What stands in place of a bot's orders where it has none."""
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
    if orders.strip() and not seat.human:
        return f"\u201c{shortened(in_one_line(orders), longest)}\u201d"
    return "a person" if seat.human else UNTOLD[not seat.is_script]


def _counted(sides: tuple[CardSide, CardSide], games: Sequence[Sequence[Segment]]) -> tuple[CardSide, CardSide]:
    boards = [segment.board for game in games for segment in game if isinstance(segment.record, Play)]
    if not boards or any((each.seats, each.prompts) != (boards[0].seats, boards[0].prompts) for each in boards):
        return sides
    played = games_of(segment.record for game in games for segment in game)
    both = together(accounts(game.plays, game.rules) for game in played)
    left, right = (
        replace(side, counts=(account.shots, account.hits, account.shielded, account.close))
        for side, account in zip(sides, both, strict=True)
    )
    return left, right


# The moment that a poster shows

Span = tuple[float, float]
_AFTER_S = 0.2
"""Seconds after a bullet has landed until that is seen best."""
_PASSING = "refused", "uncharged", "fumble"
"""Effects whose words say nothing of the fight."""
_HIT = 3
"""The gravity of hits that do not tell how a game ends."""
_APART = 0.4
"""What it counts that bots are an arena's width apart and hence drawn small, beside a hit that takes all health."""


def fight_scene(timeline: Timeline, spans: Iterable[Span]) -> Scene:
    """Return the scene at `fight_second` as a picture shows it: without numbers, and words that say nothing of it."""
    scene = timeline.at(fight_second(timeline, spans))
    seen = (replace(effect, amount=0.0) if effect.kind == "hit" else effect for effect in scene.effects)
    # the number of what a hit took may stand beside the other bot of two that are near
    return replace(scene, effects=tuple(effect for effect in seen if effect.kind not in _PASSING))


def fight_second(timeline: Timeline, spans: Iterable[Span]) -> float:
    """Return the second of a timeline within `spans` in which there is most to see: the gravest hit of near
    bots that does not tell how it ends, else a knock-out, else a block, else the middle of what is shown."""
    shown = list(spans)
    gravest = max(_shots(timeline, shown), default=None, key=itemgetter(0))
    if gravest and gravest[0][0]:
        return gravest[1].known + _AFTER_S
    return (shown[0][0] + shown[-1][1]) / 2 if shown else timeline.end / 2


def _shots(timeline: Timeline, spans: Iterable[Span]) -> Iterator[tuple[tuple[int, float], Segment]]:
    """Yield the segments whose bullets land within some spans, each after how much there is to see of it."""
    shown = list(spans)
    for segment in timeline.segments:
        if segment.flight is not None and any(start <= segment.flight[1] < end for start, end in shown):
            yield _gravity(segment), segment


def _gravity(segment: Segment) -> tuple[int, float]:
    """Return how much there is to see where a bullet lands, and the share of health it takes, less if it flew far."""
    play = segment.record
    if not isinstance(play, Play):
        return 0, 0.0
    kinds = {type(event) for event in play.events}
    if BotHit not in kinds:
        return int(ShotBlocked in kinds), 0.0
    hit = 1 - play.bot
    lost = play.before.bot(hit).health - play.after.bot(hit).health
    rules = segment.board.rules
    apart = play.after.apart / rules.arena_width
    return 2 if BotKnockedOut in kinds else _HIT, lost / rules.initial_health[hit] - _APART * apart
