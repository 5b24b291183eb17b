"""Where models do not see each other's orders and answers, bots do not: by their views and by the line protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from batllm_arcade.brains.protocol import Decision, View
from batllm_arcade.match.records import Play
from batllm_arcade.session.games import play

ORDERS, RAW, SAID = "canary-orders", "canary-raw", "canary-said"
VIEWING = """
from batllm_arcade import BrainKind, Decision, hookimpl

class Viewing:
    def decide(self, view):
        known = repr((view.prompts, view.history, view.system_header, view.prompt))
        return Decision("M", "M", known)

@hookimpl
def batllm_brains():
    return [BrainKind("viewing", "tells what it sees", lambda spec: Viewing())]
"""
READING = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "decide":
        answer = {"type": "play", "id": message["id"], "command": "M", "thought": line}
        print(json.dumps(answer), flush=True)
    elif message["type"] == "quit":
        break
"""


class Talking:
    """A brain with something to hide."""

    def __init__(self) -> None:
        self.views: list[View] = []

    def decide(self, view: View) -> Decision:
        self.views.append(view)
        return Decision(f"C7 {RAW}", "C7", say=SAID)


def told(tmp_path: Path, bot: str, mode: str, other: Any) -> str:
    """Return all that the bot was told, against a brain with orders and words of its own."""
    config = tmp_path / "config.yaml"
    config.write_text(f"payload: {{mode: {mode}}}\n")
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "viewing.py").write_text(VIEWING)
    (tmp_path / "reading.py").write_text(READING)
    records = play(
        bot.replace("HERE", str(tmp_path)), other, seed=3, config=str(config), orders=("mine", ORDERS), rounds=2,
        turns=3, plugins_dir=tmp_path / "bots", history=None,
    )  # fmt: skip
    plays = [record for record in records if isinstance(record, Play) and record.bot == 0]
    assert {each.status for each in plays} == {"ok"}
    return "".join(each.decision.thought for each in plays)


@pytest.mark.parametrize("bot", ["viewing:isolation=process", "proc:HERE/reading.py,isolation=process"])
def test_independent_bots_see_no_orders_and_no_answers_of_the_other_side(tmp_path, bot):
    (tmp_path / "a").mkdir(), (tmp_path / "b").mkdir()
    other = Talking()
    known = told(tmp_path / "a", bot, "independent", other)
    assert [word for word in (ORDERS, RAW, SAID) if word in known] == []
    assert '"bot":"opp"' not in known, "by the line protocol not even what it played"
    assert "mine" in known
    assert {view.prompts for view in other.views} == {("", ORDERS)}
    known = told(tmp_path / "b", bot, "shared", Talking())
    assert ORDERS in known, "what is looked at would show it"
    assert RAW in known, "what is looked at would show it"
