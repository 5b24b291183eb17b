"""The people who play: sticks, early commands, an only gamepad while a seat is taken over."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from batllm_arcade.app.input.controls import PlayerPress
from batllm_arcade.app.input.players import WAIT_S, Players
from batllm_arcade.app.input.pointing import STICKY
from batllm_arcade.brains.live import Cancelled, Live
from batllm_arcade.brains.protocol import SeatInfo, View
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.seats.table import OpenRequest
from batllm_arcade.settings import config

COUCH = config.load("couch").rules
ARENA = Arena(BotState(200, 500, 0, 100, False), BotState(800, 500, 180, 100, False))


class Wires:
    """Controls that say what the test wants."""

    def __init__(self) -> None:
        self.pointed: dict[int, float | None] = {0: None, 1: None}
        self.lone_pad = True

    def seat_of(self, press, humans):
        return press.source

    def stick(self, seat, humans):
        return self.pointed[seat] if humans[seat] else None

    def played(self, seat, *, pointed):
        self.by_pointer = pointed


@pytest.fixture
def wires():
    return Wires()


def asking(bot: int, rot: float = 0.0) -> OpenRequest:
    arena = replace(ARENA, left=replace(ARENA.left, rot=rot))
    view = View(bot, Rules(), 1, 1, 1, 1, (0, 1), ("", ""), arena, arena, live=Live())
    return OpenRequest(bot, SeatInfo("Human", "keyboard", human=True), view, time.monotonic())


def submitted(asked: OpenRequest) -> str | None:
    """The command that was given, None where none was."""
    asked.live.cancel()
    try:
        return asked.live.wait_for_command()
    except Cancelled:
        return None


def give(players: Players, what, now: float, **how) -> None:
    seat, action, pressed = what
    players.handle(PlayerPress(action, pressed, seat, pad=how.pop("pad", False)), BOTH, now, **how)


BOTH = (True, True)


def played(wires: Wires, script: str, asked: OpenRequest | None = None) -> tuple[Players, str | None]:
    """Who played as a script says, and the command of left's turn: `9.9 +fire, 10 turn, 10.1 stick 90, 10.4 -fire`.

    From the turn's beginning on the window follows sixty times a second.
    """
    players, asked, begun = Players(wires), asked or asking(0), None
    for at, what, *degrees in (step.split() for step in script.split(", ")):
        now = float(at)
        while begun is not None and begun + 1 / 60 < now:
            begun += 1 / 60
            players.follow(asked, BOTH, begun)
        if what == "turn":
            begun = now
            players.follow(asked, BOTH, now)
        elif what == "stick":
            wires.pointed[0] = float(degrees[0]) if degrees else None
            players.follow(asked, BOTH, now)
        elif what[0] in "+-":
            give(players, (0, what[1:], what[0] == "+"), now)
        else:
            getattr(players, what)()
    return players, submitted(asked)


@pytest.mark.parametrize(
    ("script", "token"),
    [
        ("0 turn, 0.01 stick 90, 0.5 stick", "C90"),
        ("0 turn, 0.01 stick 90, 0.5 +shield, 0.52 stick, 0.6 +shield, 0.7 -shield", "S"),
        ("9.9 +fire, 10 turn", "B"),
        ("9.66 +fire, 10 turn", "B"),
        ("9.5 +fire, 10 turn", None),  # too early
        ("9 +right, 10 turn, 10.05 -right", None),  # which was meant for the time before
        ("10 turn, 10.1 +move, 10.9 -move", "M"),
        ("10 turn, 10.1 +move, 10.5 take_back, 10.9 -move", None),
        ("10 turn, 10.1 +move, 10.5 let_go, 10.9 -move", None),
        ("10 turn, 10.1 +move, 10.5 +shield, 10.9 -move", None),
        ("10 turn, 10.1 +move, 10.2 +fire, 10.3 -move", "M"),  # the first one counts
    ],
)
def test_what_comes_of_keys_and_sticks(script, token, wires):
    assert played(wires, script)[1] == token


def test_a_step_and_a_pointed_turn_are_shown_until_they_are_made(wires):
    players, _ = played(wires, "10 turn, 10.1 +move")
    assert (players.chosen, players.aiming) == ("move", True)
    players, _ = played(wires, "10 turn, 10.1 +move, 10.9 -move")
    assert players.chosen is None
    players, _ = played(wires, "0 turn, 0.1 stick 90")
    assert players.aim.turned == 90


EMPTY = Arena(BotState(500, 500, 0, 100, False, 0), BotState(620, 500, 90, 100, False, 0))
"""Left's gun is empty and it cannot walk: the other one stands in front of it, with its side towards it."""


