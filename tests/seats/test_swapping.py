"""Seats that change hands during a match: hot swaps, take-overs, abandoned rounds, intervals; the real table."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest
from fakes import MISBEHAVING, Function, Hanging, aim, kind, plays, results, swaps
from resources import HANGS_S
from views import view as a_view

from batllm_arcade.brains.protocol import BrainError, BrainKind, Decision, Spec, View
from batllm_arcade.core import rules as game_rules
from batllm_arcade.core.model import Rules
from batllm_arcade.errors import UsageError
from batllm_arcade.history.reader import read
from batllm_arcade.history.replay import replay
from batllm_arcade.history.verification import verify
from batllm_arcade.history.writer import SessionWriter
from batllm_arcade.match import runner
from batllm_arcade.match.records import GameEnded, GameStarted, Play, RoundEnded, RoundStarted
from batllm_arcade.match.runner import Interruption, MatchPlan
from batllm_arcade.seats.table import Table

RULES = Rules(total_rounds=2, turns_per_round=4)
SOON = HANGS_S
"""Seconds after which what is held goes on all the same: a match that waited for it is told by what it then plays."""


class Named:
    """A brain that answers one command; what it was asked, prepared and closed is noted."""

    def __init__(self, token: str = "S", prepare: Callable[[], None] | None = None) -> None:
        self.token, self._prepare = token, prepare
        self.views: list[View] = []
        self.closed = threading.Event()

    def prepare(self, report: Callable[[str], None]) -> None:
        report("warming up")
        if self._prepare is not None:
            self._prepare()

    def decide(self, view: View) -> Decision:
        self.views.append(view)
        return Decision(self.token, self.token)

    def close(self) -> None:
        assert not self.closed.is_set(), "closed twice"
        self.closed.set()


class Person:
    """A person who gives what the test hands in."""

    title = "Human"

    def decide(self, view: View) -> Decision:
        token = view.live.wait_for_command()
        return Decision(token, token)


@contextmanager
def seated(left: Any = None, right: Any = None, **how: Any) -> Iterator[Any]:
    """A table; its `offer(name, brain)` adds a brain that can be swapped in."""
    offered: dict[str, BrainKind] = {}
    brains = {"left": left or Named("S1"), "right": right or Named("S0"), "fallback": Named("A1")}
    for name, brain in {**brains, **how.pop("brains", {})}.items():
        offered[name] = brain if isinstance(brain, BrainKind) else kind(name, brain)
    offered["keyboard"] = BrainKind("keyboard", "a person", lambda spec: Person(), human=True)
    specs = how.pop("specs", (Spec("left"), Spec("right")))
    table = Table(offered, specs, fallback=Spec("fallback"), **{"deadline_s": 20.0, **how})
    try:
        yield table
    finally:
        table.stop()
        for brain in brains.values():
            if isinstance(brain, Hanging):
                brain.released.set()
        table.close()


def until(true: Callable[[], Any]) -> Any:
    """Wait for what must happen; what it gives. What does not happen is ended by pytest's time limit."""
    while not (given := true()):
        time.sleep(0.002)
    return given


class Live:
    """A match on a thread of its own that waits after every play until the test lets it go on."""

    def __init__(self, table: Table, rules: Rules = RULES, seed: int = 2, **plan: Any) -> None:
        self.table, self.records, self._free = table, list[Any](), False
        self._go = threading.Semaphore(0)
        self.thread = threading.Thread(
            target=self._run, args=(runner.play(MatchPlan(rules, seed, **plan), table),), daemon=True
        )
        self.thread.start()

    def _run(self, stream: Iterator[Any]) -> None:
        for record in stream:
            self.records.append(record)
            if isinstance(record, Play) and not self._free:
                self._go.acquire()

    @property
    def first(self) -> int:
        """Who acts first in round 1."""
        return until(
            lambda: [record.acting_order for record in list(self.records) if isinstance(record, RoundStarted)]
        )[0][0]

    def wait_for(self, count: int) -> None:
        """Let the match go on until so many plays are made; there it waits."""
        have = len(plays(list(self.records)))
        for number in range(have, count):
            if number:
                self._go.release()
            until(lambda number=number: len(plays(list(self.records))) > number)

    def asked(self, bot: int) -> Any:
        """Whoever is being asked at this seat, once that is so."""
        return until(lambda: self.table.thinking if self.table.thinking and self.table.thinking.bot == bot else None)

    def move_on(self) -> None:
        """Let the match go on to the next question, without waiting for the answer."""
        self._go.release()

    def run(self) -> None:
        """Let the match go on by itself for many plays."""
        self._go.release(100)

    def ask_left(self, played: int = 0) -> Any:
        """The left bot, once it is asked after so many plays, or after one more if the right one acts first."""
        if played:
            self.move_on()
        if self.first != 0:
            self.wait_for(played + 1)
            self.move_on()
        return self.asked(0)

    def ended(self) -> list[Any]:
        """All records, once the match is over."""
        self._free = True
        self._go.release(1)
        self.thread.join()
        return self.records


