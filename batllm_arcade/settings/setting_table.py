"""The table of a person's settings: a row says where each stands in the file, which values it takes, and its words.

To add a setting, add its field with its default to `Settings` (of the picture: to `DisplayOptions`) and its row here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Union

from batllm_arcade.errors import UsageError, quoted

NAME_MOST = 16
"""Characters of a person's name."""


@dataclass(frozen=True, slots=True)
class Switch:
    """On or off."""

    def read(self, value: Any) -> bool:
        """Return the value; raise UsageError if it is another than true or false."""
        if not isinstance(value, bool):
            raise UsageError(f"must be true or false, not {quoted(value)}")
        return value


def percent(value: float) -> str:
    """Return a share in words: `80 %`."""
    return f"{value * 100:.0f} %"


@dataclass(frozen=True, slots=True)
class Number:
    """A number from `least` to `most`; a slider ends at `slides_to` and moves by `step`, `shown` puts it into words."""

    least: float
    most: float
    step: float
    slides_to: float
    shown: Callable[[float], str] = percent

    def read(self, value: Any) -> float:
        """Return the value; raise UsageError if it is no number within the limits."""
        if type(value) not in (int, float) or not self.least <= value <= self.most:
            raise UsageError(f"must be a number from {self.least:g} to {self.most:g}, not {quoted(value)}")
        return float(value)


@dataclass(frozen=True, slots=True)
class Name:
    """What somebody is called; it may become an option of a brain, so it holds no `,` and no `=`."""

    def read(self, value: Any) -> str:
        """Return the name without blanks around it; raise UsageError if it is none."""
        if not isinstance(value, str) or len(value) > NAME_MOST or not all(map(_in_a_name, value)):
            raise UsageError(f"must be a name of at most {NAME_MOST} characters without , and =, not {quoted(value)}")
        return value.strip()

    @staticmethod
    def typed(text: str) -> str:
        """Return what of a typed text may be a name."""
        return "".join(filter(_in_a_name, text)).strip()


def _in_a_name(character: str) -> bool:
    return character not in ",=" and character.isprintable()


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of some words, each with how it is shown."""

    words: Mapping[str, str]

    def read(self, value: Any) -> str:
        """Return the value; raise UsageError if it is none of the words."""
        names = tuple(self.words)
        if value not in names:
            raise UsageError(f"must be {', '.join(names[:-1])} or {names[-1]}, not {quoted(value)}")
        return str(value)


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its `group` in the file and page of the screen, its name, its values, its label and a hint."""

    group: str
    name: str
    kind: Union[Switch, Number, Name, OneOf]
    label: str
    hint: str


_LINES = OneOf({"all": "all", "own": "own line", "none": "off"})
_VOLUME = Number(0.0, 1.0, 0.05, 1.0)
_CLOCK = Number(0.0, 3600.0, 5.0, 120.0, lambda seconds: f"{seconds:g} s" if seconds else "off")

SETTINGS = (
    Setting(
        "picture", "reduced_motion", Switch(), "Reduced motion", "The picture keeps still: no shaking, no drifting"
    ),
    Setting("picture", "screen_shake", Switch(), "Screen shake", "The arena shakes a little on a hit"),
    Setting("picture", "freeze_frames", Switch(), "Hits hold still", "Everything stops for a moment on a hit"),
    Setting("picture", "camera", Switch(), "Camera", "Goes closer on hits, in matches you watch and in replays"),
    Setting("picture", "bubbles", Switch(), "Thought bubbles", "What a bot thinks and says, beside it"),
    Setting(
        "picture",
        "telegraphs",
        _LINES,
        "Lines of fire",
        "In your turn: both lines of fire, where a step lands, what to press; or your own line alone",
    ),
    Setting("picture", "ui_scale", Number(1.0, 1.5, 0.1, 1.5), "Size of words", "How large the words are"),
    Setting("picture", "fullscreen", Switch(), "Full screen", "Fill the whole screen"),
    Setting("sound", "effects_volume", _VOLUME, "Effects", "How loud shots and hits are"),
    Setting("sound", "music_volume", _VOLUME, "Music", "How loud the music is"),
    Setting("sound", "muted", Switch(), "Mute", "No sound at all"),
    Setting(
        "sound", "night", Switch(), "Night", "For headphones: loud sounds are held back, and everything is quieter"
    ),
    Setting("play", "turn_clock_s", _CLOCK, "Turn clock", "How long you may take for a turn"),
    Setting(
        "play",
        "hide_prompts",
        Switch(),
        "Hide orders",
        "Each player's orders stay covered while the other one can see the screen",
    ),
    Setting("play", "rumble", Switch(), "Rumble", "Gamepads shake on a hit"),
    Setting("play", "clips", Switch(), "Keep the last seconds", "So that they can be saved as a film at any time"),
    Setting("play", "guided", Switch(), "Guide", "The next match shows how to play, step by step"),
    Setting("play", "coach", Switch(), "Coach", "Against a bot H shows the best play and why, three times a game"),
    Setting("play", "left_name", Name(), "Left player's name", "Shown in matches and results"),
    Setting("play", "right_name", Name(), "Right player's name", "Shown in matches and results"),
    Setting("progress", "played", Switch(), "", ""),  # on no page of the screen
)
FIELDS: Mapping[str, Mapping[str, Setting]] = {
    group: {setting.name: setting for setting in SETTINGS if setting.group == group}
    for group in dict.fromkeys(setting.group for setting in SETTINGS)
}
"""The settings by group and name."""
