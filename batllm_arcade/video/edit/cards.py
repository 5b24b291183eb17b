"""What a film's opening card and end card say: who was told what, how it ended, and what decided it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise

from batllm_arcade.analysis.tipping import TurningPoint
from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.model import Rules
from batllm_arcade.match.account import accounts, together
from batllm_arcade.match.counted_words import times_in_digits
from batllm_arcade.match.kept_orders import deeds, orders_kept
from batllm_arcade.match.records import GameEnded, GameStarted, Play, Record
from batllm_arcade.match.result_text import distinct
from batllm_arcade.match.verdict import evenly, what_befell
from batllm_arcade.video.edit.ending import ahead, ending, ends_of_few, of_games, shorter
from batllm_arcade.video.edit.story import by_game
from batllm_arcade.video.edit.text import by_color, claim, shortened
from batllm_arcade.view.play_text import level_of
from batllm_arcade.view.scene import Scoreboard
from batllm_arcade.view.segment import Segment
from batllm_arcade.view.statistics import MatchStatistics, joined, report
from batllm_arcade.view.timeline import Timeline
from batllm_arcade.view.words.judged_words import LAST_SHOT, turning_point_words
from batllm_arcade.view.words.orders_words import in_one_line
from batllm_arcade.view.words.play_words import PLAN, reads_orders, reply_heading, short_reply
from batllm_arcade.view.words.script_words import player_words

OPENING_S, END_S = 1.5, 2.5
"""Seconds for which the cards are shown."""
LONGEST_ORDERS, LONGEST_TITLE = 90, 120
"""Characters of one player's orders and of a title."""
_LONGEST_NAME = 24
_BANNER_S, _WRECK_S = 1.0, 0.4
"""Seconds for which the banner of a result is shown before the end card, or who was knocked out, which needs none."""
WELL, BADLY = 2 / 3, 1 / 3
"""How far a player kept to its orders from which on, and up to which, that is said and shown by a colour."""
HOW_TO_PLAY = "$ batllm-arcade play"


@dataclass(frozen=True, slots=True)
class CardSide:
    """A player on a card: its name, its orders, or what it does or is where it was told nothing, and its level.

    `did` is how often it fired (and hit) and raised its shield in the game that is shown, of one that never fired its
    steps, for orders to be compared with, `kept` how it kept to these, or how often it did what they speak of; both
    empty if not told.
    """

    name: str
    told: str
    level: str = ""
    did: tuple[str, ...] = ()
    kept: str = ""
    also: str = ""
    """What is told besides that where there is room."""
    followed: float | None = None
    """How far it kept to them, 0 to 1, None where that is not said."""
    plan: str = ""
    """How a model that answers with plans read its orders: the one that it answered most often."""

    @property
    def deeds(self) -> tuple[str, ...]:
        """Return what is told of what it did, the longest first: its plan, with how it kept to its orders or counts."""
        plan = [f"plan: {self.plan}"] if self.plan else []
        if self.kept or not self.did:
            both = f"{self.kept}, {self.also}"
            fuller = (", ".join([*plan, both]), both) if self.also else ()
            return *fuller, ", ".join([*plan, self.kept]), self.kept
        told = [[*plan, *self.did[:number]] for number in range(len(self.did), 0, -1)]
        return tuple(dict.fromkeys(", ".join(each) for each in [*told, plan or self.did[:1]]))

    @property
    def told_at(self) -> str:
        """Return what it was told, after its level."""
        if not self.level:
            return self.told
        words = self.told.startswith("\u201c")
        return f"level {self.level}: {self.told}" if words else f"{self.told}, level {self.level}"


@dataclass(frozen=True, slots=True)
class OpeningCard:
    """A film's first picture: what it claims, both players, left first, and what is said above that."""

    claim: str
    sides: tuple[CardSide, CardSide]
    above: str = ""


