"""Who takes part in a cup, what has happened in it, and the tree of matches that follows from both; pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.errors import UsageError
from batllm_arcade.league.plan import check_name, league_name
from batllm_arcade.league.validation import Count, Positive, Whole, read_as

MOST = 64
"""Entrants of the largest cup."""
MORE_GAMES = 2
"""Games beyond its best-of that a match may have because some were drawn."""
MatchId = tuple[int, int]
"""A match by its round and its place in it, both from 1."""


@dataclass(frozen=True, slots=True)
class CupEntrant:
    """Who takes part: a unique name, a brain as on the command line (`keyboard`, `browser`: a person), its orders."""

    name: str
    brain: str
    orders: str = ""


@dataclass(frozen=True, slots=True)
class CupPlan:
    """Everything that decides what is played; `config` is a shipped name or a file."""

    entrants: tuple[CupEntrant, ...]
    name: str = ""
    best_of: Literal[1, 3] = 1
    config: str = "arena"
    seed: Whole = 1

    @property
    def rounds(self) -> int:
        """Return how many rounds there are, the final included."""
        return max(1, math.ceil(math.log2(len(self.entrants))))


def plan_from(values: Any) -> CupPlan:
    """Return the plan of these plain values; raise UsageError, which names the place, if they are none."""
    return checked(read_as(CupPlan, values, "its plan"))


def checked(plan: CupPlan) -> CupPlan:
    """Return the plan; raise UsageError if nobody could play it."""
    names = [entrant.name for entrant in plan.entrants]
    if not 2 <= len(names) <= MOST:
        raise UsageError(f"a cup has 2 to {MOST} names, not {len(names)}")
    for entrant in plan.entrants:
        check_name(entrant.name)
        Spec.parse(entrant.brain)
        if sum(entrant.name.casefold() == name.casefold() for name in names) > 1:
            raise UsageError(f"two are called {entrant.name!r}; give one of them another name")
    if plan.name:
        league_name(plan.name)
    return plan


@dataclass(frozen=True, slots=True)
class CupGame:
    """A game that has ended: `winner` is None for a draw, `health` what each had left, `session` its file's name."""

    round: Positive
    place: Positive
    left: str
    winner: str | None
    reason: str
    turns: Count
    health: Mapping[str, Annotated[float, Ge(0), Le(1e9)]]
    session: str


Ending = Literal["", "games", "forfeit", "bye"]
"""How a match was decided: not yet, by its games, because somebody has left, because there is nobody else."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match: who meets, None where that is not known or nobody is there; its games so far; `winner` once decided."""

    round: int
    place: int
    names: tuple[str | None, str | None]
    games: tuple[CupGame, ...] = ()
    winner: str | None = None
    ending: Ending = ""

    @property
    def id(self) -> MatchId:
        """Return its round and its place in it."""
        return self.round, self.place

    @property
    def wins(self) -> tuple[int, int]:
        """Return how many games each has won."""
        one, other = (sum(game.winner == name for game in self.games if name is not None) for name in self.names)
        return one, other

    @property
    def loser(self) -> str | None:
        """Return who is out by this match, None while nobody is."""
        return next((name for name in self.names if self.ending and name != self.winner), None)

    @property
    def playable(self) -> bool:
        """Return whether its next game can be played now."""
        return not self.ending and None not in self.names


Tree = Sequence[Sequence[Match]]
"""The matches of each round, the final last."""


def draw(plan: CupPlan) -> list[str | None]:
    """Return the names by their places in the first round, None where somebody goes through without a match.

    The seed decides; those who have no match in the first round are spread over the tree.
    """
    names: list[str | None] = [entrant.name for entrant in plan.entrants]
    Random(f"draw {plan.seed}").shuffle(names)
    places = [0]
    while len(places) < len(names):
        places = [each for place in places for each in (place, 2 * len(places) - 1 - place)]
    return [names[place] if place < len(names) else None for place in places]


def tree(plan: CupPlan, games: Sequence[CupGame], gone: Sequence[str]) -> Tree:
    """Return how the cup stands after these games, in the order in which they were played, and who has left it.

    Who has left loses the first match of theirs that is not decided.
    """
    side: list[str | None] = draw(plan)
    certain = [True] * len(side)
    rounds: list[list[Match]] = []
    while len(side) > 1:
        number = len(rounds) + 1
        matches = []
        for place in range(1, len(side) // 2 + 1):
            own = tuple(game for game in games if (game.round, game.place) == (number, place))
            match = Match(number, place, (side[2 * place - 2], side[2 * place - 1]), own)
            matches.append(_ended(plan, match, gone) if all(certain[2 * place - 2 : 2 * place]) else match)
        rounds.append(matches)
        side = [match.winner for match in matches]
        certain = [bool(match.ending) for match in matches]
    return rounds


def _ended(plan: CupPlan, match: Match, gone: Sequence[str]) -> Match:
    """Return a match between names that are certain as it stands, with its winner if it is decided."""
    one, other = match.names
    here = [name for name in (one, other) if name is not None and name not in gone]
    if one is None or other is None:
        return replace(match, winner=here[0] if here else None, ending="bye")
    if (winner := _winner(plan.best_of, match)) is not None:
        return replace(match, winner=winner, ending="games")
    if len(here) == 2:
        return match
    return replace(match, winner=here[0] if here else None, ending="forfeit")


def _winner(best_of: int, match: Match) -> str | None:
    """Return who has won a match by its games, None while nobody has.

    After drawn games more are played, at most MORE_GAMES; then more health left decides, at last the draw.
    """
    one, other = match.names
    wins, played = match.wins, len(match.games)
    first_to = best_of // 2 + 1
    if max(wins) < first_to and (played < best_of or (wins[0] == wins[1] and played < best_of + MORE_GAMES)):
        return None
    if wins[0] != wins[1]:
        return one if wins[0] > wins[1] else other
    left = [sum(game.health.get(name or "", 0.0) for game in match.games) for name in match.names]
    return other if left[1] > left[0] else one


def next_match(tree: Tree) -> Match | None:
    """Return the match to be played next, None if there is none."""
    return next((match for matches in tree for match in matches if match.playable), None)


def champion(tree: Tree) -> str | None:
    """Return who has won the cup, None while nobody has."""
    return tree[-1][0].winner


_CALLED = ("Final", "Semi-final", "Quarter-final")


def round_name(rounds: int, number: int) -> str:
    """Return what a match of a round is called, in a cup of so many rounds: `Final`, `Round 1`."""
    return _CALLED[rounds - number] if rounds - number < len(_CALLED) else f"Round {number}"


def is_over(tree: Tree) -> bool:
    """Return whether everything is decided, also where all have left."""
    return bool(tree[-1][0].ending)
