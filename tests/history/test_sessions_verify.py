"""Every kind of session that the program itself writes verifies, over several seeds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest
from fakes import FAILED, LATE, NOON, FakeTable, Sits, aim, kinds, written
from paths import ROOT

from batllm_arcade import HistoryManager, hookimpl
from batllm_arcade.brains.bots import BotBrain
from batllm_arcade.brains.protocol import SeatInfo, Spec, View
from batllm_arcade.cli.main import main
from batllm_arcade.core.model import Rules, rules_from
from batllm_arcade.history.reader import read
from batllm_arcade.history.verification import not_checked, verify
from batllm_arcade.history.writer import SessionWriter
from batllm_arcade.match import runner
from batllm_arcade.match.records import Play
from batllm_arcade.match.runner import Answer, MatchPlan
from batllm_arcade.models.base import ModelBrain, ModelReply, ModelRequest
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.session.live_session import LiveSession, SessionPlan
from batllm_arcade.settings.config import Config

STOP, ABANDON = FakeTable.STOP, FakeTable.ABANDON
CHARACTERS = ("sharpshooter", "turtle", "dancer", "random")


@pytest.mark.parametrize("config", ["default", "couch", "arena", "classic"])
def test_a_match_of_scripts_under_every_shipped_configuration(tmp_path, capsys, config):
    for left, right in pairwise((*CHARACTERS, CHARACTERS[0])):
        file = str(tmp_path / f"{left}-{right}.json")
        seats = ["--left", f"scripted:{left}", "--right", f"scripted:{right}"]
        how = ["--config", config, "--seed", "11", "--games", "2", "--rounds", "2", "--turns", "8"]
        assert main(["run", *how, *seats, "--history", file, "--quiet"]) == 0
        capsys.readouterr()
        assert main(["verify", file]) == 0, capsys.readouterr().out
        assert "taken as recorded" not in capsys.readouterr().out


RULES = {"total_rounds": 3, "turns_per_round": 3}
HANDICAP = {"initial_health": [60, 100], "bullet_damage": [20, 7], "initial_shield": False}
BATTERY = {"battery": 9, "side_damage": 2, "back_damage": 3}
BOUNCE = BATTERY | {"step_length": 100, "initial_shield": False, "ricochet": 1, "back_step": 60}
KINDS: dict[str, tuple[list[Any], list[Any], dict[int, list[Any]], dict[str, Any]]] = {
    "handicap": (["C5", aim, "B"] * 3, ["C5", aim, "B"] * 3, {}, HANDICAP),
    "battery": (["M", aim, "B"] * 3, ["S1", "M", None] * 3, {}, BATTERY | HANDICAP),
    "fallback": ([LATE, FAILED, LATE], ["M", None, "what?"] * 3, {0: ["M", "B"] * 3}, {}),
    "forfeit": ([LATE] * 3, ["M"] * 9, {0: [FAILED] * 3}, {}),
    "swap and take-over": (["M", Sits("a:b"), "M", Sits("keyboard", "wheel"), "S", Sits("a:b", "wheel"), *["M"] * 6],
                           ["S"] * 9, {}, {}),
    "left": (["M", "M", STOP], ["S"] * 9, {}, {}),
    "a round left": (["M", ABANDON, *["M"] * 6], ["S"] * 9, {}, {}),
    "bounces and back steps": (["M-60", aim, "B"] * 3, ["M-007", "C90", "B"] * 3, {}, BOUNCE),
    "nothing, on purpose": ([None] * 9, [None] * 9, {}, BATTERY),
}  # fmt: skip


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", KINDS)
def test_every_course_of_a_match(tmp_path, name, seed):
    left, right, fallbacks, figures = KINDS[name]
    table = FakeTable(left, [*right, *["S"] * 9], fallbacks)
    plan = MatchPlan(rules_from(RULES | figures), seed, prompts=("win", "hide"), header_template="$bullet_damage")
    session = read(written(runner.play(plan, table), tmp_path / "s.json"))
    assert [str(each) for each in verify(session)] == []
    assert not_checked(session) == ""


class Canned(ModelBrain):
    """A model that says the same again and again."""

    label, home = "the canned model", "http://127.0.0.1:9"

    def __init__(self, spec: Spec, *replies: str) -> None:
        super().__init__(spec)
        self.replies = list(replies)

    def catalogue(self) -> str:
        return "/"

    def choose(self, listing: Mapping[str, Any]) -> None:
        return

    def ask(self, request: ModelRequest) -> ModelReply:
        self.replies.append(self.replies.pop(0))
        return ModelReply(self.replies[-1])


class Models(runner.TableProtocol):
    """A table for two brains without threads."""

    def __init__(self, *brains: Any) -> None:
        self.brains = brains

    def begin_game(self) -> tuple[SeatInfo, SeatInfo]:
        return SeatInfo("left", "canned"), SeatInfo("right", "canned")

    def ask(self, bot: int, view: View) -> Answer:
        return Answer(self.brains[bot].decide(view), "ok", "", 0.1, NOON)

    def now(self) -> str:
        return NOON


def buttons(*names: str) -> str:
    fields = {"reasoning": "r", "observations": "o", "context_detected": "battle"}
    return json.dumps({"button_presses": list(names), **fields})


REPLIES: dict[str, tuple[dict[str, str], list[str]]] = {
    "tokens": ({"reply": "token"}, ["M", '"C17"', '{"cmd": "S0"}', "<think>hm</think>B", "I fire!", "b"]),
    "queued buttons": ({"reply": "json"}, [buttons("left", "up", "a"), buttons("select", "b"), "M", "M"]),
    "conversation": (
        {"context": "conversation"},
        [
            '{"toolCall": "playCommand", "command": "M", "reasoning": "near"}',
            '{"toolCall": "postMessage", "text": "hello"}',
            "M",
        ],
    ),
    "buttons in a conversation": ({"context": "conversation", "reply": "json"}, [buttons("up", "a", "b")]),
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", REPLIES)
def test_every_form_of_a_model_s_answers(tmp_path, name, seed):
    options, replies = REPLIES[name]
    brains = [Canned(Spec("canned", "", {**options, "model": "m"}), *replies) for _ in range(2)]
    records = list(runner.play(MatchPlan(rules_from(RULES | HANDICAP), seed), Models(*brains)))
    queued = {record.decision.queued_from for record in records if isinstance(record, Play)}
    assert (len(queued) > 1) == ("buttons" in name)
    assert [str(each) for each in verify(read(written(records, tmp_path / "s.json")))] == []


def test_several_matches_in_one_session_have_seeds_of_their_own_and_the_session_that_of_the_first(tmp_path):
    file, told = tmp_path / "s.json", SessionWriter(tmp_path / "s.json")

    class Recorder:
        @hookimpl
        def batllm_observer(self) -> SessionWriter:
            return told

    plugins = Plugins.none()
    plugins.manager.register(Recorder(), "recorder")
    plugins.kinds.update(kinds(mover=BotBrain("mover", lambda me, foe, clock: "M")))
    config = Config(rules=Rules(total_rounds=1, turns_per_round=2), fallback=Spec("mover"))
    plans = [SessionPlan(config, (Spec("mover"), Spec("mover")), seed=seed) for seed in (7, 8, 9)]
    session = LiveSession(plans[0], plugins)
    for plan in plans[1:]:  # the seed of the command line was drawn again before the first match
        table = session.table(plan)
        assert list(session.match(plan, table))
        table.close()
    session.close()
    tape = read(file)
    assert (tape.seed, [game.seed for game in tape.games]) == (8, [8, 9])
    assert [str(each) for each in verify(tape)] == []


def own_starts(seed: int) -> HistoryManager:
    history = HistoryManager()
    history.start_session(seed=seed)
    states = [{"x": x, "y": 500, "rot": 0, "shield": 0, "health": 10} for x in (250, 750)]
    history.start_game({"total_rounds": 1, "turns_per_round": 1}, ["Ann", "Bob"], states)
    history.start_round(["", ""], augmented=False, independent_llms=False)
    history.add_turn(1, "B", states[1], states[1], timestamp="last summer")
    history.add_turn(0, "M", states[0], {**states[0], "x": 300})
    history.end_game({"winner": None, "reason": "draw"})
    history.end_session()
    return history


@pytest.mark.parametrize("kind", [0, 7, "original", "imported"])
def test_a_session_with_starts_of_its_own_says_in_a_sentence_what_is_not_checked(tmp_path, capsys, kind):
    theirs, file = ROOT / "fuzz" / "corpus" / "original" / "agreed.json", tmp_path / "s.json"
    if kind == "imported":
        assert main(["import", str(theirs), "-o", str(file)]) == 0
    elif kind != "original":
        own_starts(kind).save(file)
    assert main(["verify", str(theirs if kind == "original" else file)]) == 0
    assert "who acts first and its times are taken as recorded" in capsys.readouterr().out
