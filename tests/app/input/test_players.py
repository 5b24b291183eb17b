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


def submitted(asked: OpenRequest) -> str:
    """The command that was given, "" where none was."""
    asked.live.cancel()
    try:
        return asked.live.wait_for_command()
    except Cancelled:
        return ""


def give(players: Players, wires: Wires, what, now: float, **how) -> None:
    seat, action, pressed = what
    press = PlayerPress(action, pressed, seat, pad=how.pop("pad", False))
    players.handle(press, (True, True), now, **how)


BOTH = (True, True)


def test_letting_the_stick_go_turns_the_bot_there(wires):
    players, asked = Players(wires), asking(0)
    wires.pointed[0] = 90.0
    for frame in range(30):
        players.follow(asked, BOTH, frame / 60)
    assert players.aim.turned == 90
    wires.pointed[0] = None
    players.follow(asked, BOTH, 0.52)
    assert submitted(asked) == "C90"


def test_the_shield_button_takes_a_pointed_turn_back_and_the_next_press_is_the_shield(wires):
    players, asked = Players(wires), asking(0)
    wires.pointed[0] = 90.0
    for frame in range(30):
        players.follow(asked, BOTH, frame / 60)
    give(players, wires, (0, "shield", True), 0.5)
    wires.pointed[0] = None
    players.follow(asked, BOTH, 0.52)
    give(players, wires, (0, "shield", True), 0.6)
    give(players, wires, (0, "shield", False), 0.7)
    assert submitted(asked) == "S"


@pytest.mark.parametrize(("before", "token"), [(0.1, "B"), (0.34, "B"), (0.5, "")])
def test_a_command_counts_a_moment_before_the_turn_and_not_earlier(before, token, wires):
    players, asked = Players(wires), asking(0)
    give(players, wires, (0, "fire", True), 10.0 - before)
    players.follow(asked, BOTH, 10.0)
    assert submitted(asked) == token


def test_a_key_let_go_right_after_the_turn_began_was_meant_for_the_time_before(wires):
    players, asked = Players(wires), asking(0)
    give(players, wires, (0, "right", True), 9.0)
    players.follow(asked, BOTH, 10.0)
    give(players, wires, (0, "right", False), 10.05)
    assert submitted(asked) == ""


def test_a_step_is_shown_while_its_key_is_held_and_made_when_it_is_let_go(wires):
    players, asked = Players(wires), asking(0)
    players.follow(asked, BOTH, 10.0)
    give(players, wires, (0, "move", True), 10.1)
    assert (players.chosen, players.aiming) == ("move", True)
    give(players, wires, (0, "move", False), 10.9)
    assert players.chosen is None
    assert submitted(asked) == "M"


@pytest.mark.parametrize(
    "take_back",
    [
        lambda players, wires: players.take_back(),
        lambda players, wires: players.let_go(),
        lambda players, wires: give(players, wires, (0, "shield", True), 10.5),
    ],
)
def test_a_step_that_is_taken_back_is_not_made(take_back, wires):
    players, asked = Players(wires), asking(0)
    players.follow(asked, BOTH, 10.0)
    give(players, wires, (0, "move", True), 10.1)
    take_back(players, wires)
    give(players, wires, (0, "move", False), 10.9)
    assert submitted(asked) == ""


EMPTY = Arena(BotState(500, 500, 0, 100, False, 0), BotState(620, 500, 90, 100, False, 0))
"""Left's gun is empty and it cannot walk: the other one stands in front of it, with its side towards it."""


def alone(arena: Arena, rules: Rules = COUCH, round: int = 1) -> OpenRequest:
    view = View(0, rules, 1, round, 1, 1, (0, 1), ("", ""), arena, arena, live=Live())
    return OpenRequest(0, SeatInfo("Human", "keyboard", human=True), view, time.monotonic())


def charged(left: int, **foe) -> Arena:
    return Arena(replace(EMPTY.left, charge=left), replace(EMPTY.right, **foe))


def waited(wires, then: OpenRequest, between=lambda players: None) -> str:
    """What the next turn's command is after a wait in the first one, without another press."""
    players, asked = Players(wires), alone(EMPTY)
    players.follow(asked, BOTH, 10.0)
    give(players, wires, (0, "wait", True), 10.1)
    give(players, wires, (0, "wait", False), 10.2)
    players.follow(None, BOTH, 11.0)
    players.follow(then, BOTH, 12.0)
    between(players)
    players.follow(then, BOTH, 12.0 + WAIT_S)
    then.live.cancel()
    try:
        return then.live.wait_for_command() or "waits"
    except Cancelled:
        return "asks"


