"""The encoder's thread: every frame of a film is its own, and nothing is written to an abandoned film."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pygame
import pytest
from films import film, opened, seen_in, session

from batllm_arcade.video.draw.frames import FrameRenderer
from batllm_arcade.video.encode.encoder_thread import _FEW_WAITING, _MAX_WAITING, EncoderThread
from batllm_arcade.video.encode.film_files import RgbFrames, StreamFile, YuvFrames

SIZE, FPS, PICTURES = (320, 192), 20, 30
GREYS = (0, 85, 170, 255)


def canvas() -> pygame.Surface:
    return pygame.Surface(SIZE, 0, 32, (0xFF0000, 0xFF00, 0xFF, 0))


def patterns() -> np.ndarray:
    """For each picture a grey for each of 5 x 3 patches, none of them the one it had before."""
    steps = np.random.default_rng(2).integers(1, 4, (PICTURES, 3, 5))
    return np.cumsum(steps, axis=0) % len(GREYS) * 85


def put_up(surface: pygame.Surface, pattern: np.ndarray) -> list[pygame.Rect]:
    patches = [(row, column, pygame.Rect(64 * column, 64 * row, 64, 64)) for row in range(3) for column in range(5)]
    for row, column, patch in patches:
        surface.fill((int(pattern[row, column]),) * 3, patch)
    return [patch for _, _, patch in patches]


@pytest.mark.parametrize("suffix", [".mp4", ".webm", ".webp", ".gif"])
def test_every_picture_is_its_own_however_much_it_differs_from_those_around_it(tmp_path, suffix):
    greys = canvas()
    for number, grey in enumerate(GREYS):
        greys.fill((grey,) * 3, (80 * number, 0, 80, 192))
    file, frames = opened(tmp_path / f"a{suffix}", greys, FPS)
    encoder, surface = EncoderThread(file, frames, FPS, None), canvas()
    for number, pattern in enumerate(patterns()):
        encoder.put(frames.take(surface, put_up(surface, pattern)), number)
    encoder.close()
    file.finish()
    found = seen_in(tmp_path / f"a{suffix}")
    assert len(found) == PICTURES
    for number, (picture, pattern) in enumerate(zip(found, patterns(), strict=True)):
        assert abs(picture[32::64, 32::64].astype(int) - pattern[..., None]).max() <= 12, number


def test_frames_are_drawn_in_runs_when_few_are_left():
    waits, put, before = threading.Event(), list[int](), list[int]()

    class Noted(threading.Event):
        """Notes that the drawing thread waits."""

        def wait(self, timeout: float | None = None) -> bool:
            waits.set()
            return super().wait(timeout)

    class Slow(Noting):
        """A film file that takes no frame until the drawing thread waits."""

        def add_frame(self, frame: Any, number: int) -> None:
            assert waits.wait(60)
            before.append(len(put))
            super().add_frame(frame, number)

    file: Any = Slow()
    encoder = EncoderThread(file, RgbFrames(SIZE), FPS)
    encoder._drained = Noted()
    for number in range(200):
        encoder.put(None, number)
        put.append(number)
    encoder.close()
    assert file.seen == list(range(200))
    (waiting,) = set(before[: _MAX_WAITING - _FEW_WAITING - 1])  # it waits until few are left
    assert waiting in (_MAX_WAITING - 1, _MAX_WAITING)  # one may have been taken before


def test_what_was_taken_stays_when_the_surface_goes_on():
    surface, yuv = canvas(), YuvFrames(SIZE)
    surface.fill((255, 255, 255))
    taken = yuv.take(surface, [surface.get_rect()])
    surface.fill((0, 0, 0))
    later = yuv.take(surface, [pygame.Rect(0, 0, 32, 32)])
    picture = yuv.join(taken).to_ndarray(format="rgb24")
    assert picture.min() == 255
    picture = yuv.join(later).to_ndarray(format="rgb24")
    assert picture[:32, :32].max() == 0
    assert picture[40:, 40:].min() == 255


class Noting:
    """A film file that notes in which order pictures and sound come; a packet is 480 samples."""

    def __init__(self):
        self.seen: list[Any] = []
        self.encoded = 0

    def add_frame(self, _frame: Any, number: int) -> None:
        self.seen.append(number)

    def encode_sound(self, samples: np.ndarray | None) -> list[Any]:
        packets = []
        for part in () if samples is None else np.split(samples[:, 0], range(480, len(samples), 480)):
            packets.append(SimpleNamespace(pts=self.encoded, samples=part))
            self.encoded += len(part)
        if samples is None:
            packets.append(SimpleNamespace(pts=self.encoded, samples=np.zeros(0)))  # what the encoder still had
        return packets

    def write(self, packets: list[Any]) -> None:
        self.seen += packets


def heard(file: Noting) -> np.ndarray:
    return np.concatenate([each.samples for each in file.seen if not isinstance(each, int)])


def chunks(count: int, problem: BaseException | None = None):
    for number in range(count):
        if problem is not None:
            raise problem
        yield np.full((4800, 2), number, np.int16)


def filmed(pictures: int, track: Iterator[Any], count: int) -> Noting:
    """What a film of `count` pictures notes that is ended after so many."""
    file: Any = Noting()
    encoder = EncoderThread(file, RgbFrames(SIZE), FPS, track, count)
    try:
        for number in range(pictures):
            encoder.put(None, number)
        encoder.close()
    except BaseException:
        encoder.stop()
        raise
    return file


@pytest.mark.parametrize("pictures", [1, 10, 45])
@pytest.mark.parametrize("planned", [45, 1000], ids=["the whole film", "ended sooner"])
def test_all_sound_that_belongs_to_the_pictures_comes_in_order(pictures, planned):
    file = filmed(pictures, chunks(1000), max(pictures, planned))
    sound = heard(file)
    assert 0 <= len(sound) - pictures * 48_000 // FPS < 480
    assert (sound == np.arange(len(sound)) // 4800).all()
    flushed = [each for each in file.seen if not isinstance(each, int) and not len(each.samples)]
    assert len(flushed) == (pictures >= planned), "the last packets are those of a whole film"
    first = next(at for at, each in enumerate(file.seen) if not isinstance(each, int))
    assert first == min(pictures, FPS + 1), "a second of pictures comes first, the same in every run"


def test_a_film_whose_sound_ends_sooner_is_silent_from_there():
    assert (heard(filmed(60, chunks(3), 60))[3 * 4800 :] == 0).all()
    assert len(heard(filmed(60, chunks(3), 60))) == 60 * 48_000 // FPS


def test_the_sound_is_at_most_twenty_seconds_ahead_so_that_memory_stays_flat():
    asked: list[int] = []

    def track():
        for number in range(1000):
            asked.append(number)
            yield np.zeros((4800, 2), np.int16)

    filmed(FPS + 5, track(), 2000)
    assert len(asked) <= 15 + 200 + 2


@pytest.mark.parametrize("after", [0, 30])
def test_what_goes_wrong_with_the_sound_is_raised(after):
    def track():
        yield from chunks(after)
        raise OSError("no sound")

    with pytest.raises(OSError, match="no sound"):
        filmed(100, track(), 100)
    assert not {"film", "film sound"} & {thread.name for thread in threading.enumerate()}


def test_nothing_is_written_to_an_abandoned_film(tmp_path, monkeypatch):
    draw, drawn = FrameRenderer.draw, []

    def breaks(renderer: FrameRenderer, t: float) -> list[pygame.Rect]:
        drawn.append(t)
        if len(drawn) > 8:
            raise KeyboardInterrupt
        return draw(renderer, t)

    abandon, writing = StreamFile.abandon, []

    def abandons(file: StreamFile) -> None:
        writing.append({"film", "film sound"} & {thread.name for thread in threading.enumerate()})
        abandon(file)

    monkeypatch.setattr(FrameRenderer, "draw", breaks)
    monkeypatch.setattr(StreamFile, "abandon", abandons)
    assert film(session(tmp_path), tmp_path / "a.mp4", "--size", "640x360", "--fps", "30") != 0
    assert writing == [set()]
