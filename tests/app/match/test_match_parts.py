"""Parts of a match on their own: state, buttons, notices, the list of brains, the time between rounds, the coach."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from types import SimpleNamespace

import pytest
from fakes import eventful, session_values, written
from menus import shell
from plays import COUCH, SEATS, bot, game

from batllm_arcade.app.match import guide as coach
from batllm_arcade.app.match.buttons import Touched, match_buttons
from batllm_arcade.app.match.guide import Coach, advised
from batllm_arcade.app.match.intermission import COUNTDOWN_S, WRITERS_COUNTDOWN_S, IntermissionDialog
from batllm_arcade.app.match.menu import SwapDialog
from batllm_arcade.app.match.notifications import TWIST_S, TwistNotes
from batllm_arcade.app.match.screen import notes_below
from batllm_arcade.app.match.state import HURRY, MatchState, PlaybackClock
from batllm_arcade.brains.live import Live
from batllm_arcade.brains.protocol import BrainKind, SeatInfo, Spec, View
from batllm_arcade.core.model import Arena
from batllm_arcade.history.reader import read
from batllm_arcade.history.replay import replay
from batllm_arcade.match.records import GameEnded, Play, RoundEnded, RoundStarted
from batllm_arcade.match.runner import MatchPlan, play
from batllm_arcade.plugin import manager
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.seats.table import Intermission, OpenRequest, Table
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings import config
from batllm_arcade.settings.config import Config
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.video.edit.text import twists
from batllm_arcade.view.reading_words import advice_sentence
from batllm_arcade.view.statistics import report
from batllm_arcade.view.timeline import Timeline


class Handing:
    """Hands over records one by one, at a table of these people."""

    def __init__(self, records, humans) -> None:
        self.records = deque(records)
        seats = [replace(seat, human=human) for seat, human in zip(SEATS, humans, strict=True)]
        self.table = SimpleNamespace(is_here=lambda bot: seats[bot].human, taken_over=lambda bot: False)

    def peek(self):
        return self.records[0] if self.records else None

    def take(self):
        self.records.popleft()

    def hold(self, held):
        """Nobody is asked here."""


def waited(humans=(False, False), speed=1.0):
    """How long the match waits for the words of its first play."""
    started, first, *_ = game("A C0")
    first = replace(first, decision=replace(first.decision, thought="I wait until it comes nearer"))
    state = MatchState(Handing([started, first], humans), SessionPlan(Config(), (None, None), 1), DisplayOptions())
    state.clock.speed = speed
    for tick in range(200):
        state.update(tick / 10)
    assert isinstance(state.timeline.segments[-1].record, Play)
    shown, alone = state.timeline.segments[-1], Timeline.of([started, first]).segments[-1]
    return (shown.end - shown.start) - (alone.end - alone.start)


def test_a_match_that_is_watched_waits_for_words():
    assert waited() == pytest.approx(1.3)
    assert waited(speed=0.5) == pytest.approx(1.3)


@pytest.mark.parametrize("how", [{"humans": (True, False)}, {"humans": (False, True)}, {"speed": 2.0}])
def test_who_plays_or_wants_it_faster_does_not_wait(how):
    assert waited(**how) == pytest.approx(0.0)


def tools(clock: PlaybackClock, pointer: str = "") -> dict[str, tuple[str, str]]:
    """The words and the look of each button with which a spectator controls the match."""
    state = SimpleNamespace(clock=clock, humans=(False, False), taken_over=False)
    controls = SimpleNamespace(pointer=pointer, label=lambda name: name.upper(), key_label=lambda name: "")
    buttons = match_buttons(state, controls, SimpleNamespace(), None, Touched())
    return {button.name: (button.words, button.look) for button in buttons}


@pytest.mark.parametrize(
    ("presses", "faster", "slower"),
    [
        (0, ("faster", "ready"), ("slower", "ready")),
        (1, ("faster 2x", "lit"), ("slower", "ready")),
        (5, ("faster 4x", "lit"), ("slower", "ready")),
        (-1, ("faster", "ready"), ("slower 0.5x", "lit")),
        (-2, ("faster", "ready"), ("slower 0.25x", "lit")),
    ],
)
def test_the_speed_stands_on_the_button_that_chose_it_and_nowhere_else(presses, faster, slower):
    clock = PlaybackClock()
    for _ in range(abs(presses)):
        clock.change_speed(1 if presses > 0 else -1)
    found = tools(clock)
    assert (found.pop("faster"), found.pop("slower")) == (faster, slower)
    assert not [words for words, look in found.values() if "x" in words or look == "lit"]


def test_while_somebody_waits_the_match_runs_at_twice_its_speed_and_the_chosen_one_is_kept():
    clock = PlaybackClock(speed=0.5)
    clock.tick(0.0)
    plain = clock.tick(0.1)
    clock.hurried = True
    assert clock.tick(0.2) == pytest.approx(HURRY * plain)
    assert tools(clock)["slower"] == ("slower 0.5x", "lit")


@pytest.fixture(scope="module")
def timeline():
    seats = (Spec("scripted", "turtle"), Spec("scripted", "sharpshooter"))
    table = Table(manager.load().kinds, seats, fallback=seats[0])
    plan = MatchPlan(config.load("couch").rules, seed=3, games=2, header_template="$commands")
    return Timeline.of(play(plan, table))


def test_a_twist_is_named_from_when_it_is_known_for_a_while(timeline):
    notes, found = TwistNotes(), list(twists(timeline).values())
    assert {"next", "lead"} & {twist.kind for twist in found}
    for twist, later in zip(found, [*found[1:], None], strict=True):
        assert notes.at(timeline, twist.known).words == twist.text.upper()
        if later is None or later.known > twist.known + TWIST_S:
            assert notes.at(timeline, twist.known + TWIST_S) is None
    assert notes.at(timeline, found[0].known - 0.01) is None
    last = timeline.segments[-1].arena
    low = min(last.left.y, last.right.y) < 360
    assert notes.at(timeline, found[0].known).ribbon == ("low" if low else "high"), "it keeps off the bots"


ROOKIE = Spec("told", "", {"level": "rookie"})


class FakeTable:
    def __init__(self, options):
        self.options = options

    def seat(self, bot):
        return SeatInfo("SmolLM2", "told", options=self.options)

    def pending(self, bot):
        return None

    def bot_report(self, bot):
        return None


def rows(monkeypatch, playing):
    """Each row's name and what is said beside it, while a brain with these options plays."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    plugins = Plugins.none()
    plugins.kinds["told"] = BrainKind("told", "a model", lambda spec: None, titles={"": "SmolLM2"})
    with shell(SessionPlan(Config(), (ROOKIE, ROOKIE), seed=1), plugins) as app:
        dialog = SwapDialog(app.ui, app.services, FakeTable(playing), (ROOKIE, ROOKIE), lambda: None, 1)
        dialog.update(0.0)
        return {entry.text: entry.note == "plays now" for entry in dialog.entries}


