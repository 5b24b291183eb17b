"""Every game of a league on a row of its own, for programs that read tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from batllm_arcade.league.output.words import title_of, verdict
from batllm_arcade.league.plan import LeaguePlan
from batllm_arcade.league.statistics.table import LeagueTable
from batllm_arcade.league.statistics.tally import PairLine


def card_of(path: Path) -> Path:
    """Return where the card of a file of games is."""
    return path.with_name(f"{path.name}.card.md")


def rows_of(lines: Iterable[PairLine]) -> Iterator[dict[str, Any]]:
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


def card(path: Path, table: LeagueTable, plan: LeaguePlan, columns: Sequence[str]) -> str:
    """Return a dataset card, as hubs of data sets show one: what the file of games holds, and how it came about."""
    title = table.name or title_of(plan)
    head = ["---", f"pretty_name: {json.dumps(title)}", "tags: [games, llm, benchmark]", "configs:"]
    head += ["- config_name: default", f"  data_files: {json.dumps(path.name)}", "---", ""]
    players = [f"- {json.dumps(player.name)}: `{player.brain}`" for player in plan.players]
    mine = [column for column in columns if not column.startswith("right_")]
    return "\n".join([
        *head, f"# {title}", "", f"{verdict(table)}.", "",
        f"{2 * table.pairs:,} games of BatLLM Arcade under the rules `{table.config}`, a row each; "
        "two of one `pair` are a seed played twice with the seats changed.", "",
        "## Players", "", *players, "", "## Columns", "",
        "What stands under `left_` has a column under `right_`, too.", "", ", ".join(f"`{each}`" for each in mine), "",
    ])  # fmt: skip
