"""The coach: shows a person who plays against a bot the best play, and why, a few times a game."""

from __future__ import annotations

from dataclasses import dataclass

from batllm_arcade.app.match.state import MatchState
from batllm_arcade.app.services.background import BackgroundTask, Report
from batllm_arcade.brains.protocol import View
from batllm_arcade.seats.waiting import OpenRequest
from batllm_arcade.view.telegraph.best_play import BestPlay, best_play
from batllm_arcade.view.words.coach_words import advice_sentence

MOST = 3
"""Times that a person may ask in a game."""
OFF = "The coach is off. Settings, Play, Coach switches it on."
NOT_NOW = "The coach shows the best play in your own turn."
NOBODY = "The coach helps one person against a bot."
USED_UP = f"The coach has helped {MOST} times in this game, which is all."


@dataclass(frozen=True, slots=True)
class CoachAdvice:
    """The best play as it is drawn, and why, in one sentence."""

    best: BestPlay
    sentence: str


class Coach:
    """Answers for the person whose turn it is; what it says is gone with that turn."""

    def __init__(self, state: MatchState) -> None:
        self._state = state
        self._asked: OpenRequest | None = None
        self._task: BackgroundTask[CoachAdvice] | None = None

    def ask(self, person: OpenRequest | None, *, on: bool) -> str:
        """Look for the best play of the person asked; return why it is not shown, "" if it is or will be."""
        if not on:
            return OFF
        if self._state.humans not in ((True, False), (False, True)):
            return NOBODY
        if person is None:
            return NOT_NOW
        if person is self._asked:
            return ""
        if self._state.table.hints[person.bot] >= MOST:
            return USED_UP
        self._state.table.hint(person.bot)
        view, self._asked = person.view, person
        self._task = BackgroundTask("coach", lambda report: advised(view, report))
        return ""

    def advice(self, person: OpenRequest | None) -> CoachAdvice | None:
        """Return what is shown to the person asked now, None where nothing is."""
        if person is None or person is not self._asked or self._task is None:
            return None
        return self._task.result

    def left(self, person: OpenRequest) -> int:
        """Return how often this person may still ask in this game."""
        return MOST - self._state.table.hints[person.bot]


def advised(view: View, report: Report) -> CoachAdvice:
    """Return the best play in a person's turn."""
    from batllm_arcade.analysis.game import best_of

    report("looking ahead")
    arena, bot, rules = view.arena, view.seat, view.rules
    token, *chances = best_of(arena, bot, view.round, view.number, rules)
    sentence = advice_sentence(arena, bot, token, (chances[0], chances[1]), rules)
    return CoachAdvice(best_play(arena, bot, token, None, rules), sentence)
