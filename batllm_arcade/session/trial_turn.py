"""One real turn of a brain, played as it would be in a match: what it answers, what it thought, what that cost."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random

from batllm_arcade.brains.kinds import Why, cost_of
from batllm_arcade.brains.live import Live
from batllm_arcade.brains.protocol import Decision, Spec, View
from batllm_arcade.brains.redaction import public_options
from batllm_arcade.core.commands import Nothing
from batllm_arcade.core.rules import read_command, start
from batllm_arcade.errors import ArcadeError, one_line
from batllm_arcade.prompts import payload
from batllm_arcade.seats.brain_thread import BrainThread, Kinds, ReplySlot, wait_for_answer
from batllm_arcade.settings import config as configuration

ORDERS = "Turn to the other bot and fire when you would hit it; raise your shield when it aims at you."
GIVEN_UP = "the test was given up"


@dataclass(frozen=True, slots=True)
class TrialTurn:
    """What came of one turn: `problem` says why there is no answer, "" if there is one, and `why` its cause.

    `raw` is the exact text, `command` the token that was read in it ("": nothing on purpose), `refused` why it is no
    command. `seconds` is the time of the answer, `ready_s` that of getting ready; `cost` is None without a price.
    """

    problem: str = ""
    why: Why = ""
    model: str = ""
    raw: str = ""
    command: str = ""
    refused: str = ""
    thought: str = ""
    say: str = ""
    tokens: Mapping[str, int] | None = None
    seconds: float = 0.0
    ready_s: float = 0.0
    cost: float | None = None
    adapted: tuple[str, ...] = ()


class Trial:
    """A brain that plays one turn; `play` once, on a thread of its own, `cancel` from any."""

    def __init__(self, kinds: Kinds, spec: Spec, deadline_s: float = 30.0, orders: str = ORDERS) -> None:
        self._kinds, self._spec, self._deadline_s, self._orders = kinds, spec, deadline_s, orders
        self._lock = threading.Lock()
        self._brain: BrainThread | None = None
        self._live: Live | None = None
        self._cancelled = False

    def play(self, report: Callable[[str], None]) -> TrialTurn:
        """Return what came of the turn; `report` gets what is being done, then the answer as it grows. Never raises."""
        begun = time.monotonic()
        try:
            brain = BrainThread(self._kinds, self._spec, self._deadline_s)
        except ArcadeError as error:
            return TrialTurn(one_line(error, 1000), "options")
        try:
            with self._lock:
                self._brain = brain
            if not self._cancelled:
                brain.prepare(report)
            return self._asked(brain, report, time.monotonic() - begun)
        except ArcadeError as error:
            return TrialTurn(one_line(error, 1000), _why(error), brain.info.model)
        finally:
            brain.close()

    def cancel(self) -> None:
        """Give it up, from any thread: `play` then returns soon."""
        with self._lock:
            self._cancelled, live, brain = True, self._live, self._brain
        if live is not None:
            live.cancel()
        if brain is not None:
            brain.close()

    def _asked(self, brain: BrainThread, report: Callable[[str], None], ready_s: float) -> TrialTurn:
        live = Live(brain.deadline_s, published=report)
        with self._lock:
            self._live, cancelled = live, self._cancelled
        if cancelled:
            return TrialTurn(GIVEN_UP, "other", brain.info.model, ready_s=ready_s)
        slot, view, begun = ReplySlot(), _view(self._orders, live), time.monotonic()
        brain.submit(view, slot)
        wait_for_answer(slot, live)
        seconds = time.monotonic() - begun
        live.cancel()
        turn = self._turn(brain, slot, view, live)
        return replace(turn, seconds=seconds, ready_s=ready_s, model=brain.info.model, adapted=brain.info.adapted)

    def _turn(self, brain: BrainThread, slot: ReplySlot, view: View, live: Live) -> TrialTurn:
        decision = slot.decision or Decision("", None, thought=live.thought)
        trial = TrialTurn(
            raw=decision.raw, thought=decision.thought, say=decision.say, tokens=decision.tokens,
            command=decision.command or "", refused=decision.invalid,
            cost=cost_of(public_options(self._spec.options), decision.tokens or {}),
        )  # fmt: skip
        if slot.problem:
            return replace(trial, problem=slot.problem, why="other")
        if slot.decision is None:
            late = f"no answer within {brain.deadline_s:g} s; give it longer (deadline_s), or choose a smaller model"
            return replace(
                trial, problem=GIVEN_UP if self._cancelled else late, why="other" if self._cancelled else "late"
            )
        if not trial.refused and decision.command is not None:
            read = read_command(decision.command, view.rules)
            return replace(trial, refused=read.reason if isinstance(read, Nothing) else "")
        return trial


def _why(error: ArcadeError) -> Why:
    why: Why = getattr(error, "why", "other")
    return why


def _view(orders: str, live: Live) -> View:
    config = configuration.load("couch")
    arena = start(Random(1), config.rules)
    return View(
        seat=0, rules=config.rules, game=1, round=1, turn=1, number=1, acting_order=(0, 1), prompts=(orders, ""),
        arena=arena, initial=arena, system_header=payload.header(config.header_template, config.rules, 0),
        style=config.style, gamepad=config.gamepad, rng=Random(1), stream="1/1/0", live=live,
    )  # fmt: skip
