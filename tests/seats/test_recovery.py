"""A model that has lost its seat is asked again in every following round, and gets the seat back if it answers."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from random import Random

from fakes import Function, plays, session_values, swaps, written

from batllm_arcade.brains.live import Cancelled
from batllm_arcade.brains.protocol import BrainError, BrainKind, Decision, Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.history.reader import read
from batllm_arcade.history.verification import verify
from batllm_arcade.match import runner
from batllm_arcade.match.records import GameStarted, RoundStarted
from batllm_arcade.match.runner import MatchPlan
from batllm_arcade.seats.table import Table


@dataclass
class Server:
    """A model server as its brains see it: away in these rounds, (game, round)."""

    away: set[tuple[int, int]]
    made: int = 0
    gone: set[int] = field(default_factory=set)
    asked: list[tuple[int, int, int]] = field(default_factory=list)

    @property
    def closed(self) -> int:
        """How many of its brains were closed, at least once."""
        return len(self.gone)


class Model:
    """Answers a turn drawn from the seat's stream, unless its server is away."""

    model = "m1"

    def __init__(self, server: Server) -> None:
        self.server = server
        server.made += 1
        self.number = server.made

    def decide(self, view):
        at = (view.game, view.round)
        self.server.asked.append((*at, view.number))
        token = f"C{view.rng.randrange(1, 360)}"
        if at in self.server.away:
            raise BrainError("it does not answer")
        return Decision(token, token)

    def close(self):
        self.server.gone.add(self.number)


def kinds_of(make, **how):
    still = Function(lambda view: Decision("S", "S"))
    return {
        "model": BrainKind("model", "", lambda spec: make(), **{"prompted": True, **how}),
        "still": BrainKind("still", "", lambda spec: still),
        "other": BrainKind("other", "", lambda spec: Function(lambda view: Decision("M", "M"))),
    }


def match(make, *, rounds=3, games=1, act=lambda table, record: None, deadline_s=20.0, **how):
    """The records of a match of four turns a round against a brain that does nothing; `act` sees each."""
    table = Table(kinds_of(make, **how), (Spec("model"), Spec("other")), fallback=Spec("still"), deadline_s=deadline_s)
    records = []
    plan = MatchPlan(Rules(total_rounds=rounds, turns_per_round=4), 5, games)
    try:
        for record in runner.play(plan, table):
            records.append(record)
            act(table, record)
    finally:
        table.close()
    return records


def who(records):
    """Who has played left, a letter a play and a word a round: `m` the model, `x` where it failed, `s` the fallback."""
    brain, rounds = "", []
    for record in records:
        if isinstance(record, GameStarted):
            brain = record.seats[0].brain
        elif isinstance(record, RoundStarted):
            rounds.append("")
        for swap in swaps([record]):
            brain = swap.seat.brain if swap.bot == 0 else brain
        for play in plays([record]):
            if play.bot == 0:
                rounds[-1] += brain[0] if play.status == "ok" else "x"
    return rounds


def changes(records):
    return [(swap.game, swap.round, swap.why, swap.seat.brain) for swap in swaps(records)]


def test_a_server_that_was_away_for_a_round_plays_the_next_from_its_first_turn():
    server = Server({(1, 1)})
    records = match(lambda: Model(server))
    assert who(records) == ["xxxs", "mmmm", "mmmm"]
    assert changes(records) == [(1, 1, "fallback", "still"), (1, 2, "recovered", "model")]
    assert next(swap for swap in swaps(records) if swap.why == "recovered").seat.model == "m1"
    assert server.made == server.closed == 2


def test_one_that_stays_away_is_asked_once_a_round_and_no_turn_is_lost_to_that():
    server = Server({(1, number) for number in range(1, 4)})
    records = match(lambda: Model(server))
    assert who(records) == ["xxxs", "ssss", "ssss"]
    assert [at[:2] for at in server.asked] == [(1, 1)] * 3 + [(1, 2), (1, 3)]
    assert server.made == server.closed == 3


def test_the_next_game_asks_it_too():
    server = Server({(1, 1)})
    records = match(lambda: Model(server), rounds=1, games=2)
    assert who(records) == ["xxxs", "mmmm"]
    assert changes(records)[-1] == (2, 1, "recovered", "model")


def test_it_may_lose_the_seat_again_and_get_it_again():
    server = Server({(1, 1), (1, 3)})
    records = match(lambda: Model(server), rounds=4)
    assert who(records) == ["xxxs", "mmmm", "xxxs", "mmmm"]


def test_the_file_verifies_and_is_the_same_for_the_same_answers(tmp_path):
    texts = []
    for name in ("a", "b"):
        server = Server({(1, 1)})
        records = match(lambda server=server: Model(server))
        path = written(records, tmp_path / f"{name}.json")
        assert list(verify(read(path))) == []
        texts.append([play.command.token for play in plays(records)])
    assert texts[0] == texts[1]
    rounds = session_values(records)["games"][0]["rounds"]
    assert [swap["why"] for each in rounds for swap in each.get("swaps", [])] == ["fallback", "recovered"]


