"""What a text may show of a key: nothing, in whatever form a server has sent it back."""

from __future__ import annotations

from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable
from functools import lru_cache
from itertools import takewhile
from urllib.parse import quote

HIDDEN = "***"
LEAST = 8
"""The shortest key that is hidden: a placeholder such as `x`, which local servers take, stands in half of all words."""
PIECE = 16
"""Characters in a row of a key that are hidden where the rest is missing; fewer are what many keys begin with."""
_SEED = PIECE // 2  # so many characters from a multiple of so many: every piece holds one of these


def without_key(text: str, key: str) -> str:
    """Return the text without the key: as it is or backwards, or 16 characters of that, in an address, hex or base64.

    Base64 of either alphabet, also within a longer text that was encoded. JSON stays JSON.
    """
    if len(key) < LEAST:
        return text
    for form in _forms(key):
        text = text.replace(form, HIDDEN)
    for form in (key, key[::-1]):
        for place in range(0, len(form) - _SEED + 1, _SEED):
            if form[place : place + _SEED] in text:
                text = _without_pieces(text, form, place)
    return text


def _without_pieces(text: str, form: str, place: int) -> str:
    """Return the text without the pieces of a key that hold the characters from this place on."""
    kept, begin, seed = list[str](), 0, form[place : place + _SEED]
    at = text.find(seed)
    while at >= 0:
        before = _alike(reversed(text[max(begin, at - place) : at]), reversed(form[:place]))
        after = _alike(text[at : at + len(form)], form[place:])
        if before + after >= PIECE:
            rest = text[begin : at - before]
            escaped = (len(rest) - len(rest.rstrip("\\"))) % 2  # JSON may write the piece's first character so
            kept += [rest[: len(rest) - escaped], HIDDEN]
            begin = at + after
        at = text.find(seed, at + after)
    return "".join([*kept, text[begin:]])


def _alike(one: Iterable[str], other: Iterable[str]) -> int:
    """Return in how many characters two texts begin alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


@lru_cache(maxsize=8)
def _forms(key: str) -> tuple[str, ...]:
    found = [key, key[::-1], quote(key, safe=""), key.encode().hex()]
    for before in range(3):  # which of four characters the key begins with depends on what stands before it
        data = bytes(before) + key.encode()
        whole = slice(-(-8 * before // 6), 8 * len(data) // 6)
        found += [b64encode(data).decode()[whole], urlsafe_b64encode(data).decode()[whole]]
    return tuple(dict.fromkeys(found))
