"""The real table with its threads: what the players see when a brain misbehaves."""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fakes import MISBEHAVING, SPEC, Function, Hanging, ScriptedBrain, kind, kinds, plays, results, swaps
from resources import HANGS_S
from views import view

from batllm_arcade.brains.live import Cancelled, Live
from batllm_arcade.brains.protocol import BrainError, BrainKind, Decision, Spec, View
from batllm_arcade.core.commands import Nothing, parse
from batllm_arcade.core.model import Rules
from batllm_arcade.errors import UsageError
from batllm_arcade.match import runner
from batllm_arcade.match.runner import Interruption, MatchPlan
from batllm_arcade.seats.brain_thread import BrainThread, ReplySlot, wait_for_answer
from batllm_arcade.seats.plugin_calls import RAW_LIMIT
from batllm_arcade.seats.table import Table

VIEW = view()


@contextmanager
def seated(
    left: Any, right: Any = None, *, left_spec: str = "left", fallback: Any = None, deadline_s: float = 20.0
) -> Iterator[Table]:
    offered = kinds(left=left, right=right or Function(lambda view: Decision("S", "S")))
    if fallback is not None:
        offered["fallback"] = kind("fallback", fallback)
    table = Table(offered, (Spec.parse(left_spec), Spec("right")), fallback=Spec("fallback"), deadline_s=deadline_s)
    yield table
    for brain in (left, right, fallback):
        if isinstance(brain, Hanging):
            brain.released.set()
    table.close()


def answer_of(decide: Any) -> runner.Answer:
    """What a brain that decides so, or says so, is taken to have answered."""
    with seated(Function(decide if callable(decide) else lambda view: decide)) as table:
        return table.ask(0, VIEW)


def raising(error: BaseException) -> Any:
    def fail(view: View) -> Decision:
        raise error

    return fail


def test_an_answer_comes_with_its_latency_and_a_time():
    thinking: list[float] = []

    def slow(view: View) -> Decision:
        began = time.monotonic()
        time.sleep(0.05)
        thinking.append(time.monotonic() - began)
        return Decision("m", "m", thought="go on", say="ha", tokens={"prompt": 3})

    with seated(Function(slow)) as table:
        began = time.monotonic()
        answer = table.ask(0, VIEW)
        took = time.monotonic() - began
    assert (answer.status, answer.reason) == ("ok", "")
    assert answer.decision == Decision("m", "m", thought="go on", say="ha", tokens={"prompt": 3})
    assert thinking[0] <= answer.latency_s <= took
    assert answer.timestamp.startswith("20")
    assert answer.timestamp.endswith("Z")


def test_a_brain_that_blocks_fumbles_at_its_deadline_and_is_cancelled(clock):
    brain = Hanging()
    brain.asked = clock.goes
    with seated(brain, deadline_s=0.1) as table:
        answer = table.ask(0, VIEW)
        assert not brain.answered.is_set(), "the table has waited for the brain"
        assert (answer.status, answer.reason, answer.decision) == (
            "timeout", "no answer within 0.1 s", Decision("", None),
        )  # fmt: skip
        assert brain.cancelled.wait(HANGS_S), "the brain was not told that its answer is no longer wanted"


def test_a_late_answer_is_never_taken_for_the_next_one(clock):
    brain = Hanging("B")
    brain.asked = clock.goes
    with seated(brain, deadline_s=0.1) as table:
        late = table.ask(0, VIEW)
        clock.goes.clear()
        brain.answer = "M"
        brain.released.set()
        brain.decide = lambda view: Decision("C17", "C17")  # type: ignore[method-assign,assignment]
        following = table.ask(0, replace(VIEW, number=3))
    assert (late.status, following.decision.command) == ("timeout", "C17")


def test_a_question_that_was_given_up_before_its_turn_is_never_put(clock):
    brain = Hanging()
    brain.asked = clock.goes
    with seated(brain, deadline_s=0.1) as table:
        for _ in range(3):
            table.ask(0, VIEW)
        clock.goes.clear()
        brain.released.set()
        answer = table.ask(0, VIEW)
    assert answer.status == "ok"
    assert brain.count == 2


