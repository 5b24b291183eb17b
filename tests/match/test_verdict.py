"""What decided a game, told from its record: each sentence on a game made for it, and true of every game."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from duels import fought
from plays import ANN, BOB, COUCH, FACED, SEATS, bot, game

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.events import BotHit, ShotBlocked
from batllm_arcade.core.model import BotState
from batllm_arcade.core.outcome import Result
from batllm_arcade.match.account import Account, Lead, lead
from batllm_arcade.match.befell import befell, even, struck_more
from batllm_arcade.match.causes import causes
from batllm_arcade.match.counted_words import count, times
from batllm_arcade.match.records import GameEnded, GameStarted, Play, SeatSwapped
from batllm_arcade.match.verdict import befell_in_all, evenly, tip, took_the_lead, verdict, what_befell

PLAIN = replace(COUCH, side_damage=1, back_damage=1)


def test_hits_in_side_and_back():
    behind = (bot(200, 0), bot(800, 0))
    records = game("A B", "A B", "B C90", "A B", bots=behind)
    assert verdict(records) == ("Bob was hit once in the side and twice in the back, Ann never there.",)
    assert (
        tip(records, BOB)
        == "It hit you once in the side and twice in the back, you it never there: never show your back."
    )
    assert (
        tip(game("A B", bots=(bot(200, 0), bot(800, 90))), BOB)
        == "It hit you once in the side, you it never there: turn to face it."
    )


def test_hits_off_the_wall_are_counted_as_in_the_table_and_said_to_be_off_the_wall():
    bounces = replace(COUCH, ricochet=1, bounce_cap=1)
    records = game("A B", "A C59.04", "A B", "B C301", "A B", bots=(bot(200, 300.96), bot(800, 59)), rules=bounces)
    hits = [event for play in plays_of(records) for event in play.events if isinstance(event, BotHit)]
    assert [(hit.part, hit.damage) for hit in hits] == [("back", 12), ("side", 24), ("back", 36)]
    assert verdict(records)[0] == (
        "Bob was hit once in the side and twice in the back (once off the wall), Ann never there."
    )


def test_shots_at_a_shield():
    records = game("B S1", "A B", "A B", "B S0", "B B")
    assert verdict(records) == ("Ann fired at a raised shield twice, Bob never.",)
    assert tip(records, ANN).startswith("You fired at its shield twice, it at yours never: ")


def test_out_of_charge_when_it_mattered():
    records = game("B B", "A C0", "A C0", bots=(bot(200, 0, charge=0), bot(800, 180)))
    assert verdict(records) == ("Ann had a clear shot but an empty gun twice, Bob never.",)
    assert tip(records, ANN) == "Your gun was empty twice when it was open, its gun never when you were: walk to load."


def test_misses():
    records = game("A B", "A B", "B B", bots=(bot(200, 90), bot(800, 180)), rules=PLAIN)
    assert verdict(records) == ("Ann missed twice, Bob never.",)
    assert tip(records, ANN) == "You missed twice, it never: fire when the line is on it."


def test_shots_that_were_not_taken():
    records = game("A C0", "A B", "B B", "A C0", "A C0", "B B")
    assert verdict(records) == ("Ann had a clear shot three times and did not fire, Bob never.",)
    assert tip(records, ANN) == "You had a clear shot three times and did not fire, it never."


def test_a_bot_that_never_fires_although_it_is_loaded():
    records = game("A C0", "B B", "A C0", "A C0")
    assert verdict(records) == ("Ann never fired, Bob once; Ann had a clear shot three times.",)
    assert tip(records, ANN) == "You never fired, it once, though you had a clear shot three times."
    hidden = game("A C0", "B B", bots=(bot(200, 90), bot(800, 180)), rules=PLAIN)
    assert "Ann never fired, Bob once." in verdict(hidden)
    assert tip(game("B B", bots=FACED), ANN) == "It hit you once, you hit it never."


def test_staying_in_the_line_of_fire_and_walking_into_it():
    aside = (bot(200, 90), bot(800, 180))
    records = game("A B", "A C10", "B B", "A C10", "B B", bots=aside, rules=PLAIN)
    assert verdict(records)[0] == "Ann took both hits without firing back or leaving the line of fire, Bob none."
    assert tip(records, ANN) == (
        "You took both hits without firing back or leaving its line, it none: step aside or raise the shield."
    )
    below = (BotState(200, 350, 90, 100, False, 9), bot(800, 180))
    walked = game("A B", "B C0", "A M", "B B", bots=below, rules=PLAIN)
    assert "Ann took the only hit by walking into the line of fire, Bob none." in verdict(walked)
    bouncing = replace(PLAIN, ricochet=1, back_step=60)
    above = (BotState(200, 400, 270, 100, False, 9), bot(800, 180))
    backed = game("A B", "B C0", "A M-60", "B B", bots=above, rules=bouncing)
    assert "Ann took the only hit by walking into the line of fire, Bob none." in verdict(backed)
    left = game("A B", "A M", "A M", "B B", bots=aside, rules=PLAIN)
    assert not any("line of fire" in each for each in verdict(left))


def test_hits_past_a_raised_shield_are_told_and_not_as_staying_there():
    looks_away = (bot(200, 0), replace(bot(800, 90), shield=True))
    records = game("B C0", "A B", "B C0", "A B", bots=looks_away, rules=PLAIN)
    assert verdict(records)[0] == "Bob was hit twice past its raised shield, Ann never."
    assert tip(records, BOB) == "It hit you twice past your raised shield, you it never: turn the shield to the shot."
    bounces = replace(PLAIN, ricochet=1)
    records = game("A B", bots=(bot(200, 300.96), replace(bot(800, 59), shield=True)), rules=bounces)
    assert "Bob was hit once past its raised shield (once off the wall), Ann never." in verdict(records)


def test_what_explains_few_of_the_hits_is_no_cause():
    lost, won = Account(stayed=1), Account()
    won.parts["front"] = 4
    assert [cause.told for cause in causes((lost, won), 0, COUCH)]
    won.parts["front"] = 5
    assert not causes((lost, won), 0, COUCH)


def test_hits_on_an_empty_gun_are_told_with_the_hits():
    records = game("A B", "B B", "A B", bots=(bot(200, 0), bot(800, 180, charge=3)))
    assert verdict(records) == ("Ann landed two hits, Bob one; Ann once while the other's gun was empty.",)


def test_where_both_hit_an_empty_gun_once_that_decided_nothing():
    commands = ("A B", "B B", "A C0", "A C0", "A C0", "A B")
    records = game(*commands, bots=(bot(200, 0, charge=3), bot(800, 180, charge=3)))
    assert verdict(records) == ("Ann hit first, in round 1, turn 1, and was never behind: two hits to one.",)


def test_a_shot_into_a_shield_weighs_more_than_one_for_which_there_was_no_charge():
    commands = ("B S1", "A B", "A B", "B S0", "A C0", "A C0", "B B")
    assert verdict(game(*commands, bots=(bot(200, 0, charge=6), bot(800, 180)))) == (
        "Ann fired at a raised shield twice, Bob never.",
        "Ann had a clear shot but an empty gun twice, Bob never.",
    )


def test_where_a_side_is_hurt_less_than_the_front_hitting_it_costs_nobody_the_game():
    softer = replace(COUCH, side_damage=0.5)
    records = game("A B", "B C90", "B B", "B B", bots=(bot(200, 0), bot(800, 90)), rules=softer)
    assert records[-1].result.winner == BOB
    assert not any("Ann was hit" in each for each in verdict(records))


def test_plays_that_were_lost():
    records = game("B B", "A late", "A late", bots=(bot(200, 90), bot(800, 180)), rules=PLAIN)
    assert verdict(records) == ("Ann lost two plays, Bob none: no answer in time, or none that is a command.",)
    assert tip(records, ANN) == "You let two plays pass, it none."


def test_commands_the_rules_refuse():
    records = game("A B", "A B", "A B", "B B", bots=(bot(200, 90, shield=True), bot(800, 180)), rules=PLAIN)
    assert verdict(records) == ("Ann tried three times what the rules refuse, Bob never.",)
    assert tip(records, ANN) == "You tried three times what the rules refuse, it never."


def test_a_second_cause_is_told_where_it_weighs_nearly_as_much():
    records = game("B S1", "A B", "A C180", "A B", "B S0", "B B", bots=FACED)
    assert verdict(records) == (
        "Ann was hit once in the back, Bob never there.",
        "Ann fired at a raised shield once, Bob never.",
    )


def test_where_nothing_else_went_worse_the_hits_or_the_damage_are_told():
    records = game("A B", "B B", "A B")
    assert verdict(records) == ("Ann hit first, in round 1, turn 1, and was never behind: two hits to one.",)
    assert tip(records, BOB) == "It hit you twice, you hit it once."
    stronger = game("A B", "B B", rules=replace(COUCH, bullet_damage=(12, 6)))
    assert verdict(stronger) == ("Ann did 12 damage, Bob 6.",)
    assert tip(stronger, BOB) == "It did 12 damage, you did 6."


@pytest.mark.parametrize(
    ("commands", "bots", "rules", "told", "tipped"),
    [
        (
            ("B C0", "A B", "A C0", "B B", "A C0", "B B"),
            FACED,
            PLAIN,
            "Both took hits without firing back or leaving the line of fire: Ann both hits, Bob the only hit.",
            "You took both hits without firing back or leaving its line, it the only hit: "
            "step aside or raise the shield.",
        ),
        (
            ("B S1", "A B", "A B", "A S1", "B S0", "B B", "A S0", "B B"),
            FACED,
            replace(COUCH, battery=0),
            "Both fired at raised shields: Ann twice, Bob once.",
            "You fired at its shield twice, it at yours once: wait, break it, or walk around it.",
        ),
        (
            ("A B", "B B", "A B", "B C180", "B B"),
            (bot(200, 90), bot(800, 0)),
            PLAIN,
            "Both missed: Ann twice, Bob once.",
            "You missed twice, it once: fire when the line is on it.",
        ),
        (
            ("B C0", "A B", "A C0", "A C0", "B B", "B B"),
            FACED,
            COUCH,
            "Both had clear shots and did not fire: Ann twice, Bob once.",
            "You had a clear shot twice and did not fire, it once.",
        ),
        (
            ("A B", "B C90", "A C90", "B B"),
            (bot(200, 0), bot(800, 90)),
            replace(COUCH, side_damage=2, back_damage=1, bullet_damage=(12, 30)),
            "Ann was hit once in the side as it turned; Bob once in the side.",
            "It hit you once in the side, you it once in the side: turn to face it.",
        ),
        (
            ("A late", "A late", "B late", "B B"),
            (bot(200, 90), bot(800, 180)),
            PLAIN,
            "Both lost plays without a command in time: Ann two, Bob one.",
            "You let two plays pass, it one.",
        ),
    ],
)
def test_what_befell_both_is_told_with_both_figures(commands, bots, rules, told, tipped):
    records = game(*commands, bots=bots, rules=rules)
    assert records[-1].result.winner == BOB
    assert told in verdict(records)
    assert tip(records, ANN) == tipped


def test_what_befell_the_loser_far_more_often_is_not_told_of_both():
    records = game("A B", "A B", "A B", "B B", "B C180", "B B", bots=(bot(200, 90), bot(800, 0)), rules=PLAIN)
    assert verdict(records) == ("Ann missed three times, Bob once.",)


def test_a_cause_weighs_what_the_loser_did_more_than_the_winner():
    nearly_even = Account(missed=5, blocked=2), Account(missed=4)
    assert [cause.told for cause in causes(nearly_even, 0, COUCH)] == [
        "{loser} fired at a raised shield twice, {winner} never",
        "Both missed: {loser} five times, {winner} four times",
    ]


def test_where_hits_alone_decided_it_is_told_since_when_the_winner_led():
    first = game("A B", "B B", "A B")
    assert verdict(first)[0] == "Ann hit first, in round 1, turn 1, and was never behind: two hits to one."
    later = game("B B", "A B", "A B", "A C1")
    assert lead(plays_of(later), ANN, COUCH) == Lead(False, "round 1, turn 3", plays_of(later)[2])
    assert verdict(later) == ("Ann took the lead for good in round 1, turn 3: two hits to one.",)


def test_it_is_told_when_the_winner_took_the_lead():
    for commands, place, said in (
        (("B B", "A B", "A B", "B C0"), 2, "Ann led from round 1, turn 3 on."),
        (("B B", "A B", "A B", "B B", "A B"), 2, "Ann led or was level from round 1, turn 3 on."),
        (("B C0", "A B", "B B", "A B"), 1, "Ann led or was level from round 1, turn 2 on."),
    ):
        records = game(*commands)
        assert took_the_lead(records) == (said, plays_of(records)[place])
    assert took_the_lead(game("A B", "B B")) is None  # nobody won
    assert took_the_lead(game("A B", result=Result(1, "forfeit"))) is None


def test_bullets_off_the_wall_past_a_shield_are_counted():
    won = Account(parts=Counter(front=5), past=5, past_off=5)
    for past_off, said in ((5, " (each time off the wall)"), (2, " (twice off the wall)"), (0, "")):
        won.past_off = past_off
        assert causes((Account(), won), 0, COUCH)[0].told == (
            f"{{loser}} was hit five times past its raised shield{said}, {{winner}} never"
        )


@pytest.mark.parametrize(
    ("hits", "said"),
    [
        (4, "Ann led from round 1, turn 1 on: four hits to none."),
        (5, "Bob had a clear shot but an empty gun five times, Ann never."),
    ],
)
def test_of_many_hits_the_heaviest_cause_is_told_rather_than_since_when_the_winner_led(hits, said):
    rules, bots = replace(PLAIN, battery=99, rest_charge=0), (bot(200, 0, charge=90), bot(800, 180, charge=0))
    assert what_befell(game(*["A B", "B C0"] * hits, bots=bots, rules=rules)) == said


def test_of_players_that_hit_as_often_it_is_told_whose_hits_were_worth_more():
    lost, won = Account(parts=Counter(front=3)), Account(parts=Counter(front=1, side=2), extra={"side": 24, "back": 0})
    assert even(lost, won) == "both landed three hits, two of {winner}'s in the side"
    assert even(won, lost) == even(Account(parts=Counter(front=2)), won) == ""


def test_of_a_series_hits_off_the_wall_that_took_no_more_are_not_counted():
    won = Account(parts=Counter(side=6), bare=Counter(side=4), extra={"side": 48, "back": 0})
    for lost, others in (
        (Account(parts=Counter(side=9), bare=Counter(), extra={"side": 0, "back": 0}), "only off the wall"),
        (Account(extra={"side": 0, "back": 0}), "never there"),
    ):
        assert struck_more(lost, won) == f"{{loser}} was hit four times in the side; {{winner}} {others}"


@pytest.mark.parametrize(
    ("past", "silent", "said"),
    [
        (1, False, "{loser}'s shield stopped none of four shots; three hits to one"),
        (0, False, "{loser} raised its shield three times but was hit each time while it was down; three hits to one"),
        (0, True, "{loser} never fired; it raised its shield three times but was hit each time while it was down"),
    ],
)
def test_of_who_was_hit_although_it_raised_its_shield_it_is_told_whether_that_was_down(past, silent, said):
    lost, won = Account(raised=3, parts=Counter(front=1)), Account(shots=4, parts=Counter(front=3), past=past)
    assert befell(lost, won, silent=silent) == said
    many = Account(shots=4, parts=Counter(front=4), past=1)
    assert "hit three of four times while it was down" in befell(lost, many)


def plays_of(records):
    return [record for record in records if isinstance(record, Play)]


def test_draws():
    assert verdict(game("A C90", "B C90")) == ("Nobody fired a shot.",)
    assert verdict(game("A B", bots=(bot(200, 90), bot(800, 180)))) == ("Nobody hit anybody.",)
    assert verdict(game("B S1", "A B", "A C0")) == ("Nobody hit anybody: one shot ended at a shield.",)
    assert verdict(game("A B", "B B")) == ("Both landed one hit: neither was ahead in the end.",)
    weaker = {"bots": (bot(200, 0), bot(800, 180, health=76)), "rules": replace(PLAIN, battery=0)}
    drawn = game("A C0", "B B", "B B", result=Result(None, "draw"), **weaker)
    assert verdict(drawn) == ("Ann landed no hits, Bob two: neither was ahead in the end.",)
    assert tip(game("A B", "B B"), ANN) == tip(game("A B", "B B"), BOB) == ""


@pytest.mark.parametrize("reason", ["forfeit", "aborted"])
def test_a_game_that_was_not_played_out_has_no_verdict(reason):
    records = game("A B", result=Result(None if reason == "aborted" else ANN, reason))
    assert (verdict(records), tip(records, BOB)) == ((), "")
    assert verdict(records[:-1]) == ()
    assert verdict([]) == ()


def test_the_winner_gets_no_tip_and_whoever_sits_there_last_is_named():
    records = game("A B")
    assert tip(records, ANN) == ""
    swap = SeatSwapped(1, 1, 1, BOB, SeatInfo("{winner}", "fake"), "swap")
    told = verdict([*game("A C0", "B B")[:1], swap, *game("A C0", "B B")[1:]])
    assert told == (
        "Ann never fired, {winner} once; Ann had a clear shot once.",
        "Ann took the only hit without firing back or leaving the line of fire, {winner} none.",
    )
    both = [
        replace(record, seats=(SEATS[0], SEATS[0])) if isinstance(record, GameStarted) else record for record in records
    ]
    assert verdict(both) == ("Ann (left) led from round 1, turn 1 on: one hit to none.",)


def test_numbers_are_words():
    assert [times(n) for n in (0, 1, 2, 3, 12, 13)] == [
        "never",
        "once",
        "twice",
        "three times",
        "twelve times",
        "13 times",
    ]
    assert [count(n, "play") for n in (1, 2)] == ["one play", "two plays"]


def test_every_game_of_the_characters_has_a_true_verdict_of_one_or_two_sentences():
    records, told = [], 0
    for record in fought("sharpshooter", "turtle"):
        records.append(record)
        if not isinstance(record, GameEnded):
            continue
        sentences = verdict(records)
        assert 1 <= len(sentences) <= 2
        assert all(len(sentence) < 110 for sentence in sentences)
        plays = [each for each in records[_begin(records) :] if isinstance(each, Play)]
        for word, part in (("in the back", "back"), ("in the side", "side")):
            if any(word in sentence for sentence in sentences):
                hits = sum(
                    isinstance(e, BotHit) and e.part == part and p.bot == record.result.winner
                    for p in plays
                    for e in p.events
                )
                assert any(f"{times(hits)} {word}" in sentence for sentence in sentences)
        if any("fired at" in sentence for sentence in sentences) and record.result.winner is not None:
            blocked = sum(isinstance(e, ShotBlocked) and p.bot != record.result.winner for p in plays for e in p.events)
            assert any(f" {times(blocked)}" in sentence for sentence in sentences if "fired at" in sentence)
            told += 1
    assert told


def _begin(records):
    return max(number for number, record in enumerate(records) if isinstance(record, GameStarted))


@pytest.mark.parametrize(
    ("plays", "rot", "said"),
    [
        (("B M", "A B", "B M", "A B"), 180, "Bob never fired: two hits to none."),
        (("B M", "A B", "B A90", "A B"), 180, "Bob never fired: two hits to none, one in the side."),
        (("A B", "A B"), 0, "Bob was hit twice in the back: 72 of its 100 health."),
        (("A B", "A B", "A B"), 0, "Bob was hit three times in the back: all of its health."),
        (("A B", "B B", "A B"), 180, "Ann hit first, in round 1, turn 1, and was never behind: two hits to one."),
        (("B B", "A B", "B M", "A B"), 180, ""),
        (("A M", "B M"), 180, ""),
    ],
)
def test_that_the_winner_was_never_behind_is_told_of_no_other_game(plays, rot, said):
    bots = bot(200, 0), bot(800, rot)
    assert what_befell(game(*plays, bots=bots)) == said
    forfeited = game(*plays, bots=bots, result=Result(0, "forfeit"))
    assert what_befell(forfeited) == ""


@pytest.mark.parametrize(
    ("plays", "rot", "said"),
    [
        (("B S1", "A B", "A B", "A B"), 0, "Bob never fired: three hits to none, all past its shield."),
        (("B C0", "A B", "A B", "A B"), 0, "Bob never fired: three hits to none, all from behind."),
        (("A B", "A B", "A B", "B C180", "B B", "A B"), 0,
         "Bob was hit four times, three of them from behind; Ann once."),
        (3 * ("B S1", "B S0", "A B") + ("B B", "A B"), 180,
         "Bob lowered its shield and was hit at once, three times; four hits to one in all."),
        (2 * ("B S1", "B S0", "A B") + ("B B", "B S1", "B S0", "A M0", "A B"), 180,
         "Bob raised its shield three times but was hit each time while it was down; three hits to one."),
        (2 * ("B S1", "B S0", "A B") + ("B B", "A B"), 180,
         "Bob raised its shield twice but was hit each time while it was down; three hits to one."),
        (("B C0", "A B", "B B", "A C0", "B C0", "A B"), 180,
         "Ann hit first, in round 1, turn 2, and was never behind: two hits to one."),
        (("A B", "B B", "A B"), 180, "Ann hit first, in round 1, turn 1, and was never behind: two hits to one."),
        (("B S1", "A B", "B S0", "A B", "A B"), 180, "Bob never fired: two hits to none."),
        (("A B", "B C90", "A B", "B A90", "A B", "B C1", "A B", "B C359", "B B", "A B"), 180,
         "Bob fired once and let three clear shots pass, Ann fired five times; five hits to one."),
        (3 * ("A S1", "B S1", "A S0", "B S0", "A B") + 3 * ("A S1", "A S0", "B B"), 180, ""),
    ],
)  # fmt: skip
def test_what_befell_the_loser_most_of_the_times_that_it_was_hit_is_told(plays, rot, said):
    rules = replace(PLAIN, battery=0)
    found = what_befell(game(*plays, bots=(bot(200, 0), bot(800, rot)), rules=rules))
    assert found == said


@pytest.mark.parametrize(
    ("plays", "said"),
    [
        (
            ("B C90", "A B", "B C6", "A B"),
            "Bob was hit twice in the side, each time as it turned: 48 of its 100 health.",
        ),
        (
            ("B C90", "A B", "B C6", "A B", "B S0", "A B"),
            "Bob was hit three times in the side, mostly as it turned: 72 of its 100 health.",
        ),
        (("B C90", "A B"), "Bob was hit once in the side as it turned: 24 of its 100 health."),
        (("B C90", "A B", "B S0", "A B"), "Bob was hit twice in the side: 48 of its 100 health."),
        (("B C90", "A B", "B C1", "A B"), "Bob was hit twice in the side: 48 of its 100 health."),
    ],
)
def test_what_the_loser_did_before_most_hits_in_its_side_and_back_is_told(plays, said):
    rules = replace(COUCH, battery=0)
    fired = ("B C180", "B B")  # into the air: else it is said that it never fired
    assert what_befell(game(*plays, *fired, bots=(bot(200, 0), bot(800, 180)), rules=rules)) == said


def test_that_most_hits_came_off_the_wall_is_told():
    rules = replace(COUCH, battery=0, ricochet=1, side_damage=1, back_damage=1)
    bots = bot(200, 300.96), bot(800, 59)  # left fires off the wall
    records = game("A B", "B C121", "A B", "B B", "A B", bots=bots, rules=rules)
    bounced = [play for play in plays_of(records) for event in play.events if getattr(event, "bounce", None)]
    assert len(bounced) >= 3
    assert what_befell(records).startswith("Bob was hit three times, all off the wall; Ann ")


def test_where_both_hit_as_often_it_is_told_whose_hits_were_worth_more():
    rules = replace(COUCH, battery=0)
    bots = bot(200, 0), bot(800, 180)
    records = game("A B", "B B", "B C90", "A B", "B A90", "B B", bots=bots, rules=rules)
    assert evenly(records) == "both landed two hits, one of Ann's in the side"
    back = game("A B", "B B", "B C180", "A B", "B A90", "A B", "B A90", "B B", "B B", bots=bots, rules=rules)
    assert evenly(back) == "both landed three hits, one of Ann's in the side, one in the back"
    assert evenly(game("A B", "B B", "A B", bots=bots, rules=rules)) == ""
    assert evenly(game("A B", "B B", bots=bots, rules=rules)) == ""


def series(*games_of_plays):
    """The records of games in which Bob's back is turned at first."""
    rules = replace(PLAIN, battery=0)
    return [record for plays in games_of_plays for record in game(*plays, bots=(bot(200, 0), bot(800, 0)), rules=rules)]


