"""Which of two games went better for the side that is compared, by how much and why; in words for a film's cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from batllm_arcade.match.account import ARMOURED, Accounts
from batllm_arcade.match.records import Record
from batllm_arcade.match.result_text import turns_text
from batllm_arcade.video.edit.cards import LONGEST_TITLE, first_round
from batllm_arcade.video.edit.text import film_names, shortened
from batllm_arcade.video.edit.together.cause import cause, exposed, in_words
from batllm_arcade.video.edit.together.side_by_side import Both
from batllm_arcade.video.edit.together.standing import DID, SideResult, standing
from batllm_arcade.video.edit.together.tally import SeriesTally
from batllm_arcade.view.scene import Scoreboard
from batllm_arcade.view.words.orders_words import in_one_line
from batllm_arcade.view.words.play_words import reads_orders
from batllm_arcade.view.words.script_words import SCRIPTED

LETTERS = ("A", "B")
Reason = Callable[[Accounts, Accounts, tuple[str, str]], str]
"""What is told of both sides' accounts, the better one's first; with the names of both."""
LONGEST_ORDERS = 110
"""Characters of the orders on a plate."""
CLOSE = 2
"""Hits in front: a lead of no more is none that one game shows."""


@dataclass(frozen=True, slots=True)
class Contest:
    """What is compared: the seat (`subject`), a label for each game, and what is said of each on its plate."""

    subject: int
    labels: tuple[str, str]
    told: tuple[str, str]
    claim: str
    against: str
    """Who plays both, or reads the orders and who plays them, against whom, with which seed and how often."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Which game went better (None: neither), the headline that says so, by how much, and why."""

    better: int | None
    title: str
    margin: str
    why: str
    plates: tuple[tuple[str, ...], tuple[str, ...]]
    """What is said of each game, how it ended first."""
    plain: bool = False
    """Whether both results alone tell by how much it went better."""
    more: str = ""
    """What else was the reason."""

    @property
    def below(self) -> tuple[str, ...]:
        """Return what the end card says below the headline: by how much unless that is plain, and why."""
        return tuple(filter(None, (self.why, self.more) if self.plain and self.why else (self.margin, self.why)))


def contest(both: Both, title: str = "", tally: SeriesTally | None = None) -> Contest:
    """Return what two games compare: orders where a seat's differ, else players, else the games."""
    first, second = boards = (first_round(both[0], 0.0), first_round(both[1], 0.0))
    claim = shortened(title, LONGEST_TITLE)
    for seat in (0, 1):
        if first.seats[seat].name == second.seats[seat].name and first.prompts[seat] != second.prompts[seat]:
            told = tuple(_quoted(board.prompts[seat]) for board in boards)
            reads = any(reads_orders((each.record for each in timeline.segments), seat) for timeline in both)
            does = "reads the orders, a tactician plays them" if reads else "plays both"
            against = f"{film_names(first.seats)[seat]} {does}, {_against(boards, 1 - seat, tally)}"
            asked = (
                "One AI model, two orders: which does better?" if first.seats[seat].model else "Which orders do better?"
            )
            return Contest(seat, LETTERS, (told[0], told[1]), claim or asked, against)
    for seat in (0, 1):
        names = tuple(shortened(board.seats[seat].name, 24) for board in boards)
        if names[0] != names[1]:
            labels = (f"{LETTERS[0]}: {names[0]}", f"{LETTERS[1]}: {names[1]}")
            told = tuple(_quoted(board.prompts[seat]) if board.prompts[seat].strip() else "" for board in boards)
            against = _against(boards, 1 - seat, tally)
            return Contest(seat, labels, (told[0], told[1]), claim or "Who does better?", against)
    told = tuple(f"{film_names(board.seats)[0]}, game {board.game} of seed {board.seed}" for board in boards)
    return Contest(0, LETTERS, (told[0], told[1]), claim or "Which goes better?", _against(boards, 1, tally))


def outcome(
    first: Sequence[Record], second: Sequence[Record], subject: int, tally: SeriesTally | None = None
) -> Outcome:
    """Return which game went better for a seat: by its result, then by health, then by how soon it ended.

    Where the two are of a series, whose `tally` that is, all of its games decide.
    """
    if tally is not None:
        better = tally.leader if tally.clear else None
        why = _why(tally.leader, (tally.did(0), tally.did(1)))
        plates = tally.plate(0), tally.plate(1)
        return Outcome(better, tally.title(LETTERS), tally.verdict(LETTERS), why, plates)
    standings = standing(first, subject), standing(second, subject)
    leader, title, margin = _headline(*standings)
    close = 0 < abs(standings[0].lead - standings[1].lead) <= CLOSE * standings[0].hit
    unclear = leader is not None and close and standings[0].outcome == standings[1].outcome
    why = _why(leader, (standings[0].did, standings[1].did)) or _pace(leader, standings)
    plates = plate(standings[0]), plate(standings[1])
    plain = leader is not None and not close
    told = any(f"in the {part}" in why for part in ARMOURED)  # by the first reason
    more = "" if told else _why(leader, (standings[0].did, standings[1].did), exposed)
    return Outcome(None if unclear else leader, title, margin, why, plates, plain, more)