def test_a_cancel_callback_that_blocks_or_raises_holds_nobody_up(clock):
    stuck, over = threading.Event(), threading.Event()

    def deaf(view: View) -> Decision:
        view.live.on_cancel(lambda: 1 / 0)  # type: ignore[arg-type,return-value]
        view.live.on_cancel(lambda: over.set() if not stuck.wait(HANGS_S) else None)
        clock.goes.set()
        stuck.wait(HANGS_S)
        return Decision("", None)

    with seated(Function(deaf), deadline_s=0.05) as table:
        answer = table.ask(0, VIEW)
        assert not over.is_set(), "the table has waited for the callback"
        stuck.set()
    assert answer.status == "timeout"


@pytest.mark.parametrize("name", MISBEHAVING)
def test_a_brain_that_misbehaves_is_an_error_and_can_be_asked_again(name):
    good = Decision("M", "M")
    script = [MISBEHAVING[name], lambda view: good]
    with seated(Function(lambda view: script.pop(0)(view))) as table:
        answer = table.ask(0, VIEW)
        again = table.ask(0, VIEW)
    assert (answer.status, answer.decision) == ("error", Decision("", None))
    assert "left" in answer.reason
    assert "\n" not in answer.reason
    assert (again.status, again.decision) == ("ok", good)


@pytest.mark.parametrize(
    ("said", "recorded"),
    [
        ("no file '/home/someone/secret plans/x.gguf'", "no file '.../x.gguf'"),
        ("cannot open /home/someone/x.gguf", "cannot open x.gguf"),
        (r"C:\Users\someone\x.gguf is missing", "x.gguf is missing"),
        ("~/models/x.gguf:3: bad", "x.gguf:3: bad"),
        ("POST http://127.0.0.1:11434/api/chat was refused", "POST http://127.0.0.1:11434/api/chat was refused"),
        ("S0/S1 or either / both", "S0/S1 or either / both"),
        ("no\nluck", "no luck"),
        ("x" * 100_000, "x" * 500),
    ],
)
def test_the_reason_of_an_error_is_one_short_line_without_folders(said, recorded):
    assert answer_of(raising(BrainError(said))).reason == recorded


def test_the_reason_of_an_error_tells_no_keys_and_no_machine_and_of_a_bug_the_line(monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "canary-1234567890")
    monkeypatch.setattr(socket, "gethostname", lambda: "annas-desktop")
    where = f"file:///srv/data/x on {socket.gethostname()} https://h/v1?key=AIzaXYZ {Path.home()}/a/b.txt"
    reason = answer_of(raising(BrainError(f"canary-1234567890 at {where}"))).reason
    for secret in ("canary", "/srv", "AIza", str(Path.home()) + "/", socket.gethostname()):
        assert secret not in reason
    assert "https://h/v1" in reason
    bug = answer_of(lambda view: 1 / 0).reason
    assert re.search(r"ZeroDivisionError: division by zero \(test_table\.py, line \d+\)$", bug)


def test_fifty_megabytes_are_cut_to_64_kib():
    huge = "x" * 50_000_000
    decision = answer_of(Decision(huge, huge, thought=huge, say=huge)).decision
    assert (decision.raw, decision.raw_cut) == ("x" * RAW_LIMIT, 50_000_000)
    assert len(decision.thought) + len(decision.say) < 10_000


def test_a_command_is_a_plain_text_of_which_no_megabytes_are_kept():
    command = answer_of(Decision("x", "M" + " " * 1_000_000 + "x")).decision.command
    assert len(command) < 1000
    assert isinstance(parse(command), Nothing)

    class Tricky(str):
        def strip(self, *_):
            raise SystemExit

    assert answer_of(Decision("M", Tricky("M"))).status == "error"


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("x" * RAW_LIMIT, None),
        ("x" * (RAW_LIMIT + 1), "x" * RAW_LIMIT),
        ("€" * 21845 + "x", None),
        ("€" * 21846, "€" * 21845),
        ("😀" * 16384, None),
        ("x" + "😀" * 16384, "x" + "😀" * 16383),
        ("\ud800" * 21845, None),
        ("\ud800" * 21846, "\ud800" * 21845),
    ],
    ids=range(8),
)
def test_an_answer_is_cut_between_characters_and_only_if_it_must_be(raw, kept):
    decision = answer_of(Decision(raw, "M")).decision
    assert decision.raw == (raw if kept is None else kept)
    assert decision.raw_cut == (None if kept is None else len(raw))


def test_the_option_deadline_s_counts_for_its_seat_alone():
    brain = Hanging()
    with seated(brain, left_spec="left:deadline_s=0.05") as table:
        answer = table.ask(0, VIEW)
        assert answer.reason == "no answer within 0.05 s"
        other = table.ask(1, VIEW)
        assert other.status == "ok"