def changes(records: list[Any]) -> list[tuple[int, int, int, str, str]]:
    return [(swap.round, swap.number, swap.bot, swap.seat.brain, swap.why) for swap in swaps(records)]


def by(records: list[Any], token: str) -> list[tuple[int, int]]:
    """The plays with this command: round and number."""
    return [(play.round, play.number) for play in plays(records) if play.command.token == token]


def ready(table: Table, bot: int) -> None:
    until(lambda: table.pending(bot) and table.pending(bot).ready)


def swapped_in(table: Table, bot: int, name: str) -> None:
    """Have a brain get ready that takes the seat when the turn is over."""
    table.swap(bot, Spec(name))
    ready(table, bot)


@pytest.mark.parametrize("bot", [0, 1])
def test_another_brain_takes_the_seat_when_the_turn_is_over(bot):
    old, new = Named("M"), Named("C5")
    with seated(*((old, None) if bot == 0 else (None, old)), brains={"new": new}) as table:
        game = Live(table)
        game.wait_for(1)
        swapped_in(table, bot, "new")
        records = game.ended()
        assert old.closed.wait(SOON), "the brain that had to go was not closed"
        assert not new.closed.is_set()
        assert table.pending(bot) is None
    mine = 3 if game.first == bot else 4
    assert changes(records) == [(1, mine, bot, "new", "swap")]
    assert by(records, "M") == [(1, mine - 2)]
    assert len(by(records, "C5")) == 7
    following = records[records.index(swaps(records)[0]) + 1]
    assert isinstance(following, Play)
    assert (following.bot, following.number) == (bot, mine)
    assert new.closed.is_set()


def test_a_brain_that_hangs_while_it_gets_ready_holds_nobody_up():
    held = threading.Event()
    slow = Named("C5", prepare=lambda: held.wait(SOON) and None)
    with seated(brains={"slow": slow}) as table:
        table.swap(0, Spec("slow"))
        until(lambda: table.pending(0).progress == "warming up")
        records = Live(table).ended()
        assert len(plays(records)) == 16
        assert swaps(records) == []
        pending = table.pending(0)
        assert (pending.spec, pending.ready, pending.problem) == (Spec("slow"), False, "")
        held.set()
    assert slow.closed.wait(SOON), "what was still getting ready was not closed in the end"


def _raise(error: BaseException) -> Callable[[], None]:
    def fail() -> None:
        raise error

    return fail


@pytest.mark.parametrize("error", [BrainError("the model is not there; pull it"), SystemExit(2), KeyboardInterrupt()])
def test_a_brain_that_fails_to_get_ready_is_shown_and_the_old_one_plays_on(error):
    broken = Named("C5", prepare=_raise(error))
    with seated(brains={"broken": broken}) as table:
        table.swap(1, Spec("broken"))
        problem = until(lambda: table.pending(1).problem)
        assert "pull it" in problem or "broken could not start" in problem or "Interrupt" in problem
        assert not table.pending(1).ready
        records = Live(table).ended()
        assert swaps(records) == []
        assert table.pending(1).problem == problem, "the failure stays until somebody has seen it"
        table.cancel_swap(1)
        assert table.pending(1) is None
        assert broken.closed.wait(SOON)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("picky:speed=3", "picky has no option 'speed'"),
        ("picky:depth=3", "picky could not be made: SystemExit: 3"),
        ("right:deadline_s=soon", "deadline_s of right must be a number"),
    ],
)
def test_wrong_options_are_shown_as_the_swaps_problem_and_the_old_brain_plays_on(text, said):
    def make(spec: Spec) -> Any:
        spec.allow("depth")
        raise SystemExit(3)

    with seated(brains={"picky": BrainKind("picky", "", make)}) as table:
        table.swap(1, Spec.parse(text))
        assert said in until(lambda: table.pending(1).problem)
        assert not table.pending(1).ready
        assert swaps(Live(table).ended()) == []
        with pytest.raises(UsageError, match="there is no brain 'nobody'"):
            table.swap(1, Spec("nobody"))


