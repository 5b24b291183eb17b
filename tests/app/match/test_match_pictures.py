"""How a match and the dialogs over it look: a golden picture of each, and nothing cut off or hidden at any size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import golden
import layout
import numpy as np
import pygame
import pytest
from menus import finish, shell
from paths import DATA
from shells import draw, parts
from windows import still_match

from batllm_arcade.app.application import App
from batllm_arcade.app.match.intermission import IntermissionDialog
from batllm_arcade.app.match.menu import SwapDialog
from batllm_arcade.app.match.results import ResultsDialog
from batllm_arcade.app.match.screen import MatchScreen
from batllm_arcade.app.match.state import MatchState
from batllm_arcade.brains.protocol import BrainKind, SeatInfo, Spec
from batllm_arcade.history.reader import read
from batllm_arcade.history.replay import replay
from batllm_arcade.match.records import GameStarted, Play, RoundEnded
from batllm_arcade.plugin import manager
from batllm_arcade.seats.table import Intermission
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings import config
from batllm_arcade.view import theme
from batllm_arcade.view.statistics import report
from batllm_arcade.view.timeline import Timeline

SEATS = (Spec("scripted", "sharpshooter"), Spec("scripted", "dancer"))
LONG = 60.0  # seconds on the shell's clock: everything that moves at first has come to rest


@pytest.fixture(scope="module")
def records():
    """A whole recorded match of two scripted bots, without a battery."""
    return list(replay(read(DATA / "couch_match.json")))


@pytest.fixture
def app() -> Iterator[App]:
    plugins = manager.load()
    names = ("embedded", "gemini", "keyboard", "ollama", "scripted")
    for name in list(plugins.kinds):
        if name not in names:
            del plugins.kinds[name]
    plan = SessionPlan(config.load("couch"), SEATS, seed=7)
    with shell(plan, plugins) as made:
        made.ui.settings = replace(made.ui.settings, display=replace(made.ui.settings.display, reduced_motion=True))
        yield made


@pytest.fixture
def screen(app, records) -> MatchScreen:
    """The match in mid flight, standing still: its third hit has just landed."""
    plan = SessionPlan(config.load("couch"), SEATS, seed=7)
    timeline = Timeline.of(records, app.ui.settings.display)
    hits = [segment for segment in timeline.segments if any(e.kind == "hit" for e in segment.effects)]
    screen = still_match(app, plan, timeline, hits[2].end)
    screen.state.clock.hold()
    return screen


def drawn(screen: MatchScreen, size: tuple[int, int], now: float = LONG) -> pygame.Surface:
    surface = pygame.Surface(size)
    screen.update(now)
    draw(screen, surface)
    return surface


def test_the_match_paused_after_a_play(screen):
    golden.assert_looks_like("match-paused", drawn(screen, layout.SIZES[0]))


def test_taking_over_is_offered_only_if_there_is_a_seat_to_take_or_to_hand_back(screen, monkeypatch):
    def tools() -> dict[str, str]:
        screen.update(LONG)
        return {f"{button.key} {button.words}": button.look for button in screen.frame.buttons}

    screen.state.clock.paused = False
    assert tools()["F4 take over"] == "ready"
    monkeypatch.setattr(MatchState, "humans", (True, True))
    assert tools()["F4 take over"] == "off"
    assert {"F3 players", "F9 film", "F10 clip", "- slower", "= faster", "SPACE FIRE"} <= set(tools())
    monkeypatch.setattr(screen.state.table, "taken_over", lambda bot: bot == 1)
    assert tools()["F4 hand back"] == "ready"


def test_a_renderer_of_another_match_draws_this_one_like_a_new_one(screen, records):
    def pictures(records) -> list[bytes]:
        screen.state.timeline = Timeline.of(records, screen.ui.settings.display)
        found = []
        for share in (0.0, 0.2, 0.5, 0.8, 1.0):
            screen.state.clock.t = share * screen.state.timeline.end
            found.append(pygame.image.tobytes(drawn(screen, (960, 540)), "RGB"))
        return found

    others = [
        replace(record, seats=(record.seats[1], record.seats[0])) if isinstance(record, GameStarted) else record
        for record in records
    ]
    fresh = pictures(records)
    assert pictures(others) != fresh
    assert pictures(records) == fresh


def between(app: App, screen: MatchScreen, records, prompted: bool) -> IntermissionDialog:
    first = records[: next(n for n, r in enumerate(records) if isinstance(r, Play) and r.number == 30)]
    ended = [*first, RoundEnded(1, 1, "complete", first[-1].after)]
    brain = "told" if prompted else "scripted:dancer"
    app.services.plugins.kinds["told"] = BrainKind("told", "takes orders", lambda spec: None, prompted=True)
    seats = (SeatInfo("Human", "keyboard", human=True), SeatInfo("SmolLM2", brain))
    intermission = Intermission(1, 2, ("", "Rush the enemy and shoot whenever you can." if prompted else ""))
    screen.state.table.intermission = intermission
    reports = (report(ended), report(ended, 1))
    return IntermissionDialog(app.ui, app.services, intermission, seats, reports, lambda: None, 0.0)


def swap(app, screen, records, monkeypatch) -> SwapDialog:
    problems = {"gemini": "Gemini needs a key: set GEMINI_API_KEY", "ollama": "no server; run: ollama serve"}
    missing = [(kind, problems.get(kind.name, "")) for kind in screen.services.plugins.kinds.values()]
    monkeypatch.setattr("batllm_arcade.plugin.availability.missing", lambda kinds: missing)
    dialog = screen.menu.swap_list()
    finish("availability")
    dialog.form.set_focus(dialog.entries[3])
    return dialog


DIALOGS = {
    "menu": lambda app, screen, *how: screen.menu.pause_menu(),
    "leave": lambda app, screen, *how: screen.menu.leave_question(),
    "swap": swap,
    "between": lambda app, screen, records, patch: between(app, screen, records, prompted=False),
    "between-orders": lambda app, screen, records, patch: between(app, screen, records, prompted=True),
    "results": lambda app, screen, records, patch: results(app, screen, records),
}


def results(app: App, screen: MatchScreen, records, now: float = 0.0) -> ResultsDialog:
    screen.state.plan = replace(screen.state.plan, history=Path("match.json"))
    return ResultsDialog(*parts(app), report(records), screen.menu.after_game(), now)


@pytest.mark.parametrize("name", DIALOGS)
@pytest.mark.parametrize("scale", [1.0, 1.25, 1.5])
def test_a_dialog_looks_as_it_was_judged_and_fits_into_windows_of_all_sizes(
    name, scale, screen, app, records, monkeypatch
):
    app.ui.settings = replace(app.ui.settings, display=replace(app.ui.settings.display, ui_scale=scale))
    screen.menu.dialog = dialog = DIALOGS[name](app, screen, records, monkeypatch)
    for size in layout.SIZES:
        layout.assert_fits(dialog, size, LONG)
    if scale == 1.0:
        golden.assert_looks_like(f"match-{name}", drawn(screen, layout.SIZES[0]))


@pytest.mark.parametrize("prompted", [False, True])
def test_notes_stand_in_their_bot_s_card_between_rounds(prompted, screen, app, records):
    screen.menu.dialog = dialog = between(app, screen, records, prompted)
    seat = dialog.game_statistics.seats[1]
    for size in layout.SIZES:
        pictures = []
        for seat.notes in ("Keep away from the wall. " * 6, "Come nearer at once. " * 6):
            pictures.append(pygame.surfarray.array3d(layout.assert_fits(dialog, size, LONG)))
        columns, rows = np.nonzero((pictures[0] != pictures[1]).any(axis=2))
        assert columns.min() > size[0] / 2, "in the card at the right"
        assert rows.max() - rows.min() > 30 * size[1] / 720, "in more lines than one"


@pytest.mark.parametrize("calm", [False, True])
def test_confetti_rains_on_the_results_beside_their_words_unless_motion_is_reduced(
    calm, screen, app, records, monkeypatch
):
    app.ui.settings = replace(app.ui.settings, display=replace(app.ui.settings.display, reduced_motion=calm))
    rained = []
    monkeypatch.setattr("batllm_arcade.app.match.results.draw_confetti", lambda *given: rained.append(given))
    screen.menu.dialog = results(app, screen, records, LONG - 3.0)
    drawn(screen, (1280, 720))
    assert len(rained) == (not calm)
    for canvas, age, color, words in rained:
        assert (age, color) == (3.0, theme.SEAT_COLORS[screen.menu.dialog.statistics.result.winner])
        title, sentences = words
        assert title.holds(canvas.width / 2, 60)
        assert title.bottom < sentences.bottom < screen.menu.dialog.form.widgets[0].box.y


def test_the_match_is_shown_at_twice_its_speed_while_a_person_waits_until_loaded(screen, monkeypatch):
    for idle in (True, False):
        monkeypatch.setattr("batllm_arcade.app.input.players.Players.idle", idle)
        screen.update(LONG)
        assert screen.state.clock.hurried == idle


@pytest.mark.parametrize(("left", "offered"), [("scripted:dancer", False), ("keyboard", False), ("embedded", True)])
def test_other_orders_are_offered_only_where_somebody_takes_orders(screen, left, offered):
    screen.state.plan = replace(screen.state.plan, seats=(Spec.parse(left), SEATS[1]))
    assert ("Change orders" in [text for text, *_ in screen.menu.rest(screen.state.plan)]) == offered


def test_escape_on_the_results_leaves_once_the_winner_has_been_seen(app, screen, records, monkeypatch):
    left: list[bool] = []
    monkeypatch.setattr(app.go, "leave_match", lambda *_: left.append(True))
    dialog = results(app, screen, records)
    seen, dialog.now = dialog.now, -99.0
    dialog.back()
    assert not left
    dialog.now = seen + 99
    dialog.back()
    assert left == [True]
    assert dialog.picker is None
