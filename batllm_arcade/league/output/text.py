"""A league's table as lines of text, and as Markdown; pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

from batllm_arcade.league.output import words
from batllm_arcade.league.output.columns import BRAIN_COLUMNS, RATING_COLUMNS, cells, headings
from batllm_arcade.league.output.headline import verdict
from batllm_arcade.league.statistics.table import LeagueTable, Pairing

_WIDEST_MATRIX = 12


def lines(table: LeagueTable) -> list[str]:
    """Return the whole table for a terminal."""
    names, pairings = words.matrix(table)
    found = [
        *ratings(table),
        "",
        *_aligned([headings(BRAIN_COLUMNS), *cells(BRAIN_COLUMNS, table.players)], left=(0,)),
    ]
    if 2 < len(names) <= _WIDEST_MATRIX:
        head = ["score against", *(str(number) for number in range(1, len(names) + 1))]
        rows = [[f"{number} {name}", *_scores(name, names, pairings)] for number, name in enumerate(names, 1)]
        found += ["", *_aligned([head, *rows], left=(0,))]
    return [*found, "", *_below(table), "", verdict(table)]


def ratings(table: LeagueTable) -> list[str]:
    """Return the table of ratings alone."""
    return _aligned([headings(RATING_COLUMNS), *cells(RATING_COLUMNS, table.players)], left=(1,))


def _below(table: LeagueTable) -> list[str]:
    said = (
        words.circle(table),
        *words.marked(table),
        *words.sides(table),
        words.test_words(table),
        words.state(table),
        *table.notes,
    )
    return [line for line in said if line]


def _scores(name: str, names: Sequence[str], pairings: Mapping[tuple[str, str], Pairing]) -> list[str]:
    """Return the row of a player in the matrix: its score against each, "-" where they have not met."""
    found = [pairings.get((name, other)) for other in names]
    return [
        "" if name == other else words.percent(pairing.score if pairing is not None else None)
        for other, pairing in zip(names, found, strict=True)
    ]


def _aligned(rows: Sequence[Sequence[str]], left: Sequence[int]) -> list[str]:
    widths = [max(columns(row[index]) for row in rows) for index in range(len(rows[0]))]
    return [
        "  ".join(padded(cell, widths[index], index in left) for index, cell in enumerate(row)).rstrip() for row in rows
    ]


def padded(text: str, width: int, left: bool) -> str:
    """Return a text with blanks up to this many columns, at its end or before it."""
    blanks = " " * (width - columns(text))
    return text + blanks if left else blanks + text


def columns(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    return sum(
        0 if unicodedata.combining(each) else 2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text
    )


def fitted(text: str, width: int) -> str:
    """Return a text cut to so many columns."""
    while columns(text) > width:
        text = text[:-1]
    return text


def markdown(table: LeagueTable, title: str, command: str) -> str:
    """Return the whole table as a Markdown page; `command` plays this league."""
    names, pairings = words.matrix(table)
    parts = [f"# {_escaped(title)}", "", f"**{_escaped(verdict(table))}.**", ""]
    if command:
        parts += [f"`{command}`" if "`" not in command else command, ""]
    parts += _piped(headings(RATING_COLUMNS), cells(RATING_COLUMNS, table.players), left=(1,))
    parts += ["", *(f"{line[:1].upper()}{line[1:]}." for line in _below(table))]
    if len(names) > 2:
        head = ["score against", *names]
        parts += ["", *_piped(head, [[name, *_scores(name, names, pairings)] for name in names], left=(0,))]
    brains = _piped(headings(BRAIN_COLUMNS), cells(BRAIN_COLUMNS, table.players), left=(0,))
    return "\n".join([*parts, "", *brains, ""])


def _piped(head: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[int]) -> list[str]:
    rule = ["---" if index in left else "---:" for index in range(len(head))]
    return [f"| {' | '.join(map(_escaped, row))} |" for row in (head, rule, *rows)]


def _escaped(text: str) -> str:
    """Return a text that Markdown shows as it is."""
    if set(text) <= {"-", ":"}:
        return text
    return "".join(f"\\{each}" if each in "\\`*_[]<>|#&~" and not text[:1].isdigit() else each for each in text)