@pytest.mark.parametrize(
    ("human", "spec", "expected"),
    [(False, "x", 7.0), (True, "x", None), (True, "x:deadline_s=9", 9.0), (False, "x:deadline_s=9", 9.0)],
)
def test_a_person_has_no_deadline_unless_a_turn_clock_is_set(human, spec, expected):
    brain_thread = BrainThread({"x": kind("x", ScriptedBrain([]), human=human)}, Spec.parse(spec), 7.0)
    assert (brain_thread.deadline_s, brain_thread.info.human) == (expected, human)


@pytest.mark.parametrize("value", ["soon", "-1", "nan", "inf"])
def test_a_deadline_that_is_no_time_is_refused_with_the_seat(value):
    with (
        pytest.raises(UsageError, match="left: deadline_s of left must be a number"),
        seated(ScriptedBrain([]), left_spec=f"left:deadline_s={value}"),
    ):
        pass


def test_a_brain_knows_how_much_time_it_has_and_may_publish_partial_text():
    told: list[Any] = []
    table: Table

    def think(view: View) -> Decision:
        view.live.publish("half a th")
        thinking = table.thinking
        told.extend([view.live.seconds_left(), thinking and thinking.live.text, thinking and thinking.bot])
        return Decision("M", "M")

    with seated(Function(think)) as table:
        began = time.monotonic()
        table.ask(0, VIEW)
        took = time.monotonic() - began
        assert table.thinking is None
    assert 20 - took <= told[0] <= 20
    assert told[1:] == ["half a th", 0]


def test_stopping_while_a_brain_is_asked_gives_it_up_at_once():
    brain = Hanging()
    with seated(brain, deadline_s=2 * HANGS_S) as table:
        stopper = threading.Thread(target=lambda: (brain.asked.wait(), table.stop()))
        stopper.start()
        assert table.ask(0, VIEW) is Interruption.STOPPED
        assert not brain.answered.is_set(), "the table has waited for the brain"
        assert brain.cancelled.wait(HANGS_S)
        stopper.join()
        assert table.ask(1, VIEW) is Interruption.STOPPED, "a later question was put although the match was left"


def test_a_person_who_leaves_is_not_waited_for():
    asked = threading.Event()
    person = Function(lambda view: (asked.set(), Decision(view.live.wait_for_command(), "M"))[1])
    offered = {"person": kind("person", person, human=True)}
    table = Table(offered, (Spec("person"), Spec("person")), fallback=Spec("none"))
    threading.Thread(target=lambda: (asked.wait(), table.stop())).start()
    assert table.ask(0, VIEW) is Interruption.STOPPED  # a table that waited for the person would do so for ever


def test_a_submitted_command_reaches_the_person_who_is_asked():
    person = Function(lambda view: Decision(*[view.live.wait_for_command()] * 2))
    table = Table({"p": kind("p", person, human=True)}, (Spec("p"), Spec("p")), fallback=Spec("none"))

    def press() -> None:
        while table.thinking is None:
            time.sleep(0.001)
        table.thinking.live.submit_command("C30")

    threading.Thread(target=press).start()
    answer = table.ask(1, VIEW)
    assert answer.decision.command == "C30"
    live = Live()
    live.cancel()
    with pytest.raises(Cancelled):
        live.wait_for_command()


class Modelled(ScriptedBrain):
    def __init__(self, model: Any) -> None:
        super().__init__([])
        self._model = model

    @property
    def model(self) -> Any:  # type: ignore[override]
        if isinstance(self._model, Exception):
            raise self._model
        return self._model


def info(spec: str, model: Any = "") -> Any:
    brain = Modelled(model)
    return BrainThread({"x": kind("x", brain)}, Spec.parse(spec), 1.0).info