def test_a_swap_returns_before_its_factory_does():
    held, entered = threading.Event(), threading.Event()

    def make(spec: Spec) -> Any:
        entered.set()
        assert held.wait(SOON)
        raise UsageError("too late")

    with seated(brains={"slow": BrainKind("slow", "", make)}) as table:
        table.swap(0, Spec("slow"))  # a swap that waited for its factory would fail the factory's assertion
        assert entered.wait(SOON)
        assert table.pending(0).problem == ""
        held.set()
        assert until(lambda: table.pending(0).problem) == "too late"


def test_a_second_swap_replaces_the_first_which_is_closed_when_it_has_got_ready():
    held = threading.Event()
    slow, new = Named("C5", prepare=lambda: held.wait(SOON) and None), Named("C6")
    with seated(brains={"slow": slow, "new": new}) as table:
        table.swap(0, Spec("slow"))
        swapped_in(table, 0, "new")
        held.set()
        assert slow.closed.wait(SOON)
        records = Live(table).ended()
        assert not new.closed.is_set()
    assert (by(records, "C5"), len(by(records, "C6"))) == ([], 8)


def test_a_seat_may_change_hands_several_times_in_a_round():
    first, second = Named("C5"), Named("C6")
    with seated(brains={"first": first, "second": second}) as table:
        game = Live(table)
        for played, name in ((2, "first"), (4, "second"), (6, "left")):
            game.wait_for(played)
            swapped_in(table, 0, name)
        records = game.ended()
        assert first.closed.wait(SOON)
        assert second.closed.wait(SOON)
    mine = 0 if game.first == 0 else 1
    names = [(number, brain) for _, number, _, brain, _ in changes(records)]
    assert names == [(3 + mine, "first"), (5 + mine, "second"), (7 + mine, "left")]
    assert (by(records, "C5"), by(records, "C6")) == ([(1, 3 + mine)], [(1, 5 + mine)])


def test_both_seats_may_change_at_the_same_turns_end():
    with seated(brains={"a": Named("C5"), "b": Named("C6")}) as table:
        game = Live(table)
        game.wait_for(2)
        for bot, name in enumerate("ab"):
            swapped_in(table, bot, name)
        records = game.ended()
    assert sorted((bot, brain) for _, _, bot, brain, _ in changes(records)) == [(0, "a"), (1, "b")]
    assert [number for _, number, _, _, _ in changes(records)] == [3, 4]


def test_a_swap_in_a_rounds_last_turn_is_announced_in_the_next_round():
    with seated(brains={"new": Named("C5")}) as table:
        game = Live(table)
        game.wait_for(8)
        swapped_in(table, 0, "new")
        records = game.ended()
    (swap,) = swaps(records)
    new = next(play for play in plays(records) if play.round == 2 and play.bot == 0)
    assert (swap.round, swap.number) == (2, new.number)
    assert records[records.index(swap) + 1] is new


def test_who_comes_before_the_first_play_or_between_games_is_there_from_the_start():
    new, other = Named("C5"), Named("C6")
    with seated(brains={"new": new, "other": other}) as table:
        swapped_in(table, 0, "new")
        game = Live(table, Rules(total_rounds=1, turns_per_round=2), games=2)
        game.wait_for(4)
        swapped_in(table, 0, "other")
        records = game.ended()
        assert new.closed.wait(SOON)
        table.swap(0, Spec("right"))  # which never comes to a play
    assert swaps(records) == []
    seats = [record.seats[0].brain for record in records if isinstance(record, GameStarted)]
    assert seats == ["new", "other"]
    assert (len(new.views), len(other.views)) == (2, 2)


