"""The recorded sessions."""

from __future__ import annotations

from batllm_arcade.arcade.screen import Shell
from batllm_arcade.arcade.words_screen import WordsScreen


class SessionsScreen(WordsScreen):
    """What was recorded."""

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell, "SESSIONS", "ESC back")

    def back(self) -> None:
        """To the title."""
        self._shell.title()
