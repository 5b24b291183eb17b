"""What a decision must be to be recorded: the same is asked of a brain's when it is made, and of a file's."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from batllm_arcade.brains.protocol import Decision
from batllm_arcade.core.commands import Command, Nothing
from batllm_arcade.core.model import Rules
from batllm_arcade.core.rules import read_command


def command_of(decision: Decision, rules: Rules) -> Command:
    """Return what a decision does: nothing, with the reason, where its brain itself rejects its answer."""
    return Nothing(decision.invalid) if decision.invalid else read_command(decision.command, rules)


class DecisionFault(NamedTuple):
    """A field of a play that is not what its decision makes it; `str()` is a clause."""

    field: str
    value: object
    rule: str
    """What it must be."""

    def __str__(self) -> str:
        return f"{self.field} is {self.value!r:.60} and {self.rule}"


def decision_faults(
    decision: Decision, cmd: str, status: str, rules: Rules, number: int, queued: Collection[int]
) -> Iterator[DecisionFault]:
    """Yield what is wrong with a decision by which a play of this number in its round did `cmd`, with this status.

    `queued` are the numbers of the plays before it in the round that an earlier reply had announced.
    """
    raw, cut, first = decision.raw, decision.raw_cut, decision.queued_from
    if cut is not None and cut <= len(raw):
        yield DecisionFault("raw_cut", cut, f"must be more than the {len(raw)} characters of llm_response")
    if any(count < 0 for count in (decision.tokens or {}).values()):
        yield DecisionFault("tokens", dict(decision.tokens or {}), "must be 0 or more")
    said = read_command(raw, rules) if status == "ok" and raw != cmd else Nothing()
    if not isinstance(said, Nothing) and said.token != cmd:
        yield DecisionFault("cmd", cmd, f"{said.token!r:.60} by its llm_response")
    if first is None:
        return
    if not 1 <= first < number or (number - first) % 2:
        yield DecisionFault("queued_from", first, "must be an earlier play of the same bot in the round")
    elif first in queued:
        yield DecisionFault("queued_from", first, "must be the play of the reply, which was queued by none")
    if raw:
        yield DecisionFault("llm_response", raw, "must be empty, as the play was queued")


def why_refused(decision: Decision, rules: Rules, number: int, queued: Collection[int]) -> str:
    """Return why a brain's decision in this play of its round is none that a file may hold, "" if it is one."""
    command = command_of(decision, rules)
    status = "invalid" if isinstance(command, Nothing) and command.reason else "ok"
    fault = next(decision_faults(decision, command.token, status, rules, number, queued), None)
    return f"garbage: what it answered contradicts itself: {fault}" if fault else ""
