"""The best moments of many sessions in one film: each game once, after its card, at most a minute."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from duels import fought
from fakes import eventful, written
from films import film, pictures, session

from batllm_arcade.cli.main import main
from batllm_arcade.history.reader import read
from batllm_arcade.video import render_job
from batllm_arcade.video.encode.formats import FORMATS, Shape
from batllm_arcade.video.film_plan import FilmPlan
from batllm_arcade.video.render_job import MINUTE_S, MOST_GAMES, HighlightsJob, RenderJob, games_of

SMALL = ["--size", "160x128", "--fps", "4", "--no-sound", "--highlights"]


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return session(tmp_path_factory.mktemp("match"))


def job(sessions, **options):
    plan = FilmPlan(Path("a.mp4"), Shape(FORMATS[".mp4"], (320, 180), 5), highlights=True, **options)
    return HighlightsJob(games_of(sessions, print), plan)


def test_every_game_has_a_card_unless_it_is_that_of_the_game_before_and_the_film_one_end_card(match, tmp_path):
    same = read(written(list(fought("turtle", "sharpshooter", 2, 5, "couch")), tmp_path / "same.json"))
    for tape, cards in ((read(match), 4), (same, 1)):
        made = job([tape, tape])
        rows = made.script()
        assert len({row.at for row in rows if row.where == "opening card"}) == cards
        assert {row.until for row in rows if row.where == "end card"} == {made.edit_list.seconds}
        assert made.edit_list.seconds <= MINUTE_S
        assert made.frames == round(made.edit_list.seconds * 5)
        assert not made.chapters(made.frames)
    first = RenderJob(same, made.plan)
    later = RenderJob(same, made.plan, first.cards.opening).edit_list
    assert (later.card, later.cuts[0].entry, first.edit_list.cuts[0].entry) == (0.0, "flash", "")


def test_of_too_many_games_those_are_shown_in_which_there_is_most_to_see(match, capsys):
    tape = read(match)
    found = games_of([tape] * MOST_GAMES, print)
    assert len(found) == MOST_GAMES
    assert str(2 * MOST_GAMES) in capsys.readouterr().out
    least = min(seen for _, seen in games_of([tape], print))
    assert [seen for _, seen in found].count(least) == 0 or least == max(seen for _, seen in found)


def test_a_frame_is_a_function_of_its_time_and_a_new_game_changes_all_of_it(match):
    made = job([read(match)])
    playing, seeking = made.frame_renderer(), made.frame_renderer()
    for number in range(made.frames):
        playing.draw(number / 5)
    seeking.draw((made.frames - 1) / 5)
    assert seeking.surface.get_buffer().raw == playing.surface.get_buffer().raw
    second = [row.at for row in made.script() if row.where == "opening card"][-1]
    playing.draw(second - 0.1)
    assert playing.draw(second) == [playing.surface.get_rect()]


def test_captions_and_sounds_are_where_their_game_is(match):
    made = job([read(match), read(match)])
    lines = made.lines(made.frames)
    assert all(one.start <= other.start for one, other in pairwise(lines))
    assert all(line.end <= made.edit_list.seconds + 0.2 for line in lines)
    cues = [cue.at for cue in made.cues()]
    assert max(cues) > max(row.at for row in made.script() if row.where == "opening card")
    assert max(cues) <= made.edit_list.seconds


def test_a_folder_stands_for_its_sessions_and_what_is_none_is_left_out(match, tmp_path, capsys):
    (tmp_path / "sessions").mkdir()
    kept = tmp_path / "sessions" / "1-1.json"
    kept.write_bytes(match.read_bytes())
    (tmp_path / "sessions" / "other.json").write_text("{}")
    assert main(["video", str(tmp_path), "-o", str(tmp_path / "a.mp4"), *SMALL]) == 0
    assert "1 of 2 files" in capsys.readouterr().err
    words = (tmp_path / "a.txt").read_text("utf-8")
    assert "0:0" not in words
    assert main(["reel", str(kept), "-o", str(tmp_path / "b.mp4"), *SMALL[:-1]]) == 0
    assert "video FILE... --highlights" in capsys.readouterr().err
    assert len(pictures(tmp_path / "a.mp4")) == len(pictures(tmp_path / "b.mp4"))


def test_a_long_series_is_shown_as_many_sessions_are(match, tmp_path, monkeypatch):
    made = []
    monkeypatch.setattr("batllm_arcade.video.films.MOST_OF_SERIES", 1)
    monkeypatch.setattr(render_job, "HighlightsJob", lambda *given: made.append(given) or HighlightsJob(*given))
    assert film(match, tmp_path / "a.mp4", "--highlights") == 0
    assert film(match, tmp_path / "b.mp4", "--highlights", "--game", "2") == 0
    assert len(made) == 1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["match.json", "match.json"], "--highlights"),
        ([".", "--highlights", "--game", "2"], "--game"),
        (["match.json", "other.json", "--highlights"], "other.json"),
        (["empty", "--highlights"], "no session"),
        (["unplayed/match.json", "unplayed/match.json", "--highlights"], "nothing was played"),
    ],
)
def test_what_cannot_be_made_is_said_in_one_sentence(given, said, tmp_path, monkeypatch, capsys):
    session(tmp_path)
    (tmp_path / "match2.json").write_bytes((tmp_path / "match.json").read_bytes())
    (tmp_path / "unplayed").mkdir()
    session(tmp_path / "unplayed", eventful()[:3])
    (tmp_path / "other.json").write_text("{}")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    assert main(["video", *given, "-o", "a.mp4"]) == 2
    assert said in capsys.readouterr().err.splitlines()[-1]
    assert not Path("a.mp4").exists()


def test_the_poster_is_of_the_best_game_and_of_the_film_s_shape(match):
    made = job([read(match)])
    plan = replace(made.plan, shape=replace(made.plan.shape, size=(720, 1280), vertical=True))
    assert HighlightsJob(games_of([read(match)], print), plan).poster().get_size() == (720, 1280)
