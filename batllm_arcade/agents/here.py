"""The seat of an agent in a match of this program's own: in its window, of `run`, from Python."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from batllm_arcade.agents import told
from batllm_arcade.brains.protocol import Brain, Spec
from batllm_arcade.errors import UsageError
from batllm_arcade.history.paths import sessions_folder
from batllm_arcade.match.records import GameStarted, Record
from batllm_arcade.serve.seat import pages_missing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from batllm_arcade.plugin.hookspecs import Session
    from batllm_arcade.serve.server import Server

MISSING = "agents need the MCP SDK and what pages need; run: pip install 'batllm-arcade[mcp]'"


def agents_missing() -> str:
    """Return what agents lack here, in one sentence; "" if nothing."""
    return MISSING if pages_missing() or not find_spec("mcp") else ""


def agent_seat(spec: Spec) -> Brain:
    """Return the brain of a seat for which an agent is waited for; raise UsageError if it cannot be."""
    spec.allow()
    if problem := agents_missing():
        raise UsageError(problem)
    from batllm_arcade.agents.seat import OwnSeat

    return OwnSeat(spec, _connect)


def _connect(server: Server) -> None:
    from batllm_arcade.agents.tools import mount

    mount(server)


def agent_observer(session: Session) -> AgentObserver | None:
    """Return what tells agents of a session, None for one that nobody could watch, as in a league."""
    return None if session.history is None else AgentObserver(session.history)


class AgentObserver:
    """Tells the agents in this program's own match of all records, and of its session in the usual folder."""

    def __init__(self, history: Path) -> None:
        self._file = history.name if history.parent == sessions_folder() else ""
        self._untold: list[Record] = []

    def notify(self, record: Record) -> None:
        """Receive the next record of the session."""
        if isinstance(record, GameStarted):
            self._untold.clear()
        self._untold.append(record)
        if told:  # an agent may come in the middle of a game
            told[0].file = self._file
            for each in self._untold:
                told[0].notify(each)
            self._untold.clear()
