"""One life of a bot's process: its pipes, read on bounded threads, and its end, whatever it is doing."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import IO

from batllm_arcade.isolation.bot_log import BotLog
from batllm_arcade.isolation.environment import Limits
from batllm_arcade.isolation.framing import LINE_LIMIT, LineSplitter, OverlongLine
from batllm_arcade.isolation.guarded import started
from batllm_arcade.isolation.messages import BotAnswer, BotMessage, Garbage, LogLine, read_line, write_line

QUIT_S = 1.0
"""Seconds in which a bot that was told to quit has to end."""
TERM_S = 0.3
"""Seconds that it has when it was asked once more, by SIGTERM."""
KILL_S = 6.0
"""Seconds within which a process that was killed is gone."""
CLOSED_S = 0.5
"""Seconds in which a bot that has closed its output may end by itself, with its own exit code."""
CHUNK = 64 * 1024
MOST_BYTES, MOST_LINES = 1024 * 1024, 4096
"""What a bot may write for one answer; one that writes more is ended."""
LOG_PAUSE_S = 0.02
"""The pause after a piece of the log: a bot that floods it waits, and the program has time for other things."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The bot has ended, or can say nothing any more; `problem` says how, after "crashed: "."""

    problem: str


Event = BotMessage | Ended


class BotProcess:
    """A running bot; `quit` and `kill` may be called at any time from any thread. Raise OSError if none can be started.

    What it says is read only while somebody waits for it (`listen`): a bot that floods its pipe then stands still.
    """

    def __init__(self, command: Sequence[str], limits: Limits, log: BotLog, line_limit: int = LINE_LIMIT) -> None:
        self._folder = tempfile.mkdtemp(prefix="batllm-bot-")
        try:
            self._child = started(command, limits, self._folder)
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        self._log, self._limits = log, limits
        self._splitter = LineSplitter(line_limit)
        self._events: SimpleQueue[Event | None] = SimpleQueue()
        self._wanted = threading.Event()
        self._awaited = 0
        self._bytes = self._lines = 0
        self._writing = threading.Lock()
        self._killing = threading.Lock()
        self._killed = False
        self._ended = threading.Event()
        self._threads = [
            threading.Thread(target=each, daemon=True, name=f"bot's {name}")
            for name, each in (("answers", self._read_answers), ("log", self._read_log))
        ]
        try:
            for thread in self._threads:
                thread.start()
        except BaseException:  # without its readers nobody would ever end it
            self._wanted.set()
            self._child.kill()
            raise

    @property
    def pid(self) -> int:
        """Return the process that is waited for: the bot's guard, where there is one."""
        return self._child.process.pid

    @property
    def alive(self) -> bool:
        """Whether it is running, as far as is known."""
        return not self._killed and not self._ended.is_set() and self._child.process.poll() is None

    def listen(self, number: int = 0) -> None:
        """Read what it says until it has answered the question with this number."""
        self._awaited, self._bytes, self._lines = number, 0, 0
        self._wanted.set()

    def rest(self) -> None:
        """Read nothing more until the next `listen`."""
        self._wanted.clear()

    def send(self, line: bytes) -> None:
        """Write a line to the bot; one that has ended is told nothing."""
        with self._writing, suppress(OSError, ValueError):
            self._child.stdin.write(line)
            self._child.stdin.flush()

    def send_soon(self, line: bytes) -> None:
        """Write a line unless somebody else is stuck writing one: the bot then reads nothing anyway."""
        if self._writing.acquire(timeout=0.1):
            try:
                with suppress(OSError, ValueError):
                    self._child.stdin.write(line)
                    self._child.stdin.flush()
            finally:
                self._writing.release()

    def wake(self) -> None:
        """Let `next_event` return None."""
        self._events.put(None)

    def next_event(self, seconds: float | None) -> Event | None:
        """Return the next thing the bot says or does; None after so many seconds, or when it is woken."""
        try:
            return self._events.get(timeout=seconds)
        except Empty:
            return None

    def drain(self) -> list[Event]:
        """Return what has come that nobody waited for."""
        found: list[Event] = []
        while True:
            try:
                event = self._events.get_nowait()
            except Empty:
                return found
            if event is not None:
                found.append(event)

    def last_event(self) -> Ended:
        """Return how it has ended, once it has."""
        self._wanted.set()
        self._threads[0].join(KILL_S)
        found = [event for event in self.drain() if isinstance(event, Ended)]
        return found[0] if found else Ended("it was ended")

    # ------------------------------------------------------------------------------ its end

    def quit(self) -> None:
        """Tell it to quit, ask it again with SIGTERM, then kill it with all it has started; return when it is gone."""
        self._wanted.set()  # what it still writes must not hold it up
        self._bytes = self._lines = 0
        if self.alive:
            # On a thread: a bot that reads nothing may hold the pipe up, and is killed all the same.
            threading.Thread(target=self._say_goodbye, daemon=True, name="bot's goodbye").start()
            if not self._child.wait(QUIT_S):
                self._child.terminate()
                self._child.wait(TERM_S)
        self.kill()

    def _say_goodbye(self) -> None:
        self.send(write_line("quit", {}))
        with self._writing, suppress(OSError, ValueError):
            self._child.stdin.close()

    def kill(self) -> None:
        """End it and all it has started at once; return when they are gone and its pipes are closed."""
        self._wanted.set()
        with self._killing:
            self._killed = True
            self._child.kill()
            self._child.wait(KILL_S)
        self.wake()
        for thread in self._threads:
            if thread is not threading.current_thread() and thread.is_alive():
                thread.join(KILL_S)
        with self._writing, suppress(OSError, ValueError):
            self._child.stdin.close()
        self._child.close()
        if os.path.exists(self._folder):  # where there is no guard, and where the bot has ended it
            shutil.rmtree(self._folder, ignore_errors=True)

    # ------------------------------------------------------------------------------ the threads of its pipes

    def _read_answers(self) -> None:
        with self._child.stdout as pipe:
            while True:
                self._wanted.wait()
                data = _read(pipe)
                if not data:
                    break
                self._bytes += len(data)
                for line in self._splitter.feed(data):
                    self._take(line)
                if self._bytes > MOST_BYTES or self._lines > MOST_LINES:
                    self._flooded()
                    break
            self._end()

    def _take(self, line: bytes | OverlongLine) -> None:
        self._lines += 1
        message = (
            Garbage(f"a line of more than {self._splitter.limit // 1024} KiB", fatal=True)
            if isinstance(line, OverlongLine)
            else read_line(line)
        )
        if isinstance(message, LogLine):
            if message.line.strip() and self._lines <= MOST_LINES:
                self._log.write(message.line + b"\n")
            return
        if isinstance(message, BotAnswer) and message.id == self._awaited:
            self._wanted.clear()
        if self._lines <= MOST_LINES:
            self._events.put(message)

    def _flooded(self) -> None:
        if not self._killed:
            self._events.put(Garbage("it wrote more than 1 MiB or 4096 lines for one answer", fatal=True))

    def _end(self) -> None:
        """Note how it has ended; one that has only closed its pipe is ended."""
        left_alone = self._killed
        gone = self._child.wait(CLOSED_S)
        if not gone:
            with self._killing:
                self._child.kill()
                self._child.wait(KILL_S)
        how = "it was ended" if left_alone else self._child.epitaph(self._limits) if gone else "it closed its output"
        self._ended.set()
        self._events.put(Ended(how))

    def _read_log(self) -> None:
        with self._child.stderr as pipe:
            while data := _read(pipe):
                self._log.write(data)
                if len(data) > 4096 and not self._killed:
                    time.sleep(LOG_PAUSE_S)


def _read(pipe: IO[bytes]) -> bytes:
    try:
        return os.read(pipe.fileno(), CHUNK)
    except (OSError, ValueError):
        return b""
