"""Filming the window while it is played in: in time, in bounded memory, and never in the game's way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import av
import numpy as np
import pygame
import pytest
from films import heard, near, pictures

from batllm_arcade.audio.mixer import LoudnessScan
from batllm_arcade.video.encode.formats import partial_of
from batllm_arcade.video.encode.live_encoder import LiveEncoder, Packet, film_size
from batllm_arcade.video.recorder import MAX_WAITING, Recorder, RingBuffer
from batllm_arcade.view.sound_cues import Cue

SIZE = (320, 180)
RED, BLUE = (200, 30, 40), (20, 60, 220)


class Window:
    """A window that shows one colour, and a clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.recorder = Recorder(lambda: self.now)
        self.recorder.volumes = (0.8, 0.0)

    def show(self, seconds: float, color=RED, *, size=SIZE, fps=30) -> None:
        """Record so many seconds of one colour, every frame of them."""
        surface = pygame.Surface(size, 0, 32)
        surface.fill(color)
        for _ in range(round(seconds * fps)):
            self.now += 1 / fps
            while self.drops(surface):
                time.sleep(0.0005)

    def drops(self, surface: pygame.Surface) -> bool:
        """Add a frame; return whether it was dropped because the encoder is behind."""
        before = self.recorder.dropped
        self.recorder.add_frame(surface)
        return self.recorder.dropped > before

    def until_failed(self) -> None:
        """Wait until the recording has failed."""
        while self.recorder.active:
            time.sleep(0.0005)


@pytest.fixture
def window():
    made = Window()
    yield made
    made.recorder.close()


@pytest.fixture
def recorder(window):
    return window.recorder


def times(path: Path) -> list[float]:
    with av.open(str(path)) as film:
        return [float(frame.pts * frame.time_base) for frame in film.decode(video=0)]


