"""Films that may have only so many bytes: they fit, what they gave up is said, and nothing is lost if they cannot."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import av
import pytest
from fakes import eventful, written
from films import film

from batllm_arcade.errors import ArcadeError
from batllm_arcade.video.encode.formats import FORMATS, Concession, TooLarge, ladder, parse_bytes, shape
from batllm_arcade.video.film_plan import FilmPlan
from batllm_arcade.video.films import within

SUFFIXES = [suffix for suffix in FORMATS if suffix != ".mov"]


@pytest.fixture(scope="module")
def match(tmp_path_factory) -> Path:
    return written(eventful(), tmp_path_factory.mktemp("match") / "match.json")


def asked(suffix: str, size: tuple[int, int] | None = None):
    return shape(Path(f"a{suffix}"), size, None)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_ever_more_is_given_up_the_pace_last_and_no_more_than_a_fifth_of_a_side_s_length_at_once(suffix):
    rungs = list(ladder(asked(suffix)))
    assert rungs[0] == Concession(asked(suffix))
    assert rungs[0].words(asked(suffix)) == ""
    shares = [rung.bytes_of(asked(suffix)) for rung in rungs]
    assert shares[0] == 1
    assert all(before > after for before, after in pairwise(shares))
    slow = [rung.pace == 1 for rung in rungs]
    assert slow == sorted(slow, reverse=True)
    assert all(rung.shape == rungs[-1].shape for rung in rungs if rung.pace > 1)
    assert all(side % 2 == 0 and side >= 128 for rung in rungs for side in rung.shape.size)
    assert rungs[-1].words(asked(suffix)).endswith("2 times the pace")
    sizes = sorted({rung.shape.size[1] for rung in rungs}, reverse=True)
    assert all(after >= 0.79 * before for before, after in pairwise(sizes))


def test_a_gif_loses_frames_before_its_words_get_too_small_to_read_and_a_small_film_no_size():
    rungs = list(ladder(asked(".gif")))
    small = next(number for number, rung in enumerate(rungs) if rung.shape.size[0] < 640)
    assert {rung.shape.fps for rung in rungs[:small]} == {25, 20, 10}
    assert {rung.shape.fps for rung in rungs[small:]} == {10}
    assert {rung.shape.size for rung in ladder(asked(".gif", (160, 128)))} == {(160, 128)}


def tried(suffix: str, size: float, most: float, seen: float = 1.0, worse: float = 1.0) -> list[Concession]:
    """What is tried of a film that has so many bytes as it is asked for, until it fits into others or nothing is left.

    Of the first one only so much was seen; all others are by a factor larger than is reckoned.
    """
    shapes = []

    def make(plan: FilmPlan):
        rung = Concession(plan.shape, plan.pace)
        shapes.append(rung)
        made = size * rung.bytes_of(asked(suffix)) * (worse if len(shapes) > 1 else 1.0)
        if made > most:
            raise TooLarge(made, seen if len(shapes) == 1 else 1.0)
        return SimpleNamespace()

    try:
        within(FilmPlan(Path(f"a{suffix}"), asked(suffix), most=most), make, lambda sentence: None)
    except ArcadeError:
        shapes.append(None)
    return shapes


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("factor", [1.1, 2, 5, 20])
def test_the_next_thing_to_give_up_is_the_least_that_may_do(suffix, factor):
    _, chosen = tried(suffix, 1e6 * factor, 1e6)
    rungs = list(ladder(asked(suffix)))
    before = rungs[rungs.index(chosen) - 1]
    assert chosen.bytes_of(asked(suffix)) * factor <= 1 < before.bytes_of(asked(suffix)) * factor
    assert tried(suffix, 1e9, 1e4) == [rungs[0], None]


def test_what_is_larger_than_reckoned_gives_up_the_least_more_that_may_do():
    rungs = list(ladder(asked(".gif")))
    first, second, third = tried(".gif", 2e6, 1e6, worse=1.5)
    assert [rungs.index(each) for each in (first, second)] == [0, rungs.index(tried(".gif", 2e6, 1e6)[1])]
    before = rungs[rungs.index(third) - 1]
    assert third.bytes_of(asked(".gif")) * 3 <= 1 < before.bytes_of(asked(".gif")) * 3


def test_the_less_of_a_film_was_seen_the_less_is_given_up_at_first():
    rungs = list(ladder(asked(".gif")))
    at = [rungs.index(tried(".gif", 2.3e7, 1e7, seen)[1]) for seen in (0.1, 0.5, 0.9, 1.0)]
    assert at == sorted(at)
    assert at[0] < at[-1]


@pytest.mark.parametrize(
    ("text", "size"),
    [("10MB", 10e6), ("1.5 mb", 1.5e6), ("800kB", 8e5), ("2gb", 2e9), ("none", math.inf), ("0.05MB", 5e4)],
)
def test_sizes_are_read(text, size):
    assert parse_bytes(text) == size


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_film_fits_and_says_what_it_gave_up(suffix, match, tmp_path, capsys):
    free, out = tmp_path / f"free{suffix}", tmp_path / f"a{suffix}"
    options = ["--to", "2", "--size", "240x136", "--fps", "20"]
    assert film(match, free, *options) == 0
    assert "to fit into" not in capsys.readouterr().err
    most = round(free.stat().st_size * 0.6 / 1e3)
    assert film(match, out, *options, "--max-size", f"{most}kB") == 0
    assert f"to fit into {most} kB the film has " in capsys.readouterr().err
    assert out.stat().st_size <= 1000 * most
    assert {path.name for path in tmp_path.iterdir() if path.suffix != ".txt"} == {free.name, out.name}
    if suffix in (".mp4", ".webm"):
        with av.open(str(out)) as container:
            assert container.streams.audio


def test_what_cannot_fit_is_refused_and_what_was_there_stays(match, tmp_path, capsys):
    out = tmp_path / "a.gif"
    out.write_text("precious")
    assert film(match, out, "--fps", "20", "--size", "320x180", "--max-size", "10kB", "--force") == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "does not fit into 10 kB" in line
    assert [path.name for path in tmp_path.iterdir()] == [out.name]
    assert out.read_text() == "precious"
