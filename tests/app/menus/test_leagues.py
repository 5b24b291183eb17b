"""The leagues screen: tables followed while they are played, a pairing's most dramatic game, damaged folders."""

from __future__ import annotations

import json
import os

import pygame
import pytest
from layout import SIZES, assert_fits
from leagues import begun, small
from shells import FakeShell, draw, key, parts

from batllm_arcade.analysis.game import swings
from batllm_arcade.app.menus.leagues import LeaguesScreen
from batllm_arcade.app.services.leagues import QUIET_S, LeagueJobs, find_dramatic, find_leagues
from batllm_arcade.app.services.sessions import open_timeline
from batllm_arcade.errors import UsageError
from batllm_arcade.league.engines.pair_play import PairPlayer
from batllm_arcade.league.output.files import write_table
from batllm_arcade.league.plan import PairSchedule
from batllm_arcade.league.statistics.table import table
from batllm_arcade.league.store import LeagueStore
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.video.edit.highlights import drama

K = pygame
PLAN = small("me=scripted:sharpshooter", "you=scripted:dancer", "it=scripted:random", pairs=2, sessions="all", rounds=2)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A league of three players, all its sessions kept."""
    folder = tmp_path_factory.mktemp("leagues") / "first"
    setup = begun(folder, PLAN)
    store, player = LeagueStore(folder, PLAN), PairPlayer(setup)
    for pair in PairSchedule(PLAN).from_number(1):
        store.add([player.play(pair)])
    write_table(folder, table(PLAN, store.tally, complete=True), PLAN, "")
    player.close()
    store.close()
    return folder


@pytest.fixture
def leagues(played, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()
    pygame.display.set_mode((1, 1))
    folder = tmp_path / "batllm-arcade" / "leagues"
    folder.mkdir(parents=True)
    (folder / "first").symlink_to(played)
    return folder


def looked(screen, now):
    """Have the screen look and take over what it finds, then draw it."""
    screen.update(now)
    if screen.league_list.task is not None:
        screen.league_list.task.join()
    screen.update(now)
    draw(screen, pygame.Surface((1280, 720)))


def opened():
    screen = LeaguesScreen(*parts(FakeShell()))
    looked(screen, 0.0)
    return screen


def test_a_pairing_is_chosen_and_its_most_dramatic_game_is_opened(leagues, played):
    screen = opened()
    for size in SIZES:
        assert_fits(screen, size, 0.0)
    assert [(row.entry.title, row.entry.state) for row in screen.rows] == [("3 players", "complete")]
    assert len(screen.pairings) == 3
    key(screen, K.K_RETURN, K.K_DOWN, K.K_RETURN)
    pairing = screen.form.focus.pairing.players
    looked(screen, 0.1)
    listed = [item.more for item in screen.picker.items][1:]
    assert len(listed) == 4, "both games of both pairs, whoever won"
    key(screen, K.K_RETURN)
    looked(screen, 0.2)
    (found,) = screen.ui.opened
    display = screen.ui.settings.display
    measures = {}
    for text in (played / "pairs.jsonl").read_text().splitlines():
        line = json.loads(text)
        if set(line["players"]) == set(pairing):
            for game in (1, 2):
                path = played / "sessions" / f"{line['pair']}-{game}.json"
                timeline = open_timeline(path, display, lambda text: None)
                measures[path.name] = drama(timeline, swings(segment.record for segment in timeline.segments))
    assert len(measures) == 4
    assert measures[found.name] == max(measures.values()) > 0
    screen.leave()


def test_a_league_that_is_played_is_followed(leagues):
    now = 1_767_268_800.0
    folder, shell = leagues / "second", FakeShell()
    begun(folder, PLAN)
    os.utime(folder / "league.json", (now, now))
    screen = LeaguesScreen(*parts(shell))
    screen.league_list._clock = lambda: now + 1
    looked(screen, 0.0)
    row = next(row for row in screen.rows if row.entry.path == folder)
    assert (row.entry.state, row.entry.pairs, row.entry.total) == ("running", 0, 6)
    screen.choose(row, True)
    looked(screen, 0.2)
    assert not screen.pairings
    store = LeagueStore(folder, PLAN)
    write_table(folder, table(PLAN, store.tally, complete=False), PLAN, "")
    store.close()
    for path in folder.iterdir():
        os.utime(path, (now + 2, now + 2))
    looked(screen, 2.0)
    assert screen.entry.path == folder  # the selection stays
    assert len(screen.pairings) == 3
    screen.league_list._clock = lambda: now + 3 + QUIET_S
    looked(screen, 4.0)
    assert screen.entry.state == "paused"
    key(screen, K.K_TAB, K.K_RETURN)
    looked(screen, 4.5)
    assert screen.problem.startswith("No game of ")
    screen.leave()


def test_any_game_that_was_kept_can_be_opened(leagues, played):
    screen = opened()
    key(screen, K.K_TAB, K.K_RETURN)
    looked(screen, 0.1)
    item = screen.picker.items[2]
    key(screen, K.K_DOWN, K.K_DOWN, K.K_RETURN)
    (path,) = screen.ui.opened
    pair, game = path.stem.split("-")
    assert item.text == f"Pair {pair}, game {game}"
    line = json.loads((played / "pairs.jsonl").read_text().splitlines()[int(pair) - 1])
    winner = line["games"][int(game) - 1]["winner"]
    assert item.more.startswith(f"{winner} wins" if winner else "a draw")
    screen.leave()


class Jobs(LeagueJobs):
    """Plays nothing; what it was asked for is kept."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = []

    def _start(self, folder, request):
        self.asked.append((folder, request))
        self.folder = self.last = folder

    def stop(self):
        self.asked.append("stop")


