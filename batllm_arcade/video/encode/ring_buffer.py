"""The last seconds of a film, kept in memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from batllm_arcade.video.encode.live_encoder import Packet

SECONDS = 15.0
MOST_BYTES = 64_000_000
"""What is kept at most, whatever the pictures are; the clip is shorter then."""


class RingBuffer:
    """Keeps the packets of at least the last SECONDS, from a key picture on, and forgets older ones."""

    def __init__(self, seconds: float = SECONDS, most_bytes: int = MOST_BYTES) -> None:
        self._seconds, self._most = seconds, most_bytes
        self._packets: deque[Packet] = deque()
        self._keys: deque[Packet] = deque()
        self.bytes = 0
        """What is kept now."""

    def add(self, packet: Packet) -> None:
        """The next packet."""
        self._packets.append(packet)
        self.bytes += len(packet.data)
        if packet.picture and packet.key:
            self._keys.append(packet)
        while len(self._keys) > 1 and (self._keys[1].at <= packet.at - self._seconds or self.bytes > self._most):
            self._keys.popleft()
            self._forget(self._keys[0])

    def _forget(self, until: Packet) -> None:
        while self._packets[0] is not until:
            self.bytes -= len(self._packets.popleft().data)

    def __iter__(self) -> Iterator[Packet]:
        return iter(self._packets)

    def __len__(self) -> int:
        return len(self._packets)

    def clear(self) -> None:
        """Forget everything."""
        self._packets.clear()
        self._keys.clear()
        self.bytes = 0
