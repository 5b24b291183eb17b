"""The columns of a league's two tables of players, the same on the terminal, in Markdown and on the page; pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from batllm_arcade.league.output import words
from batllm_arcade.league.statistics.outcome import FAULTS
from batllm_arcade.league.statistics.table import TableRow


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table of players: what stands above it and what stands in a player's row."""

    heading: str
    cell: Callable[[TableRow], str]


def _fault(fault: str) -> Column:
    return Column(fault, lambda row: str(row.faults[fault]))


RATING_COLUMNS = (
    Column("#", lambda row: str(row.rank)),
    Column("player", lambda row: row.name),
    Column("Elo", lambda row: f"{words.signed(row.rating)}{words.mark(row)}"),
    Column("95%", lambda row: words.interval(row)),
    Column("games", lambda row: str(row.games)),
    Column("won", lambda row: str(row.wins)),
    Column("drawn", lambda row: str(row.draws)),
    Column("lost", lambda row: str(row.losses)),
    Column("score", lambda row: words.percent(row.score)),
    Column("LL, LD, DD+WL, WD, WW", lambda row: ", ".join(map(str, row.pairs))),
    Column("better than next", lambda row: "" if row.los is None else words.chance(row.los)),
)
"""The table of ratings."""
BRAIN_COLUMNS = (
    Column("player", lambda row: row.name),
    Column("plays", lambda row: f"{row.latency_s.plays:,}"),
    Column("median", lambda row: words.seconds(row.latency_s.median)),
    Column("slowest", lambda row: words.seconds(row.latency_s.max)),
    Column("plays/s", lambda row: words.rate(row.latency_s.plays, row.latency_s.total)),
    Column("tokens", lambda row: f"{row.tokens:,}"),
    Column("cost", lambda row: words.cost(row.cost)),
    Column("cost a game", lambda row: "" if row.cost is None else words.cost(row.cost / max(1, row.games))),
    Column("tokens/s", lambda row: words.rate(row.tokens, row.latency_s.total) if row.tokens else ""),
    Column("by fallback", lambda row: str(row.by_fallback)),
    *map(_fault, FAULTS),
)
"""The table of what the brains did; what is better none is in its last columns."""
MODEL_COLUMNS = ("tokens", "cost", "cost a game", "tokens/s")
"""Those that say nothing where nobody asks a model."""


def headings(columns: Sequence[Column]) -> list[str]:
    """Return what stands above these columns."""
    return [column.heading for column in columns]


def cells(columns: Sequence[Column], rows: Sequence[TableRow]) -> list[list[str]]:
    """Return the rows of a table with these columns."""
    return [[column.cell(row) for column in columns] for row in rows]
