"""Bots in four lines: what a script sees, the tokens it is given, and the brain made from it."""

from __future__ import annotations

import re
from copy import copy
from dataclasses import replace
from math import hypot
from pathlib import Path
from random import Random

import pytest
from approved import approve
from batllm_arcade_plugins.scripted import CHARACTERS
from sentences import without_place

from batllm_arcade import BotBrain, BotView, BrainError, Reply, View, bot, turn_token
from batllm_arcade.brains.bots import bot_kind
from batllm_arcade.brains.live import Live
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.core import rules as game
from batllm_arcade.core.commands import Nothing, parse
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.errors import UsageError
from batllm_arcade.settings import config

TURRET = """
from batllm_arcade import bot
@bot("turret")
def decide(me, foe, clock):
    return "S0" if me.shield else "B" if me.aims_at(foe) else me.turn_to(foe)
"""


def dropped_in(code):
    namespace = {}
    exec(code, namespace)
    return namespace["decide"]


def seen(x, y, rot=0.0, shield=False, rules=Rules()):  # noqa: B008
    return BotView(BotState(x, y, rot, 100, shield), rules)


def view(arena, seat=0, **changes):
    given = {
        "seat": seat, "rules": Rules(), "game": 1, "round": 2, "turn": 3, "number": 5, "acting_order": (0, 1),
        "prompts": ("", ""), "arena": arena, "initial": arena,
    }  # fmt: skip
    return View(**(given | changes))


FACING = Arena(BotState(200, 500, 0, 100, False), BotState(800, 500, 180, 90, True))


def duel(brains, seed, turns=60):
    """Play one round between two brains; returns the result."""
    rules = Rules(turns_per_round=turns, bullet_damage=(20, 20))
    arena = game.start(Random(seed), rules)
    streams = (Random(f"{seed}/left"), Random(f"{seed}/right"))
    for turn in range(1, turns + 1):
        for seat in (0, 1):
            asked = view(arena, seat, rules=rules, turn=turn, rng=streams[seat])
            command = parse(brains[seat].decide(asked).command)
            assert not isinstance(command, Nothing) or not command.reason
            arena, _ = game.step(arena, seat, command, rules)
            if game.knocked_out(arena) is not None:
                return game.outcome(arena, rules)
    return game.outcome(arena, rules)


def test_the_four_line_turret_is_a_brain_that_beats_a_random_one():
    decide = dropped_in(TURRET)
    assert decide(seen(200, 500, shield=True), seen(800, 500), None) == "S0", "the decorator leaves it as it is"
    turret = BotBrain("turret", decide)
    rival = BotBrain("random", CHARACTERS["random"])
    wins = sum(duel((turret, rival), seed).winner == 0 for seed in range(10))
    wins += sum(duel((rival, turret), seed).winner == 1 for seed in range(10, 20))
    assert wins >= 15


def test_a_bots_kind_has_its_name_and_its_first_line_as_summary():
    @bot("sentry")
    def decide(me, foe, clock):
        """Waits.

        And waits.
        """

    kind = bot_kind("sentry", decide)
    assert (kind.name, kind.summary) == ("sentry", "Waits.")
    assert bot_kind("turret", dropped_in(TURRET)).summary == "a scripted bot"
    assert kind.make(Spec("sentry")).decide(view(FACING)).command is None
    with pytest.raises(UsageError, match="sentry has no option 'speed'"):
        kind.make(Spec("sentry", "", {"speed": "9"}))


@pytest.mark.parametrize("answer", [17, 0, 1.5, True, b"M", ["M"], ("M",), {"cmd": "M"}, object()])
def test_a_bot_that_returns_no_text_is_told_so(answer):
    with pytest.raises(BrainError) as told:
        BotBrain("b", lambda me, foe, clock: answer).decide(view(FACING))
    sentence = without_place(str(told.value))
    assert re.fullmatch(r"b returned .*; return a command's text, a Reply or None", sentence)