def alone(arena: Arena, rules: Rules = COUCH, round: int = 1) -> OpenRequest:
    view = View(0, rules, 1, round, 1, 1, (0, 1), ("", ""), arena, arena, live=Live())
    return OpenRequest(0, SeatInfo("Human", "keyboard", human=True), view, time.monotonic())


def charged(left: int, **foe) -> Arena:
    return Arena(replace(EMPTY.left, charge=left), replace(EMPTY.right, **foe))


@pytest.mark.parametrize(
    ("then", "between", "waits"),
    [
        (alone(charged(1)), None, True),
        (alone(charged(3)), None, False),  # it is loaded
        (alone(charged(1, rot=180.0, charge=3)), None, False),  # the other one aims and is loaded
        (alone(Arena(replace(EMPTY.left, charge=1, health=88), EMPTY.right)), None, False),  # it has hit
        (alone(charged(1, x=900)), None, False),  # it has gone
        (alone(charged(1), round=2), None, False),
        (alone(charged(1)), lambda players: players.click(12.1), False),
        (alone(charged(1)), lambda players: give(players, (0, "fine", True), 12.1), False),
    ],
)
def test_one_press_waits_until_the_gun_is_loaded_or_something_happens(then, between, waits, wires):
    players, asked = Players(wires), alone(EMPTY)
    players.follow(asked, BOTH, 10.0)
    give(players, (0, "wait", True), 10.1)
    give(players, (0, "wait", False), 10.2)
    players.follow(None, BOTH, 11.0)
    players.follow(then, BOTH, 12.0)
    if between is not None:
        between(players)
    players.follow(then, BOTH, 12.0 + WAIT_S)
    assert submitted(then) == ("" if waits else None)


def test_a_person_who_waits_has_nothing_to_do_until_the_gun_is_loaded(wires):
    players, asked = Players(wires), alone(EMPTY)
    players.follow(asked, BOTH, 10.0)
    assert not players.idle
    give(players, (0, "wait", True), 10.1)
    players.follow(None, BOTH, 11.0)
    assert players.idle, "also in the other one's turn"
    players.follow(alone(charged(3)), BOTH, 12.0)
    assert not players.idle


ARENA_RULES = config.load("arena").rules


@pytest.mark.parametrize(("rules", "token"), [(ARENA_RULES, "M-60"), (COUCH, None)])
def test_a_step_back_is_made_only_where_the_rules_have_it(rules, token, wires):
    assert played(wires, "10 turn, 10.1 +retreat, 10.2 -retreat", alone(EMPTY, rules))[1] == token


@pytest.mark.parametrize(
    ("rules", "back", "token"), [(ARENA_RULES, True, "M-60"), (ARENA_RULES, False, "M"), (COUCH, True, "M")]
)
def test_the_wheel_towards_oneself_is_a_step_back_where_the_rules_have_it(rules, back, token, wires):
    players, asked = Players(wires), alone(Arena(replace(EMPTY.left, rot=180), EMPTY.right), rules)
    players.follow(asked, BOTH, 10.0)
    if token == "M-60":
        asked = alone(EMPTY, rules)
        players.follow(asked, BOTH, 10.0)
    players.wheel(10.1, back=back)
    assert submitted(asked) == token


@pytest.mark.parametrize(("taken_over", "token"), [(True, "B"), (False, None)])
def test_an_only_gamepad_plays_whoevers_turn_it_is_while_a_seat_is_taken_over(taken_over, token, wires):
    players, asked = Players(wires), asking(0)
    players.follow(asked, BOTH, 10.0)
    give(players, (1, "fire", True), 10.1, pad=True, taken_over=taken_over)
    assert submitted(asked) == token


def test_it_is_noticed_once_that_the_aim_has_come_to_rest_on_the_other_bot(wires):
    players, asked = Players(wires), asking(0)
    players.follow(asked, BOTH, 0.0)
    noticed = []
    for degrees in (90.0, 40.0, 2.0, 1.0, 0.5):
        wires.pointed[0] = degrees
        noticed.append(players.follow(asked, BOTH, 0.1))
    assert noticed == [False, False, True, False, False]


