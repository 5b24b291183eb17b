"""Films for editors: panels and words alone, with an alpha layer or on green; and films with other music."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest
from films import film, heard, near, pictures, session, tone

from batllm_arcade.audio.mixer import Loop, LoudnessScan, mix
from batllm_arcade.view import theme
from batllm_arcade.view.sound_cues import LOUDNESS_LUFS, RATE

SIZED = ["--size", "640x360", "--fps", "10", "--to", "1"]


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return session(tmp_path_factory.mktemp("match"))


def layers(path: Path, number: int) -> np.ndarray:
    """A picture of a film with its alpha layer, shape (height, width, 4)."""
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        decoder = av.CodecContext.create("libvpx-vp9", "r") if path.suffix == ".webm" else stream.codec_context
        found = [frame for packet in container.demux(stream) for frame in decoder.decode(packet)]
    return found[number].to_ndarray(format="rgba")


@pytest.mark.parametrize("suffix", [".webm", ".mov"])
def test_an_overlay_has_panels_and_nothing_where_the_arena_is(match, tmp_path, suffix):
    out = tmp_path / f"a{suffix}"
    assert film(match, out, *SIZED, "--overlay") == 0
    alpha = layers(out, 20)[..., 3]
    assert alpha[180, 320] == 0  # the arena's middle
    assert alpha[200, 60] == alpha[200, 580] == 255  # both panels
    assert 0.3 < (alpha == 0).mean() < 0.7


def test_an_overlay_as_mp4_is_on_green_and_has_no_cards(match, tmp_path):
    assert film(match, tmp_path / "a.mp4", *SIZED, "--overlay") == 0
    assert film(match, tmp_path / "b.mp4", *SIZED, "--no-cards") == 0
    shown = pictures(tmp_path / "a.mp4")
    assert len(shown) == len(pictures(tmp_path / "b.mp4"))
    assert near(shown[0], (320, 340), theme.KEY, 30)
    assert not near(shown[0], (60, 200), theme.KEY, 60)


def test_other_music_is_repeated_up_to_the_end_and_fades_out(tmp_path):
    sound = np.concatenate([*mix([], 6.0, music=tone(tmp_path / "m.wav", 1.5))]) / 32768
    loud = [float(np.sqrt(np.mean(sound[second * RATE : (second + 1) * RATE, 0] ** 2))) for second in range(6)]
    assert min(loud[1:4]) == pytest.approx(max(loud[1:4]), rel=0.05)
    assert loud[5] < 0.5 * loud[3]
    assert np.abs(sound[:, 1]).max() < 0.01


def test_a_film_with_other_music_is_as_loud_as_others(match, tmp_path):
    out = tmp_path / "a.mp4"
    assert film(match, out, "--music", str(tone(tmp_path / "m.wav", 1.5)), "--fps", "10", "--size", "320x180") == 0
    scan = LoudnessScan.of([np.rint(heard(out).T * 32767).astype(np.int16)])
    assert scan.integrated() == pytest.approx(LOUDNESS_LUFS, abs=0.5)


def test_quiet_and_loud_music_come_out_alike(tmp_path):
    levels = [
        float(np.sqrt(np.mean(Loop(tone(tmp_path / f"{level}.wav", 1.0, level)).music(RATE, 2 * RATE) ** 2)))
        for level in (0.1, 0.9)
    ]
    assert levels[0] == pytest.approx(levels[1], rel=0.05)