def test_a_bot_sees_itself_its_opponent_and_the_clock():
    calls = []
    rng = Random(5)
    brain = BotBrain("b", lambda me, foe, clock: calls.append((me, foe, clock)))
    brain.decide(view(FACING, seat=1, rng=rng))
    me, foe, clock = calls[0]
    assert (me.x, me.y, me.rot, me.health, me.shield) == (800, 500, 180, 90, True)
    assert (foe.x, foe.y, foe.rot, foe.health, foe.shield) == (200, 500, 0, 100, False)
    assert (clock.game, clock.round, clock.turn, clock.rounds, clock.turns_per_round) == (1, 2, 3, 3, 20)
    assert clock.seconds_left is None
    decision = brain.decide(view(FACING, live=Live(60)))
    assert 0 < calls[1][2].seconds_left <= 60
    assert (decision.raw, decision.command) == ("", None), "None does nothing on purpose"
    assert clock.rng is rng
    assert me.rules == Rules()


@pytest.mark.parametrize(
    ("turn", "digits", "token"),
    [
        (17, 2, "C17"), (-17, 2, "A17"), (0, 2, "C0"), (-0.001, 2, "A0"), (12.345, 1, "C12.3"), (-12.5, 2, "A12.5"),
        (100, 0, "C100"), (-170, 0, "A170"), (0.2, 0, "C0"), (10, 0, "C10"), (20.04, 1, "C20"), (1e-7, 9, "C0.0000001"),
        (180, 2, "C180"), (-180, 2, "C180"), (179.999, 2, "C180"), (200, 2, "A160"), (-270, 2, "C90"), (360, 2, "C0"),
    ],
)  # fmt: skip
def test_a_turns_token_takes_the_shorter_way_and_keeps_the_zeros_that_count(turn, digits, token):
    assert turn_token(turn, digits) == token


RULES = {"default": Rules(), "couch": config.load("couch").rules, "arena": config.load("arena").rules}


def seen_by_a_bot(case):
    """What a bot at x, y, direction, shield and charge is told of itself and of another one."""
    rules, *places = case
    mine, theirs = (BotState(x, y, rot, 100, shield, charge) for x, y, rot, shield, charge in places)
    me, foe = BotView.pair(Arena(mine, theirs), 0, RULES[rules])
    shot = me.simulate("B").foe.health < 100
    assert shot == (me.would_hit(foe) and me.loaded)
    bare = BotView.pair(Arena(replace(mine, shield=False), replace(theirs, shield=False)), 0, RULES[rules])
    assert not me.loaded or me.aims_at(foe) == (bare[0].simulate("B").foe.health < 100)
    if me.back:
        moved = me.simulate(me.back).me
        assert (hypot(moved.x - me.x, moved.y - me.y) >= 30) == me.can_step_back(foe)
    says = {
        "aims": me.aims_at(foe), "faces": me.faces(foe), "would hit": me.would_hit(foe), "menaces": me.menaces(foe),
        "covers": me.covers(foe), "is shielded": me.is_shielded_from(foe), "loaded": me.loaded,
        "can step": me.can_step(foe), "can step back": me.can_step_back(foe),
    }  # fmt: skip
    return (
        f"{', '.join(name for name, is_so in says.items() if is_so)}\n"
        f"bearing {me.bearing_to(foe):.1f}, {me.free_ahead():.3f} free, its {me.part_towards(foe)} towards it, "
        f"strikes {me.strike(foe)}, {len(me.banks(foe))} shots off a wall, "
        f"the line {[round(float(each), 3) for each in me.line_to(foe)]}"
    )


def test_a_view_tells_what_bears_what_is_free_and_what_a_shot_would_do():
    approve(Path(__file__).parent / "approved" / "views.txt", seen_by_a_bot)


def test_a_turn_to_another_bot_faces_it():
    rules = Rules(arena_width=100_000, arena_height=100_000, bot_radius=0.1)
    me, foe = seen(50, 50, rules=rules), seen(90_000, 77_777, rules=rules)  # a speck far away
    assert seen(50, 50, parse(me.turn_to(foe)).degrees, rules=rules).aims_at(foe)
    for seed in range(200):
        arena = game.start(Random(seed), Rules())
        me, foe = BotView(arena.left, Rules()), BotView(arena.right, Rules())
        turned, _ = game.step(arena, 0, parse(me.turn_to(foe)), Rules())
        assert BotView(turned.left, Rules()).bearing_to(foe) == pytest.approx(0, abs=0.006)
        assert BotView(turned.left, Rules()).aims_at(foe)


