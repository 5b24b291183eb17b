"""What players hear and feel in a live match: its sounds, the last seconds of their clock, shaking gamepads."""

from __future__ import annotations

from batllm_arcade.app.input.controls import Controls, Humans
from batllm_arcade.app.input.refusal_text import SOUNDS
from batllm_arcade.app.match.state import MatchState
from batllm_arcade.audio.player import Player
from batllm_arcade.core.refusal import Refusal
from batllm_arcade.seats.waiting import OpenRequest
from batllm_arcade.view.timeline import Segment

_RUMBLES = {
    "hit": (0.7, 0.25),
    "knockout": (1.0, 0.7),
    "block": (0.3, 0.12),
    "break": (0.6, 0.3),
    "muzzle": (0.2, 0.08),
}
"""How strongly and how long (seconds) a person's gamepad shakes when it happens to their bot."""
LAST_SECONDS = 5
"""Seconds at the end of a person's clock that tick."""


class Feedback:
    """Plays what happens between two moments of a match; called once per frame."""

    def __init__(self, sounds: Player, controls: Controls) -> None:
        self._sounds, self._controls = sounds, controls
        self._second = 0

    def follow(self, state: MatchState, before: float, after: float) -> None:
        """Play the sounds from `before` to `after` on the timeline and shake the gamepads of whom they happened to."""
        self._sounds.follow(state.timeline, before, after, state.clock.speed)
        if after > before:
            for segment in state.timeline.segments[-2:]:
                self._rumble(segment, before, after, state.humans)

    def _rumble(self, segment: Segment, before: float, after: float, humans: Humans) -> None:
        for effect in segment.effects:
            if before < effect.start <= after and effect.kind in _RUMBLES and humans[effect.bot]:
                self._controls.rumble(effect.bot, *_RUMBLES[effect.kind], humans)

    def on_target(self) -> None:
        """The aim has come to rest on the other bot."""
        self._sounds.ui("move")

    def refused(self, why: Refusal) -> None:
        """A person's command was refused."""
        self._sounds.play(SOUNDS[why])

    def tick(self, person: OpenRequest | None) -> None:
        """Let the last seconds of a person's clock be heard."""
        if person is None:
            return
        left = person.live.seconds_left()
        second = 0 if left is None or left > LAST_SECONDS else int(left) + 1
        if second and second != self._second:
            self._sounds.play("tick")
        self._second = second
