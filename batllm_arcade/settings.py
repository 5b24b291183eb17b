"""A person's settings: how the arcade looks, sounds and is operated; none of them changes the rules or a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from batllm_arcade.view.look import Look

Bindings = Mapping[str, tuple[str, ...]]
"""Action to the names of the keys (as pygame names them) or of the gamepad's buttons (as SDL names them)."""

KEYS: Mapping[str, Bindings] = {
    "left": {"left": ("a",), "right": ("d",), "move": ("w",), "fire": ("space",), "shield": ("s",)},
    "right": {
        "left": ("left",),
        "right": ("right",),
        "move": ("up",),
        "fire": ("return", "enter", "right ctrl"),
        "shield": ("down",),
    },
    "screen": {
        "pause": ("p",),
        "step": (".",),
        "slower": ("-", "["),
        "faster": ("=", "]"),
        "skip": ("tab",),
        "swap": ("f3",),
        "wheel": ("f4",),
        "record": ("f9",),
        "clip": ("f10",),
        "fullscreen": ("f11",),
        "mute": ("m",),
        "help": ("f1",),
    },
}
"""The bindings shipped: a set of keys for each seat (a person alone may use either), and the screen's."""

PAD: Bindings = {
    "left": ("dpleft",),
    "right": ("dpright",),
    "move": ("dpup", "y"),
    "fire": ("a",),
    "shield": ("b", "dpdown"),
    "pause": ("start",),
    "skip": ("x",),
    "slower": ("leftshoulder",),
    "faster": ("rightshoulder",),
    "swap": ("back",),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """Volumes from 0 to 1; `turn_clock_s` seconds a person has for a turn, 0 for as long as they like."""

    look: Look = Look()
    effects_volume: float = 0.8
    music_volume: float = 0.4
    muted: bool = False
    fullscreen: bool = False
    rumble: bool = True
    turn_clock_s: float = 0.0
    hide_prompts: bool = False
    """Whether a prompt is hidden while the other player writes theirs."""
    keys: Mapping[str, Bindings] = field(default_factory=lambda: KEYS)
    pad: Bindings = field(default_factory=lambda: PAD)
