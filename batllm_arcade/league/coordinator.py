"""Which pair plays next."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from batllm_arcade.brains.kinds import Price, money
from batllm_arcade.league.engines.pair_play import Engine, EngineReport, PlayedPair
from batllm_arcade.league.plan import LeaguePlan, PairLimits, PairSchedule, ScheduledPair
from batllm_arcade.league.plan_file import RunOptions
from batllm_arcade.league.setup import cost_of_game, prices_of
from batllm_arcade.league.statistics.table import is_decided
from batllm_arcade.league.statistics.tally import LeagueTally
from batllm_arcade.league.store import LeagueStore

FAILING, FAILING_AFTER_GOOD = 4, 20
"""Games in a row in which a player fails after which the league pauses: from the start, and after a good one."""
LONGEST_REASON = 400
"""Characters of a reason that is told."""


class Failures:
    """In how many games in a row each player has failed, and whether it ever got through one; of one start."""

    def __init__(self) -> None:
        self._games: dict[str, int] = {}
        self._good: set[str] = set()

    def add(self, played: PlayedPair) -> str:
        """Take the next pair into account; return why the league pauses, "" if it goes on.

        The rating of a player that fails in every game would be that of its failures.
        """
        for name in played.line["players"]:
            reasons = played.failures.get(name, ())
            if len(reasons) < len(played.line["games"]):
                self._good.add(name)
                self._games[name] = 0
                continue
            games = self._games[name] = self._games.get(name, 0) + len(reasons)
            if games >= (FAILING_AFTER_GOOD if name in self._good else FAILING):
                return f"{name} has failed in each of its last {games} games: {reasons[-1][:LONGEST_REASON]}"
        return ""


CHUNK_S = 2.0
"""Seconds of play in a chunk: handing out less costs more than it spreads."""
LARGEST_CHUNK = 64


@dataclass(slots=True)
class Pace:
    """How fast pairs are played, in seconds of one worker a pair."""

    pair_s: float = 0.0
    _seen: int = field(default=0)

    def add(self, seconds: float, pairs: int) -> None:
        """Take a chunk's time into account; recent ones count more."""
        for _ in range(min(pairs, 8)):
            self._seen += 1
            share = max(1 / self._seen, 0.05)
            self.pair_s += share * (seconds / pairs - self.pair_s)

    @property
    def known(self) -> bool:
        """Return whether any pair was played."""
        return self._seen > 0

    def chunk(self) -> int:
        """Return how many pairs make a chunk."""
        if not self._seen:
            return 1
        return max(1, min(LARGEST_CHUNK, round(CHUNK_S / max(self.pair_s, 1e-6))))


class Budget:
    """What this start of a league has spent, of all pairs that have come back, and what it may."""

    def __init__(self, run: RunOptions, prices: Mapping[str, Price], clock: Callable[[], float]) -> None:
        self._run, self._prices, self._clock, self._began = run, prices, clock, clock()
        self._tokens, self._requests, self._cost = 0, 0, 0.0

    def add(self, played: PlayedPair) -> None:
        """Take the next pair into account."""
        for game in played.line["games"]:
            self._tokens += sum(game["tokens"].values())
            self._requests += sum(game.get("requests", {}).values())
            self._cost += cost_of_game(game, self._prices)

    @property
    def ends(self) -> str:
        """Return why no further pair is begun, "" while one may be."""
        run = self._run
        minutes = (self._clock() - self._began) / 60 if run.minutes else 0.0
        for spent, most, words in (
            (self._tokens, run.max_tokens, "{:,} tokens are spent, and it was to pause after {:,}"),
            (self._requests, run.max_requests, "{:,} requests are spent, and it was to pause after {:,}"),
            (minutes, run.minutes, "{:.3g} minutes have passed, and it was to pause after {:g}"),
        ):
            if most and spent >= most:
                return words.format(spent, most)
        if run.max_cost and self._cost >= run.max_cost:
            return f"{money(self._cost)} is spent, and it was to pause after {money(run.max_cost)}"
        return ""


AHEAD = 4
"""Chunks a worker by which pairs may be handed out before an earlier one is back; with a budget it is two pairs."""
WRITE_S = 0.2
"""Seconds between two writes to the disk: pairs of a few milliseconds share one. No kill loses more than that."""
LATE_S, LATE_TIMES = 25.0, 8
"""Seconds without news of a chunk after which it is late, and how many times as long as usual that must be, too."""
_POLL_S = 0.5


@dataclass(slots=True)
class _Chunk:
    pairs: dict[int, ScheduledPair]
    needs: set[str]
    began: float
    news: float
    done: int = 0
    late: bool = False
    """Whether its pairs are played elsewhere, too."""


