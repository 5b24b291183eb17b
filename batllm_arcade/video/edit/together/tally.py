"""How two orders did over several games each, in pairs that begin alike, and whether that is a difference."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

from batllm_arcade.match.account import Accounts, together
from batllm_arcade.video.edit.together.standing import SideResult, dealt, taken

_RARE = 0.1
"""How often at most equal orders may differ as much by chance, for a difference to be called clear."""


@dataclass(frozen=True, slots=True)
class SeriesTally:
    """The games of a series, in pairs that begin alike; at least one."""

    pairs: tuple[tuple[SideResult, SideResult], ...]

    @property
    def games(self) -> int:
        """Return how many games each side played."""
        return len(self.pairs)

    @property
    def ahead(self) -> tuple[int, int]:
        """Return in how many pairs each side did better than the other one."""
        ranks = [(first.rank, second.rank) for first, second in self.pairs]
        return sum(first > second for first, second in ranks), sum(second > first for first, second in ranks)

    @property
    def leader(self) -> int | None:
        """Return the side that did better in more pairs, None if neither did."""
        first, second = self.ahead
        return None if first == second else int(second > first)

    @property
    def clear(self) -> bool:
        """Return whether orders that are equally good would hardly ever differ as much (a sign test)."""
        return _is_clear(max(self.ahead), sum(self.ahead))

    def title(self, letters: tuple[str, str]) -> str:
        """Return how many games each side won: `A wins 4 of 5, B wins 1`."""
        first, second = self._wins(0), self._wins(1)
        if first != second:
            return f"{letters[0]} wins {first} of {self.games}, {letters[1]} {second}"
        return f"Both win {first} of {self.games}" if first else f"Neither wins any of {self.games}"

    def verdict(self, letters: tuple[str, str]) -> str:
        """Return which side did better in how many games, and whether that is a difference."""
        leader = self.leader
        if leader is None:
            same = not any(self.ahead)
            return f"no difference: {'all games went alike' if same else 'each did better as often as the other'}"
        enough = _is_clear(sum(self.ahead), sum(self.ahead))  # if one had done better in all of them
        sure = "a clear difference" if self.clear else "no clear difference" if enough else "too few games to be sure"
        return f"{letters[leader]} does better in {self.ahead[leader]} of {self.games}: {sure}"

    def did(self, side: int) -> Accounts:
        """Return what a side did in all of its games, and what its opponent did."""
        own, other = zip(*(pair[side].did for pair in self.pairs), strict=True)
        return together(own), together(other)

    def plate(self, side: int) -> tuple[str, ...]:
        """Return what is said of a side on its plate: its wins, its lead and what it did."""
        lead = round(sum(pair[side].lead for pair in self.pairs) / self.games, 1)
        own, other = self.did(side)
        level = f"{abs(lead):g} health {'ahead' if lead > 0 else 'behind'} on average" if lead else "level on average"
        return f"wins {self._wins(side)} of {self.games} games", level, dealt(own), taken(other)

    @property
    def shown(self) -> int:
        """Return which pair stands for all: of those that went as most did, the one with the middle difference."""
        found = [(first.lead - second.lead, number) for number, (first, second) in enumerate(self.pairs)
                 if self.leader is None or (self.leader == 1) == (second.rank > first.rank)]  # fmt: skip
        return sorted(found)[len(found) // 2][1]

    def _wins(self, side: int) -> int:
        return sum(pair[side].outcome == 1 for pair in self.pairs)


def _is_clear(most: int, decided: int) -> bool:
    as_clear = 2 * sum(comb(decided, number) for number in range(most, decided + 1))
    return as_clear <= _RARE * 2.0**decided
