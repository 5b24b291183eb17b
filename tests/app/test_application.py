"""The arcade off screen: screens, keys, and a picture that never waits for a brain."""

from __future__ import annotations

import gc
import json
import os
import signal
import threading
import weakref
from dataclasses import replace

import pygame
import pytest
from fakes import Function, Hanging, ScriptedBrain, kind
from shells import parts
from signals import heard
from windows import VirtualClock, hasten, over, press, release, run_until, shown, tap

from batllm_arcade.app.application import App
from batllm_arcade.app.match.screen import MatchScreen
from batllm_arcade.app.menus.title import TitleScreen
from batllm_arcade.app.replay.screen import ReplayScreen
from batllm_arcade.brains.protocol import BrainError, Decision, Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.history.reader import read
from batllm_arcade.history.replay import replay
from batllm_arcade.history.verification import verify
from batllm_arcade.match.records import GameEnded, Play, SeatSwapped
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


def test_a_match_is_played_shown_and_recorded(plan, plugins, quick, clips):
    app = App(plan, plugins, clock=VirtualClock())
    run_until(app, lambda app: app.go.start(plan), over)
    assert sum(isinstance(record, Play) for record in shown(app)) == 4
    session = read(plan.history)
    assert session.end is not None
    assert session.games[0].result is not None
    assert not list(verify(session))


def test_screens_that_were_left_are_freed_with_their_pictures(plan, plugins, quick):
    app, left = App(plan, plugins, clock=VirtualClock(), with_title=True), []

    def drive(app: App) -> bool:
        if over(app) and len(left) < 3:
            left.append(weakref.ref(app.screen))
            app.go.start(plan)
        elif len(left) == 3 and isinstance(app.screen, MatchScreen):
            app.go.title()
        return isinstance(app.screen, TitleScreen) and len(left) == 3 and all(screen() is None for screen in left)

    gc.disable()
    try:
        run_until(app, lambda app: app.go.start(plan), drive)
    finally:
        gc.enable()


def test_leaving_in_mid_match_ends_the_file_in_good_order(plan, plugins):
    app = App(plan, plugins, clock=VirtualClock())
    run_until(
        app,
        lambda app: app.go.start(plan),
        lambda app: isinstance(app.screen, MatchScreen) and len(app.screen.state.timeline.segments) > 2,
    )
    session = read(plan.history)
    assert session.games[0].result.reason == "aborted"
    assert session.end is not None


def test_a_paused_match_is_drawn_when_something_about_it_changes_not_sixty_times_a_second(plan, plugins, monkeypatch):
    app, drawn, frames = App(plan, plugins, clock=VirtualClock()), [], []
    draw = MatchScreen.draw
    monkeypatch.setattr(MatchScreen, "draw", lambda self, target: (drawn.append(app._clock.now()), draw(self, target)))

    def drive(app: App) -> bool:
        if not frames and isinstance(app.screen, MatchScreen) and len(app.screen.state.timeline.segments) > 2:
            app.screen.menu.pause()
            frames.append(0)
        elif frames:
            frames.append(sum(at == app._clock.now() for at in drawn))
        if len(frames) == 100:
            tap(pygame.K_DOWN)
        return len(frames) == 101

    run_until(app, lambda app: app.go.start(plan), drive)
    assert 4 <= sum(frames[20:100]) <= 14, "four seconds of twenty frames: what has the focus glows, and once a second"
    assert frames[100] == 1, "a key is seen at once"


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no SIGHUP")
def test_a_terminal_that_is_closed_ends_the_match_in_good_order(plan, plugins):
    sent = []

    def drive(app: App) -> bool:
        if not sent and isinstance(app.screen, MatchScreen) and len(app.screen.state.timeline.segments) > 2:
            sent.append(os.kill(os.getpid(), signal.SIGHUP))
        return app.go.ended

    with heard(signal.SIGHUP):
        run_until(App(plan, plugins, clock=VirtualClock()), lambda app: app.go.start(plan), drive)
    assert sent
    session = read(plan.history)
    assert session.end is not None
    assert session.games[0].result.reason == "aborted"


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
    plan = replace(plan, seats=(Spec("keyboard"), Spec("scripted", "turtle")))
    clock = VirtualClock()
    app = App(plan, plugins, clock=clock)
    keys = [(pygame.K_UP, 0.01), (pygame.K_d, 0.3)]
    held: dict[int, float] = {}

    def drive(app: App) -> bool:
        now = clock.now()
        for key in [key for key, ends in held.items() if now > ends]:
            release(key)
            held.clear()
        screen = app.screen
        asking = screen.person if isinstance(screen, MatchScreen) else None
        if asking and not held:
            # By the number of plays made: a key pressed while the last one is still being taken is lost.
            key, seconds = keys[asking.view.turn - 1]
            press(key)
            held[key] = now + seconds
        return over(app)

    run_until(app, lambda app: app.go.start(plan), drive)
    mine = [
        play for play in json.loads(plan.history.read_text())["games"][0]["rounds"][0]["turns"] if play["order"] == 0
    ]
    assert mine[0]["cmd"] == mine[0]["llm_response"] == "M"
    assert mine[1]["cmd"].startswith("C")
    assert 3 <= int(mine[1]["cmd"][1:]) <= 40
    assert {play["status"] for play in mine} == {"ok"}


