"""A match as an agent at one of its seats is told of it."""

from __future__ import annotations

import threading
from typing import Any

from batllm_arcade.brains.redaction import without_folders
from batllm_arcade.core.events import BulletFlew
from batllm_arcade.core.model import SEATS, Arena
from batllm_arcade.errors import UsageError
from batllm_arcade.match.records import GameEnded, GameStarted, Play, Record, RoundStarted, SeatSwapped, SessionEnded
from batllm_arcade.match.series import describe_result
from batllm_arcade.prompts.payload import bot_figures, sensor_readings
from batllm_arcade.story.moments import deed
from batllm_arcade.view.play_words import led

_DECIMALS = 1


class AgentMatch:
    """What has happened in the game under way; any thread may call any method.

    `file` is the name of the session file. With `whole` the game is over once that is written, else when it has ended.
    """

    def __init__(self, file: str = "", *, whole: bool = False) -> None:
        self.changed = threading.Condition(threading.RLock())
        """Held and notified whenever something here, or at a seat, changes."""
        self.file, self.note, self.problem = file, "", ""
        self._whole, self._ended = whole, False
        self._game: GameStarted | None = None
        self._end: GameEnded | None = None
        self._names = ["", ""]
        self._round: RoundStarted | None = None
        self._plays: list[Play] = []

    def notify(self, record: Record) -> None:
        """Receive the next record of the session."""
        with self.changed:
            if isinstance(record, GameStarted):
                self._game, self._end, self._round, self._plays = record, None, None, []
                self._ended, self.problem, self.note = False, "", ""
                self._names = [seat.name for seat in record.seats]
            elif isinstance(record, SeatSwapped):
                self._names[record.bot] = record.seat.name
            elif isinstance(record, Play):
                self._plays.append(record)
            self._round = record if isinstance(record, RoundStarted) else self._round
            self._end = record if isinstance(record, GameEnded) else self._end
            self._ended |= isinstance(record, SessionEnded)
            self.changed.notify_all()

    def report(self, line: str) -> None:
        """Take a line of what is waited for before the game."""
        said, mark, code = line.partition("#")  # of a page's address
        with self.changed:
            self.note = without_folders(said) + mark + code
            self.changed.notify_all()

    def end(self, problem: str = "") -> None:
        """Take note that nothing more will be played, and why, if something went wrong."""
        with self.changed:
            self._ended, self.problem = True, self.problem or problem
            self.changed.notify_all()

    @property
    def over(self) -> bool:
        """Whether the game has ended, and nothing more is written of it."""
        return self._ended or (self._end is not None and not self._whole)

    def told(self, bot: int) -> dict[str, Any]:
        """Return how it stands, for the agent at a seat."""
        with self.changed:
            told: dict[str, Any] = {"over": self.over, "side": SEATS[bot], "note": self.note, "problem": self.problem}
            if self._game is not None:
                told |= self._stands(self._game, bot)
            if self.over:
                told |= self._result(bot)
            return {key: value for key, value in told.items() if value != ""}

    def _stands(self, game: GameStarted, bot: int) -> dict[str, Any]:
        rules, arena = game.rules, self._arena(game)
        charged = rules.battery > 0
        begun = self._round
        done = sum(begun is not None and play.round == begun.round for play in self._plays)
        return {
            "opponent": self._names[1 - bot], "orders": begun.prompts[bot] if begun else "",
            "round": f"{begun.round if begun else 1} of {rules.total_rounds}",
            "turn": f"{min(done // 2 + 1, rules.turns_per_round)} of {rules.turns_per_round}",
            "bots": {
                "you": bot_figures(arena.bot(bot), _DECIMALS, charged),
                "opponent": bot_figures(arena.bot(1 - bot), _DECIMALS, charged),
                "sensors": sensor_readings(arena, bot, rules, _DECIMALS),
            },
            "since": [self._play(play, game) for play in self._last(bot)],
        }  # fmt: skip

    def _arena(self, game: GameStarted) -> Arena:
        return self._plays[-1].after if self._plays else game.arena

    def _last(self, bot: int) -> list[Play]:
        """Return the plays from the agent's last one on."""
        own = [at for at, play in enumerate(self._plays) if play.bot == bot]
        return self._plays[own[-1] if own else 0 :]

    def _play(self, play: Play, game: GameStarted) -> dict[str, Any]:
        # Nothing that the other side has written: an agent could take it for what it is to do.
        return {
            "round": play.round, "turn": play.turn, "side": SEATS[play.bot], "command": play.command.token,
            "does": deed(play) if play.status == "ok" else "loses its play",
            "comes_of_it": led(play, game.rules, known=True)[0].lower() if play.status == "ok" else "",
            "health": [play.after.left.health, play.after.right.health],
        }  # fmt: skip

    def _result(self, bot: int) -> dict[str, Any]:
        if self._end is None:
            return {"result": "the game was not played to its end"}
        result = self._end.result
        how = "draw" if result.winner is None else "won" if result.winner == bot else "lost"
        said = describe_result(result, (self._names[0], self._names[1]))
        return {"result": said, "you": how if result.reason != "aborted" else "nothing", "file": self.file}

    def rules(self, bot: int) -> str:
        """Return the rules as a model at this seat is told them, "" before the game has begun."""
        return self._round.system_headers[bot] if self._round is not None else ""

    def picture(self, bot: int) -> bytes:
        """Return the arena as it is now as a PNG, as models see it; raise UsageError before the game has begun."""
        from batllm_arcade.prompts.picture import png

        with self.changed:
            if self._game is None:
                raise UsageError("the game has not begun; call wait")
            events = [event for play in self._last(bot) for event in play.events]
            flown = tuple((event.bot, event.path) for event in events if isinstance(event, BulletFlew))
            return png(self._arena(self._game), bot, self._game.rules, flown)

    def history(self) -> list[dict[str, Any]]:
        """Return all plays of the game so far, as everybody sees them."""
        with self.changed:
            return [self._play(play, self._game) for play in self._plays] if self._game is not None else []
