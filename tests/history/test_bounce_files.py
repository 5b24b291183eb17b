"""What session files hold of bounces and back steps, and that they read back as they were played."""

from __future__ import annotations

import json

import pytest
from fakes import FakeTable, plays, written

from batllm_arcade.core.events import BotHit, BotMoved, BulletFlew
from batllm_arcade.core.model import Rules, rules_from
from batllm_arcade.history import schema
from batllm_arcade.history.reader import read, session_of
from batllm_arcade.history.replay import replay
from batllm_arcade.history.schema import HistoryError
from batllm_arcade.history.verification import verify
from batllm_arcade.match import runner
from batllm_arcade.match.runner import MatchPlan

ARENA = {
    "arena_width": 500, "arena_height": 400, "bot_radius": 60, "step_length": 100, "bullet_damage": 12,
    "shield_degrees": 50, "initial_shield": False, "side_damage": 2, "back_damage": 3, "ricochet": 1, "back_step": 60,
    "total_rounds": 2, "turns_per_round": 6,
}  # fmt: skip


def fought(**figures):
    """Two short rounds of bounces and back steps."""
    left = ["M-60", "B", "C35", "B", "M-7", "A80", "B", "M-0", "C140", "B", "M-12345", "B"]
    right = ["B", "m-0060", "C15", "B", "M", "B", "M-60", "C77", "B", "A20", "B", "M60"]
    table = FakeTable(left, right)
    records = list(runner.play(MatchPlan(rules_from({**ARENA, **figures}), 9), table))
    table.assert_used_up()
    return records


def saved(records, folder):
    return json.loads(written(records, folder / "session.json").read_text())


def rules_of(**figures):
    return schema.rules(Rules(**figures))


def test_the_rules_hold_the_figures_only_where_they_are_on():
    new = {"ricochet", "bounce_cap", "back_step"}
    assert not new & set(rules_of())
    assert new & set(rules_of(ricochet=1)) == {"ricochet", "bounce_cap"}
    assert {key: rules_of(ricochet=1, bounce_cap=0, back_step=20)[key] for key in sorted(new)} == {
        "back_step": 20, "bounce_cap": 0, "ricochet": 1,
    }  # fmt: skip


def test_without_the_rules_a_file_is_the_same_whatever_the_cap():
    assert rules_of(bounce_cap=7) == rules_of()


def test_a_back_step_is_kept_as_it_was_written_without_needless_zeros(tmp_path):
    turns = [play for one in saved(fought(), tmp_path)["games"][0]["rounds"] for play in one["turns"]]
    assert {"M-60", "M-7", "M-0"} <= {play["cmd"] for play in turns}
    written_so = {play["llm_response"]: (play["cmd"], play["status"]) for play in turns}
    assert written_so["m-0060"] == ("M-60", "ok")
    assert written_so["M-12345"] == written_so["M60"] == ("ERR", "invalid")


def test_a_session_reads_back_as_it_was_played(tmp_path):
    records = fought()
    session = read(written(records, tmp_path / "session.json"))
    assert not list(verify(session))
    again = plays(replay(session))
    assert [(play.before, play.after, play.events) for play in again] == [
        (play.before, play.after, play.events) for play in plays(records)
    ]
    events = [event for play in again for event in play.events]
    assert any(isinstance(event, BulletFlew) and event.bounce for event in events)
    assert any(isinstance(event, BotHit) for event in events)
    assert any(isinstance(event, BotMoved) and event.back for event in events)


def forged(records, folder, **rules):
    values = saved(records, folder)
    values["games"][0]["rules"] |= rules
    return values


@pytest.mark.parametrize("rules", [{"ricochet": 0, "back_step": 0}, {"back_step": 30}, {"back_step": 0}])
def test_verify_notices_where_the_figures_are_not_those_it_was_played_by(rules, tmp_path):
    assert list(verify(session_of(forged(fought(), tmp_path, **rules))))


def test_verify_notices_a_bounced_hit_that_took_what_a_straight_one_takes(tmp_path):
    values = saved(fought(), tmp_path)
    assert {"side", "back"} & {
        event.part for play in plays(replay(session_of(values))) for event in play.events
        if isinstance(event, BotHit) and play.events[0].bounce
    }  # fmt: skip
    values["games"][0]["rules"]["bounce_cap"] = 0
    assert list(verify(session_of(values)))


@pytest.mark.parametrize(
    ("name", "value"), [("ricochet", 2), ("bounce_cap", -1), ("back_step", 50), ("back_step", "60")]
)
def test_a_figure_that_makes_no_game_is_refused_by_name(name, value, tmp_path):
    with pytest.raises(HistoryError, match=f"{name} must be"):
        session_of(forged(fought(), tmp_path, **{name: value}))


def test_verify_notices_a_back_step_that_is_written_otherwise_than_it_was_answered(tmp_path):
    values = saved(fought(), tmp_path)
    stepped = next(play for play in values["games"][0]["rounds"][0]["turns"] if play["cmd"] == "M-60")
    stepped["cmd"] = "M-61"  # which leads to the same states
    (difference,) = verify(session_of(values))
    assert "cmd is 'M-61'" in str(difference)