def test_the_second_person_has_keys_of_their_own(plan, plugins, quick):
    plan = replace(plan, seats=(Spec("keyboard"), Spec("keyboard")))
    app = App(plan, plugins, clock=VirtualClock())

    def drive(app: App) -> bool:
        screen = app.screen
        if isinstance(screen, MatchScreen) and (asking := screen.person):
            press(pygame.K_LEFT if asking.bot == 0 else pygame.K_a)  # the other person's keys: nothing happens
            release(pygame.K_LEFT if asking.bot == 0 else pygame.K_a)
            tap(pygame.K_w if asking.bot == 0 else pygame.K_UP)
        return over(app)

    run_until(app, lambda app: app.go.start(plan), drive)
    turns = json.loads(plan.history.read_text())["games"][0]["rounds"][0]["turns"]
    assert {play["cmd"] for play in turns} == {"M"}


HUGE = "x" * 50_000_000

FAULTS = {
    "hangs": Hanging,
    "raises": lambda: Function(lambda view: 1 / 0),
    "exits": lambda: Function(lambda view: raise_exit()),
    "answers 50 MB": lambda: Function(lambda view: Decision(HUGE, HUGE)),
    "refuses": lambda: Function(lambda view: raise_refused()),
}


def raise_exit():
    raise SystemExit(3)


def raise_refused():
    raise BrainError("the server at http://127.0.0.1:9 refused the connection; start it")


@pytest.mark.parametrize("fault", FAULTS)
def test_a_brain_that_misbehaves_keeps_neither_the_picture_nor_the_match_waiting(fault, plan, plugins, monkeypatch):
    hasten(monkeypatch.setattr, 4)
    brain = FAULTS[fault]()
    plugins.kinds["bad"] = kind("bad", brain)
    deadline_s = 0.5 if fault == "hangs" else 30  # the others are on time, on however busy a machine
    config = replace(plan.config, rules=Rules(total_rounds=1, turns_per_round=5), deadline_s=deadline_s)
    plan = replace(plan, config=config, seats=(Spec("bad"), Spec("scripted", "turtle")))
    app = App(plan, plugins, clock=VirtualClock())

    thinking = 0

    def enough(app: App) -> bool:
        nonlocal thinking
        match = app.screen
        thinking += isinstance(match, MatchScreen) and match.state.table.thinking is not None
        mine = [record for record in shown(app) if isinstance(record, Play) and record.bot == 0]
        return len(mine) >= 4

    run_until(app, lambda app: app.go.start(plan), enough)
    plays = [record for record in shown(app) if isinstance(record, Play) and record.bot == 0]
    expected = {"hangs": "timeout", "answers 50 MB": "invalid"}.get(fault, "error")
    assert [play.status for play in plays[:3]] == [expected] * 3
    swapped = [record for record in shown(app) if isinstance(record, SeatSwapped)]
    assert [record.seat.brain for record in swapped] == ([] if expected == "invalid" else ["scripted:random"])
    assert thinking >= {"hangs": 10}.get(fault, 0), "no frame was shown while the brain was asked"
    if isinstance(brain, Hanging):
        brain.released.set()