def test_a_person_can_be_swapped_in_like_any_brain():
    with seated() as table:
        swapped_in(table, 0, "keyboard")
        game = Live(table)
        thinking = game.ask_left()
        assert thinking.seat.human
        thinking.live.submit_command("C33")
        until(lambda: by(game.records, "C33"))


@pytest.mark.parametrize(
    ("after", "changed", "played"),
    [
        pytest.param(4, [("worse", "swap"), ("fallback", "fallback")], "eeeeeooo", id="before a fallback"),
        pytest.param(
            8, [("fallback", "fallback"), ("worse", "swap"), ("fallback", "fallback")], "eeeoeeeooo",
            id="after a fallback",
        ),
    ],
)  # fmt: skip
def test_a_pending_brain_counts_its_own_failures_and_has_a_fallback_of_its_own(after, changed, played):
    with seated(Function(MISBEHAVING["raises"]), brains={"worse": Function(MISBEHAVING["exits"])}) as table:
        game = Live(table, Rules(total_rounds=1, turns_per_round=len(played)))
        game.wait_for(after)
        swapped_in(table, 0, "worse")
        records = game.ended()
    assert [(brain, why) for *_, brain, why in changes(records)] == changed
    assert "".join(play.status[0] for play in plays(records) if play.bot == 0) == played
    assert results(records) == [(None, "draw")]


def test_a_pending_brain_who_is_ready_saves_a_seat_from_its_fallback():
    rules = Rules(total_rounds=1, turns_per_round=8)
    stream = Random("2/1")
    game_rules.start(stream, rules)
    second = game_rules.acting_order(stream)[1]
    failing, broken = Function(MISBEHAVING["raises"]), Named("A1", prepare=_raise(BrainError("not there")))
    brains = {"new": Named("C5"), "fallback": broken}
    with seated(*((failing, None) if second == 0 else (None, failing)), brains=brains) as table:
        game = Live(table, rules)
        game.wait_for(5)  # in mid turn, before its third failure
        swapped_in(table, second, "new")
        records = game.ended()
    assert changes(records) == [(1, 8, second, "new", "swap")]


def test_the_stream_of_chance_belongs_to_the_seat():
    drawn: list[float] = []

    def draw(view: View) -> Decision:
        drawn.append(view.rng.random())
        return Decision("M", "M")

    with seated(Function(draw), brains={"new": Function(draw)}) as table:
        game = Live(table)
        game.wait_for(4)
        swapped_in(table, 0, "new")
        game.wait_for(6)
        table.take_over(0)
        game.ask_left(6).live.submit_command("A77")
        until(lambda: by(game.records, "A77"))
        table.hand_back(0)
        game.ended()
    stream = Random("2/1/left")
    assert drawn == [stream.random() for _ in range(7)]


def at_question(table: Table) -> Live:
    """A match in which a brain that hangs is being asked at the left seat."""
    game = Live(table)
    game.ask_left()
    return game


def test_a_person_takes_over_a_question_under_way():
    brain = Hanging()
    with seated(brain) as table:
        game = at_question(table)
        assert brain.asked.wait(SOON)
        assert not table.taken_over(0)
        table.take_over(0)
        assert table.taken_over(0)
        assert brain.cancelled.wait(SOON), "the question was not given up"
        thinking = until(lambda: table.thinking if table.thinking and table.thinking.seat.human else None)
        brain.released.set()  # a late answer is dropped
        thinking.live.submit_command("C33")
        until(lambda: by(game.records, "C33"))
        number = 1 if game.first == 0 else 2
        assert by(game.records, "C33") == [(1, number)]
        assert changes(game.records) == [(1, number, 0, "keyboard", "wheel")]
        assert by(game.records, "B") == []


def test_a_seat_taken_over_between_plays_is_the_players_with_the_very_next_play():
    brain = Named("M")
    with seated(brain) as table:
        game = Live(table)
        game.wait_for(4)
        count = len(brain.views)
        table.take_over(0)
        assert game.ask_left(4).seat.human
        assert len(brain.views) == count
        assert not brain.closed.is_set(), "whoever may come back is not closed"


