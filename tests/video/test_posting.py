"""What is posted with a film: its title, its chapters, the words beside it, and a poster."""

from __future__ import annotations

import itertools
import json
import shutil
import subprocess
from pathlib import Path

import av
import pygame
import pytest
from fakes import eventful, written
from films import film
from paths import DATA

from batllm_arcade.history.reader import read
from batllm_arcade.history.replay import replay
from batllm_arcade.video import film_job, films
from batllm_arcade.video.edit.captions import SHORTEST_S, FilmChapter, chapters
from batllm_arcade.video.edit.edit_list import Cut, EditList
from batllm_arcade.video.edit.script import film_text
from batllm_arcade.video.encode import film_files
from batllm_arcade.view.timeline import Timeline


@pytest.fixture(scope="module")
def match(tmp_path_factory) -> Path:
    return written(eventful(), tmp_path_factory.mktemp("match") / "match.json")


@pytest.fixture(scope="module")
def made(match, tmp_path_factory) -> Path:
    """A film with all that is posted with it."""
    out = tmp_path_factory.mktemp("film") / "demo.mp4"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("batllm_arcade.video.edit.captions.SHORTEST_S", 1.0)
        assert film(match, out, "--title", "A claim", "--poster", str(out.with_suffix(".png"))) == 0
    return out


def chapters_of(path: Path) -> list[tuple[float, float, str]]:
    with av.open(str(path)) as container:
        return [
            (
                float(each["start"] * each["time_base"]),
                float(each["end"] * each["time_base"]),
                each["metadata"]["title"],
            )
            for each in container.chapters()
        ]


def test_a_film_carries_its_title_who_was_told_what_and_its_chapters(made):
    with av.open(str(made)) as container:
        tags, seconds = container.metadata, float(container.duration / av.time_base)
    found = chapters_of(made)
    assert tags["title"] == "A claim"
    assert "\u201cwin\u201d" in tags["description"]
    assert found[0][0] == 0
    assert found[-1][1] == pytest.approx(seconds, abs=0.15)
    assert all(before[1] == after[0] for before, after in itertools.pairwise(found))
    assert len(found) > 1


def test_a_pyav_that_writes_no_chapters_makes_a_film_and_says_so(match, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("batllm_arcade.video.edit.captions.SHORTEST_S", 1.0)
    for module in (film_files, film_job):
        monkeypatch.setattr(module, "can_have_chapters", lambda *_: False)
    assert film(match, tmp_path / "old.mp4") == 0
    assert "the film has no chapters" in capsys.readouterr().err
    assert not chapters_of(tmp_path / "old.mp4")


@pytest.mark.skipif(not shutil.which("ffprobe"), reason="ffprobe is not installed")
def test_ffprobe_reads_the_same_chapters_and_title(made):
    asked = ["ffprobe", "-v", "error", "-show_chapters", "-show_entries", "format_tags", "-of", "json", str(made)]
    said = json.loads(subprocess.run(asked, capture_output=True, text=True, check=True).stdout)
    assert said["format"]["tags"]["title"] == "A claim"
    theirs = [(float(each["start_time"]), float(each["end_time"]), each["tags"]["title"]) for each in said["chapters"]]
    assert theirs == chapters_of(made)


def test_the_words_beside_a_film_are_its_title_its_description_and_when_each_chapter_begins(made):
    title, described, times = made.with_suffix(".txt").read_text("utf-8").rstrip("\n").split("\n\n")
    assert title == "A claim"
    assert next(line.partition(" ")[0] for line in times.split("\n")) == "0:00"
    assert [line.partition(" ")[2] for line in times.split("\n")] == [name for _, _, name in chapters_of(made)]
    with av.open(str(made)) as container:
        assert container.metadata["description"] == described


def test_the_poster_is_a_picture_of_the_film_s_shape_and_large_enough_for_a_page(made):
    assert pygame.image.load(made.with_suffix(".png")).get_size() == (1280, 720)


@pytest.mark.parametrize(("slower", "highlights", "several"), [(10, False, True), (1, False, False), (10, True, False)])
def test_chapters_are_the_rounds_of_a_film_that_are_long_enough(match, slower, highlights, several):
    timeline = Timeline.of(replay(read(match)))
    edit_list = EditList([Cut(0, timeline.end, 1 / slower)], 2.0, highlights=highlights)
    found = chapters(timeline, edit_list, edit_list.seconds)
    assert (len(found) > 1) == several
    assert all(each.end - each.start >= SHORTEST_S for each in found)
    assert all(one.end == other.start and one.title != other.title for one, other in itertools.pairwise(found))
    if found:
        assert [found[0].start, found[-1].end] == [0, edit_list.seconds]


def test_times_have_hours_only_where_there_are_some():
    parts = [FilmChapter(0, 61.9, "a"), FilmChapter(61.9, 3600, "b"), FilmChapter(3600, 4000, "c")]
    assert film_text("T", "", parts) == "T\n\n0:00 a\n1:01 b\n1:00:00 c\n"


def test_a_kept_game_has_a_picture_where_the_extra_is(tmp_path, monkeypatch):
    (tmp_path / "sessions").mkdir()
    shutil.copyfile(DATA / "couch_match.json", tmp_path / "sessions" / "7-2.json")
    monkeypatch.setattr(films, "find_spec", lambda name: name)
    films.poster_writer(tmp_path)((7, 2), tmp_path / "7-2.png")
    assert pygame.image.load(tmp_path / "7-2.png").get_size() == films.POSTER
    monkeypatch.setattr(films, "find_spec", lambda name: None)
    assert films.poster_writer(tmp_path) is None
