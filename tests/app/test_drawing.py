"""Drawing only reads: no screen and no dialog is another one after it has been drawn."""

from __future__ import annotations

import dataclasses
import types
from dataclasses import replace
from pathlib import Path
from typing import Any

import pygame
import pytest
from menus import finish, finish_loading, press, shell
from paths import DATA
from shells import parts
from windows import still_match

from batllm_arcade.agents.match import AgentMatch
from batllm_arcade.agents.seat import AgentSeat
from batllm_arcade.app.kit.canvas import Canvas
from batllm_arcade.app.kit.dialog import AddressDialog
from batllm_arcade.app.kit.menu_screen import MenuScreen
from batllm_arcade.app.kit.text_viewer import TextViewer
from batllm_arcade.app.match.agent_dialog import AgentDialog
from batllm_arcade.app.match.intermission import IntermissionDialog
from batllm_arcade.app.match.menu import LostSeat, log_viewer
from batllm_arcade.app.match.results import HealthChartView, ResultsDialog
from batllm_arcade.app.match.screen import MatchScreen
from batllm_arcade.app.menus.seat_card import NotReadyDialog
from batllm_arcade.app.menus.title import TitleScreen
from batllm_arcade.app.replay.screen import PlayOnDialog, ReplayScreen
from batllm_arcade.app.servers.screen import ServerScreen
from batllm_arcade.app.services.background import BackgroundTask
from batllm_arcade.app.services.leagues import Entrant
from batllm_arcade.app.shell import LoadingScreen, Services
from batllm_arcade.brains.protocol import SeatInfo, Spec
from batllm_arcade.cup.tree import CupEntrant, CupPlan
from batllm_arcade.history.forking import TurnPlace
from batllm_arcade.history.reader import read
from batllm_arcade.history.replay import replay
from batllm_arcade.match.records import Play, RoundEnded, SeatSwapped
from batllm_arcade.plugin import manager
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.seats.brain_thread import BotReport
from batllm_arcade.seats.table import Intermission
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings import config
from batllm_arcade.view.statistics import report
from batllm_arcade.view.timeline import Timeline

RECORDS = list(replay(read(DATA / "couch_match.json")))
SIZES = ((1280, 720), (540, 960))
BEFORE, NOW = 3.0, 4.0


@pytest.fixture
def app(tmp_path):
    seats = (Spec("keyboard"), Spec("embedded", "tactics"))
    with shell(SessionPlan(config.load("couch"), seats, seed=417), manager.load()) as made:
        yield made


def _match(app, dialog=None) -> MatchScreen:
    """A match that stands still after a hit."""
    timeline = Timeline.of(RECORDS, app.ui.settings.display)
    screen = still_match(app, app.go._plan, timeline, timeline.end / 2, guided=True)
    screen.state.clock.hold()
    if dialog is not None:
        screen.menu.dialog = dialog(screen)
    finish("availability")
    return screen


def _between(app, screen) -> IntermissionDialog:
    first = RECORDS[: next(n for n, r in enumerate(RECORDS) if isinstance(r, Play) and r.number == 30)]
    ended = [*first, RoundEnded(1, 1, "complete", first[-1].after)]
    seats = (SeatInfo("Human", "keyboard", human=True), SeatInfo("SmolLM2", "embedded:tactics"))
    screen.state.table.intermission = intermission = Intermission(1, 2, ("", "Rush."))
    statistics = (report(ended), report(ended, 1))
    return IntermissionDialog(app.ui, app.services, intermission, seats, statistics, lambda: None, 0.0)


def _picker(app):
    app.go.seats(app.go._plan)
    press(app, pygame.K_TAB, pygame.K_RETURN)
    assert app.screen.picker is not None


def _binding(app):
    app.go.settings_screen()
    for key in (pygame.K_DOWN, pygame.K_DOWN, pygame.K_DOWN, pygame.K_RETURN, pygame.K_RETURN):
        press(app, key)
    assert app.ui.controls.listening


def _replay(app, overlay: str) -> ReplayScreen:
    screen = ReplayScreen(*parts(app), Timeline.of(RECORDS))
    screen._mouse = (600, 700)
    screen._do(overlay)
    return screen


def _loading(app) -> LoadingScreen:
    task = BackgroundTask("waiting", lambda report: None)  # without a result nothing comes after it
    return LoadingScreen(*parts(app), app.screen, "Opening", task, lambda result: None, lambda error: None)


def _server(app) -> ServerScreen:
    screen = ServerScreen(*parts(app), lambda spec: None, Spec("openai", "lmstudio", {"model": "m"}))
    finish("availability")
    finish("looking for a keyring")
    return screen


def _league_player(app) -> None:
    app.go.new_league()
    app.services.league_jobs.draft.entrants[1] = Entrant(Spec("embedded", "tactics"), "Rush.")
    app.screen.open(1)
    finish("availability")


