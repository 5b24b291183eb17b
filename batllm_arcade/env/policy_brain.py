"""A policy as a brain: a Python file with `load` and `act`, or an ONNX file; loaded and asked in a bot's process."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from batllm_arcade.brains.protocol import BrainError, Decision, View
from batllm_arcade.core.model import Rules
from batllm_arcade.env.agent import ACTIONS, COMMANDS, LOWEST, ActionTable, Mask, Observation, Sight
from batllm_arcade.errors import UsageError, quoted
from batllm_arcade.plugin.dropins import import_file

Answer = tuple[int, str]
"""An action's number, and what is shown as the thought behind it."""


class Policy(Protocol):
    """What is loaded of a file; `actions` are the names of its actions."""

    actions: Sequence[str]

    def act(self, observation: Observation, mask: Mask, rng: random.Random) -> Answer:
        """Return the action to play; raise BrainError if the file answers with something else."""
        ...


class PolicyBrain:
    """Plays a policy's actions under whatever rules; raise BrainError if its file is no policy."""

    model = ""

    def __init__(self, path: Path, *, sample: bool = False) -> None:
        self._path, self._sample = path, sample
        self.title = path.stem
        self._policy: Policy | None = None
        self._table: tuple[Rules, ActionTable, Sight] | None = None

    def prepare(self, report: Callable[[str], None]) -> None:
        """Load the file; raise BrainError if it cannot be loaded or is no policy."""
        report(f"loading {self._path.name}")
        self._policy = (
            OnnxPolicy(self._path, sample=self._sample) if self._path.suffix == ".onnx" else PythonPolicy(self._path)
        )

    def decide(self, view: View) -> Decision:
        """Return what the policy does; raise BrainError if that is no action."""
        policy = self._policy
        if policy is None:
            raise BrainError(f"{self._path.name} has not been loaded")
        if self._table is None or self._table[0] != view.rules:
            try:
                self._table = (view.rules, ActionTable(policy.actions, view.rules), Sight(view.rules))
            except UsageError as error:
                raise BrainError(str(error)) from None
        _, table, sight = self._table
        seen = sight.observe(view.arena, view.seat, view.round - 1, view.turn - 1, view.acting_order[0])
        number, thought = policy.act(seen, table.mask(view.arena, view.seat, sight), view.rng)
        try:
            token, _ = table.command(number, view.arena, view.seat)
        except UsageError as error:
            raise BrainError(str(error)) from None
        return Decision(token or "", token, thought)


class PythonPolicy:
    """A Python file: `load(folder)` is called once, then `act(policy, observation, action_mask, rng)` for each play."""

    def __init__(self, path: Path) -> None:
        module = import_file(path)
        self._act = getattr(module, "act", None)
        load = getattr(module, "load", None)
        if not callable(load) or not callable(self._act):
            raise BrainError(
                f"{path.name} is no policy: it needs load(folder) and act(policy, observation, action_mask, rng)"
            )
        self.actions: Sequence[str] = getattr(module, "ACTIONS", ACTIONS)
        self._loaded = load(path.parent)

    def act(self, observation: Observation, mask: Mask, rng: random.Random) -> Answer:
        """Return what the file's `act` returns: a number, or a pair of it and a text."""
        assert self._act is not None
        answer: Any = self._act(self._loaded, observation, mask, rng)
        number, thought = answer if isinstance(answer, tuple) and len(answer) == 2 else (answer, "")
        if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or not isinstance(thought, str):
            raise BrainError(f"act returned {quoted(answer)}; return an action's number, or a pair of it and a text")
        return int(number), thought


INPUTS = {"tensor(bool)": "bool", "tensor(int64)": "int64", "tensor(int8)": "int8"}
"""The types that an ONNX input may have beside 32-bit floats."""


class OnnxPolicy:
    """An ONNX file whose first input is the observation and whose first output are the actions' logits.

    A second input gets the mask. The likeliest action that the rules would not refuse is played; with `sample` one is
    drawn.
    """

    def __init__(self, path: Path, *, sample: bool = False) -> None:
        try:
            import onnxruntime
        except ModuleNotFoundError:
            raise BrainError("an ONNX policy needs onnxruntime: pip install 'batllm-arcade[onnx]'") from None
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # a bot has a share of one processor
        options.log_severity_level = 4
        try:
            self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # noqa: BLE001 - whatever the library says of a file that it cannot read
            raise BrainError(f"{path.name} cannot be loaded as ONNX: {str(error)[:200]}") from None
        self._inputs = self._session.get_inputs()
        self._sample = sample
        logits = self._logits(np.zeros(len(LOWEST), np.float32), np.ones(len(ACTIONS), np.int8))
        every, plain = len(ACTIONS), len(COMMANDS)
        if logits.size not in (every, plain):
            raise BrainError(
                f"{path.name} has {logits.size} outputs; it must have {every}, or {plain} for commands alone"
            )
        self.actions: Sequence[str] = ACTIONS if logits.size == len(ACTIONS) else COMMANDS

    def _logits(self, observation: Observation, mask: Mask) -> NDArray[np.float64]:
        values: tuple[NDArray[Any], ...] = (observation, mask)
        given = {
            each.name: value[None].astype(INPUTS.get(each.type, "float32"))
            for each, value in zip(self._inputs, values, strict=False)
        }
        try:
            outputs: Any = self._session.run(None, given)
            return np.asarray(outputs[0], np.float64).reshape(-1)
        except Exception as error:  # noqa: BLE001 - whatever the library says of shapes that do not fit
            raise BrainError(f"it takes no observation of {len(LOWEST)} numbers: {str(error)[:200]}") from None

    def act(self, observation: Observation, mask: Mask, rng: random.Random) -> Answer:
        """Return the likeliest action that is allowed, or one drawn, and the chances of the first three."""
        logits = np.where(mask > 0, self._logits(observation, mask), -np.inf)
        weights = np.exp(logits - logits.max())
        chances = weights / weights.sum()
        order = np.argsort(-chances, kind="stable")
        number = int(order[0])
        if self._sample:
            number = rng.choices(range(chances.size), chances.tolist())[0]
        shown = (
            f"{self.actions[each] or 'nothing'} {chances[each]:.0%}" for each in order[:3] if chances[each] >= 0.005
        )
        return number, ", ".join(shown)
