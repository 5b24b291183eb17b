"""What a page holds: everything it needs, nothing that acts, and a session that every reader takes."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import os
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pygame
import pytest
from charged import charged_match
from fakes import eventful, written
from paths import DATA, DOCS
from sessions import HOSTILE, hostile_match, scripted_match

from batllm_arcade.cli.main import main
from batllm_arcade.history.reader import read
from batllm_arcade.match.records import GameStarted, Play
from batllm_arcade.share import write
from batllm_arcade.share.write import QuickPages, write_page
from batllm_arcade.view import theme
from batllm_arcade.view.look import motion
from batllm_arcade.view.look import shapes as armour
from batllm_arcade.view.look.motion import fade
from batllm_arcade.view.play_words import play_words

COUCH = DATA / "couch_match.json"


class Parts(HTMLParser):
    """A page's elements, and the text in its scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.contents: dict[str, str] = {}
        self.open = ""
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        self.open = dict(attributes).get("id") or tag

    def handle_endtag(self, tag):
        self.open = ""

    def handle_data(self, data):
        if self.open:
            self.contents[self.open] = self.contents.get(self.open, "") + data


@pytest.fixture(scope="module")
def page(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("page") / "match.html"
    assert main(["share", str(COUCH), "-o", str(out)]) == 0
    return out


def shared(session: Path, out: Path, *options: str) -> dict:
    """What the script of a page made with these options shows."""
    assert main(["share", str(session), "-o", str(out), *options]) == 0
    return drawn_in(out)


def drawn_in(page: Path) -> dict:
    """What the script of a page shows."""
    return json.loads(gzip.decompress(base64.b64decode(Parts(page.read_text("utf-8")).contents["replay"])))


def played(shown: dict) -> list[list[int]]:
    return [each["play"] for each in shown["segments"] if "bot" in each]


def digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_the_policy_allows_this_script_and_style_and_no_request(page):
    parts = Parts(page.read_text("utf-8"))
    policy = next(each["content"] for tag, each in parts.elements if each.get("http-equiv"))
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == digest(parts.contents["script"])
    assert rules["style-src"] == digest(parts.contents["style"])
    assert {rules["img-src"], rules["font-src"]} == {"data:"}
    addresses = [each[name] for _, each in parts.elements for name in ("src", "href", "action") if each.get(name)]
    assert all(address.startswith(("data:", "#")) for address in addresses)
    assert not re.search(r"url\((?!data:)|@import|https?://(?!www\.w3\.org)", page.read_text("utf-8"))
    assert not [name for _, each in parts.elements for name in each if name.startswith("on") or name == "style"]


def test_the_elements_that_others_rely_on_are_there(page):
    ids = {each.get("id"): tag for tag, each in Parts(page.read_text("utf-8")).elements}
    seats = [f"{part}-{seat}" for part in ("thought", "raw", "health") for seat in ("left", "right")]
    assert ids.keys() >= {"arena", "play", "seek", "left", "right", "now", "session", *seats}
    assert (ids["arena"], ids["seek"], ids["session"]) == ("canvas", "input", "script")


def test_the_session_in_a_page_is_the_whole_session_and_every_reader_takes_it(page, tmp_path, capsys):
    assert json.loads(Parts(page.read_text("utf-8")).contents["session"]) == json.loads(COUCH.read_text())
    assert read(page) == read(COUCH)
    assert main(["share", str(page), "-o", str(tmp_path / "again.html")]) == 0
    assert (tmp_path / "again.html").read_bytes() == page.read_bytes()
    capsys.readouterr()
    printed = [main(["transcript", str(path)]) or capsys.readouterr().out for path in (page, COUCH)]
    assert printed[0] == printed[1] != ""


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("<!doctype html><p>hello", "is a page without a session; those that 'share' makes hold one"),
        ('<!doctype html><script type="application/json" id="session">{"games": 1', "is a page without a session"),
        ('<!DOCTYPE html><script type="application/json" id="session">[]</script>', "this is no session file"),
    ],
)
def test_another_page_is_refused_with_one_sentence(content, complaint, tmp_path, capsys):
    path = tmp_path / "other.html"
    path.write_text(content)
    assert main(["verify", str(path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert complaint in line


def test_nothing_that_somebody_wrote_is_markup(tmp_path):
    session = hostile_match(tmp_path / "hostile.json")
    out = tmp_path / "hostile.html"
    write_page(session, out)
    parts = Parts(out.read_text("utf-8"))
    assert [tag for tag, _ in parts.elements].count("script") == 4
    assert not {tag for tag, _ in parts.elements} & {"img", "iframe", "object"}
    assert json.loads(parts.contents["session"]) == json.loads(session.read_text())
    assert not set("<>&\u2028\u2029\x00") & {*parts.contents["session"]}
    play = read(out).games[0].rounds[0].plays[0]
    assert any(text in play.decision.thought for text in HOSTILE)


def test_an_ordinary_couch_session_makes_a_page_of_at_most_300_kb(tmp_path):
    session = json.loads(COUCH.read_text())
    games = []
    while sum(len(one["turns"]) for game in games for one in game["rounds"]) < 172:
        games.append({**session["games"][0], "game_number": len(games) + 1})
    for game in games:
        for turn in (turn for one in game["rounds"] for turn in one["turns"]):
            turn["thought"] = "Its shield is down and it stands to my right: I turn, then I fire before it hides again."
    path, out = tmp_path / "long.json", tmp_path / "long.html"
    path.write_text(json.dumps({**session, "games": games}, separators=(",", ":")))
    assert write_page(path, out).size <= 300_000


def test_a_page_has_the_chances_of_what_it_shows_and_the_marks_that_analyse_prints(tmp_path, capsys, monkeypatch):
    assert main(["analyse", str(COUCH), "--json"]) == 0
    plays = json.loads(capsys.readouterr().out)["games"][0]["plays"]
    found = shared(COUCH, tmp_path / "all.html")["chances"]
    assert found["left"] == [pytest.approx(1000 * play["chance"][0], abs=0.6) for play in plays]
    marked = [(number, play["mark"], play["order"]) for number, play in enumerate(plays) if play["mark"]]
    assert [tuple(mark[:3]) for mark in found["marks"]] == marked
    assert "round 1, turn " in found["marks"][0][3]
    part = shared(COUCH, tmp_path / "part.html", "--from", "2", "--to", "3")["chances"]
    assert part["left"] == found["left"][2:6]
    monkeypatch.setattr("batllm_arcade.share.shown.MOST_ANALYSED", 3)
    assert shared(COUCH, tmp_path / "long.html")["chances"] is None


def test_quick_pages_have_no_chances_and_are_verified_all_the_same(tmp_path, capsys):
    pages, second, match = QuickPages(), tmp_path / "second.html", scripted_match(tmp_path / "match.json")
    for out in (tmp_path / "first.html", second):  # what both are drawn with is worked out for the first
        pages.write(match, out)
    assert drawn_in(second)["chances"] is None
    assert drawn_in(second)["look"] == shared(match, tmp_path / "alone.html")["look"]
    assert main(["verify", str(second)]) == 0, capsys.readouterr().err


def test_a_changed_theme_shape_or_motion_changes_the_page(tmp_path, monkeypatch):
    session = written(charged_match(), tmp_path / "s.json")
    before = shared(session, tmp_path / "before.html")["look"]
    monkeypatch.setattr(theme, "SEAT_COLORS", ((1, 2, 3), (250, 251, 252)))
    monkeypatch.setattr(theme, "MOVE_S", 0.9)
    monkeypatch.setattr(armour, "SHIELD", ((1.5, 1.6, 0.0, 255),))
    monkeypatch.setattr(motion, "SHAKE_FADE", fade(7))
    monkeypatch.setattr(motion, "SMOKE", motion.SMOKE._replace(rise=fade(1, -3)))
    page = tmp_path / "after.html"
    after = shared(session, page)["look"]
    assert (after["colors"]["left"], after["times"]["move"]) == ("#010203", 0.9)
    assert "--left:#010203" in Parts(page.read_text("utf-8")).contents["style"]
    assert after["shield"]["bands"][0] == [[1.5, 1.6, "#010203", 255]]
    assert after["shapes"] != before["shapes"]
    assert after["motion"]["shake_fade"] == {"terms": [[1.0, 7]], "backwards": True}
    assert after["motion"]["smoke"]["rise"]["terms"] == [[-3, 1]]


def test_a_game_and_turns_are_chosen_as_for_a_film(tmp_path):
    session = written(eventful(), tmp_path / "s.json")
    whole = shared(session, tmp_path / "whole.html")
    assert whole["several"]
    second = shared(session, tmp_path / "second.html", "--game", "2")
    assert [each["game"] for each in second["segments"] if "game" in each] == [2]
    some = shared(session, tmp_path / "some.html", "--from", "1.2", "--to", "1.3")
    assert sorted({tuple(play[:2]) for play in played(some)}) == [(1, 2), (1, 3)]
    assert some["segments"][0]["s"] == 0
    assert some["before"] == whole["segments"][played(whole).index([1, 2, 1]) + 1]["bots"]


def test_title_autoplay_loop_and_embed(tmp_path):
    out = tmp_path / "p.html"
    shown = shared(COUCH, out, "--title", "A <b> title", "--autoplay", "--loop", "--embed")
    parts = Parts(out.read_text("utf-8"))
    assert (shown["autoplay"], shown["loop"]) == (True, True)
    assert ("body", {"class": "embed"}) in parts.elements
    assert parts.contents["title"].startswith("A <b> title")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--game", "9"], "there is no game 9; the session holds"),
        (["--from", "x"], "--from: 'x' is no turn"),
        (["--from", "2.1", "--to", "1.1"], "it would end before it begins"),
        (["-o", "/nowhere/p.html"], "does not exist; create it"),
    ],
)
def test_what_cannot_be_shared_is_said_in_one_sentence_and_writes_nothing(options, complaint, tmp_path, capsys):
    out = tmp_path / "p.html"
    assert main(["share", str(COUCH), "-o", str(out), *options]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert complaint in line
    assert not out.exists()


def test_an_existing_file_is_kept_without_force_and_the_session_always(tmp_path, capsys):
    out = tmp_path / "p.html"
    out.write_text("mine")
    assert main(["share", str(COUCH), "-o", str(out)]) == 2
    assert "exists already; name another file or add --force" in capsys.readouterr().err
    assert out.read_text() == "mine"
    assert main(["share", str(COUCH), "-o", str(out), "--force"]) == 0
    assert main(["share", str(out), "-o", str(out), "--force"]) == 2
    assert "is the session that is shared" in capsys.readouterr().err


def test_a_page_replaces_nothing_that_appears_meanwhile_and_never_a_pipe(tmp_path, capsys, monkeypatch):
    out = tmp_path / "p.html"

    def made(*arguments):
        out.write_text("precious")
        return make(*arguments)

    make = write.page
    monkeypatch.setattr(write, "page", made)
    assert main(["share", str(COUCH), "-o", str(out)]) == 1
    assert "p.html' cannot be written: File exists" in capsys.readouterr().err
    assert out.read_text() == "precious"
    out.unlink()
    os.mkfifo(out)
    assert main(["share", str(COUCH), "-o", str(out), "--force"]) == 2
    assert "p.html' cannot be written: it is no regular file" in capsys.readouterr().err
    assert os.listdir(tmp_path) == ["p.html"]


def test_the_page_in_the_documentation_is_one_that_the_command_made(tmp_path, capsys):
    page = DOCS / "match.html"
    assert page.stat().st_size <= 300_000
    assert main(["verify", str(page)]) == 0
    assert "come from no seed" not in capsys.readouterr().out
    assert "match.html" in (DOCS / "share.md").read_text("utf-8")


def test_a_page_whose_address_is_known_has_a_picture_beside_it_and_names_both(tmp_path):
    out = tmp_path / "a match.html"
    shared(COUCH, out, "--url", "https://example.org/games/?a=1&b=2", "--title", "A claim")
    elements = [each for tag, each in Parts(out.read_text("utf-8")).elements if tag == "meta"]
    named = {each.get("property") or each.get("name"): each.get("content") for each in elements}
    assert named["og:url"] == "https://example.org/games/?a=1&b=2"
    assert named["og:image"] == "https://example.org/games/a%20match.png"
    assert (named["twitter:card"], named["og:image:alt"]) == ("summary_large_image", "A claim")
    assert pygame.image.load(tmp_path / "a match.png").get_size() == (1200, 630)
    assert main(["share", str(COUCH), "-o", str(out), "--url", "https://example.org/b", "--force"]) == 0


@pytest.mark.parametrize(
    "address", ["example.org", "ftp://example.org", "https://", "javascript:alert(1)", "https://a b", "http://[", "//a"]
)
def test_what_is_no_address_is_refused_and_a_picture_is_not_overwritten(address, tmp_path, capsys):
    out = tmp_path / "p.html"
    assert main(["share", str(COUCH), "-o", str(out), "--url", address]) == 2
    assert "is no address of a page" in capsys.readouterr().err
    (tmp_path / "p.png").write_text("mine")
    assert main(["share", str(COUCH), "-o", str(out), "--url", "https://example.org/p.html"]) == 2
    assert "p.png' exists already" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["p.png"]


def test_a_page_names_the_level_of_a_seat(tmp_path):
    records = [
        replace(record, seats=(replace(record.seats[0], options={"level": "rookie"}), record.seats[1]))
        if isinstance(record, GameStarted)
        else record
        for record in eventful()
    ]
    seats = shared(written(records, tmp_path / "a.json"), tmp_path / "a.html")["segments"][0]["seats"]
    assert [seat[4] for seat in seats] == ["rookie", ""]


def test_the_match_in_words_says_what_a_bot_does_now_and_not_the_figures_of_how_orders_were_read(tmp_path):
    thought = "attack 0.90 \u00b7 counter 0.06 \u2014 attacking: lined up, shield down, fire"
    records = [
        replace(record, decision=replace(record.decision, thought=thought)) if isinstance(record, Play) else record
        for record in charged_match()
    ]
    write_page(written(records, tmp_path / "s.json"), tmp_path / "p.html")
    words = (tmp_path / "p.html").read_text("utf-8").partition("<noscript>")[2].partition("</noscript>")[0]
    assert play_words(next(record for record in records if isinstance(record, Play))) in words
    assert "0.90" not in words


def test_of_a_page_that_will_be_large_it_is_said_how_to_make_a_smaller_one(tmp_path, monkeypatch):
    said = list[str]()
    write_page(COUCH, tmp_path / "a.html", notice=said.append)
    assert said == []
    monkeypatch.setattr(write, "HEAVY", 1000)
    write_page(COUCH, tmp_path / "b.html", notice=said.append)
    assert ["--game" in sentence for sentence in said] == [True]