def _cup(app, names: int) -> None:
    """A cup of so many names, of whom the first has left."""
    entrants = tuple(CupEntrant(f"Somebody {number}", "scripted:dancer") for number in range(names))
    app.services.night.begin(CupPlan(entrants, best_of=3))
    app.services.night.cup.leave("Somebody 0")
    app.go.tonight()
    finish_loading(app)


def _not_ready(app) -> None:
    plan = app.go._plan
    app.go.seats(replace(plan, seats=(Spec("keyboard"), Spec("nobody"))))
    press(app, pygame.K_RETURN)
    app.go._plan = plan
    assert isinstance(app.screen, NotReadyDialog)


def _lost(app, screen) -> LostSeat:
    screen.state.table.lost = lambda bot: Spec("embedded")
    screen.state.lost = SeatSwapped(1, 1, 3, 1, SeatInfo("random", "scripted"), "fallback")
    screen.state.clock.paused = False
    screen.menu.update(0.0)
    assert isinstance(screen.menu.dialog, LostSeat)
    return screen.menu.dialog


def _log(app, screen) -> TextViewer:
    table = screen.state.table
    table.bot_report = lambda bot: BotReport("one fault", ["a line"] * 50)
    return log_viewer(app.ui, table, app.go.pop)


AGENT = AgentSeat(AgentMatch(), 1)
AGENT.code, AGENT.address = "ABCDEF", "http://127.0.0.1:8765/mcp"
SCREENS = {
    "title": lambda app: None,
    "seats": lambda app: app.go.seats(app.go._plan),
    "seats, a list": _picker,
    "phones": lambda app: app.go.phones(app.go._plan),
    "orders": lambda app: app.go.prompts(app.go._plan),
    "settings": lambda app: app.go.settings_screen(),
    "settings, a key": _binding,
    "help": lambda app: app.go.help_screen(),
    "sessions": lambda app: app.go.sessions(),
    "leagues": lambda app: app.go.leagues(),
    "a new league": lambda app: app.go.new_league(),
    "a new league, a player": _league_player,
    "a new cup": lambda app: app.go.new_cup(),
    "a new cup, a name": lambda app: (app.go.new_cup(), app.screen.open(0))[0],
    "a cup": lambda app: _cup(app, 16),
    "a cup, phones": lambda app: app.go.cup_phones(("Ann",), app.go.pop),
    "a cup, won": lambda app: _cup(app, 2),
    "replay": lambda app: _replay(app, ""),
    "replay, read": lambda app: _replay(app, "read"),
    "replay, keys": lambda app: _replay(app, "keys"),
    "replay, play on": lambda app: PlayOnDialog(
        app.ui, app.go, Path("s.json"), TurnPlace(1, 1, 2), ("a", "b"), (False, True)
    ),
    "a strange server": lambda app: AddressDialog(app.ui, "http://203.0.113.9:8000", app.go.pop, app.go.pop),
    "loading": _loading,
    "match": _match,
    "a server": _server,
    "seats, one not ready": _not_ready,
    "match, a problem": lambda app: _match(app, lambda it: it.menu.cannot_begin("It is gone.")),
    "match, a seat lost": lambda app: _match(app, lambda screen: _lost(app, screen)),
    "match, a log": lambda app: _match(app, lambda screen: _log(app, screen)),
    "match, an agent awaited": lambda app: _match(app, lambda screen: AgentDialog(app.ui, AGENT, app.go.pop)),
    "match, paused": lambda app: _match(app, lambda screen: screen.menu.pause_menu()),
    "match, another brain": lambda app: _match(app, lambda screen: screen.menu.swap_list()),
    "match, between rounds": lambda app: _match(app, lambda screen: _between(app, screen)),
    "match, results": lambda app: _match(
        app, lambda screen: ResultsDialog(*parts(app), report(RECORDS), screen.menu.after_game(), 0.0)
    ),
}


def snapshot(thing: Any, path: str = "", known: set[int] | None = None) -> dict[str, Any]:
    """All that a screen and its parts hold, by the way there; of other rooms only what they are, of pictures nothing.

    Each object is looked at once, for parts hold each other.
    """
    known = set() if known is None else known
    if isinstance(thing, (str, int, float, type(None))):
        return {path: thing}
    if isinstance(thing, (list, tuple, set)):
        parts = dict(enumerate(thing))
    elif isinstance(thing, dict):
        parts = thing
    elif id(thing) in known or not _has_state(thing):
        return {path: f"{type(thing).__name__} {id(thing)}"}
    else:
        known.add(id(thing))
        parts = {name: each for name, each in _attributes(thing).items() if name.strip("_") not in ("ui", "go")}
    found = {path: type(thing).__name__}
    for name, each in parts.items():
        if not _picture(each):
            found |= snapshot(each, f"{path}.{name}", known)
    return found


