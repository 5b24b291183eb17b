"""Why a play is the best, in one sentence for a person whose turn it is."""

from __future__ import annotations

from batllm_arcade.core.events import BotHit, BotKnockedOut
from batllm_arcade.core.flight import lined_up
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.rules import read_command, step
from batllm_arcade.view.play_text import suggest
from batllm_arcade.view.telegraph.lines import threatened


def advice_sentence(arena: Arena, bot: int, token: str, chances: tuple[float, float], rules: Rules) -> str:
    """Return what to play and why; `chances` are those of the bot after the best play and after doing nothing."""
    best, waiting = (round(100 * chance) for chance in chances)
    said = suggest(read_command(token, rules))
    compared = f"{best}% to win" + (f", {waiting}% if you wait" if waiting < best else "")
    return f"{said[0].upper()}{said[1:]}: {_why(arena, bot, token, rules)} ({compared})."


def _why(arena: Arena, bot: int, token: str, rules: Rules) -> str:
    """Return what the play leads to, the most important alone."""
    after, events = step(arena, bot, read_command(token, rules), rules)
    hit = next((event for event in events if isinstance(event, BotHit)), None)
    if any(isinstance(event, BotKnockedOut) for event in events):
        return "it wins the game"
    if hit is not None:
        return f"it takes {hit.damage:g}"
    if threatened(arena, bot, rules) and not threatened(after, bot, rules):
        return "the next shot would hit you here"
    if lined_up(after, bot, rules) and not lined_up(arena, bot, rules):
        return "then you aim at them"
    if after.bot(bot).charge > arena.bot(bot).charge:
        return "it loads your gun"
    if after.bot(bot).shield and not arena.bot(bot).shield:
        return "it stops what comes from ahead"
    return "you stand better after it"
