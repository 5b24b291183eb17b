"""The settings."""

from __future__ import annotations

from batllm_arcade.arcade.screen import Shell
from batllm_arcade.arcade.words_screen import WordsScreen


class SettingsScreen(WordsScreen):
    """The settings over another screen."""

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell, "SETTINGS", "ESC back")
