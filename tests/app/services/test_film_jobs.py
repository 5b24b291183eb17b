"""Films and pages of recorded sessions made beside the window, the button for them, and the folder they are in."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from fakes import eventful, written

from batllm_arcade.app.services import film_jobs
from batllm_arcade.app.services.film_jobs import (
    FilmJobs,
    SaveVideo,
    film_of,
    pages_folder,
    share_page,
    short,
    show_folder,
)
from batllm_arcade.history.reader import read
from batllm_arcade.share.shown import Selection

av = pytest.importorskip("av")

SMALL = ["--size", "256x144", "--fps", "10"]
LONG = ["--size", "1920x1080"]
LARGE = ["--size", "3840x2160"]  # a frame of which takes so long that a film could be ended in the middle of one


@pytest.fixture
def session(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return written(eventful(), tmp_path / "s.json")


def reports(*arguments: str, folder: Path, largest: int = 0) -> tuple[int, list[dict[str, object]]]:
    """What the process reports, one JSON object a line, and its exit code; it makes the film in this folder."""
    command = [*film_jobs.WORKER, *arguments]
    folder.mkdir()
    environment = {**os.environ, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
        cwd=folder, preexec_fn=(lambda: limit_files(largest)) if largest else None,
    ) as process:  # fmt: skip
        out = process.stdout.read()
        process.stdin.close()
        assert process.stderr.read() == ""
    return process.returncode, [json.loads(line) for line in out.splitlines()]


def limit_files(largest: int) -> None:
    """Let this process write no file of more bytes."""
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))


def test_a_film_whose_name_was_taken_meanwhile_gets_the_next(tmp_path):
    (tmp_path / "film").mkdir()
    for name in ("s.mp4", "s-2.mp4"):
        (tmp_path / name).write_text("precious")
    (tmp_path / "film" / "s.mp4").write_text("filmed")
    assert film_jobs._move_to_free_name(tmp_path / "film" / "s.mp4", tmp_path / "s.mp4") == tmp_path / "s-3.mp4"
    assert (tmp_path / "s-3.mp4").read_text() == "filmed"
    assert (tmp_path / "s.mp4").read_text() == "precious"


@pytest.mark.timeout(120)
def test_the_process_reports_how_far_it_is_and_then_the_result(session, tmp_path):
    code, lines = reports(str(session), "-o", str(tmp_path / "50% x.mp4"), *SMALL, folder=tmp_path / "made")
    assert code == 0
    assert [path.name for path in (tmp_path / "made").iterdir()] == ["50% x.mp4"]
    shares = [line["share"] for line in lines[:-1]]
    assert shares == sorted(set(shares))
    assert shares[-1] == 1.0
    assert lines[-1].keys() == {"words"}


@pytest.mark.parametrize(
    ("how", "said", "code"),
    [
        (["missing.json"], "No such file", 2),
        (["s.json", "--game", "9"], "there is no game 9; the session holds", 2),
        (["s.json", "-o", "there.mp4"], "exists already", 2),
    ],
)
def test_a_film_that_cannot_be_made_says_why_in_one_sentence(how, said, code, session, tmp_path):
    (tmp_path / "there.mp4").write_bytes(b"somebody else's")
    out = tmp_path / (how[2] if "-o" in how else "m.mp4")
    more = [] if "-o" in how else how[1:]
    found, lines = reports(str(tmp_path / how[0]), "-o", str(out), *more, folder=tmp_path / "made")
    assert found == code
    assert [line.keys() for line in lines] == [{"words"}]
    assert said in lines[0]["words"]
    assert (tmp_path / "there.mp4").read_bytes() == b"somebody else's"


@pytest.mark.parametrize(("name", "folder", "said"), [
    ("missing.json", "films", "No such file"), ("s.json", "taken", "films cannot be kept in")
])  # fmt: skip
def test_the_window_shows_why_a_film_could_not_be_made(name, folder, said, session, tmp_path):
    (tmp_path / "taken").write_text("no folder")
    films = FilmJobs()
    films.start(tmp_path / name, tmp_path / folder / "m.mp4")
    films.join()
    assert said in films.words
    assert films.share is None


@pytest.mark.timeout(120)
@pytest.mark.skipif(os.name == "nt", reason="limits are POSIX")
def test_a_film_that_cannot_be_written_to_its_end_keeps_what_was_filmed_beside_its_place(session, tmp_path):
    (tmp_path / "s.partial.mp4").write_bytes(b"somebody else's")
    code, lines = reports(str(session), "-o", str(tmp_path / "s.mp4"), folder=tmp_path / "made", largest=20_000)
    assert code == 1
    assert lines[-1]["words"].endswith("what was filmed is in 's.partial-2.mp4'")
    assert 0 < (tmp_path / "s.partial-2.mp4").stat().st_size <= 20_000
    assert (tmp_path / "s.partial.mp4").read_bytes() == b"somebody else's"


def wait_until(condition) -> None:
    """Wait for what another process or thread brings about; the test's own timeout ends it otherwise."""
    pause = threading.Event()
    while not condition():
        pause.wait(0.01)


