"""A match as a transcript and as rows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from batllm_arcade.brains.protocol import PastPlay, PastTurn, SeatInfo
from batllm_arcade.core.commands import Nothing
from batllm_arcade.core.model import SEATS, Arena, BotState, Rules, plain
from batllm_arcade.match.records import (
    GameStarted,
    NotesWritten,
    Play,
    Record,
    RoundEnded,
    RoundStarted,
    SeatSwapped,
    SessionEnded,
    SessionStarted,
    past,
)
from batllm_arcade.prompts.conversation import (
    FINISH,
    Conversation,
    Message,
    RoundFacts,
    compact,
    contents,
    message_lines,
    userid,
)


@dataclass(frozen=True, slots=True)
class AddedMessage:
    """A message, and the bot whose conversation it was added to."""

    bot: int
    message: Message


class Transcript:
    """Builds the conversations of a match from its records; a replay yields the same as the live match.

    A record without a timestamp has that of the record before. With a `seat` only its conversation is
    shown, otherwise both in order of play: a message that both have is then shown once.
    """

    def __init__(self, seat: int | None = None) -> None:
        self.conversations = (Conversation(), Conversation())
        self._seat, self._shown, self._common = seat, False, set[str]()
        self._time, self._rules = "1970-01-01T00:00:00Z", Rules()
        self._round: RoundStarted | None = None
        self._brains, self._notes = ["", ""], dict[tuple[int, str], str]()
        self._turn: list[PastPlay] = []
        self._last: PastTurn | None = None

    def lines(self, record: Record) -> list[str]:
        """Add a record; return its console lines."""
        shown: list[str] = []
        for added in self.add(record):
            if self._is_shown(added):
                shown += ["", *message_lines(added.message)] if self._shown else message_lines(added.message)
                self._shown = True
        return shown

    def _is_shown(self, added: AddedMessage) -> bool:
        if self._seat is not None:
            return added.bot == self._seat
        content = added.message["content"]
        if added.message["role"] == "assistant" and content["toolCall"] != FINISH:
            return True
        if self._known(1 - added.bot) and isinstance(content, dict) and content.get("userid") == userid(1 - added.bot):
            return False  # it stands in its own conversation, with its notes
        key = f"{added.message['turn']} {content if isinstance(content, str) else compact(content)}"
        if key in self._common:
            return False
        self._common.add(key)
        return True

    def add(self, record: Record) -> list[AddedMessage]:
        """Add a record; return its messages in order of play."""
        before = [len(each.messages) for each in self.conversations]
        if isinstance(record, GameStarted):
            self.conversations, before = (Conversation(), Conversation()), [0, 0]
        self._convert(record)
        return [
            AddedMessage(bot, message)
            for bot, each in enumerate(self.conversations)
            for message in each.messages[before[bot] :]
        ]

    def _convert(self, record: Record) -> None:
        match record:
            case SessionStarted(timestamp=time) | SessionEnded(timestamp=time):
                self._time = time
            case GameStarted():
                self._rules, self._brains = record.rules, [seat.brain for seat in record.seats]
                self._notes = dict(zip(enumerate(self._brains), record.notes, strict=True))
                self._common.clear()
            case RoundStarted():
                self._begin(record)
            case SeatSwapped():
                self._brains[record.bot] = record.seat.brain
                facts = self._facts(record.bot)
                self.conversations[record.bot].header(facts, self._time, (record.number + 1) // 2)
            case Play():
                self._play(record)
            case NotesWritten():
                if record.text:
                    self._notes[record.bot, self._brains[record.bot]] = record.text
            case RoundEnded():
                turn = max((each.messages[-1]["turn"] for each in self.conversations if each.messages), default=0)
                for each in self.conversations:
                    each.finish(record.round, self._time, turn)

    def _begin(self, record: RoundStarted) -> None:
        self._round, self._turn, self._last = record, [], None
        for bot, each in enumerate(self.conversations):
            each.begin(self._facts(bot), self._time)

    def _facts(self, bot: int) -> RoundFacts:
        begun = self._round
        assert begun is not None, "a play before its round"
        # A session file does not hold the decimals of payloads; these suit both shipped arenas.
        decimals = 1 if self._rules.step_length >= 1 else 4
        return RoundFacts(
            bot, self._rules, begun.round, begun.acting_order[0] == bot, begun.augmented, not begun.independent,
            begun.prompts, begun.system_headers[bot], decimals, self._known(bot),
        )  # fmt: skip

    def _known(self, bot: int) -> str:
        """Return the notes of who sits there now: nobody is sent those of another brain."""
        return self._notes.get((bot, self._brains[bot]), "")

    def _play(self, record: Play) -> None:
        bot, decision, token = record.bot, record.decision, record.command.token
        facts, conversation = self._facts(bot), self.conversations[bot]
        conversation.state(facts, self._time, record.turn, record.before, self._last)
        self._time = record.timestamp
        if record.failed:
            conversation.no_answer(facts, self._time, record.turn, record.reason or record.status)
        else:
            meant = record.status == "ok"
            shown = "-" if meant and token == "ERR" and not decision.say else token  # nothing, on purpose
            calls = contents(shown, decision.raw, decision.say, decision.thought, meant=meant)
            conversation.answer(facts, self._time, record.turn, calls)
        self._finish_play(record.turn, past(record), record.after)

    def _finish_play(self, turn: int, play: PastPlay, after: Arena) -> None:
        self._turn.append(play)
        if len(self._turn) == len(SEATS):
            self._last, self._turn = PastTurn(turn, tuple(self._turn), after), []


def all_lines(records: Iterable[Record], seat: int | None = None) -> Iterator[str]:
    """Yield the console lines of a whole match."""
    transcript = Transcript(seat)
    for record in records:
        yield from transcript.lines(record)


def all_json(records: Iterable[Record], seat: int | None = None) -> Iterator[str]:
    """Yield a line of JSON per game: its number and the array of each bot, left first, or of one seat."""
    transcript, game = Transcript(), 0
    for record in records:
        if isinstance(record, (GameStarted, SessionEnded)) and game:
            yield _game_json(transcript, game, seat)
        game = record.game if isinstance(record, GameStarted) else 0 if isinstance(record, SessionEnded) else game
        transcript.add(record)
    if game:  # a session that never ended
        yield _game_json(transcript, game, seat)


def _game_json(transcript: Transcript, game: int, seat: int | None) -> str:
    bots = SEATS if seat is None else (SEATS[seat],)
    arrays = {name: transcript.conversations[SEATS.index(name)].messages for name in bots}
    return json.dumps({"game_number": game, "conversations": arrays})


# -- Records as a table

Value = str | int | float | None


def plays(records: Iterable[Record]) -> Iterator[dict[str, Value]]:
    """Yield a flat dict for each play of these records; all have the same keys in the same order.

    `fallback` is 1 where another brain played for the one of the seat, which had failed, else 0; `name` and `brain` are
    those of who played. `command` is "" where nothing was done. `x` to `charge` are of the bot that played, `opp_x` to
    `opp_charge` of the other one, after the play; `damage` is the health that the play took from the other one.
    """
    seed, seats = 0, [_RowPlayer(), _RowPlayer()]
    for record in records:
        if isinstance(record, SessionStarted):
            seats = [_RowPlayer(), _RowPlayer()]
        elif isinstance(record, GameStarted):
            seed = record.seed
            seats = [_seated(before, info) for before, info in zip(seats, record.seats, strict=True)]
        elif isinstance(record, SeatSwapped):
            seats[record.bot] = _RowPlayer(record.seat.name, record.seat.brain, fallback=record.why == "fallback")
        elif isinstance(record, Play):
            seats[record.bot] = replace(seats[record.bot], failing=record.status in ("timeout", "error"))
            yield _row(record, seed, seats[record.bot])


@dataclass(frozen=True, slots=True)
class _RowPlayer:
    name: str = ""
    brain: str = ""
    fallback: bool = False
    failing: bool = False
    """Whether its last play was a failure."""


def _seated(before: _RowPlayer, info: SeatInfo) -> _RowPlayer:
    """Return who begins a game; a brain that lost its seat with the last play of the game before has a fallback."""
    same = before.brain == info.brain
    return _RowPlayer(info.name, info.brain, before.fallback if same else before.failing)


def _row(play: Play, seed: int, player: _RowPlayer) -> dict[str, Value]:
    other, decision = 1 - play.bot, play.decision
    tokens = decision.tokens or {}
    return {
        "game": play.game,
        "seed": seed,
        "round": play.round,
        "turn": play.turn,
        "number": play.number,
        "seat": SEATS[play.bot],
        "name": player.name,
        "brain": player.brain,
        "fallback": int(player.fallback),
        "command": "" if isinstance(play.command, Nothing) else play.command.token,
        "status": play.status,
        "reason": play.reason,
        "raw": decision.raw,
        "thought": decision.thought,
        "say": decision.say,
        **_state("", play.after.bot(play.bot)),
        **_state("opp_", play.after.bot(other)),
        "damage": plain(round(play.before.bot(other).health - play.after.bot(other).health, 9)),
        "prompt_tokens": tokens.get("prompt"),
        "completion_tokens": tokens.get("completion"),
        "latency_s": round(play.latency_s, 6),
        "timestamp": play.timestamp,
    }


def _state(prefix: str, bot: BotState) -> dict[str, Value]:
    return {
        f"{prefix}x": plain(bot.x),
        f"{prefix}y": plain(bot.y),
        f"{prefix}rot": plain(bot.rot),
        f"{prefix}health": plain(bot.health),
        f"{prefix}shield": int(bot.shield),
        f"{prefix}charge": bot.charge,
    }