@dataclass(frozen=True, slots=True)
class EndCard:
    """A film's last picture: who won and how, the score of `of`, both players left first, and what decided it.

    `bot` is the winner, None if there is none; `figures` has the health lines of the game, or of all of a few, and of
    the last one of many; None if none was shown.
    """

    title: str
    reason: str
    bot: int | None
    score: tuple[float, float]
    of: str
    sides: tuple[CardSide, CardSide]
    decided: str
    figures: MatchStatistics | None
    how: str = HOW_TO_PLAY
    turning: tuple[str, ...] = ()
    """Where the game tipped, in a sentence and shorter ones; the last one does not tell what was done."""
    ahead: str = ""
    """Where nothing tipped it, when the winner took the lead; "" where that is told."""
    tip: int | None = None
    """The play at which it tipped, or the winner took the lead, an index into the curve of the `figures`."""
    game: int = 0
    """The game of many of which the `figures` are, 0 where they are of all that is shown."""
    first_game: int = 0
    """The first of several games of which the `figures` are, one after the other, 0 where they are of one."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """Return what is said of why it ended so, the longest first."""
        rest = self.turning[:-1] if self.turning else shorter(self.decided)
        led = [f"{each} {self.ahead}" for each in (self.decided, *rest) if self.ahead]
        whole = " ".join(filter(None, (self.decided, *self.turning[:1])))
        return tuple(dict.fromkeys((*led, whole, *rest)))

    def briefly(self, *, everywhere: bool) -> EndCard:
        """Return the card with players of one name as Blue and Orange in what is said, or everywhere."""
        names = {side.name: by_color(side.name) for side in self.sides}

        def told(text: str) -> str:
            return reduce(lambda text, name: text.replace(name, names[name]), names, text)

        brief = replace(
            self, decided=told(self.decided), turning=tuple(map(told, self.turning)), ahead=told(self.ahead)
        )
        if not everywhere:
            return brief
        left, right = (replace(side, name=names[side.name]) for side in self.sides)
        return replace(brief, title=told(self.title), sides=(left, right))

    @property
    def shortest(self) -> tuple[str, ...]:
        """Return what is said where nothing else leaves the health lines room to be read."""
        return self.turning[-1:]


def opening_card(timeline: Timeline, start: float, title: str, above: str = "") -> OpeningCard:
    """Return the card of a film that shows the timeline from `start` seconds on; without a title it says what plays."""
    board = first_round(timeline, start)
    claimed = shortened(title, LONGEST_TITLE) or claim(board, reads=both_read(timeline))
    return OpeningCard(claimed, _sides(board), above)


def both_read(timeline: Timeline) -> bool:
    """Return whether the model at both seats reads the orders alone, and a tactician plays them."""
    records = [segment.record for segment in timeline.segments]
    return all(reads_orders(records, seat) for seat in (0, 1))


def end_card(timeline: Timeline, end: float, points: Sequence[TurningPoint] = ()) -> EndCard:
    """Return the card of a film that shows the timeline up to `end` seconds; `points` is where its games tipped."""
    shown = [segment for segment in timeline.segments if segment.start < end] or timeline.segments[:1]
    board = shown[-1].board
    sides = _sides(board)
    told = ending(shown, (sides[0].name, sides[1].name))
    left, right = told["score"]
    here = points if told["of"] == "health" and board.result is not None else ()
    last = (segment.record for segment in shown if segment.board.game == board.game)
    point = next((each for record in last for each in here if each.is_at(record)), None)
    games, few = by_game(shown), ends_of_few(shown)
    records = [segment.record for segment in games[-1]]
    series = of_games(shown, few, told["bot"], (sides[0].name, sides[1].name))
    plainly = what_befell(records) if point is None and told["of"] == "health" else series
    even = evenly(records) if point is not None and point.hit.knocks_out else ""
    decided = "" if even else (plainly or told["decided"]).split(". ")[0].rstrip(".")
    led, since = ahead(records, decided) if point is None and told["of"] == "health" else ("", None)
    tip = since if point is None else point.play
    figures = joined([report(segment.record for segment in game) for game in games[-max(1, len(few)) :]])
    if played := _played(games if told["of"] == "games" else games[-1:]):
        sides = _with_deeds(sides, board, played)
    return EndCard(
        told["title"],
        told["reason"],
        told["bot"],
        (left, right),
        told["of"],
        sides,
        f"{decided}." if decided else "",
        figures,
        turning=_turning(point, sides, records, even) if point is not None else (),
        ahead=led,
        tip=_place_of(tip, records) if tip is not None else None,
        game=board.game if told["of"] == "games" and not few else 0,
        first_game=few[0].board.game if few else 0,
    )


def _turning(
    point: TurningPoint, sides: tuple[CardSide, CardSide], records: Sequence[Record], even: str
) -> tuple[str, ...]:
    """Return what is said of where a game tipped, the longest first; of a last shot how `even` all was before."""
    rules = next(record.rules for record in records if isinstance(record, GameStarted))
    plays = [record for record in records if isinstance(record, Play)]
    told = turning_point_words(point, (sides[0].name, sides[1].name), rules, plays)
    return (f"{told[-1].removesuffix('.')}: {even}.", f"{LAST_SHOT}: {even}.", told[-1]) if even else told


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


def _sides(board: Scoreboard) -> tuple[CardSide, CardSide]:
    left, right = (shortened(seat.name, _LONGEST_NAME) for seat in board.seats)
    names = distinct((left or "left", right or "right"))
    told = [_told(seat, orders) for seat, orders in zip(board.seats, board.prompts, strict=True)]
    levels = [shortened(level_of(seat), _LONGEST_NAME) for seat in board.seats]
    return CardSide(names[0], told[0], levels[0]), CardSide(names[1], told[1], levels[1])


def _told(seat: SeatInfo, orders: str) -> str:
    """Return a player's orders in quotation marks, else what it does or is."""
    if orders.strip() and not seat.human:
        return f"\u201c{shortened(in_one_line(orders), LONGEST_ORDERS)}\u201d"
    return shortened(player_words(seat), LONGEST_ORDERS) or "no orders"