def test_a_swing_slows_down_while_the_aim_rests_on_the_other_bot(wires):
    """Seen over a whole swing: from 20 degrees beside the other bot across it, each frame a sixtieth."""
    players, asked = Players(wires), asking(0, rot=-20.0)
    players.follow(asked, BOTH, 0.0)
    give(players, (0, "right", True), 0.0)
    steps: dict[bool, list[float]] = {True: [], False: []}
    before = players.aim.turned
    for frame in range(1, 60):
        on_target = abs(before - 20.0) < 1.5
        players.follow(asked, BOTH, frame / 60)
        steps[on_target].append(players.aim.turned - before)
        before = players.aim.turned
    assert max(steps[True]) < max(steps[False])
    assert max(steps[True]) <= STICKY / 60 + 1e-9


def test_a_command_the_rules_would_refuse_costs_nothing_and_says_why(wires):
    players, asked = Players(wires), asking(0)
    shielded = replace(asked.view.arena, left=replace(ARENA.left, shield=True))
    asked = replace(asked, view=replace(asked.view, arena=shielded))
    players.follow(asked, BOTH, 10.0)
    give(players, (0, "fire", True), 10.1)
    assert players.take_refused().why == "shield"
    assert players.take_refused() is None
    give(players, (0, "shield", True), 10.2)
    give(players, (0, "shield", False), 10.3)
    assert submitted(asked) == "S"
    assert players.take_refused() is None


def test_an_early_command_is_refused_when_its_turn_begins(wires):
    players, asked = Players(wires), asking(0, rot=180.0)
    asked = replace(asked, view=replace(asked.view, arena=replace(ARENA, left=replace(ARENA.left, x=50, rot=180))))
    give(players, (0, "move", True), 9.9)
    assert players.take_refused() is None
    players.follow(asked, BOTH, 10.0)
    assert players.take_refused().why == "wall"
    give(players, (0, "wait", True), 10.1)
    assert submitted(asked) == ""
    assert submitted(asked) is None, "no more than one"


def test_where_a_click_would_fire_nothing_is_shown_that_turns(wires):
    players, asked = Players(wires), asking(0, rot=3.0)
    players.pointing.move((800, 500))
    players.follow(asked, (True, False), 1.0)
    assert players.aim is not None
    assert players.aim.turned == 0, "the barrel is on it as it is"
    players.pointing.move((200, 900))
    players.follow(asked, (True, False), 1.1)
    assert players.aim.turned == 87


QUARTER = replace(Rules(), turn_limit=90)


def limited_to_a_quarter(bot: int) -> OpenRequest:
    asked = asking(bot)
    return replace(asked, view=replace(asked.view, rules=QUARTER))


@pytest.mark.parametrize(
    ("script", "token"), [("10 turn, 10.1 +right, 14 -right", "C90"), ("0 turn, 0.01 stick 150, 0.5 stick", "C90")]
)
def test_the_aim_stops_where_one_play_turns_no_farther(script, token, wires):
    assert played(wires, script, limited_to_a_quarter(0))[1] == token


def test_a_click_behind_the_bot_turns_it_as_far_as_one_play_does(wires):
    players, asked = Players(wires), limited_to_a_quarter(0)
    players.pointing.move((100, 450))
    players.follow(asked, BOTH, 1.0)
    assert players.aim.turned == -90, "the line stops at the end of the arc"
    players.click(1.1)
    players.pointing.release()
    players.follow(asked, BOTH, 2.0)
    assert submitted(asked) == "A90"


def test_a_pointer_that_rests_turns_nothing_of_the_other_persons(wires):
    players = Players(wires)
    players.follow(asking(0), BOTH, 1.0)
    players.pointing.move((200, 900))
    players.follow(asking(0), BOTH, 1.1)
    assert players.aim.turned == 90, "his own bot still looks at it in his next turn"
    players.follow(asking(1), BOTH, 1.2)
    assert (players.aim.turned, players.pointing.used) == (0, False)
    players.pointing.move((800, 900))
    players.follow(asking(1), BOTH, 1.3)
    assert players.aim.turned == -90, "until it is moved"