def test_it_draws_from_the_stream_as_if_it_had_been_asked_once():
    """What was drawn for the answer that won the seat back is not drawn again for the next play."""
    server = Server({(1, 1)})
    records = match(lambda: Model(server))
    drawn = [play.command.token for play in plays(records) if play.bot == 0 and play.round > 1]
    stream = Random("5/1/left")
    expected = [f"C{stream.randrange(1, 360)}" for _ in drawn]
    assert drawn == expected


def test_a_seat_that_a_person_has_given_to_another_brain_stays_theirs():
    server, ready = Server({(1, 1)}), threading.Event()

    def act(table, record):
        swap = next(iter(swaps([record])), None)
        if swap and swap.why == "fallback":
            table.swap(0, Spec("other"))
            while not (status := table.pending(0)) or not status.ready:
                ready.wait(0.01)

    records = match(lambda: Model(server), act=act)
    assert [each[2] for each in changes(records)] == ["fallback", "swap"]
    assert server.made == 1


def test_nothing_is_asked_while_a_person_plays_the_seat():
    server, seats = Server({(1, 1)}), []
    person = BrainKind("keyboard", "", lambda spec: Function(lambda view: Decision("B", "B")), human=True)

    def act(table, record):
        if any(swap.why == "fallback" for swap in swaps([record])):
            table.take_over(0)
        seats.append(table.seat(0).brain)

    kinds = {**kinds_of(lambda: Model(server)), "keyboard": person}
    table = Table(kinds, (Spec("model"), Spec("other")), fallback=Spec("still"))
    for record in runner.play(MatchPlan(Rules(total_rounds=2, turns_per_round=4), 5), table):
        act(table, record)
    table.close()
    assert seats[-1] == "keyboard"
    assert len(server.asked) == 3


def test_a_bot_s_file_that_failed_is_not_run_again():
    server = Server({(1, 1)})
    assert who(match(lambda: Model(server), files=True)) == ["xxxs", "ssss", "ssss"]
    server = Server({(1, 1)})
    assert who(match(lambda: Model(server), prompted=False)) == ["xxxs", "ssss", "ssss"]


class Loading(Model):
    """Takes until `loaded` to get ready the second time."""

    def __init__(self, server, loaded):
        super().__init__(server)
        self.loaded = loaded

    def prepare(self, report):
        if self.server.made > 1:
            self.loaded.wait()


def test_one_that_takes_long_to_load_comes_back_in_the_middle_of_a_round(monkeypatch):
    monkeypatch.setattr("batllm_arcade.seats.table.RECOVERY_S", 0.01)
    server, loaded, idle = Server({(1, 1)}), threading.Event(), threading.Event()

    def act(table, record):
        for play in plays([record]):
            if (play.round, play.turn, play.bot) == (2, 2, 0):
                loaded.set()
                while not table._seats[0].recovery._pending.ready:
                    idle.wait(0.01)

    records = match(lambda: Loading(server, loaded), act=act)
    assert who(records) == ["xxxs", "ssmm", "mmmm"]


class Unready(Model):
    """Cannot get ready again."""

    def prepare(self, report):
        if self.server.made > 1:
            raise BrainError("nobody is there")


def test_one_that_cannot_get_ready_is_not_asked_and_tried_anew_in_the_next_round():
    server = Server({(1, 1)})
    assert who(match(lambda: Unready(server))) == ["xxxs", "ssss", "ssss"]
    assert len(server.asked) == 3
    assert server.made == server.closed == 3


class Deaf(Model):
    """Hangs when it is asked in the second round, until it is cancelled."""

    def __init__(self, server, asked):
        super().__init__(server)
        self.waiting = asked

    def decide(self, view):
        if view.round == 1:
            return super().decide(view)
        self.waiting.set()
        gone = threading.Event()
        view.live.on_cancel(gone.set)
        gone.wait()
        raise Cancelled


def test_one_that_hangs_costs_its_deadline_and_the_fallback_plays_the_turn():
    server = Server({(1, 1)})
    records = match(lambda: Deaf(server, threading.Event()), rounds=2, deadline_s=0.1)
    assert who(records) == ["xxxs", "ssss"]
    assert server.made == server.closed == 2


def test_a_match_may_be_left_while_it_is_asked():
    server, asked, table = Server({(1, 1)}), threading.Event(), []

    def stop():
        asked.wait()
        table[0].stop()

    def act(its, record):
        if not table:
            table.append(its)
            threading.Thread(target=stop, daemon=True).start()

    records = match(lambda: Deaf(server, asked), rounds=2, act=act)
    assert who(records) == ["xxxs", ""]
    assert server.closed == server.made == 2


def test_a_match_may_be_left_while_it_gets_ready():
    server, loaded = Server({(1, 1)}), threading.Event()

    class Stuck(Loading):
        def prepare(self, report):
            if self.server.made > 1:
                threading.Thread(target=table.stop, daemon=True).start()
            super().prepare(report)

        def close(self):
            super().close()
            loaded.set()

    table = Table(kinds_of(lambda: Stuck(server, loaded)), (Spec("model"), Spec("other")), fallback=Spec("still"))
    records = list(runner.play(MatchPlan(Rules(total_rounds=2, turns_per_round=4), 5), table))
    table.close()
    assert who(records) == ["xxxs", ""]
