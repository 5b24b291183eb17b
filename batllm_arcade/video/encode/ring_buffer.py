"""A ring buffer of the last seconds of a recording."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from batllm_arcade.video.encode.live_encoder import Packet

SECONDS = 15.0
MAX_BYTES = 64_000_000
"""The most memory it may take; with large frames clips are shorter."""


class RingBuffer:
    """Keeps the packets of at least the last `seconds`, from a key frame on, and discards older ones."""

    def __init__(self, seconds: float = SECONDS, max_bytes: int = MAX_BYTES) -> None:
        self._seconds, self._max_bytes = seconds, max_bytes
        self._packets: deque[Packet] = deque()
        self._keys: deque[Packet] = deque()
        self.bytes = 0
        """The size of all packets in it."""

    def add(self, packet: Packet) -> None:
        """Append a packet and discard what is too old or too much."""
        self._packets.append(packet)
        self.bytes += len(packet.data)
        if packet.video and packet.key:
            self._keys.append(packet)
        while len(self._keys) > 1 and (self._keys[1].at <= packet.at - self._seconds or self.bytes > self._max_bytes):
            self._keys.popleft()
            self._discard(self._keys[0])

    def _discard(self, until: Packet) -> None:
        while self._packets[0] is not until:
            self.bytes -= len(self._packets.popleft().data)

    def __iter__(self) -> Iterator[Packet]:
        return iter(self._packets)

    def __len__(self) -> int:
        return len(self._packets)

    def clear(self) -> None:
        """Discard everything."""
        self._packets.clear()
        self._keys.clear()
        self.bytes = 0