def test_one_that_is_there_twice_is_told_apart_and_the_one_that_plays_is_marked(monkeypatch):
    assert rows(monkeypatch, {"level": "rookie"}) == {"SmolLM2 (rookie)": True, "SmolLM2": False}
    assert rows(monkeypatch, {}) == {"SmolLM2 (rookie)": False, "SmolLM2": True}


@pytest.mark.parametrize(
    ("banner", "place", "below"), [("", "top", 12), ("S blocks it", "bottom", 12), ("S blocks it", "top", 116)]
)
def test_notices_lie_below_whatever_is_said_at_the_top_and_over_no_bot(banner, place, below):
    def shown(telegraph, *high):
        bots = [SimpleNamespace(y=1000 * share) for share in high]
        board = SimpleNamespace(rules=SimpleNamespace(arena_height=1000))
        return notes_below(SimpleNamespace(telegraph=telegraph, bots=bots, board=board), 500)

    assert shown(SimpleNamespace(banner=banner, place=place), 0.5, 0.7) == below
    assert shown(None, 0.5, 0.7) == 12
    assert shown(None, 0.2, 0.4) == 320


@pytest.fixture
def app(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    plugins = Plugins.none()
    for name in ("told", "script"):
        plugins.kinds[name] = BrainKind(name, name, lambda spec: None, prompted=name == "told")
    with shell(SessionPlan(Config(), (Spec("told"), Spec("told")), seed=1), plugins) as made:
        yield made


class Waiting(Intermission):
    """The time between two rounds, which knows whether the next one has begun."""

    begun = False

    def go_on(self, prompts=None):
        self.begun = True


def between(app, left="told", right="told", *, human=False, many=False):
    """The dialog after a round of these two."""
    started, *plays, _ = game("A B", "B B")
    begun = RoundStarted(1, 1, (0, 1), started.arena, ("", ""), False, False, ("", ""))
    records = [started, begun, *plays, RoundEnded(1, 1, "complete", plays[-1].after)]
    seats = (SeatInfo("A", left), SeatInfo("B", right, human=human))
    reports, begins = (report(records), report(records, 1)), Waiting(1, 2, ("", ""))
    return IntermissionDialog(app.ui, app.services, begins, seats, reports, lambda: None, 0.0, many=many)


def goes_on(dialog, seconds):
    """Whether the round has begun after so many seconds."""
    for tick in range(round(seconds * 10)):
        dialog.update(tick / 10)
    return dialog.intermission.begun


@pytest.mark.parametrize(
    ("left", "right", "human", "hidden", "many", "alone"),
    [
        ("script", "script", False, False, False, True),
        ("told", "script", False, False, False, True),
        ("told", "told", False, False, False, True),
        ("told", "script", True, False, False, False),
        ("script", "script", True, False, False, False),
        ("script", "script", True, False, True, True),
        ("told", "told", False, True, False, False),
    ],
)
def test_a_match_goes_on_by_itself_where_nobody_plays_or_hides_orders(app, left, right, human, hidden, many, alone):
    app.ui.apply(replace(app.ui.settings, hide_prompts=hidden))
    assert goes_on(between(app, left, right, human=human, many=many), WRITERS_COUNTDOWN_S + 1) is alone


def test_there_is_more_time_where_orders_could_be_written(app):
    assert goes_on(between(app, "script", "script"), COUNTDOWN_S + 0.5)
    assert not goes_on(between(app), COUNTDOWN_S + 0.5)
    assert not goes_on(between(app), WRITERS_COUNTDOWN_S - 0.5)


def test_whoever_begins_to_write_stops_the_countdown_and_then_both_have_to_be_ready(app):
    dialog = between(app)
    assert [button.text for button in dialog.form.widgets[:2] if hasattr(button, "big") and button.big] == ["Round 2"]
    dialog.form.set_focus(dialog.pair.areas[0])
    assert not goes_on(dialog, 60)
    assert [button.text for button in dialog.form.widgets[:2]] == ["blue is ready", "orange is ready"]
    assert dialog.form.focus is dialog.pair.areas[0]
    dialog.toggle_ready(0)
    dialog.toggle_ready(1)
    assert dialog.intermission.begun


def test_after_the_pause_menu_it_counts_anew(app):
    dialog = between(app, "script", "script")
    dialog.update(3.0)
    dialog.resume(60.0)
    dialog.update(61.0)
    assert not dialog.intermission.begun
    dialog.update(60.0 + COUNTDOWN_S)
    assert dialog.intermission.begun


AIMED = Arena(bot(300, 0, charge=9), bot(500, 90, health=10))


def request(arena=AIMED):
    view = View(0, COUCH, 1, 1, 1, 1, (0, 1), ("", ""), arena, arena, live=Live())
    return OpenRequest(0, SeatInfo("Human", "keyboard", human=True), view, 0.0)


class Counts:
    """The part of a table that counts what was shown."""

    hints = (0, 0)

    def hint(self, index):
        self.hints = (self.hints[0] + (index == 0), self.hints[1] + (index == 1))


def state(humans=(True, False)):
    return SimpleNamespace(humans=humans, table=Counts())


def test_three_times_a_game_the_person_asked_gets_the_best_play_and_why():
    there = state()
    made = Coach(there)
    for number in range(coach.MOST):
        asked = request()
        assert (made.ask(asked, on=True), made.ask(asked, on=True)) == ("", "")
        assert there.table.hints == (number + 1, 0)
        made._task.join(60)
        advice = made.advice(asked)
        assert advice.sentence.startswith("Fire: it wins the game (100% to win")
        assert advice.best.words == "best: fire"
        assert made.advice(request()) is None
    assert made.ask(request(), on=True) == coach.USED_UP


@pytest.mark.parametrize(
    ("humans", "on", "asked", "said"),
    [
        ((True, False), False, True, coach.OFF),
        ((True, True), True, True, coach.NOBODY),
        ((False, False), True, False, coach.NOBODY),
        ((True, False), True, False, coach.NOT_NOW),
    ],
)
def test_it_says_why_it_does_not_help(humans, on, asked, said):
    there = state(humans)
    assert Coach(there).ask(request() if asked else None, on=on) == said
    assert there.table.hints == (0, 0)


@pytest.mark.parametrize(
    ("arena", "token", "why"),
    [
        (Arena(bot(300, 0, charge=9), bot(500, 180)), "B", "it takes "),
        (Arena(bot(300, 90, charge=9), bot(500, 90)), "A90", "then you aim at them"),
        (Arena(bot(300, 90, charge=0), bot(500, 90)), "M", "it loads your gun"),
        (Arena(bot(300, 0, charge=9), bot(600, 180, charge=9)), "S1", "the next shot would hit you here"),
    ],
)
def test_the_reason_is_what_the_play_leads_to(arena, token, why):
    sentence = advice_sentence(arena, 0, token, (0.61, 0.4), COUCH)
    assert why in sentence
    assert sentence.endswith("(61% to win, 40% if you wait).")


def test_the_best_play_of_a_turn_is_found():
    advice = advised(request(Arena(bot(300, 90, charge=9), bot(500, 90))).view, lambda words: None)
    assert advice.best.bot == 0


def test_a_session_says_how_often_each_player_was_helped(tmp_path):
    records = [
        GameEnded(each.game, each.rounds, each.result, each.arena, (2, 0)) if isinstance(each, GameEnded) else each
        for each in eventful()
    ]
    path = written(records, tmp_path / "s.json")
    assert [game.get("hints") for game in session_values(records)["games"]] == [[2, 0]] * 2
    session = read(path)
    assert [game.hints for game in session.games] == [(2, 0)] * 2
    assert next(each for each in replay(session) if isinstance(each, GameEnded)).hints == (2, 0)
    assert "hints" not in session_values(eventful())["games"][0]
