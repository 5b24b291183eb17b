"""The missing last records of a game whose match was left; only records a match could have yielded."""

from __future__ import annotations

from batllm_arcade.core import outcome as game_outcome
from batllm_arcade.core.model import Arena
from batllm_arcade.core.outcome import Result
from batllm_arcade.match.records import Ended, GameEnded, GameStarted, Play, Record, RoundEnded, RoundStarted


class UnfinishedGame:
    """Follows the records of a match and knows which ending records are missing."""

    def __init__(self) -> None:
        self._game: GameStarted | None = None
        self._round = 0
        self._in_round = False
        self._last: Play | None = None
        self._arena: Arena | None = None

    def notify(self, record: Record) -> None:
        """Receive the next record of the match."""
        match record:
            case GameStarted():
                self._game, self._round, self._last, self._arena = record, 0, None, record.arena
            case RoundStarted():
                self._round, self._in_round, self._last = record.round, True, None
            case Play():
                self._last, self._arena = record, record.after
            case RoundEnded():
                self._in_round = False
            case GameEnded():
                self._game = None

    def endings(self) -> list[Record]:
        """Return the records that end the game under way, none between games."""
        game, arena = self._game, self._arena
        if game is None or arena is None:
            return []
        ended, result = self._judged(game)
        over: list[Record] = [RoundEnded(game.game, self._round, ended, arena)] if self._in_round else []
        return [*over, GameEnded(game.game, self._round, result, arena)]

    def _judged(self, game: GameStarted) -> tuple[Ended, Result]:
        last, aborted = self._last, Result(None, "aborted")
        if last is None:
            return "abandoned", aborted
        if last.status == "forfeit":
            return "abandoned", Result(1 - last.bot, "forfeit")
        if game_outcome.knocked_out(last.after) is not None:
            return "knockout", game_outcome.outcome(last.after, game.rules)
        if last.number < 2 * game.rules.turns_per_round:
            return "abandoned", aborted
        final = self._round == game.rules.total_rounds
        return "complete", game_outcome.outcome(last.after, game.rules) if final else aborted