def _with_deeds(
    sides: tuple[CardSide, CardSide], board: Scoreboard, played: Sequence[tuple[Rules, list[Play]]]
) -> tuple[CardSide, CardSide]:
    """Return both players with what they did in these games: `2 of 3 shots hit`, `shielded once`."""
    each = [accounts(plays, rules) for rules, plays in played]
    both = together(left for left, _ in each), together(right for _, right in each)
    plays, found = [play for _, game in played for play in game], []
    for bot, (side, seat) in enumerate(zip(sides, board.seats, strict=True)):
        done = deeds(plays, bot, both, board.rules)
        fired = f"{done.hits or 'none'} of {done.shots} shot{'s' * (done.shots != 1)} hit" if done.shots else "no shots"
        raised = [f"shielded {times_in_digits(done.raised)}"] if done.raised else []
        walked = [] if done.shots else [f"{done.steps or 'no'} step{'s' * (done.steps != 1)}"]
        did = (fired, *raised, *walked)
        orders = "" if seat.human else board.prompts[bot]
        how, own = orders_kept(orders, done), [play for play in plays if play.bot == bot]
        found.append(replace(side, did=did, kept=how.words, also=how.also, followed=how.share, plan=_plan(own, seat)))
    return found[0], found[1]


def _played(games: Sequence[list[Segment]]) -> list[tuple[Rules, list[Play]]]:
    """Return the rules and the plays of these games, none where a player or its orders changed on the way."""
    found, last = list[tuple[Rules, list[Play]]](), games[-1][-1].board
    for game in games:
        played = [segment for segment in game if isinstance(segment.record, Play)]
        if any((each.board.seats, each.board.prompts) != (last.seats, last.prompts) for each in played):
            return []
        found.append((game[0].board.rules, [each.record for each in played if isinstance(each.record, Play)]))
    return found


def _plan(plays: Sequence[Play], seat: SeatInfo) -> str:
    """Return which plan a model answered most often, "" if it does not answer with plans: `mostly “shield”`."""
    answers = [short_reply(play, seat) for play in plays if reply_heading(play) == PLAN]
    plans = Counter(filter(None, answers))
    if not plans:
        return ""
    plan, often = plans.most_common(1)[0]
    return plan if often == len(answers) else f"mostly {plan}"


def _place_of(tip: Play, records: Sequence[Record]) -> int:
    """Return how many plays of a game there are up to this one."""
    return [record.key for record in records if isinstance(record, Play)].index(tip.key) + 1
