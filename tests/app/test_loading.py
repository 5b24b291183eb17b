"""What takes its time is done on threads: the window goes on, says how far it is, and Back gives it up."""

from __future__ import annotations

import threading
from dataclasses import replace

import pygame
import pytest
from fakes import ScriptedBrain, eventful, written
from windows import VirtualClock, play, press, run_until, until, walk

from batllm_arcade.app import launch
from batllm_arcade.app.application import App
from batllm_arcade.app.kit.dialog import MenuDialog
from batllm_arcade.app.match.screen import MatchScreen
from batllm_arcade.app.menus.setup import SetupScreen
from batllm_arcade.app.menus.title import TitleScreen
from batllm_arcade.app.replay.screen import ReplayScreen
from batllm_arcade.app.services.sessions import open_timeline
from batllm_arcade.app.shell import LoadingScreen
from batllm_arcade.brains.protocol import BrainKind, Spec
from batllm_arcade.cli.main import main
from batllm_arcade.core.model import Rules
from batllm_arcade.errors import UsageError
from batllm_arcade.plugin import manager
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings import config
from batllm_arcade.settings.config import Config
from batllm_arcade.settings.store import SettingsFile

MOST_S = 20.0
TURTLE = Spec("scripted", "turtle")


@pytest.fixture(autouse=True)
def _off_screen(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


@pytest.fixture
def plan():
    config = Config(rules=Rules(total_rounds=1, turns_per_round=2), header_template="$commands")
    return SessionPlan(config, (Spec("slow"), TURTLE), seed=7)


class SlowFactory:
    """A brain's factory that takes as long as the test wants; what it made is closed or not."""

    def __init__(self, plugins) -> None:
        self.asked, self.go_on, self.closed = threading.Event(), threading.Event(), threading.Event()
        self.problem = ""
        plugins.kinds["slow"] = BrainKind("slow", "takes its time", self.make)

    def make(self, spec: Spec) -> ScriptedBrain:
        self.asked.set()
        self.go_on.wait(MOST_S)
        if self.problem:
            raise UsageError(self.problem)
        brain = ScriptedBrain(["M"] * 9)
        brain.close = self.closed.set
        return brain


@pytest.fixture
def slow(plugins):
    made = SlowFactory(plugins)
    yield made
    made.go_on.set()


def begun(app: App, plan: SessionPlan, failed=None) -> None:
    """Ask for a match from the title."""
    app.go.title()
    app.go.start(plan, failed)


def test_a_slow_factory_leaves_the_window_going_and_then_the_match_begins(plan, plugins, slow, quick):
    pictures = set()

    def steps(app):
        yield from until(lambda: isinstance(app.screen, LoadingScreen) and slow.asked.is_set())
        for _ in range(30):
            yield
            pictures.add(pygame.image.tobytes(pygame.display.get_surface(), "RGB"))
        slow.go_on.set()
        yield from until(lambda: isinstance(app.screen, MatchScreen) and app.screen.state.started)

    walk(App(plan, plugins, clock=VirtualClock()), lambda app: app.go.start(plan), steps)
    assert len(pictures) > 5, "the picture stands still"


@pytest.mark.parametrize("back", [
    (pygame.KEYDOWN, {"key": pygame.K_ESCAPE, "mod": 0, "unicode": ""}),
    (pygame.MOUSEBUTTONDOWN, {"button": 3, "pos": (9, 9), "touch": False}),
])  # fmt: skip
def test_back_gives_a_match_up_while_its_brains_are_made_and_what_comes_of_them_is_closed(back, plan, plugins, slow):
    def steps(app):
        for _ in range(20):
            yield
        assert isinstance(app.screen, LoadingScreen)
        pygame.event.post(pygame.event.Event(back[0], **back[1]))
        yield from until(lambda: isinstance(app.screen, TitleScreen))
        slow.go_on.set()

    walk(App(plan, plugins, with_title=True, clock=VirtualClock()), lambda app: begun(app, plan), steps)
    assert slow.closed.wait(MOST_S)


def test_wrong_options_are_said_where_the_player_was_or_close_the_window_of_the_command_line(plan, plugins, slow):
    app = App(plan, plugins, with_title=True, clock=VirtualClock())
    slow.problem = "there is no model 'x'; choose another one"
    slow.go_on.set()

    def first(app: App) -> None:
        app.go.seats(plan)
        app.go.start(plan, app.screen.complain)

    run_until(app, first, lambda app: isinstance(app.screen, SetupScreen) and app.screen.problem)
    assert app.screen.problem == "left: there is no model 'x'; choose another one"
    with pytest.raises(UsageError, match="left: there is no model 'x'"):
        App(plan, plugins, clock=VirtualClock()).run(lambda app: app.go.start(plan))


def test_a_slow_factory_of_a_person_leaves_the_match_going_while_a_seat_is_taken_over(plan, plugins, slow):
    plugins.kinds["slow"] = replace(plugins.kinds["slow"], human=True)
    del plugins.kinds["keyboard"]

    def steps(match):
        yield from asked_which_seat(match)
        yield from until(slow.asked.is_set)
        for _ in range(20):
            yield
        assert not match.state.taken_over
        slow.go_on.set()
        yield from until(lambda: match.state.taken_over)

    play(replace(plan, seats=(TURTLE, TURTLE)), plugins, steps)


def asked_which_seat(match):
    """Take a seat over, the first of the two."""
    press(pygame.K_F4)
    yield from until(lambda: isinstance(match.menu.dialog, MenuDialog))
    press(pygame.K_RETURN)


def test_a_seat_that_cannot_be_taken_over_is_said_over_the_match(plan, plugins):
    def steps(match):
        yield from asked_which_seat(match)
        (note,) = yield from until(lambda: match.frame.notes)
        assert "no plugin offers a person's seat" in note.words

    del plugins.kinds["keyboard"]
    play(replace(plan, seats=(TURTLE, TURTLE)), plugins, steps)


# Opening recorded sessions


@pytest.fixture
def session(tmp_path):
    return written(eventful(), tmp_path / "s.json")


@pytest.fixture
def held(monkeypatch):
    """Opening a session, held up after each line of progress until the test goes on."""
    steps = threading.Semaphore(0)

    def slowly(path, display, report):
        def hold(words):
            report(words)
            steps.acquire(timeout=MOST_S)

        return open_timeline(path, display, hold)

    monkeypatch.setattr("batllm_arcade.app.shell.open_timeline", slowly)
    yield steps
    steps.release(100)


def test_opening_a_session_shows_how_far_it_is_and_then_its_game(session, plan, plugins, held):
    lines: list[str] = []

    def steps(app):
        yield from until(lambda: isinstance(app.screen, LoadingScreen))
        assert app.screen.title == "Opening s.json"
        while isinstance(app.screen, LoadingScreen):
            if (words := app.screen.task.progress) and words not in lines:
                lines.append(words)
                held.release()
            yield
        assert isinstance(app.screen, ReplayScreen)
        assert app.screen.timeline.at(app.screen.clock.t).board.game == 2

    walk(App(plan, plugins, with_title=True, clock=VirtualClock()), lambda app: opened(app, session, 2), steps)
    assert lines == ["reading the file", "1 of 2 games", "2 of 2 games"]


def opened(app: App, session, game=None, failed=None) -> None:
    """Open a session from the title."""
    app.go.title()
    app.go.open_session(session, game, failed)


def test_back_gives_the_opening_of_a_session_up(session, plan, plugins, held):
    def steps(app):
        task = app.screen.task
        press(pygame.K_ESCAPE)
        yield from until(lambda: isinstance(app.screen, TitleScreen))
        held.release(100)
        task.join(MOST_S)
        assert task.result is None

    walk(App(plan, plugins, with_title=True, clock=VirtualClock()), lambda app: opened(app, session), steps)


def test_a_bad_file_is_said_in_one_sentence_where_the_player_was(tmp_path, plan, plugins):
    (tmp_path / "bad.json").write_text('{"games":')
    app, said = App(plan, plugins, with_title=True, clock=VirtualClock()), []
    run_until(app, lambda app: opened(app, tmp_path / "bad.json", failed=said.append), lambda app: bool(said))
    assert isinstance(app.screen, TitleScreen)
    assert "\n" not in said[0]
    assert "bad.json" in said[0]


@pytest.mark.parametrize("words", ['{"games":', '{"schema": "none", "games": []}', "[]", None])
def test_a_replay_from_the_command_line_refuses_a_bad_file_in_one_line(words, tmp_path, capsys):
    if words is not None:
        (tmp_path / "bad.json").write_text(words)
    assert main(["replay", str(tmp_path / "bad.json")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("played", "unnamed", "level"), [(False, True, "rookie"), (True, True, ""), (False, False, "")]
)
def test_the_first_opponent_ever_from_the_command_line_is_a_rookie(played, unnamed, level, monkeypatch, tmp_path):
    plans = []

    class NeverOpened(App):
        def run(self, first, each_frame=None) -> int:
            plans.append(self.go._plan)
            return 0

    monkeypatch.setattr(launch, "App", NeverOpened)
    file = SettingsFile()
    file.settings = replace(file.settings, played=played)
    monkeypatch.setattr(launch, "SettingsFile", lambda over=None: file)
    plan = SessionPlan(config.load("couch"), (Spec("keyboard"), Spec("embedded")), seed=1)
    launch.play(plan, manager.load(), unnamed=(False, unnamed))
    assert [spec.text("level") for spec in plans[0].seats] == ["", level]


def test_a_replay_from_the_command_line_opens_its_session_and_says_that_there_are_two_pygames(
    session, monkeypatch, capsys
):
    monkeypatch.setattr("importlib.metadata.version", lambda name: "2.6")
    opened = []

    def watch(app: App, first) -> int:
        run_until(app, first, lambda app: isinstance(app.screen, ReplayScreen))
        opened.append(app.screen)
        return 0

    class WatchedApp(App):
        def run(self, first, each_frame=None) -> int:
            return super().run(first, each_frame) if each_frame else watch(self, first)

    monkeypatch.setattr(launch, "App", WatchedApp)
    assert launch.replay(session) == 0
    assert "pygame 2.6 and pygame-ce 2.6 are in one folder" in capsys.readouterr().err
    assert opened
