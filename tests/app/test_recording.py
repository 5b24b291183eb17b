"""Recording from within the arcade: the keys, the mark that no film shows, where films are kept."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import platformdirs
import pygame
import pytest
from films import near, pictures

from batllm_arcade.app import recording as module
from batllm_arcade.app.kit.canvas import Canvas
from batllm_arcade.app.kit.keycaps import CornerButton
from batllm_arcade.app.recording import NOTICE_S, Recording, check, mark_place
from batllm_arcade.cli.main import main
from batllm_arcade.errors import UsageError
from batllm_arcade.settings.user_settings import Settings
from batllm_arcade.view import theme

pytestmark = pytest.mark.usefixtures("clips")

SIZE = (640, 360)
FLOOR = (20, 40, 60)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *_names, **_how: str(tmp_path))
    return tmp_path / "films"


class Studio:
    """An empty window that is shown sixty times a second of its own time, and what it shows at last."""

    def __init__(self) -> None:
        self.recording = Recording()
        self.now = time.monotonic()
        self.window = pygame.Surface(SIZE, 0, 32)

    def show(self, frames: int, settings: Settings = Settings()) -> pygame.Surface:  # noqa: B008 - it is frozen
        for _ in range(frames):
            self.window.fill(FLOOR)
            self.recording.take(self.window, settings, self.now, music=True, folder_key="F8")
            self.recording.draw(self.window, self.now, still=False)
            self.now += 1 / 60
        return self.window

    def show_until(self, said: str) -> str:
        """Show frames until there is a notice with these words; return it."""
        pause, still = threading.Event(), self.now
        for _ in range(2000):
            self.now = still  # no notice is over meanwhile
            self.show(1)
            if said in self.recording.notice(still):
                return self.recording.notice(still)
            pause.wait(0.01)
        raise AssertionError(f"nobody said {said!r}")


def red(window, box):
    return sum(window.get_at((x, y))[:3] == theme.DANGER for x in range(*box[0]) for y in range(*box[1]))


MARK = ((296, 344), (0, 9))


def test_a_film_is_kept_in_the_folder_of_films_and_does_not_show_the_mark(folder):
    studio = Studio()
    recording = studio.recording
    assert red(studio.show(1), MARK) == 0
    recording.toggle(studio.now)
    assert red(studio.show(5), MARK) > 20
    _film_frames(studio, 5)
    recording.toggle(studio.now)
    said = studio.show_until("film saved")
    assert said.startswith("film saved: batllm-")
    assert said.endswith(f", in {folder}   F8 opens it")
    assert red(studio.window, MARK) == 0
    recording.close()
    (film,) = folder.iterdir()
    shown = pictures(film)
    assert len(shown) > 3
    assert all(near(picture, (x, 9), FLOOR) for picture in shown for x in range(413, 469, 8))


def _film_frames(studio: Studio, frames: int) -> None:
    """Show so many frames, none sooner than the encoder can take it."""
    pause = threading.Event()
    for _ in range(frames):
        studio.show(1)
        pause.wait(0.03)


def test_a_clip_is_saved_with_a_notice_and_a_film_goes_on_beside_it(folder):
    studio = Studio()
    _film_frames(studio, 5)
    studio.recording.toggle(studio.now)
    _film_frames(studio, 15)
    studio.recording.clip(studio.now)
    studio.recording.clip(studio.now)
    assert studio.show_until("clip saved").startswith("clip saved: clip-")
    said = studio.recording.close()
    assert "film saved" in said
    assert sorted(path.name.partition("-")[0] for path in folder.iterdir()) == ["batllm", "clip", "clip"]


@pytest.mark.parametrize(
    ("since", "waited", "held"), [(None, 0, False), (100.0, 0, True), (100.0, 60, True), (100.0, 60.1, False)]
)
def test_a_clip_is_of_the_match_for_a_minute_after_its_end(folder, monkeypatch, since, waited, held):
    recording, asked = Recording(), []
    monkeypatch.setattr(recording.recorder, "hold", lambda: asked.append("hold"))
    monkeypatch.setattr(recording.recorder, "clip", lambda out, held: asked.append(held))
    recording.recorder.keep_clips(True)
    for _ in range(3):
        recording.match_ended(since)
    recording.clip(100.0 + waited)
    recording.match_ended(None)  # another match begins
    recording.clip(101.0 + waited)
    recording.close()
    assert asked == [*(["hold"] if since is not None else []), held, False]


def test_clips_switched_off_cost_no_thread_and_the_key_says_so_for_a_while(folder):
    before, studio = threading.active_count(), Studio()
    studio.show(5, replace(Settings(), clips=False))
    said = studio.now
    studio.recording.clip(said)
    assert studio.recording.notice(said + NOTICE_S - 0.1) == "clips are switched off in the settings"
    assert not studio.recording.notice(said + NOTICE_S + 0.1)
    assert threading.active_count() == before
    assert not folder.exists()


def test_a_pyav_whose_films_of_the_window_are_broken_is_told(folder, monkeypatch):
    monkeypatch.setattr(module, "version", lambda name: "15.1.0")
    with pytest.raises(UsageError, match=r"needs PyAV 17\.1"):
        check(folder.parent / "film.mp4", force=False)


@pytest.mark.parametrize("key", ["toggle", "clip"])
def test_without_the_extra_the_keys_say_what_to_install(key, folder, monkeypatch):
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    before = threading.active_count()
    studio = Studio()
    getattr(studio.recording, key)(studio.now)
    window = studio.show(2)
    assert studio.recording.notice(studio.now) == "films need PyAV and numpy: pip install 'batllm-arcade[video]'"
    assert any(window.get_at((x, y))[:3] == theme.GOLD for x in range(640) for y in range(20, 60))
    assert threading.active_count() == before
    with pytest.raises(UsageError, match="pip install"):
        check(folder.parent / "film.mp4", force=False)


def test_a_folder_that_cannot_be_made_is_said(folder):
    folder.write_text("no folder")
    recording = Recording()
    recording.toggle(5.0)
    assert recording.notice(5.0) == "the folder for films cannot be made: File exists"
    assert recording.recorder.since is None


@pytest.mark.parametrize(
    ("name", "said"), [("film.avi", "is no .mp4"), ("there.mp4", "add --force"), ("a/b.mp4", "folder")]
)
def test_play_refuses_a_film_it_cannot_write_before_it_opens_a_window(tmp_path, capsys, name, said):
    (tmp_path / "there.mp4").write_bytes(b"")
    seats = ["--left", "scripted:random", "--right", "scripted:random"]
    assert main(["play", *seats, "--record", str(tmp_path / name), "--history", str(tmp_path / "match.json")]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("settings", "music", "volumes"),
    [(Settings(), True, (0.8, 0.4)), (Settings(), False, (0.8, 0.0)), (Settings(muted=True), True, (0.0, 0.0))],
)
def test_what_is_muted_is_silent_in_the_film(settings, music, volumes):
    recording = Recording()
    recording.take(pygame.Surface(SIZE), replace(settings, clips=False), 0.0, music=music)
    assert recording.recorder.volumes == volumes


@pytest.mark.parametrize("size", [(1280, 720), (960, 540), (540, 960), (1920, 1080)])
def test_the_mark_of_a_film_covers_no_button_and_no_panel(size):
    canvas = Canvas(size)
    mark = mark_place(canvas)
    assert mark.x > CornerButton.BOX.right
    assert mark.right < canvas.width
    assert mark.bottom < 66, "where the list of brains begins"


def test_a_folder_that_cannot_be_opened_is_told_where_it_is(folder, monkeypatch, tmp_path):
    studio = Studio()
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    studio.recording.show_folder(studio.now)
    assert str(folder) in studio.show_until("cannot be opened")
