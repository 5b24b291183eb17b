"""The persons at the seats: whose move it is, what they hold down or point at, and their clock."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import pygame

from batllm_arcade.app.input.aiming import Action, Aiming, Stick, turn_to, turned
from batllm_arcade.app.input.controls import PAD
from batllm_arcade.core.geometry import direction, ray_meets_circle
from batllm_arcade.seats.waiting import OpenRequest as Asking
from batllm_arcade.view.scene import Aim

EARLY_S = 0.35
"""Seconds before a turn begins in which a command given already counts."""
CARRIED_S = 0.15
"""Seconds in which letting a key go that was held before the turn began is no turn yet."""


class PlayerControls(Protocol):
    """What persons need of the controls."""

    @property
    def lone_pad(self) -> bool:
        """Whether there is no more than one gamepad."""
        ...

    def hand(self, event: pygame.event.Event, humans: tuple[bool, bool]) -> tuple[int, Action, bool] | None:
        """The seat, what its key means and whether it went down; None for any other event."""
        ...

    def stick(self, seat: int, humans: tuple[bool, bool]) -> float | None:
        """Where the seat's stick points, in degrees, None in the middle."""
        ...


@dataclass
class _Player:
    hands: Aiming = field(default_factory=Aiming)
    stick: Stick = field(default_factory=Stick)
    down: set[Action] = field(default_factory=set)  # aiming keys held, whosever turn it is
    early: tuple[str, float] | None = None  # a command given before the turn began, and when
    carried: bool = False  # whether what is held was held before the turn began


class Players:
    """Turns keys and sticks into the command of the person who is asked; nothing is lost, nothing fires blindly."""

    def __init__(self, controls: PlayerControls) -> None:
        self._controls = controls
        self._players = (_Player(), _Player())
        self._asked: Asking | None = None
        self._served: Asking | None = None
        self._began = 0.0
        self._crossed = False

    def let_go(self) -> None:
        """Forget what is held, for the window has lost the keys or a page has taken them."""
        for person in self._players:
            person.hands.let_go()
            person.hands.fine = False
            person.stick.let_go()
            person.down.clear()
            person.early = None

    @property
    def aiming(self) -> bool:
        """Whether the person who is asked is swinging or pointing just now."""
        person = self._players[self._asked.bot] if self._asked is not None else None
        return person is not None and (person.hands.aiming or person.stick.direction is not None)

    def take_back(self) -> None:
        """A change of mind: the turn being aimed is not made."""
        for person in self._players:
            person.hands.let_go()
            person.stick.refuse()

    def handle(self, event: pygame.event.Event, humans: tuple[bool, bool], now: float, *, wheel: bool = False) -> bool:
        """Take a person's key; False for an event that is none.

        With a seat at the `wheel` an only gamepad plays whoever's turn it is: it is one person's hands.
        """
        given = self._controls.hand(event, humans)
        if given is None:
            return False
        seat, action, pressed = given
        if wheel and event.type == PAD and self._controls.lone_pad and self._asked is not None:
            seat = self._asked.bot
        person = self._players[seat]
        if action in ("left", "right"):
            (person.down.add if pressed else person.down.discard)(action)
        if self._asked is None or self._asked.bot != seat:
            self._keep(person, action, pressed, now)
        elif person.stick.direction is not None and pressed:
            if action == "shield":
                person.stick.refuse()
        elif pressed:
            person.carried = False
            self._give(person.hands.press(action, now))
        else:
            token = person.hands.release(action, now)
            self._give(None if person.carried and now - self._began < CARRIED_S else token)
        return True

    def _keep(self, person: _Player, action: Action, pressed: bool, now: float) -> None:
        """It is not this person's turn: a command waits for it a moment, an aim that was held ends."""
        person.hands.let_go()
        token = person.hands.press(action, now) if action not in ("left", "right") and pressed else None
        if action == "fine":
            person.hands.fine = pressed
        if token:
            person.early = (token, now)

    def _give(self, token: str | None) -> None:
        if token and self._asked is not None and self._asked is not self._served:
            self._asked.live.submit_command(token)
            self._served = self._asked
            for person in self._players:
                person.hands.let_go()
                person.stick.refuse()

    def follow(self, asking: Asking | None, humans: tuple[bool, bool], now: float, *, wheel: bool = False) -> None:
        """Once a frame: the person whose move it is and who may act now, or None."""
        if asking is not self._asked:
            self._asked = asking
            if asking is not None:
                self._begin(self._players[asking.bot], now)
        if asking is not None:
            person = self._players[asking.bot]
            if wheel and self._controls.lone_pad:
                humans = (asking.bot == 0, asking.bot == 1)
            committed = person.stick.feel(self._controls.stick(asking.bot, humans), now)
            turn = 0.0 if committed is None else turn_to(committed, asking.view.arena.bot(asking.bot).rot)
            if round(turn):
                self._give(turned(turn))

    def _begin(self, person: _Player, now: float) -> None:
        self._began = now
        person.stick.let_go()
        early, person.early = person.early, None
        if early is not None and now - early[1] <= EARLY_S:
            self._give(early[0])
            return
        person.carried = bool(person.down)
        for action in person.down:
            person.hands.press(action, now)

    @staticmethod
    def mind_clock(asking: Asking | None, runs: bool) -> None:
        """Once a frame: a person's clock stands still while nothing can be done or everything is paused."""
        if asking is not None and asking.seat.human:
            asking.live.hold(not runs)

    def aim(self, asking: Asking, now: float) -> Aim:
        """The line to show for the person who is asked."""
        person, me = self._players[asking.bot], asking.view.arena.bot(asking.bot)
        pointed = person.stick.direction
        swung = person.hands.aim(now) if person.hands.aiming else 0.0
        turn = swung if pointed is None else turn_to(pointed, me.rot)
        return Aim(asking.bot, me.rot + turn, turn)

    def met(self, asking: Asking, aim: Aim) -> bool:
        """Whether the aim has just come to rest on the other bot; the swing slows down there."""
        arena = asking.view.arena
        me, foe = arena.bot(aim.bot), arena.bot(1 - aim.bot)
        ux, uy = direction(aim.rot % 360)
        crosses = ray_meets_circle(me.x, me.y, ux, uy, foe.x, foe.y, asking.view.rules.bot_radius) is not None
        self._players[aim.bot].hands.sticky = crosses
        self._crossed, before = crosses, self._crossed
        return crosses and not before and aim.turned != 0