@pytest.mark.timeout(120)
@pytest.mark.parametrize("moment", ["at once", "under way"])
def test_a_film_that_is_stopped_leaves_nothing(moment, session, tmp_path):
    before = threading.active_count()
    films, folder = FilmJobs(), tmp_path / "films"
    films.start(session, folder / "s.mp4", LARGE)
    if moment == "under way":
        wait_until(lambda: films.share)
        assert list(folder.rglob("*.mp4")) != []
    films.stop()
    films.join()
    assert films.words == "the film was stopped, nothing of it is kept"
    assert list(folder.iterdir()) == []
    assert threading.active_count() == before


@pytest.mark.timeout(120)
def test_a_film_whose_process_is_killed_leaves_nothing_and_is_not_called_made(session, tmp_path):
    films, folder = FilmJobs(), tmp_path / "films"
    films.start(session, folder / "s.mp4", LONG)
    wait_until(lambda: films.share)
    os.kill(films._child.pid, signal.SIGKILL)
    films.join()
    assert films.words == "the film could not be made"
    assert list(folder.iterdir()) == []
    assert not films.made_of(session)


WINDOW = """
import sys, threading
from pathlib import Path
from batllm_arcade.app.services.film_jobs import FilmJobs
films = FilmJobs()
films.start(Path(sys.argv[1]), Path(sys.argv[2]), ["--size", "1920x1080"])
while not films.share:
    threading.Event().wait(0.02)
print("filming", flush=True)
threading.Event().wait(90)
"""


