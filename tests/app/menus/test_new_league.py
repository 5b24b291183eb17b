"""A league set up in the window: by keys, by the mouse, by a gamepad; what is begun is what was chosen."""

from __future__ import annotations

from functools import partial

import pygame
import pytest
from layout import SIZES, assert_fits, cut_words
from menus import SIZE, click, finish, press, shell, tap, text
from shells import draw

from batllm_arcade.app.menus.leagues import LeaguesScreen
from batllm_arcade.app.menus.line_up import PlayerScreen
from batllm_arcade.app.menus.new_league import NewLeagueScreen
from batllm_arcade.app.services.leagues import Entrant, LeagueDraft
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.errors import UsageError
from batllm_arcade.plugin import manager
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings import config

K = pygame


@pytest.fixture(scope="module")
def plugins():
    return manager.load()


@pytest.fixture
def app(tmp_path, monkeypatch, plugins):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    seats = (Spec("keyboard"), Spec("scripted", "dancer"))
    with shell(SessionPlan(config.load("couch"), seats, seed=417), plugins) as made:
        made.begun = []
        made.services.league_jobs._start = lambda folder, request: made.begun.append((folder, request))
        made.go.title()
        yield made


def shown(app, kind):
    app.update(1.0)
    finish("availability")
    app.update(1.1)
    draw(app.screen, pygame.display.get_surface())
    assert isinstance(app.screen, kind)
    return app.screen


def new_league(app, entrants=None):
    """The screen of a league to be set up, with these players."""
    if entrants is not None:
        app.services.league_jobs.draft = LeagueDraft(entrants)
    app.go.new_league()
    return shown(app, NewLeagueScreen)


def at(widget, app):
    """Where a widget is, in pixels."""
    x, y = app.screen.form.shown(widget).middle
    return x * SIZE[0] / app.screen.canvas.width, y * SIZE[1] / app.screen.canvas.height


@pytest.mark.parametrize("by", ["keys", "a gamepad"])
def test_from_the_title_to_a_league_without_a_letter(by, app, tmp_path):
    def down_and_confirm(steps):
        for _ in range(steps):
            press(app, K.K_DOWN) if by == "keys" else tap(app, "dpdown")
        press(app, K.K_RETURN) if by == "keys" else tap(app, "a")

    down_and_confirm(5)
    shown(app, LeaguesScreen)
    finish("league search")
    screen = shown(app, LeaguesScreen)
    assert screen.league_list.entries == []
    down_and_confirm(0)
    shown(app, NewLeagueScreen)
    down_and_confirm(0)
    shown(app, LeaguesScreen)
    ((folder, request),) = app.begun
    assert folder.parent == tmp_path / "batllm-arcade" / "leagues"
    assert [player["name"] for player in request["plan"]["players"]] == ["Sharpshooter", "Turtle", "Dancer"]
    assert (request["plan"]["pairs"], request["plan"]["sessions"]) == (10, "all")


def test_by_the_mouse_alone_players_rules_and_games_are_chosen(app):
    screen = new_league(app)
    click(app, *at(screen.adds[0], app))
    player = shown(app, PlayerScreen)
    click(app, *at(player._copy, app))
    screen = shown(app, NewLeagueScreen)
    click(app, *at(screen.players[1], app))
    player = shown(app, PlayerScreen)
    click(app, *at(player._remove, app))
    screen = shown(app, NewLeagueScreen)
    click(app, *at(screen.rules[1], app))
    games = screen.settings[0][0]
    x, y = at(games, app)
    click(app, x + games.box.w / 2 - 20, y)
    click(app, *at(screen.start, app))
    ((_, request),) = app.begun
    plan = request["plan"]
    assert (plan["config"], plan["pairs"]) == ("arena", 20)
    names = [player["name"] for player in plan["players"]]
    assert names[:2] == ["Sharpshooter", "Dancer"]
    assert len(names) == 4
    assert names[3].startswith(names[2]), "a copy has a number"


def test_by_a_gamepad_alone(app):
    app.ui.controls.device = "pad"
    screen = new_league(app)
    tap(app, "a")
    assert len(app.begun) == 1
    screen = new_league(app)
    screen.form.set_focus(screen.players[0])
    tap(app, "a")
    shown(app, PlayerScreen)
    tap(app, "b")
    assert shown(app, NewLeagueScreen) is screen


def test_the_window_ends_its_league_when_it_closes(plugins):
    ended = []
    with shell(None, plugins) as app:
        app.services.league_jobs.close = lambda: ended.append("league")
    assert ended == ["league"]


