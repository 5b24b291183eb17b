"""Players at the keyboard."""

from __future__ import annotations

from dataclasses import dataclass, field

from batllm_arcade.app.input.controls import Controls, PlayerPress
from batllm_arcade.app.input.pointing import (
    BACK,
    TOKENS,
    WAIT,
    Action,
    Aiming,
    Pointing,
    Stick,
    most_turned,
    turn_command,
)
from batllm_arcade.brains.protocol import View
from batllm_arcade.core.flight import lined_up
from batllm_arcade.core.rules import Refusal, limited, read_command, refusal
from batllm_arcade.seats.table import OpenRequest
from batllm_arcade.view.scene import Aim
from batllm_arcade.view.telegraph.advice import loads_by_waiting, waits_until_loaded

# -- One press that waits until the gun is loaded

WAIT_S = 0.25
"""Seconds of each turn in which a person sees that they still wait, and can stop it."""
_Standing = tuple[int, int, int, float, bool, bool]


def _standing(view: View) -> _Standing:
    """Return what a wait depends on: it goes on only in the same round, unhurt, and as long as this is as it was."""
    arena, seat, rules = view.arena, view.seat, view.rules
    stands = lined_up(arena, seat, rules), waits_until_loaded(arena, seat, rules)
    return seat, view.game, view.round, arena.bot(seat).health, *stands


# -- The people who play

EARLY_S = 0.35
"""Seconds before a turn begins in which a command given already counts."""
CARRIED_S = 0.15
"""A key that is already down when the turn begins does not turn the bot if it is let go within these seconds."""


@dataclass
class _Player:
    keys: Aiming = field(default_factory=Aiming)
    stick: Stick = field(default_factory=Stick)
    down: set[Action] = field(default_factory=set)  # aiming keys held, whosever turn it is
    early: tuple[str, float] | None = None  # a command given before the turn began, and when
    carried: bool = False  # whether what is held was held before the turn began


@dataclass(frozen=True, slots=True)
class Refused:
    """A command that was not handed in, because the rules would have refused it, and why."""

    asked: OpenRequest
    why: Refusal


