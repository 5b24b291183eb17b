"""The match runner: the order of its records, the rules of a game's course, failures and forfeits."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from fakes import FAILED, LATE, FakeTable, Sits, aim, played, plays, results, swaps
from values import changeable, roomy

from batllm_arcade.brains.protocol import Decision, PayloadStyle
from batllm_arcade.core import rules as game_rules
from batllm_arcade.core.model import Rules
from batllm_arcade.match import runner
from batllm_arcade.match.records import GameEnded, GameStarted, Play, RoundEnded, RoundStarted, SessionEnded
from batllm_arcade.match.runner import MatchPlan
from batllm_arcade.match.transcript import Transcript
from batllm_arcade.prompts.conversation import ConversationDialogue
from batllm_arcade.prompts.payload import payload_messages

SHORT = Rules(total_rounds=2, turns_per_round=2)
ONE_TURN = Rules(total_rounds=1, turns_per_round=1)
LONG = Rules(total_rounds=1, turns_per_round=10)
FRAIL = Rules(initial_health=(5, 5), initial_shield=False, total_rounds=1, turns_per_round=3)


def shape(records: list[Any]) -> list[str]:
    return [type(record).__name__ for record in records]


def first_to_act(rules: Rules, seed: int = 1) -> int:
    stream = Random(f"{seed}/1")
    game_rules.start(stream, rules)
    return game_rules.acting_order(stream)[0]


def by_order(rules: Rules, first: list[Any], second: list[Any], seed: int = 1) -> tuple[list[Any], list[Any]]:
    """The two scripts, left first, so that `first` is the script of the bot that acts first."""
    return (first, second) if first_to_act(rules, seed) == 0 else (second, first)


def test_the_stream_tells_session_game_round_plays_and_their_ends_in_order():
    records = played(["M"] * 4, ["S"] * 4, rules=SHORT)
    rounds = ["RoundStarted", *["Play"] * 4, "RoundEnded"]
    assert shape(records) == ["SessionStarted", "GameStarted", *rounds, *rounds, "GameEnded", "SessionEnded"]
    counters = [(play.game, play.round, play.turn, play.number) for play in plays(records)]
    turns = [(1, 1), (1, 2), (2, 3), (2, 4)]
    assert counters == [(1, round, turn, number) for round in (1, 2) for turn, number in turns]
    assert records[1].drawn


def test_games_are_numbered_from_one_and_each_has_its_own_start():
    records = played(["M"] * 3, ["S"] * 3, rules=ONE_TURN, games=3)
    started = [record for record in records if isinstance(record, GameStarted)]
    assert [record.game for record in started] == [1, 2, 3]
    assert len({record.arena for record in started}) == 3
    assert shape(records)[-1] == "SessionEnded"
    assert shape(records).count("SessionStarted") == 1


@pytest.mark.parametrize("seed", range(6))
def test_start_and_acting_orders_come_from_the_games_own_stream(seed):
    records = played(["M"] * 4, ["S"] * 4, rules=replace(SHORT, turns_per_round=1), games=2, seed=seed)
    for game in (1, 2):
        stream = Random(f"{seed}/{game}")
        expected: list[Any] = [game_rules.start(stream, replace(SHORT, turns_per_round=1))]
        expected += [game_rules.acting_order(stream), game_rules.acting_order(stream)]
        mine = [record for record in records if getattr(record, "game", 0) == game]
        found = [record.arena for record in mine if isinstance(record, GameStarted)]
        assert found + [record.acting_order for record in mine if isinstance(record, RoundStarted)] == expected


def test_a_seat_draws_from_a_stream_of_its_own_through_all_rounds_of_a_game():
    drawn: dict[tuple[int, int], list[float]] = {}

    def draw(view: Any) -> Decision:
        drawn.setdefault((view.game, view.seat), []).append(view.rng.random())
        return Decision("S", "S")

    played([draw] * 4, [draw] * 4, rules=replace(SHORT, turns_per_round=1), games=2, seed=9)
    for game in (1, 2):
        for bot, seat in enumerate(("left", "right")):
            stream = Random(f"9/{game}/{seat}")
            assert drawn[game, bot] == [stream.random(), stream.random()]


@pytest.mark.parametrize("seed", range(4))
def test_the_acting_order_is_drawn_once_a_round_and_holds_for_it(seed):
    records = played(["M"] * 30, ["M"] * 30, rules=Rules(total_rounds=6, turns_per_round=5), seed=seed)
    orders = [record.acting_order for record in records if isinstance(record, RoundStarted)]
    assert len(set(orders)) == 2, "six rounds with one order: choose another seed"
    for number, order in enumerate(orders, 1):
        assert [play.bot for play in plays(records) if play.round == number] == list(order) * 5


def test_the_second_to_act_sees_what_the_first_did():
    seen = []

    def observe(view: Any) -> Decision:
        seen.append((view.number, view.arena.bot(1 - view.seat).shield, view.arena == view.initial))
        return Decision("S0", "S0")

    played([observe], [observe], rules=ONE_TURN)
    assert seen == [(1, True, True), (2, False, False)]


def test_a_view_holds_the_finished_turns_of_this_round_only():
    views = []

    def observe(view: Any) -> Decision:
        views.append(view)
        return Decision(f"raw {view.number}", "S")

    played([observe] * 4, [observe] * 4, rules=SHORT, prompts=("win", "hide"))
    assert [len(view.history) for view in views] == [0, 0, 1, 1] * 2
    past = views[2].history[0]
    assert (past.turn, past.after) == (1, views[2].arena)
    assert [(play.bot, play.raw, play.cmd) for play in past.plays] == [
        (views[0].seat, "raw 1", "S"),
        (views[1].seat, "raw 2", "S"),
    ]
    assert {view.prompt for view in views if view.seat == 1} == {"hide"}


def test_each_seat_is_sent_its_own_header_and_none_without_augmentation():
    rules = replace(ONE_TURN, bullet_damage=(3, 7))
    headers: dict[int, str] = {}

    def observe(view: Any) -> Decision:
        headers[view.seat] = view.system_header
        return Decision("S", "S")

    played([observe], [observe], rules=rules, header_template="damage $bullet_damage")
    assert headers == {0: "damage 3", 1: "damage 7"}
    records = played([observe], [observe], rules=rules, header_template="damage", style=PayloadStyle(aug=False))
    assert headers == {0: "", 1: ""}
    assert [record.system_headers for record in records if isinstance(record, RoundStarted)] == [("", "")]


def test_state_carries_over_from_play_to_play_and_round_to_round():
    records = played(["M", "C30", "S0", "B"], ["S0", "A45", "M", "M"], rules=SHORT)
    arena = next(record.arena for record in records if isinstance(record, GameStarted))
    for record in records:
        if isinstance(record, Play):
            assert record.before == arena
            arena = record.after
        elif isinstance(record, (RoundStarted, RoundEnded, GameEnded)):
            assert record.arena == arena
    assert arena.left.shield is False


def test_a_knock_out_ends_the_game_in_mid_turn():
    left, right = by_order(FRAIL, [aim, "B"], ["S0"])
    records = played(left, right, rules=FRAIL)
    first = first_to_act(FRAIL)
    assert [play.number for play in plays(records)] == [1, 2, 3]
    assert shape(records)[-4:] == ["Play", "RoundEnded", "GameEnded", "SessionEnded"]
    assert records[-3].ended == "knockout"
    assert results(records) == [(first, "knockout")]
    assert records[-2].rounds == 1
    table = FakeTable([], [])
    table.ask = lambda bot, view: runner.Answer(  # type: ignore[method-assign]
        aim(view) if view.turn == 1 else Decision("B", "B"), "ok", "", 0.0, ""
    )
    three = list(runner.play(MatchPlan(replace(FRAIL, turns_per_round=2), 1, 3), table))
    assert [reason for _, reason in results(three)] == ["knockout"] * 3, "it ends its own game only"


@pytest.mark.parametrize("winner", [0, 1])
def test_after_the_last_round_the_higher_share_of_health_wins_on_points(winner):
    # The other bot starts with more health, but loses a larger part of it.
    health = (10, 100) if winner == 0 else (100, 10)
    rules = Rules(
        initial_health=health, bullet_damage=(20, 20), initial_shield=False, total_rounds=1, turns_per_round=2
    )
    scripts = ([aim, "B"], ["S0", "S0"])
    records = played(*(scripts if winner == 0 else scripts[::-1]), rules=rules)
    assert results(records) == [(winner, "points")]
    equal = played(["M"], ["M"], rules=replace(ONE_TURN, initial_health=(30, 90)))
    assert results(equal) == [(None, "draw")]


@pytest.mark.parametrize(
    ("answer", "status", "raw", "reason"),
    [
        (Decision("I would fire", "I would fire"), "invalid", "I would fire", "'I would fire' is no command"),
        (None, "ok", "", ""),  # on purpose
        (LATE, "timeout", "", LATE.reason),
        (FAILED, "error", "", FAILED.reason),
        (replace(FAILED, decision=Decision("M", "M")), "error", "M", FAILED.reason),
    ],
)
def test_what_is_no_command_or_came_with_a_failure_does_nothing_and_keeps_its_reason(answer, status, raw, reason):
    play = next(play for play in plays(played([answer], ["S"], rules=ONE_TURN)) if play.bot == 0)
    assert (play.status, play.command.token, play.decision.raw) == (status, "ERR", raw)
    assert play.reason.startswith(reason)
    assert bool(play.reason) == bool(reason)
    assert play.before == play.after


def test_three_failures_in_a_row_give_the_seat_to_the_fallback():
    records = played([LATE, FAILED, LATE], ["S"] * 4, fallbacks={0: ["M"]}, rules=replace(LONG, turns_per_round=4))
    (swap,) = swaps(records)
    assert (swap.bot, swap.seat.brain, swap.why, swap.problem) == (0, "fake:fallback", "fallback", LATE.reason)
    assert [play.status for play in plays(records) if play.bot == 0] == ["timeout", "error", "timeout", "ok"]
    following = records[records.index(swap) + 1]
    assert isinstance(following, Play)
    assert (following.bot, following.number) == (0, swap.number)


def test_a_success_in_between_resets_the_count_of_failures_which_each_seat_has_of_its_own():
    played([LATE, FAILED, "M", LATE, FAILED, "nonsense", LATE, LATE, None, FAILED], ["S"] * 10, rules=LONG)
    records = played([LATE, LATE, "M"], [FAILED, FAILED, "M"], rules=replace(LONG, turns_per_round=3))
    assert swaps(records) == []
    records = played([LATE] * 3, ["S"] * 10, fallbacks={0: [LATE, LATE, "M"] + ["M"] * 4}, rules=LONG)
    assert results(records) == [(None, "draw")]


def test_the_fallback_of_a_rounds_last_play_is_announced_in_the_next_round():
    rules = Rules(total_rounds=2, turns_per_round=3)
    records = played([LATE] * 3, ["S"] * 6, fallbacks={0: ["M"] * 3}, rules=rules)
    (swap,) = swaps(records)
    new = next(play for play in plays(records) if play.round == 2 and play.bot == 0)
    assert (swap.round, swap.number) == (2, new.number)
    assert records[records.index(swap) + 1] is new


def test_three_failures_of_the_fallback_forfeit_the_game():
    records = played([LATE] * 3, ["S"] * 6, fallbacks={0: [FAILED] * 3}, rules=LONG, seed=first_seed(1))
    statuses = [play.status for play in plays(records) if play.bot == 0]
    assert statuses == ["timeout"] * 3 + ["error", "error", "forfeit"]
    assert results(records) == [(1, "forfeit")]
    assert records[-3].ended == "abandoned"
    assert plays(records)[-1].reason == FAILED.reason


def first_seed(bot: int) -> int:
    """A seed with which this bot acts first in game 1."""
    return next(seed for seed in range(100) if first_to_act(LONG, seed) == bot)


def test_without_a_fallback_the_third_failure_forfeits_and_abandons_the_round():
    table = FakeTable([LATE] * 6, ["S"] * 6)
    records = list(runner.play(MatchPlan(replace(LONG, turns_per_round=3), first_seed(1), 2), table))
    assert plays(records)[-1].status == "forfeit"
    assert results(records) == [(1, "forfeit")] * 2, "each ends its own game only"
    assert [record.ended for record in records if isinstance(record, RoundEnded)] == ["abandoned"] * 2


def test_a_match_that_is_stopped_ends_in_good_order_without_a_winner():
    records = played(["M", "M", FakeTable.STOP], ["S", "S"], rules=LONG, games=3, seed=first_seed(0))
    assert shape(records)[-4:] == ["Play", "RoundEnded", "GameEnded", "SessionEnded"]
    assert records[-3].ended == "abandoned"
    assert results(records) == [(None, "aborted")]
    assert isinstance(records[-1], SessionEnded)
    records = played([LATE] * 3, ["S"] * 3, fallbacks={0: [FakeTable.STOP]}, rules=LONG, seed=first_seed(0))
    assert len(swaps(records)) == 1, "between swap and play"
    assert results(records) == [(None, "aborted")]
    records = played(["M"] * 2, ["S"] * 2, rules=SHORT, games=2, intervals=[FakeTable.STOP])
    assert shape(records)[-3:] == ["RoundEnded", "GameEnded", "SessionEnded"]
    assert (results(records), records[-2].rounds) == ([(None, "aborted")], 1)


def test_the_consumer_sets_the_pace():
    table = FakeTable(["M"] * 2, ["S"] * 2)
    stream = runner.play(MatchPlan(replace(LONG, turns_per_round=2), 1), table)
    for record in stream:
        if isinstance(record, Play):
            break
    assert sum(len(brain.views) for brain in table.brains) == 1


def test_the_same_seed_and_the_same_answers_give_the_same_records():
    script = ["M", "C40", "S0", "B"]
    assert played(script, script, rules=SHORT, seed=5) == played(script, script, rules=SHORT, seed=5)
    assert played(script, script, rules=SHORT, seed=5) != played(script, script, rules=SHORT, seed=6)


def test_a_brain_that_was_given_up_no_longer_draws_from_the_seats_stream():
    late: list[Random] = []

    def fumble(view):
        late.append(view.rng)
        view.rng.random()
        return LATE

    drawn: list[float] = []

    def draw(view):
        drawn.append(view.rng.random())
        return Decision("M", "M")

    played([fumble, draw, draw], ["M", "M", "M"], rules=Rules(total_rounds=1, turns_per_round=3), seed=5)
    stream = Random("5/1/left")
    assert drawn == [stream.random(), stream.random()]
    assert late[0].random() == drawn[1]  # on its own copy it may go on as it likes


def test_who_is_asked_in_anothers_place_draws_from_the_stream_where_it_was():
    drawn: list[float] = []

    def given_up(view):
        view.rng.random()

    def draw(view):
        drawn.append(view.rng.random())
        return Decision("M", "M")

    class Grabbed(FakeTable):
        def ask(self, bot, view):
            answer = super().ask(bot, view)
            if bot == 0 and isinstance(answer, runner.Answer) and not drawn and not self.seat_changes:
                self.brains[0].answers.insert(0, draw)
                self.seat_changes[0] = runner.SeatChange(self.seat(0), "wheel")
                return runner.Interruption.ANOTHER
            return answer

    table = Grabbed([given_up, draw], ["S", "S"])
    list(runner.play(MatchPlan(Rules(total_rounds=1, turns_per_round=2), 5), table))
    stream = Random("5/1/left")
    assert drawn == [stream.random(), stream.random()]


def test_an_arrival_starts_with_a_clean_record_of_failures():
    left = [LATE, FAILED, Sits("new"), LATE, FAILED, "M", LATE, LATE]
    records = played(left, ["S"] * 7, rules=Rules(total_rounds=1, turns_per_round=7))
    assert [swap.why for swap in swaps(records)] == ["swap"]


def test_new_prompts_hold_from_their_round_on_and_are_what_models_are_told():
    told: list[tuple[int, Any, str]] = []
    talk = ConversationDialogue(lambda: "2026-01-01T12:00:00Z")

    def observe(view):
        payload = json.loads(payload_messages(view)[-1]["content"])["round_prompt"]
        talk.messages(view)
        decision = Decision("S", "S")
        talk.answered(view, decision)
        told.append((view.round, payload, view.prompt))
        return decision

    rules = Rules(total_rounds=3, turns_per_round=1)
    records = played([observe] * 3, ["S"] * 3, rules=rules, prompts=("win", "hide"), intervals=[("charge", "hide")])
    assert [record.prompts for record in records if isinstance(record, RoundStarted)] == [
        ("win", "hide"), ("charge", "hide"), ("charge", "hide"),
    ]  # fmt: skip
    assert [prompt for _, _, prompt in told] == ["win", "charge", "charge"]
    assert [payload for _, payload, _ in told][1] == {"self": "charge", "opp": "hide"}
    said = [each["content"]["text"] for each in talk.array if each["role"] == "user"]
    assert [text for text in said if text in ("win", "charge")] == ["win", "charge", "charge"]
    transcript = Transcript()
    for record in records:
        transcript.add(record)
    assert any(
        each["content"] == {"userid": "<@left>", "text": "charge"} for each in transcript.conversations[0].messages
    )


def test_new_prompts_change_nothing_else_about_a_seeded_game():
    script = ["M", "C40", "S0", "B"]
    plain, changed = (
        played(script, script, rules=SHORT, seed=5, intervals=intervals) for intervals in ([], [("charge", "hide")])
    )
    assert plays(plain) == plays(changed)
    both = played(script, script, rules=replace(SHORT, turns_per_round=1), games=2, intervals=[("a", "b")])
    given = [record.prompts for record in both if isinstance(record, RoundStarted)]
    assert given == [("", ""), *[("a", "b")] * 3], "they are those of the next game, too"
    assert changed == played(script, script, rules=SHORT, seed=5, intervals=[("charge", "hide")])


def test_an_abandoned_round_takes_its_draws_with_it_and_the_state_goes_on():
    left, right = by_order(SHORT, ["M", FakeTable.ABANDON, "M", "M"], ["C5", "S", "S"])
    records = played(left, right, rules=SHORT)
    ends = [record for record in records if isinstance(record, RoundEnded)]
    assert [record.ended for record in ends] == ["abandoned", "complete"]
    rounds = [record for record in records if isinstance(record, RoundStarted)]
    assert rounds[1].arena == ends[0].arena
    stream = Random("1/1")
    game_rules.start(stream, SHORT)
    assert [record.acting_order for record in rounds] == [game_rules.acting_order(stream) for _ in (1, 2)]


def spoiling(then: Any) -> Any:
    """A brain that spoils its random stream, and answers this."""

    def decide(view: Any) -> Any:
        del view.rng.gauss_next
        return then

    return decide


def test_who_spoils_its_random_stream_has_failed_and_who_is_late_besides_is_late():
    own = [spoiling("M"), spoiling(LATE), "M"]
    found = plays(played(own, ["M"] * 3, rules=replace(LONG, turns_per_round=3), seed=1))
    mine = [play for play in found if play.bot == 0]
    assert [play.status for play in mine] == ["error", "timeout", "ok"]
    assert mine[0].reason == runner.TAMPERED
    assert mine[0].command.token == "ERR"
    assert mine[1].reason == LATE.reason


def test_what_a_match_yields_are_values():
    assert changeable("batllm_arcade.match") == set()
    assert roomy("batllm_arcade.match") == set()
