"""The cup of an evening in the window: set up, played, left, and gone on with after the program was killed."""

from __future__ import annotations

import shutil
import sys
import time

import pygame
import pytest
from layout import SIZES, assert_fits
from menus import finish, finish_loading, press, shell, text
from resources import small_files
from served import Page

from batllm_arcade.app.kit.widgets import Pressable
from batllm_arcade.app.match.screen import MatchScreen
from batllm_arcade.app.menus.cup import CupScreen
from batllm_arcade.app.menus.new_cup import NewCupScreen
from batllm_arcade.app.menus.phones import CupPhonesScreen
from batllm_arcade.app.services.cups import CupNight
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.cup.folder import cups_folder
from batllm_arcade.cup.tree import CupEntrant, CupPlan
from batllm_arcade.history.reader import read
from batllm_arcade.history.verification import verify
from batllm_arcade.match.records import Play
from batllm_arcade.plugin import manager
from batllm_arcade.serve.seat import open_server
from batllm_arcade.session.live_session import LiveSession, SessionPlan
from batllm_arcade.settings import config
from batllm_arcade.video import cup_film

K = pygame


@pytest.fixture
def app(tmp_path):
    with shell(
        SessionPlan(config.load("couch"), (Spec("keyboard"), Spec("scripted", "dancer")), 1), manager.load()
    ) as it:
        it.go.title()
        finish("demo")
        yield it


def cup_of(night, *brains, best_of=1, names=("Ann", "Bob", "Cid", "Dot")):
    entrants = tuple(CupEntrant(name, brain) for name, brain in zip(names, brains, strict=False))
    night.begin(CupPlan(entrants, best_of=best_of))
    return night.cup


def until(app, condition):
    ends = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < ends
        app.update(1.0)
        time.sleep(0.005)


def entries(dialog):
    return {widget.text: widget.do for widget in dialog.form.widgets if isinstance(widget, Pressable)}


def test_from_the_title_to_the_trophy(app, monkeypatch):
    press(app, K.K_DOWN, K.K_DOWN, K.K_RETURN)
    assert isinstance(app.screen, NewCupScreen)
    finish("availability")
    press(app, K.K_TAB)
    text(app, "Zoe")
    press(app, K.K_TAB, K.K_RIGHT, K.K_RIGHT, K.K_RETURN, K.K_TAB, K.K_RETURN)
    screen = app.screen
    assert isinstance(screen, CupScreen)
    names = [entrant.name for entrant in screen.cup.plan.entrants]
    assert names[0] == "Zoe", "what is typed replaces the name that was there"
    assert len(set(names)) == 5
    for name in names[:2]:
        app.go.forfeit(name, pytest.fail)
        finish_loading(app)
    while (screen := app.screen).next is not None:
        assert not {*screen.next.names} & {*names[:2]}
        entries(screen)["RESULT ONLY"]()
        finish_loading(app)
    assert screen.champion in names[2:]
    sessions = sorted(path.name for path in (screen.cup.folder / "sessions").iterdir())
    assert sessions == sorted(game.session for game in screen.cup.games)
    for size in SIZES:
        assert_fits(screen, size)
    asked = []
    app.services.films.start = lambda cup, *how: asked.append(cup)
    monkeypatch.setattr(cup_film, "winner_poster", lambda cup: cup.folder / "poster.png")
    press(app, K.K_RETURN)
    entries(screen)["POSTER"]()
    finish_loading(app)
    assert asked == [screen.cup.folder]
    assert "poster" in screen.news
    assert str(screen.cup.folder) in screen.news
    assert (screen.cup.folder / "report.html").exists()
    entries(screen)["NEW CUP"]()
    assert [row.editor.text for row in app.screen.players] == names, "the same people may play once more"


def test_two_cannot_be_called_the_same(app):
    app.go.new_cup()
    finish("availability")
    press(app, K.K_TAB)
    text(app, "Ben")
    press(app, K.K_TAB, K.K_TAB, K.K_RETURN)
    assert isinstance(app.screen, NewCupScreen)
    assert "Ben" in app.screen.problem
    assert not list(cups_folder().glob("*"))


