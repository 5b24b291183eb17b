"""Where the game that is over tipped: worked out on a thread, said in one sentence, shown in its replay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from batllm_arcade.app.kit.widgets import Button
from batllm_arcade.app.match.actions import MatchActions
from batllm_arcade.app.services.session_analysis import SessionAnalysis
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.match.records import Record
from batllm_arcade.story.games import last_game
from batllm_arcade.story.sentences import say
from batllm_arcade.story.turning import TurningPoint, turning

_NOT_YET = "It is still being worked out where the game tipped. Try again in a moment."
MOST = 400
"""Plays up to which a game is looked at."""


class Tipping:
    """Looks for the play at which a game tipped; `path` is the session in which its `records` are kept."""

    def __init__(self, go: Navigation, match: MatchActions, path: Path, records: Sequence[Record]) -> None:
        game = last_game(records)
        assert game is not None
        self.game, self._played = game.number, game
        self._go, self._match, self._path = go, match, path
        self._task = SessionAnalysis(path, game.number)
        self._found: tuple[TurningPoint | None] | None = None
        self.button = Button("Where it tipped", self.show, hint="The play that decided it, in the replay")

    @property
    def sentence(self) -> str:
        """The sentence, "" as long as it is not known."""
        found = self._tipped()
        if found is None:
            return ""
        return f"{found[0].sentence(self._played.names) if found[0] is not None else say('no turning')}."

    def show(self) -> None:
        """Open the replay where that play begins, or say why not."""
        found = self._tipped()
        if found is None:
            self._match.complain(str(self._task.error or _NOT_YET))
        elif found[0] is None:
            self._match.complain(f"{say('no turning')}.")
        else:
            self._go.open_session(self._path, self.game, self._match.complain, play=found[0].index)

    def leave(self, services: Services) -> None:
        """Give it up, if it is still being worked out."""
        self._task.cancel()
        services.wait_at_end(self._task)

    def _tipped(self) -> tuple[TurningPoint | None] | None:
        """Return where it tipped in a tuple, None as long as that is not known."""
        if self._found is None and self._task.result is not None:
            judged = self._task.result[self.game]
            played = replace(self._played, plays=self._played.plays[: len(judged)])
            self._found = (turning(played, judged[: len(played.plays)]),)
        return self._found
