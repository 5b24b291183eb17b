"""A live match in its window: pace, early keys, who plays, between rounds, results; off screen."""

from __future__ import annotations

import re
import threading
from dataclasses import replace

import pygame
import pytest
from fakes import Function, Hanging, ScriptedBrain, kind
from shells import draw
from windows import begin_round, play, press, records, release, tap, until

from batllm_arcade.app.kit.dialog import MenuDialog
from batllm_arcade.app.match.intermission import COUNTDOWN_S, IntermissionDialog
from batllm_arcade.app.match.menu import SwapDialog
from batllm_arcade.app.match.results import ResultsDialog
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
from batllm_arcade.session.puzzles import puzzles
from batllm_arcade.settings.config import Config

TURTLE = Spec("scripted", "turtle")


@pytest.fixture(autouse=True)
def _off_screen(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


@pytest.fixture
def plan(tmp_path):
    config = Config(rules=Rules(total_rounds=2, turns_per_round=2), header_template="$commands", deadline_s=5)
    return SessionPlan(config, (TURTLE, TURTLE), seed=7, history=tmp_path / "match.json")


def of(plan: SessionPlan, left: str, right: str = "scripted:turtle", **rules: int) -> SessionPlan:
    """The plan with other players and rules."""
    config = replace(plan.config, rules=replace(plan.config.rules, **rules))
    return replace(plan, config=config, seats=(Spec.parse(left), Spec.parse(right)))


@pytest.fixture
def told(plugins):
    """The plugins, with a brain that takes orders."""
    plugins.kinds["told"] = BrainKind("told", "takes orders", lambda spec: ScriptedBrain(["M"] * 8), prompted=True)
    return plugins


def made_by(match, bot: int) -> list[Play]:
    return [play for play in records(match, Play) if play.bot == bot]


def shows(match, kind: type):
    return lambda: isinstance(match.menu.dialog, kind)


def focus(match, text: str) -> None:
    form = match.menu.dialog.form
    form.set_focus(next(widget for widget in form.widgets if getattr(widget, "text", "") == text))


# Pace


def test_changing_the_speed_does_not_move_the_animation_nor_does_a_hiccup_of_the_machine_make_it_jump():
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
    head.tick(30.0)
    assert head.t < 0.5


def test_a_step_shows_one_play_and_pauses_again(plan, plugins, quick):
    seen: list[int] = []

    def steps(match):
        press(pygame.K_p)
        for _ in range(4):
            yield from until(lambda: match.state.clock.paused and not match.state.clock.stepping)
            seen.append(len(records(match, Play)))
            press(pygame.K_PERIOD)
            yield from until(lambda: not match.state.clock.paused)

    play(plan, plugins, steps)
    assert seen == list(range(seen[0], seen[0] + 4))


def test_the_keys_that_the_pause_menu_names_work_in_it(plan, plugins, quick):
    def steps(match):
        match.menu.pause()
        press(pygame.K_F3)
        yield from until(shows(match, SwapDialog))
        match.menu.close()
        assert isinstance(match.menu.dialog, MenuDialog), "back in the menu of a match that is paused"
        press(pygame.K_PERIOD)
        yield from until(lambda: match.menu.dialog is None and match.state.clock.stepping)

    play(plan, plugins, steps)


def test_skipping_ends_the_play_that_is_shown_and_leaves_a_glimpse_of_it(plan, plugins):
    def steps(match):
        yield from until(lambda: records(match, Play))
        press(pygame.K_TAB)
        yield
        yield
        assert 0 < match.state.timeline.end - match.state.clock.t <= 0.3

    play(plan, plugins, steps)


def test_a_result_is_not_skipped(plan, plugins, quick):
    def steps(match):
        yield from until(lambda: match.state.over, lambda: begin_round(match))
        for _ in range(3):
            before = match.state.clock.t
            match.state.skip()
            assert match.state.clock.t == before
            yield

    play(plan, plugins, steps, frames=60)


def test_nobody_new_is_asked_while_the_match_is_paused(plan, plugins, quick):
    gate, asked = threading.Event(), []

    def decide(view):
        asked.append(view.seat)
        gate.wait(20)
        return Decision("M", "M")

    def steps(match):
        yield from until(lambda: asked and match.state.caught_up)
        match.menu.pause()
        gate.set()  # who is being asked answers in the pause
        for _ in range(40):
            yield
        assert len(asked) == 1
        match.menu.play_on()
        yield from until(lambda: len(asked) > 1)

    plugins.kinds["slow"] = kind("slow", Function(decide))
    play(of(plan, "slow", "slow"), plugins, steps)


# A person's keys


def test_a_command_given_just_before_the_turn_counts_and_an_older_one_does_not(plan, plugins):
    def steps(match):
        press(pygame.K_SPACE)  # long before anybody's turn

        def just_before():
            asking, left = match.state.table.thinking, match.state.timeline.end - match.state.clock.t
            return asking is not None and asking.seat.human and match.person is None and 0 < left < 0.2

        yield from until(just_before)
        tap(pygame.K_UP)
        yield from until(lambda: made_by(match, 0))
        assert made_by(match, 0)[0].command.token == "M"

    play(of(plan, "keyboard"), plugins, steps)


def test_escape_takes_an_aim_back_before_it_opens_the_menu(plan, plugins, quick):
    def steps(match):
        yield from until(lambda: match.person)
        press(pygame.K_RIGHT)
        yield from until(lambda: match.players.aiming)
        press(pygame.K_ESCAPE)
        yield from until(lambda: not match.players.aiming)
        assert match.menu.dialog is None
        release(pygame.K_RIGHT)
        press(pygame.K_ESCAPE)
        yield from until(shows(match, MenuDialog))
        assert made_by(match, 0) == []

    play(of(plan, "keyboard"), plugins, steps)


def test_a_pause_stops_a_players_clock(plan, plugins, quick):
    left: list[float] = []

    def steps(match):
        yield from until(lambda: match.person)
        match.menu.pause()
        for _ in range(60):
            yield
            left.append(match.state.table.thinking.live.seconds_left())
        match.menu.play_on()
        yield from until(lambda: made_by(match, 0))
        assert made_by(match, 0)[0].status == "timeout"

    play(of(plan, "keyboard"), plugins, steps, turn_clock_s=0.5)
    assert left[5] == pytest.approx(left[55], abs=0.05), "a clock of the machine: by the sixth frame it is held"


# Who plays


def test_another_brain_is_chosen_from_the_list_while_the_match_goes_on(plan, plugins, quick):
    def steps(match):
        press(pygame.K_F3)
        yield from until(shows(match, SwapDialog))
        assert not match.state.clock.paused
        focus(match, "Dancer")
        press(pygame.K_RETURN)
        (swapped,) = yield from until(lambda: records(match, SeatSwapped))
        assert (swapped.bot, swapped.seat.brain, swapped.why) == (1, "scripted:dancer", "swap")

    play(of(plan, "scripted:turtle", turns_per_round=40), plugins, steps)


def refuse(spec: Spec) -> ScriptedBrain:
    raise BrainError("the model is not there; run: pull it")


class Broken(ScriptedBrain):
    def prepare(self, report):
        refuse(Spec("broken"))


@pytest.mark.parametrize("broken", [kind("broken", Broken([])), BrainKind("broken", "", refuse)])
def test_a_brain_that_cannot_be_seated_or_made_is_shown_and_the_match_goes_on(plan, plugins, quick, broken):
    def steps(match):
        match.state.table.swap(0, Spec("broken"))
        notes = lambda: [note.words for note in match.frame.notes if "pull it" in note.words]  # noqa: E731
        yield from until(notes, lambda: begin_round(match))
        assert notes() == ["BLUE: Broken cannot play: the model is not there; run: pull it"]
        assert match.state.table.pending(0) is None, "the sentence goes when it has been read"

    plugins.kinds["broken"] = broken
    play(plan, plugins, steps)


def test_a_brain_on_its_way_is_called_off_by_choosing_the_one_that_plays(plan, plugins, quick, monkeypatch):
    slow, released, wanted = ScriptedBrain([]), threading.Event(), []
    slow.prepare = lambda report: released.wait(20)
    plugins.kinds["slow"] = kind("slow", slow)

    def steps(match):
        match.state.table.swap(1, Spec("slow"))
        match.menu.open(match.menu.swap_list())
        monkeypatch.setattr(match.state.table, "swap", lambda bot, spec: wanted.append(spec))
        yield
        assert match.menu.dialog.state(Spec("slow"))[0] == "on its way"
        focus(match, "Turtle")
        press(pygame.K_RETURN)
        yield from until(lambda: match.state.table.pending(1) is None)
        released.set()
        assert not wanted

    play(of(plan, "scripted:turtle", turns_per_round=40), plugins, steps)


def test_a_seat_that_is_being_taken_over_is_not_asked_for_again(plan, plugins, quick, monkeypatch):
    slow, asked = threading.Event(), []
    monkeypatch.setattr(Table, "take_over", lambda table, bot: (asked.append(bot), slow.wait(10)))

    def steps(match):
        for _ in range(9):
            press(pygame.K_F4)
            yield
        yield from until(lambda: asked)
        slow.set()

    play(of(plan, "keyboard"), plugins, steps)
    assert asked == [1]


def test_the_wheel_is_taken_and_handed_back_with_one_key(plan, plugins, quick):
    def steps(match):
        def played() -> bool:
            if match.person is not None and match.person.bot == 1:
                assert match.frame.notes[0].words == "ORANGE: you play  \u2013  F4 gives it back"
                tap(pygame.K_UP)  # two persons: the right one has the arrows
            elif match.person is not None:
                tap(pygame.K_w)
            return any(play.decision.raw == "M" for play in made_by(match, 1))

        press(pygame.K_F4)
        yield from until(played, lambda: begin_round(match))
        press(pygame.K_F4)
        yield from until(lambda: played() and len(records(match, SeatSwapped)) == 2, lambda: begin_round(match))
        swaps = [(swap.why, swap.seat.brain) for swap in records(match, SeatSwapped)]
        assert swaps == [("wheel", "keyboard"), ("wheel", "scripted:turtle")]

    play(of(plan, "keyboard", turns_per_round=9), plugins, steps)


def test_the_match_waits_while_somebody_decides_whose_wheel_to_take(plan, plugins, quick):
    def steps(match):
        press(pygame.K_F4)
        yield from until(shows(match, MenuDialog))
        assert match.state.clock.paused
        press(pygame.K_ESCAPE)
        yield from until(lambda: match.menu.dialog is None and not match.state.clock.paused)

    play(plan, plugins, steps)


def test_an_abandoned_round_leads_to_the_next_one(plan, plugins, quick):
    def steps(match):
        yield from until(lambda: match.person)
        match.menu.pause()
        for entry in ("End this round now", "End it"):
            focus(match, entry)
            press(pygame.K_RETURN)
            yield
            yield
        yield from until(lambda: match.state.timeline.segments[-1].board.round == 2, lambda: begin_round(match))
        assert [record.ended for record in records(match, RoundEnded)] == ["abandoned"]

    play(of(plan, "keyboard", turns_per_round=18), plugins, steps)


# Between rounds, and after


def test_scripts_go_on_by_themselves_after_a_countdown_that_only_update_moves_on(plan, plugins, quick):
    seen: dict[str, float] = {}

    def steps(match):
        yield from until(shows(match, IntermissionDialog))
        while isinstance(dialog := match.menu.dialog, IntermissionDialog):
            text = dialog.form.widgets[0].text
            seen.setdefault(text, dialog.now)
            for _ in range(3):
                draw(match, pygame.display.get_surface())
            assert dialog.form.widgets[0].text == text, "drawing changed it"
            yield
        yield from until(lambda: match.state.over)

    play(plan, plugins, steps)
    assert list(seen) == [f"Round 2 in {left} s" for left in (4, 3, 2, 1, 0)]
    assert seen["Round 2 in 0 s"] - seen["Round 2 in 4 s"] == pytest.approx(COUNTDOWN_S, abs=0.1)
    assert not list(verify(read(plan.history)))


def test_two_models_go_on_by_themselves_too_unless_they_are_told_something_else(plan, told, quick):
    play(of(plan, "told", "told"), told, lambda match: until(lambda: match.state.over))
    assert len(read(plan.history).games[0].rounds) == 2


def test_orders_written_between_rounds_are_those_of_the_next_round_and_of_a_rematch(plan, told, quick):
    def steps(match):
        go = match.menu.go
        yield from until(shows(match, IntermissionDialog))
        press(pygame.K_TAB)
        pygame.event.post(pygame.event.Event(pygame.TEXTINPUT, text="new"))
        press(pygame.K_RETURN, mod=pygame.KMOD_CTRL)
        yield from until(lambda: match.state.over)
        (yield from results_of(match))["Rematch"].take("confirm")
        again = yield from until(lambda: go.screen is not match and started(go.screen))
        assert again.state.plan.config.prompts == ("new", "")

    plan = of(replace(plan, config=replace(plan.config, prompts=("old", ""))), "told")
    play(plan, told, steps)
    assert [tape.prompts[0] for tape in read(plan.history).games[0].rounds] == ["old", "new"]


def test_two_writers_both_have_to_be_ready_and_who_writes_on_is_not(plan, told, quick):
    def steps(match):
        yield from until(shows(match, IntermissionDialog))
        dialog = match.menu.dialog
        dialog.pair.areas[0].editor.insert("more")
        yield
        dialog.toggle_ready(0)
        dialog.pair.areas[0].editor.insert("!")
        yield
        assert dialog.ready == [False, False]
        dialog.toggle_ready(0)
        yield
        assert dialog.ready == [True, False]
        dialog.toggle_ready(1)
        yield from until(lambda: match.state.over)

    play(of(plan, "told", "told"), told, steps)
    assert read(plan.history).games[0].rounds[1].prompts == ("more!", "")


def results_of(match):
    """Go on to the results, until something may be chosen there; return their buttons by name."""
    ready = lambda: isinstance(match.menu.dialog, ResultsDialog) and match.menu.dialog.ready  # noqa: E731
    yield from until(ready, lambda: begin_round(match))
    return {button.text: button for button in match.menu.dialog.form.widgets}


def started(screen):
    """The screen, if it is a match of which something is shown."""
    state = getattr(screen, "state", None)
    return screen if state is not None and state.started else None


def test_the_results_lead_to_the_same_match_with_sides_swapped_where_each_keeps_what_they_won(plan, plugins, quick):
    def steps(match):
        go, buttons = match.menu.go, (yield from results_of(match))
        score, seats = match.state.timeline.series.wins, match.state.plan.seats
        assert score in ((2, 0), (3, 0), (2, 1))
        buttons["More"].take("confirm")
        next(item for item in match.menu.dialog.picker.items if item.text == "Swap sides").take("confirm")
        other = yield from until(lambda: go.screen is not match and started(go.screen))
        assert other.state.plan.seats == seats[::-1]
        assert other.state.timeline.series.wins == score[::-1]

    play(replace(of(plan, "scripted:sharpshooter"), series=Series(7, (2, 0))), plugins, steps)


def test_a_puzzle_that_is_solved_is_remembered_and_leads_to_the_next(plan, plugins, quick):
    bump = puzzles()[2]
    alone = replace(of(plan, "keyboard", "scripted:target"), seed=bump.seed, history=None, puzzle=bump)

    def steps(match):
        go = match.menu.go
        for number, pressed in enumerate((pygame.K_w, pygame.K_w, pygame.K_SPACE)):
            yield from until(lambda: match.person)
            assert match.frame.guide.words == bump.goal
            tap(pressed)
            yield from until(lambda number=number: len(made_by(match, 0)) > number)
        dialog = yield from until(lambda: match.menu.dialog)
        assert (dialog.title, match.ui.settings.puzzles) == ("Solved!", 3)
        dialog.form.widgets[0].take("confirm")
        other = yield from until(lambda: go.screen is not match and started(go.screen))
        assert other.state.plan.puzzle.number == 4

    play(replace(alone, config=replace(plan.config, rules=bump.rules)), plugins, steps)


def test_a_rematch_and_its_results_lead_to_the_replay_of_the_game_that_is_over(plan, plugins, quick):
    """A match has ended once its results are shown, and not while another is played."""

    def steps(match):
        go, services = match.menu.go, match.services
        yield from until(lambda: match.state.over, lambda: begin_round(match))
        assert services.match_ended is None
        buttons = yield from results_of(match)
        assert services.match_ended is not None
        buttons["Rematch"].take("confirm")
        again = yield from until(lambda: go.screen is not match and started(go.screen))
        yield
        assert services.match_ended is None
        buttons = yield from results_of(again)
        assert services.match_ended is not None
        buttons["Watch the replay"].take("confirm")
        yield from until(lambda: isinstance(go.screen, ReplayScreen))
        shown = [go.screen.timeline.segments[0], go.screen.timeline.at(go.screen.clock.t)]
        assert [part.board.game for part in shown] == [1, 2]

    play(plan, plugins, steps)


def test_everybody_sees_who_keeps_them_waiting_and_for_how_long(plan, plugins, quick):
    brain = Hanging()
    plugins.kinds["slow"] = kind("slow", brain)

    def steps(match):
        yield from until(lambda: match.frame.notes)
        brain.released.set()
        assert re.match(r"slow is thinking, \d s left", match.frame.notes[0].words)

    play(of(plan, "slow"), plugins, steps)


def test_several_games_go_on_by_themselves_and_the_results_come_after_the_last(plan, told, quick):
    play(replace(of(plan, "told"), games=2), told, lambda match: until(shows(match, ResultsDialog)))
    assert len(read(plan.history).games) == 2


@pytest.mark.parametrize("held", [
    {"type": pygame.JOYHATMOTION, "hat": 0, "value": (-1, 0)},
    {"type": pygame.JOYAXISMOTION, "axis": 1, "value": 1.0},
])  # fmt: skip
def test_a_gamepad_pulled_out_while_it_aims_makes_no_turn(held, plan, plugins, quick):
    kind, how = held["type"], {key: value for key, value in held.items() if key != "type"}

    def steps(match):
        asked = yield from until(lambda: match.person)
        pygame.event.post(pygame.event.Event(kind, instance_id=3, joy=3, **how))
        yield from until(lambda: match.players.aiming)
        for _ in range(20):
            yield
        pygame.event.post(pygame.event.Event(pygame.JOYDEVICEREMOVED, instance_id=3))
        yield from until(lambda: not match.players.aiming)
        for _ in range(20):
            yield
        assert match.person is asked
        assert made_by(match, 0) == []

    play(of(plan, "keyboard"), plugins, steps)
