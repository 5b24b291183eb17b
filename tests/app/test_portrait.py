"""Every menu is at home in a tall window: one column, nothing outside it, no words below 14 pixels."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest
from fakes import eventful
from menus import finish, shell
from shells import draw, parts

from batllm_arcade.app.kit.canvas import fitting_scale
from batllm_arcade.app.kit.dialog import DialogEntry, MenuDialog
from batllm_arcade.app.kit.menu_screen import MenuScreen
from batllm_arcade.app.kit.widgets import Button
from batllm_arcade.app.match.intermission import IntermissionDialog
from batllm_arcade.app.match.results import ResultsDialog
from batllm_arcade.app.replay.screen import ReplayScreen
from batllm_arcade.app.window import first_size
from batllm_arcade.brains.protocol import SeatInfo, Spec
from batllm_arcade.match.records import Play, RoundEnded
from batllm_arcade.plugin import manager
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.seats.table import Intermission
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings import config
from batllm_arcade.view.statistics import report
from batllm_arcade.view.timeline import Timeline

SIZE = (540, 960)
RECORDS = eventful()


@pytest.fixture
def app(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    seats = (Spec("keyboard"), Spec("embedded", "tactics"))
    with shell(SessionPlan(config.load("couch"), seats, seed=417), manager.load()) as made:
        yield made


@pytest.fixture
def drawn_sizes(monkeypatch) -> set[float]:
    """The heights in pixels of all words that are drawn."""
    sizes = set[float]()
    font = TextRenderer.font

    def spy(self, face, size, *how):
        sizes.add(size * self.scale)
        return font(self, face, size, *how)

    monkeypatch.setattr(TextRenderer, "font", spy)
    return sizes


def _statistics():
    ended = [*RECORDS[: next(n for n, r in enumerate(RECORDS) if isinstance(r, Play)) + 4]]
    ended.append(RoundEnded(1, 1, "complete", ended[-1].after))
    return report(ended)


def _between(app):
    statistics = _statistics()
    assert statistics is not None
    seats = (SeatInfo("Human", "keyboard", human=True), SeatInfo("SmolLM2", "embedded:tactics"))
    intermission = Intermission(1, 2, ("", "Rush."))
    return IntermissionDialog(app.ui, app.services, intermission, seats, (statistics, statistics), 0.0)


def _results(app):
    return ResultsDialog(*parts(app), report(RECORDS), [Button(f"Choice {n}", app.go.pop) for n in range(8)], 0.0)


def _question(app):
    entries = [DialogEntry("No, play on", app.go.pop, key="P"), DialogEntry("Leave", app.go.pop, danger=True)]
    return MenuDialog(app.ui, "Leave this match?", entries, app.go.pop, words="What has been played is kept. " * 3)


def _opened(app, name):
    plan = app.go._plan
    opens = {
        "title": app.go.title, "seats": lambda: app.go.seats(plan), "prompts": lambda: app.go.prompts(plan),
        "settings": app.go.settings_screen, "help": app.go.help_screen, "sessions": app.go.sessions,
        "between": lambda: app.go.show(_between(app)), "results": lambda: app.go.show(_results(app)),
        "question": lambda: app.go.show(_question(app)),
        "replay": lambda: app.go.show(ReplayScreen(*parts(app), Timeline.of(RECORDS))),
    }  # fmt: skip
    app.go.title()
    opens[name]()
    finish("availability")
    finish("session ")
    return app.screen


class NoMatch:
    """Draws nothing of a match."""

    def __init__(self, size):
        self.size = size

    def draw(self, *how):
        """Nothing."""


NAMES = ("title", "seats", "prompts", "settings", "help", "sessions", "between", "results", "question", "replay")


@pytest.mark.parametrize("name", NAMES)
def test_a_tall_window_shows_words_that_can_be_read_and_nothing_beside_it(name, app, drawn_sizes):
    screen = _opened(app, name)
    surface = pygame.Surface(SIZE)
    if name == "title":  # of the demo's picture only the arena is shown, without words
        screen.paint_back = screen._fit_picture = lambda *how: None
    if isinstance(screen, ReplayScreen):  # the match above the bar has a layout of its own
        screen._renderer_for = lambda size, scene: NoMatch(size)
    overlays = ("read", "keys") if isinstance(screen, ReplayScreen) else ("",)
    for overlay in overlays:
        for now in (4.0, 5.0):
            screen.update(now)
            draw(screen, surface)
            if isinstance(screen, ReplayScreen):
                screen._do(overlay)
        assert drawn_sizes
        assert min(drawn_sizes) >= 13.99
    if isinstance(screen, MenuScreen):
        canvas = screen.canvas
        assert canvas.narrow
        for widget in screen.form.widgets:
            assert widget.box.x >= 0
            assert widget.box.right <= canvas.width
            assert widget.box.h >= 30
            if widget not in (*getattr(screen, "rows", ()), *getattr(screen, "_rows", ())) and name != "seats":
                assert widget.box.bottom <= canvas.height


@pytest.mark.parametrize("name", ["seats", "prompts", "settings", "results", "between"])
def test_larger_words_still_fit_a_tall_window(name, app):
    app.ui.settings = replace(app.ui.settings, display=replace(app.ui.settings.display, ui_scale=1.5))
    screen = _opened(app, name)
    surface = pygame.Surface(SIZE)
    for now in (4.0, 5.0):
        screen.update(now)
        draw(screen, surface)
    canvas = screen.canvas
    assert canvas.scale > fitting_scale(SIZE)
    for widget in screen.form.widgets:
        assert widget.box.x >= 0
        assert widget.box.right <= canvas.width
        assert widget.box.h >= 20


def test_a_window_between_wide_and_tall_keeps_the_larger_of_both_scales():
    assert fitting_scale((1280, 720)) == 1.0
    assert fitting_scale((1920, 1080)) == 1.5
    assert fitting_scale((540, 960)) == 1.0
    assert fitting_scale((720, 720)) == 0.8
    assert fitting_scale((1280, 720), 1.5) == 1.5


@pytest.mark.parametrize(
    ("screen", "window"),
    [
        ((1920, 1080), (1280, 720)), ((1280, 720), (1280, 720)), ((2560, 1440), (1920, 1080)),
        ((3840, 2160), (2560, 1440)), ((540, 960), (518, 864)), ((1024, 600), (983, 540)), ((1080, 1920), (1037, 1728)),
    ],
)  # fmt: skip
def test_the_window_opens_in_a_size_that_fits_its_screen(screen, window):
    assert first_size(screen) == window