@pytest.mark.timeout(120)
@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX")
def test_a_film_ends_with_the_program_whose_window_asked_for_it(session, tmp_path):
    folder = tmp_path / "films"
    command = [sys.executable, "-c", WINDOW, str(session), str(folder / "s.mp4")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as window:
        assert window.stdout.readline() == "filming\n"
        assert list(folder.rglob("*.mp4")) != []
        window.kill()
    wait_until(lambda: not list(folder.iterdir()))


def test_a_film_is_named_like_its_session_and_never_over_another(tmp_path, monkeypatch):
    monkeypatch.setattr("batllm_arcade.app.services.film_jobs.films_folder", lambda: tmp_path)
    assert film_of(Path("a.json.journal")) == tmp_path / "a.mp4"
    (tmp_path / "a.mp4").touch()
    assert film_of(Path("a.json")) == tmp_path / "a-2.mp4"


def test_each_film_that_is_offered_is_made_beside_the_window(tmp_path, monkeypatch):
    monkeypatch.setattr(film_jobs, "films_folder", lambda: tmp_path / "films")
    session = written(eventful(), tmp_path / "50% x.json")
    for _, _, suffix, options in film_jobs.CHOICES:
        films, out = FilmJobs(), film_of(session, suffix)
        small = ["--size", "144x256", "--fps", "10"] if "--vertical" in options else SMALL
        films.start(session, out, ["--game", "1", *options, *small])
        assert films.share is not None
        films.join()
        assert films.share is None
        assert films.words.startswith(f"{out.name}: ")
        assert films.words.endswith(f"in {out.parent}")
        assert films.made_of(session)
        with av.open(str(out)) as film:
            video = film.streams.video[0]
            assert (video.width > video.height) == ("--vertical" not in options)
            assert film.metadata["title"]
        assert film_of(session, suffix) != out  # the next one gets another name


pytest.importorskip("av")


class Films:
    """Film jobs that note what is asked of them."""

    def __init__(self) -> None:
        self.share: float | None = None
        self.saved: tuple[Path, Path] | None = None
        self.asked: list[object] = []

    def made_of(self, session: Path) -> bool:
        return self.share is None and self.saved is not None and self.saved[0] == session

    def start(self, session: Path, out: Path, options: list[str]) -> None:
        self.share = 0.0
        self.asked.append((out.name, options))

    def stop(self) -> None:
        self.asked.append("stop")
        self.share = None


@pytest.fixture
def offered(tmp_path, session, monkeypatch):
    """The button for films of a session, what it has done, and the list that it shows."""
    monkeypatch.setattr(film_jobs, "films_folder", lambda: tmp_path / "films")
    monkeypatch.setattr(film_jobs, "has_desktop", lambda: True)
    films, shown, lists = Films(), [], []
    pick = lambda title, items, chosen: lists.append((items, chosen))  # noqa: E731, short
    made = SaveVideo(films, lambda: shown.append("folder"), pick, session, 2, lambda: shown.append("page"))
    return SimpleNamespace(made=made, films=films, shown=shown, lists=lists, session=session)


def test_it_offers_the_best_one_for_telephones_all_and_a_page(offered):
    offered.made.button.take("confirm")
    ((items, chosen),) = offered.lists
    assert [name for name, _ in items] == ["The best moments", "For telephones", "The whole game", "A page"]
    chosen(3)
    assert offered.shown == ["page"]
    chosen(1)
    assert offered.films.asked == [("s-phone.mp4", ["--game", "2", "--highlights", "--vertical"])]


def test_pressed_while_a_film_is_made_it_stops_it(offered):
    offered.made.button.take("confirm")
    offered.lists[-1][1](2)
    offered.made.update()
    assert offered.made.button.text == "Stop the video"
    offered.made.button.take("confirm")
    offered.made.update()
    assert offered.films.asked == [("s.mp4", ["--game", "2"]), "stop"]
    assert offered.made.button.text == "Save or share"
    assert offered.shown == []


def test_once_a_film_is_made_its_folder_is_shown_and_can_be_shown_again(offered):
    offered.made.button.take("confirm")
    offered.lists[-1][1](0)
    offered.films.share, offered.films.saved = None, (offered.session, Path("s-best.mp4"))
    for _ in range(3):
        offered.made.update()
    assert offered.shown == ["folder"]
    offered.made.button.take("confirm")
    items, chosen = offered.lists[-1]
    assert items[-1][0] == "Show the last one"
    chosen(4)
    assert offered.shown == ["folder", "folder"]


def test_a_page_is_kept_beside_the_sessions_under_a_free_name_and_its_folder_is_shown(session, monkeypatch):
    films, shown = SimpleNamespace(words=""), []
    monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
    monkeypatch.setattr(film_jobs, "show_folder", shown.append)
    for name in ("s.html", "s-2.html"):
        task = share_page(films, session, Selection(game=2))
        task.join(60)
        assert task.result == pages_folder() / name
        assert films.words.startswith(f"{name}: ")
        assert "pages" in films.words
    assert shown == [pages_folder()] * 2
    assert read(pages_folder() / "s.html") == read(session)


def test_what_cannot_be_shared_is_said(session):
    films = SimpleNamespace(words="")
    session.write_text("{}")
    task = share_page(films, session)
    task.join(60)
    assert task.result is None
    assert films.words.startswith("no page was made: this is no session file")
    pages_folder().rmdir()
    pages_folder().write_text("in the way")
    share_page(films, session).join(60)
    assert films.words.startswith("pages cannot be kept in ")


on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the opener is a script here")


def opener(folder: Path, monkeypatch, lines: str) -> None:
    """Put a program of this name before all others on the path."""
    folder.mkdir()
    program = folder / "xdg-open"
    program.write_text(f"#!/bin/sh\n{lines}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


@on_linux
def test_the_desktop_is_given_the_folder_which_is_there_then(tmp_path, monkeypatch):
    opener(tmp_path / "bin", monkeypatch, f'echo "$1" > {tmp_path}/asked')
    task = show_folder(tmp_path / "films")
    task.join(20)
    assert task.error is None
    assert (tmp_path / "asked").read_text().strip() == str(tmp_path / "films")
    assert (tmp_path / "films").is_dir()


@on_linux
@pytest.mark.parametrize("lines", ["exit 3", None])
def test_a_desktop_that_cannot_open_it_is_told_with_the_place(lines, tmp_path, monkeypatch):
    if lines is None:
        monkeypatch.setenv("PATH", str(tmp_path))
    else:
        opener(tmp_path / "bin", monkeypatch, lines)
    task = show_folder(tmp_path / "films")
    task.join(20)
    assert str(task.error) == f"the folder cannot be opened from here; it is {tmp_path / 'films'}"


def test_the_users_own_folder_is_shown_short(monkeypatch):
    monkeypatch.setenv("HOME", "/home/ann")
    assert short(Path("/home/ann/films")) == "~/films"
    assert short(Path("/var/films")) == "/var/films"
