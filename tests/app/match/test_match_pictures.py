"""How a live match and the pages over it look, against golden pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import golden
import pygame
import pytest
from menus import shell

from batllm_arcade.app.application import App
from batllm_arcade.app.match.intermission import IntermissionDialog
from batllm_arcade.app.match.results import ResultsDialog
from batllm_arcade.app.match.screen import MatchScreen
from batllm_arcade.brains.protocol import BrainKind, SeatInfo, Spec
from batllm_arcade.match import runner
from batllm_arcade.match.records import GameEnded, Play, RoundEnded
from batllm_arcade.plugin import manager
from batllm_arcade.seats.table import Table
from batllm_arcade.seats.waiting import Intermission
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings import config
from batllm_arcade.view.statistics import report
from batllm_arcade.view.timeline import Timeline

SEATS = (Spec("scripted", "sharpshooter"), Spec("scripted", "dancer"))
ORDERS = ("Keep your distance, and fire only when its shield is down or turned away from you.", "Dance around it.")
LONG = 60.0  # seconds on the shell's clock: everything that moves at first has come to rest


@pytest.fixture(scope="module")
def records():
    """A whole couch match of two scripted bots, always the same."""
    rules = config.load("couch").rules
    table = Table(manager.load().kinds, SEATS, fallback=SEATS[0])
    return list(runner.play(runner.MatchPlan(rules, seed=7, games=1, prompts=ORDERS), table))


@pytest.fixture
def app() -> Iterator[App]:
    plugins = manager.load()
    names = ("embedded", "gemini", "keyboard", "ollama", "scripted")
    for name in list(plugins.kinds):
        if name not in names:
            del plugins.kinds[name]
    plan = SessionPlan(config.load("couch"), SEATS, seed=7)
    with shell(plan, plugins) as made:
        made.settings = replace(made.settings, display=replace(made.settings.display, reduced_motion=True))
        yield made


@pytest.fixture
def screen(app, records) -> MatchScreen:
    """The match in mid flight, standing still: its third hit has just landed."""
    app.start(SessionPlan(config.load("couch"), SEATS, seed=7))
    screen = app.screen
    screen.worker.leave()
    screen.worker.join(5)
    screen.timeline = Timeline.of(records, app.settings.display)
    hits = [segment for segment in screen.timeline.segments if any(e.kind == "hit" for e in segment.effects)]
    screen.clock.t = hits[2].end
    screen.clock.hold()
    screen._records = [record for record in records if not isinstance(record, GameEnded)]
    screen._open_due_page = lambda: None
    return screen


def drawn(screen: MatchScreen, size: tuple[int, int], now: float = LONG) -> pygame.Surface:
    surface = pygame.Surface(size)
    screen.picture.draw(surface, now)
    return surface


@pytest.mark.parametrize("size", golden.SIZES)
def test_the_match_paused_after_a_play(size, screen):
    golden.assert_looks_like("match-paused", drawn(screen, size))


def test_the_wheel_is_named_where_there_is_one_to_take(screen, monkeypatch):
    screen.clock.paused = False
    assert "F4 wheel" in screen.picture._keys()
    monkeypatch.setattr(MatchScreen, "humans", (True, True))
    assert "wheel" not in screen.picture._keys()
    assert "F3 swap" in screen.picture._keys()
    monkeypatch.setattr(screen.worker.table, "taken_over", lambda bot: bot == 1)
    assert "F4 wheel" in screen.picture._keys()


@pytest.mark.parametrize("size", golden.SIZES)
def test_the_pause_menu(size, screen):
    screen.page = screen._menu.pause()
    golden.assert_looks_like("match-menu", drawn(screen, size))


@pytest.mark.parametrize("size", golden.SIZES)
def test_the_question_before_leaving(size, screen):
    screen.page = screen._menu.leave()
    golden.assert_looks_like("match-leave", drawn(screen, size))


@pytest.mark.parametrize("size", golden.SIZES)
def test_another_brain_beside_the_match(size, screen, monkeypatch):
    problems = {"gemini": "Gemini needs a key: set GEMINI_API_KEY", "ollama": "no server; run: ollama serve"}
    found = [(kind, problems.get(kind.name, "")) for kind in screen.shell.plugins.kinds.values()]
    monkeypatch.setattr("batllm_arcade.plugin.availability.missing", lambda kinds: found)
    page = screen.page = screen._menu.swap()
    page._look_around()
    page.form.set_focus(page.entries[3])
    golden.assert_looks_like("match-swap", drawn(screen, size))


def between(app: App, records, prompted: bool) -> IntermissionDialog:
    first = records[: next(n for n, r in enumerate(records) if isinstance(r, Play) and r.number == 30)]
    ended = [*first, RoundEnded(1, 1, "complete", first[-1].after)]
    brain = "told" if prompted else "scripted:dancer"
    app.plugins.kinds["told"] = BrainKind("told", "takes orders", lambda spec: None, prompted=True)
    seats = (SeatInfo("Human", "keyboard", human=True), SeatInfo("SmolLM2", brain))
    intermission = Intermission(1, 2, ("", "Rush the enemy and shoot whenever you can." if prompted else ""))
    return IntermissionDialog(app, intermission, seats, (report(ended), report(ended, 1)), 0.0)


@pytest.mark.parametrize("prompted", [True, False])
@pytest.mark.parametrize("size", golden.SIZES)
def test_between_rounds(size, prompted, screen, app, records):
    screen.page = between(app, records, prompted)
    golden.assert_looks_like("match-between-orders" if prompted else "match-between", drawn(screen, size))


@pytest.mark.parametrize("size", golden.SIZES)
def test_the_results(size, screen, app, records, tmp_path):
    screen.plan = replace(screen.plan, history=tmp_path / "match.json")
    screen.page = ResultsDialog(app, report(records), screen._menu.after(), 0.0)
    golden.assert_looks_like("match-results", drawn(screen, size))


@pytest.mark.parametrize(("left", "offered"), [("scripted:dancer", False), ("keyboard", False), ("embedded", True)])
def test_other_orders_are_offered_only_where_somebody_takes_orders(screen, left, offered):
    screen.plan = replace(screen.plan, seats=(Spec.parse(left), SEATS[1]))
    assert ("Change orders" in [button.text for button in screen._menu.after()]) == offered


@pytest.mark.parametrize("ui_scale", [1.25, 1.5])
def test_the_pages_fit_larger_words(ui_scale, screen, app, records):
    app.settings = replace(app.settings, display=replace(app.settings.display, ui_scale=ui_scale))
    for page in (ResultsDialog(app, report(records), screen._menu.after(), 0.0), between(app, records, True)):
        screen.page = page
        drawn(screen, (1280, 720))
        canvas = page.canvas(pygame.Surface((1280, 720)))
        for widget in page.form.widgets:
            assert widget.box.x >= 0
            assert widget.box.right <= canvas.width
            assert widget.box.bottom <= canvas.height
            assert widget.box.h >= 20