def test_a_seat_is_handed_back_to_the_same_brain_with_the_question_under_way():
    brain = Named("M")
    with seated(brain) as table:
        table.take_over(0)
        game = Live(table)
        game.ask_left()
        table.hand_back(0)
        assert not table.taken_over(0)
        records = game.ended()
        assert not brain.closed.is_set()
    assert len(brain.views) == 8
    seats = next(record for record in records if isinstance(record, GameStarted)).seats
    assert (seats[0].brain, seats[0].human) == ("keyboard", True)
    assert changes(records) == [(1, 1 if game.first == 0 else 2, 0, "left", "wheel")]
    assert len(plays(records)) == 16


def test_taken_over_and_handed_back_within_one_question_nothing_has_changed():
    brain = Hanging("M")
    with seated(brain) as table:
        game = at_question(table)
        assert brain.asked.wait(SOON)
        with table._lock:
            table.take_over(0)
            table.hand_back(0)
        brain.released.set()
        records = game.ended()
    assert swaps(records) == []
    assert {play.command.token for play in plays(records) if play.bot == 0} == {"M"}
    assert brain.count == 9, "the question that was given up was asked again"


def test_a_players_own_seat_cannot_be_taken_over_and_nothing_comes_back_to_it():
    with seated(specs=(Spec("keyboard"), Spec("right")), deadline_s=0.05) as table:
        game = Live(table)
        thinking = game.ask_left()
        assert thinking.live.seconds_left() is None, "without a turn clock a person is waited for"
        table.take_over(0)
        assert not table.taken_over(0)
        table.hand_back(0)
        thinking.live.submit_command("C33")
        until(lambda: by(game.records, "C33"))
        assert swaps(game.records) == []
    table = Table({"a": kind("a", Named())}, (Spec("a"), Spec("a")), fallback=Spec("a"))
    with pytest.raises(UsageError, match="no plugin offers a person's seat"):
        table.take_over(0)


def test_a_brain_whose_seat_is_taken_over_while_the_match_loads_is_made_ready_all_the_same():
    prepared: list[str] = []
    left, right = Named("M", prepare=lambda: table.take_over(1)), Named("C5", prepare=lambda: prepared.append("right"))
    with seated(left, right) as table:
        table.prepare(lambda text: None)
        assert prepared == ["right"]
        table.hand_back(1)
        assert {play.command.token for play in plays(Live(table).ended()) if play.bot == 1} == {"C5"}


def test_a_swap_that_was_wanted_before_a_take_over_waits_until_it_is_handed_back():
    old, new = Named("M"), Named("C5")
    with seated(old, brains={"new": new}) as table:
        game = Live(table)
        game.wait_for(2)
        swapped_in(table, 0, "new")
        table.take_over(0)
        game.run()
        for _ in range(2):
            thinking = game.asked(0)
            assert thinking.seat.human
            thinking.live.submit_command("A9")
            until(lambda thinking=thinking: table.thinking is not thinking)
        assert table.pending(0).ready
        assert new.views == []
        game.asked(0)
        table.hand_back(0)
        records = game.ended()
    assert [(brain, why) for *_, brain, why in changes(records)] == [
        ("keyboard", "wheel"),
        ("left", "wheel"),
        ("new", "swap"),
    ]
    assert len(by(records, "A9")) == 2
    assert new.views


def test_nobody_is_asked_whom_the_match_does_not_know_to_sit_there():
    with seated() as table:
        table.begin_game()
        table.begin_turn()
        assert table.seat_change(0) is None
        table.take_over(0)  # after the match has looked, before it asks
        assert table.ask(0, a_view(rules=RULES)) is Interruption.ANOTHER
        seat_change = table.seat_change(0)
        assert seat_change is not None
        assert (seat_change.seat.brain, seat_change.why) == ("keyboard", "wheel")


