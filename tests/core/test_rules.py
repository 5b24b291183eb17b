"""The rules of one play, of a game's start and of its end."""

from __future__ import annotations

from dataclasses import replace
from math import copysign, hypot
from random import Random

import pytest

from batllm_arcade.core.commands import parse
from batllm_arcade.core.events import (
    BotHit,
    BotKnockedOut,
    BotMoved,
    BotTurned,
    BulletFlew,
    CommandIgnored,
    FireRefused,
    ShieldLowered,
    ShieldRaised,
    ShotBlocked,
    ShotMissed,
)
from batllm_arcade.core.flight import lined_up
from batllm_arcade.core.model import Arena, BotState, Rules, rules_from
from batllm_arcade.core.rules import Result, acting_order, knocked_out, outcome, start, step

RULES = Rules()  # 1000 x 1000, radius 50, step 50, damage 5, shield 64 degrees to each side
FREE = Rules(free_move=True)
GHOSTS = Rules(bots_collide=False)
FAR = BotState(900, 900, 0, 100, True)


def bot(x=200.0, y=500.0, rot=0.0, health=100, shield=False):
    return BotState(x, y, rot, health, shield)


def play(token, me, foe=FAR, rules=RULES):
    """What becomes of the left bot `me`, of `foe`, and the events, after one token."""
    arena, events = step(Arena(me, foe), 0, parse(token, rules.free_move), rules)
    return arena.left, arena.right, events


def place(state):
    return state.x, state.y


@pytest.mark.parametrize(
    ("rot", "token", "after"),
    [
        (0, "C90", 90),
        (0, "A90", 270),
        (350, "C20", 10),
        (10, "A20", 350),
        (123, "C360", 123),
        (123, "A360", 123),
        (0, "A0", 0),
        (270, "C90", 0),
        (90, "A90", 0),
        (0, "C12.5", 12.5),
        (0, "A0.0000000001", 0),  # 359.9999999999 rounds to 360, which is 0
        (359.999999999, "C0.0000000006", 0),
        (0, "C0.0000000004", 0),
    ],
)
def test_c_turns_clockwise_and_a_anticlockwise_within_0_to_360(rot, token, after):
    me, foe, events = play(token, bot(rot=rot))
    assert me == bot(rot=after)
    assert copysign(1, me.rot) == 1
    assert foe == FAR
    assert events == (BotTurned(0, rot, parse(token).degrees),)


@pytest.mark.parametrize(
    ("rot", "end"),
    [(0, (250, 500)), (90, (200, 550)), (180, (150, 500)), (270, (200, 450)), (30, (243.301270189, 525.0))],
)
def test_m_goes_one_step_length_forward_to_nine_decimals(rot, end):
    me, foe, events = play("M", bot(rot=rot))
    assert me == bot(*end, rot)
    assert foe == FAR
    assert events == (BotMoved(0, (200, 500), end, ""),)


@pytest.mark.parametrize(
    ("x", "y", "rot", "end"),
    [
        (930, 500, 0, (950, 500)),  # right
        (70, 500, 180, (50, 500)),  # left
        (500, 930, 90, (500, 950)),  # bottom
        (500, 70, 270, (500, 50)),  # top
        (950, 500, 0, (950, 500)),  # already there
        (940, 500, 45, (950, 535.355339059)),  # slides along
        (60, 500, 225, (50, 464.644660941)),
        (930, 940, 45, (950, 950)),  # into the corner
        (60, 60, 225, (50, 50)),
        (930, 60, 315, (950, 50)),
        (60, 930, 135, (50, 950)),
        (950, 950, 45, (950, 950)),  # out of a corner there is no way forward
    ],
)
def test_a_move_ends_where_the_whole_bot_is_still_inside(x, y, rot, end):
    me, _, events = play("M", bot(x, y, rot), foe=bot(500, 300))
    assert place(me) == end
    assert events == (BotMoved(0, (x, y), end, "wall"),)


def test_a_step_that_ends_exactly_at_the_wall_was_not_stopped_by_it():
    _, _, events = play("M", bot(900, 500, 0), foe=bot(500, 300))
    assert events == (BotMoved(0, (900, 500), (950, 500), ""),)


def test_the_target_is_clamped_first_and_then_walked_to_in_a_straight_line():
    # On the way to (1208, 620) the foe would be missed by 8; on the way to the clamped (950, 620) it is met.
    me, _, events = play("M1100", bot(200, 180, rot=23.578178478), foe=bot(800, 560), rules=FREE)
    assert events[0].stopped_by == "bot"
    assert hypot(me.x - 800, me.y - 560) == pytest.approx(100, abs=1e-9)
    slope = (me.y - 180) / (me.x - 200)
    assert slope == pytest.approx((620 - 180) / (950 - 200), rel=1e-6)


