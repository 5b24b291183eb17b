"""What a league's report tells of single games: its first sentence, pages of pairings, curves, files for others."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import asdict, replace
from xml.etree import ElementTree

import pytest
from leagues import begun, line, small

from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.league.engines.pair_play import PlayedPair
from batllm_arcade.league.output.files import Exports, best_games, csv_of, pgn_of, write_exports, write_table
from batllm_arcade.league.output.report import best_of, report_page
from batllm_arcade.league.output.words import verdict, write_pages
from batllm_arcade.league.plan import LeaguePlayer, SprtPlan
from batllm_arcade.league.statistics.rating import course
from batllm_arcade.league.statistics.table import table
from batllm_arcade.league.statistics.tally import LeagueTally
from batllm_arcade.league.store import LeagueStore, lines_of

NASTY = '<b>"x"</b>\\'
PLAN = replace(
    small("a=scripted:dancer", "b=scripted:turtle", "c=scripted:random", pairs=10),
    players=(
        LeaguePlayer(NASTY, "scripted:dancer", orders="</p><script>alert(1)</script>"),
        LeaguePlayer("bee", "scripted:turtle", orders="Hide."),
        LeaguePlayer("cat", "scripted:random"),
    ),
)


def lines(plan=PLAN, winners=((NASTY, NASTY), (NASTY, "cat"), (None, "bee"))):
    return [line(number, plan, winners[(number - 1) % len(winners)]) for number in range(1, plan.total + 1)]


def standings(plan=PLAN, played=None, **more):
    tally = LeagueTally(plan)
    for each in lines(plan) if played is None else played:
        tally.add(each)
    return table(plan, tally, complete=True, **more)


@pytest.fixture
def folder(tmp_path):
    """A league's folder with its lines, one kept game with a page, one without."""
    begun(tmp_path / "league", PLAN)
    store = LeagueStore(tmp_path / "league", PLAN)
    store.add([PlayedPair(each, {0: "{}", 1: "{}"} if each["pair"] == 1 else {}) for each in lines()])
    store.close()
    (tmp_path / "league" / "pages").mkdir()
    (tmp_path / "league" / "pages" / "1-2.html").touch()
    return tmp_path / "league"


def test_a_report_opens_with_the_sentence_that_the_league_comes_to():
    two = small("a=scripted", "b=scripted", pairs=20)
    sure = standings(two, lines(two, [("a", "a"), ("a", "a"), ("a", "b")]))
    assert re.fullmatch(r"a is better than b by \d+ to \d+ Elo, over 99.9%; 40 games", verdict(sure))
    unsure = standings(two, lines(two, [("a", "b"), ("a", "a"), ("b", "b"), ("a", None)]))
    assert verdict(unsure).startswith("a may be better than b, which is not sure: -")
    even = standings(two, lines(two, [("a", "a"), ("b", "b")]))
    assert re.fullmatch(r"a and b cannot be told apart: -\d+ to \+\d+ Elo; 40 games", verdict(even))
    paid = replace(sure, players=[replace(row, cost=0.25) for row in sure.players])
    assert verdict(paid).endswith("40 games, $0.50")
    assert f'<p class="lead">{verdict(paid)}.</p>' in report_page(paid, two, "", {})


def test_every_pairing_has_a_page_with_its_games_and_links_that_lead_somewhere(folder):
    posters = []
    poster = lambda number, out: posters.append(number) or out.touch()  # noqa: E731, short
    write_table(folder, standings(name="My <league>"), PLAN, "", poster=poster)
    report = (folder / "report.html").read_text("utf-8")
    pages = re.findall(r'href="(pairings/[^"]*)"', report)
    assert sorted(pages) == ["pairings/1-2.html", "pairings/1-3.html", "pairings/2-3.html"]
    assert "My &lt;league&gt;" in report
    assert report.count("<polyline") == 3
    page = (folder / "pairings" / "1-2.html").read_text("utf-8")
    assert posters == [(1, 1)]
    for text in (report, page):
        assert "<script" not in text
        assert "<b>" not in text
        assert not re.search(r"https?://", text)
        for picture in re.findall(r"<svg.*?</svg>", text):
            ElementTree.fromstring(picture)
    for link in re.findall(r'(?:href|src)="([^"]*)"', page):
        assert (folder / "pairings" / link).exists(), link
    assert {"../sessions/1-1.json", "../pages/1-2.html", "1-1.png"} <= {
        link.removeprefix("../pairings/") for link in re.findall(r'(?:href|src)="([^"]*)"', page)
    }
    assert "&lt;/p&gt;&lt;script&gt;" in page
    assert "Hide." in page
    assert page.count("<tr>") == 1 + 20  # both games of ten pairs
    assert "20 - 0 - 0" in page