def test_the_button_stops_a_league_goes_on_with_it_or_plays_more(leagues):
    begun(leagues / "second", PLAN)
    screen = LeaguesScreen(*parts(FakeShell()))
    jobs = screen.services.league_jobs = Jobs()
    looked(screen, 0.0)
    states = {}
    for row in list(screen.rows):
        screen.choose(row, False)
        looked(screen, 0.0)
        states[row.entry.path.name] = screen.play_button.text
        screen.play()
        looked(screen, 0.0)
        assert screen.play_button.text == "STOP"
        screen.play()
        jobs.folder = None
    assert states == {"first": "PLAY MORE", "second": "GO ON"}
    wished = {each[0].name: each[1]["pairs"] for each in jobs.asked if each != "stop"}
    assert wished == {"first": 4, "second": None}
    assert jobs.asked.count("stop") == 2
    jobs.folder = leagues / "elsewhere"
    screen.play()
    assert "Another league is being played" in screen.problem
    screen.leave()


def test_a_league_that_is_played_here_is_selected_and_tells_the_time_left(leagues):
    begun(leagues / "second", PLAN)
    os.utime(leagues / "second" / "league.json", (1, 1))  # it is the older one
    screen = LeaguesScreen(*parts(FakeShell()))
    jobs = screen.services.league_jobs = Jobs()
    jobs.folder = jobs.last = screen._awaited = leagues / "second"
    jobs.pairs, jobs.total, jobs.left_s = 4, 6, 90.0
    looked(screen, 0.0)
    assert screen.entry.path == leagues / "second"
    assert screen.form.focus is screen.selected
    assert screen._left() == "4 of 6 pairs, 90 s left"
    assert screen.entry.state == "running"
    jobs.folder, jobs.words = None, "the league pauses: 9 tokens are spent"
    looked(screen, 0.1)
    assert screen._left() == ""
    assert screen._said()[0] == "The league pauses: 9 tokens are spent"
    screen.leave()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("league.json", "{"), ("league.json", "[]"), ("league.json", '{"schema": "batllm_arcade.league.v1"}'),
        ("table.json", "{"), ("table.json", '{"players": [], "matrix": [{}]}'),
        ("table.json", '{"players": [{"name": "somebody"}], "matrix": [], "pairs": 1, "complete": false}'),
    ],
)  # fmt: skip
def test_a_damaged_league_is_listed_as_such_and_harms_nobody(leagues, name, text):
    begun(leagues / "bad", PLAN)
    (leagues / "bad" / name).write_text(text)
    (leagues / "a file").touch()
    (leagues / "empty").mkdir()
    states = {entry.path.name: entry.state for entry in find_leagues(leagues, {}, 0.0)}
    assert states == {"first": "complete", "bad": "cannot be read"}
    screen = opened()
    for row in list(screen.rows):
        screen.choose(row, True)
        looked(screen, 0.0)
    screen.leave()


def test_lines_and_sessions_that_cannot_be_read_are_passed_over(played, tmp_path):
    (tmp_path / "sessions").mkdir()
    lines = (played / "pairs.jsonl").read_text().splitlines()
    (tmp_path / "pairs.jsonl").write_text("\n".join(["[]", "{", '{"players": 3}', lines[0], lines[0][:40]]))
    first = json.loads(lines[0])
    names = tuple(first["players"])
    (tmp_path / "sessions" / "1-1.json").write_text("{}")
    with pytest.raises(UsageError, match="no game of"):
        find_dramatic(tmp_path, names, DisplayOptions(), lambda text: None)
    good = (played / "sessions" / "1-2.json").read_bytes()
    (tmp_path / "sessions" / "1-2.json").write_bytes(good)
    assert find_dramatic(tmp_path, names[::-1], DisplayOptions(), lambda text: None).name == "1-2.json"


def test_nothing_there_is_said(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()
    pygame.display.set_mode((1, 1))
    screen = opened()
    assert screen.league_list.entries == []
    key(screen, K.K_RETURN)
    assert screen.ui.calls[-1] == "new_league"
    key(screen, K.K_ESCAPE)
    assert screen.ui.calls[-1] == "title"
    screen.leave()
