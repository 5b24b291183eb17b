"""Films: what `video` writes is read back with PyAV; nobody needs a display, and a killed program leaves what plays."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import av
import pytest
from films import SMALL, film, pictures, session

from batllm_arcade.history.reader import read
from batllm_arcade.history.replay import replay
from batllm_arcade.video.draw.frames import FrameRenderer
from batllm_arcade.view.timeline import Timeline


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return session(tmp_path_factory.mktemp("match"))


@pytest.fixture(scope="module")
def plain(match: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("film") / "plain.mp4"
    assert film(match, out, "--fast") == 0
    return out


def test_a_film_has_the_pictures_the_length_the_size_and_the_colour_tags_and_plays_while_it_loads(match, plain):
    seconds = Timeline.of(replay(read(match))).end
    with av.open(str(plain)) as container:
        stream = container.streams.video[0]
        context = stream.codec_context
        assert (context.name, stream.pix_fmt) == ("h264", "yuv420p")
        assert (stream.width, stream.height, stream.average_rate) == (320, 180, 10)
        assert (context.color_range, context.colorspace, context.color_primaries, context.color_trc) == (1, 1, 1, 1)
        assert container.duration / av.time_base == pytest.approx(seconds, abs=0.11)
    shown, content = pictures(plain), plain.read_bytes()
    assert len(shown) == round(seconds * 10)
    assert all(picture.std() > 10 for picture in shown[5:])
    assert abs(shown[5].astype(int) - shown[-1]).max() > 100
    assert 0 < content.index(b"moov") < content.index(b"mdat")
    assert b"moof" not in content
    assert sorted(path.name for path in plain.parent.iterdir()) == ["plain.mp4", "plain.txt"]


@pytest.mark.skipif(not shutil.which("ffprobe"), reason="ffprobe is not installed")
def test_ffprobe_reads_the_film_as_well(plain):
    asked = ["ffprobe", "-v", "error", "-show_entries", "stream=codec_name,color_space,color_primaries,color_transfer"]
    said = subprocess.run([*asked, "-of", "csv=p=0", str(plain)], capture_output=True, text=True, check=True)
    assert said.stderr == ""
    assert said.stdout.splitlines()[0] == "h264,bt709,bt709,bt709"


def test_a_journal_is_filmed_too(tmp_path):
    from fakes import eventful

    file = session(tmp_path, eventful()[:9])
    assert film(file, tmp_path / "a.mp4") == 0
    assert len(pictures(tmp_path / "a.mp4")) > 10


def test_odd_sides_are_cropped_and_said_so(match, tmp_path, capsys):
    assert film(match, tmp_path / "a.mp4", "--size", "321x181", "--fps", "5", "--to", "1") == 0
    assert "320x180" in capsys.readouterr().err
    assert pictures(tmp_path / "a.mp4", most=1)[0].shape == (180, 320, 3)


# A program of its own: without a display, interrupted, killed


def started(match: Path, out: Path, *options: str) -> subprocess.Popen[str]:
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "SDL_VIDEODRIVER")}
    command = [sys.executable, "-m", "batllm_arcade", "video", str(match), "-o", str(out), *options]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_film_is_made_without_a_display_and_says_so_in_one_line(match, tmp_path):
    out, err = started(match, tmp_path / "a.mp4", *SMALL, "--to", "2").communicate(timeout=60)
    assert out == ""
    assert err.startswith("a.mp4: ")
    assert "frames/s" in err
    assert err.count("\n") == 1


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_or_a_termination_leaves_a_film_that_plays(match, tmp_path, capsys, monkeypatch, number):
    draw, drawn = FrameRenderer.draw, []

    def interrupted(renderer: FrameRenderer, t: float) -> object:
        drawn.append(t)
        if len(drawn) == 20:
            signal.raise_signal(number)
        return draw(renderer, t)

    before = signal.getsignal(number)
    monkeypatch.setattr(FrameRenderer, "draw", interrupted)
    assert film(match, tmp_path / "a.mp4") == 128 + number
    assert capsys.readouterr().err.startswith("stopped; a.mp4: 2.0 s")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.mp4", "a.txt"]
    assert len(pictures(tmp_path / "a.mp4")) == 20
    assert signal.getsignal(number) == before


KILLED = """
import os, signal, sys
from pathlib import Path
from batllm_arcade.cli.main import main
from batllm_arcade.video.encode.film_files import StreamFile

add, partial, mark = StreamFile.add_frame, Path(sys.argv[1]), bytes.fromhex(sys.argv[2])

def killed(file, frame, number):
    if partial.exists() and partial.read_bytes().count(mark) > 2:
        os.kill(os.getpid(), signal.SIGKILL)
    add(file, frame, number)

StreamFile.add_frame = killed
main(sys.argv[3:])
"""
"""Makes a film and dies as soon as two fragments of it are complete on the disk, on the thread that writes it."""


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX")
@pytest.mark.parametrize(("suffix", "fragment"), [(".mp4", b"moof"), (".webm", b"\x1f\x43\xb6\x75")])
def test_a_killed_program_leaves_a_partial_film_that_plays(match, tmp_path, suffix, fragment):
    out, partial = tmp_path / f"a{suffix}", tmp_path / f"a.partial{suffix}"
    arguments = ["video", str(match), "-o", str(out), "--size", "320x180", "--fps", "20"]
    command = [sys.executable, "-c", KILLED, str(partial), fragment.hex(), *arguments]
    assert subprocess.run(command, capture_output=True, check=False).returncode == -signal.SIGKILL
    assert [path.name for path in tmp_path.iterdir()] == [partial.name]
    assert len(pictures(partial)) > 15
