"""Which of two games went better for the side that is compared, and by how much; in words for a film's cards."""

from __future__ import annotations

from dataclasses import dataclass

from batllm_arcade.core.model import plain
from batllm_arcade.core.outcome import Result
from batllm_arcade.match.records import Play
from batllm_arcade.match.result_text import turns_text
from batllm_arcade.match.verdict import verdict
from batllm_arcade.video.edit.cards import LONGEST_TITLE, first_round
from batllm_arcade.video.edit.text import film_names, shortened
from batllm_arcade.video.edit.together.side_by_side import Both
from batllm_arcade.view.scene import Scoreboard
from batllm_arcade.view.timeline import Timeline

LETTERS = ("A", "B")
LONGEST_ORDERS = 110
"""Characters of the orders on a plate."""
_DID = {1: "wins", 0: "draws", -1: "loses"}
_HOW = {"knockout": "by knock-out", "points": "on points", "forfeit": "by forfeit", "draw": "", "aborted": ""}


@dataclass(frozen=True, slots=True)
class Contest:
    """What is compared: the seat (`subject`), a label for each game, and what is said of each on its plate."""

    subject: int
    labels: tuple[str, str]
    told: tuple[str, str]
    claim: str
    against: str


@dataclass(frozen=True, slots=True)
class SideResult:
    """How a game ended for the side that is compared: 1 won, 0 drawn, -1 lost, None if it has not ended.

    `lead` is by how much health it was ahead, in percent of a full bot's where both sides' differ.
    """

    outcome: int | None
    health: tuple[float, float]
    lead: float
    turns: int
    how: str
    decided: str

    @property
    def words(self) -> tuple[str, str]:
        """Return how it ended on two lines: `wins by knock-out` and `64 : 0 after 12 turns`."""
        did = "to be continued" if self.outcome is None else f"{_DID[self.outcome]} {self.how}".strip()
        own, other = self.health
        return did, f"{own:g} : {other:g} after {turns_text(self.turns)}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """Which game went better (None: neither), the headline that says so, and by how much."""

    better: int | None
    title: str
    margin: str
    standings: tuple[SideResult, SideResult]


def contest(both: Both, title: str = "") -> Contest:
    """Return what two games compare: orders where a seat's differ, else players, else the games."""
    first, second = boards = (first_round(both[0], 0.0), first_round(both[1], 0.0))
    claim = shortened(title, LONGEST_TITLE)
    for seat in (0, 1):
        if first.seats[seat].name == second.seats[seat].name and first.prompts[seat] != second.prompts[seat]:
            told = tuple(_quoted(board.prompts[seat]) for board in boards)
            same = first.seats[seat].brain == second.seats[seat].brain and first.seed == second.seed
            asked = "Same model, same seed: which orders win?" if same else "Which orders do better?"
            return Contest(seat, LETTERS, (told[0], told[1]), claim or asked, _against(boards, 1 - seat))
    for seat in (0, 1):
        names = tuple(shortened(board.seats[seat].name, 24) for board in boards)
        if names[0] != names[1]:
            labels = (f"{LETTERS[0]}: {names[0]}", f"{LETTERS[1]}: {names[1]}")
            told = tuple(_quoted(board.prompts[seat]) if board.prompts[seat].strip() else "" for board in boards)
            return Contest(seat, labels, (told[0], told[1]), claim or "Who does better?", _against(boards, 1 - seat))
    told = tuple(f"{film_names(board.seats)[0]}, game {board.game} of seed {board.seed}" for board in boards)
    return Contest(0, LETTERS, (told[0], told[1]), claim or "Which goes better?", _against(boards, 1))


def outcome(both: Both, subject: int) -> Outcome:
    """Return which game went better for a seat: by its result, then by health, then by how soon it ended."""
    standings = (_standing(both[0], subject), _standing(both[1], subject))
    ranks = [_rank(standing) for standing in standings]
    if ranks[0] == ranks[1]:
        return Outcome(None, "No difference", f"both: {', '.join(standings[0].words)}", standings)
    better = int(ranks[1] > ranks[0])
    good, bad = standings[better], standings[1 - better]
    gap = round(good.lead - bad.lead, 1)
    letter, other = LETTERS[better], LETTERS[1 - better]
    by = f"by {gap:g} health" if gap else _timing(good, bad)
    if good.outcome is None or bad.outcome is None:
        return Outcome(better, f"{letter} does better so far", by, standings)
    if good.outcome != bad.outcome:
        title = f"{letter} {_DID[good.outcome]}, {other} {_DID[bad.outcome]}"
        return Outcome(better, title, f"{letter} is better {by}" if gap else by, standings)
    return Outcome(better, f"Both {_DID[good.outcome].removesuffix('s')}, {letter} does better", by, standings)


def _timing(good: SideResult, bad: SideResult) -> str:
    """Return what made one result better than another of the same health: how soon it came."""
    if good.outcome == 1:
        return f"won {turns_text(bad.turns - good.turns)} sooner"
    return f"held out {turns_text(good.turns - bad.turns)} longer"


def _rank(standing: SideResult) -> tuple[int, float, int]:
    soon = {1: -standing.turns, -1: standing.turns}.get(standing.outcome or 0, 0)
    return standing.outcome or 0, round(standing.lead, 1), soon


def _standing(timeline: Timeline, seat: int) -> SideResult:
    last = timeline.segments[-1]
    result, full = last.board.result, last.board.rules.initial_health
    health = last.arena.left.health, last.arena.right.health
    own, other = health[seat], health[1 - seat]
    lead = own - other
    if full[0] != full[1]:
        lead = 100 * (own / full[seat] - other / full[1 - seat])
    turns = {(each.record.round, each.record.turn) for each in timeline.segments if isinstance(each.record, Play)}
    told = verdict(segment.record for segment in timeline.segments)
    return SideResult(
        _outcome(result, seat),
        (plain(own), plain(other)),
        lead,
        len(turns),
        _HOW[result.reason] if result else "",
        told[0] if told else "",
    )


def _outcome(result: Result | None, seat: int) -> int | None:
    if result is None or result.reason == "aborted":
        return None
    return 0 if result.winner is None else 1 if result.winner == seat else -1


def _quoted(orders: str) -> str:
    return f"\u201c{shortened(orders, LONGEST_ORDERS)}\u201d" if orders.strip() else "no orders"


def _against(boards: tuple[Scoreboard, Scoreboard], seat: int) -> str:
    """Return whom the side that is compared plays against, with which seed."""
    pairs = [film_names(board.seats) for board in boards]
    names, seeds = [pair[seat] for pair in pairs], [board.seed for board in boards]
    who = f"against {names[0]}" if names[0] == names[1] else f"against {names[0]} and {names[1]}"
    if names[0] != names[1] and pairs[0] == pairs[1][::-1]:
        who = "against each other, with seats changed"
    return f"{who}, seed {seeds[0]}" if seeds[0] == seeds[1] else who
