"""Sessions with a battery, and that files of games without one stay what they were before there was any."""

from __future__ import annotations

import json

import pytest
from fakes import FakeTable, plays, written
from paths import DATA

from batllm_arcade.core.model import CHARGES, rules_from
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


def fought(**figures):
    """Two short rounds with steps, shots, blocks and refusals, under couch's figures but for these."""
    left = ["M", "B", "S1", "B", "C30", "M", "M", "S", "B", "what?", "M", "M"]
    right = ["S1", "S1", "S0", "M", "B", "B", "A90", "M", "M", "S1", "B", None]
    table = FakeTable(left, right)
    records = list(runner.play(MatchPlan(rules_from({**COUCH, **figures}), 3), table))
    table.assert_used_up()
    return records


def saved(records, folder):
    return json.loads(written(records, folder / "session.json").read_text())


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


def test_with_a_battery_the_rules_hold_its_figures_and_every_state_its_charge(tmp_path):
    game = saved(fought(), tmp_path)["games"][0]
    assert {name: game["rules"][name] for name in ("battery", *CHARGES)} == {
        "battery": 9, "initial_charge": 3, "shot_charge": 3, "block_charge": 2, "shield_charge": 1, "step_charge": 3,
        "rest_charge": 1,
    }  # fmt: skip
    assert (game["rules"]["side_damage"], game["rules"]["back_damage"]) == (2, 3)
    assert all(list(state) == ["x", "y", "rot", "shield", "health", "charge"] for state in states(game))
    assert {0, 3} < {state["charge"] for state in states(game)}


def test_without_a_battery_neither_its_figures_nor_a_charge_are_written(tmp_path):
    game = saved(fought(battery=0), tmp_path)["games"][0]
    assert not {"battery", *CHARGES} & set(game["rules"])
    assert all("charge" not in state for state in states(game))
    assert game["rules"]["back_damage"] == 3


@pytest.mark.parametrize(("side", "back", "keys"), [(1, 1, []), (1, 2, ["back_damage"]), (0.5, 1, ["side_damage"])])
def test_armour_is_written_only_where_it_makes_a_difference(side, back, keys, tmp_path):
    rules = saved(fought(side_damage=side, back_damage=back), tmp_path)["games"][0]["rules"]
    assert [name for name in rules if name in ("side_damage", "back_damage")] == keys


@pytest.mark.parametrize("figures", [{}, {"battery": 0}, {"side_damage": 1, "back_damage": 1}])
def test_a_session_reads_back_as_it_was_played(figures, tmp_path):
    records = fought(**figures)
    session = read(written(records, tmp_path / "session.json"))
    assert not list(verify(session))
    again = plays(replay(session))
    assert [(play.before, play.after, play.events) for play in again] == [
        (play.before, play.after, play.events) for play in plays(records)
    ]


def test_a_refused_command_is_kept_as_it_was_given(tmp_path):
    shots = [play for one in saved(fought(), tmp_path)["games"][0]["rounds"] for play in one["turns"]]
    shots = [play for play in shots if play["cmd"] == "B"]
    refused = [play for play in shots if play["post_state"]["charge"] > play["pre_state"]["charge"]]
    assert refused
    assert {play["status"] for play in refused} == {"ok"}


@pytest.mark.parametrize("state", ["pre_state", "post_state", "opponent_state"])
def test_verify_names_a_charge_that_is_another_when_played_again(state, tmp_path):
    values = saved(fought(), tmp_path)
    values["games"][0]["rounds"][0]["turns"][3][state]["charge"] += 1
    (difference,) = verify(session_of(values))
    assert str(difference).startswith(f"game 1, round 1, play 4: {state}.charge is ")


@pytest.mark.parametrize("charge", [-1, 1.0, "3", None, True, 10**7])
def test_a_charge_that_can_be_none_is_refused_by_name(charge, tmp_path):
    values = saved(fought(), tmp_path)
    values["games"][0]["initial_state"][1]["charge"] = charge
    with pytest.raises(HistoryError, match="'charge' of"):
        session_of(values)


def test_a_killed_session_keeps_its_charges_in_the_journal(tmp_path):
    records = fought()[:10]
    journal = tmp_path / "session.json.journal"
    journal.write_text("".join(json.dumps(schema.entry(record, battery=True)) + "\n" for record in records))
    session = read(tmp_path / "session.json")
    assert not list(verify(session))
    assert session.games[0].rounds[0].plays[-1].post_state.charge == records[-1].after.bot(records[-1].bot).charge
