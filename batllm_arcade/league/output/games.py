"""Every game of a league on a row of its own, for programs that read tables."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from batllm_arcade.errors import UsageError, inert
from batllm_arcade.files.atomic import write_text
from batllm_arcade.league.output.words import title_of, verdict
from batllm_arcade.league.plan import LeaguePlan
from batllm_arcade.league.statistics.table import LeagueTable
from batllm_arcade.league.statistics.tally import PairLine

Row = Mapping[str, Any]
FORMS = (".csv", ".jsonl", ".parquet")


def check_form(path: Path) -> None:
    """Raise UsageError unless a file of this name can be written here."""
    if path.suffix.lower() not in FORMS:
        raise UsageError(f"--export writes {', '.join(FORMS)}, and {path.name!r} is none of them")
    if path.suffix.lower() == ".parquet":
        try:
            import_module("pyarrow.parquet")
        except ImportError:
            raise UsageError("a .parquet file needs pyarrow; run: pip install pyarrow; or write .csv") from None


def card_of(path: Path) -> Path:
    """Return where the card of a file of games is."""
    return path.with_name(f"{path.name}.card.md")


def rows(lines: Iterable[PairLine]) -> Iterator[dict[str, Any]]:
    """Yield each game: what belongs to a player stands under `left_` and `right_`, whoever they are."""
    for line in lines:
        for number, game in enumerate(line["games"], 1):
            left, right = game["left"], next(name for name in line["players"] if name != game["left"])
            sides = {left: "left", right: "right"}
            row: dict[str, Any] = {"pair": line["pair"], "game": number, "seed": line["seed"]}
            row |= {"left": left, "right": right, "won": sides.get(game["winner"] or "", "nobody")}
            row |= {"reason": game["reason"], "turns": game["turns"], "acted_first": sides[game["first"]]}
            for key, values in game.items():
                if isinstance(values, dict):
                    for name, side in sides.items():
                        own: Any = values[name]
                        inner = own.items() if isinstance(own, dict) else [("", own)]
                        row |= {"_".join(filter(None, (side, key, what))): value for what, value in inner}
            yield {**row, "finished": line["finished"], "worker": line.get("worker", "")}


def write_games_table(path: Path, lines: Callable[[], Iterable[PairLine]]) -> list[str]:
    """Write every game to a file by its form; return its columns. Raise OSError if the disk does not take it."""
    columns = list(dict.fromkeys(key for row in rows(lines()) for key in row))
    if path.suffix.lower() == ".parquet":
        pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
        every = ({column: row.get(column) for column in columns} for row in rows(lines()))
        parquet.write_table(pyarrow.Table.from_pylist(list(every)), path)
    elif path.suffix.lower() == ".csv":
        write_text(path, _csv(columns, rows(lines())))
    else:
        write_text(path, (f"{json.dumps({key: row.get(key) for key in columns})}\n" for row in rows(lines())))
    return columns


def _csv(columns: Sequence[str], games: Iterable[Row]) -> Iterator[str]:
    for row in ({column: column for column in columns}, *games):
        text = io.StringIO()
        values = [inert(each) if isinstance(each, str) else each for each in map(row.get, columns)]
        csv.writer(text, lineterminator="\n").writerow(values)
        yield text.getvalue()


def card(path: Path, table: LeagueTable, plan: LeaguePlan, columns: Sequence[str]) -> str:
    """Return a dataset card, as hubs of data sets show one: what the file of games holds, and how it came about."""
    name = json.dumps(table.name or title_of(plan))
    head = ["---", f"pretty_name: {name}", "tags: [games, llm, benchmark]", "configs:"]
    head += ["- config_name: default", f"  data_files: {json.dumps(path.name)}", "---", ""]
    players = [f"- {json.dumps(player.name)}: `{player.brain}`" for player in plan.players]
    mine = [column for column in columns if not column.startswith("right_")]
    return "\n".join([
        *head, f"# {json.loads(name)}", "", f"{verdict(table)}.", "",
        f"{2 * table.pairs:,} games of BatLLM Arcade under the rules `{table.config}`, a row each; "
        "two of one `pair` are a seed played twice with the seats changed.", "",
        "## Players", "", *players, "", "## Columns", "",
        "What stands under `left_` has a column under `right_`, too.", "", ", ".join(f"`{each}`" for each in mine), "",
    ])  # fmt: skip
