"""Recording from within the arcade: the keys, the mark that no film shows, where films are kept."""

from __future__ import annotations

import time
from dataclasses import replace

import platformdirs
import pygame
import pytest
from films import near, pictures

from batllm_arcade.app import recording as module
from batllm_arcade.app.recording import Recording, check
from batllm_arcade.cli.main import main
from batllm_arcade.errors import UsageError
from batllm_arcade.settings.user_settings import Settings
from batllm_arcade.view import theme

SIZE = (640, 360)
FLOOR = (20, 40, 60)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *_names, **_how: str(tmp_path))
    return tmp_path / "films"


def frames(recording, count, settings=Settings(), *, enough=lambda: False):  # noqa: B008 - it is frozen
    """Show so many frames of an empty window as the arcade does, or until it is enough; the last one."""
    window = pygame.Surface(SIZE, 0, 32)
    for _ in range(count):
        window.fill(FLOOR)
        recording.frame(window, settings, music=True)
        time.sleep(1 / 60)
        if enough():
            break
    return window


def red(window, box):
    return sum(window.get_at((x, y))[:3] == theme.DANGER for x in range(*box[0]) for y in range(*box[1]))


MARK = ((116, 172), (7, 24))


def test_a_film_is_kept_in_the_folder_of_films_and_does_not_show_the_mark(folder):
    recording = Recording()
    assert red(frames(recording, 1), MARK) == 0
    recording.toggle()
    assert red(frames(recording, 30), MARK) > 20
    recording.toggle()
    window = frames(recording, 300, enough=lambda: bool(recording._notice))
    assert red(window, MARK) == 0
    assert recording._notice.startswith("film saved: batllm-")
    recording.close()
    (film,) = folder.iterdir()
    shown = pictures(film)
    assert len(shown) > 3
    assert all(near(picture, (x, 15), FLOOR) for picture in shown for x in range(116, 172, 8))


def test_a_clip_is_saved_with_a_notice_and_a_film_goes_on_beside_it(folder):
    recording = Recording()
    frames(recording, 20)
    recording.toggle()
    frames(recording, 20)
    recording.clip()
    recording.clip()
    frames(recording, 300, enough=lambda: "clip" in recording._notice)
    assert recording._notice.startswith("clip saved: clip-")
    said = recording.close()
    assert "film saved" in said
    assert sorted(path.name.partition("-")[0] for path in folder.iterdir()) == ["batllm", "clip", "clip"]


def test_clips_switched_off_cost_nothing_and_the_key_says_so(folder):
    recording = Recording()
    frames(recording, 5, replace(Settings(), clips=False))
    recording.clip()
    assert recording._notice == "clips are switched off in the settings"
    assert recording.recorder._recorder_thread is None
    assert not folder.exists()


def test_without_the_extra_the_keys_say_what_to_install(folder, monkeypatch):
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    recording = Recording()
    for key in (recording.toggle, recording.clip):
        key()
        window = frames(recording, 2)
        assert recording._notice == "films need PyAV and numpy: pip install 'batllm-arcade[video]'"
        recording._notice = ""
    assert any(window.get_at((x, 341))[:3] == theme.GOLD for x in range(640))
    assert recording.recorder._recorder_thread is None
    with pytest.raises(UsageError, match="pip install"):
        check(folder.parent / "film.mp4", force=False)


def test_a_folder_that_cannot_be_made_is_said(folder):
    folder.write_text("no folder")
    recording = Recording()
    recording.toggle()
    assert recording._notice == "the folder for films cannot be made: File exists"
    assert recording.recorder.since is None


@pytest.mark.parametrize(
    ("name", "said"), [("film.avi", "is no .mp4"), ("there.mp4", "add --force"), ("a/b.mp4", "folder")]
)
def test_play_refuses_a_film_it_cannot_write_before_it_opens_a_window(tmp_path, capsys, name, said):
    (tmp_path / "there.mp4").write_bytes(b"")
    seats = ["--left", "scripted:random", "--right", "scripted:random"]
    assert main(["play", *seats, "--record", str(tmp_path / name), "--history", str(tmp_path / "match.json")]) == 2
    assert said in capsys.readouterr().err


def test_what_is_muted_is_silent_in_the_film():
    assert module._volumes(Settings(), music=True) == (0.8, 0.4)
    assert module._volumes(Settings(), music=False) == (0.8, 0.0)
    assert module._volumes(Settings(muted=True), music=True) == (0.0, 0.0)
