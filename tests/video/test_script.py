"""What a film says, as `--script` writes it: within the time that words need, and true of the session's file."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace

import pytest
from duels import fought
from fakes import FAILED, LATE, eventful, played, written
from texts import note_texts

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.cli.main import main
from batllm_arcade.core.model import Rules
from batllm_arcade.history.reader import read
from batllm_arcade.history.replay import replay
from batllm_arcade.match.records import GameStarted, RoundStarted
from batllm_arcade.share.shown import Selection, Shown
from batllm_arcade.video.encode.formats import FORMATS, Shape
from batllm_arcade.video.film_plan import FilmPlan
from batllm_arcade.video.render_job import RenderJob
from batllm_arcade.view.statistics import report

SHORT = Rules(total_rounds=1, turns_per_round=6)
MODEL = SeatInfo("SmolLM2", "embedded:tactics", "SmolLM2-135M")


def given(records, orders, seats=None):
    """The records with these orders and players."""
    for record in records:
        if isinstance(record, RoundStarted):
            record = replace(record, prompts=orders)
        elif isinstance(record, GameStarted) and seats:
            record = replace(record, seats=seats)
        yield record


SESSIONS = {
    "a game": lambda: fought("turtle", "sharpshooter", 1, 5, "couch"),
    "a series": lambda: given(fought("dancer", "turtle", 3, 5, "arena"), ("Rush him", "Stay away")),
    "many games": lambda: fought("sharpshooter", "dancer", 7, 3, "couch"),
    "a draw": lambda: played(["S1"] * 6, ["S1"] * 6, rules=SHORT),
    "a forfeit": lambda: played([LATE] * 3, ["M"] * 5, fallbacks={0: [FAILED] * 3}, rules=SHORT),
    "orders on one side": lambda: given(fought("turtle", "turtle", 1, 7, "couch"), ("", "Never stop"), (MODEL, MODEL)),
    "none": lambda: given(fought("dancer", "dancer", 1, 8, "couch"), ("", ""), (MODEL, MODEL)),
    "Chinese": lambda: given(
        fought("random", "dancer", 1, 2, "couch"), ("\u4e0d\u505c\u5730\u8fdb\u653b" * 30, "\u9632\u5b88")
    ),
    "long": lambda: given(fought("random", "turtle", 1, 2, "default"), ("Go round and round. " * 250, "x" * 5000)),
    "games and a cut": eventful,
}


@pytest.fixture(scope="module", params=SESSIONS)
def session(request, tmp_path_factory):
    return written(list(SESSIONS[request.param]()), tmp_path_factory.mktemp("script") / "match.json")


def script_of(capsys, session, *options):
    assert main(["video", str(session), "--script", "-", *options]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def counts_of(path, *, every):
    """The shots, hits, turns shielded and turns close up of both seats in a file's games, `every` one or the last."""
    found, games = [[0, 0, 0, 0], [0, 0, 0, 0]], json.loads(path.read_text())["games"]
    for game in games if every else games[-1:]:
        rules, width = game["rules"], game["rules"]["arena_width"]
        for turn in (turn for entry in game["rounds"] for turn in entry["turns"]):
            seat, before, after, foe = turn["order"], turn["pre_state"], turn["post_state"], turn["opponent_state"]
            loaded = not rules.get("battery") or before["charge"] >= rules["shot_charge"]
            fires = turn["cmd"] == "B" and turn["status"] == "ok" and not before["shield"] and loaded
            mine, last = found[seat], game.setdefault("last", {})
            mine[0] += fires
            mine[1] += fires and foe["health"] < last.get(1 - seat, full(rules, 1 - seat))
            mine[2] += bool(after["shield"])
            mine[3] += math.dist((after["x"], after["y"]), (foe["x"], foe["y"])) <= width / 4
            last[1 - seat], last[seat] = foe["health"], after["health"]
    return found


def full(rules, seat):
    """What a seat's bot begins with."""
    return rules["initial_health"][seat] if isinstance(rules["initial_health"], list) else rules["initial_health"]


def test_every_card_can_be_read_and_counts_what_is_in_the_file(session, capsys):
    rows = script_of(capsys, session)
    for card, least, most in (("opening card", 2.5, 8), ("end card", 4.0, 13)):
        shown = [row for row in rows if row["where"] == card]
        assert len({(row["at"], row["until"]) for row in shown}) == 1
        words = " ".join(re.sub(r"\S+ \((blue|orange)\)", "X", row["words"]) for row in shown if row["new"]).split()
        assert len(words) <= most
        assert shown[0]["until"] - shown[0]["at"] >= max(least, 0.3 * len(words))
    is_count = re.compile(r"\d+ (shots|hits|turns)").match
    table = [row["words"] for row in shown if is_count(row["words"])]
    if table:
        told = [[int(words.split()[0]), int(words.split()[-1])] for words in table]
        assert [list(each) for each in zip(*told, strict=True)] == counts_of(
            session, every=any(row["words"].endswith(" games") for row in shown)
        )


def test_no_sentence_is_long_or_names_what_plays(session, capsys):
    for row in script_of(capsys, session, "--captions", "srt"):
        assert "embedded" not in row["words"]
        assert not row["new"] or len(row["words"].split()) <= 10, row
        assert row["where"] in ("opening card", "end card", "ribbon", "panel", "caption", "mark")
        assert 0 <= row["at"] < row["until"]


def test_a_film_a_page_and_the_results_give_one_reason(session):
    tape = read(session)
    page = Shown(tape, Selection()).export(chances=False)["ending"]
    card = RenderJob(tape, FilmPlan(session, Shape(FORMATS[".mp4"], (640, 360), 10))).cards.closing
    assert page["decided"] == (f"{card.why}." if card.why else "")
    if card.of == "health" and not card.why.startswith("Turning point"):
        assert report(replay(tape)).why == page["decided"]


def test_words_in_pictures_are_in_the_script(session, monkeypatch):
    """A few pictures from all over a small film: what is drawn in them is said in the script at that second."""
    said = note_texts(monkeypatch)
    job = RenderJob(read(session), FilmPlan(session, Shape(FORMATS[".mp4"], (640, 360), 10)))
    renderer, rows = job.frame_renderer(), job.script()
    for number in range(6):
        t = number / 6 * job.edit_list.seconds
        said.clear()
        renderer.draw(t)
        told = " ".join(row.words for row in rows if row.at - 0.1 <= t < row.until + 1.0).casefold()
        for words in said.words:
            if len(words) > 12 and not re.search(r"ROUND|GAME|BATLLM|\u2026", words):
                assert words.casefold().strip("\u201c\u201d") in told, (t, words)


def test_a_script_is_written_to_a_file_and_nothing_else_is(tmp_path, capsys):
    session = written(eventful(), tmp_path / "match.json")
    out = tmp_path / "said.jsonl"
    assert main(["video", str(session), "--script", str(out), "--highlights"]) == 0
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["match.json", "said.jsonl"]
    assert json.loads(out.read_text().splitlines()[0])["at"] == 0
    assert main(["video", str(session), "--script", str(out)]) == 2
    assert main(["video", str(session)]) == 2
    assert "-o" in capsys.readouterr().err
