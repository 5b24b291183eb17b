"""The persons at the seats: sticks, early commands, an only gamepad at the wheel."""

from __future__ import annotations

import time

import pygame
import pytest

from batllm_arcade.app.input.controls import PAD
from batllm_arcade.app.input.players import Players
from batllm_arcade.brains.protocol import Cancelled, Live, SeatInfo, View
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.seats.waiting import OpenRequest

ARENA = Arena(BotState(200, 500, 0, 100, False), BotState(800, 500, 180, 100, False))


class Wires:
    """Controls that say what the test tells them."""

    def __init__(self) -> None:
        self.given = None
        self.pointed: dict[int, float | None] = {0: None, 1: None}
        self.lone_pad = True

    def hand(self, event, humans):
        return self.given

    def stick(self, seat, humans):
        return self.pointed[seat] if humans[seat] else None


@pytest.fixture
def wires():
    return Wires()


def asking(bot: int) -> OpenRequest:
    view = View(bot, Rules(), 1, 1, 1, 1, (0, 1), ("", ""), ARENA, ARENA, live=Live())
    return OpenRequest(bot, SeatInfo("Human", "keyboard", human=True), view, time.monotonic())


def handed(asked: OpenRequest) -> str:
    """The command that was given, "" where none was."""
    asked.live.cancel()
    try:
        return asked.live.wait_for_command()
    except Cancelled:
        return ""


def give(players: Players, wires: Wires, what, now: float, **how) -> None:
    wires.given = what
    players.handle(pygame.event.Event(how.pop("kind", pygame.KEYDOWN)), (True, True), now, **how)


BOTH = (True, True)


def test_letting_the_stick_go_turns_the_bot_there(wires):
    players, asked = Players(wires), asking(0)
    wires.pointed[0] = 90.0
    for frame in range(30):
        players.follow(asked, BOTH, frame / 60)
    assert players.aim(asked, 0.5).turned == 90
    wires.pointed[0] = None
    players.follow(asked, BOTH, 0.52)
    assert handed(asked) == "C90"


def test_the_shield_button_takes_a_pointed_turn_back_and_the_next_press_is_the_shield(wires):
    players, asked = Players(wires), asking(0)
    wires.pointed[0] = 90.0
    for frame in range(30):
        players.follow(asked, BOTH, frame / 60)
    give(players, wires, (0, "shield", True), 0.5)
    wires.pointed[0] = None
    players.follow(asked, BOTH, 0.52)
    give(players, wires, (0, "shield", True), 0.6)
    assert handed(asked) == "S"


@pytest.mark.parametrize(("before", "token"), [(0.1, "B"), (0.34, "B"), (0.5, "")])
def test_a_command_counts_a_moment_before_the_turn_and_not_earlier(before, token, wires):
    players, asked = Players(wires), asking(0)
    give(players, wires, (0, "fire", True), 10.0 - before)
    players.follow(asked, BOTH, 10.0)
    assert handed(asked) == token


def test_a_key_let_go_right_after_the_turn_began_was_meant_for_the_time_before(wires):
    players, asked = Players(wires), asking(0)
    give(players, wires, (0, "right", True), 9.0)
    players.follow(asked, BOTH, 10.0)
    give(players, wires, (0, "right", False), 10.05, kind=pygame.KEYUP)
    assert handed(asked) == ""


def test_only_the_first_of_two_commands_counts(wires):
    players, asked = Players(wires), asking(0)
    players.follow(asked, BOTH, 10.0)
    give(players, wires, (0, "move", True), 10.1)
    give(players, wires, (0, "fire", True), 10.2)
    asked.live.cancel()
    assert asked.live.wait_for_command() == "M"
    with pytest.raises(Cancelled):
        asked.live.wait_for_command()


@pytest.mark.parametrize(("wheel", "token"), [(True, "B"), (False, "")])
def test_an_only_gamepad_plays_whoevers_turn_it_is_while_a_wheel_is_taken(wheel, token, wires):
    players, asked = Players(wires), asking(0)
    players.follow(asked, BOTH, 10.0)
    give(players, wires, (1, "fire", True), 10.1, kind=PAD, wheel=wheel)
    assert handed(asked) == token


def test_the_aim_tells_once_when_it_comes_to_rest_on_the_other_bot(wires):
    players, asked = Players(wires), asking(0)
    players.follow(asked, BOTH, 0.0)
    told = []
    for degrees in (90.0, 40.0, 2.0, 1.0, 0.5):
        wires.pointed[0] = degrees
        players.follow(asked, BOTH, 0.1)
        told.append(players.met(asked, players.aim(asked, 0.1)))
    assert told == [False, False, True, False, False]
