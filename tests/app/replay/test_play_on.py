"""Playing on from a moment of a replay."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pygame
import pytest
from fakes import eventful
from paths import DATA
from shells import FakeShell, draw, key, parts
from turners import Turners

from batllm_arcade.app.match.state import MatchState
from batllm_arcade.app.replay.screen import TOO_EARLY, PlayOnDialog, ReplayScreen
from batllm_arcade.app.services.sessions import STAND_INS, play_on_plan
from batllm_arcade.app.shell import Navigation
from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.errors import UsageError
from batllm_arcade.history.forking import TurnPlace, fork_at
from batllm_arcade.history.reader import read
from batllm_arcade.match import runner as forked_game
from batllm_arcade.match.records import Play
from batllm_arcade.match.runner import MatchPlan
from batllm_arcade.plugin import manager
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view.timeline import Timeline

TIMELINE = Timeline.of(eventful())
STARTS = [segment.start for segment in TIMELINE.segments if isinstance(segment.record, Play)]
COUCH = DATA / "couch_match.json"


@pytest.fixture(scope="module")
def plugins():
    return manager.load()


@pytest.fixture
def screen(tmp_path, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()
    pygame.display.set_mode((1, 1))
    made = ReplayScreen(*parts(FakeShell()), TIMELINE, tmp_path / "s.json")
    draw(made, pygame.Surface((1280, 720)))
    return made


@pytest.mark.parametrize(
    ("play", "place"), [(0, None), (1, (1, 1, 1)), (2, (1, 1, 1)), (3, (1, 1, 2)), (len(STARTS) - 1, "last")]
)
def test_the_key_asks_for_the_last_whole_turn(screen, play, place):
    screen.clock.seek(STARTS[play] + 0.01)
    key(screen, pygame.K_g)
    (dialog,) = screen.ui.pushed
    assert screen.clock.paused
    if place is None:
        assert dialog.words == TOO_EARLY
        assert [entry.text for entry in dialog.form.widgets] == ["Back to the replay"]
    else:
        last = [segment.record for segment in TIMELINE.segments if isinstance(segment.record, Play)][play]
        found = dialog._place
        assert found == place if place != "last" else (found.game, found.round) == (last.game, last.round)
        assert dialog.form.widgets[0].text == "Play blue yourself, for left"


def test_a_choice_says_who_plays_on():
    asked = []

    class Go(FakeShell):
        def play_on(self, path, place, bot, failed):
            asked.append((path, place, bot))

    go, place = Go(), TurnPlace(1, 2, 3)
    dialog = PlayOnDialog(go, go, Path("s.json"), place, ("Ann", "Bob"), (False, True))
    assert [entry.text for entry in dialog.form.widgets[:2]] == [
        "Play blue yourself, against the built-in bot",
        "Play orange yourself, for Bob",
    ]
    for entry in dialog.form.widgets[:3]:
        entry.do()
    assert asked == [(Path("s.json"), place, bot) for bot in (0, 1, None)]


@pytest.mark.parametrize(
    ("bot", "brains"),
    [
        (0, ["keyboard", "scripted:dancer"]),
        (1, ["scripted:sharpshooter", "keyboard"]),
        (None, ["scripted:sharpshooter", "scripted:dancer"]),
    ],
)
def test_the_plan_has_the_recorded_game_and_a_person_where_one_plays(plugins, bot, brains):
    _, plan = play_on_plan(COUCH, TurnPlace(1, 1, 5), bot, plugins, lambda words: None)
    assert [spec.short for spec in plan.seats] == brains
    assert (plan.fork.new, plan.fork.origin.turn, plan.seed) == ((bot == 0, bot == 1), 5, 7)
    assert plan.config.rules == read(COUCH).games[0].rules
    assert plan.history.parent.name == "sessions"


def test_where_two_people_played_a_bot_takes_the_other_seat(tmp_path, plugins):
    people = tmp_path / "people.json"
    people.write_text(COUCH.read_text().replace("scripted:dancer", "keyboard"))
    _, plan = play_on_plan(people, TurnPlace(1, 1, 5), 0, plugins, lambda words: None)
    assert plan.seats[0].short == "keyboard"
    assert plan.seats[1] in STAND_INS
    _, plan = play_on_plan(people, TurnPlace(1, 1, 5), None, plugins, lambda words: None)
    assert [seat.human for seat in plan.fork.started.seats] == [False, True], "whose panel has keys"


def test_a_window_for_a_replay_has_no_players_until_they_are_needed(plugins):
    found, plan = play_on_plan(COUCH, TurnPlace(1, 1, 5), 0, manager.Plugins.none(), lambda words: None)
    assert set(found.kinds) >= {"keyboard", "scripted"}
    assert plan.fork is not None


def test_a_bot_from_a_file_has_to_be_played_by_somebody_else(tmp_path, plugins):
    night = shutil.copy(COUCH, tmp_path / "night.json")
    night.write_text(night.read_text().replace("scripted:dancer", "proc:bot.py"))
    with pytest.raises(UsageError, match="whose folder is not recorded"):
        play_on_plan(night, TurnPlace(1, 1, 5), 0, plugins, lambda words: None)
    assert play_on_plan(night, TurnPlace(1, 1, 5), 1, plugins, lambda words: None)


class Mailbox:
    """A match's thread that has all records at once."""

    def __init__(self, records):
        self.records, self.table = list(records), self

    def is_here(self, bot):
        return False

    def seat(self, bot):
        return SeatInfo("somebody", "fake")

    def peek(self):
        return self.records[0] if self.records else None

    def take(self):
        self.records.pop(0)

    def hold(self, held):
        pass


def test_what_was_played_before_runs_past_and_the_rest_is_shown():
    fork = fork_at(read(COUCH), TurnPlace(1, 1, 5))
    plan = SessionPlan(None, (None, None), 7, fork=fork)
    records = list(forked_game.records(MatchPlan(fork.started.rules, 7), Turners(), fork))
    state = MatchState(Mailbox(records), plan, DisplayOptions())
    heard = [state.update(0.001 * number) for number in range(len(fork.taken) + 2)]
    assert state.clock.t >= state.timeline.end
    assert all(before == after for before, after in heard[: len(fork.taken) + 1])


def test_a_fork_has_a_session_of_its_own_which_ends_with_it(plugins):
    class Session:
        closed = False

        def __init__(self, plan):
            self.plan = plan

        def close(self):
            self.closed = True

    waits = []
    shell = FakeShell()
    shell.wait_at_end = waits.append
    go = Navigation(None, shell, shell, None, with_title=False, clock=lambda: 0.0, changed=lambda: None)
    _, plan = play_on_plan(COUCH, TurnPlace(1, 1, 5), 0, plugins, lambda words: None)
    usual = replace(plan, fork=None)
    for before, then in ((usual, usual), (usual, plan), (plan, usual), (plan, plan)):
        go.session = session = Session(before)
        found = go._in_a_session(then)
        for task in waits:
            task.join()
        stays = before is then is usual
        assert (go.session is session, session.closed) == (stays, not stays)
        assert (found.history == then.history) == (before is usual or then is plan)
