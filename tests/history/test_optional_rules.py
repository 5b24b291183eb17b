"""What session files hold of rules that may be off, and that they read back as they were played."""

from __future__ import annotations

import json

import pytest
from fakes import FakeTable, plays, written
from paths import DATA

from batllm_arcade.core.events import BotHit, BotMoved, BulletFlew
from batllm_arcade.core.model import CHARGES, Rules, rules_from
from batllm_arcade.history import schema
from batllm_arcade.history.reader import read, session_of
from batllm_arcade.history.replay import replay
from batllm_arcade.history.schema import HistoryError
from batllm_arcade.history.verification import verify
from batllm_arcade.match import runner
from batllm_arcade.match.runner import MatchPlan

COUCH = {
    "bot_radius": 60, "step_length": 100, "bullet_damage": 12, "shield_degrees": 50, "initial_shield": False,
    "battery": 9, "side_damage": 2, "back_damage": 3, "total_rounds": 2, "turns_per_round": 6,
}  # fmt: skip
ARENA = {**COUCH, "battery": 0, "arena_width": 500, "arena_height": 400, "ricochet": 1, "back_step": 60}
STEPS = ["M", "B", "S1", "B", "C30", "M", "M", "S", "B", "what?", "M", "M"], [
    "S1", "S1", "S0", "M", "B", "B", "A90", "M", "M", "S1", "B", None]  # fmt: skip
"""Steps, shots, blocks and refusals."""
BOUNCES = ["M-60", "B", "C35", "B", "M-7", "A80", "B", "M-0", "C140", "B", "M-12345", "B"], [
    "B", "m-0060", "C15", "B", "M", "B", "M-60", "C77", "B", "A20", "B", "M60"]  # fmt: skip
"""Bounces and back steps."""


def charged(**figures):
    """Two short rounds under couch's figures but for these."""
    return fought(STEPS, 3, COUCH, figures)


def bounced(**figures):
    return fought(BOUNCES, 9, ARENA, figures)


def fought(scripts, seed, usual, figures):
    table = FakeTable(*map(list, scripts))
    records = list(runner.play(MatchPlan(rules_from({**usual, **figures}), seed), table))
    table.assert_used_up()
    return records


def saved(records, folder):
    path = written(records, folder / "session.json")
    values = json.loads(path.read_text())
    path.unlink()
    return values


def turns(values):
    return [play for one in values["games"][0]["rounds"] for play in one["turns"]]


def states(game):
    """Every state that a game's record holds."""
    yield from game["initial_state"]
    for one in game["rounds"]:
        yield from one["initial_state"]
        for play in one["turns"]:
            yield from (play[key] for key in ("pre_state", "post_state", "opponent_state"))


@pytest.mark.parametrize(
    "name", ["before_battery/default", "before_battery/classic", "before_battery/couch", "before_bounce/couch"]
)
def test_a_session_from_before_a_rule_is_played_again_to_the_letter(name, tmp_path):
    old = DATA / f"{name}.json"
    assert not list(verify(read(old)))
    assert written(replay(read(old)), tmp_path / "again.json").read_bytes() == old.read_bytes()


def test_the_rules_hold_a_figure_only_where_it_makes_a_difference():
    def kept(**figures):
        return set(schema.rules(Rules(**figures))) - set(schema.rules(Rules()))

    assert kept(bounce_cap=7) == kept(shot_charge=7) == kept() == set()
    assert kept(ricochet=1) == {"ricochet", "bounce_cap"}
    assert kept(ricochet=1, back_step=20) == {"ricochet", "bounce_cap", "back_step"}
    assert kept(back_damage=2) == {"back_damage"}
    assert kept(side_damage=0.5) == {"side_damage"}
    battery = schema.rules(rules_from(COUCH))
    assert {name: battery[name] for name in ("battery", *CHARGES)} == {
        "battery": 9, "initial_charge": 3, "shot_charge": 3, "block_charge": 2, "shield_charge": 1, "step_charge": 3,
        "rest_charge": 1,
    }  # fmt: skip


def test_every_state_holds_its_charge_with_a_battery_and_none_without(tmp_path):
    game = saved(charged(), tmp_path)["games"][0]
    assert all(list(state) == ["x", "y", "rot", "shield", "health", "charge"] for state in states(game))
    assert {0, 3} < {state["charge"] for state in states(game)}
    assert all("charge" not in state for state in states(saved(charged(battery=0), tmp_path)["games"][0]))


