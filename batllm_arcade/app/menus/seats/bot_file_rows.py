"""The rows in which a player chooses a bot's file: a path, and which bot where that is a folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from batllm_arcade.app.kit.text.text_field import Field
from batllm_arcade.app.kit.widgets import Choice, Widget
from batllm_arcade.app.services.brain_list import BotFinder

Pick = Callable[[str, Sequence[tuple[str, str]], int, Callable[[int], None], str], None]
_HINT = "A bot's file, or a folder with bots. It may read your files and use the network: choose bots you trust"


class BotFileRows:
    """What is typed and chosen; `file` is the bot's file, "" while there is none."""

    def __init__(self, path: str, changed: Callable[[], None]) -> None:
        self._changed, self._finder = changed, BotFinder()
        self.file = path
        self._field = Field("File", path, self._typed, hint=_HINT, most=400)
        self._finder.look(path)

    @property
    def problem(self) -> str | None:
        """Return why there is no bot yet, "" if there is one, None while that is being looked at."""
        found = self._finder.found
        return None if found is None else found.problem

    def take(self, path: str) -> None:
        """Choose a file that was chosen before."""
        self._field = Field("File", path, self._typed, hint=_HINT, most=400)
        self.file = path
        self._finder.look(path)

    def _typed(self, path: str) -> None:
        self.file = ""
        self._finder.look(path)
        self._changed()

    def update(self) -> bool:
        """Take over what is at the path; return whether the rows are to be made anew."""
        news = self._finder.update()
        if news and self._finder.found is not None and self.file not in self._finder.found.others:
            self.file = self._finder.found.file
        return news

    def rows(self, pick: Pick) -> list[Widget]:
        """Return the row for the path, and one for the bots in a folder."""
        rows: list[Widget] = [self._field]
        files = self._finder.found.others if self._finder.found is not None else ()
        if files:
            names = [Path(file).name for file in files]

            def choose(index: int) -> None:
                self.file = files[index]
                self._changed()

            def open_list(row: Choice) -> None:
                pick("Which bot?", [(name, "") for name in names], row.chosen, row.choose, f"{len(names)} bots")

            at = files.index(self.file) if self.file in files else 0
            rows.append(Choice("Bot", names, at, choose, hint="Which bot of the folder", pick=open_list))
        return rows
