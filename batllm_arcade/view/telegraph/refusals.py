"""Words for a command of a person that the rules refuse."""

from __future__ import annotations

from batllm_arcade.core.commands import Move, StepBack
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.rules import Refusal, refusal, runs_into

Helps = tuple[tuple[str, ...], str]
"""The actions whose keys help, and a sentence's part with `{}` for those keys."""

_WHY: dict[Refusal, str] = {
    "shield": "SHIELD UP",
    "empty": "EMPTY",
    "weak": "TOO WEAK FOR A SHIELD",
    "wall": "WALL AHEAD",
    "bot": "BOT AHEAD",
}


def helps(why: Refusal, arena: Arena, actor: int, rules: Rules) -> Helps:
    """Return what helps bot `actor` against a refusal now; no actions and "" if nothing does."""
    if why == "shield":
        return ("shield",), "lower it with {}"
    if why == "bot" and rules.back_step and refusal(arena, actor, StepBack(""), rules) is None:
        return ("retreat",), "step back with {}"
    if why in ("wall", "bot"):
        return ("left", "right"), "turn with {}"
    if runs_into(arena, actor, Move(None, "M"), rules):
        return ("move",), "bump it with {}"
    if rules.step_charge and refusal(arena, actor, Move(None, "M"), rules) is None and not arena.bot(actor).shield:
        return ("move",), "step with {} to load"
    return (("wait",), "wait with {} to load") if rules.rest_charge else ((), "")


def refusal_words(why: Refusal, helping: str, keys: str) -> str:
    """Return the sentence: why, and what helps with its keys; without a key bound, why alone."""
    return f"{_WHY[why]}: {helping.format(keys)}" if helping and keys else _WHY[why]
