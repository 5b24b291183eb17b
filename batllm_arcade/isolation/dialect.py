"""What is written to a bot of any language, and how its answers are read: the line protocol's own messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from batllm_arcade.brains.options import PayloadStyle
from batllm_arcade.brains.protocol import Decision, View
from batllm_arcade.core.model import DECIMALS, SEATS
from batllm_arcade.isolation.messages import LINE_LIMIT, PROTOCOL, BotAnswer, OtherMessage, write_line
from batllm_arcade.prompts.payload import bot_figures, messages

STYLE = PayloadStyle(decimals=DECIMALS, arena_const=True, sensors=True)
"""How a play is told to a bot: the payload's body, augmented, at full precision, with sensors, in the match's mode."""

MOST_TURNS = 200
"""Finished turns that are told at most; some hundred fill a line."""
LONGEST_PROMPT = 4000
"""Characters of a prompt that are told where the whole does not fit into a line."""


class Dialect:
    """The line protocol; one per brain, `reset` when its process is started."""

    line_limit = LINE_LIMIT

    def reset(self) -> None:
        """Forget what the process was told: another one is there."""
        self._game = 0

    def hello(self, seat: str, options: Mapping[str, str]) -> bytes:
        """Return the greeting, which is answered with `ready`."""
        return write_line("hello", {"protocol": PROTOCOL, "seat": seat, "options": dict(options)})

    def problem(self, message: OtherMessage) -> str:
        """Return why the bot cannot play if this message says so, else ""."""
        return ""

    def progress(self, message: OtherMessage) -> str:
        """Return what the bot says it is doing until it is ready, "" for any other message."""
        return ""

    def question(self, number: int, view: View, budget_ms: int | None) -> bytes:
        """Return the lines that ask for a play: a new game's first, where it is one."""
        lines = b""
        if view.game != self._game:
            self._game = view.game
            lines = self._new_game(view)
        return lines + self._decide(number, view, budget_ms)

    def _new_game(self, view: View) -> bytes:
        charged = view.rules.battery > 0
        mine, theirs = (bot_figures(view.initial.bot(bot), DECIMALS, charged) for bot in (view.seat, 1 - view.seat))
        start = {"self": mine, "opp": theirs}
        return write_line(
            "game", {"game": view.game, "seed": view.stream, "rules": asdict(view.rules), "initial_state": start}
        )

    def _decide(self, number: int, view: View, budget_ms: int | None) -> bytes:
        shown, prompts = min(len(view.history), MOST_TURNS), view.prompts
        while True:
            style = replace(STYLE, mode=view.style.mode, history_window=shown)
            body = messages(replace(view, style=style, prompts=prompts))[-1]["content"]
            line = write_line("decide", {"id": number, "budget_ms": budget_ms}, {"view": body})
            excess = len(line) - self.line_limit - 1
            if excess <= 0:
                return line
            if shown <= 1:  # only prompts of tens of thousands of characters get here
                prompts = (prompts[0][:LONGEST_PROMPT], prompts[1][:LONGEST_PROMPT])
            # The oldest turns are left out, which `history_omitted` says.
            shown = max(1, shown - 1 - excess * shown // len(line)) if shown else 0

    def given_up(self) -> None:
        """Note that a question got no answer."""

    def decision(self, answer: BotAnswer, view: View) -> Decision:
        """Return what a bot's answer means; raise BrainError if it is an error."""
        return Decision(answer.command or "", answer.command, answer.thought, answer.say)

    def sit(self, seat: str) -> bool:
        """Speak for another seat from now on; return False where the process would have to be started for it."""
        return False

    def result(self, result: Mapping[str, Any]) -> bytes:
        """Return the line that tells how a game has ended; the next play is of another, whatever its number."""
        self._game = 0
        winner = result.get("winner")
        outcome = "draw" if winner is None else "won" if winner == result.get("bot") else "lost"
        told = {"game": result.get("game"), "winner": winner, "reason": result.get("reason"), "outcome": outcome}
        return write_line("result", {"result": told})


def seat_name(seat: str) -> str:
    """Return the seat as a bot is told it: the left one where none is known (a check without a match)."""
    return seat or SEATS[0]
