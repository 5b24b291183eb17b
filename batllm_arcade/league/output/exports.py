"""A league for other programs: its table as CSV, its games as PGN headers, which ordo and BayesElo read."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from batllm_arcade.league.statistics.pair_line import PairLine
from batllm_arcade.league.statistics.table import LeagueTable, TableRow

COLUMNS = (
    "rank", "name", "rating", "low", "high", "games", "wins", "draws", "losses", "score", "los", "tokens", "requests",
    "cost", "by_fallback", "forfeits",
)  # fmt: skip
"""The figures of a player in a line of CSV, by their names in `table.json`."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a text begins with that a spreadsheet takes for a formula and runs."""


def csv_of(table: LeagueTable) -> str:
    """Return the table as CSV, best first: a heading, a line a player; what is not known is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*COLUMNS, *table.players[0].faults])
    for row in table.players:
        writer.writerow([*(_figure(row, column) for column in COLUMNS), *row.faults.values()])
    return text.getvalue()


def _figure(row: TableRow, column: str) -> object:
    value = getattr(row, column)
    return "" if value is None else _inert(value) if isinstance(value, str) else value


def _inert(text: str) -> str:
    """Return a text that spreadsheets show as it is: with an apostrophe before what would be a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def pgn_of(lines: Iterable[PairLine], event: str) -> Iterator[str]:
    """Yield every game as PGN headers with its result: who sat left is White."""
    for line in lines:
        for number, game in enumerate(line["games"], 1):
            left = game["left"]
            right = next(name for name in line["players"] if name != left)
            result = "1/2-1/2" if game["winner"] is None else "1-0" if game["winner"] == left else "0-1"
            tags = {
                "Event": event, "Site": "BatLLM Arcade", "Date": line["finished"][:10].replace("-", "."),
                "Round": f"{line['pair']}.{number}", "White": left, "Black": right, "Result": result,
                "Termination": game["reason"],
            }  # fmt: skip
            heads = "".join(f'[{name} "{_quoted(text)}"]\n' for name, text in tags.items())
            yield f"{heads}\n{result}\n\n"


def _quoted(text: str) -> str:
    """Return a text for between quotes, without any of its own: ordo takes the first `"]` for the end."""
    return text.replace("\\", "\\\\").replace('"', "'")
