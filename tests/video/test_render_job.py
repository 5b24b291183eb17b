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

from batllm_arcade.cli.main import main
from batllm_arcade.history.reader import read
from batllm_arcade.history.replay import replay
from batllm_arcade.video import film_plan
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


def test_a_film_has_the_pictures_the_length_and_the_size_that_were_asked_for(match, plain):
    seconds = Timeline.of(replay(read(match))).end
    with av.open(str(plain)) as container:
        stream = container.streams.video[0]
        assert (stream.codec_context.name, stream.pix_fmt) == ("h264", "yuv420p")
        assert (stream.width, stream.height, stream.average_rate) == (320, 180, 10)
        assert sum(1 for _ in container.decode(video=0)) == round(seconds * 10)
        assert container.duration / av.time_base == pytest.approx(seconds, abs=0.11)


def test_all_four_colour_tags_are_set(plain):
    with av.open(str(plain)) as container:
        context = container.streams.video[0].codec_context
        tags = (context.color_range, context.colorspace, context.color_primaries, context.color_trc)
    assert tags == (1, 1, 1, 1)


@pytest.mark.skipif(not shutil.which("ffprobe"), reason="ffprobe is not installed")
def test_ffprobe_reads_the_film_as_well(plain):
    asked = ["ffprobe", "-v", "error", "-show_entries", "stream=codec_name,color_space,color_primaries,color_transfer"]
    said = subprocess.run([*asked, "-of", "csv=p=0", str(plain)], capture_output=True, text=True, check=True)
    assert said.stderr == ""
    assert said.stdout.splitlines()[0] == "h264,bt709,bt709,bt709"


def test_the_index_is_in_front_so_that_a_film_plays_while_it_loads(plain):
    content = plain.read_bytes()
    assert 0 < content.index(b"moov") < content.index(b"mdat")
    assert b"moof" not in content


def test_nothing_is_left_beside_the_film(plain):
    assert sorted(path.name for path in plain.parent.iterdir()) == ["plain.mp4", "plain.txt"]


def test_the_pictures_are_not_empty_and_differ(plain):
    shown = pictures(plain)
    assert all(picture.std() > 10 for picture in shown[5:])
    assert abs(shown[5].astype(int) - shown[-1]).max() > 100


def test_a_journal_is_filmed_too(tmp_path):
    from fakes import eventful

    file = session(tmp_path, eventful()[:9])
    assert film(file, tmp_path / "a.mp4") == 0
    assert len(pictures(tmp_path / "a.mp4")) > 10


# Refusals: before any work begins, one sentence, exit code 2


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert film(Path(arguments[0]), Path(arguments[1]), *arguments[2:]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1, said
    return said


def test_an_existing_film_is_not_overwritten_without_force(match, tmp_path, capsys):
    out = tmp_path / "a.mp4"
    out.write_text("mine")
    assert "exists already" in refused(capsys, str(match), str(out))
    assert out.read_text() == "mine"
    assert film(match, out, "--force", "--to", "1") == 0
    assert len(pictures(out, most=3)) == 3


@pytest.mark.parametrize(
    ("out", "options", "words"),
    [
        ("a.avi", [], "no suffix of a film"),
        ("a", [], "no suffix of a film"),
        ("not there/a.mp4", [], "does not exist"),
        ("a.mp4", ["--size", "huge"], "write it like 1920x1080"),
        ("a.mp4", ["--size", "16x16"], "from 128 to 7680"),
        ("a.mp4", ["--size", "99999x200"], "from 128 to 7680"),
        ("a.gif", ["--fps", "60"], "choose one of 10, 20, 25, 50"),
    ],
)
def test_what_cannot_be_filmed_is_said_in_one_sentence(match, tmp_path, capsys, out, options, words):
    assert words in refused(capsys, str(match), str(tmp_path / out), *options)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(
    os.name == "nt" or not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere"
)
def test_a_folder_that_cannot_be_written_to_is_named(match, tmp_path, capsys):
    tmp_path.chmod(0o500)
    assert "cannot be written to" in refused(capsys, str(match), str(tmp_path / "a.mp4"))


@pytest.mark.parametrize(
    ("name", "option"), [("session.mp4", ["-o", "{}"]), ("session.png", ["-o", "film.mp4", "--poster", "{}"])]
)
def test_no_film_takes_the_place_of_its_own_session(match, tmp_path, capsys, monkeypatch, name, option):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / name
    file.write_bytes(match.read_bytes())
    assert main(["video", str(file), *[part.format(file.name) for part in option], "--force"]) == 2
    assert "is the session that is filmed" in capsys.readouterr().err
    assert file.read_bytes() == match.read_bytes()


def test_an_encoder_that_does_not_load_is_told_in_one_sentence(match, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(film_plan, "find_spec", lambda name: name)
    monkeypatch.setitem(sys.modules, "av", None)
    assert film(match, tmp_path / "a.mp4") == 2
    assert "does not load here" in capsys.readouterr().err


def test_a_name_that_the_disk_does_not_take_is_refused_before_any_work(match, tmp_path, capsys):
    assert film(match, tmp_path / f"{'x' * 245}.mp4") == 2
    assert "too long" in capsys.readouterr().err


@pytest.mark.parametrize("content", ["", "{", "[]", '{"games": 3}', "\x00\x01", '{"games": [], "schema": "other"}'])
def test_a_file_that_is_no_session_is_refused_before_anything_is_written(tmp_path, capsys, content):
    file = tmp_path / "match.json"
    file.write_text(content)
    refused(capsys, str(file), str(tmp_path / "a.mp4"))
    assert [path.name for path in tmp_path.iterdir()] == ["match.json"]


def test_odd_sides_are_cropped_and_said_so(match, tmp_path, capsys):
    assert film(match, tmp_path / "a.mp4", "--size", "321x181", "--fps", "5", "--to", "1") == 0
    assert "320x180" in capsys.readouterr().err
    assert pictures(tmp_path / "a.mp4", most=1)[0].shape == (180, 320, 3)


def test_without_pyav_the_sentence_says_what_to_install(match, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("batllm_arcade.video.film_plan.find_spec", lambda name: None if name == "av" else name)
    assert "pip install 'batllm-arcade[video]'" in refused(capsys, str(match), str(tmp_path / "a.mp4"))


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


@pytest.mark.parametrize("suffix", [".mp4", ".gif", ".webp"])
def test_a_file_that_appears_while_a_film_is_made_is_kept_and_so_is_the_film(
    match, tmp_path, capsys, monkeypatch, suffix
):
    draw, out = FrameRenderer.draw, tmp_path / f"a{suffix}"

    def meanwhile(renderer: FrameRenderer, t: float) -> object:
        out.write_text("precious")
        return draw(renderer, t)

    monkeypatch.setattr(FrameRenderer, "draw", meanwhile)
    assert film(match, out, "--to", "1", "--size", "320x180", "--fps", "20") == 1
    said = capsys.readouterr().err.splitlines()[-1]
    assert f"the film {out.name!r} cannot be written: File exists; what was filmed is in 'a.partial{suffix}'" in said
    assert out.read_text() == "precious"
    assert (tmp_path / f"a.partial{suffix}").stat().st_size > 1000
    (tmp_path / f"a.partial{suffix}").unlink()
    assert film(match, out, "--to", "1", "--size", "320x180", "--fps", "20", "--force") == 0
    assert {path.suffix for path in tmp_path.iterdir()} <= {suffix, ".txt"}
    assert out.stat().st_size > 1000


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