def _has_state(thing: Any) -> bool:
    """Whether it belongs to a screen: services change by themselves, on their threads."""
    room = type(thing).__module__
    others = room.startswith("batllm_arcade.app.services.") or isinstance(thing, Services)
    return room.startswith("batllm_arcade.app.") and not (others or isinstance(thing, (Canvas, types.FunctionType)))


def _attributes(thing: Any) -> dict[str, Any]:
    if dataclasses.is_dataclass(thing):
        return {field.name: getattr(thing, field.name) for field in dataclasses.fields(thing)}
    return vars(thing)


def _picture(thing: Any) -> bool:
    """Whether it is a picture, or what is kept with one."""
    if isinstance(thing, tuple):
        return any(map(_picture, thing))
    kept = isinstance(thing, (pygame.Surface, HealthChartView))
    return kept or type(thing).__module__.startswith("batllm_arcade.app.pictures")


def changes(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """What is another in two snapshots."""
    return {way: (before.get(way), after.get(way)) for way in before | after if before.get(way) != after.get(way)}


def test_every_screen_is_drawn_here(app):
    """Else what follows would hold for some of them alone."""
    app.go.title()
    drawn = set()
    for make in SCREENS.values():
        screen = make(app) or app.screen
        over = screen.menu.dialog if isinstance(screen, MatchScreen) else getattr(screen, "overlay", None)
        drawn |= {type(screen), type(over)}
        app.go.title()
    kinds, todo = {MatchScreen, ReplayScreen}, [MenuScreen]
    while todo:
        found = todo.pop().__subclasses__()
        kinds |= set(found)
        todo += found
    bases = {"Dialog", "ShortcutDialog", "SeatsScreen", "ListScreen", "LineUpScreen", "DoorScreen"}
    assert {kind.__name__ for kind in kinds - drawn} == bases


@pytest.mark.parametrize("name", SCREENS)
def test_drawing_changes_nothing_about_a_screen(name, app):
    app.ui.settings = replace(app.ui.settings, display=replace(app.ui.settings.display, reduced_motion=True))
    app.go.title()
    screen = SCREENS[name](app) or app.screen
    for size in SIZES:
        screen.update(BEFORE)
        finish("session ")
        finish("showreel")
        screen.update(NOW)
        finish("availability")
        screen.update(NOW)
        screen.lay_out(size)
        before, pictures = snapshot(screen), []
        assert len(before) > 40
        for _ in range(2):
            surface = pygame.Surface(size)
            screen.draw(surface)
            pictures.append(pygame.image.tobytes(surface, "RGB"))
            assert changes(before, snapshot(screen)) == {}
        assert pictures[0] == pictures[1]


HELD = ("replay", "match", "match, paused", "match, a problem", "match, a seat lost")
"""Screens that are drawn only when something about them has changed."""


@pytest.mark.parametrize("name", HELD)
def test_what_a_screen_says_of_its_picture_is_all_that_moves_in_it(name, app):
    app.go.title()
    screen = SCREENS[name](app)
    if isinstance(screen, ReplayScreen):
        screen.clock.paused = True
    surface, seen = pygame.Surface(SIZES[0]), []
    for step in range(9):
        screen.update(NOW + 0.37 * step)
        screen.lay_out(SIZES[0])
        screen.draw(surface)
        seen.append((screen.picture, pygame.image.tobytes(surface, "RGB")))
    (first, drawn), *others = seen[1:]
    assert first is not None
    assert any(picture == first for picture, _ in others)
    assert all(pixels == drawn for picture, pixels in others if picture == first)


class NoMatch:
    """Draws nothing of a match, whose picture has a layout of its own."""

    def __init__(self, size, scene):
        self.size = size

    def draw(self, *how):
        """Nothing."""


@pytest.mark.parametrize("name", [name for name in SCREENS if name not in ("loading", "match")])
def test_in_a_tall_window_no_words_are_too_small_to_be_read(name, app, monkeypatch):
    sizes, font = set(), TextRenderer.font
    app.go.title()
    screen = SCREENS[name](app) or app.screen
    if isinstance(screen, MatchScreen):
        screen = screen.menu.dialog
    elif isinstance(screen, ReplayScreen):
        monkeypatch.setattr(screen, "_renderer_for", NoMatch)
    elif isinstance(screen, TitleScreen):
        monkeypatch.setattr(screen, "paint_back", lambda *how: None)
        monkeypatch.setattr(screen, "_fit_picture", lambda *how: None)
    finish("availability")
    finish("session ")
    monkeypatch.setattr(TextRenderer, "font", lambda *how: (sizes.add(how[0].scale * how[2]), font(*how))[1])
    for now in (BEFORE, NOW):
        screen.update(now)
        screen.lay_out(SIZES[1])
        screen.draw(pygame.Surface(SIZES[1]))
    assert min(sizes) >= 13.99