def test_a_swap_that_is_wanted_during_a_take_over_ends_that():
    old, new = Named("M"), Named("C5")
    with seated(old, brains={"new": new}) as table:
        table.take_over(0)
        game = Live(table)
        thinking = game.ask_left()
        swapped_in(table, 0, "new")
        assert table.taken_over(0), "not before the turn is over"
        thinking.live.submit_command("A9")
        records = game.ended()
        assert not table.taken_over(0)
        assert old.closed.wait(SOON), "nobody can hand back to the old brain any more"
        table.hand_back(0)
        assert table.seat(0).brain == "new"
    assert changes(records) == [(1, 3 if game.first == 0 else 4, 0, "new", "swap")]
    assert len(by(records, "C5")) == 7


def test_a_person_who_misses_three_turns_hands_the_seat_back():
    brain = Named("M")
    with seated(brain, turn_clock_s=0.05) as table:
        game = Live(table)
        game.wait_for(2)
        table.take_over(0)
        records = game.ended()
        assert not table.taken_over(0)
    mine = [play for play in plays(records) if play.bot == 0]
    assert [play.status for play in mine] == ["ok"] + ["timeout"] * 3 + ["ok"] * 4
    assert [(brain, why) for *_, brain, why in changes(records)] == [("keyboard", "wheel"), ("left", "wheel")]
    assert swaps(records)[1].problem == "no answer within 0.05 s"
    assert len(brain.views) == 5


def test_a_person_who_misses_three_turns_is_stood_in_for_and_may_take_the_seat_over_again(clock):
    clock.goes.set()
    with seated(specs=(Spec("keyboard"), Spec("right")), turn_clock_s=0.05) as table:
        game = Live(table, Rules(total_rounds=1, turns_per_round=6))
        game.wait_for(8)
        clock.goes.clear()
        table.take_over(0)
        game.ask_left(8)
        until(lambda: table.thinking and table.thinking.seat.human)
        table.stop()
        records = game.ended()
    assert [(brain, why) for *_, brain, why in changes(records)] == [("fallback", "fallback"), ("keyboard", "wheel")]
    assert [play.status for play in plays(records) if play.bot == 0][:4] == ["timeout"] * 3 + ["ok"]


def ends(records: list[Any]) -> list[tuple[int, str]]:
    return [(record.round, record.ended) for record in records if isinstance(record, RoundEnded)]


def test_an_abandoned_round_ends_at_once_and_the_next_one_begins_where_it_left_off():
    brain = Hanging("M")
    with seated(brain) as table:
        game = at_question(table)
        assert brain.asked.wait(SOON)
        table.abandon_round()
        assert brain.cancelled.wait(SOON)
        until(lambda: ends(game.records))
        brain.released.set()
        records = game.ended()
    assert ends(records) == [(1, "abandoned"), (2, "complete")]
    assert len(plays(records)) == 8 + (game.first != 0)
    left_off = next(record.arena for record in records if isinstance(record, RoundEnded))
    assert [record.arena for record in records if isinstance(record, RoundStarted)][1] == left_off
    assert results(records) == [(None, "draw")]


def test_an_abandoned_last_round_ends_the_game_on_points():
    rules = Rules(initial_health=(100, 100), total_rounds=1, turns_per_round=20, initial_shield=False)
    shooter = Function(lambda view: aim(view) if view.turn % 2 else Decision("B", "B"))
    with seated(shooter) as table:
        game = Live(table, rules)
        game.wait_for(6)
        table.abandon_round()
        records = game.ended()
    assert ends(records) == [(1, "abandoned")]
    assert results(records) == [(0, "points")]
    assert len(plays(records)) == 6


def test_abandoning_before_the_match_after_a_rounds_last_play_and_between_rounds_changes_nothing():
    with seated(intervals=True) as table:
        table.abandon_round()
        game = Live(table)
        game.wait_for(8)
        table.abandon_round()
        game.run()
        intermission = until(lambda: table.intermission)
        table.abandon_round()
        intermission.go_on()
        records = game.ended()
    assert ends(records) == [(1, "complete"), (2, "complete")]