@pytest.mark.parametrize(
    ("token", "end"),
    [
        ("M", (250, 500)),
        ("M120", (320, 500)),
        ("M0.5", (200.5, 500)),
        ("M-120", (80, 500)),
        ("M0", (200, 500)),
        ("M5000", (950, 500)),
        ("M-5000", (50, 500)),
        ("M" + "9" * 308, (950, 500)),
    ],
)
def test_with_free_move_a_bot_goes_as_far_as_it_says_also_backwards(token, end):
    me, _, _ = play(token, bot(), rules=FREE)
    assert place(me) == end
    assert me.rot == 0


def test_without_free_move_a_distance_is_ignored():
    me, _, events = play("M120", bot())
    assert me == bot()
    assert isinstance(events[0], CommandIgnored)


@pytest.mark.parametrize("actor", [0, 1])
@pytest.mark.parametrize(
    ("rot", "foe"),
    [
        (0, (430, 500)), (0, (445, 510)), (90, (300, 620)), (37, (390, 570)), (200.5, (180, 455)), (311.7, (385, 400)),
    ],
)  # fmt: skip
def test_a_walk_stops_at_contact_to_a_billionth(actor, rot, foe):
    me, other = bot(300, 500, rot), bot(*foe)
    arena, events = step(Arena(other, me) if actor else Arena(me, other), actor, parse("M"), RULES)
    moved = arena.bot(actor)
    assert abs(hypot(moved.x - foe[0], moved.y - foe[1]) - 100) <= 1e-9
    assert place(moved) != (300, 500)
    assert events[0].stopped_by == "bot"
    assert arena.bot(1 - actor) == other


@pytest.mark.parametrize("rot", [0, 30, 330, 45, 315, 60, 89, 271, 89.999])
def test_a_move_towards_the_other_bot_at_contact_goes_nowhere(rot):
    me, _, events = play("M", bot(300, 500, rot), foe=bot(400, 500))
    assert me == bot(300, 500, rot)
    assert events == (BotMoved(0, (300, 500), (300, 500), "bot"),)


@pytest.mark.parametrize(
    ("token", "me", "foe", "rules", "end"),
    [
        *(("M", bot(300, 500), bot(400 + gap, 500), RULES, (300, 500)) for gap in (1e-9, 5e-10, 0.0, -5e-10)),
        ("M", bot(300, 500), bot(400.000000005, 500), RULES, (300.000000005, 500)),
        ("M-400", bot(600, 500), bot(300, 500), FREE, (400, 500)),
        ("M500", bot(200, 500), bot(450, 500), FREE, (350, 500)),  # it does not jump over the other
        ("M", bot(300, 500, 0), bot(360, 500), RULES, (300, 500)),  # overlapping, they come no nearer
        ("M", bot(300, 500, 45), bot(360, 500), RULES, (300, 500)),
    ],
)
def test_a_walk_stops_where_both_touch_which_is_meant_to_a_billionth(token, me, foe, rules, end):
    me, _, events = play(token, me, foe, rules)
    assert (place(me), events[0].stopped_by) == (end, "bot")


@pytest.mark.parametrize(
    ("token", "me", "foe", "rules", "length"),
    [
        *(("M", bot(300, 500, rot), bot(400, 500), RULES, 50) for rot in (90, 270, 91, 120, 180, 240, 269, 90.001)),
        *(("M", bot(300, 500, rot), bot(360, 500), RULES, 50) for rot in (90, 135, 180)),  # overlapping, they may part
        ("M", bot(300, 500, 77), bot(300, 500), RULES, 50),
        ("M300", bot(200, 500), bot(350, 600), FREE, 300),  # it only grazes the other
        ("M", bot(300, 500), bot(400, 500), GHOSTS, 50),
    ],
)
def test_a_walk_along_or_away_from_the_other_bot_is_never_stopped(token, me, foe, rules, length):
    gone, _, events = play(token, me, foe, rules)
    assert events[0].stopped_by == ""
    assert hypot(gone.x - me.x, gone.y - me.y) == pytest.approx(length)