class Players:
    """Turns keys and sticks into commands of the person asked; an early one counts for the next turn.

    What the rules would refuse is never handed in: the person's turn goes on.
    """

    def __init__(self, controls: Controls) -> None:
        self._controls = controls
        self._players = (_Player(), _Player())
        self._asked: OpenRequest | None = None
        self._served: OpenRequest | None = None
        self._last: int | None = None  # who was asked last
        self._began = 0.0
        self._crossed = False
        self.pointing = Pointing()
        self.aim: Aim | None = None
        """The line to show for the person who is asked, None if nobody is."""
        self._refused: Refused | None = None
        self._waits: _Standing | None = None  # how it stood when the wait under way began

    @property
    def waiting(self) -> bool:
        """Whether the person asked waits until their gun is loaded, without another press."""
        if self._asked is None or self._waits is None:
            return False
        view = self._asked.view
        return self._waits == _standing(view) and loads_by_waiting(view.arena, view.seat, view.rules)

    @property
    def idle(self) -> bool:
        """Whether a person waits until their gun is loaded, whosever turn it is just now."""
        return self._waits is not None and (self._asked is None or self.waiting)

    def let_go(self) -> None:
        """Forget what is held, for the window has lost the keys or a dialog has taken them."""
        self._waits = None
        for player in self._players:
            player.keys.let_go()
            player.keys.fine = False
            player.stick.let_go()
            player.down.clear()
            player.early = None
        self.pointing.take_back()

    @property
    def aiming(self) -> bool:
        """Whether the person who is asked is swinging or pointing just now."""
        player = self._players[self._asked.bot] if self._asked is not None else None
        return player is not None and (
            player.keys.aiming
            or player.keys.chosen is not None
            or player.stick.direction is not None
            or self.pointing.pending
        )

    @property
    def chosen(self) -> Action | None:
        """The action of the person asked that is done once its key is let go, None if there is none."""
        return self._players[self._asked.bot].keys.chosen if self._asked is not None else None

    def take_back(self) -> None:
        """A change of mind: the turn being aimed is not made."""
        self._waits = None
        self.pointing.take_back()
        for player in self._players:
            player.keys.let_go()
            player.stick.refuse()

    def handle(
        self, press: PlayerPress | None, humans: tuple[bool, bool], now: float, *, taken_over: bool = False
    ) -> bool:
        """Take a player's key or button; return False if it is none, or nobody's.

        While a seat is `taken_over`, an only gamepad plays whoever's turn it is: one person holds it.
        """
        seat = self._controls.seat_of(press, humans) if press is not None else None
        if press is None or seat is None:
            return False
        if taken_over and press.pad and self._controls.lone_pad and self._asked is not None:
            seat = self._asked.bot
        self.pointing.rest()
        if press.pressed:
            self._waits = None
            self._controls.played(seat, pointed=False)
        self._take(seat, press.action, press.pressed, now)
        return True

    def _take(self, seat: int, action: Action, pressed: bool, now: float) -> None:
        player = self._players[seat]
        if action in ("left", "right"):
            (player.down.add if pressed else player.down.discard)(action)
        if self._asked is None or self._asked.bot != seat:
            self._keep(player, action, pressed, now)
        elif player.stick.direction is not None and pressed:
            if action == "shield":
                player.stick.refuse()
        elif pressed:
            player.carried = False
            self._give(player.keys.press(action, now))
        else:
            token = player.keys.release(action, now)
            self._give(None if player.carried and now - self._began < CARRIED_S else token)

    def click(self, now: float) -> None:
        """Take the mouse's button going down in the arena."""
        if self._asked is not None:
            self._pointed(self._asked)
            self._give(self.pointing.press(self._asked.view, now))

    def wheel(self, now: float, *, back: bool = False) -> None:
        """Take the wheel's turning; `back` is towards the person, a step back where the rules have it."""
        token = self.pointing.wheel(now)
        if token is not None and back and self._asked is not None and self._asked.view.rules.back_step:
            token = BACK
        if self._asked is not None:
            self._pointed(self._asked)
            self._give(token)

    def hold(self, action: Action, now: float, *, pressed: bool) -> None:
        """Take a button on the screen that does what an action's key does; it never counts for a turn to come."""
        if self._asked is not None:
            if pressed:
                self._pointed(self._asked)
            self._take(self._asked.bot, action, pressed, now)
        elif not pressed:
            for player in self._players:
                player.down.discard(action)

    def _pointed(self, asked: OpenRequest) -> None:
        self._waits = None
        self._controls.played(asked.bot, pointed=True)

    def _keep(self, player: _Player, action: Action, pressed: bool, now: float) -> None:
        """Keep a command for the turn to come; an aim that was held ends, for it is not this player's turn."""
        player.keys.let_go()
        token = TOKENS.get(action) if pressed else None
        if action == "fine":
            player.keys.fine = pressed
        if token is not None:
            player.early = (token, now)

    def _give(self, token: str | None) -> None:
        """Hand a command in, unless the rules would refuse it: then it costs the person nothing."""
        asked = self._asked
        if token is None or asked is None or asked is self._served:
            return
        view = asked.view
        if token == BACK:
            if not view.rules.back_step:
                return
            token = f"M-{view.rules.back_step}"
        why = refusal(view.arena, view.seat, read_command(token or None, view.rules), view.rules)
        if why is not None:
            self._refused = Refused(asked, why)
            return
        asked.live.submit_command(token)
        self._served = asked
        begins = token == WAIT and loads_by_waiting(view.arena, view.seat, view.rules)
        self._waits = _standing(view) if begins else None
        for player in self._players:
            player.keys.let_go()
            player.stick.refuse()

    def command(self, token: str) -> None:
        """Hand in a command that was given in another way than by keys and sticks; `aiming.WAIT` does nothing."""
        self._give(token)

    def take_refused(self) -> Refused | None:
        """Return the command refused since the last call, None if none was."""
        refused, self._refused = self._refused, None
        return refused

    def follow(
        self, asking: OpenRequest | None, humans: tuple[bool, bool], now: float, *, taken_over: bool = False
    ) -> bool:
        """Move on to `now`, once a frame; `asking` is the person whose move it is and who may act, or None.

        Return whether the aim has just come to rest on the other bot.
        """
        if asking is not self._asked:
            self._asked = asking
            if asking is not None:
                if self._last not in (None, asking.bot):
                    self.pointing.rest()  # it was the other person's
                self._last = asking.bot
                self._players[asking.bot].keys.most = most_turned(asking.view.rules)
                self._begin(self._players[asking.bot], now)
        if asking is None:
            self.aim = None
            return False
        self._commit_stick(asking, humans, now, taken_over=taken_over)
        self._give(self.pointing.due(asking.view, now))
        if now - self._began >= WAIT_S and self.waiting:
            self._give(WAIT)
        self.aim = self._aim_of(asking, now)
        return self._rests_on_target(asking, self.aim)

    def _commit_stick(self, asking: OpenRequest, humans: tuple[bool, bool], now: float, *, taken_over: bool) -> None:
        if taken_over and self._controls.lone_pad:
            humans = (asking.bot == 0, asking.bot == 1)
        stick = self._players[asking.bot].stick
        committed = stick.feel(self._controls.stick(asking.bot, humans), now)
        self._give(turn_command(committed, asking.view))

    def _begin(self, player: _Player, now: float) -> None:
        self._began = now
        player.stick.let_go()
        self.pointing.take_back()
        early, player.early = player.early, None
        if early is not None and now - early[1] <= EARLY_S:
            self._give(early[0])
            return
        player.carried = bool(player.down)
        for action in player.down:
            player.keys.press(action, now)

    @staticmethod
    def hold_clock(asking: OpenRequest | None, held: bool) -> None:
        """Stop a person's clock while nothing can be done or everything is paused; called once a frame."""
        if asking is not None and asking.seat.human:
            asking.live.hold(held)

    def _aim_of(self, asking: OpenRequest, now: float) -> Aim:
        player, me = self._players[asking.bot], asking.view.arena.bot(asking.bot)
        pointed = player.stick.direction
        if pointed is None and not player.keys.aiming and not self.pointing.fires(asking.view):
            pointed = self.pointing.direction(asking.view)  # a click that fires turns nothing
        swung = player.keys.aim(now) if player.keys.aiming else 0.0
        turn = swung if pointed is None else limited(pointed - me.rot, most_turned(asking.view.rules))
        return Aim(asking.bot, me.rot + turn, turn)

    def _rests_on_target(self, asking: OpenRequest, aim: Aim) -> bool:
        """Slow the swing down while the aim rests on the other bot; return whether that has just begun."""
        crosses = lined_up(asking.view.arena, aim.bot, asking.view.rules, aim.rot)
        self._players[aim.bot].keys.sticky = crosses
        before, self._crossed = self._crossed, crosses
        return crosses and not before and aim.turned != 0
