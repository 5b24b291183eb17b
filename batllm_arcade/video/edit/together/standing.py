"""How a game ended for the side that is compared, and what it and its opponent did in it; in words for cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from batllm_arcade.core.model import Rules, plain
from batllm_arcade.core.outcome import Result
from batllm_arcade.match.account import ARMOURED, Account, Accounts, accounts
from batllm_arcade.match.counted_words import times_in_digits
from batllm_arcade.match.kept_orders import deeds, orders_kept
from batllm_arcade.match.records import GameEnded, GameStarted, Play, Record, RoundStarted
from batllm_arcade.match.result_text import turns_text

DID = {1: "wins", 0: "draws", -1: "loses"}
_AGAINST = {1: "beats", 0: "draws with", -1: "loses to"}
_LONGEST_FOE = 12
"""Characters of an opponent's name that is said with a result."""
_HOW = {"knockout": "by knock-out", "points": "on points", "forfeit": "by forfeit", "draw": "", "aborted": ""}


@dataclass(frozen=True, slots=True)
class SideResult:
    """How a game ended for the side that is compared: 1 won, 0 drawn, -1 lost, None if it has not ended.

    `lead` is by how much health it was ahead, in percent of a full bot's where both sides' differ; `did` is what it
    did, then what its opponent did, and `hit` what one hit in front takes from that. `kept` is what it did of its
    orders, "" if that is not told.
    """

    outcome: int | None
    health: tuple[float, float]
    lead: float
    turns: int
    how: str
    did: Accounts
    hit: float
    kept: str = ""
    foe: str = ""
    """Whom it played against, "" where that is not said with the result."""
    fell: str = ""
    """When a bot was knocked out, as the clock of turns shows it: `in round 2, turn 8`, `in turn 12` of one round."""

    @property
    def words(self) -> tuple[str, str]:
        """Return how it ended on two lines: `beats dancer, 64 : 0` and `by knock-out in turn 12`, or with a foe that
        is not named `wins by knock-out` and `64 : 0 in turn 12`, `64 : 9 after 9 turns`."""
        own, other = self.health
        score, when = f"{own:g} : {other:g}", self.fell or f"after {turns_text(self.turns)}"
        if self.outcome is None:
            return "to be continued", f"{score} {when}"
        if self.foe:
            return f"{_AGAINST[self.outcome]} {self.foe}, {score}", f"{self.how} {when}".strip()
        return f"{DID[self.outcome]} {self.how}".strip(), f"{score} {when}"

    @property
    def deeds(self) -> tuple[str, str]:
        """Return what it did, of its orders if that is told, and what befell it, each on a line."""
        own, other = self.did
        return self.kept or dealt(own), taken(other)

    @property
    def rank(self) -> tuple[int, float, int]:
        """Return what games are compared by: result, then health, then how soon they ended."""
        soon = {1: -self.turns, -1: self.turns}.get(self.outcome or 0, 0)
        return self.outcome or 0, round(self.lead, 1), soon


def standing(records: Sequence[Record], seat: int) -> SideResult:
    """Return how a game whose records these are stands for a seat."""
    begun = next(record for record in records if isinstance(record, GameStarted))
    plays = [record for record in records if isinstance(record, Play)]
    result = next((record.result for record in records if isinstance(record, GameEnded)), None)
    arena, full = plays[-1].after if plays else begun.arena, begun.rules.initial_health
    own, other = arena.bot(seat).health, arena.bot(1 - seat).health
    lead = own - other
    if full[0] != full[1]:
        lead = 100 * (own / full[seat] - other / full[1 - seat])
    both = accounts(plays, begun.rules)
    orders = {record.prompts[seat] for record in records if isinstance(record, RoundStarted)}
    foe = begun.seats[1 - seat].name
    done = deeds(plays, seat, both, begun.rules)
    told = "" if begun.seats[seat].human or len(orders) != 1 else orders.pop()
    return SideResult(
        _outcome(result, seat),
        (plain(own), plain(other)),
        lead,
        len({(play.round, play.turn) for play in plays}),
        _HOW[result.reason] if result else "",
        (both[seat], both[1 - seat]),
        begun.rules.bullet_damage[seat],
        orders_kept(told, done).words,
        foe if len(foe) <= _LONGEST_FOE and foe != begun.seats[seat].name else "",
        _fell(plays, begun.rules) if result and result.reason == "knockout" else "",
    )


def _fell(plays: Sequence[Play], rules: Rules) -> str:
    """Return in which turn the last of these plays was."""
    turn = f"turn {plays[-1].turn}"
    return f"in round {plays[-1].round}, {turn}" if rules.total_rounds > 1 else f"in {turn}"


def dealt(own: Account) -> str:
    """Return what became of a bot's shots: `5 of 9 shots hit, 2 in the back`, `never fired`."""
    if not own.shots:
        return "never fired"
    if not own.hits:
        lost = [f"{own.missed} missed"] if own.missed else []
        lost += [f"{own.blocked} met the shield"] if own.blocked else []
        return ": ".join(["hit nothing", *([", ".join(lost)] if lost else [])])
    hits = "its only shot hit" if own.shots == 1 else f"{own.hits} of {own.shots} shots hit"
    return "".join([hits, *_struck(own)])


def taken(other: Account) -> str:
    """Return what a bot took from its opponent: `was hit 5 times, 2 in the back; its shield stopped 3`."""
    hits = f"was hit {times_in_digits(other.hits)}" if other.hits else "was never hit"
    stopped = f"; its shield stopped {other.blocked}" if other.blocked else ""
    return "".join([hits, *_struck(other), stopped])


def _struck(account: Account) -> list[str]:
    """Return where else a bot hit than in front, or off a wall for no more than that, behind how often it hit."""
    where = ((part, account.bare[part]) for part in ARMOURED)
    return [f", {'all' if 1 < hits == account.hits else hits} in the {part}" for part, hits in where if hits]


def _outcome(result: Result | None, seat: int) -> int | None:
    if result is None or result.reason == "aborted":
        return None
    return 0 if result.winner is None else 1 if result.winner == seat else -1