@pytest.mark.parametrize("heading", [17, 45, 60, 135, 199, 225, 283.5, 315])
@pytest.mark.parametrize("sideways", ["C90", "A90"])
@pytest.mark.parametrize("scale", [1, 0.001])
def test_a_bot_that_ran_into_the_other_head_on_can_turn_aside_and_walk_off(heading, sideways, scale):
    rules = rules_from({name: getattr(RULES, name) * scale for name in
                        ("arena_width", "arena_height", "bot_radius", "step_length")})  # fmt: skip
    me = bot(500 * scale, 500 * scale, heading)
    ahead, _, _ = play("M", replace(me), foe=bot(50 * scale, 50 * scale), rules=replace(rules, step_length=120 * scale))
    foe = bot(*place(ahead))
    me, _, events = play("M", me, foe=foe, rules=rules)
    assert events[0].stopped_by == "bot"
    me, _, _ = play(sideways, me, foe=foe, rules=rules)
    gone, _, events = play("M", me, foe=foe, rules=rules)
    assert events[0].stopped_by == ""
    assert hypot(gone.x - me.x, gone.y - me.y) == pytest.approx(50 * scale)


@pytest.mark.parametrize(
    ("before", "token", "after"),
    [
        (False, "S1", True), (True, "S1", True), (True, "S0", False), (False, "S0", False), (True, "S", False),
        (False, "S", True),
    ],
)  # fmt: skip
def test_s1_raises_s0_lowers_and_s_toggles_the_shield(before, token, after):
    me, foe, events = play(token, bot(shield=before))
    assert me == bot(shield=after)
    assert foe == FAR
    assert events == ((ShieldRaised if after else ShieldLowered)(0),)


def test_b_behind_the_own_shield_does_nothing():
    me, foe, events = play("B", bot(shield=True), foe=bot(500, 500))
    assert (me, foe) == (bot(shield=True), bot(500, 500))
    assert events == (FireRefused(0),)


@pytest.mark.parametrize(("text", "reason"), [("what?", "'what?' is no command"), (None, "")])
def test_what_is_no_command_does_nothing(text, reason):
    arena = Arena(bot(), FAR)
    after, (event,) = step(arena, 1, parse(text), RULES)
    assert after == arena
    assert isinstance(event, CommandIgnored)
    assert event.bot == 1
    assert event.reason.startswith(reason)


def test_a_bullet_hits_at_the_first_touch_and_takes_its_damage():
    me, foe, events = play("B", bot(), foe=bot(600, 500))
    assert (me, foe) == (bot(), bot(600, 500, health=95))
    assert events == (BulletFlew(0, (200, 500), (550, 500)), BotHit(1, (550, 500), 5, 95, "back"))


def test_the_right_bot_hits_the_left_one_just_as_well():
    arena, events = step(Arena(bot(), bot(600, 500, 180)), 1, parse("B"), RULES)
    assert arena.left.health == 95
    assert events == (BulletFlew(1, (600, 500), (250, 500)), BotHit(0, (250, 500), 5, 95, "front"))


@pytest.mark.parametrize(("rot", "end"), [(90, (200, 1000)), (180, (0, 500)), (270, (200, 0)), (45, (700, 1000))])
def test_a_bullet_that_meets_nobody_ends_at_the_wall(rot, end):
    me, foe, events = play("B", bot(rot=rot), foe=bot(600, 500))
    assert (me, foe) == (bot(rot=rot), bot(600, 500))
    flew, missed = events
    assert flew.end == pytest.approx(end, abs=1e-9)
    assert missed == ShotMissed(0, flew.end)


def guarded(x, rot, y=500):
    return bot(x, y, rot, shield=True)


@pytest.mark.parametrize(
    ("me", "foe", "rules", "blocked"),
    [
        *((bot(), guarded(600, 180 + off), RULES, True) for off in (0, -64, 64, -63.999999999, 63.999999999)),
        *((bot(), guarded(600, 180 + off), RULES, False) for off in (-64.000000001, 64.000000001, -90, 90, 180)),
        *((bot(800, 500, 180), guarded(400, rot), RULES, True) for rot in (0, 64, 296, 350, 10)),  # across 0 and 360
        *((bot(800, 500, 180), guarded(400, rot), RULES, False) for rot in (64.000000001, 295.999999999)),
        # To the point that is hit, not to the shooter: a ray along y = 530 meets the circle at 143.13 degrees.
        (bot(200, 530), guarded(600, 143.130102354 - 63.9), RULES, True),
        (bot(200, 530), guarded(600, 143.130102354 - 64.1), RULES, False),
        *((bot(), guarded(600, rot), Rules(shield_degrees=0), rot == 180) for rot in (180, 181)),
        *((bot(), guarded(600, rot), Rules(shield_degrees=180), True) for rot in (0, 90)),
        *((bot(580, 500, 90), guarded(600, rot), GHOSTS, rot >= 116) for rot in (180, 116, 115, 0)),  # point blank
        *((bot(600, 500), guarded(600, rot), GHOSTS, rot >= 116) for rot in (0, 116, 115.9, 180, 244)),  # on one spot
        (bot(), bot(600, 500, 180), RULES, False),  # it is lowered
    ],
)
def test_a_shield_blocks_up_to_its_degrees_to_each_side_of_where_it_is_hit(me, foe, rules, blocked):
    _, after, events = play("B", me, foe, rules)
    assert after.health == (100 if blocked else 95)
    assert isinstance(events[1], ShotBlocked if blocked else BotHit)


