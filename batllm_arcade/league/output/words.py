"""How a league's figures read, the same on the terminal, in Markdown and on the page; pure."""

from __future__ import annotations

from collections.abc import Sequence

from batllm_arcade.brains.price import money
from batllm_arcade.league.statistics.table import LeagueTable, Pairing, TableRow


def signed(elo: float) -> str:
    """Return a rating: `+35`, `-120`, `0`."""
    return f"{elo:+.0f}" if round(elo) else "0"


def mark(row: TableRow) -> str:
    """Return what stands behind a rating that is not the player's alone: `*`, else ""."""
    return "*" if row.by_fallback or row.forfeits else ""


def marked(table: LeagueTable) -> list[str]:
    """Return what the mark at a player's rating means, a sentence for each that has one."""
    found = []
    for row in table.players:
        said = []
        if row.by_fallback:
            said.append(f"{row.by_fallback:,} of its {row.latency_s.plays:,} plays were its fallback's")
        if row.forfeits:
            said.append(f"{row.forfeits:,} of its {row.games:,} games were forfeited after three failures in a row")
        found += [f"a * at {row.name}: {', '.join(said)}"] if said else []
    return found


def interval(figure: TableRow | Pairing) -> str:
    """Return an interval: `+12 to +58`, `+242 or more` where nothing bounds it, `unknown` on both sides."""
    if figure.low is None or figure.high is None:
        ends = ((figure.low, "more"), (figure.high, "less"))
        return next((f"{signed(end)} or {word}" for end, word in ends if end is not None), "unknown")
    return f"{signed(figure.low)} to {signed(figure.high)}"


def percent(share: float | None) -> str:
    """Return a share: `56.3%`, `-` where there is none."""
    return "-" if share is None else f"{share:.1%}"


def span(rows: Sequence[TableRow]) -> tuple[float, float]:
    """Return the lowest and the highest figure of these players' ratings and intervals, as far as they are known."""
    figures = [each for row in rows for each in (row.low, row.rating, row.high) if each is not None]
    return min(figures), max(figures)


def chance(share: float | None) -> str:
    """Return how likely something is, which is never certain: `97.5%`, `over 99.9%`, `under 0.1%`."""
    if share is not None and not 0.0005 <= share < 0.9995:
        return "over 99.9%" if share > 0.5 else "under 0.1%"
    return percent(share)


def cost(amount: float | None) -> str:
    """Return an amount of money, "" without a price."""
    return "" if amount is None else money(amount)


def circle(table: LeagueTable) -> str:
    """Return a warning where results go round in a circle, "" where they do not."""
    if not table.circle:
        return ""
    one, two, three = table.circle
    return (
        f"warning: results go round in a circle ({one} beats {two}, {two} beats {three}, {three} beats {one}), "
        "which no ratings tell; look at the pairings"
    )


def seconds(value: float) -> str:
    """Return a time: `0.21 ms`, `350 ms`, `2.4 s`."""
    if value >= 1:
        return f"{value:.1f} s"
    return f"{value * 1000:.0f} ms" if value >= 0.01 else f"{value * 1000:.2g} ms"


def rate(count: int, total_s: float) -> str:
    """Return how many a second: `12`, `0.8`, "" where no time was measured."""
    if not total_s:
        return ""
    value = count / total_s
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def duration(value: float) -> str:
    """Return a time in words: `40 s`, `12 min`, `3.5 h`, `2.1 days`."""
    if value < 99:
        return f"{value:.0f} s"
    if value < 5940:
        return f"{value / 60:.0f} min"
    return f"{value / 3600:.1f} h" if value < 48 * 3600 else f"{value / 86400:.1f} days"


def sides(table: LeagueTable) -> list[str]:
    """Return what there is to say on left against right, and on who acts first."""
    found = []
    for side, first, other in ((table.left, "left", "right"), (table.first, "who acts first", "who acts second")):
        if side.share is not None:
            found.append(
                f"{first} won {percent(side.share)} of the decided games "
                f"({side.wins:,} to {side.losses:,} of {other}; {side.draws:,} drawn)"
            )
    return found


def test_words(table: LeagueTable) -> str:
    """Return how the sequential test stands, "" without one."""
    test = table.sprt
    if test is None:
        return ""
    verdict = {"H1": "H1 is accepted", "H0": "H0 is accepted", None: "undecided"}[test.decision]
    return f"SPRT: log-likelihood ratio {test.llr:.2f}, bounds {test.lower:.2f} and {test.upper:.2f}: {verdict}"


def state(table: LeagueTable) -> str:
    """Return how far the league is: `1,200 of 1,200 pairs`."""
    done = f"{table.pairs:,} of {table.pairs_planned:,} pairs"
    if table.complete:
        return done if table.pairs == table.pairs_planned else f"{done}: the test has decided"
    return f"{done}, to be continued"


def matrix(table: LeagueTable) -> tuple[list[str], dict[tuple[str, str], Pairing]]:
    """Return the players' names, best first, and each pairing as either of its players sees it."""
    found: dict[tuple[str, str], Pairing] = {}
    for pairing in table.matrix:
        one, other = pairing.players
        found[one, other], found[other, one] = pairing, pairing.mirrored()
    return [row.name for row in table.players], found
