"""The pair of a league that shows best why one player is better than another: its two games differ most."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from batllm_arcade.errors import UsageError
from batllm_arcade.files.reading import read_text
from batllm_arcade.league.league_file import TABLE, read_league
from batllm_arcade.league.store import LARGEST_LINE, PAIRS

_LARGEST = 64 * LARGEST_LINE


class ClearestPair(NamedTuple):
    """Both games of a pair: `other` sits left in the `first` one, `better` in the `second`."""

    better: str
    other: str
    number: int
    first: Path
    second: Path


def clearest_pair(folder: Path, players: tuple[str, str] | None = None) -> ClearestPair:
    """Return the pair in which the seat that both players take in turn does best for the better one and worst for the
    other; of equal ones the earliest.

    `players` are the better one and the other, else the first two of the table. Raise UsageError if there is no league,
    no such player, or no such pair whose games are kept.
    """
    read_league(folder)
    names = [row["name"] for row in _table(folder)]
    better, other = players or _best_two(names, folder)
    for name in (better, other):
        if name not in names:
            raise UsageError(f"{name!r} does not play in this league; its players are {', '.join(names)}")
    best: tuple[float, ClearestPair] | None = None
    for line in _lines(folder, {better, other}):
        games = [folder / "sessions" / f"{line['pair']}-{number}.json" for number in (1, 2)]
        if not all(game.is_file() for game in games):
            continue
        leads = {game["left"]: _lead(game) for game in line["games"]}
        if line["games"][0]["left"] == better:
            games.reverse()
        apart = leads[better] - leads[other]
        if best is None or apart > best[0]:
            best = apart, ClearestPair(better, other, line["pair"], *games)
    if best is None:
        raise UsageError(f"no pair of {better!r} and {other!r} is kept in {str(folder)!r}; play it with --sessions all")
    return best[1]


def _best_two(names: list[str], folder: Path) -> tuple[str, str]:
    if len(names) < 2:
        raise UsageError(f"the league in {str(folder)!r} has no table with two players yet")
    return names[0], names[1]


def _table(folder: Path) -> list[dict[str, Any]]:
    try:
        rows = json.loads(read_text(folder / TABLE, _LARGEST))["players"]
        return [row for row in rows if isinstance(row["name"], str)]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise UsageError(f"the league in {str(folder)!r} has no table yet; go on with --resume") from None


def _lines(folder: Path, players: set[str]) -> Iterator[dict[str, Any]]:
    """Yield the pairs that these two have played; raise UsageError for a line that no league writes."""
    try:
        for line in read_text(folder / PAIRS, _LARGEST).splitlines():
            value = json.loads(line)
            if set(value["players"]) == players:
                yield value
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise UsageError(f"{PAIRS} in {str(folder)!r} cannot be read; take the whole folder from a backup") from None


def _lead(game: dict[str, Any]) -> float:
    """Return by how much health the player on the left was ahead in the end."""
    left = game["left"]
    return float(game["health"][left]) - sum(float(each) for name, each in game["health"].items() if name != left)
