"""With what a league's report opens, and every league ends: who is better, how sure that is, what it took; pure."""

from __future__ import annotations

from batllm_arcade.league.output import words
from batllm_arcade.league.plan import LeaguePlan
from batllm_arcade.league.statistics.table import LeagueTable, Pairing

SURE = 0.975
"""How likely somebody must be better to be called the best."""


def opening(table: LeagueTable) -> str:
    """Return the sentences with which a report opens: of two players, how they compare; of more, who is best."""
    return f"{verdict(table)}." if len(table.players) == 2 and table.pairs else headline(table)


def headline(table: LeagueTable) -> str:
    """Return who is best, how sure that is and what it cost, in two sentences."""
    if not table.pairs:
        return "No pair has been played yet."
    cost = "" if table.cost is None else f", for {words.cost(table.cost)}"
    took = f"{table.pairs:,} pairs, {2 * table.pairs:,} games{cost}."
    return f"{_verdict(table)} {took}"


def _verdict(table: LeagueTable) -> str:
    best, second = table.players[:2]
    if words.signed(best.rating - second.rating) == "0":
        return f"Nobody is the best: {best.name} and {second.name} are level{_by(table)}."
    more = f"better than {second.name} with a chance of {words.chance(best.los)}{_by(table)}"
    if best.los is None or best.los < SURE or second.rank == 1:
        return f"Nobody is surely the best: {best.name} is {more}."
    return f"The best is {best.name}: {more}."


def _by(table: LeagueTable) -> str:
    """Return by how much the first is better than the second, "" where they are not to meet."""
    best, second = (row.name for row in table.players[:2])
    met = next((each for each in table.matrix if each.players == [best, second]), None)
    return "" if met is None or met.difference is None else f", by {difference(met)}"


def difference(pairing: Pairing) -> str:
    """Return how many Elo the first player of a pairing is better: `38 (12 to 58) Elo`, `242 Elo or more`."""
    value = words.signed(pairing.difference or 0.0)
    return f"{value} Elo (95%: {words.interval(pairing)})"


def verdict(table: LeagueTable) -> str:
    """Return how the best player compares with the next one, without a full stop.

    `B is better than A by 38 to 92 Elo, 98.3%; 412 games, $0.31`: the 95% interval of the difference, and how likely
    B is the better one.
    """
    if not table.pairs:
        return "no pair has been played yet"
    best, second = table.players[0].name, table.players[1].name
    met = next((each for each in table.matrix if each.players == [best, second]), None)
    cost = "" if table.cost is None else f", {dollars(table.cost)}"
    return f"{_compared(best, second, met, table.players[0].los)}; {2 * table.pairs:,} games{cost}"


def _compared(best: str, second: str, met: Pairing | None, los: float | None) -> str:
    chance = met.chance if met is not None and met.chance is not None else los
    low = met.low if met is not None else None
    if chance is not None and chance >= SURE:
        by = "" if met is None or low is None or low <= 0 else f" by {_span(low, met.high)}"
        return f"{best} is better than {second}{by}, {words.chance(chance)}"
    between = "" if met is None else f": {words.interval(met)} Elo"
    if met is not None and words.signed(met.difference or 0.0) == "0":
        return f"{best} and {second} are level{between}"
    return f"{best} may be better than {second}, which is not sure{between}, {words.chance(chance)}"


def _span(low: float, high: float | None) -> str:
    return f"{low:.0f} Elo or more" if high is None else f"{low:.0f} to {high:.0f} Elo"


def dollars(amount: float) -> str:
    """Return an amount of money: `$0.31`, `$0.0042`."""
    return f"${amount:,.2f}" if amount >= 0.01 or not amount else f"${amount:.2g}"


def shortfall(table: LeagueTable, plan: LeaguePlan, least: float) -> str:
    """Return where the first player of a plan is surely less than `least` Elo better than another, "" nowhere.

    A sequential test that has decided says how much better it is; else it is the 95% interval of the difference.
    """
    name = plan.players[0].name
    if plan.sprt is not None and table.sprt is not None and table.sprt.decision is not None:
        test, decision = plan.sprt, table.sprt.decision
        if (test.elo0 if decision == "H0" else test.elo1) >= least:
            return ""
        taken, left = (test.elo0, test.elo1) if decision == "H0" else (test.elo1, test.elo0)
        against = f"{taken:g} Elo against {plan.players[1].name} (and not {left:g}), as the test has decided"
        return f"{name} falls short: {against}; --fail-below asks for {least:g}"
    for pairing in table.matrix:
        seen = pairing if pairing.players[0] == name else pairing.mirrored()
        if seen.players[0] == name and seen.high is not None and seen.high < least:
            against = f"{words.interval(seen)} Elo against {seen.players[1]}"
            return f"{name} falls short: {against}; --fail-below asks for {least:g}"
    return ""
