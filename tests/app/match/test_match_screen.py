"""A live match in its window: pace, early keys, who plays, between rounds, results; off screen."""

from __future__ import annotations

import re
import threading
from dataclasses import replace

import pygame
import pytest
from fakes import Function, Hanging, ScriptedBrain, kind
from shells import draw
from windows import VirtualClock, press, release, run_until, shown, tap

from batllm_arcade.app.application import App
from batllm_arcade.app.kit.dialog import MenuDialog
from batllm_arcade.app.match.intermission import COUNTDOWN_S, IntermissionDialog
from batllm_arcade.app.match.menu import SwapDialog
from batllm_arcade.app.match.results import ResultsDialog
from batllm_arcade.app.match.screen import MatchScreen
from batllm_arcade.app.match.state import SPEEDS, PlaybackClock
from batllm_arcade.app.replay.screen import ReplayScreen
from batllm_arcade.brains.protocol import BrainError, BrainKind, Decision, Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.history.reader import read
from batllm_arcade.history.verification import verify
from batllm_arcade.match.records import Play, RoundEnded, SeatSwapped
from batllm_arcade.match.series import Series
from batllm_arcade.seats.table import Table
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings.config import Config


@pytest.fixture(autouse=True)
def _off_screen(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


@pytest.fixture
def plan(tmp_path):
    config = Config(rules=Rules(total_rounds=2, turns_per_round=2), header_template="$commands", deadline_s=5)
    seats = (Spec("scripted", "turtle"), Spec("scripted", "turtle"))
    return SessionPlan(config, seats, seed=7, history=tmp_path / "match.json")


def match_of(app: App) -> MatchScreen | None:
    """The match, once something of it is shown."""
    screen = app.screen
    return screen if isinstance(screen, MatchScreen) and screen.state.timeline.segments else None


def plays(app: App) -> list[Play]:
    return [record for record in shown(app) if isinstance(record, Play)]


def go_on(app: App) -> None:
    """What has to be confirmed between rounds."""
    match = match_of(app)
    if match is not None and isinstance(match.menu.dialog, IntermissionDialog):
        match.menu.dialog.go_on()


# Pace


def test_changing_the_speed_does_not_move_the_animation():
    head = PlaybackClock()
    head.tick(0.0)
    head.tick(0.1)
    for by in (1, 1, -1, -1, -1, -1):
        before = head.t
        head.change_speed(by)
        assert head.t == before
    assert head.speed == SPEEDS[0]
    head.tick(0.2)
    assert head.t == pytest.approx(0.1 + 0.1 * SPEEDS[0])


def test_a_hiccup_of_the_machine_does_not_make_the_animation_jump():
    head = PlaybackClock()
    head.tick(0.0)
    head.tick(30.0)
    assert head.t < 0.5


def test_a_step_shows_one_play_and_pauses_again(plan, plugins, quick):
    app = App(plan, plugins, clock=VirtualClock())
    seen: list[int] = []

    def drive(app: App) -> bool:
        match = match_of(app)
        if match is None:
            return False
        if not match.state.clock.stepping and not match.state.clock.paused:
            press(pygame.K_p)
        elif match.state.clock.paused:
            seen.append(len(plays(app)))
            press(pygame.K_PERIOD)
            if isinstance(match.menu.dialog, MenuDialog):
                match.menu.close()
                match.menu.dialog = None
        return len(set(seen)) >= 4

    run_until(app, lambda app: app.go.start(plan), drive)
    counted = sorted(set(seen))
    assert counted == list(range(counted[0], counted[0] + len(counted)))


def test_the_keys_that_the_pause_menu_names_work_in_it(plan, plugins, quick):
    app = App(plan, plugins, clock=VirtualClock())
    pages: list[object] = []

    def drive(app: App) -> bool:
        match = match_of(app)
        if match is None:
            return False
        if not match.state.clock.paused and not pages:
            match.menu.pause()
            press(pygame.K_F3)
        elif isinstance(match.menu.dialog, SwapDialog):
            pages.append(match.menu.dialog)
            match.menu.close()
            press(pygame.K_PERIOD)
        elif pages:
            return match.menu.dialog is None and match.state.clock.stepping
        return False

    run_until(app, lambda app: app.go.start(plan), drive)
    assert len(pages) == 1


def test_skipping_ends_the_play_that_is_shown_and_leaves_a_glimpse_of_it(plan, plugins):
    app = App(plan, plugins, clock=VirtualClock())
    left: list[float] = []

    def drive(app: App) -> bool:
        match = match_of(app)
        if match is not None and isinstance(match.state.timeline.segments[-1].record, Play):
            if match.state.clock.t < match.state.timeline.end - 0.31:
                press(pygame.K_TAB)
            else:
                left.append(match.state.timeline.end - match.state.clock.t)
        return len(left) > 1

    run_until(app, lambda app: app.go.start(plan), drive)
    assert 0.2 < left[0] <= 0.3


def test_a_result_is_not_skipped(plan, plugins, quick):
    app = App(plan, plugins, clock=VirtualClock(frames=60))
    jumps: list[float] = []

    def drive(app: App) -> bool:
        match = match_of(app)
        go_on(app)
        if match is not None and match.state.over and match.menu.dialog is None:
            before = match.state.clock.t
            match.state.skip()
            jumps.append(match.state.clock.t - before)
        return len(jumps) > 3

    run_until(app, lambda app: app.go.start(plan), drive)
    assert set(jumps) == {0.0}


def test_nobody_new_is_asked_while_the_match_is_paused(plan, plugins, quick):
    gate, asked = threading.Event(), []

    def decide(view):
        asked.append(view.seat)
        gate.wait(20)
        return Decision("M", "M")

    plugins.kinds["slow"] = kind("slow", Function(decide))
    played = replace(plan, seats=(Spec("slow"), Spec("slow")))
    app = App(played, plugins, clock=VirtualClock())
    frames: list[int] = []

    def drive(app: App) -> bool:
        match = match_of(app)
        if match is None or not asked or not (frames or match.state.caught_up):
            return False
        if not frames:
            match.menu.pause()
            gate.set()  # who is being asked answers in the pause
        frames.append(len(asked))
        if len(frames) == 40:
            match.menu.play_on()
        return len(frames) > 40 and len(asked) > 1

    run_until(app, lambda app: app.go.start(played), drive)
    assert frames[39] == 1


# A person's keys


def person_plan(plan: SessionPlan, **rules: int) -> SessionPlan:
    config = replace(plan.config, rules=replace(plan.config.rules, **rules))
    return replace(plan, config=config, seats=(Spec("keyboard"), Spec("scripted", "turtle")))


def test_a_command_given_just_before_the_turn_counts_and_an_older_one_does_not(plan, plugins):
    plan = person_plan(plan)
    app = App(plan, plugins, clock=VirtualClock())
    state = {"old": False, "early": False}

    def drive(app: App) -> bool:
        match = match_of(app)
        if match is None:
            return False
        asking = match.state.table.thinking
        left = match.state.timeline.end - match.state.clock.t
        if not state["old"]:
            press(pygame.K_SPACE)  # long before anybody's turn
            state["old"] = True
        asked = asking is not None and asking.seat.human and match.person is None
        if asked and 0 < left < 0.2 and not state["early"]:  # 0: another record may be about to be shown
            tap(pygame.K_UP)
            state["early"] = True
        return any(play.bot == 0 for play in plays(app))

    run_until(app, lambda app: app.go.start(plan), drive)
    assert next(play for play in plays(app) if play.bot == 0).command.token == "M"


def test_escape_takes_an_aim_back_before_it_opens_the_menu(plan, plugins, quick):
    plan = person_plan(plan)
    app = App(plan, plugins, clock=VirtualClock())
    said: list[str] = []

    def drive(app: App) -> bool:
        match = match_of(app)
        if match is None or match.person is None:
            return bool(match and isinstance(match.menu.dialog, MenuDialog))
        if not said:
            press(pygame.K_RIGHT)
            said.append("aims")
        elif match.players.aiming and len(said) == 1:
            press(pygame.K_ESCAPE)
            said.append("taken back")
        elif not match.players.aiming and len(said) == 2:
            release(pygame.K_RIGHT)
            press(pygame.K_ESCAPE)
            said.append("menu")
        return False

    run_until(app, lambda app: app.go.start(plan), drive)
    assert said == ["aims", "taken back", "menu"]
    assert not any(play.bot == 0 for play in plays(app))


def test_a_pause_stops_a_players_clock(plan, plugins, quick):
    plan = person_plan(plan)
    app = App(plan, plugins, clock=VirtualClock())
    app.ui.settings = replace(app.ui.settings, turn_clock_s=0.5)
    frames: list[float] = []

    def drive(app: App) -> bool:
        match = match_of(app)
        if match is None:
            return False
        if match.person is not None and not frames:
            match.menu.pause()
        if match.menu.dialog is not None:
            frames.append(match.state.table.thinking.live.seconds_left())
            if len(frames) == 60:
                match.menu.play_on()
        return any(play.bot == 0 for play in plays(app))

    run_until(app, lambda app: app.go.start(plan), drive)
    assert frames[5] == pytest.approx(frames[55], abs=0.05), "a clock of the machine: by the sixth frame it is held"
    assert next(play for play in plays(app) if play.bot == 0).status == "timeout"


# Who plays


def test_another_brain_is_chosen_from_the_list_while_the_match_goes_on(plan, plugins, quick):
    app = App(plan, plugins, clock=VirtualClock())
    rules = replace(plan.config.rules, turns_per_round=40)
    plan = replace(plan, config=replace(plan.config, rules=rules))

    def drive(app: App) -> bool:
        match = match_of(app)
        if match is None:
            return False
        go_on(app)
        if match.menu.dialog is None and not any(isinstance(record, SeatSwapped) for record in shown(app)):
            press(pygame.K_F3)
        if isinstance(match.menu.dialog, SwapDialog):
            assert not match.state.clock.paused
            dialog = match.menu.dialog
            dialog.form.set_focus(next(entry for entry in dialog.entries if entry.text == "Dancer"))
            press(pygame.K_RETURN)
        return any(isinstance(record, SeatSwapped) for record in shown(app))

    run_until(app, lambda app: app.go.start(plan), drive)
    swapped = next(record for record in shown(app) if isinstance(record, SeatSwapped))
    assert (swapped.bot, swapped.seat.brain, swapped.why) == (1, "scripted:dancer", "swap")


def refuse(spec: Spec) -> ScriptedBrain:
    raise BrainError("the model is not there; run: pull it")


class Broken(ScriptedBrain):
    def prepare(self, report):
        refuse(Spec("broken"))


@pytest.mark.parametrize("broken", [kind("broken", Broken([])), BrainKind("broken", "", refuse)])
def test_a_brain_that_cannot_be_seated_or_made_is_shown_and_the_match_goes_on(plan, plugins, quick, broken):
    plugins.kinds["broken"] = broken
    app = App(plan, plugins, clock=VirtualClock())
    notes: list[str] = []
    asked: list[object] = []

    def drive(app: App) -> bool:
        match = match_of(app)
        if match is None:
            return False
        go_on(app)
        if not asked:
            asked.append(match.state.table.swap(0, Spec("broken")))
        notes.extend(note.words for note in match.frame.notes)
        return any("pull it" in words for words in notes)

    run_until(app, lambda app: app.go.start(plan), drive)
    assert any(words.startswith("LEFT: broken cannot play") for words in notes)
    match = app.screen
    assert match.state.table.pending(0) is None, "the sentence goes when it has been read"


def test_a_brain_on_its_way_is_called_off_by_choosing_the_one_that_plays(plan, plugins, quick):
    slow = ScriptedBrain([])
    released = threading.Event()
    slow.prepare = lambda report: released.wait(20)
    plugins.kinds["slow"] = kind("slow", slow)
    plan = replace(plan, config=replace(plan.config, rules=replace(plan.config.rules, turns_per_round=40)))
    app = App(plan, plugins, clock=VirtualClock())
    states: list[str] = []
    wanted: list[Spec] = []

    def drive(app: App) -> bool:
        match = match_of(app)
        if match is None:
            return False
        if not states:
            match.state.table.swap(1, Spec("slow"))
            match.menu.open(match.menu.swap_list())
            match.state.table.swap = lambda bot, spec: wanted.append(spec)
        if not isinstance(match.menu.dialog, SwapDialog):
            return match.state.table.pending(1) is None
        states.append(match.menu.dialog.state(Spec("slow"))[0])
        match.menu.dialog.form.set_focus(next(entry for entry in match.menu.dialog.entries if entry.text == "Turtle"))
        press(pygame.K_RETURN)
        return False

    run_until(app, lambda app: app.go.start(plan), drive)
    released.set()
    assert states[0] == "on its way"
    assert not wanted


def test_a_seat_that_is_being_taken_over_is_not_asked_for_again(plan, plugins, quick, monkeypatch):
    plan = replace(plan, seats=(Spec("keyboard"), Spec("scripted", "turtle")))
    app, slow, asked, presses = App(plan, plugins, clock=VirtualClock()), threading.Event(), [], []

    def take_over(table, bot):
        asked.append(bot)
        slow.wait(10)

    def drive(app: App) -> bool:
        if match_of(app) is None:
            return False
        go_on(app)
        press(pygame.K_F4)
        presses.append(app)
        return bool(asked) and len(presses) > 9

    monkeypatch.setattr(Table, "take_over", take_over)
    try:
        run_until(app, lambda app: app.go.start(plan), drive)
    finally:
        slow.set()
    assert asked == [1]


def test_the_wheel_is_taken_and_handed_back_with_one_key(plan, plugins, quick):
    plan = replace(plan, seats=(Spec("keyboard"), Spec("scripted", "turtle")))
    app = App(plan, plugins, clock=VirtualClock())
    pressed: list[str] = []
    whys: list[tuple[str, str]] = []

    def drive(app: App) -> bool:
        match = match_of(app)
        if match is None:
            return False
        go_on(app)
        whys[:] = [(r.why, r.seat.brain) for r in shown(app) if isinstance(r, SeatSwapped)]
        if not pressed and match.menu.dialog is None:
            pressed.append("to take it")  # each once: one more would be the wish for the opposite
            press(pygame.K_F4)
        if match.person is not None and match.person.bot == 1:
            assert match.frame.notes[0].words == "RIGHT: you play  \u2013  F4 gives it back"
            tap(pygame.K_UP)  # two persons: the right one has the arrows
        elif match.person is not None:
            tap(pygame.K_w)
        played = any(play.bot == 1 and play.decision.raw == "M" for play in plays(app))
        if played and len(whys) == len(pressed) == 1:
            pressed.append("to hand it back")
            press(pygame.K_F4)
        return len(whys) == 2

    run_until(app, lambda app: app.go.start(plan), drive)
    assert whys == [("wheel", "keyboard"), ("wheel", "scripted:turtle")]


def test_the_match_waits_while_somebody_decides_whose_wheel_to_take(plan, plugins, quick):
    app = App(plan, plugins, clock=VirtualClock())
    seen: list[bool] = []

    def drive(app: App) -> bool:
        match = match_of(app)
        if match is None:
            return False
        if match.menu.dialog is None and not seen:
            press(pygame.K_F4)
        elif isinstance(match.menu.dialog, MenuDialog) and not isinstance(match.menu.dialog, IntermissionDialog):
            seen.append(match.state.clock.paused)
            press(pygame.K_ESCAPE)
        else:
            return bool(seen) and match.menu.dialog is None and not match.state.clock.paused
        return False

    run_until(app, lambda app: app.go.start(plan), drive)
    assert all(seen)


def test_an_abandoned_round_leads_to_the_next_one(plan, plugins, quick):
    plan = person_plan(plan, turns_per_round=18)
    app = App(plan, plugins, clock=VirtualClock())
    state: list[str] = []

    def drive(app: App) -> bool:
        match = match_of(app)
        if match is None:
            return False
        go_on(app)
        if match.person is not None and not state:
            match.menu.pause()
            state.append("paused")
        elif isinstance(match.menu.dialog, MenuDialog):
            wanted = "End this round now" if match.menu.dialog.title == "Paused" else "End it"
            entry = next(widget for widget in match.menu.dialog.form.widgets if getattr(widget, "text", "") == wanted)
            if match.menu.dialog.form.focus is entry:
                press(pygame.K_RETURN)
            else:
                tap(pygame.K_DOWN)
        return match.state.timeline.segments[-1].board.round == 2

    run_until(app, lambda app: app.go.start(plan), drive)
    ended = [record.ended for record in shown(app) if isinstance(record, RoundEnded)]
    assert ended == ["abandoned"]


# Between rounds, and after


def test_scripts_go_on_by_themselves_after_a_countdown_that_only_update_moves_on(plan, plugins, quick):
    clock = VirtualClock()
    app = App(plan, plugins, clock=clock)
    times: list[float] = []
    words: list[str] = []

    def drive(app: App) -> bool:
        match = match_of(app)
        if match is not None and isinstance(match.menu.dialog, IntermissionDialog):
            button = match.menu.dialog.form.widgets[0]
            times.append(clock.now())
            words.append(button.text)
            for _ in range(3):
                draw(match, pygame.display.get_surface())
            assert button.text == words[-1], "drawing changed it"
        return bool(match and match.state.over)

    run_until(app, lambda app: app.go.start(plan), drive)
    assert list(dict.fromkeys(words)) == [f"Round 2 in {left} s" for left in (4, 3, 2, 1, 0)]
    assert times[words.index("Round 2 in 0 s")] - times[0] == pytest.approx(COUNTDOWN_S, abs=0.1)
    assert not list(verify(read(plan.history)))


def test_two_models_go_on_by_themselves_too_unless_they_are_told_something_else(plan, plugins, quick):
    plugins.kinds["told"] = BrainKind("told", "takes orders", lambda spec: ScriptedBrain(["M"] * 4), prompted=True)
    plan = replace(plan, seats=(Spec("told"), Spec("told")))
    app = App(plan, plugins, clock=VirtualClock())
    run_until(app, lambda app: app.go.start(plan), lambda app: match_of(app) is not None and match_of(app).state.over)
    assert len(read(plan.history).games[0].rounds) == 2


def test_orders_written_between_rounds_are_those_of_the_next_round(plan, plugins, quick):
    plugins.kinds["told"] = BrainKind("told", "takes orders", lambda spec: ScriptedBrain(["M"] * 4), prompted=True)
    config = replace(plan.config, prompts=("old", ""))
    plan = replace(plan, config=config, seats=(Spec("told"), Spec("scripted", "turtle")))
    app = App(plan, plugins, clock=VirtualClock())
    state = {"written": False, "waited": 0}

    def drive(app: App) -> bool:
        match = match_of(app)
        if match is not None and isinstance(match.menu.dialog, IntermissionDialog):
            state["waited"] += 1
            if state["waited"] == 20:
                press(pygame.K_TAB)
                pygame.event.post(pygame.event.Event(pygame.TEXTINPUT, text=" and new"))
                press(pygame.K_RETURN, mod=pygame.KMOD_CTRL)
        return bool(match and match.state.over)

    run_until(app, lambda app: app.go.start(plan), drive)
    rounds = read(plan.history).games[0].rounds
    assert rounds[0].prompts == ("old", "")
    assert rounds[1].prompts[0] == "old and new"


def test_two_writers_both_have_to_be_ready_and_who_writes_on_is_not(plan, plugins, quick):
    plugins.kinds["told"] = BrainKind("told", "takes orders", lambda spec: ScriptedBrain(["M"] * 4), prompted=True)
    plan = replace(plan, seats=(Spec("told"), Spec("told")))
    app = App(plan, plugins, clock=VirtualClock())
    ready: list[list[bool]] = []

    def drive(app: App) -> bool:
        match = match_of(app)
        if match is not None and isinstance(match.menu.dialog, IntermissionDialog):
            dialog = match.menu.dialog
            if not ready:
                dialog.pair.areas[0].editor.insert("more")
            elif len(ready) == 2:
                dialog.toggle_ready(0)
                dialog.pair.areas[0].editor.insert("!")
            elif len(ready) == 5:
                dialog.toggle_ready(0)
            elif len(ready) == 8:
                dialog.toggle_ready(1)
            ready.append(list(dialog.ready))
        return bool(match and match.state.over)

    run_until(app, lambda app: app.go.start(plan), drive)
    assert ready[3] == [False, False]
    assert ready[6] == [True, False]
    assert read(plan.history).games[0].rounds[1].prompts == ("more!", "")


def test_the_results_lead_to_the_same_match_with_sides_swapped_where_each_keeps_what_they_won(plan, plugins, quick):
    plan = replace(plan, seats=(Spec("scripted", "sharpshooter"), Spec("scripted", "turtle")), series=Series(7, (2, 0)))
    app = App(plan, plugins, clock=VirtualClock())
    started: list[tuple[str, ...]] = []
    scores: list[tuple[int, int]] = []

    def drive(app: App) -> bool:
        match = match_of(app)
        go_on(app)
        if match is not None:
            seats = tuple(seat.brain for seat in match.state.timeline.segments[0].board.seats)
            if seats not in started:
                started.append(seats)
            if isinstance(match.menu.dialog, ResultsDialog) and match.menu.dialog.ready:
                scores[:] = [match.state.timeline.series.wins]
                match.menu.dialog.form.widgets[1].take("confirm")
        return len(started) == 2

    run_until(app, lambda app: app.go.start(plan), drive, seconds=30)
    assert started[1] == started[0][::-1]
    assert match_of(app).state.timeline.series.wins == scores[0][::-1]
    assert scores[0] in ((2, 0), (3, 0), (2, 1))


def test_the_results_lead_to_the_replay_of_the_game_that_is_over(plan, plugins, quick):
    app = App(plan, plugins, clock=VirtualClock())
    rematches, replays = [], []

    def drive(app: App) -> bool:
        match = match_of(app)
        go_on(app)
        if isinstance(app.screen, ReplayScreen):
            replays.append(app.screen)
        elif match is not None and isinstance(match.menu.dialog, ResultsDialog) and match.menu.dialog.ready:
            rematches.append(match.state.game)
            wanted = "Rematch" if len(rematches) == 1 else "Watch the replay"
            next(each for each in match.menu.dialog.form.widgets if each.text == wanted).take("confirm")
        return bool(replays)

    run_until(app, lambda app: app.go.start(plan), drive, seconds=30)
    told = replays[0].timeline.segments
    assert rematches == [1, 2]
    assert [told[0].board.game, replays[0].timeline.at(replays[0].clock.t).board.game] == [1, 2]


def test_a_match_has_ended_once_its_results_are_shown_and_not_while_another_is_played(plan, plugins, quick):
    app = App(plan, plugins, clock=VirtualClock())
    seen: list[tuple[bool, bool]] = []
    rematches = []

    def drive(app: App) -> bool:
        match = match_of(app)
        go_on(app)
        if match is None:
            return False
        results = isinstance(match.menu.dialog, ResultsDialog)
        seen.append((results, app.services.match_ended is not None))
        if results and match.menu.dialog.ready and not rematches:
            rematches.append(app.services.match_ended)
            next(each for each in match.menu.dialog.form.widgets if each.text == "Rematch").take("confirm")
        return bool(rematches) and app.services.match_ended not in (None, rematches[0])

    run_until(app, lambda app: app.go.start(plan), drive, seconds=30)
    assert {(False, False), (True, True)} <= {*seen}
    assert (True, False) not in seen
    first = seen.index((True, True))
    assert (False, False) in seen[first:]


def test_everybody_sees_who_keeps_them_waiting_and_for_how_long(plan, plugins, quick):
    brain = Hanging()
    plugins.kinds["slow"] = kind("slow", brain)
    plan = replace(plan, seats=(Spec("slow"), Spec("scripted", "turtle")))
    app = App(plan, plugins, clock=VirtualClock())
    words: list[str] = []

    def drive(app: App) -> bool:
        match = match_of(app)
        if match is not None:
            go_on(app)
            words.extend(note.words for note in match.frame.notes)
        return bool(words)

    run_until(app, lambda app: app.go.start(plan), drive)
    brain.released.set()
    assert re.match(r"slow is thinking, \d s left", words[0])


def test_several_games_go_on_by_themselves_and_the_results_come_after_the_last(plan, plugins, quick):
    plugins.kinds["told"] = BrainKind("told", "takes orders", lambda spec: ScriptedBrain(["M"] * 8), prompted=True)
    plan = replace(plan, seats=(Spec("told"), Spec("scripted", "turtle")), games=2)
    app = App(plan, plugins, clock=VirtualClock())
    pages: list[type] = []

    def drive(app: App) -> bool:
        match = match_of(app)
        if match is not None and match.menu.dialog is not None:
            pages.append(type(match.menu.dialog))
        return bool(match and isinstance(match.menu.dialog, ResultsDialog))

    run_until(app, lambda app: app.go.start(plan), drive, seconds=100)
    assert [page for page, before in zip(pages, [None, *pages], strict=False) if page is not before][
        -1
    ] is ResultsDialog
    assert len(read(plan.history).games) == 2


@pytest.mark.parametrize("held", [
    {"type": pygame.JOYHATMOTION, "hat": 0, "value": (-1, 0)},
    {"type": pygame.JOYAXISMOTION, "axis": 1, "value": 1.0},
])  # fmt: skip
def test_a_gamepad_pulled_out_while_it_aims_makes_no_turn(held, plan, plugins, quick):
    played = replace(plan, seats=(Spec("keyboard"), Spec("scripted", "turtle")))
    app = App(played, plugins, clock=VirtualClock())
    kind, how = held["type"], {key: value for key, value in held.items() if key != "type"}
    asked: list[object] = []
    frames = {"held": 0, "gone": 0}

    def drive(app: App) -> bool:
        match = match_of(app)
        if match is None or match.person is None:
            return False
        asked.append(match.person)
        if not frames["held"]:
            pygame.event.post(pygame.event.Event(kind, instance_id=3, joy=3, **how))
        frames["held"] += 1
        if frames["held"] > 30 and not frames["gone"]:
            assert match.players.aiming
            pygame.event.post(pygame.event.Event(pygame.JOYDEVICEREMOVED, instance_id=3))
        frames["gone"] += frames["held"] > 30
        return frames["gone"] > 20 and not match.players.aiming

    run_until(app, lambda app: app.go.start(played), drive)
    assert asked[0] is asked[-1]
    assert not [play for play in plays(app) if play.bot == 0]