def test_one_press_waits_until_the_gun_is_loaded(wires):
    assert waited(wires, alone(charged(1))) == "waits"
    assert waited(wires, alone(charged(3))) == "asks"


@pytest.mark.parametrize(
    "then",
    [charged(1, rot=180.0, charge=3), Arena(replace(EMPTY.left, charge=1, health=88), EMPTY.right), charged(1, x=900)],
    ids=["it aims and is loaded", "it has hit", "it has gone"],
)
def test_a_threat_a_hit_and_a_better_play_end_the_wait(then, wires):
    assert waited(wires, alone(then)) == "asks"


def test_a_person_who_waits_has_nothing_to_do_until_the_gun_is_loaded(wires):
    players, asked = Players(wires), alone(EMPTY)
    players.follow(asked, BOTH, 10.0)
    assert not players.idle
    give(players, wires, (0, "wait", True), 10.1)
    players.follow(None, BOTH, 11.0)
    assert players.idle, "also in the other one's turn"
    players.follow(alone(charged(3)), BOTH, 12.0)
    assert not players.idle


def test_a_key_a_click_and_a_new_round_end_the_wait(wires):
    assert waited(wires, alone(charged(1), round=2)) == "asks"
    assert waited(wires, alone(charged(1)), lambda players: players.click(12.1)) == "asks"
    assert waited(wires, alone(charged(1)), lambda players: give(players, wires, (0, "fine", True), 12.1)) == "asks"


ARENA_RULES = config.load("arena").rules


@pytest.mark.parametrize(("rules", "token"), [(ARENA_RULES, "M-60"), (COUCH, "")])
def test_a_step_back_is_made_only_where_the_rules_have_it(rules, token, wires):
    players, asked = Players(wires), alone(EMPTY, rules)
    players.follow(asked, BOTH, 10.0)
    give(players, wires, (0, "retreat", True), 10.1)
    give(players, wires, (0, "retreat", False), 10.2)
    assert submitted(asked) == token


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


def test_only_the_first_of_two_commands_counts(wires):
    players, asked = Players(wires), asking(0)
    players.follow(asked, BOTH, 10.0)
    give(players, wires, (0, "move", True), 10.1)
    give(players, wires, (0, "fire", True), 10.2)  # before the step's key is let go
    give(players, wires, (0, "move", False), 10.3)
    asked.live.cancel()
    assert asked.live.wait_for_command() == "M"
    with pytest.raises(Cancelled):
        asked.live.wait_for_command()


@pytest.mark.parametrize(("taken_over", "token"), [(True, "B"), (False, "")])
def test_an_only_gamepad_plays_whoevers_turn_it_is_while_a_seat_is_taken_over(taken_over, token, wires):
    players, asked = Players(wires), asking(0)
    players.follow(asked, BOTH, 10.0)
    give(players, wires, (1, "fire", True), 10.1, pad=True, taken_over=taken_over)
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
    give(players, wires, (0, "right", True), 0.0)
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
    give(players, wires, (0, "fire", True), 10.1)
    assert players.take_refused().why == "shield"
    assert players.take_refused() is None
    give(players, wires, (0, "shield", True), 10.2)
    give(players, wires, (0, "shield", False), 10.3)
    assert submitted(asked) == "S"
    assert players.take_refused() is None


def test_an_early_command_is_refused_when_its_turn_begins(wires):
    players, asked = Players(wires), asking(0, rot=180.0)
    asked = replace(asked, view=replace(asked.view, arena=replace(ARENA, left=replace(ARENA.left, x=50, rot=180))))
    give(players, wires, (0, "move", True), 9.9)
    assert players.take_refused() is None
    players.follow(asked, BOTH, 10.0)
    assert players.take_refused().why == "wall"
    give(players, wires, (0, "wait", True), 10.1)
    asked.live.cancel()
    assert asked.live.wait_for_command() == ""
    with pytest.raises(Cancelled):
        asked.live.wait_for_command()


def test_where_a_click_would_fire_nothing_is_shown_that_turns(wires):
    players, asked = Players(wires), asking(0, rot=3.0)
    players.pointing.move((800, 500))
    players.follow(asked, (True, False), 1.0)
    assert players.aim is not None
    assert players.aim.turned == 0, "the barrel is on it as it is"
    players.pointing.move((200, 900))
    players.follow(asked, (True, False), 1.1)
    assert players.aim.turned == 87