@dataclass(slots=True)
class LeagueEnd:
    """How a league came to its end or its pause; `reason` is one sentence, "" if it is complete.

    `failed` says that nobody asked for the pause: a player or the program could not go on.
    """

    complete: bool
    reason: str = ""
    failed: bool = False


def ended(plan: LeaguePlan, tally: LeagueTally) -> LeagueEnd | None:
    """Return how a league has come to its end, None while there is something to play."""
    decided = is_decided(plan, tally)
    if not decided and tally.pairs < plan.total:
        return None
    if plan.sprt is not None and not decided:
        return LeagueEnd(complete=False, reason=f"the test is undecided after {tally.pairs:,} pairs")
    return LeagueEnd(complete=True)


class Coordinator:
    """Plays what a store still lacks; `pause` may be called from any thread.

    `shown` is called after every news of a pair and while nothing happens, `told` with what a person should know.
    What `reused` returns need not be played. `secret` returns what a pair is played with, "" without bots of files.
    """

    def __init__(
        self,
        plan: LeaguePlan,
        store: LeagueStore,
        engine: Engine,
        limits: PairLimits,
        run: RunOptions,
        shown: Callable[[], None] = lambda: None,
        told: Callable[[str], None] = lambda text: None,
        reused: Callable[[ScheduledPair], PlayedPair | None] = lambda pair: None,
        clock: Callable[[], float] = time.monotonic,
        secret: Callable[[ScheduledPair], str] = lambda pair: "",
    ) -> None:
        self._secret = secret
        self._plan, self._store, self._engine, self._limits = plan, store, engine, limits
        self._run, self._shown, self._told, self._reused, self._clock = run, shown, told, reused, clock
        self._schedule = PairSchedule(plan)
        self._next = store.played + 1  # the first pair that was never looked at
        self._begun = store.played  # the last one that was handed out
        self._missing = store.played + 1  # the first that is not back
        self._again: deque[ScheduledPair] = deque()
        self._waiting: deque[ScheduledPair] = deque()  # for a server; they were never handed out
        self._chunks: dict[int, _Chunk] = {}
        self._held: dict[int, PlayedPair] = {}  # played, and not written yet
        self._notes = dict(store.notes)
        self._written: float | None = None
        self._numbers = 0
        self._pace = Pace()
        self._budget = Budget(run, prices_of(plan, run.prices), clock)
        self._failures = Failures()
        self._paused = ""
        self._problem = ""

    def pause(self, reason: str = "stopped") -> None:
        """Let `play` return as soon as possible; pairs under way are given up."""
        self._paused = self._paused or reason

    def play(self) -> LeagueEnd:
        """Play until all pairs are written, the test has decided, or the league has to pause."""
        while True:
            self._write()
            if (end := ended(self._plan, self._store.tally)) is not None:
                return end
            if self._paused:
                return LeagueEnd(complete=False, reason=self._paused)
            if self._problem:
                return LeagueEnd(complete=False, reason=self._problem, failed=True)
            spent = self._budget.ends
            self._hand_out(self._begun if spent else self._plan.total)
            if spent and not self._chunks:
                return LeagueEnd(complete=False, reason=spent)
            idle = self._held and not self._chunks  # what was reused is written first
            for report in self._engine.reports(0.0 if idle else _POLL_S):
                self._take(report)
            self._play_late_ones_elsewhere()
            self._shown()

    def _hand_out(self, last: int) -> None:
        """Keep two chunks a worker under way; hand out nothing beyond pair `last`."""
        while sum(not chunk.late for chunk in self._chunks.values()) < 2 * self._engine.workers:
            pairs = self._take_chunk(last)
            if not pairs:
                return
            self._numbers += 1
            self._begun = max(self._begun, *(pair.number for pair in pairs))
            needs = set().union(*(self._limits.needs_of(pair) for pair in pairs))
            now = self._clock()
            self._chunks[self._numbers] = _Chunk({pair.number: pair for pair in pairs}, needs, now, now)
            self._engine.submit(self._numbers, pairs)

    def _take_chunk(self, last: int) -> list[ScheduledPair]:
        """Return the first pairs that may be played now, lost ones first; those that wait for a server stay.

        With a budget it is one pair, and none far ahead of a missing one, which would have to be played after it all.
        """
        size, ahead = self._pace.chunk(), AHEAD * LARGEST_CHUNK
        if self._run.has_budget:
            size, ahead = 1, 2
        used: dict[str, int] = {}
        for chunk in self._chunks.values():
            for need in chunk.needs:
                used[need] = used.get(need, 0) + 1
        full = {need for need, number in used.items() if number >= self._limits.most[need]}
        last = min(last, self._missing - 1 + ahead * max(1, self._engine.workers))
        chunk_pairs: list[ScheduledPair] = []
        carried, chunks = self._plan.notes != "off", [each for each in self._chunks.values() if not each.late]
        busy = {(pair.first, pair.second) for chunk in chunks for pair in chunk.pairs.values() if carried}

        def may_begin(pair: ScheduledPair) -> bool:
            pairing = (pair.first, pair.second)
            free = pairing not in busy and not full & self._limits.needs_of(pair)
            busy.update({pairing} if carried else ())  # the next one begins with the notes of this one
            return free

        for queue in (self._again, self._waiting):
            for pair in list(queue):
                if self._is_played(pair.number):
                    queue.remove(pair)  # by who was late
                elif len(chunk_pairs) < size and pair.number <= last and may_begin(pair):
                    queue.remove(pair)
                    chunk_pairs.append(pair)
        while len(chunk_pairs) < size and self._next <= last:
            pair = self._schedule.pair(self._next)
            self._next += 1
            if self._is_reused(pair):
                continue
            pair = replace(pair, secret=self._secret(pair))
            (chunk_pairs if may_begin(pair) else self._waiting).append(pair)
        return [self._with_notes(pair) for pair in chunk_pairs] if carried else chunk_pairs

    def _with_notes(self, pair: ScheduledPair) -> ScheduledPair:
        names = [self._plan.players[player].name for player in (pair.first, pair.second)]
        left, right = (self._notes.get(tuple(names), {}).get(name, "") for name in names)
        return replace(pair, notes=(left, right))

    def _is_reused(self, pair: ScheduledPair) -> bool:
        played = self._reused(pair)
        if played is not None:
            self._hold(played)
        return played is not None

    def _play_late_ones_elsewhere(self) -> None:
        """Hand the pairs of a chunk out again that is not back by far; what needs a limited server is waited for."""
        now, others = self._clock(), self._engine.workers > 1
        for number, chunk in self._chunks.items():
            usual = self._pace.pair_s * len(chunk.pairs)
            due = chunk.news + max(LATE_S, LATE_TIMES * usual)
            if others and self._pace.known and now > due and not (chunk.late or chunk.needs):
                chunk.late = True
                self._again.extend(chunk.pairs.values())
                first, who = min(chunk.pairs), self._engine.late(number)
                self._told(f"{who} is late with pair {first}; it is played elsewhere, too")

    def _take(self, report: EngineReport) -> None:
        self._problem = self._problem or report.problem
        if report.note:
            self._told(report.note)
        chunk = self._chunks.get(report.chunk)
        if chunk is None:
            return
        chunk.news = self._clock()
        if report.played is not None:
            number = report.played.line["pair"]
            if chunk.pairs.pop(number, None) is not None:
                chunk.done += 1
                self._budget.add(report.played)
                self._hold(report.played)
        if report.ended:
            del self._chunks[report.chunk]
            if chunk.done:
                self._pace.add((self._clock() - chunk.began) / 2, chunk.done)  # two chunks a worker share the time
            for pair in sorted(() if chunk.late else chunk.pairs.values(), key=lambda pair: -pair.number):
                self._again.appendleft(pair)

    def _hold(self, played: PlayedPair) -> None:
        if not self._is_played(played.line["pair"]):
            self._held[played.line["pair"]] = played
            self._notes[tuple(played.line["players"])] = played.line.get("notes", {})
        while self._is_played(self._missing):
            self._missing += 1

    def _is_played(self, number: int) -> bool:
        return number <= self._store.played or number in self._held

    def _write(self) -> None:
        """Write the pairs that are next in order, if it is time; with a test only as many as it needs to decide."""
        if not self._held or not self._write_is_due():
            return
        self._written = self._clock()
        ready: list[PlayedPair] = []
        while (played := self._held.pop(self._store.played + len(ready) + 1, None)) is not None:
            ready.append(played)
            self._problem = self._problem or self._failures.add(played)
            if self._plan.sprt is not None:
                self._store.add(ready)
                ready = []
                if is_decided(self._plan, self._store.tally):
                    return
        if ready:
            self._store.add(ready)

    def _write_is_due(self) -> bool:
        """Return whether so long has passed since the last write, or nothing more is coming that could share one."""
        if self._written is None or self._clock() - self._written >= WRITE_S:
            return True
        return not self._chunks or bool(self._paused or self._problem)