@pytest.mark.parametrize("rot", [0, 37, 90, 180, 270, 359])
def test_a_turn_away_faces_the_other_way(rot):
    me, foe = seen(500, 500, rot), seen(800, 300)
    command = parse(me.turn_away(foe))
    turned = seen(500, 500, (rot + command.degrees) % 360)
    assert abs(turned.bearing_to(foe)) == pytest.approx(180, abs=0.006)
    assert abs(command.degrees) <= 180


COUCH = Rules(bot_radius=60, step_length=100, bullet_damage=(12, 7), shield_degrees=50, battery=9, side_damage=2)


def charged(charge, x=200, rot=0.0, shield=False, rules=COUCH):
    return BotView(BotState(x, 500, rot, 100, shield, charge), rules)


def both(charge=3, rules=COUCH, seat=0, shield=False):
    left, right = BotState(200, 500, 0, 100, False, charge), BotState(800, 500, 180, 90, shield, 4)
    return BotView.pair(Arena(left, right), seat, rules)


@pytest.mark.parametrize("token", ["B", "M", "C90", "S1", "S0", None, "nonsense"])
@pytest.mark.parametrize("seat", [0, 1])
def test_what_would_happen_is_what_the_rules_make_happen(token, seat):
    me, _ = both(seat=seat)
    mine, theirs, events = me.simulate(token)
    arena = Arena(BotState(200, 500, 0, 100, False, 3), BotState(800, 500, 180, 90, False, 4))
    after, happened = game.step(arena, seat, parse(token), COUCH)
    assert events == happened
    for view_after, state in ((mine, after.bot(seat)), (theirs, after.bot(1 - seat))):
        assert (view_after.x, view_after.y, view_after.rot) == (state.x, state.y, state.rot)
        assert (view_after.health, view_after.shield, view_after.charge) == (state.health, state.shield, state.charge)


def test_asking_changes_nothing_and_one_can_go_on_from_the_answer():
    me, foe = both()
    assert (foe.x, foe.charge, foe.bullet_damage, me.bullet_damage) == (800, 4, 7, 12)
    answer = me.simulate("B").foe.simulate("B")
    assert (answer.me.x, answer.me.health, answer.me.charge) == (800, 78, 1)
    assert (answer.foe.health, answer.foe.charge) == (93, 0)
    assert (me.health, me.charge, foe.health, foe.charge) == (100, 3, 90, 4)


def test_a_view_that_was_made_alone_says_how_to_get_two_that_know_each_other():
    with pytest.raises(BrainError, match=r"BotView\.pair"):
        charged(3).simulate("B")


def test_a_bots_function_can_ask_what_would_happen_if():
    def decide(me, foe, clock):
        return "B" if me.simulate("B").foe.health < foe.health else me.turn_to(foe)

    assert BotBrain("b", decide).decide(view(FACING)).command == "C0"  # its shield is up and towards the left
    assert BotBrain("b", decide).decide(view(FACING, seat=1)).command == "C0"  # under the own shield
    unguarded = Arena(FACING.left, BotState(800, 500, 180, 90, False))
    assert BotBrain("b", decide).decide(view(unguarded)).command == "B"


ARENA = config.load("arena").rules
OFF_THE_WALL = Arena(BotState(300, 500, 291.8, 100, False, 3), BotState(700, 500, 180, 100, True, 2))


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("seed", range(10))
def test_whoever_turns_to_a_bank_shot_and_fires_takes_what_it_says(seat, seed):
    places = game.start(Random(seed), ARENA)
    rules = replace(ARENA, bullet_damage=(12, 7))
    me, foe = BotView.pair(places, seat, rules)
    assert me.banks(foe)
    for shot in me.banks(foe):
        turned = me.simulate(turn_token(shot.turn, 9)).me
        assert turned.strike(foe) == (shot.part, pytest.approx(shot.damage), True)
        assert foe.health - turned.simulate("B").foe.health == pytest.approx(shot.damage)


def test_a_view_that_was_changed_simulates_from_what_it_is_now():
    me, _ = BotView.pair(OFF_THE_WALL, 0, ARENA)
    for name, value in (("x", 310.0), ("y", 400.0), ("rot", 5.0), ("health", 7.0), ("shield", True), ("charge", 9)):
        changed = copy(me)
        setattr(changed, name, value)
        assert getattr(changed.simulate(None).me, name) == value