@pytest.mark.parametrize(
    "records", [charged(), charged(battery=0), charged(side_damage=1, back_damage=1), bounced()], ids=range(4)
)
def test_a_session_reads_back_as_it_was_played(records, tmp_path):
    session = read(written(records, tmp_path / "session.json"))
    assert not list(verify(session))
    again = plays(replay(session))
    assert [(play.before, play.after, play.events) for play in again] == [
        (play.before, play.after, play.events) for play in plays(records)
    ]


def test_bounces_hits_and_back_steps_are_among_what_reads_back():
    events = [event for play in plays(bounced()) for event in play.events]
    assert any(isinstance(event, BulletFlew) and event.bounce for event in events)
    assert any(isinstance(event, BotHit) for event in events)
    assert any(isinstance(event, BotMoved) and event.back for event in events)


def test_a_refused_command_and_a_back_step_are_kept_as_they_were_given_without_needless_zeros(tmp_path):
    shots = [play for play in turns(saved(charged(), tmp_path)) if play["cmd"] == "B"]
    refused = [play for play in shots if play["post_state"]["charge"] > play["pre_state"]["charge"]]
    assert {play["status"] for play in refused} == {"ok"}
    steps = turns(saved(bounced(), tmp_path))
    assert {"M-60", "M-7", "M-0"} <= {play["cmd"] for play in steps}
    written_so = {play["llm_response"]: (play["cmd"], play["status"]) for play in steps}
    assert written_so["m-0060"] == ("M-60", "ok")
    assert written_so["M-12345"] == written_so["M60"] == ("ERR", "invalid")


@pytest.mark.parametrize("state", ["pre_state", "post_state", "opponent_state"])
def test_verify_names_a_charge_that_is_another_when_played_again(state, tmp_path):
    values = saved(charged(), tmp_path)
    values["games"][0]["rounds"][0]["turns"][3][state]["charge"] += 1
    (difference,) = verify(session_of(values))
    assert str(difference).startswith(f"game 1, round 1, play 4: {state}.charge is ")


@pytest.mark.parametrize(
    "rules", [{"ricochet": 0, "back_step": 0}, {"back_step": 30}, {"back_step": 0}, {"bounce_cap": 0}]
)
def test_verify_notices_where_the_figures_are_not_those_it_was_played_by(rules, tmp_path):
    values = saved(bounced(), tmp_path)
    assert {"side", "back"} & {
        event.part for play in plays(replay(session_of(values))) for event in play.events
        if isinstance(event, BotHit) and play.events[0].bounce
    }  # fmt: skip
    values["games"][0]["rules"] |= rules
    assert list(verify(session_of(values)))


def test_verify_notices_a_back_step_that_is_written_otherwise_than_it_was_answered(tmp_path):
    values = saved(bounced(), tmp_path)
    stepped = next(play for play in turns(values) if play["cmd"] == "M-60")
    stepped["cmd"] = "M-61"  # which leads to the same states
    (difference,) = verify(session_of(values))
    assert "cmd is 'M-61'" in str(difference)


@pytest.mark.parametrize("charge", [-1, 1.0, "3", None, True, 10**7])
def test_a_charge_and_figures_that_can_be_none_are_refused_by_name(charge, tmp_path):
    values = saved(charged(), tmp_path)
    values["games"][0]["initial_state"][1]["charge"] = charge
    with pytest.raises(HistoryError, match="'charge' of"):
        session_of(values)
    for name, value in (("ricochet", 2), ("bounce_cap", -1), ("back_step", 50), ("back_step", "60")):
        values = saved(bounced(), tmp_path)
        values["games"][0]["rules"][name] = value
        with pytest.raises(HistoryError, match=f"{name} must be"):
            session_of(values)


def test_a_killed_session_keeps_its_charges_in_the_journal(tmp_path):
    records = charged()[:10]
    journal = tmp_path / "session.json.journal"
    journal.write_text("".join(json.dumps(schema.entry(record, battery=True)) + "\n" for record in records))
    session = read(tmp_path / "session.json")
    assert not list(verify(session))
    assert session.games[0].rounds[0].plays[-1].post_state.charge == records[-1].after.bot(records[-1].bot).charge
