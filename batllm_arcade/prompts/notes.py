"""A model's notes: what it is told of a round that is over, how it is asked for them, what is kept of its answer."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from batllm_arcade.brains.protocol import Decision, View
from batllm_arcade.core.events import BotHit, BotMoved, BulletFlew, Event, ShotBlocked
from batllm_arcade.core.model import plain
from batllm_arcade.core.rules import outcome
from batllm_arcade.prompts.formats import Messages, ReplyFormat
from batllm_arcade.prompts.payload import events
from batllm_arcade.prompts.unwrap import json_value, split_thought

MOST = 300
"""Words of the longest notes."""
_LONGEST_WORD = 10
"""Characters of a word on average, with which notes in a writing without spaces are cut, too."""
_ORDERS = 500
"""Characters of the orders that are told again."""
_BEGUN = re.compile(r'"notes"\s*:\s*"((?:[^"\\]|\\.)*)', re.DOTALL)


def kept(text: str, words: int = MOST) -> str:
    """Return the first words of what a model wrote, on one line and without what no reader sees."""
    seen = "".join(" " if unicodedata.category(each) in ("Cc", "Cf", "Cs") else each for each in text)
    return " ".join(seen.split()[:words])[: words * _LONGEST_WORD].rstrip()


@dataclass(frozen=True)
class NotesFormat(ReplyFormat):
    """Notes as the only text of a JSON object; `words` is how many they are at most."""

    words: int

    @property
    def max_tokens(self) -> int:  # type: ignore[override]
        """The most tokens such an answer takes: two a word."""
        return 2 * self.words + 40

    def instructions(self, view: View) -> str:
        """Return what asks for notes, the whole system message."""
        return (
            "You control SELF, one of two bots that fight in an arena, by one command a turn. A round is over. Write "
            "notes for yourself: what you have learnt, and what you will do in the next round.\n"
            'Answer with one JSON object and nothing else: {"notes": TEXT}\n'
            f"TEXT has at most {self.words} words, and takes the place of your notes so far."
        )

    def schema(self, view: View) -> dict[str, Any]:
        """Return the JSON schema of the answer."""
        return {"type": "object", "properties": {"notes": {"type": "string"}}, "required": ["notes"]}

    def grammar(self, view: View) -> str:
        """Return the answer's GBNF for llama.cpp."""
        return 'root ::= "{\\"notes\\":\\"" [^"\\\\\\x00-\\x1f\\x7f]+ "\\"}"\n'

    def messages(self, view: View) -> Messages:
        """Return what to send for the notes on a round that is over."""
        told = "\n".join(happened(view))
        return [{"role": "system", "content": self.instructions(view)}, {"role": "user", "content": told}]

    def read(self, view: View, raw: str) -> tuple[Decision, ...]:
        """Return the notes in an answer as `raw`, "" for none; an answer in no JSON is all notes."""
        text = split_thought(raw)[1]
        begun = _BEGUN.search(text)  # also of an answer that was cut off
        if begun is not None:
            value = json_value(f'"{begun[1]}"')
            text = value if isinstance(value, str) else begun[1]
        return (Decision("" if begun is None and text.startswith("{") else kept(text, self.words), None),)


def happened(view: View) -> Iterator[str]:
    """Yield what happened in a round that is over as its bot knows it, a plain line each."""
    rules, me, start, end = view.rules, view.seat, view.initial, view.arena
    yield f"Game {view.game}, round {view.round} of {rules.total_rounds} is over."
    result = outcome(end, rules)
    if view.round == rules.total_rounds or result.reason == "knockout":
        ended = "a draw" if result.winner is None else "you won it" if result.winner == me else "you lost it"
        yield f"The game is over: {ended} {'by a knock-out' if result.reason == 'knockout' else 'on points'}."
    if orders := " ".join(view.prompt.split())[:_ORDERS]:
        yield f"Your orders: {orders}"
    for who, bot in (("Your", me), ("The opponent's", 1 - me)):
        yield f"{who} health: {plain(start.bot(bot).health)} at the start, {plain(end.bot(bot).health)} at the end."
    plays = [play for turn in view.history for play in turn.plays]
    came, own = events(start, plays, rules), [play.status for play in plays if play.bot == me]
    lost = sum(status not in ("ok", "") for status in own)
    yield f"You: {_deeds(came, me)}{f', turns lost without a valid command {lost} of {len(own)}' if lost else ''}."
    if view.style.mode == "shared":
        yield f"The opponent: {_deeds(came, 1 - me)}."
    else:
        yield f"The opponent hit you {sum(isinstance(each, BotHit) and each.bot == me for each in came)} times."
    if view.notes:
        yield f"Your notes so far: {view.notes}"


def _deeds(came: list[Event], bot: int) -> str:
    shots = sum(isinstance(each, BulletFlew) and each.bot == bot for each in came)
    hits = sum(isinstance(each, BotHit) and each.bot != bot for each in came)
    blocked = sum(isinstance(each, ShotBlocked) and each.bot != bot for each in came)
    steps = sum(isinstance(each, BotMoved) and each.bot == bot for each in came)
    return f"shots {shots} (hits {hits}, blocked {blocked}, missed {shots - hits - blocked}), steps {steps}"
