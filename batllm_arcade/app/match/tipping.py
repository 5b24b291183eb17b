"""Where the game that is over tipped: worked out on a thread, said in one sentence, shown in its replay."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from batllm_arcade.app.kit.widgets import Button
from batllm_arcade.app.match.actions import MatchActions
from batllm_arcade.app.services.session_analysis import SessionAnalysis
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.match.records import GameStarted, Play, Record
from batllm_arcade.match.result_text import distinct
from batllm_arcade.view.words.judged_words import NOBODY, tipping_sentence

_NOT_YET = "It is still being worked out where the game tipped. Try again in a moment."
MOST = 400
"""Plays up to which a game is looked at."""


class Tipping:
    """Looks for the play at which a game tipped; `path` is the session in which its `records` are kept."""

    def __init__(self, go: Navigation, match: MatchActions, path: Path, records: Sequence[Record]) -> None:
        started = next(record for record in records if isinstance(record, GameStarted))
        self.game = started.game
        self._go, self._match, self._path, self._rules = go, match, path, started.rules
        left, right = started.seats
        self._names = distinct((left.name, right.name))
        self._plays = [record for record in records if isinstance(record, Play)]
        self._task = SessionAnalysis(path, started.game)
        self._found: tuple[str, int | None] | None = None
        self.button = Button("Where it tipped", self.show, hint="The play that decided it, in the replay")

    @property
    def sentence(self) -> str:
        """The sentence, "" as long as it is not known."""
        found = self._tipped()
        return found[0] if found is not None else ""

    def show(self) -> None:
        """Open the replay where that play begins, or say why not."""
        found = self._tipped()
        if found is None:
            self._match.complain(str(self._task.error or _NOT_YET))
        elif found[1] is None:
            self._match.complain(NOBODY)
        else:
            self._go.open_session(self._path, self.game, self._match.complain, play=found[1])

    def leave(self, services: Services) -> None:
        """Give it up, if it is still being worked out."""
        self._task.cancel()
        services.wait_at_end(self._task)

    def _tipped(self) -> tuple[str, int | None] | None:
        if self._found is None and self._task.result is not None:
            judged = self._task.result[self.game]
            plays = self._plays[: len(judged)]
            self._found = tipping_sentence(plays, judged[: len(plays)], self._names, self._rules)
        return self._found