def test_between_rounds_the_match_waits_and_takes_new_prompts():
    brain = Named("M")
    rules = Rules(total_rounds=3, turns_per_round=2)
    with seated(brain, intervals=True) as table:
        game = Live(table, rules, prompts=("win", "hide"))
        game.run()
        first = until(lambda: table.intermission)
        assert (first.game, first.round, first.prompts) == (1, 2, ("win", "hide"))
        assert len(plays(game.records)) == 4
        assert ends(game.records) == [(1, "complete")]
        first.go_on(("charge", "hide"))
        first.go_on(("ignored", "ignored"))
        second = until(lambda: table.intermission if table.intermission is not first else None)
        assert (second.round, second.prompts) == (3, ("charge", "hide"))
        second.go_on()
        records = game.ended()
        assert table.intermission is None
    started = [record.prompts for record in records if isinstance(record, RoundStarted)]
    assert started == [("win", "hide"), ("charge", "hide"), ("charge", "hide")]
    assert [view.prompt for view in brain.views] == ["win"] * 2 + ["charge"] * 4


def test_who_is_swapped_in_between_rounds_plays_the_next_round():
    with seated(intervals=True, brains={"new": Named("C5")}) as table:
        game = Live(table)
        game.run()
        intermission = until(lambda: table.intermission)
        swapped_in(table, 0, "new")
        table.take_over(1)
        intermission.go_on()
        game.asked(1).live.submit_command("A8")
        until(lambda: by(game.records, "A8"))
        number = {bot: 1 if game_order(game.records)[1][0] == bot else 2 for bot in (0, 1)}
        expected = [(2, number[0], 0, "new", "swap"), (2, number[1], 1, "keyboard", "wheel")]
        assert sorted(changes(game.records), key=lambda swap: swap[2]) == expected or number[0] == 2


def game_order(records: list[Any]) -> list[tuple[int, int]]:
    return [record.acting_order for record in list(records) if isinstance(record, RoundStarted)]


def hanging_swap(table: Table, game: Live) -> None:
    table.swap(0, Spec("slow"))


def person_asked(table: Table, game: Live) -> None:
    table.take_over(0)
    until(lambda: table.thinking and table.thinking.seat.human)


def handed_back(table: Table, game: Live) -> None:
    person_asked(table, game)
    table.hand_back(0)


def round_left(table: Table, game: Live) -> None:
    table.abandon_round()


@pytest.mark.parametrize("state", [hanging_swap, person_asked, handed_back, round_left])
def test_a_match_can_be_left_in_any_state(state):
    held = threading.Event()
    slow = Named("C5", prepare=lambda: held.wait(SOON) and None)
    brain = Hanging()
    with seated(brain, brains={"slow": slow}) as table:
        game = at_question(table)
        state(table, game)
        table.stop()
        records = game.ended()
        brain.released.set()
        held.set()
    assert results(records) == [(None, "aborted")]
    assert ends(records)[-1][1] == "abandoned"
    with seated(intervals=True) as table:  # between rounds it has no round more
        game = Live(table)
        game.run()
        until(lambda: table.intermission)
        table.stop()
        records = game.ended()
    assert (ends(records), results(records)) == ([(1, "complete")], [(None, "aborted")])
    assert next(record for record in records if isinstance(record, GameEnded)).rounds == 1


def test_a_match_left_while_its_fallback_hangs_is_no_forfeit():
    held, entered = threading.Event(), threading.Event()
    slow = Named("C5", prepare=lambda: entered.set() or (held.wait(SOON) and None))
    with seated(Function(MISBEHAVING["raises"]), brains={"fallback": slow}) as table:
        game = Live(table)
        game.run()
        assert entered.wait(SOON)
        table.stop()
        records = game.ended()
        held.set()
    assert results(records) == [(None, "aborted")]


def test_after_the_match_was_left_no_fallback_is_made_ready():
    prepared = threading.Event()
    with seated(brains={"fallback": Named("C5", prepare=prepared.set)}) as table:
        table.begin_game()
        table.stop()
        assert table.fall_back(0, "it failed")
    assert not prepared.is_set()