def test_orders_and_options_of_a_player_are_what_is_played(app):
    screen = new_league(app, [Entrant(Spec("embedded", "tactics")), Entrant(Spec("scripted", "turtle"))])
    screen.open(0)
    player = shown(app, PlayerScreen)
    press(app, K.K_TAB)
    text(app, "Rush him.")
    press(app, K.K_ESCAPE)
    player.form.set_focus(next(row for row in player.card.widgets if row.label == "Level"))
    press(app, K.K_RIGHT)
    player.form.set_focus(player.card.name_row)
    text(app, "Rush=er")
    press(app, K.K_ESCAPE, K.K_ESCAPE)
    screen = shown(app, NewLeagueScreen)
    assert [row.text for row in screen.players] == ["Rusher", "Turtle"]
    assert screen.players[0].about[1] == "Rush him."
    press(app, K.K_RETURN, mod=K.KMOD_CTRL)
    first = app.begun[0][1]["plan"]["players"][0]
    assert (first["name"], first["orders"]) == ("Rusher", "Rush him.")
    assert Spec.parse(first["brain"]) == Spec("embedded", "tactics", {"level": "merciless"})


def test_a_brain_without_orders_gets_none_and_nobody_has_to_be_there(app):
    screen = new_league(app, [Entrant(Spec("scripted", "dancer"), "Rush.")] * 2)
    screen.open(0)
    player = shown(app, PlayerScreen)
    assert not any(spec.name in ("keyboard", "gamepad") for spec in player.card.choices)
    assert not any(getattr(row, "label", "") in ("Health", "Damage") for row in player.card.widgets)
    press(app, K.K_ESCAPE)
    assert app.services.league_jobs.draft.entrants[0].orders == ""


def test_two_players_stay_and_one_more_than_that_can_be_taken_out(app):
    screen = new_league(app)
    screen.form.set_focus(screen.players[2])
    press(app, K.K_DELETE)
    assert [row.text for row in screen.players] == ["Sharpshooter", "Turtle"]
    press(app, K.K_DELETE)
    assert len(screen.players) == 2
    assert "two players" in screen.problem
    screen.open(0)
    assert not shown(app, PlayerScreen)._remove.enabled


def test_who_cannot_play_is_named_and_nothing_is_begun(app):
    screen = new_league(app, [Entrant(Spec("scripted", "dancer")), Entrant(Spec("nobody"))])
    screen.go_on()
    assert "Nobody cannot play" in screen.problem
    assert screen.form.focus is screen.players[1]
    assert app.begun == []


def test_one_league_at_a_time(app, tmp_path):
    app.services.league_jobs.folder = tmp_path
    screen = new_league(app)
    screen.go_on()
    assert "being played" in screen.problem
    app.services.league_jobs.folder = None


def test_everything_is_in_the_window_and_nothing_on_top_of_another(app):
    app.go.new_league()
    for kind in (NewLeagueScreen, PlayerScreen):
        screen = shown(app, kind)
        for size in SIZES:
            surface = assert_fits(screen, size)
            assert kind is PlayerScreen or not cut_words(partial(draw, screen, surface))
        if kind is NewLeagueScreen:
            screen.open(1)


def test_models_behind_servers_have_a_limit_and_it_is_said_how_often_they_are_asked(app):
    players = [Entrant(Spec("ollama", "", {"model": "m"})), Entrant(Spec("scripted", "turtle"))]
    app.services.league_jobs.draft = draft = LeagueDraft(players)
    screen = new_league(app)
    assert draft.requests(screen._asks, screen._plays) == 20 * 3 * 18
    screen.form.set_focus(screen._limit)
    press(app, K.K_RIGHT)
    assert draft.run().max_requests == 500
    draft.entrants.append(Entrant(Spec("scripted", "dancer")))
    assert [draft.requests([first, not first, False], 1) for first in (True, False)] == [40, 40]
    draft.schedule = "gauntlet"
    assert [draft.requests([first, not first, False], 1) for first in (True, False)] == [40, 20]
    del draft.entrants[0]
    screen.fill()
    assert screen._limit not in screen.form.widgets


def test_names_are_such_as_a_league_takes(plugins):
    long = Entrant(Spec("scripted", "dancer", {"name": "x" * 60}))
    draft = LeagueDraft([long, long, Entrant(Spec("scripted", "dancer"))])
    plan = draft.plan(plugins.kinds, lambda each: "a\nb")
    assert [player.name for player in plan.players] == ["x" * 37, "x" * 37 + " 2", "a b"]
    assert plan.players[0].brain == "scripted:dancer", "the name is the player's, not an option"
    assert (len(draft.pairings), draft.games) == (3, 60)
    draft.schedule = "gauntlet"
    assert len(draft.pairings) == 2
    with pytest.raises(UsageError):
        LeagueDraft([long]).plan(plugins.kinds, lambda each: "a")


def test_a_bots_file_is_named_so_that_the_league_can_go_on_from_anywhere(plugins, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    draft = LeagueDraft([Entrant(Spec("proc", "bot.py")), Entrant(Spec("scripted", "dancer"))])
    plan = draft.plan(plugins.kinds, lambda each: each.spec.name)
    assert Spec.parse(plan.players[0].brain).variant == str(tmp_path / "bot.py")