def test_what_does_not_fit_on_a_phone_says_so_and_models_have_columns_only_where_there_are_some():
    found = course(PLAN, lines(), PLAN.total)
    text = report_page(standings(), PLAN, "", {}, found)
    assert text.count("The table goes on to the right") == 3  # ratings, pairings, brains
    assert text.count("The picture goes on to the right") == 1
    assert "<th>tokens</th>" not in text
    asked = standings(played=[line(1, PLAN, (None, None), tokens=10)])
    assert "<th>tokens</th>" in report_page(asked, PLAN, "", {})


def test_without_pictures_or_kept_games_a_page_says_what_there_is(folder):
    def broken(number, out):
        raise ArcadeError("no picture")

    write_table(folder, standings(), PLAN, "", poster=broken)
    assert "<img" not in (folder / "pairings" / "1-2.html").read_text("utf-8")
    assert "best game" in (folder / "pairings" / "1-2.html").read_text("utf-8")
    assert "best game" not in (folder / "pairings" / "2-3.html").read_text("utf-8")


def test_the_best_game_is_the_closest_that_was_won_and_kept():
    games = [(1, "a", 40), (2, "b", 4), (3, None, 0), (4, "a", 2)]
    told = [
        {"pair": pair, "games": [{"winner": winner, "health": {"a": left, "b": 0}, "turns": 9}]}
        for pair, winner, left in games
    ]
    assert best_of(told, {(1, 1): "", (2, 1): "", (3, 1): ""}) == (2, 1)
    assert best_of(told, {}) is None


def test_the_best_game_of_each_pairing_is_the_first_that_gets_a_page(folder):
    kept = [(1, 1), (1, 2), (2, 1), (4, 2), (5, 1), (30, 2)]
    played = lines()
    played[3]["games"][1]["turns"] = 9  # the longest of those that are equally close
    best = best_games(played, kept)
    assert best == [(4, 2), (2, 1), (30, 2)]  # of the third pairing the only one that was won
    made = []
    write_pages(folder, PLAN, kept, lambda session, out: made.append(session.name), best)
    assert made == ["4-2.json", "2-1.json", "30-2.json", "1-1.json", "5-1.json"]  # 1-2 has one already
    assert best_games(played, []) == []


def test_the_course_of_a_league_ends_where_its_table_is():
    found = course(PLAN, lines(), PLAN.total)
    assert found.pairs == list(range(1, 31))
    by_name = {row.name: row.rating for row in standings().players}
    assert found.ratings[-1] == pytest.approx([by_name[player.name] for player in PLAN.players], abs=15)
    assert found.llr == []
    tested = small("a=scripted", "b=scripted", pairs=400, sprt=SprtPlan(0, 50))
    found = course(tested, lines(tested, [("a", "a"), ("a", "b")]), 400)
    assert len(found.pairs) == 40
    assert found.llr[-1] == pytest.approx(standings(tested, lines(tested, [("a", "a"), ("a", "b")])).sprt.llr)


def test_other_programs_read_the_table_and_the_games(folder, tmp_path):
    exports = Exports(tmp_path / "table.csv", tmp_path / "games.pgn")
    exports.check()
    write_exports(standings(), PLAN, exports, lambda: lines_of(folder, PLAN, 60))
    rows = list(csv.DictReader(io.StringIO((tmp_path / "table.csv").read_text("utf-8"))))
    assert [row["name"] for row in rows] == [row.name for row in standings().players]
    assert float(rows[0]["low"]) < float(rows[0]["rating"])
    assert rows[0]["cost"] == ""  # nobody has a price
    games = (tmp_path / "games.pgn").read_text("utf-8").split("\n\n\n")
    games = re.findall(r'\[White "(.*)"\]\n\[Black "(.*)"\]\n\[Result "(.*)"\]', "\n".join(games))
    assert len(games) == 60
    quoted = "<b>'x'</b>\\\\"
    assert games[:2] == [(quoted, "bee", "1-0"), ("bee", quoted, "0-1")]
    assert ("bee", "cat", "1/2-1/2") in games
    with pytest.raises(UsageError, match="exists; name another file"):
        exports.check()


def test_a_game_for_others_has_its_result_last():
    (text, _) = pgn_of(lines()[:1], "an event")
    assert text.startswith('[Event "an event"]\n')
    assert text.endswith("]\n\n1-0\n\n")
    assert csv_of(standings()).startswith("rank,name,rating,low,high,")


def test_the_csv_has_every_figure_of_a_player_that_is_one_number():
    (row, *_) = standings().players
    heads = next(csv.reader(io.StringIO(csv_of(standings()))))
    numbers = {name for name, value in asdict(row).items() if not isinstance(value, (list, dict))}
    assert {*heads} == numbers | {*row.faults}
