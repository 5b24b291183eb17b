"""What all pages of a league are made of: the document around them, tables that wrap and scroll; pure."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from batllm_arcade.league.output.style import STYLE
from batllm_arcade.league.plan import LeaguePlayer


def document(title: str, brand: str, parts: Sequence[str]) -> str:
    """Return a whole page of these parts, which asks nobody for anything."""
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:"
    head = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body><main>",
        f'<header><p class="brand">BATLLM ARCADE &middot; {escape(brand)}</p><h1>{escape(title)}</h1>',
    ]
    return "\n".join([*head, *(part for part in parts if part), "</main></body></html>\n"])


def sentence(text: str, kind: str = "state") -> str:
    """Return a sentence as a paragraph: with a capital and a full stop; "" of none."""
    if not text:
        return ""
    stop = "" if text.endswith((".", "!", "?")) else "."
    return f'<p class="{kind}">{escape(text[:1].upper() + text[1:])}{stop}</p>'


def section(title: str, picture: str, note: str, *, wide: bool = False) -> str:
    """Return a picture with its title and a note; one that is `wide` does not fit on a phone."""
    figure = f'{_hint("picture") if wide else ""}<div class="scroll">{picture}</div>'
    return f'<h2>{escape(title)}</h2><figure>{figure}<figcaption class="note">{escape(note)}</figcaption></figure>'


Cell = str | tuple[str, str]
"""A text, or a text and the address that it leads to."""
MANY, MOST = 5, 12
"""Columns beyond which a table does not fit on a phone, and on a narrow window."""


def _hint(what: str, kind: str = "hint") -> str:
    return f'<p class="{kind}">The {what} goes on to the right &rarr;</p>'


def grid(
    head: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    *,
    text: Sequence[int],
    bold: Sequence[int] = (),
    faults: int | None = None,
    wraps: bool = False,
) -> str:
    """Return a table; `text` are the columns of words (long ones if it `wraps`), `faults` the first where 0 is good."""
    words_kind = "text wrap" if wraps else "text"

    def cell(index: int, value: Cell) -> str:
        shown, address = (value, "") if isinstance(value, str) else value
        kinds = [words_kind] if index in text else []
        kinds += ["bold"] if index in bold else []
        if faults is not None and index >= faults:
            kinds.append("good" if shown == "0" else "bad")
        inner = f'<a href="{escape(address)}">{escape(shown)}</a>' if address else escape(shown)
        return f'<td class="{" ".join(kinds)}">{inner}</td>' if kinds else f"<td>{inner}</td>"

    names = "".join(f'<th class="text">{escape(name)}</th>' if index in text else f"<th>{escape(name)}</th>"
                    for index, name in enumerate(head))  # fmt: skip
    body = "".join(f"<tr>{''.join(cell(index, value) for index, value in enumerate(row))}</tr>" for row in rows)
    hint = _hint("table", "hint much" if len(head) > MOST else "hint") if len(head) > MANY else ""
    return f'{hint}<div class="scroll"><table><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table></div>'


def player_cards(players: Sequence[LeaguePlayer]) -> str:
    """Return who plays, side by side: brain and orders."""
    cards = [
        f'<div class="card"><h3>{escape(player.name)}</h3><p class="note">{escape(player.brain)}</p>'
        f'<p class="orders">{escape(player.orders or "no orders")}</p></div>'
        for player in players
    ]
    return f'<div class="cards">{"".join(cards)}</div>'