OPEN = Arena(BotState(200, 500, 0, 100, False), BotState(800, 500, 180, 100, False))


def played_view(game: int = 1, round: int = 1, turn: int = 1, arena: Arena = OPEN, orders: str = "") -> View:
    return View(0, Rules(), game, round, turn, 2 * turn - 1, (0, 1), (orders, "no"), arena, arena, rng=Random(turn))


def tokens(brain: BotBrain, *views: View) -> list[str | None]:
    return [brain.decide(each).command for each in views]


def test_a_reply_has_a_thought_and_words_beside_its_command():
    decision = BotBrain("b", lambda me, foe, clock: Reply("B", "got it", "Ha!")).decide(played_view())
    assert (decision.raw, decision.command, decision.thought, decision.say) == ("B", "B", "got it", "Ha!")
    assert BotBrain("b", lambda me, foe, clock: Reply(None, "waiting")).decide(played_view()).command is None
    with pytest.raises(BrainError, match="b returned 7"):
        BotBrain("b", lambda me, foe, clock: Reply(7)).decide(played_view())


def test_a_class_keeps_what_it_knows_for_a_game_and_forgets_it_for_the_next():
    class Counting:
        def __init__(self) -> None:
            self.plays = 0

        def decide(self, me, foe, clock):
            self.plays += 1
            return f"C{self.plays}"

    brain = bot_kind("counting", Counting).make(Spec("counting"))
    views = [played_view(turn=1), played_view(turn=2), played_view(round=2), played_view(game=2)]
    assert tokens(brain, *views) == ["C1", "C2", "C3", "C1"]


def test_a_plan_goes_on_after_every_play_with_what_is_true_then():
    @bot("plan")
    def plan(me, foe, clock):
        yield f"C{me.x:.0f}"
        yield Reply(f"C{me.x:.0f}", f"turn {clock.turn}, {foe.health:.0f}")
        return f"A{me.x:.0f}"

    brain = bot_kind("plan", plan).make(Spec("plan"))
    moved = replace(OPEN, left=replace(OPEN.left, x=250), right=replace(OPEN.right, health=40))
    first, second = brain.decide(played_view()), brain.decide(played_view(turn=2, arena=moved))
    assert (first.command, second.command, second.thought) == ("C200", "C250", "turn 2, 40")
    # What it returns is its last command; then it begins again, also in the next round.
    assert tokens(brain, played_view(turn=3), played_view(turn=4), played_view(round=2)) == ["A200", "C200", "C200"]


def test_a_plan_begins_again_after_plays_of_somebody_else_and_in_another_game():
    def plan(me, foe, clock):
        yield from ("C1", "C2", "C3")

    brain = BotBrain("plan", plan)
    assert (
        tokens(brain, played_view(), played_view(turn=2), played_view(turn=2), played_view(turn=5), played_view(game=2))
        == ["C1", "C2"] + ["C1"] * 3
    )
    assert tokens(BotBrain("empty", lambda me, foe, clock: None), played_view()) == [None]

    def nothing(me, foe, clock):
        yield from ()

    assert tokens(BotBrain("nothing", nothing), played_view(), played_view(turn=2)) == [None, None]


def test_a_bot_names_the_orders_it_takes_and_reads_them():
    @bot("obedient", prompted=("hold", "charge"))
    def decide(me, foe, clock):
        """Does as it is told."""
        return None if clock.ordered("HOLD") else "M" if clock.ordered("charge") else "B"

    kind = bot_kind("obedient", decide)
    assert (kind.prompted, kind.summary) == (True, "Does as it is told.; takes the orders hold, charge")
    brain = kind.make(Spec("obedient"))
    orders = ("Hold on!", "CHARGE, my friend", "recharge")
    assert tokens(brain, *(played_view(orders=text) for text in orders)) == [None, "M", "B"]


def test_a_view_that_a_bot_is_given_is_changed_in_a_copy_alone():
    def what_if(me, foe, clock):
        turned = copy(me)
        turned.rot = 180
        assert turned.faces(foe) != me.faces(foe)
        foe.health = 0

    with pytest.raises(AttributeError, match="a view cannot be changed: health"):
        BotBrain("what-if", what_if).decide(view(FACING))
