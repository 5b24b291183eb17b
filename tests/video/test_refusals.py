"""What cannot be filmed is refused in one sentence before anything is written, and nothing of anybody's is replaced."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from fakes import eventful
from films import SMALL, film, pictures, session, tone

from batllm_arcade.cli.main import main
from batllm_arcade.video import film_plan
from batllm_arcade.video.draw.frames import FrameRenderer
from batllm_arcade.video.encode.film_files import StreamFile
from batllm_arcade.video.encode.formats import partial_of


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return session(tmp_path_factory.mktemp("match"))


@pytest.fixture
def refused(capsys):
    """Asserts that a film is refused, with these words in the one sentence."""

    def check(file: Path, out: Path, *options: str, words: str = "") -> None:
        before = {path.name for path in out.parent.iterdir()} if out.parent.exists() else None
        try:
            code = film(file, out, *options)
        except SystemExit as stopped:  # of the parser, which says how the command is used, too
            code = stopped.code
        *_, said = capsys.readouterr().err.splitlines()
        assert code == 2
        assert words in said
        assert ({path.name for path in out.parent.iterdir()} if out.parent.exists() else None) == before

    return check


@pytest.mark.parametrize(
    ("out", "options", "words"),
    [
        ("a.avi", [], "no suffix of a film"),
        ("a", [], "no suffix of a film"),
        ("a.mov", [], "no suffix of a film"),
        ("a.gif", ["--overlay"], "no suffix of an overlay"),
        ("not there/a.mp4", [], "does not exist"),
        (f"{'x' * 245}.mp4", [], "too long"),
        ("a.mp4", ["--size", "huge"], "write it like 1920x1080"),
        ("a.mp4", ["--size", "16x16"], "from 128 to 7680"),
        ("a.mp4", ["--size", "99999x200"], "from 128 to 7680"),
        ("a.mp4", ["--vertical", "--size", "640x360"], "turn --size round"),
        ("a.gif", ["--fps", "60"], "choose one of 10, 20, 25, 50"),
        ("a.mp4", ["--poster", "a.jpg"], "is no name of a PNG"),
        ("a.mp4", ["--game", "9"], "there is no game 9"),
        ("a.mp4", ["--game", "0"], "no whole number from 1"),
        ("a.mp4", ["--from", "99"], "there is no turn 99"),
        ("a.mp4", ["--from", "x"], "ROUND.TURN"),
        *(("a.mp4", [f"--max-size={text}"], "--max-size") for text in
          ("", "10", "MB", "1e3MB", "-1MB", "1..5MB", "1kB", "9999GB", "\u0661MB", "nan MB")),
    ],
)  # fmt: skip
def test_what_cannot_be_filmed(match, tmp_path, refused, out, options, words):
    refused(match, tmp_path / out, *options, words=words)


def far_outside(content: str, value: float) -> str:
    values = json.loads(content)
    values["games"][0]["initial_state"][1]["x"] = value
    return json.dumps(values)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        *((lambda _, text=text: text, "") for text in
          ("", "{", "[]", '{"games": 3}', "\x00\x01", '{"games": [], "schema": "other"}')),
        *((lambda content, cut=cut: content[: int(len(content) * cut)], "") for cut in (0.2, 0.5, 0.9)),
        (lambda content: far_outside(content, 1e11), "far outside the arena"),
        (lambda content: far_outside(content, -1e12), "far outside the arena"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_session(match, tmp_path, refused, spoil, words):
    (tmp_path / "match.json").write_text(spoil(match.read_text()))
    refused(tmp_path / "match.json", tmp_path / "a.mp4", words=words)


def test_a_session_without_a_game_and_one_larger_than_any_of_ours(match, tmp_path, refused, monkeypatch):
    refused(session(tmp_path, eventful()[:1]), tmp_path / "a.mp4", words="no game")
    monkeypatch.setattr("batllm_arcade.history.reader.LARGEST", 1000)
    refused(match, tmp_path / "a.mp4", words="larger than any session")


@pytest.mark.parametrize("kind", ["text", "playlist", "picture", "folder", "nothing"])
def test_what_is_no_music(match, tmp_path, capsys, refused, kind):
    music, out = tmp_path / "music.mp3", tmp_path / "out" / "a.mp4"
    out.parent.mkdir()
    if kind == "folder":
        music.mkdir()
    elif kind == "picture":
        assert film(match, tmp_path / "p.mp4", *SMALL, "--to", "1", "--no-sound") == 0
        music = tmp_path / "p.mp4"
    elif kind != "nothing":
        music.write_text("hello" if kind == "text" else f"#EXTM3U\n#EXTINF:9,\n{tone(tmp_path / 'm.wav', 1)}\n")
    capsys.readouterr()
    refused(match, out, "--music", str(music), words=str(music))


@pytest.mark.skipif(
    os.name == "nt" or not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere"
)
def test_a_folder_that_cannot_be_written_to(match, tmp_path, refused):
    tmp_path.chmod(0o500)
    refused(match, tmp_path / "a.mp4", words="cannot be written to")


def test_an_encoder_that_is_missing_or_does_not_load(match, tmp_path, refused, monkeypatch):
    monkeypatch.setitem(sys.modules, "av", None)
    for found, words in ((lambda name: name, "does not load here"), (
        lambda name: None if name == "av" else name, "pip install 'batllm-arcade[video]'")):  # fmt: skip
        monkeypatch.setattr(film_plan, "find_spec", found)
        for options in ((), ("--script", "-")):
            refused(match, tmp_path / "a.mp4", *options, words=words)


# What is there already


@pytest.mark.parametrize(
    ("name", "options"),
    [("a.mp4", []), ("a.txt", []), ("a.srt", ["--captions", "srt"]), ("a.png", ["--poster", "a.png"])],
)
def test_an_existing_file_is_not_overwritten_without_force(match, tmp_path, refused, monkeypatch, name, options):
    monkeypatch.chdir(tmp_path)
    Path(name).write_text("mine")
    refused(match, tmp_path / "a.mp4", *options, words=f"{name}' exists already")
    assert Path(name).read_text() == "mine"
    assert film(match, Path("a.mp4"), *options, "--force", "--to", "1") == 0
    assert len(pictures(Path("a.mp4"), most=3)) == 3


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


@pytest.mark.parametrize("suffix", [".mp4", ".gif", ".webp"])
def test_a_file_that_appears_while_a_film_is_made_is_kept_and_so_is_the_film(
    match, tmp_path, capsys, monkeypatch, suffix
):
    draw, out = FrameRenderer.draw, tmp_path / f"a{suffix}"
    options = ["--to", "1", "--size", "320x180", "--fps", "20"]

    def meanwhile(renderer: FrameRenderer, t: float) -> object:
        out.write_text("precious")
        return draw(renderer, t)

    monkeypatch.setattr(FrameRenderer, "draw", meanwhile)
    assert film(match, out, *options) == 1
    said = capsys.readouterr().err.splitlines()[-1]
    assert f"the film {out.name!r} cannot be written: File exists; what was filmed is in 'a.partial{suffix}'" in said
    assert out.read_text() == "precious"
    assert (tmp_path / f"a.partial{suffix}").stat().st_size > 1000
    (tmp_path / f"a.partial{suffix}").unlink()
    assert film(match, out, *options, "--force") == 0
    assert {path.suffix for path in tmp_path.iterdir()} <= {suffix, ".txt"}
    assert out.stat().st_size > 1000


def test_a_full_disk_is_one_sentence_and_says_where_the_rest_is(match, tmp_path, capsys, monkeypatch):
    def full(_self, frame, number):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(StreamFile, "add_frame", full)
    out = tmp_path / "a.mp4"
    assert film(match, out) == 1
    said = capsys.readouterr().err
    assert "'a.mp4' cannot be written: No space left on device" in said
    assert said.count("\n") == 1
    assert partial_of(out).name in said or not partial_of(out).exists()
