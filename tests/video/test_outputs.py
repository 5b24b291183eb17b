"""Every format and every option, read back: colours, sound, captions; and hostile sessions."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pygame
import pytest
from fakes import eventful, played
from films import SMALL, film, frame_hash, heard, near, opened, pictures, seen_in, session, webp_chunks

from batllm_arcade.brains.protocol import Decision
from batllm_arcade.core.model import Rules
from batllm_arcade.history.reader import read
from batllm_arcade.history.replay import replay
from batllm_arcade.match.records import Play
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.video.encode.film_files import YuvFrames, regions
from batllm_arcade.video.encode.formats import FORMATS, Shape
from batllm_arcade.video.film_plan import FilmPlan
from batllm_arcade.video.render_job import RenderJob
from batllm_arcade.view import theme
from batllm_arcade.view.sound_cues import RATE
from batllm_arcade.view.timeline import Timeline

COLORS = {"red": (255, 0, 0), "green": (0, 200, 80), "sky": (64, 196, 255), "orange": (255, 156, 64)}


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return session(tmp_path_factory.mktemp("match"))


# Formats


def painted(size: tuple[int, int] = (320, 180)) -> pygame.Surface:
    """Four upright bars of the colours."""
    surface = pygame.Surface(size, 0, 32, (0xFF0000, 0xFF00, 0xFF, 0))
    for index, color in enumerate(COLORS.values()):
        surface.fill(color, (80 * index, 0, 80, 180))
    return surface


@pytest.mark.parametrize("suffix", [".mp4", ".webm", ".gif", ".webp"])
def test_colours_stay_what_they_are(tmp_path, suffix):
    out, whole = tmp_path / f"a{suffix}", [pygame.Rect(0, 0, 320, 180)]
    file, frames = opened(out, painted(), 25)
    for number in range(4):
        picture = painted() if number % 2 == 0 else pygame.Surface((320, 180), 0, 32, (0xFF0000, 0xFF00, 0xFF, 0))
        file.add_frame(frames.join(frames.take(picture, whole)), number)
    file.finish()
    seen = seen_in(out)
    assert len(seen) == 4
    for picture in seen[::2]:
        for index, (name, color) in enumerate(COLORS.items()):
            assert near(picture, (80 * index + 40, 90), color, 16), (name, picture[90, 80 * index + 40])
    if suffix == ".gif":
        with av.open(str(out)) as container:
            assert all(frame.to_ndarray(format="rgba")[..., 3].min() == 255 for frame in container.decode(video=0))
    if suffix == ".webp":
        chunks = webp_chunks(out.read_bytes())
        assert dict(chunks)[b"VP8X"][0] & 0x12 == 0x02, "animated, and nothing shows through"
        assert [int.from_bytes(body[12:15], "little") for name, body in chunks if name == b"ANMF"] == [40] * 4


@pytest.mark.parametrize(
    ("suffix", "options"), [(".webm", SMALL), (".gif", ["--fps", "20"]), (".webp", ["--fps", "5"])]
)
def test_the_suffix_chooses_the_format(match, tmp_path, suffix, options):
    out = tmp_path / f"a{suffix.upper()}"
    sized = options if "--size" in options else [*options, "--size", "160x128"]
    assert film(match, out, *sized, "--to", "2") == 0
    beside = [out.with_suffix(".txt").name] if suffix == ".webm" else []
    assert sorted(path.name for path in tmp_path.iterdir()) == [out.name, *beside]
    if suffix == ".webp":
        assert len([name for name, _ in webp_chunks(out.read_bytes()) if name == b"ANMF"]) > 5
        return
    with av.open(str(out)) as container:
        found = [stream.codec_context.name for stream in container.streams]
    assert found == {".webm": ["libvpx-vp9", "libopus"], ".gif": ["gif"]}[suffix] or found == ["vp9", "opus"]
    assert len(pictures(out)) > 5


# Converting less


def test_a_picture_converted_in_parts_is_the_picture_converted_whole():
    generator = np.random.default_rng(7)
    size = (320, 196)
    surface = pygame.Surface(size, 0, 32, (0xFF0000, 0xFF00, 0xFF, 0))
    parts = YuvFrames(size)
    parts.join(parts.take(surface, [surface.get_rect()]))
    for _ in range(12):
        rects = [pygame.Rect(*generator.integers(-20, 300, 2), *generator.integers(1, 90, 2)) for _ in range(3)]
        for rect in rects:
            surface.fill(tuple(generator.integers(0, 255, 3)), rect)
        mine = parts.join(parts.take(surface, rects))
        others = YuvFrames(size)
        theirs = others.join(others.take(surface, [surface.get_rect()]))
        for one, other in zip(mine.planes, theirs.planes, strict=True):
            difference = np.frombuffer(one, np.uint8).astype(int) - np.frombuffer(other, np.uint8)
            assert abs(difference).max() <= 1  # the rounding of colour at a region's edge


def test_regions_cover_what_changed():
    generator = np.random.default_rng(3)
    for _ in range(50):
        rects = [pygame.Rect(*generator.integers(-50, 400, 2), *generator.integers(0, 99, 2)) for _ in range(5)]
        found, whole = regions(rects, (350, 260)), pygame.Rect(0, 0, 350, 260)
        assert all(whole.contains(area) for area in found)
        for rect in rects:
            shown = rect.clip(whole)
            assert not shown.width * shown.height or any(area.contains(shown) for area in found)


def test_a_film_s_arena_is_that_of_a_window_at_the_same_moments(match):
    plan = FilmPlan(Path("a.mp4"), Shape(FORMATS[".mp4"], (320, 180), 7))
    made, timeline = RenderJob(read(match), replace(plan, fast=True)), Timeline.of(replay(read(match)))
    renderer, window = made.frame_renderer(), pygame.Surface((320, 180))
    for number in range(0, made.frames, 5):
        renderer.draw(number / 7)
        scene = timeline.at(number / 7)
        shown = Renderer((320, 180), scene.board.rules, film="plain")  # its floor is brighter than the window's
        shown.draw(window, scene)
        arenas = [surface.subsurface(shown.arena) for surface in (renderer.surface, window)]
        assert frame_hash(arenas[0]) == frame_hash(arenas[1]), number / 7


@pytest.mark.parametrize("options", [{"title": "x"}, {"highlights": True}])
def test_a_film_s_picture_does_not_depend_on_those_before(options, tmp_path):
    file = session(tmp_path, [_thinking(record) for record in eventful()])
    plan = FilmPlan(Path("a.mp4"), Shape(FORMATS[".mp4"], (320, 180), 6), **options)
    made = RenderJob(read(file), plan)
    renderer = made.frame_renderer()
    for number in range(made.frames):
        renderer.draw(number / 6)
        if number % 11 == 4:
            fresh = made.frame_renderer()
            fresh.draw(number / 6)
            assert frame_hash(renderer.surface) == frame_hash(fresh.surface), number / 6


def _thinking(record):
    if not isinstance(record, Play):
        return record
    return replace(record, decision=replace(record.decision, thought=f"thought {record.number}"))


def test_two_processes_make_the_same_film(match, tmp_path):
    options = [*SMALL, "--to", "3"]
    assert film(match, tmp_path / "a.mp4", *options) == 0
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    command = [sys.executable, "-m", "batllm_arcade", "video", str(match), "-o", str(tmp_path / "b.mp4"), *options]
    subprocess.run(command, env={**environment, "PYTHONHASHSEED": "1"}, check=True, capture_output=True)
    assert np.array_equal(pictures(tmp_path / "a.mp4"), pictures(tmp_path / "b.mp4"))
    assert np.array_equal(heard(tmp_path / "a.mp4"), heard(tmp_path / "b.mp4"))


# Sound


def loudness(samples: np.ndarray) -> float:
    return float(np.sqrt(np.mean(np.square(samples))))


@pytest.mark.parametrize("suffix", [".mp4", ".webm"])
def test_a_film_is_heard_as_long_as_it_is_seen(match, tmp_path, suffix):
    out = tmp_path / f"a{suffix}"
    assert film(match, out, "--to", "4") == 0
    sound = heard(out)
    assert loudness(sound) > 0.005
    assert sound.shape[0] == 2
    assert sound.shape[1] / RATE == pytest.approx(len(pictures(out)) / 10, abs=0.06)


def test_the_effects_are_heard_when_they_are_seen(match, tmp_path):
    out = tmp_path / "a.mp4"
    assert film(match, out, "--no-music", "--fast") == 0
    sound = np.abs(heard(out)).max(axis=0)
    timeline = Timeline.of(replay(read(match)))
    knocked = next(e.start for s in timeline.segments for e in s.effects if e.kind == "knockout")
    before, after = (int((knocked + by) * RATE) for by in (-0.03, 0.2))
    onset = before + int(np.argmax(sound[before:after] > 3 * sound[before - 2000 : before].max()))
    assert onset / RATE == pytest.approx(knocked, abs=0.05)


def test_a_silent_film_has_no_sound_and_one_without_music_only_its_effects(match, tmp_path):
    for name, options in (("a", ["--no-sound"]), ("b", ["--no-music"]), ("c", [])):
        assert film(match, tmp_path / f"{name}.mp4", "--to", "2", *options) == 0
    with av.open(str(tmp_path / "a.mp4")) as container:
        assert not container.streams.audio
    assert 0 < loudness(heard(tmp_path / "b.mp4")) < loudness(heard(tmp_path / "c.mp4"))


# Options


def test_a_vertical_film_is_taller_than_wide_and_arranged_for_it(match, tmp_path):
    assert film(match, tmp_path / "a.mp4", "--size", "180x320", "--fps", "5", "--vertical", "--to", "2") == 0
    assert pictures(tmp_path / "a.mp4", most=1)[0].shape == (320, 180, 3)


def test_turns_and_title_make_a_film_as_long_as_they_are(match, tmp_path):
    lengths = {}
    for name, options in {
        "two": ["--to", "2"],
        "second": ["--from", "2", "--to", "2"],
        "title": ["--to", "2", "--title", "Hello"],
        "bare": ["--to", "2", "--no-cards"],
        "game": ["--game", "2", "--to", "1.2"],
    }.items():
        assert film(match, tmp_path / f"{name}.mp4", "--fps", "20", "--size", "160x128", *options) == 0
        lengths[name] = len(pictures(tmp_path / f"{name}.mp4")) / 20
    assert lengths["second"] < lengths["two"]
    assert lengths["title"] == lengths["two"]
    told_by_the_card = theme.GAME_BANNER_S + theme.ROUND_BANNER_S
    assert lengths["bare"] == pytest.approx(lengths["two"] - 6.5 + told_by_the_card, abs=0.11)
    assert lengths["game"] != lengths["two"]


def test_highlights_are_at_most_half_a_minute(match, tmp_path):
    assert film(match, tmp_path / "a.mp4", "--highlights", "--title", "Best of") == 0
    assert len(pictures(tmp_path / "a.mp4")) <= 300


def thoughtful(folder: Path, *thoughts: str) -> Path:
    rules = Rules(total_rounds=1, turns_per_round=len(thoughts))
    left = [Decision("M", "M", thought) for thought in thoughts]
    return session(folder, played(left, ["S0"] * len(thoughts), rules=rules))


def test_captions_as_a_file_beside_the_film(tmp_path):
    file = thoughtful(tmp_path, "I turn", "I fire")
    assert film(file, tmp_path / "a.mp4", "--captions", "srt") == 0
    with av.open(str(tmp_path / "a.srt")) as container:
        assert [bytes(packet).decode() for packet in container.demux() if packet.size] == [
            "left: I turn",
            "left: I fire",
        ]


def test_where_nobody_thought_there_are_no_captions_and_that_is_said(tmp_path, capsys):
    assert film(thoughtful(tmp_path, ""), tmp_path / "a.mp4", "--captions", "srt") == 0
    assert "there are no captions" in capsys.readouterr().err


# What a session may hold


def test_a_hostile_model_s_text_does_not_spoil_a_film(tmp_path):
    hostile = "a\x00b\ud800\u202e <b>{\\an8}\n00:00:00,000 --> 9\n" + "x" * 40_000
    records = []
    for record in eventful():
        if isinstance(record, Play):
            decision = replace(record.decision, raw=hostile, thought=hostile, say=hostile)
            record = replace(record, decision=decision, reason=hostile)
        records.append(record)
    file = session(tmp_path, records)
    assert film(file, tmp_path / "a.mp4", "--captions", "srt", "--to", "2", "--title", hostile) == 0
    assert len(pictures(tmp_path / "a.mp4")) > 10
