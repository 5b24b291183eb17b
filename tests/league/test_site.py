"""`league site`: pages of many leagues in a folder that can be put on any web server."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from leagues import begun, line, small
from paths import DATA

from batllm_arcade.cli.main import main
from batllm_arcade.errors import UsageError
from batllm_arcade.league.engines.pair_play import PlayedPair
from batllm_arcade.league.league_file import LEAGUE
from batllm_arcade.league.output.files import write_table
from batllm_arcade.league.plan import LeaguePlayer
from batllm_arcade.league.site import leagues_in, public_brain, shown_leagues, write_site
from batllm_arcade.league.statistics.table import table
from batllm_arcade.league.store import LeagueStore
from batllm_arcade.share.write import QuickPages

SESSION = DATA / "couch_match.json"
NASTY = "<script>alert('x')</script>"


def league(folder, *, day="2026-01-01", name="", pairs=6):
    """A league with its pages as it is after it was played, one kept game, and a path in what its machine knows."""
    plan = replace(
        small(pairs=pairs // 3 or 1),
        players=(
            LeaguePlayer("a", "scripted:dancer,level=rookie"),
            LeaguePlayer(NASTY, f"proc:{folder}/secret/bot.py"),
            LeaguePlayer(folder.name, "scripted:turtle", orders="<b>Hide.", orders_file=f"{folder}/hide.txt"),
        ),
        sessions="all",
    )
    begun(folder, plan)
    values = json.loads((folder / LEAGUE).read_text())
    values["run"]["name"] = name
    (folder / LEAGUE).write_text(json.dumps(values))
    store = LeagueStore(folder, plan)
    won = [("a", "a"), ("a", None), (None, None)]
    for number in range(1, pairs + 1):
        names = line(number, plan)["players"]
        winners = tuple(each if each in names else names[0] for each in won[number % 3])
        played = {**line(number, plan, winners), "finished": f"{day}T12:00:00.000Z"}
        store.add([PlayedPair(played, {0: SESSION.read_text("utf-8")} if number == 1 else {})])
    store.close()
    if pairs:
        write_table(
            folder, table(plan, store.tally, complete=True, name=name), plan, "", poster=lambda _, to: to.touch()
        )
    return folder


def made(folders, out):
    """A site with pages and with pictures that are empty."""
    return write_site(folders, out, "All", lambda: QuickPages().write, lambda folder: lambda number, to: to.touch())


class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        links = [value for key, value in attributes if key in ("href", "src")]
        self.found += [link for link in links if not link.startswith(("#", "data:image/"))]  # a page's own


@pytest.fixture
def leagues(tmp_path):
    folder = tmp_path / "many"
    league(folder / "old", day="2026-01-01", name="Old & <tried>")
    league(folder / "New One", day="2026-03-01")
    league(folder / "empty", pairs=0)
    return folder


def test_every_link_of_a_site_is_relative_and_leads_somewhere(leagues, tmp_path, capfd):
    out = tmp_path / "site"
    assert main(["league", "site", str(leagues), "-o", str(out), "--name", "All & sundry"]) == 0
    assert capfd.readouterr().err.splitlines()[-1] == f"site: {out / 'index.html'}"
    pages = sorted(out.rglob("*.html"))
    assert len(pages) == 1 + 3 + 2 * (3 + 1)  # the first, a report of each, pages of pairings and of games
    reached, todo = set(), [out / "index.html"]
    while todo:
        page = todo.pop()
        reached.add(page)
        links = Links()
        links.feed(page.read_text("utf-8"))
        for link in links.found:
            assert not re.match(r"[a-z]+:|/", link), link
            there = (page.parent / link).resolve()
            assert there.is_file(), f"{page} has {link}"
            todo += [there] if there.suffix == ".html" and there not in reached else []
    assert reached == set(pages)


def test_a_site_tells_nothing_of_the_machine_and_acts_on_no_name(leagues, tmp_path):
    made([leagues], tmp_path / "site")
    for path in (tmp_path / "site").rglob("*"):
        text = path.read_text("utf-8") if path.suffix in (".html", ".json") else ""
        assert str(tmp_path) not in text, path
        assert "--resume" not in text, path
        assert "<script" not in text or path.suffix == ".json" or path.parent.name == "pages", path
    assert "proc:bot.py" in (tmp_path / "site" / "old" / "report.html").read_text("utf-8")


def test_the_first_page_has_the_leagues_last_played_first_and_who_is_in_several(leagues, tmp_path):
    made([leagues], tmp_path / "site")
    page = (tmp_path / "site" / "index.html").read_text("utf-8")
    tiles = re.findall(r'class="card tile" href="([^"]*)"', page)
    assert tiles == ["new-one/report.html", "old/report.html", "empty/report.html"]
    assert "3 leagues, 5 players, 24 games." in page  # a is the same everywhere, the others are not
    assert "no pair has been played yet." in page
    again = page[page.index("In several leagues") :]
    assert re.findall(r'<td class="text wrap">([^<]*)</td>', again) == [
        *["&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;"] * 3,
        *["a"] * 3,
    ]


def test_a_site_is_brought_up_to_date_and_nothing_else_is_overwritten(leagues, tmp_path):
    out = tmp_path / "site"
    made([leagues / "old"], out)
    page = out / "old" / "pages" / "1-1.html"
    before = page.read_bytes()
    page.write_text("another page")
    (page.parent / "2-1.html").write_text("a page of a game that is gone")
    made([leagues / "old", leagues / "empty"], out)
    assert [path.read_bytes() for path in page.parent.iterdir()] == [before]
    assert (out / "empty" / "report.html").exists()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").touch()
    for folders, where, said in (
        ([leagues], tmp_path / "mine", "something else than a site"),
        ([tmp_path / "mine"], out, "there is no league in"),
        ([leagues], tmp_path / "mine" / "thesis.txt", "cannot be written"),
    ):
        with pytest.raises(UsageError, match=said):
            made(folders, where)


def test_folders_of_the_same_name_have_places_of_their_own(tmp_path):
    folders = [league(tmp_path / which / "Liga!", pairs=0) for which in "xy"]
    assert [shown.place for shown in shown_leagues(leagues_in([*folders, folders[0]]))] == ["liga", "liga-2"]
    (folders[0] / "pairs.jsonl").write_text("{}\n")
    with pytest.raises(UsageError, match="damaged"):
        shown_leagues(folders)


@pytest.mark.parametrize(
    ("brain", "shown"),
    [
        ("scripted", "scripted"),
        ("scripted:dancer,level=rookie", "scripted:dancer,level=rookie"),
        ("proc:/home/me/bots/duelist.py,deadline_s=2", "proc:duelist.py,deadline_s=2"),
        ("openai:model=m,base_url=http://me:pw@127.0.0.1/v1", "openai:model=m,base_url=http://127.0.0.1/v1"),
    ],
)
def test_a_brain_is_shown_without_folders_and_secrets(brain, shown):
    assert public_brain(brain) == shown
