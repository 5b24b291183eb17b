"""Where a phone finds its page: this computer's address on the network, and an address as a QR code."""

from __future__ import annotations

import socket
from collections.abc import Sequence


def own_address() -> str:
    """Return this computer's address on the network that it uses, "" if there is none; nothing is sent for that."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(("192.0.2.1", 9))  # an address of no computer: only the way to it is looked up
            address: str = asking.getsockname()[0]
        except OSError:
            return ""
    return "" if address.startswith("127.") else address


def qr_code(text: str) -> Sequence[Sequence[int]]:
    """Return the rows of a QR code with its quiet border, 1 for what is dark."""
    import segno

    return [list(row) for row in segno.make(text, error="m", micro=False).matrix_iter(border=2)]


def qr_lines(text: str) -> list[str]:
    """Return a QR code as lines for a terminal, light on dark."""
    rows = [list(row) for row in qr_code(text)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    return [
        "".join(" ▀▄█"[(not above) + 2 * (not below)] for above, below in zip(*pair, strict=True))
        for pair in zip(rows[::2], rows[1::2], strict=True)
    ]