def test_a_film_holds_every_picture_at_its_time_with_sound_and_true_colours(recorder, window, tmp_path):
    recorder.start(tmp_path / "film.mp4")
    window.show(1.0, RED)
    window.now += 2.0  # a hung window
    window.show(1.0, BLUE)
    recorder.stop()
    recorder.close()
    assert recorder.messages() == ["film saved: film.mp4"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["film.mp4"]
    shown = pictures(tmp_path / "film.mp4")
    at = times(tmp_path / "film.mp4")
    assert len(shown) == len(at) == 60
    assert at[0] == 0.0
    assert at[30] - at[29] == pytest.approx(2.0 + 1 / 30, abs=0.002)
    assert at[-1] == pytest.approx(4.0 - 1 / 30, abs=0.002)
    assert near(shown[10], (160, 90), RED)
    assert near(shown[50], (160, 90), BLUE)
    with av.open(str(tmp_path / "film.mp4")) as film:
        context = film.streams.video[0].codec_context
        tags = (context.color_range, context.colorspace, context.color_primaries, context.color_trc)
        assert [int(tag) for tag in tags] == [1, 1, 1, 1]
        assert float(film.duration / 1e6) == pytest.approx(4.0, abs=0.1)
    data = (tmp_path / "film.mp4").read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")


@pytest.mark.parametrize("force", [False, True])
def test_a_film_replaces_only_by_force_what_has_appeared_meanwhile(recorder, window, tmp_path, force):
    out = tmp_path / "film.mp4"
    recorder.start(out, force=force)
    window.show(0.2)
    out.write_text("precious")
    recorder.close()
    if force:
        assert recorder.messages() == ["film saved: film.mp4"]
        assert len(pictures(out)) == 6
    else:
        assert recorder.messages() == ["film.mp4 has appeared meanwhile; film saved: film.partial.mp4"]
        assert out.read_text() == "precious"
        assert len(pictures(tmp_path / "film.partial.mp4")) == 6


def test_a_sound_is_heard_in_the_film_when_it_was_played(recorder, window, tmp_path):
    recorder.start(tmp_path / "film.mp4")
    window.show(0.5)
    recorder.add_sound(Cue(window.now, "hit"))
    window.show(1.0, BLUE)
    recorder.close()
    sound = np.abs(heard(tmp_path / "film.mp4")[0])
    flash = next(
        at
        for at, picture in zip(times(tmp_path / "film.mp4"), pictures(tmp_path / "film.mp4"), strict=True)
        if near(picture, (160, 90), BLUE)
    )
    onset = np.argmax(sound > 0.1 * sound.max()) / 48000
    with av.open(str(tmp_path / "film.mp4")) as film:
        onset += float(next(film.decode(audio=0)).pts * film.streams.audio[0].time_base)
    assert sound.max() > 0.1
    assert abs(onset - flash) < 0.05


def test_a_clip_is_the_last_seconds_also_while_nothing_else_is_filmed(recorder, window, tmp_path):
    recorder.keep_clips(True)
    window.show(12, RED, fps=10)
    window.show(9, BLUE, fps=10)
    recorder.clip(tmp_path / "clip.mp4")
    recorder.close()
    at, shown = times(tmp_path / "clip.mp4"), pictures(tmp_path / "clip.mp4")
    assert at[0] == 0.0
    assert 15.0 <= at[-1] <= 16.2
    assert near(shown[0], (160, 90), RED)
    assert near(shown[-1], (160, 90), BLUE)
    assert recorder.messages() == ["clip saved: clip.mp4"]
    assert [path.name for path in tmp_path.iterdir()] == ["clip.mp4"]


def test_after_a_pause_a_clip_holds_nothing_of_before_and_the_encoder_goes_on(recorder, window, tmp_path, monkeypatch):
    made, make, sounds, encode = [], LiveEncoder.__init__, [], LiveEncoder.add_sound
    monkeypatch.setattr(LiveEncoder, "__init__", lambda self, size: made.append(size) or make(self, size))
    monkeypatch.setattr(LiveEncoder, "add_sound", lambda self, part: sounds.append(len(part)) or encode(self, part))
    recorder.keep_clips(True)
    for color in (RED, BLUE):
        window.now += 60.0  # a screen that does not move is not filmed
        window.show(2, color, fps=10)
    recorder.add_sound(Cue(window.now, "hit"))
    window.show(1, BLUE, fps=10)
    recorder.clip(tmp_path / "clip.mp4")
    recorder.close()
    at, shown = times(tmp_path / "clip.mp4"), pictures(tmp_path / "clip.mp4")
    assert made == [SIZE], "another encoder takes other memory"
    assert sum(sounds) < 6 * 48000, "a minute without pictures is a minute of silence to encode"
    assert (at[0], at[-1]) == (0.0, pytest.approx(2.9, abs=0.05))
    assert all(near(picture, (160, 90), BLUE) for picture in shown)
    loud = np.flatnonzero(np.abs(heard(tmp_path / "clip.mp4")).max(axis=0) > 0.2) / 48000
    assert loud[0] == pytest.approx(1.9, abs=0.15)


def test_a_clip_is_as_loud_as_films_and_in_time(recorder, window, tmp_path):
    recorder.keep_clips(True)
    window.show(9, RED, fps=10)
    for _ in range(10):
        recorder.add_sound(Cue(window.now, "hit"))
        window.show(1, BLUE, fps=10)
    recorder.clip(tmp_path / "clip.mp4")
    recorder.close()
    sound = heard(tmp_path / "clip.mp4").T
    scan = LoudnessScan.of([np.rint(np.clip(sound, -1, 1) * 32767).astype(np.int16)])
    assert scan.integrated() == pytest.approx(-14, abs=0.5)
    assert scan.peak.max() < 10 ** (-1 / 20)
    seconds = times(tmp_path / "clip.mp4")[-1]
    assert len(sound) / 48000 == pytest.approx(seconds, abs=0.3)
    loud = np.flatnonzero(np.abs(sound).max(axis=1) > 0.2) / 48000
    assert loud[0] == pytest.approx(seconds - 9.9, abs=0.15)  # ten seconds before the end, with the first of ten


def test_what_was_set_aside_is_saved_whatever_has_been_shown_since(recorder, window, tmp_path):
    recorder.keep_clips(True)
    window.show(3, RED, fps=10)
    recorder.hold()
    window.show(17, BLUE, fps=10)
    window.show(1, BLUE, size=(400, 300))  # a window of another size has another encoder
    recorder.clip(tmp_path / "match.mp4", held=True)
    recorder.clip(tmp_path / "live.mp4")
    recorder.close()
    shown = pictures(tmp_path / "match.mp4")
    assert times(tmp_path / "match.mp4")[-1] == pytest.approx(2.9, abs=0.1)
    assert all(near(picture, (160, 90), RED) for picture in shown)
    assert heard(tmp_path / "match.mp4").shape[1] > 0
    live = pictures(tmp_path / "live.mp4")
    assert live[0].shape == (300, 400, 3)
    assert near(live[-1], (160, 90), BLUE)


def test_a_film_begun_while_clips_are_kept_begins_when_it_was_begun(recorder, window, tmp_path):
    recorder.keep_clips(True)
    window.show(2.3, RED)
    recorder.start(tmp_path / "film.mp4")
    window.show(1.0, BLUE)
    recorder.stop()
    window.show(0.5, RED)
    recorder.clip(tmp_path / "clip.mp4")
    recorder.close()
    shown, at = pictures(tmp_path / "film.mp4"), times(tmp_path / "film.mp4")
    assert at[0] == 0.0
    assert 0.9 < at[-1] < 1.0
    assert near(shown[0], (160, 90), BLUE)
    assert times(tmp_path / "clip.mp4")[-1] == pytest.approx(3.75, abs=0.1)


def test_what_is_kept_for_clips_is_bounded_in_time_and_in_bytes():
    ring = RingBuffer(seconds=15, max_bytes=50_000)
    for number in range(100_000):
        key = number % 60 == 0
        ring.add(Packet(True, number / 60, key, bytes(10 if number < 50_000 else 500), number, number, 1))
        assert ring.bytes <= 50_000 + 60 * 500
        if number == 40_000:
            kept = list(ring)
            assert kept[0].key
            assert 15 <= kept[-1].at - kept[0].at <= 16
    assert next(iter(ring)).key


def test_a_frame_too_many_is_dropped_and_the_others_keep_their_time(recorder, window, tmp_path, monkeypatch):
    encode, goes_on = LiveEncoder.add_frame, threading.Event()

    def hangs(*arguments, **options):
        assert goes_on.wait(60)
        return encode(*arguments, **options)

    monkeypatch.setattr(LiveEncoder, "add_frame", hangs)
    recorder.start(tmp_path / "film.mp4")
    surface, kept = pygame.Surface(SIZE, 0, 32), 0
    for _ in range(30):  # the encoder hangs for a second
        window.now += 1 / 30
        kept += not window.drops(surface)
    assert kept == MAX_WAITING
    goes_on.set()
    window.show(0.5)
    recorder.close()
    at = times(tmp_path / "film.mp4")
    assert len(at) == kept + 15
    assert at[-1] == pytest.approx(1.5 - 1 / 30, abs=0.01)


def test_a_window_of_another_size_is_fitted_into_the_film(recorder, window, tmp_path):
    recorder.start(tmp_path / "film.mp4")
    window.show(0.5, RED)
    window.show(0.5, BLUE, size=(300, 300))
    window.show(0.2, RED, size=(1001, 401))
    recorder.close()
    shown = pictures(tmp_path / "film.mp4")
    assert {picture.shape for picture in shown} == {(180, 320, 3)}
    assert near(shown[20], (160, 90), BLUE)
    assert near(shown[20], (20, 90), (0, 0, 0))
    assert near(shown[-1], (160, 90), RED)
    assert near(shown[-1], (160, 5), (0, 0, 0))


@pytest.mark.parametrize(
    ("window", "film"),
    [((1280, 720), (1280, 720)), ((1281, 721), (1280, 720)), ((3840, 2160), (1920, 1080)), ((900, 2000), (486, 1080))],
)
def test_films_are_even_and_at_most_full_hd(window, film):
    assert film_size(window) == film


def test_a_film_that_cannot_be_written_is_said_in_a_sentence_and_the_next_one_works(recorder, window, tmp_path):
    recorder.start(tmp_path / "nowhere" / "film.mp4")
    window.show(0.2)
    window.until_failed()
    assert recorder.messages() == ["filming has stopped: No such file or directory"]
    assert recorder.since is None
    assert not recorder.active
    recorder.start(tmp_path / "film.mp4")
    window.show(0.2)
    recorder.close()
    assert len(pictures(tmp_path / "film.mp4")) == 6


def test_without_the_extra_one_sentence_says_what_to_install(recorder, window, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "batllm_arcade.video.encode.live_encoder", None)
    recorder.start(tmp_path / "film.mp4")
    window.show(0.1)
    window.until_failed()
    assert recorder.messages() == ["films need PyAV and numpy: pip install 'batllm-arcade[video]'"]


@pytest.mark.parametrize("held", [False, True])
def test_a_clip_of_nothing_is_refused_in_a_sentence(recorder, tmp_path, held):
    recorder.keep_clips(True)
    recorder.hold()
    recorder.clip(tmp_path / "clip.mp4", held=held)
    recorder.close()
    assert recorder.messages() == ["there is nothing to make a clip of yet"]


KILLED = """
import os, signal, sys, time
from pathlib import Path
import pygame
from batllm_arcade.video.encode.formats import partial_of
from batllm_arcade.video.recorder import Recorder

now, out = 0.0, Path(sys.argv[1])
recorder, surface = Recorder(lambda: now), pygame.Surface((320, 180), 0, 32)
surface.fill((200, 30, 40))
recorder.start(out)
while now < 20.0 and not (partial_of(out).exists() and partial_of(out).read_bytes().count(b"moof") > 3):
    now += 1 / 30
    dropped = -1
    while dropped != recorder.dropped:  # until the encoder takes it
        dropped = recorder.dropped
        recorder.add_frame(surface)
        if dropped != recorder.dropped:
            dropped = -1
            time.sleep(0.0005)
os.kill(os.getpid(), signal.SIGKILL)
"""
"""Records the seconds of its own clock and dies as soon as three fragments are complete on the disk."""


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
def test_a_killed_program_leaves_a_film_that_plays_up_to_its_last_second_or_two(tmp_path):
    out = tmp_path / "film.mp4"
    command = [sys.executable, "-c", KILLED, str(out)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == -signal.SIGKILL
    assert not out.exists()
    at = times(partial_of(out))
    assert at[0] == 0.0
    assert at[-1] > 2.0
    assert near(pictures(partial_of(out), 30)[-1], (160, 90), RED)
    assert heard(partial_of(out)).shape[1] > 2 * 48000
