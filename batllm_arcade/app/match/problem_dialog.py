"""A match that cannot start or go on."""

from __future__ import annotations

from batllm_arcade.app.ui.dialog import DialogEntry, MenuDialog
from batllm_arcade.app.ui.screen import Shell


class ProblemDialog(MenuDialog):
    """A match that could not start or go on says why."""

    def __init__(self, shell: Shell, problem: str) -> None:
        entries = [DialogEntry("Back", shell.leave_match)]
        super().__init__(shell, "This match cannot go on", entries, shell.leave_match, words=problem)
