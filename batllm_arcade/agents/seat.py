"""The brain of a seat that an agent plays, and where agents find it: a code for each seat that waits for one."""

from __future__ import annotations

from collections.abc import Callable

from batllm_arcade.agents import told
from batllm_arcade.agents.match import AgentMatch
from batllm_arcade.brains.live import Cancelled
from batllm_arcade.brains.protocol import Decision, Spec, View
from batllm_arcade.core.commands import Nothing
from batllm_arcade.core.model import SEATS
from batllm_arcade.core.rules import Refusal, read_command
from batllm_arcade.errors import UsageError
from batllm_arcade.serve.codes import Codes, new_code
from batllm_arcade.serve.question import TurnQuestion
from batllm_arcade.serve.seat import close_pages, open_pages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from batllm_arcade.serve.server import Server

PATH = "/mcp"
"""Where agents connect to."""
THOUGHT, LONGEST = 2000, 40
"""Characters of a thought that are kept, and of a command."""
_WHY: dict[Refusal, str] = {
    "shield": "your shield is up: S0 lowers it", "empty": "there is too little charge for a shot",
    "weak": "there is too little charge for the shield", "wall": "there is a wall: turn first",
    "bot": "the other bot is there: turn first",
}  # fmt: skip


class AgentSeat:
    """A seat of a match for an agent: its brain for the match, and the agent's side; any thread may call any method."""

    def __init__(self, match: AgentMatch, bot: int) -> None:
        self.match, self.bot = match, bot
        self.title = "Agent"
        self.key = ""
        """What the agent that plays here knows, "" before there is one."""
        self.code = ""
        """What lets an agent in, "" where none is waited for."""
        self.address = ""
        """Where it is waited for, "" where it is connected already."""
        self._question: TurnQuestion | None = None
        self._thought = ""
        self._closed = False

    # -- the agent's side

    def take(self, name: str) -> None:
        """Let an agent sit down; the key that an agent knows who was here before is good no more."""
        with self.match.changed:
            self.title, self.key = name or self.title, new_code() + new_code()
            self.match.changed.notify_all()

    @property
    def over(self) -> bool:
        """Whether the agent has no more to do: the game is over, or somebody else has the seat."""
        return self._closed or self.match.over

    @property
    def asked(self) -> bool:
        """Whether it is the agent's turn."""
        return self._question is not None and not self.over

    def play(self, command: str, thought: str) -> None:
        """Take the agent's play; raise UsageError if it is none, or none now."""
        with self.match.changed:
            question = self._question
            if self.over:
                raise UsageError("the game is over; new_match begins another one")
            if question is None:
                raise UsageError("it is not your turn; call wait")
            token = command.strip()
            token = "" if token.lower() in ("", "wait") else token
            read = read_command(token[:LONGEST] or None, question.view.rules)
            if isinstance(read, Nothing) and read.reason:
                raise UsageError(f"{read.reason}; or wait, which does nothing")
            why = question.take(token)
            if why is not None:
                raise UsageError(f"the rules refuse {token}: {_WHY[why]}")
            self._question, self._thought = None, thought[:THOUGHT]

    # -- the match's side

    def prepare(self, report: Callable[[str], None]) -> None:
        """Wait until an agent is there; raise Cancelled if the seat is closed before."""
        with self.match.changed:
            if not self.key:
                at = f" at {self.address}" if self.address else ""
                report(f"{SEATS[self.bot]} waits for an agent{at} with the code {self.code}")
            while not self.key:
                if self._closed:
                    raise Cancelled
                self.match.changed.wait(0.5)

    def decide(self, view: View) -> Decision:
        """Return the agent's play; raise Cancelled when it is not wanted any more."""
        question = TurnQuestion(view.number, view)
        with self.match.changed:
            self._question = question
            self.match.changed.notify_all()
        try:
            token = question.wait()
        finally:
            with self.match.changed:
                if self._question is question:
                    self._question = None
        return Decision(token or "wait", token or None, self._thought)

    def close(self) -> None:
        """Wait for no agent any more."""
        with self.match.changed:
            self._closed = True
            self.match.changed.notify_all()
        withdraw(self)


# -- Seats that wait for an agent

_codes = Codes()
_waiting: dict[str, AgentSeat] = {}
"""By their codes."""


def invite(seat: AgentSeat) -> None:
    """Have a seat wait for an agent; its code lets one in."""
    seat.code = new_code()
    _waiting[seat.code], _codes.by_door[seat.code] = seat, seat.code


def withdraw(seat: AgentSeat) -> None:
    """Let nobody in any more."""
    for known in (_waiting, _codes.by_door):
        known.pop(seat.code, None)


def admit(code: str, name: str) -> AgentSeat:
    """Give an agent the seat that this code opens; raise UsageError if there is none.

    A seat of this program's own is open again where its agent has gone: its code stays good.
    """
    door = _codes.door(code, "agents")
    seat = _waiting.get(door or "")
    if seat is None:
        raise UsageError("too many wrong codes; wait a minute" if door is None else f"no seat waits for {code!r:.20}")
    if not seat.address:
        withdraw(seat)
    seat.take(name)
    return seat


def waiting() -> AgentSeat | None:
    """Return a seat at this program's own address that waits for an agent, None if none does."""
    return next((seat for seat in tuple(_waiting.values()) if seat.address and not seat.key), None)


# -- The seat in a match of this program's own


class OwnSeat(AgentSeat):
    """A seat for an agent that finds it at this program's own address, which `connect` opens to agents."""

    def __init__(self, spec: Spec, connect: Callable[[Server], None]) -> None:
        self._connect = connect
        if not told:
            told.append(AgentMatch())
        super().__init__(told[0], SEATS.index(spec.seat) if spec.seat in SEATS else 0)

    def prepare(self, report: Callable[[str], None]) -> None:
        """Open the address and wait until an agent is there; raise what `open_pages` and `AgentSeat.prepare` raise."""
        server = open_pages(self)
        self._connect(server)
        self.address = address(server)
        invite(self)
        super().prepare(report)

    def close(self) -> None:
        """Wait for no agent any more."""
        super().close()
        close_pages(self)


def address(server: Server) -> str:
    """Return where agents connect to: on this computer alone."""
    return f"http://127.0.0.1:{server.port}{PATH}"
