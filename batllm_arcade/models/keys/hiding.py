"""What a text may show of a key: nothing, where a server has sent it back."""

from __future__ import annotations

from base64 import b64encode, urlsafe_b64encode
from functools import lru_cache
from urllib.parse import quote

HIDDEN = "***"
LEAST = 8
"""The shortest key that is hidden: a placeholder such as `x`, which local servers take, stands in half of all words."""


def without_key(text: str, key: str) -> str:
    """Return the text without the key: as it is, in an address, in hex or base64, also within a longer text.

    JSON stays JSON. Who has the key could write it in any other way; this is for servers that repeat what they got.
    """
    if len(key) < LEAST:
        return text
    for form in _forms(key):
        text = text.replace(form, HIDDEN)
    return text


@lru_cache(maxsize=8)
def _forms(key: str) -> tuple[str, ...]:
    found = [key, quote(key, safe=""), key.encode().hex()]
    for before in range(3):  # which of four characters the key begins with depends on what stands before it
        data = bytes(before) + key.encode()
        whole = slice(-(-8 * before // 6), 8 * len(data) // 6)
        found += [b64encode(data).decode()[whole], urlsafe_b64encode(data).decode()[whole]]
    return tuple(dict.fromkeys(found))