def plate(ended: SideResult) -> tuple[str, ...]:
    """Return what is said of a game: how it ended, and what the side that is compared did in it."""
    return *ended.words, *ended.deeds


def _headline(first: SideResult, second: SideResult) -> tuple[int | None, str, str]:
    """Return which of two games went better, the headline, and by how much."""
    if first.rank == second.rank:
        return None, "No difference", f"both: {', '.join(first.words)}"
    better = int(second.rank > first.rank)
    good, bad = (second, first) if better else (first, second)
    gap = round(good.lead - bad.lead, 1)
    letter, other = LETTERS[better], LETTERS[1 - better]
    by = f"by {gap:g} health" if gap else _timing(good, bad)
    if good.outcome is None or bad.outcome is None:
        return better, f"{letter} does better so far", by
    if good.outcome != bad.outcome:
        title = f"{letter} {DID[good.outcome]}, {other} {DID[bad.outcome]}"
        if 0 < gap <= CLOSE * good.hit:
            scores = (f"{own:g} : {its:g}" for own, its in (good.health, bad.health))
            return better, title, f"but by little: {' and '.join(scores)}"
        return better, title, f"{letter} is better {by}"
    both = f"Both {DID[good.outcome].removesuffix('s')}"
    if not gap:
        return better, f"{both}, {letter} {'sooner' if good.outcome == 1 else 'later'}", by
    clear = f", {letter} by less" if good.outcome < 0 else f", {letter} does better"
    if gap <= CLOSE * good.hit:
        return better, f"{both}: no clear difference", _near(first, second, gap)
    if good.outcome == -1 and good.health[0] == bad.health[0]:
        rest = f"the opponent of {letter} was left with {good.health[1]:g}, that of {other} with {bad.health[1]:g}"
        return better, f"{both}{clear}", rest
    return better, f"{both}{clear}", f"{letter} is better {by}"


def _near(first: SideResult, second: SideResult, gap: float) -> str:
    """Return how near two like results were: whose health made the difference, where one side has the same in both."""
    (mine, its), (also_mine, also_its) = first.health, second.health
    if mine == also_mine:
        return f"the opponent was left with {its:g} and {also_its:g}"
    return f"it was left with {mine:g} and {also_mine:g}" if its == also_its else f"only {gap:g} health between them"


def _why(better: int | None, did: tuple[Accounts, Accounts], reason: Reason = cause) -> str:
    """Return why one side did better, for that `reason`, "" if neither did."""
    if better is None:
        return ""
    return reason(did[better], did[1 - better], (LETTERS[better], LETTERS[1 - better]))


def _pace(better: int | None, standings: tuple[SideResult, SideResult]) -> str:
    """Return how fast both hit or were hit, where that is all in which they differ."""
    if better is None:
        return ""
    good, bad = standings[better], standings[1 - better]
    won = good.outcome == 1
    first, second = (each.did[0 if won else 1].hits for each in (good, bad))
    did = "hit" if won else "was hit"
    often, as_often = in_words(first, second)
    slower = f"{LETTERS[1 - better]} {as_often} in {bad.turns}"
    return f"{LETTERS[better]} {did} {often} in {turns_text(good.turns)}, {slower}"


def _timing(good: SideResult, bad: SideResult) -> str:
    """Return what made one result better than another of the same health: how soon it came."""
    if good.outcome == 1:
        return f"won {turns_text(bad.turns - good.turns)} sooner"
    return f"held out {turns_text(good.turns - bad.turns)} longer"


def _quoted(orders: str) -> str:
    return f"\u201c{shortened(in_one_line(orders), LONGEST_ORDERS)}\u201d" if orders.strip() else "no orders"


def _against(boards: tuple[Scoreboard, Scoreboard], seat: int, tally: SeriesTally | None) -> str:
    """Return whom the side that is compared plays against, with which seed, and how often."""
    pairs = [film_names(board.seats) for board in boards]
    names, seeds = [pair[seat] for pair in pairs], [board.seed for board in boards]
    script = "the script " if boards[0].seats[seat].brain.startswith(SCRIPTED) else ""
    who = f"against {script}{names[0]}" if names[0] == names[1] else f"against {names[0]} and {names[1]}"
    if names[0] != names[1] and pairs[0] == pairs[1][::-1]:
        who = "against each other, with seats changed"
    often = f"{tally.games} games each" if tally else "one game each"
    return f"{who}, {often}, seed {seeds[0]}" if seeds[0] == seeds[1] else f"{who}, {often}"