@pytest.mark.parametrize(
    ("option", "recorded"),
    [
        ("model=/some/folder/x.gguf", "x.gguf"),
        ("model=models/x.gguf", "x.gguf"),
        (r"model=C:\some\folder\x.gguf", "x.gguf"),
        ("model=../x/y", "y"),
        ("model=hf.co/owner/model:Q4", "hf.co/owner/model:Q4"),
        ("model=llama3.2:latest", "llama3.2:latest"),
        ("base_url=http://CANARY:CANARY@127.0.0.1:11434/v1?k=CANARY#CANARY", "http://127.0.0.1:11434/v1"),
        ("base_url=CANARY:CANARY@127.0.0.1:11434", "127.0.0.1:11434"),
        ("base_url=http://[CANARY@half", "http://half"),
        ("orders=/home/CANARY/orders.txt", "orders.txt"),
        ("rendering=chat", "chat"),
    ],
)
def test_options_are_recorded_without_folders_and_passwords(option, recorded):
    assert dict(info(f"x:{option}").options) == {option.partition("=")[0]: recorded}
    for key in ("key", "api_key", "API_TOKEN", "password", "client_secret", "authorization"):
        assert "CANARY" not in repr(info(f"x:{key}=CANARY"))


def test_a_brain_is_recorded_with_its_name_variant_and_model():
    seat = info("x:raw,name=Bob,deadline_s=3", model="/home/CANARY/y.gguf")
    assert (seat.name, seat.brain, seat.model, dict(seat.options)) == ("Bob", "x:raw", "y.gguf", {"deadline_s": "3"})
    assert [info(spec).name for spec in ("x:raw", "x")] == ["raw", "x"]
    assert [info("x", model).model for model in (None, RuntimeError("no model yet"))] == ["", ""]


class Preparing(ScriptedBrain):
    def __init__(self, error: BaseException | None = None) -> None:
        super().__init__([])
        self.error, self.closed = error, 0

    def prepare(self, report: Any) -> None:
        report("loading")
        if self.error:
            raise self.error

    def close(self) -> None:
        self.closed += 1


def test_brains_are_prepared_before_the_first_play_and_report_what_they_load():
    lines: list[str] = []
    with seated(Preparing(), Preparing()) as table:
        table.prepare(lines.append)
    assert lines == ["loading", "loading"]


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (BrainError("the model is missing; run this"), "right: the model is missing; run this"),
        (UsageError("no such file"), "right: no such file"),
        (ValueError("odd"), "right: right could not start: ValueError: odd (test_table.py, line LINE)"),
        (SystemExit(4), "right: right could not start: SystemExit: 4 (test_table.py, line LINE)"),
    ],
)
def test_what_fails_in_preparing_is_one_sentence_that_names_the_seat(error, sentence):
    with seated(Preparing(), Preparing(error)) as table, pytest.raises(BrainError) as raised:
        table.prepare(lambda _: None)
    line = Preparing.prepare.__code__.co_firstlineno + 3
    assert str(raised.value) == sentence.replace("LINE", str(line))


def test_ctrl_c_while_preparing_gets_through_and_a_prepare_that_cannot_be_looked_up_fails():
    class Torn(ScriptedBrain):
        @property
        def prepare(self) -> Any:
            raise ValueError("torn")

    with seated(Preparing(KeyboardInterrupt())) as table, pytest.raises(KeyboardInterrupt):
        table.prepare(lambda _: None)
    with seated(Torn(["M"]), Preparing()) as table, pytest.raises(BrainError, match=r"left could not start.*torn"):
        table.prepare(lambda _: None)


def explode(_spec: Spec) -> Any:
    raise SystemExit("no")


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (explode, "left: x could not be made: SystemExit: no"),
        (lambda spec: spec.number("n_ctx", 1) and None, "left: x is no brain: its factory made None"),
        (lambda spec: spec.allow(), "left: x has no option 'depth'"),
    ],
)
def test_a_brain_that_cannot_be_made_is_one_sentence_that_names_the_seat(make, sentence):
    offered = {"x": BrainKind("x", "a fake", make)}
    with pytest.raises(UsageError, match=sentence):
        Table(offered, (Spec.parse("x:depth=3"), Spec("x")), fallback=Spec("x"))
    with pytest.raises(UsageError, match="right: there is no brain 'nobody'; choose one of a, b"):
        Table(kinds(a=ScriptedBrain([]), b=ScriptedBrain([])), (Spec("a"), Spec("nobody")), fallback=Spec("a"))


def test_all_brains_are_closed_and_one_that_does_not_let_go_is_left_behind(monkeypatch):
    monkeypatch.setattr("batllm_arcade.seats.table.CLOSING_S", 0.1)
    stuck, good = Preparing(), Preparing()
    closed = threading.Event()
    good.close = closed.set  # type: ignore[method-assign]
    stuck.close = threading.Event().wait  # type: ignore[method-assign,assignment]
    with seated(stuck, good) as table:
        table.close()  # a table that waited for the stuck one would do so for ever
    assert closed.wait(HANGS_S)