def test_while_a_model_loads_the_screen_moves_and_says_what_is_loaded(plan, plugins, quick):
    loaded = threading.Event()

    class Slow(ScriptedBrain):
        def prepare(self, report):
            report("reading a large file")
            loaded.wait(10)

    plugins.kinds["slow"] = kind("slow", Slow(["M", "M"]))
    plan = replace(plan, seats=(Spec("slow"), Spec("scripted", "turtle")))
    app = App(plan, plugins, clock=VirtualClock())
    pictures: list[bytes] = []

    def watch(app: App) -> bool:
        if isinstance(app.screen, MatchScreen) and app.screen.state.thread.loading and not loaded.is_set():
            pictures.append(pygame.image.tobytes(pygame.display.get_surface(), "RGB"))
            if len(pictures) == 30:
                assert app.screen.state.thread.progress == "reading a large file"
                loaded.set()
        return over(app)

    run_until(app, lambda app: app.go.start(plan), watch)
    assert len(set(pictures)) >= 25


def test_a_brain_that_cannot_start_says_so_and_escape_leads_back_to_the_title(plan, plugins):
    class Broken(ScriptedBrain):
        def prepare(self, report):
            raise BrainError("the model is not there; run: pull it")

    plugins.kinds["broken"] = kind("broken", Broken([]))
    start = replace(plan, seats=(Spec("scripted", "turtle"), Spec("broken")))
    app = App(start, plugins, with_title=True, clock=VirtualClock())

    def drive(app: App) -> bool:
        if isinstance(app.screen, MatchScreen) and app.screen.state.thread.problem:
            assert app.screen.state.thread.problem == "right: the model is not there; run: pull it"
            press(pygame.K_ESCAPE)
        return isinstance(app.screen, TitleScreen)

    run_until(app, lambda app: app.go.start(start), drive)
    assert not plan.history.exists()


def test_a_rematch_is_the_next_game_of_the_same_session(plan, plugins, quick):
    app = App(plan, plugins, clock=VirtualClock())
    screens: list[object] = []

    def drive(app: App) -> bool:
        if over(app):
            if app.screen not in screens:
                screens.append(app.screen)
            press(pygame.K_RETURN)
        return len(screens) == 2

    run_until(app, lambda app: app.go.start(plan), drive)
    session = read(plan.history)
    assert [game.number for game in session.games] == [1, 2]
    assert session.games[0].arena != session.games[1].arena
    assert not list(verify(session))


def test_pausing_stops_the_picture_and_goes_on_where_it_was(plan, plugins):
    app = App(plan, plugins, clock=VirtualClock(frames=60))
    times: list[float] = []

    def drive(app: App) -> bool:
        screen = app.screen
        if not isinstance(screen, MatchScreen) or not screen.state.timeline.segments:
            return False
        if not times:
            press(pygame.K_p)
        times.append(screen.state.clock.t)
        if len(times) == 30:
            press(pygame.K_p)
        return len(times) > 60

    run_until(app, lambda app: app.go.start(plan), drive)
    assert times[10] == times[25]
    assert times[-1] > times[30]
    assert times[-1] - times[25] < 1.0


def test_a_replay_seeks_at_once_plays_and_stops_at_the_end(plan, plugins, quick):
    app = App(plan, plugins, clock=VirtualClock())
    run_until(app, lambda app: app.go.start(plan), over)
    timeline = Timeline.of(replay(read(plan.history)))
    app = App(None, plugins, clock=VirtualClock())
    screen = ReplayScreen(*parts(app), timeline)
    icons = [segment.start for segment in timeline.segments if isinstance(segment.record, Play)]
    visited: list[float] = []

    def drive(app: App) -> bool:
        visited.append(screen.clock.t)
        if len(visited) in (1, 2, 3):
            press(pygame.K_SPACE if len(visited) == 1 else pygame.K_RIGHT)
        if len(visited) == 6:
            press(pygame.K_END)
        return len(visited) > 8

    run_until(app, lambda app: app.go.show(screen), drive)
    assert set(icons[:2]) <= set(visited)
    assert visited[-1] == timeline.end
    assert isinstance(timeline.segments[-1].record, GameEnded) or timeline.at(timeline.end).board.result is not None


