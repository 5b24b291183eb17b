"""Films of recorded sessions made beside the window: progress, the result's sentence, stopping, a window that dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from fakes import eventful, written

from batllm_arcade.app.services import film_jobs
from batllm_arcade.app.services import film_jobs as film_choices
from batllm_arcade.app.services.film_jobs import FilmJobs, film_of

av = pytest.importorskip("av")

SMALL = ["--size", "256x144", "--fps", "10"]
LONG = ["--size", "1920x1080"]
LARGE = ["--size", "3840x2160"]  # a frame of which takes so long that a film could be ended in the middle of one


@pytest.fixture
def session(tmp_path) -> Path:
    return written(eventful(), tmp_path / "s.json")


def reports(*arguments: str, folder: Path, largest: int = 0) -> tuple[int, list[dict[str, object]]]:
    """What the process reports, one JSON object a line, and its exit code; it makes the film in this folder."""
    command = [*film_jobs.WORKER, *arguments]
    folder.mkdir()
    environment = {**os.environ, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=folder,
        preexec_fn=(lambda: limit_files(largest)) if largest else None,
    ) as process:
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


def test_the_window_shows_why_a_film_could_not_be_made(tmp_path):
    films = FilmJobs()
    films.start(tmp_path / "missing.json", tmp_path / "films" / "m.mp4")
    films.join()
    assert "No such file" in films.words
    assert films.share is None


def test_a_folder_for_films_that_cannot_be_made_is_said(session, tmp_path):
    (tmp_path / "films").write_text("no folder")
    films = FilmJobs()
    films.start(session, tmp_path / "films" / "s.mp4")
    assert "films cannot be kept in" in films.words
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


def test_each_film_that_is_offered_is_made_beside_the_window_and_as_long_as_was_said(tmp_path, monkeypatch):
    monkeypatch.setattr(film_choices, "films_folder", lambda: tmp_path / "films")
    session = written(eventful(), tmp_path / "50% x.json")
    task = film_choices.measure(session, 1)
    task.join()
    for choice, seconds in zip(film_choices.CHOICES, task.result, strict=True):
        assert f"{seconds:.0f} s, about " in choice.words(seconds)
        assert choice.words(None) == choice.what
        films, out = FilmJobs(), film_of(session, choice.suffix)
        small = ["--size", "144x256", "--fps", "10"] if "--vertical" in choice.options else SMALL
        films.start(session, out, ["--game", "1", *choice.options, *small])
        assert films.share is not None
        films.join()
        assert films.share is None
        assert films.words.startswith(f"{out.name}: {seconds:.1f} s")
        assert films.words.endswith(f"in {out.parent}")
        assert films.made_of(session)
        with av.open(str(out)) as film:
            video = film.streams.video[0]
            assert (video.width > video.height) == ("--vertical" not in choice.options)
            assert film.metadata["title"]
        assert film_of(session, choice.suffix) != out  # the next one gets another name
