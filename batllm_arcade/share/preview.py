"""What others show of a page where its address is posted: a picture, which is beside it."""

from __future__ import annotations

from html import escape
from pathlib import Path
from urllib.parse import quote, urljoin, urlsplit

from batllm_arcade.errors import UsageError

SIZE = (1200, 630)
"""The pixels of the picture, as sites ask for them."""
_LONGEST = 2000  # characters of an address


def checked_address(address: str) -> str:
    """Return the address of a page; raise UsageError if it is none."""
    odd = any(character.isspace() or not character.isprintable() for character in address)
    try:
        parts = urlsplit(address)
        if parts.scheme in ("http", "https") and parts.hostname and not odd and len(address) <= _LONGEST:
            return address
    except ValueError:  # of a host in brackets
        pass
    raise UsageError(f"--url: {address!r:.80} is no address of a page; write it like https://example.org/match.html")


def picture_of(page: Path) -> Path:
    """Return where the picture of a page is: beside it."""
    return page.with_suffix(".png")


def preview_tags(address: str, picture: str, alt: str) -> str:
    """Return the elements of a page's head that say where it is, and which file beside it is its picture.

    Raise ValueError for an address that none is beside.
    """
    width, height = SIZE
    found = {
        "og:type": "website", "og:url": address, "og:image": urljoin(address, quote(picture, errors="replace")),
        "og:image:width": str(width), "og:image:height": str(height), "og:image:alt": alt,
    }  # fmt: skip
    lines = [f'<meta property="{name}" content="{escape(value)}">' for name, value in found.items()]
    return "\n".join([*lines, '<meta name="twitter:card" content="summary_large_image">'])
