"""What the process of a plugin says that its file offers, read like any stranger's JSON; nothing in it is a right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from batllm_arcade.errors import quoted
from batllm_arcade.history.node import Node
from batllm_arcade.plugin.dropins import ASKS

MOST_KINDS = 100
MOST_TEXTS = 500
"""Variants of a brain, and descriptions of them."""
LONGEST = 4000
"""Characters of a text."""
MOST_PROBLEMS = 20


@dataclass(frozen=True, slots=True)
class Offer:
    """What a file offers: of each brain the fields of its `BrainKind`; its problems; what it `asks` to be, "" if no
    more than a bot: information for a sentence, never a reason to let it into the program."""

    kinds: tuple[dict[str, Any], ...]
    problems: tuple[str, ...]
    asks: str


def read_offer(values: Mapping[str, Any]) -> Offer:
    """Return the offer in a message; raise HistoryError, which names the place, if it is none."""
    root = Node(dict(values), "its offer")
    problems = [_text(each)[:1000] for each in _few(root["problems"], "problem", MOST_PROBLEMS)]
    kinds = [_kind(each) for each in _few(root["kinds"], "brain", MOST_KINDS)]
    asks = root["inside"]
    if asks.text() not in ("", *ASKS):
        raise asks.refuse(f"must be empty, {', '.join(ASKS[:-1])} or {ASKS[-1]}, not {quoted(asks.value)}")
    return Offer(tuple(kinds), tuple(problems), asks.text())


def _kind(node: Node) -> dict[str, Any]:
    texts = {key: _text(node[key]) for key in ("name", "summary")}
    lists = {key: tuple(_text(each) for each in _few(node[key], key, MOST_TEXTS)) for key in _LISTS}
    mappings = {key: _texts(node[key]) for key in _MAPPINGS}
    return {
        **texts, **lists, **mappings, "prompted": node["prompted"].one_of((False, True)),
        "prepare_s": float(node["prepare_s"].number()),
    }  # fmt: skip


_LISTS = ("variants", "level_variants")
_MAPPINGS = ("about", "levels", "titles")


def _text(node: Node) -> str:
    text = node.text()
    if len(text) > LONGEST:
        raise node.refuse(f"is longer than {LONGEST} characters")
    return text


def _texts(node: Node) -> dict[str, str]:
    found = dict(node.members())
    if len(found) > MOST_TEXTS or any(len(key) > LONGEST for key in found):
        raise node.refuse(f"has more than {MOST_TEXTS} texts, or one that is longer than {LONGEST} characters")
    return {key: _text(each) for key, each in found.items()}


def _few(node: Node, name: str, most: int) -> list[Node]:
    found = list(node.items(name))
    if len(found) > most:
        raise node.refuse(f"has more than {most} entries")
    return found
