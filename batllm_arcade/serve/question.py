"""A play that a person in a page is asked for: what they see before they make it, and their answer."""

from __future__ import annotations

from functools import cached_property
from queue import SimpleQueue
from typing import Any

from batllm_arcade.brains.live import Cancelled
from batllm_arcade.brains.protocol import View
from batllm_arcade.core.rules import Refusal, read_command, refusal
from batllm_arcade.errors import ArcadeError
from batllm_arcade.share.look_export import short
from batllm_arcade.view.telegraph.advice import Choice
from batllm_arcade.view.telegraph.lines import FireLine, PlayerKeys, StepGhost, Telegraph
from batllm_arcade.view.telegraph.person_turn import PersonTurn
from batllm_arcade.view.telegraph.refusals import helps, refusal_words

_KEYS = PlayerKeys(fire="FIRE", move="STEP", shield="SHIELD", aim="drag", wait="WAIT", retreat="BACK")
"""What the buttons of a seat's page are called."""
_BUTTONS = {
    ("fire",): "FIRE", ("move",): "STEP", ("retreat",): "BACK", ("shield",): "SHIELD", ("wait",): "WAIT",
    ("left", "right"): "a drag",
}  # fmt: skip


class TurnQuestion:
    """The question of this number for this view; `wait` returns its answer on the brain's thread."""

    def __init__(self, number: int, view: View) -> None:
        self.number, self.view = number, view
        self._answers: SimpleQueue[str | Exception] = SimpleQueue()
        view.live.on_cancel(lambda: self._answers.put(Cancelled()))

    def wait(self) -> str:
        """Return the command that the page has sent; raise Cancelled if none is wanted, and what `fail` was given."""
        answer = self._answers.get()
        if isinstance(answer, Exception):
            raise answer
        return answer

    def fail(self, error: ArcadeError) -> None:
        """Have `wait` raise this."""
        self._answers.put(error)

    def answer(self, play: str, by: int) -> str:
        """Take a play, of a turn by so many degrees; return in words why the rules refuse it, "" if they do not."""
        view = self.view
        tokens = {
            "move": "M", "retreat": f"M-{view.rules.back_step}", "fire": "B", "shield": "S", "wait": "",
            "turn": f"{'C' if by > 0 else 'A'}{abs(by)}",
        }  # fmt: skip
        if (play == "retreat" and not view.rules.back_step) or (play == "turn" and not by):
            return "THAT DOES NOTHING HERE"
        why = self.take(tokens[play])
        if why is None:
            return ""
        actions, helping = helps(why, view.arena, view.seat, view.rules)
        return refusal_words(why, helping, _BUTTONS.get(actions, ""))

    def take(self, token: str) -> Refusal | None:
        """Take a command, "" to do nothing on purpose; return why the rules refuse it, None if they do not."""
        view = self.view
        why = refusal(view.arena, view.seat, read_command(token or None, view.rules), view.rules)
        if why is None:
            self._answers.put(token)
        return why

    @cached_property
    def _turn(self) -> PersonTurn:
        return PersonTurn(self.view.arena, self.view.rules, self.view.seat, _KEYS, "YOUR TURN")

    def shown(self, aim: int = 0, hold: Choice = "") -> dict[str, Any]:
        """Return what the person sees while they aim so many degrees aside or hold a play's button, for a page."""
        telegraph = self._turn.telegraph(aim, hold)
        return {
            "own": _line(telegraph.own), "foe": _line(telegraph.foe), "marks": [_at(each) for each in telegraph.marks],
            "rings": _rings(telegraph), "leaves": list(telegraph.leaves), "words": telegraph.banner,
            "reach": telegraph.reach,
        }  # fmt: skip


def _at(point: tuple[float, float]) -> list[float]:
    return [short(value, 3) for value in point]


def _line(line: FireLine | None) -> dict[str, Any] | None:
    if line is None:
        return None
    path = [_at(each) for each in line.path]
    words = [line.words, line.note]
    return {"bot": line.bot, "path": path, "outcome": line.outcome, "held": line.held, "words": words}


def _rings(telegraph: Telegraph) -> list[dict[str, Any]]:
    """Return the rings where steps end, those of which a bot would stand there first."""
    rings = (telegraph.foe_step, telegraph.back, telegraph.step)
    return [_ring(each) for each in rings if each is not None]


def _ring(ghost: StepGhost) -> dict[str, Any]:
    return {"bot": ghost.bot, "at": _at(ghost.end), "struck": ghost.struck, "words": [ghost.threat, ghost.words]}
