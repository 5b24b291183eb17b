"""Who is surely better than whom, with so many comparisons at once, and whether results go round in a circle; pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from batllm_arcade.league.statistics.duel import Duel
from batllm_arcade.league.statistics.rating import Counts, Ratings
from batllm_arcade.league.statistics.strengths import Pairing

ALPHA = 0.05


def ranks(ratings: Ratings) -> list[int]:
    """Return each player's rank: 1 + the number of players who are better at 95%, by all comparisons together."""
    found = [1] * len(ratings.players)
    for _, worse in better(ratings):
        found[worse] += 1
    return found


def better(ratings: Ratings) -> set[Pairing]:
    """Return who is better than whom at 95%, by all comparisons together."""
    return surely({pairing: each.chance for pairing, each in ratings.differences.items()})


def surely(chances: Mapping[Pairing, float], alpha: float = ALPHA) -> set[Pairing]:
    """Return who is better than whom, (better, worse), given how likely it is that the first of each two is.

    By Holm's procedure: that any of them is wrong has a chance of at most `alpha`.
    """
    ordered = sorted(chances.items(), key=lambda each: (min(each[1], 1 - each[1]), each[0]))
    found = set[Pairing]()
    for place, ((one, other), chance) in enumerate(ordered):
        if 2 * min(chance, 1 - chance) > alpha / (len(ordered) - place):
            break
        found.add((one, other) if chance > 0.5 else (other, one))
    return found


def circle(counts: Counts) -> list[int]:
    """Return three players of whom each has beaten the next for sure and the last the first; none if there are none."""
    chances = {pairing: Duel(classes).chance() for pairing, classes in counts.items() if sum(classes)}
    beaten = surely(chances)
    below: dict[int, list[int]] = {}
    for winner, loser in sorted(beaten):
        below.setdefault(winner, []).append(loser)
    return next((list(three) for three in _threes(below) if (three[2], three[0]) in beaten), [])


def _threes(below: Mapping[int, Sequence[int]]) -> list[tuple[int, int, int]]:
    return [(one, two, three) for one in below for two in below[one] for three in below.get(two, ())]
