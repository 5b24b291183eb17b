"""The arcade off screen: screens, keys, and a picture that never waits for a brain."""

from __future__ import annotations

import gc
import json
import os
import signal
import threading
import weakref
from contextlib import nullcontext
from dataclasses import replace

import pygame
import pytest
from fakes import Function, Hanging, ScriptedBrain, eventful, kind
from shells import parts
from signals import heard
from windows import VirtualClock, hasten, over, play, press, records, release, run_until, shown, tap, until, walk

from batllm_arcade.app.application import App
from batllm_arcade.app.match.screen import MatchScreen
from batllm_arcade.app.menus.title import TitleScreen
from batllm_arcade.app.replay.screen import ReplayScreen
from batllm_arcade.brains.protocol import BrainError, Decision, Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.history.reader import read
from batllm_arcade.history.verification import verify
from batllm_arcade.match.records import Play, SeatSwapped
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings.config import Config
from batllm_arcade.view.timeline import Timeline


@pytest.fixture(autouse=True)
def _off_screen(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


@pytest.fixture
def plan(tmp_path):
    config = Config(rules=Rules(total_rounds=1, turns_per_round=2), header_template="$commands")
    seats = (Spec("scripted", "random"), Spec("scripted", "turtle"))
    return SessionPlan(config, seats, seed=7, history=tmp_path / "match.json")


TURTLE = Spec("scripted", "turtle")


def begin(app: App, plan: SessionPlan, steps) -> App:
    """Start a match in a window and walk along `steps(app)`."""
    return walk(app, lambda app: app.go.start(plan), steps)


def underway(match):
    """Wait until some of it has been shown."""
    return until(lambda: len(match.state.timeline.segments) > 2)


def test_a_match_is_played_shown_and_recorded(plan, plugins, quick, clips):
    app = App(plan, plugins, clock=VirtualClock())
    run_until(app, lambda app: app.go.start(plan), over)
    assert sum(isinstance(record, Play) for record in shown(app)) == 4
    session = read(plan.history)
    assert session.end is not None
    assert session.games[0].result is not None
    assert not list(verify(session))


def test_screens_that_were_left_are_freed_with_their_pictures_and_their_threads_are_over(plan, plugins, quick):
    left = []

    def steps(app):
        for _ in range(4):
            yield from until(lambda: over(app) and (not left or app.screen is not left[-1]()))
            left.append(weakref.ref(app.screen))
            app.go.start(replace(plan, history=None))
        yield from until(lambda: isinstance(app.screen, MatchScreen))
        app.go.title()
        yield from until(lambda: isinstance(app.screen, TitleScreen) and all(screen() is None for screen in left))

    gc.disable()
    try:
        begin(App(plan, plugins, clock=VirtualClock(), with_title=True), plan, steps)
    finally:
        gc.enable()
    assert not [thread for thread in threading.enumerate() if thread.name == "match"]


def hang_up(match):
    os.kill(os.getpid(), signal.SIGHUP)
    yield from until(lambda: match.menu.go.ended)


@pytest.mark.parametrize("end", [lambda match: iter(()), pytest.param(hang_up, marks=pytest.mark.skipif(
    not hasattr(signal, "SIGHUP"), reason="this system has no SIGHUP"))])  # fmt: skip
def test_leaving_in_mid_match_and_closing_its_terminal_end_the_file_in_good_order(end, plan, plugins):
    def steps(match):
        yield from underway(match)
        yield from end(match)

    with heard(signal.SIGHUP) if end is hang_up else nullcontext():
        play(plan, plugins, steps)
    session = read(plan.history)
    assert session.games[0].result.reason == "aborted"
    assert session.end is not None


def test_a_paused_match_is_drawn_when_something_about_it_changes_not_sixty_times_a_second(plan, plugins, monkeypatch):
    drawn: list[object] = []
    draw = MatchScreen.draw
    monkeypatch.setattr(MatchScreen, "draw", lambda self, target: (drawn.append(self), draw(self, target)))

    def steps(match):
        yield from underway(match)
        match.menu.pause()
        for _ in range(20):
            yield
        drawn.clear()
        for _ in range(80):
            yield
        assert 4 <= len(drawn) <= 14, "four seconds of twenty frames: what has the focus glows, and once a second"
        drawn.clear()
        tap(pygame.K_DOWN)
        yield
        assert len(drawn) == 1, "a key is seen at once"

    play(plan, plugins, steps)


@pytest.mark.parametrize("first", [lambda app, plan: app.go.start(plan), lambda app, plan: app.go.title()])
def test_a_window_of_any_size_is_drawn_and_larger_again_is_what_it_was(first, plan, plugins, monkeypatch):
    plan = replace(plan, seats=(Spec("keyboard"), Spec("scripted", "turtle")))
    real, sizes, seen = pygame.display.get_surface, [(1, 1), (1280, 1), (1, 720), (63, 47), (2, 900), (0, 0)], []

    def drive(app: App) -> bool:
        if not isinstance(app.screen, (MatchScreen, TitleScreen)):
            return False
        size = sizes[min(len(seen) // 12, len(sizes) - 1)]  # each for twelve frames, until it has settled
        given = pygame.Surface(size) if size != (0, 0) else real()
        monkeypatch.setattr(pygame.display, "get_surface", lambda: given)
        seen.append(app.ui.window.surface(app._clock.now()).get_size())
        return len(seen) == 12 * len(sizes)

    run_until(App(plan, plugins, clock=VirtualClock(), with_title=True), lambda app: first(app, plan), drive)
    assert [seen[12 * number - 1] for number in range(1, 7)] == [
        (64, 48), (1280, 48), (64, 720), (64, 48), (64, 900), seen[0],
    ]  # fmt: skip


def test_a_person_plays_by_keys_and_the_plays_are_recorded_like_any_other(plan, plugins, quick):
    def steps(match):
        for key, frames in ((pygame.K_UP, 1), (pygame.K_d, 6)):
            yield from until(lambda: match.person)
            press(key)
            for _ in range(frames):
                yield
            release(key)
            yield from until(lambda: not match.person)
        yield from until(lambda: match.state.over)

    play(replace(plan, seats=(Spec("keyboard"), TURTLE)), plugins, steps)
    first, second = (turn for turn in turns(plan) if turn["order"] == 0)
    assert first["cmd"] == first["llm_response"] == "M"
    assert second["cmd"].startswith("C")
    assert 3 <= int(second["cmd"][1:]) <= 40
    assert {first["status"], second["status"]} == {"ok"}


def turns(plan: SessionPlan) -> list[dict]:
    return json.loads(plan.history.read_text())["games"][0]["rounds"][0]["turns"]


def test_the_second_person_has_keys_of_their_own(plan, plugins, quick):
    def steps(match):
        def played() -> bool:
            if match.person is not None:
                tap(pygame.K_LEFT if match.person.bot == 0 else pygame.K_a)  # the other person's keys do nothing
                tap(pygame.K_w if match.person.bot == 0 else pygame.K_UP)
            return match.state.over

        yield from until(played)

    play(replace(plan, seats=(Spec("keyboard"), Spec("keyboard"))), plugins, steps)
    assert {turn["cmd"] for turn in turns(plan)} == {"M"}


def raised(error: BaseException):
    raise error


AWAY = BrainError("the server at http://127.0.0.1:9 refused the connection; start it")
FAULTS = {
    "hangs": Hanging,
    "raises": lambda: Function(lambda view: 1 / 0),
    "exits": lambda: Function(lambda view: raised(SystemExit(3))),
    "answers 50 MB": lambda: Function(lambda view: Decision("x" * 50_000_000, "x" * 50_000_000)),
    "refuses": lambda: Function(lambda view: raised(AWAY)),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_brain_that_misbehaves_keeps_neither_the_picture_nor_the_match_waiting(fault, plan, plugins, monkeypatch):
    hasten(monkeypatch.setattr, 4)
    brain = FAULTS[fault]()
    plugins.kinds["bad"] = kind("bad", brain)
    deadline_s = 0.5 if fault == "hangs" else 30  # the others are on time, on however busy a machine
    config = replace(plan.config, rules=Rules(total_rounds=1, turns_per_round=5), deadline_s=deadline_s)
    thinking: list[object] = []

    def steps(match):
        mine = lambda: [play for play in records(match, Play) if play.bot == 0]  # noqa: E731
        yield from until(lambda: len(mine()) >= 4, lambda: thinking.append(match.state.table.thinking))
        expected = {"hangs": "timeout", "answers 50 MB": "invalid"}.get(fault, "error")
        assert [play.status for play in mine()[:3]] == [expected] * 3
        swaps = [record.seat.brain for record in records(match, SeatSwapped)]
        assert swaps == ([] if expected == "invalid" else ["scripted:random"])

    play(replace(plan, config=config, seats=(Spec("bad"), TURTLE)), plugins, steps)
    assert len([one for one in thinking if one]) >= 10 * (fault == "hangs"), "no frame was shown while it was asked"
    if isinstance(brain, Hanging):
        brain.released.set()


class Slow(ScriptedBrain):
    """Loads until `loaded` is set."""

    def __init__(self) -> None:
        super().__init__(["M", "M"])
        self.loaded = threading.Event()

    def prepare(self, report):
        report("reading a large file")
        self.loaded.wait(20)


@pytest.fixture
def slow(plugins):
    plugins.kinds["slow"] = kind("slow", brain := Slow())
    yield brain
    brain.loaded.set()


def loading(app: App):
    """Wait for a match that is getting ready; return it."""
    return until(lambda: isinstance(app.screen, MatchScreen) and app.screen.state.thread.loading and app.screen)


def test_while_a_model_loads_the_screen_moves_and_says_what_is_loaded(plan, plugins, quick, slow):
    pictures = set()

    def steps(app):
        match = yield from loading(app)
        for _ in range(30):
            yield
            pictures.add(pygame.image.tobytes(pygame.display.get_surface(), "RGB"))
        assert match.state.thread.progress == "reading a large file"
        slow.loaded.set()
        yield from until(lambda: over(app))

    plan = replace(plan, seats=(Spec("slow"), TURTLE))
    begin(App(plan, plugins, clock=VirtualClock()), plan, steps)
    assert len(pictures) >= 25


def test_a_brain_that_cannot_start_says_so_and_escape_leads_back_to_the_title(plan, plugins):
    broken = ScriptedBrain([])
    broken.prepare = lambda report: raised(BrainError("the model is not there; run: pull it"))
    plugins.kinds["broken"] = kind("broken", broken)

    def steps(app):
        problem = lambda: isinstance(app.screen, MatchScreen) and app.screen.state.thread.problem  # noqa: E731
        assert (yield from until(problem)) == "right: the model is not there; run: pull it"
        yield from until(lambda: app.screen.menu.dialog)
        press(pygame.K_ESCAPE)
        yield from until(lambda: isinstance(app.screen, TitleScreen))

    wanted = replace(plan, seats=(TURTLE, Spec("broken")))
    begin(App(wanted, plugins, with_title=True, clock=VirtualClock()), wanted, steps)
    assert not plan.history.exists()


def test_fire_pressed_as_the_game_ends_is_no_rematch_and_later_it_is_the_next_game_of_the_session(plan, plugins, quick):
    def steps(match):
        yield from until(lambda: match.state.over)
        press(pygame.K_RETURN)
        for _ in range(10):
            yield
        go = match.menu.go
        assert go.screen is match
        assert len(read(plan.history).games) == 1
        yield from until(lambda: go.screen is not match and over(go), lambda: press(pygame.K_RETURN))

    play(plan, plugins, steps)
    session = read(plan.history)
    assert [game.number for game in session.games] == [1, 2]
    assert session.games[0].arena != session.games[1].arena
    assert not list(verify(session))


def test_pausing_stops_the_picture_and_goes_on_where_it_was(plan, plugins):
    def steps(match):
        times = []
        press(pygame.K_p)
        for frame in range(60):
            yield
            times.append(match.state.clock.t)
            if frame == 30:
                press(pygame.K_p)
        assert times[10] == times[25]
        assert times[30] < times[-1] < times[25] + 1.0

    play(plan, plugins, steps, frames=60)


def test_a_replay_seeks_at_once_plays_and_stops_at_the_end(plugins):
    timeline = Timeline.of(eventful())
    app = App(None, plugins, clock=VirtualClock())
    screen = ReplayScreen(*parts(app), timeline)
    plays = [segment.start for segment in timeline.segments if isinstance(segment.record, Play)]

    def steps(app):
        press(pygame.K_SPACE)
        for t in plays[:2]:
            press(pygame.K_RIGHT)
            yield
            assert screen.clock.t == t
        press(pygame.K_END)
        yield
        yield
        assert screen.clock.t == timeline.end

    walk(app, lambda app: app.go.show(screen), steps)
    assert timeline.at(timeline.end).board.result is not None


def test_a_match_left_while_it_loads_leaves_no_file_and_never_comes_back(plan, plugins, quick, slow):
    def steps(app):
        yield from loading(app)
        assert not plan.history.exists()
        app.go.start(plan)
        yield from until(lambda: over(app))
        assert not slow.loaded.is_set(), "leaving does not wait for the one that loads"
        slow.loaded.set()

    first = replace(plan, seats=(Spec("slow"), TURTLE))
    begin(App(first, plugins, with_title=True, clock=VirtualClock()), first, steps)
    session = read(plan.history)
    assert [(game.number, game.seats[0].brain) for game in session.games] == [(1, "scripted:random")]
    assert not list(verify(session))


def test_a_dropped_observer_is_shown_in_the_window(plan, plugins, quick):
    def steps(match):
        plugins.problems.append("the plugin 'x' was dropped: it broke")
        yield from until(lambda: match.frame.scene.notices == ("the plugin 'x' was dropped: it broke",))

    play(plan, plugins, steps)


def test_a_key_held_before_the_turn_begins_aims_when_it_does(plan, plugins, quick):
    def steps(match):
        press(pygame.K_RIGHT)
        yield from until(lambda: match.frame.scene.aim and match.frame.scene.aim.turned > 5)

    play(replace(plan, seats=(Spec("keyboard"), TURTLE)), plugins, steps)


def test_in_each_turn_the_person_sees_the_lines_of_fire_of_that_turn(plan, plugins, quick):
    def steps(match):
        first = (yield from until(lambda: match.frame.scene.telegraph)).own.start
        tap(pygame.K_w)
        seen = lambda: match.frame.scene.telegraph  # noqa: E731
        yield from until(lambda: seen() and seen().own.start != first)

    play(replace(plan, seats=(Spec("keyboard"), TURTLE)), plugins, steps)
