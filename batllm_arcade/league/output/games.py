"""What a league's folder tells of single games: the pages of its pairings, and how its ratings have come about."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import cast

from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.files.atomic import write_text
from batllm_arcade.league.kept_files import PAIRINGS
from batllm_arcade.league.output import versus
from batllm_arcade.league.output.pages import Links, Number
from batllm_arcade.league.output.versus import Best
from batllm_arcade.league.plan import LeaguePlan
from batllm_arcade.league.statistics.course import Course, course
from batllm_arcade.league.statistics.pair_line import GameLine, PairLine
from batllm_arcade.league.statistics.table import LeagueTable

MOST_TOLD = 10_000
"""Pairs of a league whose games are told one by one; of more there is the table alone."""
MOST_POSTERS = 30
Poster = Callable[[Number, Path], object]
"""Writes the picture of a kept game to a file; raises ArcadeError or OSError if it cannot."""
_SHOWN = ("left", "winner", "reason", "turns", "health")
_Lines = dict[frozenset[str], list[PairLine]]


def best_games(played: Iterable[PairLine], kept: Collection[Number]) -> list[Number]:
    """Return the best kept game of each pairing; none of a league that is too large to be told."""
    lines, among = _Lines(), frozenset(kept)
    if not among:
        return []
    try:
        for number, _ in enumerate(_noted(played, lines)):
            if number >= MOST_TOLD:
                return []
    except (OSError, UsageError):
        return []
    return [best for own in lines.values() if (best := versus.best_of(own, among)) is not None]


def write_games(
    folder: Path, table: LeagueTable, plan: LeaguePlan, played: Iterable[PairLine], links: Links, poster: Poster | None
) -> Course | None:
    """Write the page of every pairing; return the course of the league, None if it is too large to be told.

    `played` are the lines of the table's pairs. Raise OSError if the disk does not take the pages.
    """
    if not 0 < table.pairs <= MOST_TOLD:
        return None
    lines = _Lines()
    try:
        found = course(plan, _noted(played, lines), table.pairs)
    except (OSError, UsageError):  # who changed it meanwhile is told at the next start
        return None
    (folder / PAIRINGS).mkdir(exist_ok=True)
    posters = _posters(folder, lines, links, poster) if poster is not None else {}
    for pairing in table.matrix:
        own = lines.get(frozenset(pairing.players), [])
        number = versus.best_of(own, links)
        best = None if number is None else Best(number, posters.get(number, ""))
        write_text(folder / versus.address(plan, pairing), [versus.page(plan, table, pairing, own, links, best)])
    return found


def _noted(lines: Iterable[PairLine], into: _Lines) -> Iterator[PairLine]:
    """Yield the lines, and keep of each what a page shows."""
    for line in lines:
        games = [cast(GameLine, {key: game[key] for key in _SHOWN}) for game in line["games"]]  # type: ignore[literal-required]
        into.setdefault(frozenset(line["players"]), []).append(cast(PairLine, {**line, "games": games}))
        yield line


def _posters(folder: Path, lines: _Lines, links: Links, poster: Poster) -> dict[Number, str]:
    """Write the pictures that lack of the best games; return where they are, from the league's folder."""
    found = {}
    numbers = (versus.best_of(own, links) for own in lines.values())
    for number in islice((each for each in numbers if each is not None), MOST_POSTERS):
        name = f"{PAIRINGS}/{number[0]}-{number[1]}.png"
        with suppress(ArcadeError, OSError):  # the page then has a link alone
            if not (folder / name).exists():
                poster(number, folder / name)
            found[number] = name
    return found
