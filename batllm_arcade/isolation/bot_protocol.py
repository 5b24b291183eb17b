"""What is said with a bot, whatever carries it: it is greeted, then asked for play after play.

Each thing asked is an exchange. It ends with the answer, with `Garbage` or with `Ended`; who asked judges that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial

from batllm_arcade.brains.redaction import without_folders
from batllm_arcade.isolation.dialect import Dialect
from batllm_arcade.isolation.messages import (
    BotAnswer,
    BotMessage,
    Garbage,
    LogLine,
    OtherMessage,
    PartialText,
    Ready,
    read_line,
)
from batllm_arcade.processes.calls import Exchange
from batllm_arcade.processes.child import Bounds, Link
from batllm_arcade.processes.child_log import ChildLog, shown_line
from batllm_arcade.processes.launch import Ended
from batllm_arcade.processes.lines import Line, Unreadable

MOST_BYTES, MOST_LINES = 1024 * 1024, 4096
"""What a bot may write for one answer; one that writes more is ended."""
HOST_TYPES = ("loaded", "progress", "failed")
"""Messages of our own host for Python bots that are no mistakes."""


def bot_bounds(line_limit: int) -> Bounds:
    """Return how much of a bot is read."""
    return Bounds(line_limit, MOST_BYTES, MOST_LINES)


@dataclass
class BotFaults:
    """How often a bot did what it must not: its plays that failed by reason, and answers `dropped` as too late."""

    crashed: int = 0
    silent: int = 0
    late: int = 0
    garbage: int = 0
    dropped: int = 0

    def __str__(self) -> str:
        counts = ((each.name, getattr(self, each.name)) for each in fields(self))
        return ", ".join(f"{name} {count}" for name, count in counts if count)


class BotExchange(Exchange[BotMessage, BotMessage]):
    """One thing asked of a bot; the bot is read from its start to its outcome, and no further."""

    def __init__(self, lines: bytes, noticed: Callable[[str], None] = lambda _sentence: None) -> None:
        super().__init__()
        self._lines, self._noticed = lines, noticed
        self._meant = False
        self.instead = ""
        """What came in place of an outcome, in one sentence; "" while nothing did."""

    def notice(self, sentence: Callable[[], str], *, meant: bool) -> None:
        """Keep what came first in place of an outcome; what was `meant` as one tells more than what else is printed."""
        if not self.instead or (meant and not self._meant):
            self._meant, self.instead = meant, sentence()
            self._noticed(self.instead)

    def start(self, link: Link) -> None:
        """Write the lines that ask."""
        super().start(link)
        link.listen()
        link.send(self._lines)

    def received(self, message: BotMessage) -> bool:
        """Take a message; return False if nobody waits for it."""
        with self._lock:  # who gives it up asks the next at once: this must not make the bot rest then
            if self.state != "waiting":
                return False
            if self.is_outcome(message):
                self._link.rest()
                self._over("done", message)
            return True

    def is_outcome(self, message: BotMessage) -> bool:
        """Return whether a message that came while it is waited ends the exchange."""
        return isinstance(message, Garbage)


class Greeting(BotExchange):
    """`hello`, until the bot is ready or says that it cannot play; until then it may report its progress."""

    def __init__(self, dialect: Dialect, seat: str, options: Mapping[str, str], report: Callable[[str], None]) -> None:
        super().__init__(dialect.hello(seat, options))
        self._dialect, self._report = dialect, report

    def is_outcome(self, message: BotMessage) -> bool:
        """Return whether the bot is ready or cannot play; report its progress."""
        if isinstance(message, OtherMessage):
            if progress := self._dialect.progress(message):
                self._report(progress)
            return bool(self._dialect.problem(message))
        return isinstance(message, (Ready, Garbage))


class PlayQuestion(BotExchange):
    """`decide`, until the bot answers that very question; until then it may publish what it thinks."""

    def __init__(
        self,
        number: int,
        lines: bytes,
        publish: Callable[[str], None],
        noticed: Callable[[str], None] = lambda _sentence: None,
    ) -> None:
        super().__init__(lines, noticed)
        self._number, self._publish = number, publish

    def received(self, message: BotMessage) -> bool:
        """Take a message; return False if it is a play that was asked for before."""
        if isinstance(message, BotAnswer) and message.id != self._number:
            self.notice(lambda: f"a play came with the id {message.id}, and {self._number} was asked", meant=True)
            return False
        return super().received(message)

    def is_outcome(self, message: BotMessage) -> bool:
        """Return whether this is the play; publish what the bot thinks about it."""
        if isinstance(message, PartialText) and message.id == self._number:
            self._publish(message.text)
        return isinstance(message, (BotAnswer, Garbage))


def _described(message: LogLine | OtherMessage) -> str:
    """Return in a sentence what came in place of an answer."""
    if isinstance(message, LogLine):
        line = shown_line(message.line[:400].decode("utf-8", "replace").strip())
        return f"it wrote a line that is no JSON: {without_folders(line)[:100]!r}"
    return f"it wrote a message of {f'the type {message.type[:40]!r}' if message.type else 'no type'}"


class BotProtocol:
    """One life of a bot: hands what it says to the exchange that waits, and counts what nobody has asked for."""

    def __init__(self, log: ChildLog, faults: BotFaults) -> None:
        self._log, self._faults = log, faults
        self._exchange: BotExchange | None = None
        self.ended: Ended | None = None
        """How it has ended, None while it runs."""

    def connected(self, link: Link) -> None:
        """Take what carries lines to the bot."""
        self._link = link

    def begin(self, exchange: BotExchange) -> None:
        """Ask the bot for something; one at a time."""
        self._exchange = exchange
        exchange.start(self._link)
        if self.ended is not None:
            exchange.gone(self.ended)

    def cancel(self) -> None:
        """Give up what the bot was asked last."""
        if self._exchange is not None:
            self._exchange.cancel()

    def received(self, line: Line) -> None:
        """Hand on a message, and note what is none."""
        message = Garbage(line.problem, fatal=True) if isinstance(line, Unreadable) else read_line(line)
        if isinstance(message, OtherMessage) and message.type not in HOST_TYPES:
            self._notice(message)
        if isinstance(message, LogLine):
            if message.line.strip():
                self._log.write(message.line + b"\n")
                self._notice(message)
        elif self._exchange is None or not self._exchange.received(message):
            self._stray(message)

    def _notice(self, message: LogLine | OtherMessage) -> None:
        """Tell who waits what came in place of an answer."""
        if self._exchange is None:
            return
        meant = isinstance(message, OtherMessage) or message.line.lstrip().startswith(b"{")
        self._exchange.notice(partial(_described, message), meant=meant)

    def _stray(self, message: BotMessage) -> None:
        if isinstance(message, BotAnswer):
            self._faults.dropped += 1
        elif isinstance(message, Garbage):
            self._log.note(f"garbage: {message.problem}")

    def gone(self, ended: Ended) -> None:
        """Tell who waits that the bot has ended."""
        self.ended = ended
        self._log.end()
        if self._exchange is not None:
            self._exchange.gone(ended)
