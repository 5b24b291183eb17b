"""What a league shows: names that would act on a page, a terminal or Markdown; a page that needs nothing else."""

from __future__ import annotations

import io
import json
import re
from dataclasses import fields, replace
from xml.etree import ElementTree

import pytest
from leagues import line, small
from paths import DOCS

from batllm_arcade.errors import UsageError
from batllm_arcade.league.output import words
from batllm_arcade.league.output.report import report_page as page
from batllm_arcade.league.output.words import columns, lines, markdown
from batllm_arcade.league.plan import LeaguePlayer
from batllm_arcade.league.run import LeagueProgress
from batllm_arcade.league.statistics.table import LeagueTable, table
from batllm_arcade.league.statistics.tally import LeagueTally

NASTY = '<img src=x onerror="a()">|`x`'
PLAN = replace(
    small("a=scripted:dancer", "b=scripted:turtle", "c=scripted:random", pairs=4),
    players=(
        LeaguePlayer(NASTY, "scripted:dancer", orders="</td><script>alert(1)</script>"),
        LeaguePlayer("日本のロボット", "scripted:turtle"),
        LeaguePlayer("c", "scripted:random"),
    ),
)


@pytest.fixture(scope="module")
def shown():
    tally = LeagueTally(PLAN)
    for number, winners in enumerate([(NASTY, NASTY), ("c", NASTY), (None, None)] * 2, 1):
        tally.add(line(number, PLAN, winners))
    return table(PLAN, tally, complete=False)


def test_the_page_escapes_what_others_wrote_and_needs_nothing_from_elsewhere(shown, tmp_path):
    (tmp_path / "sessions").mkdir()
    for name in ("2-1.json", "6-2.json", "7-1.json", "x-1.json", "2-1.json.tmp"):
        (tmp_path / "sessions" / name).touch()
    text = page(shown, PLAN, "batllm-arcade league '<b>'", words.links_of(tmp_path, shown.pairs))
    assert "<script" not in text
    assert "<img" not in text
    assert "<b>" not in text
    assert "&lt;img src=x" in text
    assert re.findall(r'href="([^"]*)"', text) == ["sessions/2-1.json", "sessions/6-2.json"]
    assert not re.search(r"https?://|url\(|src=[\"']", text)
    pictures = re.findall(r"<svg.*?</svg>", text)
    assert len(pictures) == 5  # ratings twice, the matrix, left, first
    for picture in pictures:
        ElementTree.fromstring(picture)
    headings = re.findall("<h2>(.*?)</h2>", text)
    assert headings[:3] == ["Ratings", "Everybody against everybody", "Pairings"]
    assert headings[3:5] == ["Left against right", "Who acts first"]
    assert headings[5:] == ["Brains", "Players", "Games to watch"]
    assert "6 of 12 pairs, to be continued" in text


def test_a_table_stands_in_columns_also_with_wide_letters(shown):
    ratings = lines(shown)[:4]
    ends = [columns(row[: re.search(r"\d+\.\d%", row).end()]) for row in ratings[1:]]
    assert len(set(ends)) == 1  # the scores are below each other
    text = "\n".join(lines(shown))
    assert "score against" in text
    assert "left won" in text


def test_markdown_shows_names_as_they_are(shown):
    rows = [row for row in markdown(shown, "title", "").splitlines() if "onerror" in row]
    assert rows
    for row in rows:
        assert "<img" not in row.replace("\\<", "")
        assert "|\\`x" in row.replace("\\|", "|")


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_redrawn_in_place_and_acts_on_no_terminal_otherwise(shown, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("LINES", "24")
    now = iter([0.0, 10.0, 10.1, 20.0])
    out = Terminal()
    progress = LeagueProgress(out, 12, 0, clock=lambda: next(now))
    progress.show(3, shown)
    first = out.getvalue()
    progress.show(4, shown)  # too soon
    assert out.getvalue() == first
    progress.show(6, shown)
    progress.close()
    assert all(columns(row) < 60 for row in first.replace("\x1b[J", "").splitlines())
    assert "3/12 pairs, 0.6 games/s, 30 s left" in first
    assert out.getvalue().endswith("\x1b[5A\x1b[J")  # nothing is left of it
    assert set(re.findall(r"\x1b\[\d*[A-Z]", out.getvalue())) == {"\x1b[J", "\x1b[5A"}


def test_where_nobody_watches_progress_is_a_line_a_minute_and_none_if_quiet(shown):
    for quiet, count in ((False, 1), (True, 0)):
        out = io.StringIO()
        progress = LeagueProgress(out, 12, 0, quiet=quiet, clock=iter([0.0, 10.0, 61.0, 62.0]).__next__)
        for pairs in (1, 2, 3):
            progress.show(pairs, shown)
        assert len(out.getvalue().splitlines()) == count


def test_the_page_links_to_pages_of_kept_sessions_some_of_every_pairing(shown, tmp_path, monkeypatch):
    numbers = [(number, game) for number in range(1, 7) for game in (1, 2)]
    (tmp_path / "sessions").mkdir()
    for pair, game in numbers:
        (tmp_path / "sessions" / f"{pair}-{game}.json").touch()
    shared = []
    share = lambda session, out: shared.append(session.name) or out.touch()  # noqa: E731, short
    monkeypatch.setattr(words, "MOST_PAGES", 6)
    words.write_pages(tmp_path, PLAN, numbers, share)
    assert shared == ["1-1.json", "2-1.json", "3-1.json", "1-2.json", "2-2.json", "3-2.json"]
    words.write_pages(tmp_path, PLAN, numbers, share)
    assert len(shared) == 6  # they stay when the league goes on
    links = re.findall(r'href="([^"]*)"', page(shown, PLAN, "", words.links_of(tmp_path, shown.pairs)))
    assert sorted(links)[:7] == [f"pages/{name.removesuffix('.json')}.html" for name in sorted(shared)] + [
        "sessions/4-1.json"
    ]
    monkeypatch.setattr(words, "MOST_OF_PAIRING", 1)
    assert words.chosen_of(PLAN, numbers) == [(1, 1), (2, 1), (3, 1)], "two players have not all there are"


UNSHOWN = {"requests", "reading"}
"""Figures of a player that stand in `table.json` alone."""


class Seen:
    """A row that notes which of its figures are asked for."""

    def __init__(self, row):
        self.row, self.asked = row, set()

    def __getattr__(self, name):
        self.asked.add(name)
        return getattr(self.row, name)


def test_every_figure_of_a_player_stands_in_a_column(shown):
    row = Seen(replace(shown.players[0], loss=0.1, loss_low=0.0))
    for column in sum(words.TABLES, ()):
        column.cell(row)
    assert row.asked | UNSHOWN == {field.name for field in fields(shown.players[0])}


def test_a_table_that_is_read_again_is_the_table_that_was_written(shown):
    written = json.loads(json.dumps(shown.values()))
    assert LeagueTable.read(written) == shown
    for damage in ({"players": [{}]}, {"matrix": [{"players": ["a"]}]}, {"sprt": 3}, {"left": None}, {"pairs": "x"}):
        with pytest.raises(UsageError):
            LeagueTable.read({**written, **damage})


def test_the_documentation_shows_the_columns_that_there_are(shown):
    page_rows = (DOCS / "league.md").read_text("utf-8").splitlines()
    tables = [[cell.strip().replace("\\", "") for cell in row.strip("|").split("|")] for row in page_rows]
    assert words.shown(words.RATINGS, shown.players)[0] in tables
    described = "\n".join(page_rows)
    assert [column.heading for column in sum(words.TABLES[1:], ()) if f"`{column.heading}`" not in described] == []