LONG = Rules(total_rounds=1, turns_per_round=8)


def game(table: Table, games: int = 1) -> list[Any]:
    table.prepare(lambda _: None)
    return list(runner.play(MatchPlan(LONG, 3, games), table))


def test_a_hanging_brain_is_replaced_by_the_fallback_and_the_match_goes_on():
    brain, fallback = Hanging(), Preparing()
    fallback.answers = [*["M"] * 5]
    with seated(brain, left_spec="left:deadline_s=0.05", fallback=fallback) as table:
        records = game(table)
        assert not brain.answered.is_set(), "the table has waited for the brain"
        assert table.seat(0).brain == "fallback"
    assert [play.status for play in plays(records) if play.bot == 0] == ["timeout"] * 3 + ["ok"] * 5
    assert [(swap.bot, swap.seat.brain) for swap in swaps(records)] == [(0, "fallback")]
    assert results(records) == [(None, "draw")]
    assert fallback.closed
    fallback.assert_used_up()


@pytest.mark.parametrize(
    ("fallback", "errors"),
    [
        (None, 2),
        (Preparing(BrainError("no model")), 2),
        (Preparing(SystemExit(1)), 2),
        (Function(MISBEHAVING["exits"]), 5),
    ],
)  # fmt: skip
def test_a_fallback_that_cannot_be_made_or_fails_too_forfeits_the_game(fallback, errors):
    with seated(Function(MISBEHAVING["raises"]), fallback=fallback) as table:
        records = game(table)
    assert [play.status for play in plays(records) if play.bot == 0] == ["error"] * errors + ["forfeit"]
    assert results(records) == [(1, "forfeit")]
    assert getattr(fallback, "closed", 1), "the fallback that could not start was not closed"


def test_a_seat_that_fell_back_stays_with_the_fallback_in_the_next_game():
    failing = Function(MISBEHAVING["raises"])
    with seated(failing, fallback=Function(lambda view: Decision("S", "S"))) as table:
        records = game(table, games=2)
    assert len(swaps(records)) == 1
    assert [play.status for play in plays(records) if play.game == 2] == ["ok"] * 16


def test_a_fallback_that_hangs_while_it_gets_ready_is_given_up_within_the_deadline():
    held, over = threading.Event(), threading.Event()

    class Slow(ScriptedBrain):
        def prepare(self, report):
            if not held.wait(HANGS_S):
                over.set()

    brains = kinds(a=ScriptedBrain([]), fake=Slow([]))
    table = Table(brains, (Spec("a"), Spec("a")), fallback=SPEC, deadline_s=0.2)
    assert not table.fall_back(0, "it failed")
    assert not over.is_set(), "the table has waited for the fallback"
    held.set()


class Clock:
    """A clock that only goes while somebody waits for an answer that never comes."""

    def __init__(self) -> None:
        self.now, self.waits = 0.0, 0
        self.at: dict[int, Any] = {}

    def __call__(self) -> float:
        return self.now

    def is_set(self) -> bool:
        return False

    def wait(self, seconds: float) -> bool:
        """An event that is never set; `at` has what happens before the wait of that number."""
        self.waits += 1
        self.at.get(self.waits, lambda: None)()
        self.now += seconds
        return False


def waited(deadline_s: float, **at: Any) -> float:
    clock = Clock()
    live, slot = Live(deadline_s, clock=clock), ReplySlot()
    slot.ready = clock  # type: ignore[assignment]
    clock.at = {int(number[1:]): lambda held=held: live.hold(held) for number, held in at.items()}
    wait_for_answer(slot, live)
    return clock.now


def test_an_answer_is_waited_for_until_its_deadline_which_may_stand_still():
    assert waited(0.5) == pytest.approx(0.5)
    assert waited(0.5, w2=True, w12=False) == pytest.approx(0.5 + 10 * 0.2)  # waits are 0.2 s long while there is time


def test_the_time_left_stands_still_while_it_is_held():
    clock = Clock()
    live = Live(10.0, clock=clock)
    left = []
    for now, held in ((4.0, True), (50.0, True), (100.0, False), (103.0, False), (999.0, False)):
        clock.now = now
        live.hold(held)
        left.append(live.seconds_left())
    assert left == [6.0, 6.0, 6.0, 3.0, 0.0]
    endless = Live(None, clock=clock)
    endless.hold(True)
    endless.hold(False)
    assert endless.seconds_left() is None