def test_what_befell_the_loser_of_a_series_is_counted_over_all_of_its_games():
    records = series(("A B", "B C1", "A B"), ("B C359", "A B"), ("A B", "B C180", "B B"))
    assert befell_in_all(records, ANN) == "Bob was hit four times, all from behind; Ann once."
    assert befell_in_all(records[: len(records) // 3], ANN) == ""  # too few of them
    assert befell_in_all(records, BOB) == ""  # who was hit less often has not lost by that
    struck = series(("A B", "A B", "A B", "B C180", *["B B"] * 4))
    assert befell_in_all(struck, ANN) == ""  # nor has who hit more often


def test_of_a_series_it_is_told_how_often_the_loser_was_hit_where_that_costs_more():
    rules = replace(COUCH, battery=0)
    turned = [*["B C90", "A B", "B A90", "A S0"] * 2, "B B"]
    faced = ["A B", "B B", "A S0", "B B"]

    def records(*plays):
        bots = bot(200, 0), bot(800, 180)
        return [record for one in plays for record in game(*one, bots=bots, rules=rules)]

    told = "Bob was hit four times in the side, each time as it turned; Ann never there."
    assert befell_in_all(records(turned, turned, faced), ANN) == told
    once = "Both landed two hits, one of Ann's in the side."
    assert befell_in_all(records(turned[:5], faced), ANN) == once
    assert befell_in_all(records(turned[:5], *[faced] * 12), ANN) == ""  # which explains little
    assert befell_in_all(records(turned[:5]), ANN) == ""  # one game has a sentence of its own
    often = [*["B C90", "A B", "B A90", "A S0"] * 4, *["A C90", "B B", "A A90", "B S0"] * 3]
    assert befell_in_all(records(often), ANN) == ""  # nearly as often the other one was


def test_of_a_series_whose_players_change_nothing_is_counted():
    records = series(("A B", "A B"), ("A B", "A B"))
    assert befell_in_all(records, ANN) != ""
    second = max(number for number, record in enumerate(records) if isinstance(record, GameStarted))
    exchanged = [*records]
    exchanged[second] = replace(records[second], seats=SEATS[::-1])
    assert befell_in_all(exchanged, ANN) == ""
    assert befell_in_all([*records, SeatSwapped(1, 1, 1, ANN, SEATS[0], "swap")], ANN) == ""