def test_taking_a_seat_over_whose_fallback_hangs_goes_on_at_once():
    held, entered, over = threading.Event(), threading.Event(), threading.Event()
    slow = Named("C5", prepare=lambda: (entered.set(), held.wait(SOON) or over.set())[0])
    with seated(Function(MISBEHAVING["raises"]), brains={"fallback": slow}) as table:
        game = Live(table)
        game.run()
        assert entered.wait(SOON)
        table.take_over(0)
        game.asked(0).live.submit_command("A8")
        until(lambda: by(game.records, "A8"))
        assert not over.is_set(), "the match has waited for the fallback"
        held.set()


def test_after_the_end_nothing_is_seated_and_nothing_is_left_open():
    late = Named("C5")
    with seated(brains={"late": late}) as table:
        table.stop()
        table.close()
        table.swap(0, Spec("late"))
        table.take_over(1)
        table.hand_back(1)
        assert late.closed.wait(SOON)
        assert not table.taken_over(1)


def test_every_brain_is_closed_once_and_no_thread_is_left():
    brains = {name: Named("M") for name in ("left", "right", "a", "b")}
    offered = {name: kind(name, brain) for name, brain in brains.items()}
    offered["keyboard"] = BrainKind("keyboard", "a person", lambda spec: Person(), human=True)
    others = set(threading.enumerate())
    table = Table(offered, (Spec("left"), Spec("right")), fallback=Spec("right"))
    game = Live(table)
    game.wait_for(2)
    table.swap(0, Spec("a"))
    swapped_in(table, 0, "b")
    game.wait_for(4)
    table.take_over(1)
    table.stop()
    game.ended()
    table.close()
    assert all(brain.closed.wait(SOON) for brain in brains.values())
    mine = ("brain left", "brain right", "brain a", "brain b", "pending brain", "brain keyboard")
    until(lambda: not [thread for thread in set(threading.enumerate()) - others if thread.name.startswith(mine)])


@pytest.mark.parametrize("seed", range(12))
def test_whatever_people_ask_for_at_any_time_the_session_is_written_and_verifies(seed, tmp_path):
    chance = Random(seed)

    def play(view: View) -> Decision:
        time.sleep(chance.choice((0, 0, 0.001, 0.004)))
        token = view.rng.choice(["M", "C40", "A33.3", "S", "B", "B", "nonsense"])
        return Decision(token, token)

    def failing(view: View) -> Decision:
        raise BrainError("no luck")

    class Impatient:
        def decide(self, view: View) -> Decision:
            token = chance.choice(("M", "C12", "B"))
            return Decision(token, token)

    brains = {"new": Function(play), "bad": Function(failing), "left": Function(play), "right": Function(play)}
    offered = {name: kind(name, brain) for name, brain in brains.items()}
    offered["keyboard"] = BrainKind("keyboard", "a person", lambda spec: Impatient(), human=True)
    table = Table(offered, (Spec("left"), Spec("right")), fallback=Spec("new"), intervals=True)
    path = tmp_path / "s.json"
    writer = SessionWriter(path)
    records: list[Any] = []
    rules = Rules(total_rounds=4, turns_per_round=6, bullet_damage=(1, 1))

    def run() -> None:
        for record in runner.play(MatchPlan(rules, seed, 3, ("win", "hide")), table):
            writer.notify(record)
            records.append(record)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    actions = ["swap", "swap", "bad", "take over", "take over", "back", "back", "go", "go", "go", "off", "round"]
    while thread.is_alive():
        bot = chance.randrange(2)
        match chance.choice(actions):
            case "swap":
                table.swap(bot, Spec("new"))
            case "bad":
                table.swap(bot, Spec("bad"))
            case "take over":
                table.take_over(bot)
            case "back":
                table.hand_back(bot)
            case "off":
                table.cancel_swap(bot)
            case "round" if chance.random() < 0.2:
                table.abandon_round()
            case "go" if (intermission := table.intermission) is not None:
                intermission.go_on((f"win {intermission.round}", "hide") if chance.random() < 0.5 else None)
        if seed % 4 == 3 and len(records) > 60:
            table.stop()
        time.sleep(chance.choice((0, 0.001, 0.003)))
    table.close()
    tape = read(path)
    assert [str(each) for each in verify(tape)] == []
    again = list(replay(tape))
    assert [type(record) for record in again] == [type(record) for record in records]
    assert changes(again) == changes(records)
