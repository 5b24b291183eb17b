"""What a league's folder tells of single games: the pages of its pairings, and how its ratings have come about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import cast

from batllm_arcade.errors import ArcadeError
from batllm_arcade.files.atomic import write_text
from batllm_arcade.league.output import versus
from batllm_arcade.league.output.pages import Number, page_of
from batllm_arcade.league.output.versus import Best
from batllm_arcade.league.plan import LeaguePlan
from batllm_arcade.league.statistics.course import Course, course
from batllm_arcade.league.statistics.pair_line import GameLine, PairLine
from batllm_arcade.league.statistics.table import LeagueTable
from batllm_arcade.league.store import lines_of

MOST_TOLD = 10_000
"""Pairs of a league whose games are told one by one; of more there is the table alone."""
MOST_POSTERS = 15
Poster = Callable[[Path, Path], object]
"""Writes the picture of the session file at the first path to the second one; raises ArcadeError if it cannot."""
_SHOWN = ("left", "winner", "reason", "turns", "health")
_Lines = dict[frozenset[str], list[PairLine]]


def write_games(
    folder: Path, table: LeagueTable, plan: LeaguePlan, kept: Iterable[Number], poster: Poster | None
) -> Course | None:
    """Write the page of every pairing; return the course of the league, None if it is too large to be told.

    Raise OSError if the disk does not take them.
    """
    if not 0 < table.pairs <= MOST_TOLD:
        return None
    links, lines = _links(folder, kept), _Lines()
    try:
        found = course(plan, _noted(lines_of(folder, table.pairs), lines), table.pairs)
    except (OSError, ValueError, KeyError, TypeError):  # who changed it meanwhile is told at the next start
        return None
    (folder / versus.FOLDER).mkdir(exist_ok=True)
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


def _links(folder: Path, kept: Iterable[Number]) -> dict[Number, str]:
    """Return where each kept game is: its page if there is one, else its session file."""
    found = {}
    for pair, game in kept:
        page = page_of(folder, (pair, game))
        own = f"sessions/{pair}-{game}.json"
        found[pair, game] = page.relative_to(folder).as_posix() if page.exists() else own
    return found


def _posters(folder: Path, lines: _Lines, links: Mapping[Number, str], poster: Poster) -> dict[Number, str]:
    """Write the pictures that lack of the best games; return where they are, from the league's folder."""
    found = {}
    numbers = (versus.best_of(own, links) for own in lines.values())
    for number in islice((each for each in numbers if each is not None), MOST_POSTERS):
        name = f"{versus.FOLDER}/{number[0]}-{number[1]}.png"
        with suppress(ArcadeError, OSError):  # the page then has a link alone
            if not (folder / name).exists():
                poster(folder / "sessions" / f"{number[0]}-{number[1]}.json", folder / name)
            found[number] = name
    return found
