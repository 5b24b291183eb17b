"""What the settings are called on their screen, and what is said about each."""

from __future__ import annotations

from collections.abc import Callable

SWITCHES: dict[str, tuple[str, str]] = {
    "reduced_motion": ("Reduced motion", "The picture keeps still: no shaking, no drifting"),
    "screen_shake": ("Screen shake", "The arena shakes a little on a hit"),
    "freeze_frames": ("Hits hold still", "Everything stops for a moment on a hit"),
    "bubbles": ("Thought bubbles", "What a bot thinks and says, beside it"),
    "fullscreen": ("Full screen", "Fill the whole screen"),
    "muted": ("Mute", "No sound at all"),
    "night": ("Night", "For headphones: loud sounds are held back, and everything is quieter"),
    "hide_prompts": ("Hide orders", "Each player's orders stay covered while the other one can see the screen"),
    "rumble": ("Rumble", "Gamepads shake on a hit"),
    "guided": ("Guide", "The next match shows how to play, step by step"),
    "clips": ("Keep the last seconds", "So that they can be saved as a film at any time"),
}
NUMBERS: dict[str, tuple[str, tuple[float, float, float], str, Callable[[float], str]]] = {
    "ui_scale": ("Size of words", (1.0, 1.5, 0.1), "How large the words are", lambda v: f"{v * 100:.0f} %"),
    "effects_volume": ("Effects", (0.0, 1.0, 0.05), "How loud shots and hits are", lambda v: f"{v * 100:.0f} %"),
    "music_volume": ("Music", (0.0, 1.0, 0.05), "How loud the music is", lambda v: f"{v * 100:.0f} %"),
    "turn_clock_s": (
        "Turn clock", (0.0, 120.0, 5.0), "How long you may take for a turn",
        lambda v: f"{v:g} s" if v else "off",
    ),
}  # fmt: skip
TEXTS: dict[str, tuple[str, str]] = {
    "left_name": ("Left player's name", "Shown in matches and results"),
    "right_name": ("Right player's name", "Shown in matches and results"),
}
_TELEGRAPHS = "In your turn: both lines of fire, where a step lands, what to press; or your own line alone"
CHOICES: dict[str, tuple[str, str, dict[str, str]]] = {
    "telegraphs": ("Who can hurt whom", _TELEGRAPHS, {"all": "all", "own": "own line", "none": "off"}),
}
"""Of a setting with several values: its label, its hint, and every value with its words."""
