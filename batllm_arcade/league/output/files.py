"""A league's files."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any, cast

from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.files.atomic import write_text
from batllm_arcade.files.paths import check_output
from batllm_arcade.files.tables import check_form, csv_lines, write_rows
from batllm_arcade.league.kept_files import MARKDOWN, PAGE, PAIRINGS, TABLE
from batllm_arcade.league.output import report
from batllm_arcade.league.output.games import card, card_of, rows_of
from batllm_arcade.league.output.report import Best, report_page
from batllm_arcade.league.output.words import Links, Number, command_of, links_of, markdown, title_of, verdict
from batllm_arcade.league.plan import LeaguePlan
from batllm_arcade.league.statistics.rating import Course, course
from batllm_arcade.league.statistics.table import LeagueTable
from batllm_arcade.league.statistics.tally import GameLine, PairLine
from batllm_arcade.league.store import lines_of

COLUMNS = (
    "rank", "name", "rating", "low", "high", "games", "wins", "draws", "losses", "score", "los", "tokens", "written",
    "requests", "cost", "reading", "legal", "loss", "loss_low", "loss_high", "by_fallback", "forfeits",
)  # fmt: skip
"""The figures of a player in a line of CSV, by their names in `table.json`."""


def csv_of(table: LeagueTable) -> str:
    """Return the table as CSV, best first: a heading, a line a player; what is not known is empty."""
    rows = [{**asdict(row), **row.faults} for row in table.players]
    return "".join(csv_lines([*COLUMNS, *table.players[0].faults], rows))


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
    return [best for own in lines.values() if (best := report.best_of(own, among)) is not None]


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
        ratings_over_pairs = course(plan, _noted(played, lines), table.pairs)
    except (OSError, UsageError):  # who changed it meanwhile is told at the next start
        return None
    (folder / PAIRINGS).mkdir(exist_ok=True)
    posters = _posters(folder, lines, links, poster) if poster is not None else {}
    for pairing in table.matrix:
        own = lines.get(frozenset(pairing.players), [])
        number = report.best_of(own, links)
        best = None if number is None else Best(number, posters.get(number, ""))
        write_text(folder / report.address(plan, pairing), [report.page(plan, table, pairing, own, links, best)])
    return ratings_over_pairs


def _noted(lines: Iterable[PairLine], into: _Lines) -> Iterator[PairLine]:
    for line in lines:
        games = [cast(GameLine, {key: game[key] for key in _SHOWN}) for game in line["games"]]  # type: ignore[literal-required]
        into.setdefault(frozenset(line["players"]), []).append(cast(PairLine, {**line, "games": games}))
        yield line


def _posters(folder: Path, lines: _Lines, links: Links, poster: Poster) -> dict[Number, str]:
    places = {}
    numbers = (report.best_of(own, links) for own in lines.values())
    for number in islice((each for each in numbers if each is not None), MOST_POSTERS):
        name = f"{PAIRINGS}/{number[0]}-{number[1]}.png"
        with suppress(ArcadeError, OSError):  # the page then has a link alone
            if not (folder / name).exists():
                poster(number, folder / name)
            places[number] = name
    return places


@dataclass(frozen=True, slots=True)
class Exports:
    """Files for other programs; None is not wished."""

    csv: Path | None = None
    pgn: Path | None = None
    games: Path | None = None

    def check(self) -> None:
        """Raise UsageError if one of them cannot be written or exists."""
        card = None if self.games is None else card_of(self.games)
        for path in filter(None, (self.csv, self.pgn, self.games, card)):
            if path.exists():
                raise UsageError(f"{str(path)!r} exists; name another file, or remove it")
            check_output(path, force=False)
        if self.games is not None:
            check_form(self.games)


def values_of(table: LeagueTable) -> dict[str, Any]:
    """Return the table as `table.json` holds it, with the sentence that it comes to."""
    return {**table.values(), "verdict": verdict(table)}


def write_table(
    folder: Path, table: LeagueTable, plan: LeaguePlan, resume: str, *, page: bool = True, poster: Poster | None = None
) -> None:
    """Write the table's files, each in one step; without `page` only `table.json`, as while the league runs.

    `poster` makes pictures of the best games. Raise ArcadeError if the disk does not take them.
    """
    try:
        write_text(folder / TABLE, [json.dumps(values_of(table)), "\n"])
        if page:
            command = command_of(plan) if table.complete else resume
            write_text(folder / MARKDOWN, [markdown(table, table.name or title_of(plan), command)])
            write_report(folder, table, plan, command, lines_of(folder, plan, table.pairs), poster)
    except OSError as error:
        raise ArcadeError(
            f"the table cannot be written ({error.strerror}); make room and go on with --resume"
        ) from None


def write_report(
    folder: Path,
    table: LeagueTable,
    plan: LeaguePlan,
    command: str,
    played: Iterable[PairLine],
    poster: Poster | None,
    home: str = "",
) -> None:
    """Write the league's page and those of its pairings; `played` are the table's pairs, `home` a page above it.

    Raise OSError if the disk does not take them.
    """
    links = links_of(folder, table.pairs)
    course = write_games(folder, table, plan, played, links, poster)
    write_text(folder / PAGE, [report_page(table, plan, command, links, course, home)])


Lines = Callable[[], Iterable[PairLine]]
"""Returns the pairs of a table, as often as it is called."""


def write_exports(table: LeagueTable, plan: LeaguePlan, exports: Exports, lines: Lines) -> None:
    """Write the table as CSV and the games where that is wished; raise ArcadeError if that fails."""
    try:
        if exports.csv is not None:
            write_text(exports.csv, [csv_of(table)])
        if exports.pgn is not None:
            write_text(exports.pgn, pgn_of(lines(), table.name or title_of(plan)))
        if exports.games is not None:
            columns = write_rows(exports.games, lambda: rows_of(lines()))
            write_text(card_of(exports.games), [card(exports.games, table, plan, columns)])
    except OSError as error:
        raise ArcadeError(f"{error.filename or 'the export'!r} cannot be written ({error.strerror})") from None


def write_board(out: Path | None, table: LeagueTable, plan: LeaguePlan, lines: Lines, exports: Exports) -> None:
    """Write the files of a table of several leagues, to a folder if one is named; raise ArcadeError if that fails."""
    write_exports(table, plan, exports, lines)
    if out is None:
        return
    try:
        out.mkdir(parents=True, exist_ok=True)
        if any(out.iterdir()) and not (out / MARKDOWN).is_file():
            raise UsageError(f"{str(out)!r} holds something else than a board; name another folder with -o")
        write_text(out / TABLE, [json.dumps(values_of(table)), "\n"])
        write_text(out / MARKDOWN, [markdown(table, table.name or "Leagues", "")])
        write_report(out, table, plan, "", lines(), None)
    except OSError as error:
        raise ArcadeError(f"the board cannot be written ({error.strerror}); make room and try again") from None
