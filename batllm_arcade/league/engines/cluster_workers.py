"""Who the workers of a cluster are: which of them may play, which are refused, which answer no more; no Dask here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from batllm_arcade.league.identity import LeagueIdentity
from batllm_arcade.league.plan import ScheduledPair

SILENT_S = 10.0
"""Seconds without a sign of life after which a worker is late: it sends one a second or so, whatever it plays."""

State = Literal["new", "ready", "refused", "late"]


@dataclass(slots=True)
class ClusterWorker:
    """A worker, the chunks it has been given, and when (`heard`) its last sign of life, `beat`, was new."""

    address: str
    name: str
    beat: float
    heard: float
    state: State = "new"
    slow: bool = False
    """Whether something that it plays is late, though it gives signs of life."""
    chunks: dict[int, Sequence[ScheduledPair]] = field(default_factory=dict)

    @property
    def load(self) -> int:
        """Return how many pairs it has still to play."""
        return sum(map(len, self.chunks.values()))


class Seen(NamedTuple):
    """What a look at the cluster has brought: `new` workers, those that are `gone` or `late`, and those `back`."""

    new: list[ClusterWorker]
    gone: list[ClusterWorker]
    late: list[ClusterWorker]
    back: list[ClusterWorker]


class ClusterWorkers:
    """The workers by their addresses; those that are not as `agreed` are refused."""

    def __init__(self, agreed: LeagueIdentity) -> None:
        self._agreed = agreed
        self._all: dict[str, ClusterWorker] = {}
        self.refused: dict[str, str] = {}
        """Why workers play nothing, by name."""

    @property
    def ready(self) -> list[ClusterWorker]:
        """Return those that may play."""
        return [each for each in self._all.values() if each.state == "ready"]

    def of(self, chunk: int) -> ClusterWorker | None:
        """Return who was given this chunk, None if nobody has it any more."""
        return next((each for each in self._all.values() if chunk in each.chunks), None)

    def look(self, infos: Mapping[str, Mapping[str, Any]], now: float) -> Seen:
        """Take in what the scheduler says of its workers, by address, at this moment (seconds of any clock)."""
        gone = [self._all.pop(address) for address in list(self._all) if address not in infos]
        seen = Seen([], gone, [], [])
        for address, info in infos.items():
            beat, worker = float(info.get("last_seen", 0.0)), self._all.get(address)
            if worker is None:
                worker = self._all[address] = ClusterWorker(address, str(info.get("name", address)), beat, now)
                seen.new.append(worker)
            elif beat != worker.beat:
                worker.beat, worker.heard = beat, now
                if worker.state == "late":
                    worker.state = "ready"
                    seen.back.append(worker)
            elif worker.state == "ready" and now - worker.heard > SILENT_S:
                worker.state = "late"
                seen.late.append(worker)
        return seen

    def admit(self, address: str, found: LeagueIdentity) -> str:
        """Let a worker play if it is as agreed; return why it may not, "" if it may."""
        differences = [each.there() for each in self._agreed.differences(found)]
        more = f" (and {len(differences) - 1} more)" if len(differences) > 1 else ""
        return self.refuse(address, f"{differences[0]}{more}") if differences else self._ready(address)

    def _ready(self, address: str) -> str:
        if (worker := self._all.get(address)) is not None:
            worker.state = "ready"
            self.refused.pop(worker.name, None)  # started again with the right files
        return ""

    def refuse(self, address: str, why: str) -> str:
        """Let a worker play nothing; return the sentence on that."""
        worker = self._all.get(address)
        if worker is None:
            return ""
        worker.state = "refused"
        self.refused[worker.name] = why
        return f"worker {worker.name} plays nothing: {why}"

    def forget(self) -> list[int]:
        """Forget everybody, as when the scheduler is another one; return the chunks that they had."""
        chunks = [chunk for worker in self._all.values() for chunk in worker.chunks]
        self._all.clear()
        return chunks
