"""How a player kept to its orders: told only where what it did shows it beyond doubt."""

from __future__ import annotations

from dataclasses import replace

import pytest
from plays import COUCH, bot, game

from batllm_arcade.match.account import accounts
from batllm_arcade.match.kept_orders import Deeds, Kept, counted, deeds, kept, orders_kept
from batllm_arcade.match.records import Play

BUSY, IDLE = Deeds(5, 2, 9), Deeds(0, 0, 0)


@pytest.mark.parametrize(
    ("orders", "said"),
    [
        ("Circle around and shoot it in the back", "never fired"),
        ("Never stop moving and shoot while you run", "never fired"),
        ("Keep your distance and snipe", "never fired"),
        ("Hide behind your shield and fire", "never raised its shield"),
        ("Don't stop moving", "never took a step"),
        ("Rush in!", "never took a step"),
        ("Charge straight at the other bot", "never took a step"),
        ("Bounce your shots off the walls", "walls stop bullets here"),
        ("Shoot off the wall", "never fired"),
        ("Wait for it to come close, then strike", "never fired"),
    ],
)
def test_what_was_asked_for_and_never_done_is_told_of_who_did_nothing(orders, said):
    assert kept(orders, IDLE).words == said


@pytest.mark.parametrize(
    ("orders", "said"),
    [
        ("Never shoot", "fired 5 times all the same"),
        ("Keep moving, and hold your fire", "fired 5 times all the same"),
        ("Please don't shoot at anyone, ever", "fired 5 times all the same"),
        ("Do not move", "walked all the same"),
        ("Stand still and shoot", "walked all the same"),
        ("Shoot off the walls", "walls stop bullets here"),
    ],
)
def test_what_was_forbidden_and_done_is_told_of_who_did_all(orders, said):
    assert kept(orders, BUSY).words == said


def test_a_single_shot_is_told_as_one():
    assert kept("Never shoot", Deeds(1, 0, 0)).words == "fired once all the same"


@pytest.mark.parametrize(
    "orders",
    [
        "",
        "Stay far away and shoot only when you have a clear line",
        "Wait until it looks away, then hit it",
        "Block first and fire back",
        "Save your charge",
        "Do not rush",
        "Don't shoot at its shield",
        "Stay off the walls",
        "Win",
        "Shoot if it comes close",
    ],
)
def test_what_is_asked_for_at_some_times_alone_is_not_told_of_who_did_nothing(orders):
    assert kept(orders, IDLE).words == ""


@pytest.mark.parametrize(
    "orders",
    [
        "Never shoot first",
        "Don't fire into its shield",
        "Hold your fire until it is close",
        "Don't move unless it aims at you",
        "Never stand still",
        "Never shoot it in the back",
    ],
)
def test_what_is_forbidden_at_some_times_alone_is_not_told_of_who_did_all(orders):
    assert kept(orders, BUSY).words == ""


def test_where_bullets_bounce_orders_for_that_are_kept():
    assert kept("Bounce your shots off the walls", BUSY._replace(bounce=True)).words == ""


FOUGHT = Deeds(6, 2, 9, hits=4, beside=0, armour=True, fired_at=6, taken=4, dodged=1)


@pytest.mark.parametrize(
    ("orders", "did", "said"),
    [
        ("Attack from the side, never from the front", FOUGHT, "all 4 hits in the front"),
        ("Get behind it and shoot", FOUGHT, "all 4 hits in the front"),
        ("Get behind it and shoot", FOUGHT._replace(beside=1), ""),
        ("Get behind it and shoot", FOUGHT._replace(armour=False), ""),
        ("Get behind it and shoot", FOUGHT._replace(hits=1), ""),
        ("Dodge everything and shoot when its gun is empty", FOUGHT, "dodged 1 of 6 shots"),
        ("Dodge all shots", FOUGHT._replace(dodged=0), "dodged 0 of 6 shots"),
        ("Dodge when it fires", FOUGHT, ""),
        ("Dodge all shots", FOUGHT._replace(fired_at=1, taken=1), ""),
        ("Never shoot, just survive", FOUGHT._replace(shots=0), "never fired, as told"),
        ("Survive", FOUGHT._replace(taken=0), "never hit, as told"),
        ("Survive", FOUGHT, ""),
        ("Survive", FOUGHT._replace(fired_at=0, taken=0), ""),
    ],
)
def test_hits_and_shots_tell_it_too_and_orders_that_were_kept_to(orders, did, said):
    assert kept(orders, did).words == said


