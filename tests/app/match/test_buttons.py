"""The buttons of a live match, without a window: the speed stands on the one that chose it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from batllm_arcade.app.match.buttons import Touched, match_buttons
from batllm_arcade.app.match.state import HURRY, PlaybackClock


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
