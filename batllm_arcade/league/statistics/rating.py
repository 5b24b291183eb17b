"""Ratings, their spread and what they say of two players."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import combinations
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal, NamedTuple

from batllm_arcade.league.plan import LeaguePlan, SprtModel, SprtPlan
from batllm_arcade.league.statistics.tally import PENTANOMIAL, Pairing, PairLine, Vector, pentanomial

if TYPE_CHECKING:
    from batllm_arcade.league.statistics.strengths import Strengths

SHARE, ALPHA = 0.95, 0.05
PRIOR_PAIRS = 5.0
"""Even pairs that vary as two games on their own would, beside all those seen."""
SHARED_PAIRS = 10.0
"""Even pairs of all pairings together that each pairing is given beside its own."""
_EVEN = 0.125
"""The variance of the score of a pair of two even games without draws."""
Influence = Callable[[Vector, int], Sequence[float]]
"""Sums up how much each pairing moves some values, to a power, with a weight for each pairing."""


def expected(difference: float) -> float:
    """Return the share of points expected at this difference of strength."""
    return 0.0 if difference < -700 else 1.0 / (1.0 + math.exp(-difference))


class Dispersion:
    """The variances of the pairs around the fitted strengths, in multiples of that of two games on their own."""

    def __init__(self, counts: Mapping[Pairing, Sequence[int]], theta: Vector, leverages: Vector) -> None:
        seen, even, self._information = [], [], []
        for ((one, other), classes), leverage in zip(counts.items(), leverages, strict=True):
            score, pairs = expected(theta[one] - theta[other]), sum(classes)
            spread = score * (1 - score)
            seen.append(sum(n * (each - score) ** 2 for n, each in zip(classes, PENTANOMIAL, strict=True)))
            even.append(max(0.0, pairs - leverage) * spread / 2 / _EVEN)  # in even pairs
            self._information.append((2 * pairs + leverage) * spread)
        self.freedom = sum(even) + PRIOR_PAIRS
        self.all = (sum(seen) / _EVEN + PRIOR_PAIRS) / self.freedom
        self._own = [
            (varied / _EVEN + SHARED_PAIRS * self.all) / (weight + SHARED_PAIRS)
            for varied, weight in zip(seen, even, strict=True)
        ]
        self._freedoms = [weight + SHARED_PAIRS for weight in even]

    def scales(self, influence: Influence) -> list[tuple[float, float]]:
        """Return the dispersion and the degrees of freedom of some values, each of which rests on some pairings more.

        `influence` tells how much each pairing moves each of them (Satterthwaite's approximation).
        """
        varied = [info * own for info, own in zip(self._information, self._own, strict=True)]
        squares = [each * each / freedom for each, freedom in zip(varied, self._freedoms, strict=True)]
        sums = (influence(self._information, 2), influence(varied, 2), influence(squares, 4))
        return [self._scale(*three) for three in zip(*sums, strict=True)]

    def _scale(self, all_of_it: float, varied: float, squares: float) -> tuple[float, float]:
        if not (all_of_it and squares):
            return self.all, self.freedom
        return varied / all_of_it, max(1.0, min(self.freedom, varied**2 / squares))


# Student's t distribution

_NORMAL = NormalDist()


def quantile(share: float, freedom: float) -> float:
    """Return the value below which this share of Student's distribution lies, for 1 degree of freedom or more."""
    if freedom < 1.5:
        return math.tan(math.pi * (share - 0.5))
    if freedom < 2.5:
        return (2 * share - 1) * math.sqrt(2 / (4 * share * (1 - share)))
    size = _NORMAL.inv_cdf(share) * (8 * freedom + 3) / (8 * freedom + 1)
    return math.copysign(math.sqrt(freedom * math.expm1(size * size / freedom)), size)


def probability(value: float, freedom: float) -> float:
    """Return how much of Student's distribution lies below a value (Wallace's normal approximation above 2 degrees)."""
    if freedom < 1.5:
        return 0.5 + math.atan(value) / math.pi
    if freedom < 2.5:
        return 0.5 + value / (2 * math.sqrt(2 + value * value))
    size = (8 * freedom + 1) / (8 * freedom + 3) * math.sqrt(freedom * math.log1p(value * value / freedom))
    return _NORMAL.cdf(math.copysign(size, value))


# However often somebody looks

TIGHTEST = 100
"""Pairs after which an interval that holds at any time is tightest, for its breadth."""


def _looks(pairs: float) -> float:
    """Return so many pairs as the normal mixture of Robbins counts them, its variance that of TIGHTEST pairs."""
    wanted = -2 * math.log(ALPHA)
    return pairs / TIGHTEST * (wanted + math.log(wanted + 1))


def share_of(pairs: float, always: bool) -> float:
    """Return how much of a distribution a 95% interval takes in: with `always` one that holds at any number of pairs.

    The league may then go on, or end, for whatever has been seen: a confidence sequence (Robbins, Waudby-Smith).
    """
    if not always or not pairs:
        return SHARE
    looks = _looks(pairs)
    reach = math.sqrt((1 + 1 / looks) * (math.log1p(looks) - 2 * math.log(ALPHA)))
    return min(1 - 1e-12, 2 * _NORMAL.cdf(reach) - 1)


def chance_of(chance: float, pairs: float, always: bool) -> float:
    """Return how sure it is that somebody is better, with `always` however often that was asked."""
    if not always or not pairs:
        return chance
    size, looks = _NORMAL.inv_cdf(min(max(chance, 1e-15), 1 - 1e-15)), _looks(pairs)
    doubt = math.sqrt(1 + looks) * math.exp(-size * size * looks / (1 + looks) / 2) / 2
    return 0.5 + math.copysign(max(0.0, 0.5 - doubt), size)


# The pairs of two players alone

RARE = 1e-3
"""Pairs that a class without any counts as."""
_GOLDEN = (math.sqrt(5) - 1) / 2
_STEEPEST = 8.0


class Duel:
    """Pairs in the five classes, worst first for the first player."""

    def __init__(self, classes: Sequence[int]) -> None:
        self.classes = classes

    @property
    def pairs(self) -> int:
        """Return how many there are."""
        return sum(self.classes)

    @property
    def mean(self) -> float:
        """Return the first player's mean score, 0 to 1; a half without pairs."""
        points = sum(place * count for place, count in enumerate(self.classes))
        return points / 4 / self.pairs if self.pairs else 0.5

    def drop(self, mean: float) -> float:
        """Return twice by how much the log-likelihood is below its highest at this mean score; 0 without pairs."""
        return max(0.0, 2 * (self._free - self._likelihood_at(4 * mean - 2))) if self.pairs else 0.0

    def interval(self, share: float = 0.95) -> tuple[float | None, float | None]:
        """Return the mean scores between which this share lies; None where nothing bounds it."""
        if not self.pairs:
            return None, None
        freedom = max(1, self.pairs - 1)
        reach = quantile(0.5 + share / 2, freedom)
        most = self.pairs * math.log1p(reach * reach / freedom)
        return (
            None if self.mean == 0.0 else self._bound(most, -12.0),
            None if self.mean == 1.0 else self._bound(most, 12.0),
        )

    def chance(self) -> float:
        """Return how likely it is that the first player is the better one."""
        freedom = max(1, self.pairs - 1)
        size = math.sqrt(freedom * math.expm1(self.drop(0.5) / self.pairs)) if self.pairs else 0.0
        return probability(math.copysign(size, self.mean - 0.5), freedom)

    def _bound(self, most: float, end: float) -> float:
        """Return the mean score between the seen one and an end (a logit) where the drop is `most`.

        The root of the drop is nearly straight in the logit: found by false position (Illinois).
        """
        near = math.log(max(self.mean, 1e-6) / max(1 - self.mean, 1e-6))
        low, high, at_low, at_high = near, end, -math.sqrt(most), self._over(end, most)
        if at_high <= 0:
            return expected(end)
        for _ in range(60):
            middle = (low * at_high - high * at_low) / (at_high - at_low)
            over = self._over(middle, most)
            if abs(over) < 1e-5 or abs(high - low) < 1e-9:
                break
            if over > 0:
                high, at_high, at_low = middle, over, at_low / 2
            else:
                low, at_low, at_high = middle, over, at_high / 2
        return expected(middle)

    def _over(self, logit: float, most: float) -> float:
        return math.sqrt(self.drop(expected(logit))) - math.sqrt(most)

    def _groups(self) -> tuple[list[int], int]:
        """Return the pairs by |c|, and the sum of c."""
        worst, bad, even, good, best = self.classes
        return [even, bad + good, worst + best], good - bad + 2 * (best - worst)

    @cached_property
    def _free(self) -> float:
        """Return the highest log-likelihood of all."""
        groups, _ = self._groups()
        shape = sum(count * math.log(count / self.pairs) for count in groups if count)
        tilt = _highest(self._tilted, -_STEEPEST, _STEEPEST)
        return shape + self._tilted(tilt)

    def _tilted(self, tau: float) -> float:
        """Return the log-likelihood of which of two mirrored classes a pair is in."""
        (_, ones, twos), total = self._groups()
        return tau * total - ones * _log_two_cosh(tau) - twos * _log_two_cosh(2 * tau)

    def _likelihood_at(self, mean: float) -> float:
        """Return the highest log-likelihood with this mean of c, -2 to 2."""
        if abs(mean) < 1e-9:
            groups, _ = self._groups()
            return sum(count * math.log(count / self.pairs) for count in groups if count) + self._tilted(0.0)
        least = math.atanh(min(abs(mean) / 2, 1 - 1e-12)) / 2 * (1 + 1e-9) + 1e-12
        side = math.copysign(1.0, mean)

        def value(size: float) -> float:
            return self._shaped(side * size, mean) + self._tilted(side * size)

        return value(_highest(value, least, max(_STEEPEST, 2 * least)))

    def _shaped(self, tau: float, mean: float) -> float:
        """Return the highest log-likelihood of the groups at this tilt, their mean given: their shares are tilted, too.

        A share is w / (1 + t d), d its distance to the mean, with t such that the shares sum up to one: of three
        groups that is a root of a quadratic.
        """
        groups, _ = self._groups()
        weights = [count or RARE for count in groups]
        total = sum(weights)
        shares = [weight / total for weight in weights]
        distances = [-mean, math.tanh(tau) - mean, 2 * math.tanh(2 * tau) - mean]
        t = _root(shares, distances)
        if t is None:
            return -math.inf
        return sum(
            count * math.log(share / (1 + t * distance))
            for count, share, distance in zip(groups, shares, distances, strict=True)
            if count
        )


def _root(shares: Sequence[float], distances: Sequence[float]) -> float | None:
    """Return the t for which sum of share * d / (1 + t d) is 0 and every 1 + t d above 0, None if there is none."""
    one, two, three = distances
    first = one * two * three
    second = sum(share * own * (sum(distances) - own) for share, own in zip(shares, distances, strict=True))
    third = sum(share * own for share, own in zip(shares, distances, strict=True))
    under = second * second - 4 * first * third
    if under < 0:
        return None
    big = -(second + math.copysign(math.sqrt(under), second)) / 2
    roots = ([big / first] if first else []) + ([third / big] if big else [])
    good = [t for t in roots if all(1 + t * distance > 0 for distance in distances)]
    return min(good, key=abs) if good else None


def _log_two_cosh(value: float) -> float:
    size = abs(value)
    return size + math.log1p(math.exp(-2 * size))


def _highest(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where a function with one peak is highest between two values (golden section)."""
    one, other = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_one, at_other = function(one), function(other)
    for _ in range(26):
        if at_one >= at_other:
            high, other, at_other = other, one, at_one
            one = high - _GOLDEN * (high - low)
            at_one = function(one)
        else:
            low, one, at_one = one, other, at_other
            other = low + _GOLDEN * (high - low)
            at_other = function(other)
    return (low + high) / 2


# Ratings from all pairs at once

ELO = 400 / math.log(10)
"""Elo of one natural unit of strength: 400 Elo are odds of ten to one."""
LEAST_SHARE = 0.25
"""The least share of Firth's correction: where hardly any pair varies, who lost all shall not be endlessly far."""

Counts = Mapping[Pairing, Sequence[int]]
"""Pairs in each of the five classes, worst first for the first player of the pairing."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating in Elo (the mean of all is 0), and the 95% interval around it: None where nothing bounds it."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class RatingGap:
    """One player's rating minus another's, its 95% interval (None: open), and how likely the first is better."""

    value: float
    low: float | None
    high: float | None
    chance: float

    def mirrored(self) -> RatingGap:
        """Return the difference seen by the other player."""
        low, high = (None if end is None else -end for end in (self.high, self.low))
        return RatingGap(-self.value, low, high, 1 - self.chance)


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of all players by index, and the differences of each two of them, the lower index first."""

    players: list[Rating]
    differences: Mapping[Pairing, RatingGap]

    def difference(self, one: int, other: int) -> RatingGap:
        """Return the difference of two players, seen by the first."""
        if one < other:
            return self.differences[one, other]
        return self.differences[other, one].mirrored()


def rate(players: int, counts: Counts, *, always: bool = False) -> Ratings:
    """Return the ratings of so many players; `always` as in `share_of`."""
    model = _model(players, _results(counts))
    varied = Dispersion(counts, model.theta, model.added).all
    model = _model(players, _results(counts), max(LEAST_SHARE, varied))
    return _duel(model, counts, always) if players == 2 else _Field(players, counts, model, always).ratings()


class Anchor(NamedTuple):
    """A player and the Elo that its rating is set to."""

    player: str
    elo: float


def anchored(ratings: Ratings, player: int, elo: float) -> Ratings:
    """Return the ratings with one player's set to so many Elo, and of all others the intervals of how far they are."""
    others = [ratings.difference(one, player) if one != player else None for one in range(len(ratings.players))]
    moved = [
        Rating(elo, elo, elo) if gap is None else Rating(
            gap.value + elo, *(None if end is None else end + elo for end in (gap.low, gap.high))
        )
        for gap in others
    ]  # fmt: skip
    return Ratings(moved, ratings.differences)


def fit(players: int, results: Mapping[Pairing, tuple[float, float]]) -> list[float]:
    """Return the ratings in Elo, mean 0, for the points of the first player and the games of each pairing."""
    return [value * ELO for value in _model(players, results).theta]


def _results(counts: Counts) -> dict[Pairing, tuple[float, float]]:
    score = {pairing: zip(PENTANOMIAL, classes, strict=True) for pairing, classes in counts.items()}
    points = {pairing: 2.0 * sum(each * count for each, count in seen) for pairing, seen in score.items()}
    return {pairing: (points[pairing], 2.0 * sum(classes)) for pairing, classes in counts.items()}


def _model(players: int, results: Mapping[Pairing, tuple[float, float]], share: float = 1.0) -> Strengths:
    pairings = list(results)
    points, games = ([results[pairing][which] for pairing in pairings] for which in (0, 1))
    from batllm_arcade.league.statistics.strengths import Strengths  # numpy costs a tenth of a second

    return Strengths(players, pairings, points, games, share)


def _duel(model: Strengths, counts: Counts, always: bool) -> Ratings:
    (first, classes), *_ = counts.items()
    duel = Duel(classes)
    value = (model.theta[0] - model.theta[1]) * ELO
    ends = duel.interval(share_of(duel.pairs, always))
    low, high = (None if mean is None else math.log(mean / (1 - mean)) * ELO for mean in ends)
    seen = RatingGap(value, low, high, chance_of(duel.chance(), duel.pairs, always))
    seen = seen if first == (0, 1) else seen.mirrored()
    low = None if seen.low is None else min(seen.low, value)
    high = None if seen.high is None else max(seen.high, value)
    gap = RatingGap(value, low, high, seen.chance)
    ratings = [
        Rating(side.value / 2, *(None if end is None else end / 2 for end in (side.low, side.high)))
        for side in (gap, gap.mirrored())
    ]
    return Ratings(ratings, {(0, 1): gap})


class _Field:
    def __init__(self, players: int, counts: Counts, model: Strengths, always: bool) -> None:
        from batllm_arcade.league.statistics.strengths import Reach

        self._players, self._model = players, model
        self._dispersion = Dispersion(counts, model.theta, model.added)
        self._reach, self._always = Reach(players, _results(counts)), always
        self._pairs = [sum(sum(each) for pairing, each in counts.items() if one in pairing) for one in range(players)]

    def ratings(self) -> Ratings:
        """Return the ratings with what is known of each."""
        size, theta = range(self._players), self._model.theta
        own = [[(player == other) - 1 / self._players for other in size] for player in size]
        pairs = list(combinations(size, 2))
        between = [[float(player == one) - (player == other) for player in size] for one, other in pairs]
        scales = self._dispersion.scales(partial(self._model.influence, [*own, *between]))
        own_pairs = self._pairs
        seen = [*map(float, own_pairs), *((own_pairs[one] + own_pairs[other]) / 2 for one, other in pairs)]
        shares = [share_of(each, self._always) for each in seen]
        reaches = [
            scale * quantile(0.5 + share / 2, freedom) ** 2
            for (scale, freedom), share in zip(scales, shares, strict=True)
        ]
        low, high = (self._model.ends([*own, *between], reaches, side) for side in (-1, 1))
        ratings = [Rating(theta[player] * ELO, *self._open(player, low[player], high[player])) for player in size]
        differences = {}
        for number, drop in enumerate(self._model.drops(between)):
            (one, other), (scale, freedom) = pairs[number], scales[self._players + number]
            value, at = theta[one] - theta[other], self._players + number
            chance = probability(math.copysign(math.sqrt(drop / scale), value), freedom)
            differences[one, other] = RatingGap(
                value * ELO,
                low[at] * ELO if self._reach.bounded(one, other) else None,
                high[at] * ELO if self._reach.bounded(other, one) else None,
                chance_of(chance, seen[at], self._always),
            )
        return Ratings(ratings, differences)

    def _open(self, player: int, low: float, high: float) -> tuple[float | None, float | None]:
        """Return the ends in Elo: None above who has won all, below who has lost all, and where not all have met."""
        reach = self._reach
        if not reach.connected:
            return None, None
        return low * ELO if reach.scored(player) else None, high * ELO if reach.lost(player) else None


# Who is surely better than whom


def ranks(ratings: Ratings) -> list[int]:
    """Return each player's rank: 1 + the number of players who are better at 95%, by all comparisons together."""
    places = [1] * len(ratings.players)
    for _, worse in better(ratings):
        places[worse] += 1
    return places


def better(ratings: Ratings) -> set[Pairing]:
    """Return who is better than whom at 95%, by all comparisons together."""
    return surely({pairing: each.chance for pairing, each in ratings.differences.items()})


def surely(chances: Mapping[Pairing, float], alpha: float = ALPHA) -> set[Pairing]:
    """Return who is better than whom, (better, worse), given how likely it is that the first of each two is.

    By Holm's procedure: that any of them is wrong has a chance of at most `alpha`.
    """
    ordered = sorted(chances.items(), key=lambda each: (min(each[1], 1 - each[1]), each[0]))
    sure = set[Pairing]()
    for place, ((one, other), chance) in enumerate(ordered):
        if 2 * min(chance, 1 - chance) > alpha / (len(ordered) - place):
            break
        sure.add((one, other) if chance > 0.5 else (other, one))
    return sure


def circle(counts: Counts, *, always: bool = False) -> list[int]:
    """Return three players of whom each has beaten the next for sure and the last the first; none if there are none."""
    duels = {pairing: Duel(classes) for pairing, classes in counts.items() if sum(classes)}
    chances = {pairing: chance_of(duel.chance(), duel.pairs, always) for pairing, duel in duels.items()}
    beaten = surely(chances)
    below: dict[int, list[int]] = {}
    for winner, loser in sorted(beaten):
        below.setdefault(winner, []).append(loser)
    threes = ([one, two, three] for one in below for two in below[one] for three in below.get(two, ()))
    return next((three for three in threes if (three[2], three[0]) in beaten), [])


# A sequential probability ratio test over pairs

NORMALIZED = 800 / math.log(10) / math.sqrt(2)
"""Normalized Elo of a mean score that lies one spread of pairs from even; one of single games is sqrt(2) times that."""
_SCALINGS, _STAYS = 30, 1e-9
RARE_STEP = 1e-3
"""Pairs that a class without any counts as: where all pairs end alike the ratio is still a number."""


@dataclass(frozen=True, slots=True)
class SprtState:
    """The log-likelihood ratio, the bounds at which it decides, and the hypothesis that it has accepted, if any."""

    llr: float
    lower: float
    upper: float
    decision: Literal["H0", "H1"] | None


def sprt(classes: Sequence[int], plan: SprtPlan) -> SprtState:
    """Return how the test stands after pairs of these classes, worst first for the first player."""
    lower, upper = math.log(plan.beta / (1 - plan.alpha)), math.log((1 - plan.beta) / plan.alpha)
    llr = log_likelihood_ratio(classes, plan.elo0, plan.elo1, plan.model)
    return SprtState(llr, lower, upper, "H1" if llr >= upper else "H0" if llr <= lower else None)


def expected_score(elo: float) -> float:
    """Return the mean score of who is better by so many Elo."""
    return 1.0 / (1.0 + 10 ** (-elo / 400))


def log_likelihood_ratio(classes: Sequence[int], elo0: float, elo1: float, model: SprtModel = "logistic") -> float:
    """Return the logarithm of how much likelier these pairs are at `elo1` than at `elo0`; 0 without pairs.

    With the `normalized` model both are normalized Elo: how far the mean score is from even, in units of the spread of
    scores. So a test takes about as many pairs whatever the share of draws.
    """
    if not sum(classes):
        return 0.0
    counts = [count or RARE_STEP for count in classes]
    total = sum(counts)
    shares = [count / total for count in counts]
    if model == "normalized":
        worse, better = (_scaled(shares, elo / NORMALIZED) for elo in (elo0, elo1))
    else:
        worse, better = (
            _tilted(shares, [score - expected_score(elo) for score in PENTANOMIAL]) for elo in (elo0, elo1)
        )
    return sum(count * math.log(one / zero) for count, one, zero in zip(counts, better, worse, strict=True))


def _scaled(shares: Sequence[float], target: float) -> list[float]:
    """Return the distribution that makes these shares likeliest among those whose mean lies `target` spreads from even.

    The spread depends on the distribution sought: the condition is linear close to the last one found, until it stays.
    """
    likeliest = [1 / len(shares)] * len(shares)
    for _ in range(_SCALINGS):
        mean = sum(score * share for score, share in zip(PENTANOMIAL, likeliest, strict=True))
        spread = math.sqrt(
            sum((score - mean) ** 2 * share for score, share in zip(PENTANOMIAL, likeliest, strict=True))
        )
        slope = [score - 0.5 - target * spread * (1 + ((score - mean) / spread) ** 2) / 2 for score in PENTANOMIAL]
        before, likeliest = likeliest, _tilted(shares, slope)
        if max(abs(one - other) for one, other in zip(before, likeliest, strict=True)) < _STAYS:
            break
    return likeliest


def _tilted(shares: Sequence[float], distances: Sequence[float]) -> list[float]:
    """Return the distribution that makes these shares likeliest among those with a mean distance of 0.

    It is share / (1 + t distance), with t such that it sums up to one.
    """
    low, high = -1.0 / max(distances), -1.0 / min(distances)  # between them every share stays above zero
    for _ in range(80):
        t = (low + high) / 2
        if sum(share * distance / (1 + t * distance) for share, distance in zip(shares, distances, strict=True)) > 0:
            low = t
        else:
            high = t
    t = (low + high) / 2
    return [share / (1 + t * distance) for share, distance in zip(shares, distances, strict=True)]


# How the ratings of a league, or its sequential test, have come about over its pairs

POINTS = 40
"""Moments at which the ratings are looked at."""


@dataclass(slots=True)
class Course:
    """Pairs played so far, and then every player's rating, in the order of the plan, and the test's ratio, if any."""

    pairs: list[int] = field(default_factory=list)
    ratings: list[list[float]] = field(default_factory=list)
    llr: list[float] = field(default_factory=list)


def course(plan: LeaguePlan, lines: Iterable[PairLine], total: int) -> Course:
    """Return how a league of so many pairs that were played has come to where it is."""
    index = {player.name: number for number, player in enumerate(plan.players)}
    counts = {pairing: [0] * len(PENTANOMIAL) for pairing in plan.pairings}
    moments, step = Course(), max(1, total // POINTS)
    for number, line in enumerate(lines, 1):
        one, other = (index[name] for name in line["players"])
        for place, count in enumerate(pentanomial({line["outcome"]: 1})):
            counts[one, other][place] += count
        if number % step == 0 or number == total:
            moments.pairs.append(number)
            moments.ratings.append(fit(len(plan.players), _results(counts)))
            if plan.sprt is not None:
                moments.llr.append(sprt(next(iter(counts.values())), plan.sprt).llr)
    return moments