@pytest.mark.parametrize(
    ("me", "foe", "rules", "end"),
    [
        (bot(50, 100), bot(999_950, 100), rules_from({"arena_width": 1_000_000, "arena_height": 200}), (999_900, 100)),
        (bot(y=500), bot(600, 450), RULES, (600, 500)),  # a tangent
        (bot(y=500), bot(600, 550), RULES, (600, 500)),
        (bot(y=500), bot(600, 449.999999999), RULES, None),
        (bot(y=500), bot(600, 550.000000001), RULES, None),
        (bot(600, 500, 0), bot(300, 500), RULES, None),  # it goes forward only
        *((bot(580, 500, rot), bot(600, 500), GHOSTS, (550, 500)) for rot in (0, 90, 180, 270)),  # point blank
        (bot(550, 500, 180), bot(600, 500), GHOSTS, (550, 500)),  # on its edge, looking away
        *((bot(600, 500, rot), bot(600, 500), GHOSTS, end) for rot, end in (
            (0, (550, 500)), (90, (600, 450)), (180, (650, 500)), (270, (600, 550)))),  # on one spot: opposite
        (bot(0.2, 0.5), bot(0.8, 0.5), Rules(1, 1, 0.05, 0.03), (0.75, 0.5)),  # the original game's arena
    ],
)  # fmt: skip
def test_where_a_bullet_strikes_or_that_it_misses(me, foe, rules, end):
    _, after, events = play("B", me, foe, rules)
    assert (repr(after.health), type(events[1])) == (("95", BotHit) if end else ("100", ShotMissed))
    assert end is None or events[0].end == pytest.approx(end, abs=1e-6)


def test_a_blocked_shot_tells_how_far_from_the_shields_middle_it_struck():
    _, _, events = play("B", bot(), foe=bot(600, 500, 150, shield=True))
    assert events == (BulletFlew(0, (200, 500), (550, 500)), ShotBlocked(1, (550, 500), 30))


def test_the_damage_is_that_of_the_shooters_own_bullets():
    rules = Rules(bullet_damage=(5, 20))
    arena = Arena(bot(), bot(600, 500, 180))
    assert step(arena, 0, parse("B"), rules)[0].right.health == 95
    assert step(arena, 1, parse("B"), rules)[0].left.health == 80


@pytest.mark.parametrize(("health", "damage"), [(5, 5), (3, 5), (0.1, 5), (0.3, 0.3)])
def test_health_never_falls_below_0_and_at_0_the_bot_is_knocked_out(health, damage):
    _, foe, events = play("B", bot(), foe=bot(600, 500, health=health), rules=Rules(bullet_damage=(damage, damage)))
    assert repr(foe.health) == "0"
    assert events[1:] == (BotHit(1, (550, 500), health, 0, "back"), BotKnockedOut(1))
    assert knocked_out(Arena(bot(), foe)) == 1
    _, foe, events = play("B", bot(), foe=bot(600, 500, health=health), rules=Rules(bullet_damage=(0, 5)))
    assert (foe.health, events[1:]) == (health, (BotHit(1, (550, 500), 0, health, "back"),))


def test_damage_that_is_no_binary_fraction_still_adds_up():
    rules = Rules(bullet_damage=(0.1, 0.1), initial_health=(1, 1))
    arena = Arena(bot(health=1.0), bot(600, 500, health=1.0))
    for shots in range(1, 11):
        assert knocked_out(arena) is None
        arena, _ = step(arena, 0, parse("B"), rules)
        assert arena.right.health == round(1 - shots / 10, 9)
    assert knocked_out(arena) == 1


def standing(left, right):
    return Arena(bot(health=left), bot(600, health=right))


