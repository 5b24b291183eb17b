"""Film time to timeline time: a film is a reel of pieces, each a stretch of the timeline at a speed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

Entry = Literal["", "flash"]


@dataclass(frozen=True, slots=True)
class Cut:
    """The timeline from `start` to `end` seconds, shown at `speed` (0.5: half as fast).

    `words` say what happens in it, `bot` whose colour they have, `low` that it happens where they usually stand;
    `entry` is how the film gets here from the piece before.
    """

    start: float
    end: float
    speed: float = 1.0
    words: str = ""
    bot: int | None = None
    entry: Entry = ""
    low: bool = False

    @property
    def seconds(self) -> float:
        """How long it is in the film."""
        return (self.end - self.start) / self.speed


@dataclass(frozen=True, slots=True)
class EditMoment:
    """Where a moment of the film is on the timeline, and for how many film seconds its piece has been on."""

    t: float
    piece: Cut
    age: float


class EditList:
    """Pieces one after the other, behind an opening card of `card` seconds; `at` is pure."""

    def __init__(self, pieces: Sequence[Cut], card: float = 0.0) -> None:
        self.pieces, self.card = tuple(pieces), card
        self.starts: list[float] = []
        self.seconds = card
        for piece in self.pieces:
            self.starts.append(self.seconds)
            self.seconds += piece.seconds

    def at(self, film_t: float) -> EditMoment | None:
        """The moment `film_t` seconds into the film; None while the card is shown."""
        if film_t < self.card:
            return None
        index = bisect_right(self.starts, film_t) - 1
        piece, age = self.pieces[index], film_t - self.starts[index]
        return EditMoment(min(piece.end, piece.start + age * piece.speed), piece, age)

    def when(self, start: float, end: float) -> Iterator[tuple[float, float]]:
        """The stretches of film, in seconds, that show the timeline from `start` to `end`."""
        for piece, begins in zip(self.pieces, self.starts, strict=True):
            first, last = max(start, piece.start), min(end, piece.end)
            if first < last:
                yield begins + (first - piece.start) / piece.speed, begins + (last - piece.start) / piece.speed


def frames(seconds: float, fps: int) -> int:
    """How many pictures a film of that length has, at least one."""
    return max(1, round(seconds * fps))
