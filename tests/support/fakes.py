"""Scripted stand-ins: brains that play a list and must be used up, tables without threads, brains that misbehave."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from resources import HANGS_S

from batllm_arcade.brains.bots import BotView, turn_token
from batllm_arcade.brains.live import Live
from batllm_arcade.brains.protocol import BrainKind, Decision, SeatInfo, Spec, View
from batllm_arcade.core.model import Rules
from batllm_arcade.history import schema
from batllm_arcade.history.manager import HistoryManager
from batllm_arcade.history.writer import SessionWriter
from batllm_arcade.match import runner
from batllm_arcade.match.records import GameEnded, GameStarted, Play, Record, SeatSwapped, Why
from batllm_arcade.match.runner import Answer, Interruption, MatchPlan, SeatChange

NOON = "2026-01-01T12:00:00.000000Z"
FAILED = Answer(Decision("", None), "error", "it broke", 0.5, NOON)
LATE = Answer(Decision("", None), "timeout", "no answer within 30 s", 30.0, NOON)


class ScriptedBrain:
    """Answers what its list says: a token, None, a Decision, an exception, or a function of the view."""

    model = ""

    def __init__(self, answers: Iterable[Any]) -> None:
        self.answers = list(answers)
        self.views: list[View] = []

    def decide(self, view: View) -> Any:
        assert self.answers, f"the scripted brain was asked once more: game {view.game}, play {view.number}"
        self.views.append(view)
        given = self.answers.pop(0)
        if callable(given) and not isinstance(given, type):
            given = given(view)
        if isinstance(given, BaseException) or (isinstance(given, type) and issubclass(given, BaseException)):
            raise given
        return Decision(given or "", given) if isinstance(given, (str, type(None))) else given

    def assert_used_up(self) -> None:
        assert not self.answers, f"the scripted brain has answers left: {self.answers}"


class PublishedTexts(Live):
    """A line to the host that keeps all texts published on it."""

    __slots__ = ("texts",)

    def __init__(self, deadline_s: float | None = None) -> None:
        super().__init__(deadline_s)
        self.texts: list[str] = []

    def publish(self, text: str) -> None:
        self.texts.append(text)


@contextmanager
def scripted(*scripts: Iterable[Any]) -> Iterator[tuple[ScriptedBrain, ...]]:
    """Brains that must have given all their answers in the end."""
    brains = tuple(ScriptedBrain(script) for script in scripts)
    yield brains
    for brain in brains:
        brain.assert_used_up()


class FakeTable(runner.TableProtocol):
    """A table without threads: a scripted brain per seat, then a scripted fallback; its clock goes on while they think.

    A script may also hold Answers (`LATE`, `FAILED`), `STOP` where the match is left, `ABANDON` where the
    round is, and `Sits(NAME, ANSWERS)` where somebody else takes the seat. `intervals` has the prompts
    that each round from the second on begins with, or `STOP`; `notes` what a seat notes after rounds, of those that do.
    """

    STOP, ABANDON = object(), object()

    def __init__(
        self,
        left: Iterable[Any],
        right: Iterable[Any],
        fallbacks: Mapping[int, Iterable[Any]] | None = None,
        intervals: Iterable[Any] = (),
        notes: Mapping[int, Iterable[Any]] | None = None,
    ):
        self.notes = {bot: ScriptedBrain(script) for bot, script in (notes or {}).items()}
        self.brains = [ScriptedBrain(left), ScriptedBrain(right)]
        self.fallbacks = {bot: ScriptedBrain(script) for bot, script in (fallbacks or {}).items()}
        self.names = ["fake:left", "fake:right"]
        self.intervals = list(intervals)
        self.seat_changes: dict[int, SeatChange] = {}
        self.stopped = False
        self.thought_s = 0.0

    def seat(self, bot: int) -> SeatInfo:
        name = self.names[bot]
        return SeatInfo(name.partition(":")[2] or name, name, notes=bot in self.notes)

    def begin_game(self) -> tuple[SeatInfo, SeatInfo]:
        self.seat_changes.clear()
        return self.seat(0), self.seat(1)

    def begin_round(self, game: int, number: int, prompts: runner.Prompts) -> runner.Prompts | None:
        given = self.intervals.pop(0) if self.intervals and number > 1 else prompts
        return None if given is self.STOP else given

    def seat_change(self, bot: int) -> SeatChange | None:
        return self.seat_changes.pop(bot, None)

    def ask(self, bot: int, view: View) -> Answer | Interruption:
        brain = self.notes[bot] if view.over else self.brains[bot]
        if brain.answers and brain.answers[0] is self.STOP:
            brain.answers.pop(0)
            self.stopped = True
        if self.stopped:
            return Interruption.STOPPED
        if brain.answers and brain.answers[0] is self.ABANDON:
            brain.answers.pop(0)
            return Interruption.ABANDONED
        if brain.answers and isinstance(brain.answers[0], Sits):
            sits = brain.answers.pop(0)
            self.names[bot] = sits.brain
            self.seat_changes[bot] = SeatChange(self.seat(bot), sits.why)
            return Interruption.ANOTHER
        given = brain.decide(view)
        answer = given if isinstance(given, Answer) else Answer(given, "ok", "", 0.125, NOON)
        self.thought_s += 0 if view.over else answer.latency_s
        return replace(answer, timestamp=self.now())

    def fall_back(self, bot: int, problem: str) -> bool:
        if bot not in self.fallbacks:
            return False
        self.brains[bot].assert_used_up()
        self.brains[bot], self.names[bot] = self.fallbacks.pop(bot), "fake:fallback"
        self.seat_changes[bot] = SeatChange(self.seat(bot), "fallback", problem)
        return True

    def now(self) -> str:
        now = datetime.fromisoformat(NOON.removesuffix("Z")) + timedelta(seconds=self.thought_s)
        return f"{now.isoformat(timespec='microseconds')}Z"

    def assert_used_up(self) -> None:
        for brain in (*self.brains, *self.fallbacks.values(), *self.notes.values()):
            brain.assert_used_up()
        assert not self.intervals, f"the table has intervals left: {self.intervals}"


@dataclass
class Sits:
    """In a script: somebody else takes the seat here."""

    brain: str
    why: Why = "swap"


def played(
    left: Iterable[Any],
    right: Iterable[Any],
    *,
    fallbacks: Mapping[int, Iterable[Any]] | None = None,
    intervals: Iterable[Any] = (),
    rules: Rules | None = None,
    seed: int = 1,
    games: int = 1,
    **plan: Any,
) -> list[Record]:
    """All records of a match between two scripts, which must be used up by it."""
    table = FakeTable(left, right, fallbacks, intervals)
    records = list(runner.play(MatchPlan(rules or Rules(), seed, games, **plan), table))
    table.assert_used_up()
    return records


def plays(records: Iterable[Record]) -> list[Play]:
    return [record for record in records if isinstance(record, Play)]


def swaps(records: Iterable[Record]) -> list[SeatSwapped]:
    return [record for record in records if isinstance(record, SeatSwapped)]


def results(records: Iterable[Record]) -> list[tuple[int | None, str]]:
    return [(record.result.winner, record.result.reason) for record in records if isinstance(record, GameEnded)]


def kind(name: str, brain: Any, **how: Any) -> BrainKind:
    """A kind that always hands out this one brain."""
    return BrainKind(name, "a fake", lambda _spec: brain, **how)


def kinds(**brains: Any) -> dict[str, BrainKind]:
    return {name: kind(name, brain) for name, brain in brains.items()}


class Function:
    """A brain that is one function of its view."""

    def __init__(self, decide: Any) -> None:
        self.decide = decide


class Hanging:
    """Blocks, deaf to everything, until the test lets it go; notes that it was cancelled.

    After `HANGS_S` it answers all the same: whoever waits for it gets an answer where there must be none.
    """

    def __init__(self, answer: str = "B") -> None:
        self.asked, self.cancelled, self.released = threading.Event(), threading.Event(), threading.Event()
        self.answer, self.count = answer, 0
        self.answered = threading.Event()

    def decide(self, view: View) -> Decision:
        self.count += 1
        view.live.on_cancel(self.cancelled.set)
        self.asked.set()
        self.released.wait(HANGS_S)
        self.answered.set()
        return Decision(self.answer, self.answer)


def _raise(error: BaseException) -> Any:
    raise error


class Unprintable(Exception):
    """An exception that fails a second time, when it is printed."""

    def __str__(self) -> str:
        raise SystemExit("no text")


MISBEHAVING: dict[str, Any] = {
    "raises": lambda view: _raise(ZeroDivisionError("division by zero")),
    "exits": lambda view: _raise(SystemExit(3)),
    "interrupts": lambda view: _raise(KeyboardInterrupt()),
    "unprintable": lambda view: _raise(Unprintable()),
    "returns a number": lambda view: 17,
    "returns a bare token": lambda view: "M",
    "returns None": lambda view: None,
    "raw is bytes": lambda view: Decision(b"M", "M"),  # type: ignore[arg-type]
    "command is a number": lambda view: Decision("17", 17),  # type: ignore[arg-type]
    "tokens are words": lambda view: Decision("M", "M", tokens={"prompt": "many"}),  # type: ignore[dict-item]
    "tokens are a list": lambda view: Decision("M", "M", tokens=[1, 2]),  # type: ignore[arg-type]
    "queued from a word": lambda view: Decision("M", "M", queued_from="one"),  # type: ignore[arg-type]
    "thought fails": lambda view: Decision("M", "M", thought=_Unspeakable()),  # type: ignore[arg-type]
}
"""What a plugin may do instead of answering; each is one play with the status `error`."""


class _Unspeakable:
    def __str__(self) -> str:
        raise ValueError("no words")


SPEC = Spec("fake")


WHOLE_ANSWERS = (
    Decision("x" * 10, "B", "hm", "ha", {"prompt": 9, "completion": 2}, raw_cut=99, invalid="no command"),
    Decision("", "M", queued_from=1),
)
"""Answers that between them say something in every field."""


def eventful() -> list[Record]:
    """A short match with a bit of everything a file can hold: two games, a fallback, a knock-out, a queue, notes."""
    rules = Rules(initial_health=(20, 20), bullet_damage=(20, 10), total_rounds=2, turns_per_round=4)
    rich = lambda view: Decision(  # noqa: E731
        "", "M", "think", "hello", {"prompt": 9, "completion": 2}, queued_from=view.number - 2
    )
    left = [Decision('"C30"', "C30"), rich, None, Decision("x" * 10, "nonsense", raw_cut=99), LATE, FAILED, LATE]
    right = ["S0", "M", "A45.5", "B", "S", "C007.50", "B", "M", "S0", "M", "A10"]
    notes = [FAILED, Decision("It hides.", None, tokens={"prompt": 7})]
    table = FakeTable(left, right, {0: ["M", "S0", aim, "B"]}, notes={1: notes})
    plan = MatchPlan(rules, 4, 2, ("win", "hide"), header_template="hit for $bullet_damage")
    records = list(runner.play(plan, table))
    table.assert_used_up()
    return records


def aim(view: View) -> Decision:
    """Turn exactly to the other bot."""
    me, foe = (BotView(view.arena.bot(bot), view.rules) for bot in (view.seat, 1 - view.seat))
    token = turn_token(me.bearing_to(foe), 9)
    return Decision(token, token)


def session_values(records: Iterable[Record]) -> dict[str, Any]:
    """The session of these records as a session file holds it."""
    history, battery = HistoryManager(), False
    for record in records:
        battery = bool(record.rules.battery) if isinstance(record, GameStarted) else battery
        history.append(schema.entry(record, battery=battery))
    return history.session


def written(records: Iterable[Record], path: Path) -> Path:
    """A session file with these records."""
    writer = SessionWriter(path)
    for record in records:
        writer.notify(record)
    return path