def test_a_game_of_a_cup_leads_on_and_nowhere_else(app):
    cup = cup_of(app.services.night, "keyboard", "scripted:dancer", best_of=3)
    app.go.tonight()
    finish_loading(app)
    press(app, K.K_RETURN)
    screen = app.screen
    assert isinstance(screen, MatchScreen)
    assert {seat.name for seat in (screen.state.table.seat(0), screen.state.table.seat(1))} == {"Ann", "Bob"}
    until(app, lambda: screen.state.started)
    texts = [button.text for button in screen.menu.after_game()]
    assert texts[0] == "GO ON"
    assert not {"Rematch", "Change players"} & {*texts}

    results = screen.menu.results()
    results.update(99.0)
    results.back()
    finish_loading(app)
    assert isinstance(app.screen, CupScreen), "the game counts: nothing is asked"
    press(app, K.K_RETURN)
    until(app, lambda: app.screen.state.started)
    later = entries(app.screen.menu.leave_question())
    later["Play it on later"]()
    finish_loading(app)
    assert app.screen.next.games == ()
    assert "GO ON" in entries(app.screen)
    press(app, K.K_RETURN)
    entries(app.screen.menu.leave_question())["Ann forfeits"]()
    finish_loading(app)
    assert isinstance(app.screen, CupScreen)
    assert (app.screen.champion, cup.gone) == ("Bob", ["Ann"])


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits")
def test_a_full_disk_and_a_folder_that_is_gone_are_told_in_a_sentence(app):
    cup = cup_of(app.services.night, *["scripted:dancer"] * 4)
    app.go.tonight()
    finish_loading(app)
    with small_files(0):
        app.go.forfeit("Ann", app.screen.complain)
        finish_loading(app)
        assert "make room" in app.screen.problem
    app.go.forfeit("Ann", pytest.fail)
    finish_loading(app)
    assert cup.gone == ["Ann"]
    shutil.rmtree(cup.folder)
    press(app, K.K_RETURN)
    assert isinstance(app.screen, CupScreen)
    assert str(cup.folder) in app.screen.problem
    press(app, K.K_RETURN)
    assert isinstance(app.screen, NewCupScreen)


@pytest.mark.parametrize("killed", [True, False])
def test_a_game_goes_on_where_it_was_left_or_the_program_was_killed(killed, app, plugins):
    night = app.services.night
    cup = cup_of(night, "scripted:sharpshooter", "scripted:dancer")
    plan = night.game(plugins.kinds)
    session = LiveSession(plan, plugins)
    table = session.table(plan)
    table.prepare(lambda text: None)
    plays = []
    for record in session.match(plan, table):
        plays += [record] if isinstance(record, Play) else []
        if len(plays) == 7:
            break
    if killed:
        session.observers = None  # nothing more is written
    else:
        session.close()
    table.close()
    cup.close()
    night.cup = None

    again = CupNight()
    assert again.counted() is not None
    on = again.game(plugins.kinds)
    assert (on.fork.origin.round, on.fork.origin.turn) == (1, 3)
    again.play_out(plugins, lambda text: None)
    (game,) = again.cup.games
    path = again.cup.folder / "sessions" / game.session
    found = read(path)
    assert [play.decision for play in plays[:6]] == [play.decision for play in found.games[0].rounds[0].plays[:6]]
    assert not [*verify(found)]
    again.close()


def test_the_next_game_of_a_match_changes_the_sides_and_is_of_no_other_match(app, plugins):
    night = app.services.night
    cup = cup_of(night, *["scripted:sharpshooter"] * 4, best_of=3)
    first = night.match
    plan = night.game(plugins.kinds)
    session = LiveSession(plan, plugins)
    table = session.table(plan)
    table.prepare(lambda text: None)
    for _record in session.match(plan, table):
        pass
    session.close()
    table.close()
    app.go.cup_game(pytest.fail, first.id)
    finish_loading(app)
    second = app.screen.state.plan
    assert second.seats == plan.seats[::-1]
    assert sum(second.series.wins) == 1
    cup.leave(first.names[0])
    app.go.cup_game(pytest.fail, first.id)
    finish_loading(app)
    assert isinstance(app.screen, CupScreen)
    assert app.screen.next.id != first.id


def test_phones_come_by_name_and_are_led_to_their_seats(app):
    night = app.services.night
    app.go.new_cup()
    finish("availability")
    entries(app.screen)["+ PHONE"]()
    entries(app.screen)["This computer only"]()
    until(app, lambda: night.club is not None)
    server = open_server()
    pages = {name: Page(server) for name in ("Zoe", "Yan")}
    for name, page in pages.items():
        page.join("class", "class", page=name, name=name)
    until(app, lambda: len(night.club.members) == 2)
    press(app, K.K_RETURN)
    app.update(1.0)
    assert {*app.screen.draft.names[4:]} == {"Zoe", "Yan"}

    cup = cup_of(night, "browser", "browser", names=("Zoe", "Yan"))
    late = Page(server)
    late.join("class", "class", page="Xen", name="Xen")
    assert late.hear("wrong"), "nobody comes once it is drawn"
    pages["Zoe"].close()
    until(app, lambda: night.club.members["Zoe"].page is None)
    app.go.tonight()
    finish_loading(app)
    press(app, K.K_RETURN)
    assert isinstance(app.screen, CupPhonesScreen)
    assert {*app.screen.names} == {("Yan", True), ("Zoe", False)}
    pages["Zoe"] = Page(server)
    pages["Zoe"].join("class", "class", page="Zoe", name="Zoe")
    until(app, lambda: isinstance(app.screen, MatchScreen))
    for name, page in pages.items():
        while not (told := page.hear("mine"))["mine"]["seat"]:
            pass
        Page(server).join("seat", code=told["mine"]["seat"], name=name)
    until(app, lambda: app.screen.state.started)
    assert [app.screen.state.table.seat(bot).name for bot in (0, 1)] == [side.name for side in cup.sides(night.match)]
    app.go.title()
    until(app, lambda: open_server() is None)