def test_what_a_bot_did_is_counted_from_its_plays():
    rules = replace(COUCH, battery=0, side_damage=1, back_damage=1)
    records = game("A B", "B S1", "A M", "B S0", "A B", "B B", bots=(bot(430, 0), bot(700, 180)), rules=rules)
    plays = [record for record in records if isinstance(record, Play)]
    both = accounts(plays, rules)
    left, right = (deeds(plays, each, both, rules) for each in (0, 1))
    assert (left.shots, left.hits, left.steps, left.turns) == (2, 2, 1, 3)
    assert (left.faced, left.covered, right.covered, right.faced) == (1, 0, 1, 0)
    apart = [plays[number].after.right.x - plays[number].after.left.x for number in (0, 2, 4)]
    assert apart[0] == 270 > 0.25 * rules.arena_width >= apart[1]
    assert (left.near, left.far, left.shot_near, left.shot_far) == tuple(
        sum(map(test, some))
        for some in (apart, [apart[0], apart[2]])
        for test in (lambda each: each <= 250, lambda each: each >= 450)
    )
    assert (right.raised, right.fired_at, right.taken) == (1, 2, 2)
    assert (left.nearer, left.cornered) == (1, 0)


def test_a_bot_is_in_a_corner_that_is_near_two_walls():
    for at, turns in (((900, 100), 2), ((900, 500), 0), ((100, 900), 2), ((260, 100), 0)):
        records = game(
            "B C1", "A C1", "B C1", bots=(bot(500, 0), replace(bot(800, 180), x=at[0], y=at[1])), rules=COUCH
        )
        plays = [record for record in records if isinstance(record, Play)]
        assert deeds(plays, 1, accounts(plays, COUCH), COUCH).cornered == turns


DONE = Deeds(6, 2, 9, hits=4, beside=3, armour=True, behind=1, off_walls=5, covered=7, turns=20, near=8, far=3,
             shot_near=2, shot_far=1, broke=1, faced=5, cornered=12, nearer=7)  # fmt: skip


@pytest.mark.parametrize(
    ("orders", "did", "said"),
    [
        ("Attack all the time", DONE, "fired in 6 of 20 turns"),
        ("Never stop shooting", DONE, "fired in 6 of 20 turns"),
        ("Fire only if it looks away", DONE, "4 hits, 3 in side or back"),
        ("Get close and fire when it turns away", DONE._replace(beside=0, hits=7), "all 7 hits in the front"),
        ("Fire only if it looks away", DONE._replace(hits=1), "fired in 6 of 20 turns"),
        ("Look away", DONE, ""),
        ("Fire only if it is close", DONE, "6 shots, 2 close up"),
        ("Fire only at close range", DONE._replace(shots=1, shot_near=0), "its one shot not close up"),
        ("Get close and fire", DONE._replace(shots=1, shot_near=1), "its one shot close up"),
        ("Get close to it", DONE, "close up 8 of 20 turns"),
        ("Rush it and fire at close range", DONE, "6 shots, 2 close up"),
        ("Rush in and fire", DONE, "7 of 9 steps led nearer"),
        ("Chase it", DONE._replace(steps=1, nearer=0), "none of 1 step led nearer"),
        ("Chase it", DONE._replace(steps=0), ""),
        ("Camp in the nearest corner and shoot from there", DONE, "in a corner 12 of 20 turns"),
        ("Corner it and shoot", DONE, "fired in 6 of 20 turns"),
        ("Never get close", DONE, ""),
        ("Stay far away and snipe", DONE, "6 shots, 1 from afar"),
        ("Keep your distance and shoot", DONE._replace(shot_far=0), "6 shots, none from afar"),
        ("Keep your distance", DONE, "far off 3 of 20 turns"),
        ("Keep the wall at your back and shoot", DONE, "fired in 6 of 20 turns"),
        ("Break its shield, then shoot", DONE, "broke 1 shield"),
        ("Break its shield", DONE._replace(broke=0), "broke no shields"),
        ("Break its shield", DONE._replace(broke=0, faced=0), "met no raised shield"),
        ("Break its shield", DONE._replace(broke=0, faced=2), "met a shield in 2 of 20 turns"),
        ("Break its shield", DONE._replace(broke=1, faced=2), "broke 1 shield"),
        ("Break its shield if you can", DONE, ""),
        ("Attack without mercy", DONE, "fired in 6 of 20 turns"),
        ("Never fire first", DONE, ""),
        ("Stop shooting", DONE, ""),
        ("Attack all the time", DONE._replace(shots=0), ""),
        ("Block and fire back", DONE, ""),
        ("Sneak around it and shoot it in the back", DONE, "4 hits, 1 in the back"),
        ("Get behind it", DONE._replace(behind=0), "4 hits, none in the back"),
        ("Attack from the side", DONE, "4 hits, 2 in the side"),
        ("Circle around it and shoot its back", DONE, "4 hits, 1 in the back"),
        ("Sneak behind it and fire", DONE, "4 hits, 1 in the back"),
        ("Get behind it", DONE._replace(armour=False), ""),
        ("Get behind it", DONE._replace(hits=1, beside=0), "no hit in the side or back"),
        ("Get behind it", DONE._replace(hits=1, beside=1), ""),
        ("Get behind it", DONE._replace(hits=0, beside=0, shots=0), ""),
        ("Bounce your shots off the walls", DONE, "6 shots, 5 off a wall"),
        ("Bounce your shots off the walls", DONE._replace(off_walls=0), ""),
        ("Hide behind your shield and fire", DONE, "shield up 7 of 20 turns"),
        ("Never use your shield", DONE, ""),
        ("Shield first, then shoot", DONE, "shield up 7 of 20 turns"),
        ("Hunt it down", DONE, "7 of 9 steps led nearer"),
        ("Run away", DONE, "walked in 9 of 20 turns"),
        ("Never run away", DONE, ""),
        ("Run away", DONE._replace(steps=0), ""),
        ("Stand your ground and shoot", DONE, "stood still 11 of 20 turns"),
        ("Never stop moving", DONE, "walked in 9 of 20 turns"),
        ("Keep walking and shoot", DONE, "walked in 9 of 20 turns"),
        ("Wait until it comes close, then fire", DONE, "6 shots, 2 close up"),
        ("Fire when it gets near", DONE, "6 shots, 2 close up"),
        ("Fire when it looks away or comes near", DONE, "4 hits, 3 in side or back"),
        ("Win", DONE, ""),
    ],
)
def test_how_often_a_player_did_what_its_orders_speak_of_is_counted(orders, did, said):
    assert counted(orders, did).words == said


