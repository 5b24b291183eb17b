"""Matches that agents begin: each is played and recorded on a thread of its own."""

from __future__ import annotations

import threading
import time
from copy import copy
from dataclasses import replace

from batllm_arcade.agents.match import AgentMatch
from batllm_arcade.agents.seat import AgentSeat, invite
from batllm_arcade.brains.live import Cancelled
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.brains.redaction import without_folders
from batllm_arcade.configs import SHIPPED
from batllm_arcade.core.model import SEATS
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.prompts.payload import header
from batllm_arcade.seats.brain_thread import find_kind, needs_window
from batllm_arcade.seats.table import Table
from batllm_arcade.session.live_session import LiveSession, SessionPlan, new_history_file, new_seed
from batllm_arcade.settings import config as configuration
from batllm_arcade.settings.config import Config
from batllm_arcade.settings.foreign import Recorded, brain_of_file, own_origins

AGENT = "agent"
"""What an agent calls another agent as its opponent."""
MOST = 20
"""Matches at once."""
ORDERS = 2000
"""Characters of an opponent's orders."""
Seats = tuple[AgentSeat, AgentSeat]
_MCP = "mcp"
_END_S = 5.0


def shipped(name: str) -> Config:
    """Return a shipped configuration; raise UsageError if there is none of this name."""
    if name not in SHIPPED:
        raise UsageError(f"there is no configuration {name!r:.40}; choose one of {', '.join(SHIPPED)}")
    return configuration.load(name)


def rules_of(name: str, matches: Matches | None) -> str:
    """Return the rules of a shipped configuration, "" for those of these matches, as models are told them."""
    config = matches.config if matches is not None and not name else shipped(name or "default")
    return header(config.header_template, config.rules, 0)


class Matches:
    """Plays them with these plugins and rules; `deadline_s` is an agent's time for a play, 0 for no limit."""

    def __init__(self, plugins: Plugins, config: Config, deadline_s: float) -> None:
        self.config, self._plugins, self._deadline_s = config, plugins, deadline_s
        self._lock = threading.Lock()
        self._played: dict[threading.Thread, Table] = {}

    def begin(self, name: str, opponent: str, config: str, seed: int | None, side: str, orders: str) -> Seats:
        """Begin a match; return the seat of the agent of this name, and the one that waits for another agent.

        They are one and the same against any other opponent. Raise UsageError if an argument is wrong.
        """
        if side not in SEATS:
            raise UsageError(f"side must be left or right, not {side!r:.20}")
        rules, bot = shipped(config) if config else self.config, SEATS.index(side)
        mine = Spec(_MCP, options={"deadline_s": f"{self._deadline_s:g}"} if self._deadline_s else {})
        other = mine if opponent.strip() == AGENT else self._opponent(opponent)
        told = orders[:ORDERS] or rules.prompts[1 - bot]
        specs, prompts = ((mine, other), ("", told)) if bot == 0 else ((other, mine), (told, ""))
        # An agent plays by its own orders, and its opponent's are none of its business.
        rules = replace(rules, prompts=prompts, style=replace(rules.style, mode="independent"))
        plan = SessionPlan(rules, specs, new_seed() if seed is None else seed, history=new_history_file())
        assert plan.history is not None
        match = AgentMatch(plan.history.name, whole=True)
        seats = AgentSeat(match, 0), AgentSeat(match, 1)
        seats[bot].take(name)
        kinds = copy(self._plugins.kinds)
        kinds[_MCP] = replace(kinds[_MCP], make=lambda spec: seats[SEATS.index(spec.seat)])
        session = LiveSession(plan, replace(self._plugins, kinds=kinds))
        with self._lock:
            if len(self._played) >= MOST:
                raise UsageError(f"{MOST} matches are being played; wait until one has ended")
            thread = threading.Thread(target=self._play, args=(match, plan, session), daemon=True, name="agents' match")
            self._played[thread] = session.table(plan)
        waits = seats[bot]
        if other is mine:
            waits = seats[1 - bot]
            invite(waits)
        thread.start()
        return seats[bot], waits

    def _opponent(self, text: str) -> Spec:
        spec = Spec.parse(text)
        kind = find_kind(self._plugins.kinds, spec)
        if spec.name == _MCP or needs_window(kind):
            raise UsageError(f"{spec.name} cannot be called; say {AGENT} for another agent, or give a code")
        try:  # an agent may have read this anywhere: it is worth no more than what stands in somebody's file
            if brain_of_file(spec, "the opponent", Recorded(self._plugins.kinds, own_origins())) == spec:
                return spec
        except UsageError:
            pass
        raise UsageError(f"{text!r:.80} is not for an agent to choose; name a brain without files, keys and addresses")

    def _play(self, match: AgentMatch, plan: SessionPlan, session: LiveSession) -> None:
        table, problem = self._played[threading.current_thread()], ""
        try:
            table.prepare(match.report)
            for record in session.records(plan, table):
                match.notify(record)
        except (ArcadeError, Cancelled) as error:
            problem = without_folders(str(error) or "the match was ended")
        finally:
            session.close()
            table.close()
            match.end(problem)
            with self._lock:
                del self._played[threading.current_thread()]

    def close(self) -> None:
        """End all matches, and wait a few seconds until their sessions are written."""
        with self._lock:
            played = dict(self._played)
        for table in played.values():
            table.stop()
        ends = time.monotonic() + _END_S
        for thread in played:
            thread.join(max(0.0, ends - time.monotonic()))