def test_a_match_left_while_it_loads_leaves_no_file_and_never_comes_back(plan, plugins, quick):
    held = threading.Event()

    class Slow(ScriptedBrain):
        def prepare(self, report):
            held.wait(20)

    plugins.kinds["slow"] = kind("slow", Slow([]))
    first = replace(plan, seats=(Spec("slow"), Spec("scripted", "turtle")))
    app = App(first, plugins, with_title=True, clock=VirtualClock())

    def drive(app: App) -> bool:
        screen = app.screen
        if isinstance(screen, MatchScreen) and screen.state.thread.loading and screen.state.plan.seats == first.seats:
            assert not plan.history.exists()
            app.go.start(plan)
        if over(app):
            assert not held.is_set(), "leaving does not wait for the one that loads"
            held.set()
        return over(app)

    run_until(app, lambda app: app.go.start(first), drive)
    session = read(plan.history)
    assert [game.number for game in session.games] == [1]
    assert session.games[0].seats[0].brain == "scripted:random"
    assert not list(verify(session))


def test_a_dropped_observer_is_shown_in_the_window(plan, plugins, quick):
    app = App(plan, plugins, clock=VirtualClock())
    scenes: list[tuple[str, ...]] = []

    def drive(app: App) -> bool:
        if isinstance(app.screen, MatchScreen) and app.screen.state.timeline.segments:
            if not scenes:
                plugins.problems.append("the plugin 'x' was dropped: it broke")
            scenes.append(app.screen.frame.scene.notices)
        return over(app)

    run_until(app, lambda app: app.go.start(plan), drive)
    assert scenes[-1] == ("the plugin 'x' was dropped: it broke",)


def test_fire_pressed_as_the_game_ends_is_no_rematch(plan, plugins, quick):
    app = App(plan, plugins, clock=VirtualClock())
    seen: list[float] = []

    def drive(app: App) -> bool:
        if over(app):
            if not seen:
                press(pygame.K_RETURN)
            seen.append(0.0)
        return len(seen) > 10

    run_until(app, lambda app: app.go.start(plan), drive)
    assert len(read(plan.history).games) == 1


def test_a_key_held_before_the_turn_begins_aims_when_it_does(plan, plugins, quick):
    plan = replace(plan, seats=(Spec("keyboard"), Spec("scripted", "turtle")))
    app = App(plan, plugins, clock=VirtualClock())
    state = {"pressed": False, "aimed": 0.0}

    def drive(app: App) -> bool:
        screen = app.screen
        if isinstance(screen, MatchScreen) and not state["pressed"]:
            press(pygame.K_RIGHT)
            state["pressed"] = True
        if isinstance(screen, MatchScreen) and screen.state.timeline.segments:
            aim = screen.frame.scene.aim
            state["aimed"] = max(state["aimed"], aim.turned if aim else 0.0)
        return state["aimed"] > 5

    run_until(app, lambda app: app.go.start(plan), drive)


def test_in_each_turn_the_person_sees_the_lines_of_fire_of_that_turn(plan, plugins, quick):
    plan = replace(plan, seats=(Spec("keyboard"), Spec("scripted", "turtle")))
    app = App(plan, plugins, clock=VirtualClock())
    starts: list[tuple[float, float]] = []

    def drive(app: App) -> bool:
        scene = app.screen.frame.scene if isinstance(app.screen, MatchScreen) else None
        if scene is not None and scene.telegraph is not None and scene.telegraph.own.start not in starts:
            starts.append(scene.telegraph.own.start)
            tap(pygame.K_w)
        return len(starts) == 2

    run_until(app, lambda app: app.go.start(plan), drive)


def test_matches_that_were_left_are_not_kept(plan, plugins, quick):
    app = App(plan, plugins, with_title=True, clock=VirtualClock())
    screens: list[object] = []

    def drive(app: App) -> bool:
        if isinstance(app.screen, MatchScreen) and app.screen not in screens:
            screens.append(app.screen)
        if over(app) and len(screens) < 5:
            app.go.start(replace(plan, history=None))
        return len(screens) == 5 and over(app)

    run_until(app, lambda app: app.go.start(plan), drive)
    assert len(screens) == 5
    assert not [thread for thread in threading.enumerate() if thread.name == "match"]