def test_who_was_to_stand_still_and_did_kept_to_that():
    assert kept("Stand still and shoot it as it comes", DONE._replace(steps=0)) == Kept("never walked, as told", 1.0)


@pytest.mark.parametrize(
    ("orders", "did", "words", "also"),
    [
        ("Rush him and never stop firing", DONE, "7 of 9 steps led nearer", "fired 6 times"),
        ("Rush him", DONE, "7 of 9 steps led nearer", ""),
        ("Rush him but never fire", DONE._replace(shots=0), "never fired, as told", ""),
        ("Keep your shield up and fire when it comes close", DONE, "shield up 7 of 20 turns", "fired 6 times"),
        ("Keep your shield up and fire", IDLE._replace(shots=1), "never raised its shield", "fired once"),
        ("Never stop moving and shoot", DONE, "walked in 9 of 20 turns", "fired 6 times"),
        ("Hold your ground and shoot", DONE._replace(steps=0), "never walked, as told", "fired 6 times"),
        ("Attack all the time", DONE, "fired in 6 of 20 turns", ""),
        ("Keep away and fire", DONE, "6 shots, 1 from afar", ""),
        ("Shoot him in the back", DONE, "4 hits, 1 in the back", ""),
        ("Win", DONE, "", ""),
    ],
)
def test_of_orders_that_ask_to_fire_besides_it_is_told_how_often_that_was_done(orders, did, words, also):
    assert orders_kept(orders, did) == Kept(words, orders_kept(orders, did).share, also)


@pytest.mark.parametrize(
    ("told", "share"),
    [
        (kept("Never fire", DONE), 0.0),
        (kept("Never shoot", DONE._replace(shots=0)), 1.0),
        (kept("Hide behind your shield", IDLE), 0.0),
        (kept("Dodge all shots", DONE._replace(fired_at=4, dodged=3)), 0.75),
        (kept("Bounce your shots off the walls", DONE), None),
        (counted("Get behind it", DONE), 0.25),
        (counted("Hide behind your shield", DONE), 0.35),
        (counted("Fire only at close range", DONE), 2 / 6),
        (counted("Fire only at close range", DONE._replace(shots=3)), 2 / 3),
        (counted("Fire only at close range", DONE._replace(shots=2)), None),
        (counted("Fire only at close range", DONE._replace(shots=1)), None),
        (counted("Keep your distance", DONE), 3 / 20),
        (counted("Break its shield", DONE), 1.0),
        (counted("Break its shield", DONE._replace(broke=0)), 0.0),
        (counted("Break its shield", DONE._replace(broke=0, faced=2)), None),
        (counted("Break its shield", DONE._replace(broke=0, faced=0)), None),
        (counted("Attack all the time", DONE), None),
        (counted("Never stop moving", DONE), 9 / 20),
        (counted("Win", DONE), None),
    ],
)
def test_how_far_a_player_kept_to_its_orders_is_a_share_where_more_is_better(told, share):
    assert told.share == (share if share is None else pytest.approx(share))


@pytest.mark.parametrize(("shield", "rot", "dodged"), [(True, 180, 0), (False, 180, 0), (False, 180, 1)])
def test_shots_that_a_shield_stopped_are_not_dodged(shield, rot, dodged):
    bots = bot(430, 90 if dodged else 0), bot(700, rot, shield=shield)
    plays = [record for record in game("A B", bots=bots) if isinstance(record, Play)]
    did = deeds(plays, 1, accounts(plays, COUCH), COUCH)
    assert (did.fired_at, did.taken, did.dodged) == (1, not shield and not dodged, dodged)
