"""Bots as classes and as plans, replies with thoughts, orders, and helpers that read like sentences."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from batllm_arcade import BotView, Reply, bot
from batllm_arcade.brains.bots import BotBrain, bot_kind
from batllm_arcade.brains.protocol import BrainError, Spec, View
from batllm_arcade.core.model import Arena, BotState, Rules

FACING = Arena(BotState(200, 500, 0, 100, False), BotState(800, 500, 180, 100, False))


def view(game: int = 1, round: int = 1, turn: int = 1, arena: Arena = FACING, orders: str = "") -> View:
    return View(0, Rules(), game, round, turn, 2 * turn - 1, (0, 1), (orders, "no"), arena, arena, rng=Random(turn))


def tokens(brain: BotBrain, *views: View) -> list[str | None]:
    return [brain.decide(each).command for each in views]


def test_a_reply_has_a_thought_and_words_beside_its_command():
    decision = BotBrain("b", lambda me, foe, clock: Reply("B", "got it", "Ha!")).decide(view())
    assert (decision.raw, decision.command, decision.thought, decision.say) == ("B", "B", "got it", "Ha!")
    assert BotBrain("b", lambda me, foe, clock: Reply(None, "waiting")).decide(view()).command is None
    with pytest.raises(BrainError, match="b returned 7"):
        BotBrain("b", lambda me, foe, clock: Reply(7)).decide(view())


def test_a_class_keeps_what_it_knows_for_a_game_and_forgets_it_for_the_next():
    class Counting:
        def __init__(self) -> None:
            self.plays = 0

        def decide(self, me, foe, clock):
            self.plays += 1
            return f"C{self.plays}"

    brain = bot_kind("counting", Counting).make(Spec("counting"))
    views = [view(turn=1), view(turn=2), view(round=2), view(game=2)]
    assert tokens(brain, *views) == ["C1", "C2", "C3", "C1"]


def test_a_plan_goes_on_after_every_play_with_what_is_true_then():
    @bot("plan")
    def plan(me, foe, clock):
        yield f"C{me.x:.0f}"
        yield Reply(f"C{me.x:.0f}", f"turn {clock.turn}, {foe.health:.0f}")
        return f"A{me.x:.0f}"

    brain = bot_kind("plan", plan).make(Spec("plan"))
    moved = replace(FACING, left=replace(FACING.left, x=250), right=replace(FACING.right, health=40))
    first, second = brain.decide(view()), brain.decide(view(turn=2, arena=moved))
    assert (first.command, second.command, second.thought) == ("C200", "C250", "turn 2, 40")
    # What it returns is its last command; then it begins again, also in the next round.
    assert tokens(brain, view(turn=3), view(turn=4), view(round=2)) == ["A200", "C200", "C200"]


def test_a_plan_begins_again_after_plays_of_somebody_else_and_in_another_game():
    def plan(me, foe, clock):
        yield from ("C1", "C2", "C3")

    brain = BotBrain("plan", plan)
    assert tokens(brain, view(), view(turn=2), view(turn=2), view(turn=5), view(game=2)) == ["C1", "C2"] + ["C1"] * 3
    assert tokens(BotBrain("empty", lambda me, foe, clock: None), view()) == [None]

    def nothing(me, foe, clock):
        yield from ()

    assert tokens(BotBrain("nothing", nothing), view(), view(turn=2)) == [None, None]


def test_a_bot_names_the_orders_it_takes_and_reads_them():
    @bot("obedient", prompted=("hold", "charge"))
    def decide(me, foe, clock):
        """Does as it is told."""
        return None if clock.ordered("HOLD") else "M" if clock.ordered("charge") else "B"

    kind = bot_kind("obedient", decide)
    assert (kind.prompted, kind.summary) == (True, "Does as it is told.; takes the orders hold, charge")
    brain = kind.make(Spec("obedient"))
    orders = ("Hold on!", "CHARGE, my friend", "recharge")
    assert tokens(brain, *(view(orders=text) for text in orders)) == [None, "M", "B"]


def test_sentences_about_a_shot():
    me, foe = BotView.pair(FACING, 0, Rules())
    assert me.would_hit(foe)
    assert me.line_to(foe) == (0.0, 600.0, True, False)
    assert me.can_step(foe)
    up = replace(FACING, right=replace(FACING.right, shield=True))
    for arena, hits, shielded in ((up, False, True), (replace(up, right=replace(up.right, rot=90)), True, False)):
        me, foe = BotView.pair(arena, 0, Rules())
        assert me.would_hit(foe) is hits
        assert foe.is_shielded_from(me) is shielded
        assert (me.simulate("B").foe.health < 100) is hits
    for change in ({"shield": True}, {"rot": 90}):
        me, foe = BotView.pair(replace(FACING, left=replace(FACING.left, **change)), 0, Rules())
        assert not me.would_hit(foe)
    cornered, foe = BotView.pair(replace(FACING, left=replace(FACING.left, x=60, rot=180)), 0, Rules())
    assert not cornered.can_step(foe)
