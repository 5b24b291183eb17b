"""A handicap, health and damage of each seat, from the configuration to the picture, the file and the result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fakes import Function, aim, kind

from batllm_arcade.brains.protocol import Decision, Spec, View
from batllm_arcade.cli.main import main
from batllm_arcade.history.reader import read
from batllm_arcade.history.replay import replay
from batllm_arcade.history.verification import verify
from batllm_arcade.match.records import GameEnded, Play, Record
from batllm_arcade.plugin import manager
from batllm_arcade.prompts.payload import payload_messages
from batllm_arcade.session.live_session import LiveSession, SessionPlan
from batllm_arcade.settings import config
from batllm_arcade.view.timeline import Timeline

HANDICAP = """\
rules:
  initial_health: [100, 60]
  bullet_damage: [5, 12]
  initial_shield: false
  total_rounds: 1
  turns_per_round: %d
"""


def shooter(view: View) -> Decision:
    return aim(view) if view.turn % 2 else Decision("B", "B")


def played(tmp_path: Path, left: Any, right: Any, turns: int = 4) -> list[Record]:
    """A match under the handicap, written to `s.json`."""
    file = tmp_path / "handicap.yaml"
    file.write_text(HANDICAP % turns)
    plugins = manager.load()
    plugins.kinds.update({"l": kind("l", Function(left)), "r": kind("r", Function(right))})
    plan = SessionPlan(config.load(str(file)), (Spec("l"), Spec("r")), seed=3, history=tmp_path / "s.json")
    session = LiveSession(plan, plugins)
    table = session.table(plan)
    records = list(session.match(plan, table))
    session.close()
    table.close()
    return records


def still(view: View) -> Decision:
    return Decision("", None)


def test_each_bots_bullets_take_its_own_damage_from_its_own_health(tmp_path):
    records = played(tmp_path, shooter, shooter)
    plays = [record for record in records if isinstance(record, Play)]
    assert (plays[0].before.left.health, plays[0].before.right.health) == (100, 60)
    hits = {play.bot: play for play in plays if play.command.token == "B"}
    assert hits[0].before.right.health - hits[0].after.right.health == 5
    assert hits[1].before.left.health - hits[1].after.left.health == 12


def test_the_payload_shows_ones_own_figures_and_the_opponents_apart(tmp_path):
    seen: dict[int, Any] = {}

    def observe(view: View) -> Decision:
        header, body = (message["content"] for message in payload_messages(view))
        seen[view.seat] = (header, json.loads(body))
        return Decision("", None)

    played(tmp_path, observe, observe, turns=1)
    for me, mine, theirs in ((0, (5, 100), (12, 60)), (1, (12, 60), (5, 100))):
        header, body = seen[me]
        const = body["const"]
        assert (const["bullet_damage"], const["initial_health"]) == mine
        assert (const["opp"]["bullet_damage"], const["opp"]["initial_health"]) == theirs
        assert (body["current_state"]["self"]["health"], body["current_state"]["opp"]["health"]) == (mine[1], theirs[1])
        assert f"reduces target health by {mine[0]}." in header


@pytest.mark.parametrize(("left", "right", "winner"), [(shooter, still, 0), (still, shooter, 1)])
def test_the_result_goes_by_the_share_of_the_starting_health(tmp_path, left, right, winner):
    records = played(tmp_path, left, right, turns=2)
    ended = next(record for record in records if isinstance(record, GameEnded))
    assert (ended.result.winner, ended.result.reason) == (winner, "points")
    if winner == 1:
        assert ended.arena.left.health > ended.arena.right.health, "in points the loser has more left"


def test_the_picture_has_the_numbers_and_the_shares(tmp_path):
    timeline = Timeline.of(played(tmp_path, shooter, shooter))
    start, end = timeline.at(0.0), timeline.at(timeline.end)
    assert [bot.points for bot in start.bots] == [100, 60]
    assert [bot.health for bot in start.bots] == [1, 1]
    arena = end.arena
    assert [bot.points for bot in end.bots] == [arena.left.health, arena.right.health]
    assert [bot.health for bot in end.bots] == [arena.left.health / 100, arena.right.health / 60]
    assert arena.left.health < 100
    assert arena.right.health < 60


def test_the_session_holds_the_handicap_and_replays(tmp_path, capsys):
    records = played(tmp_path, shooter, shooter)
    tape = read(tmp_path / "s.json")
    rules = json.loads((tmp_path / "s.json").read_text())["games"][0]["rules"]
    assert (rules["initial_health"], rules["bullet_damage"]) == ([100, 60], [5, 12])
    assert list(verify(tape)) == []
    again = [record.arena for record in replay(tape) if isinstance(record, GameEnded)]
    assert again == [record.arena for record in records if isinstance(record, GameEnded)]


def test_the_command_line_plays_under_a_handicap(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("h.yaml").write_text(HANDICAP % 30)
    match = ["--config", "h.yaml", "--left", "scripted:sharpshooter", "--right", "scripted:sharpshooter", "--seed", "2"]
    assert main(["run", *match, "--json", "--history", "s.json"]) == 0
    game = json.loads(capsys.readouterr().out)
    assert game["initial_state"][0]["health"] == 100
    assert game["initial_state"][1]["health"] == 60
    assert main(["verify", "s.json"]) == 0