@pytest.mark.parametrize(
    ("left", "right", "initial", "result"),
    [
        (0, 5, (100, 100), Result(1, "knockout")),
        (5, 0, (100, 100), Result(0, "knockout")),
        (60, 55, (100, 100), Result(0, "points")),
        (55, 60, (100, 100), Result(1, "points")),
        (60, 60, (100, 100), Result(None, "draw")),
        (100, 100, (100, 100), Result(None, "draw")),
        (30, 60, (30, 100), Result(0, "points")),  # all of it beats six tenths
        (15, 60, (30, 100), Result(1, "points")),
        (15, 50, (30, 100), Result(None, "draw")),
        (0.15, 0.05, (0.3, 0.1), Result(None, "draw")),
        (0.7, 2.1, (1, 3), Result(None, "draw")),
        (0.700000001, 2.1, (1, 3), Result(0, "points")),
    ],
)
def test_a_game_is_won_by_knock_out_or_on_points_as_a_share_of_the_starting_health(left, right, initial, result):
    assert outcome(standing(left, right), Rules(initial_health=initial)) == result


def test_nobody_is_knocked_out_while_both_have_health():
    assert knocked_out(standing(0.000000001, 1)) is None


def test_a_game_begins_as_its_seed_says():
    starts = [start(Random(f"{seed}/{game}"), RULES) for seed in (7, 8) for game in range(1, 50)]
    assert starts[0] == start(Random("7/1"), RULES)
    assert len({arena.left for arena in starts}) == len({arena.right.rot for arena in starts}) == 98
    assert {arena.left.x < arena.right.x for arena in starts} == {True, False}
    own = start(Random("7/1"), Rules(initial_health=(30, 80), initial_shield=False))
    assert [(one.health, one.shield) for one in (own.left, own.right)] == [(30, False), (80, False)]


def test_a_known_seed_gives_a_known_start_and_known_acting_orders():
    rng = Random("7/1")
    assert start(rng, RULES) == Arena(
        BotState(99.571209376, 193.835981048, 109.542677805, 100, True),
        BotState(478.004092429, 463.22401449, 217.440086533, 100, True),
    )
    assert [acting_order(rng)[0] for _ in range(12)] == [1, 1, 1, 0, 1, 1, 1, 0, 0, 1, 0, 0]


@pytest.mark.parametrize("rules", [RULES, Rules(arena_width=320, arena_height=140), Rules(1, 1, 0.05, 0.03)])
def test_bots_begin_inside_the_walls_and_at_least_four_radii_apart(rules):
    for seed in range(300):
        arena = start(Random(f"{seed}/1"), rules)
        for one in (arena.left, arena.right):
            assert rules.bot_radius <= one.x <= rules.arena_width - rules.bot_radius
            assert rules.bot_radius <= one.y <= rules.arena_height - rules.bot_radius
            assert 0 <= one.rot < 360
            assert (one.x, one.y, one.rot) == (round(one.x, 9), round(one.y, 9), round(one.rot, 9))
        assert hypot(arena.left.x - arena.right.x, arena.left.y - arena.right.y) >= 4 * rules.bot_radius


def test_where_there_is_only_just_room_the_bots_begin_in_the_far_corners():
    rules = Rules(arena_width=300, arena_height=100)
    arena = start(Random("7/1"), rules)
    assert (place(arena.left), place(arena.right)) == ((50, 50), (250, 50))


@pytest.mark.parametrize(
    ("own", "rot", "meets"),
    [(0, None, True), (180, None, False), (180, 0.0, True), (0, 20.0, False), (90, 360.0, True), (90, 3600.0, True)],
)
def test_a_line_of_fire_is_along_the_own_direction_or_another_one_in_any_turn(own, rot, meets):
    arena = Arena(bot(rot=own), bot(x=800.0))
    assert lined_up(arena, 0, RULES, rot) is meets


class Drawn(Random):
    """A stream that draws what it is told to."""

    def __new__(cls, *_shares: float) -> Drawn:
        return super().__new__(cls)  # Python 3.10 would take them all for seeds

    def __init__(self, *shares: float) -> None:
        super().__init__(1)
        self.shares = list(shares)

    def random(self) -> float:
        return self.shares.pop(0)


def test_exactly_four_radii_are_far_enough_and_less_is_drawn_again():
    # Shares of the 900 units between the walls, then of a full turn: x, y, direction of the left bot, of the right.
    exactly = (0.0, 0.0, 0.5, 200 / 900, 0.0, 0.5)
    nearer = (0.0, 0.0, 0.5, 199 / 900, 0.0, 0.5)
    arena = start(Drawn(*nearer, *exactly), RULES)
    assert (place(arena.left), place(arena.right)) == ((50, 50), (250, 50))
