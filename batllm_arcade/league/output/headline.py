"""The sentence with which a league's report opens: who is best, how sure that is, what it took; pure."""

from __future__ import annotations

from batllm_arcade.league.output import words
from batllm_arcade.league.statistics.table import LeagueTable, Pairing

SURE = 0.975
"""How likely somebody must be better to be called the best."""


def headline(table: LeagueTable) -> str:
    """Return who is best, how sure that is and what it cost, in two sentences."""
    if not table.pairs:
        return "No pair has been played yet."
    cost = "" if table.cost is None else f", for {words.cost(table.cost)}"
    took = f"{table.pairs:,} pairs, {2 * table.pairs:,} games{cost}."
    return f"{_verdict(table)} {took}"


def _verdict(table: LeagueTable) -> str:
    best, second = table.players[:2]
    more = f"better than {second.name} with a chance of {words.chance(best.los)}{_by(table)}"
    if best.los is None or best.los < SURE or second.rank == 1:
        return f"Nobody is surely the best: {best.name} is {more}."
    return f"The best is {best.name}: {more}."


def _by(table: LeagueTable) -> str:
    """Return by how much the first is better than the second, "" where they have not met."""
    best, second = (row.name for row in table.players[:2])
    met = next((each for each in table.matrix if each.players == [best, second]), None)
    return "" if met is None or met.difference is None else f", by {difference(met)}"


def difference(pairing: Pairing) -> str:
    """Return how many Elo the first player of a pairing is better: `38 (12 to 58) Elo`, `242 Elo or more`."""
    value = words.signed(pairing.difference or 0.0)
    return f"{value} Elo (95%: {words.interval(pairing)})"
