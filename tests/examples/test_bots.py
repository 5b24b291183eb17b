"""The example bots in four languages: they play, three of them the same games, and what they say is the protocol."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path

import jsonschema
import pytest
from paths import ROOT

from batllm_arcade.brains.bots import BotView
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.core import rules as game_rules
from batllm_arcade.core.flight import bank_shots
from batllm_arcade.core.model import BotState
from batllm_arcade.isolation import process_brain as bot_protocol
from batllm_arcade.match import runner
from batllm_arcade.match.records import GameEnded, Play, Record
from batllm_arcade.match.runner import MatchPlan
from batllm_arcade.plugin import manager
from batllm_arcade.processes.child import Child
from batllm_arcade.seats.table import Table
from batllm_arcade.settings import config

BOTS = ROOT / "examples" / "bots"
KINDS = manager.load().kinds
COUCH, ARENA = config.load("couch").rules, config.load("arena").rules
SCHEMA = json.loads((ROOT / "assets" / "schemas" / "line-protocol.schema.json").read_text("utf-8"))


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("c") / "duelist"
    subprocess.run(["cc", "-O2", "-Wall", "-Werror", "-o", target, BOTS / "duelist.c", "-lm"], check=True)
    return target


def play(bot: Path | str, opponent: str = "scripted:random", games: int = 1, **rules: int) -> list[Record]:
    spec = Spec.parse(f"proc:{bot}") if isinstance(bot, Path) else Spec.parse(bot)
    table = Table(KINDS, (spec, Spec.parse(opponent)), fallback=Spec("scripted", "turtle"))
    try:
        table.prepare(lambda _: None)
        return list(runner.play(MatchPlan(replace(COUCH, **rules), 7, games), table))
    finally:
        table.close()


def plays(records: list[Record]) -> list[tuple[object, ...]]:
    made = [record for record in records if isinstance(record, Play)]
    assert {each.status for each in made} == {"ok"}, [each.reason for each in made if each.reason]
    return [(each.game, each.round, each.number, each.decision.raw, each.command, each.after) for each in made]


@needs("node")
@needs("cc")
def test_a_bot_without_chance_plays_the_same_games_in_python_javascript_and_c(compiled):
    def both(bot: Path) -> tuple[object, ...]:
        return plays(play(bot, games=2)), plays(play(bot, "scripted:sharpshooter", battery=0, total_rounds=1))

    with ThreadPoolExecutor(3) as threads:
        in_python, in_javascript, in_c = threads.map(both, [BOTS / "duelist.py", BOTS / "duelist.mjs", compiled])
    assert in_python == in_javascript == in_c
    assert len(in_python[0]) > 40


@needs("cc")
def test_the_duelist_plays_well(compiled):
    ended = [record for record in play(compiled, "scripted:dancer", games=6) if isinstance(record, GameEnded)]
    assert [game.result.winner for game in ended].count(0) >= 5


@needs("sed")
def test_a_bot_in_shell_plays_and_finds_its_opponent():
    made = plays(play(BOTS / "marksman.sh", total_rounds=1, turns_per_round=6))
    turned, *_ = (each for each in made if str(each[3])[:1] in ("A", "C") and each[5].left != made[0][5].left)
    me, foe = BotView.pair(turned[5], 0, COUCH)
    assert me.aims_at(foe)


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[bytes]]:
    """The lines that go to bots, and those that come from them."""
    lines: dict[str, list[bytes]] = {"to": [], "from": []}
    read, send = bot_protocol.read_line, Child.send
    monkeypatch.setattr(bot_protocol, "read_line", lambda line: (lines["from"].append(line), read(line))[1])
    monkeypatch.setattr(Child, "send", lambda self, line, *more: (lines["to"].append(line), send(self, line, *more))[1])
    return lines


def test_what_is_said_both_ways_is_what_the_schema_says(heard):
    play(BOTS / "duelist.py", games=2, total_rounds=1, turns_per_round=3)
    play(BOTS / "duelist.py", total_rounds=1, turns_per_round=1, battery=0, side_damage=1, back_damage=1)
    play(BOTS / "duelist.py", total_rounds=1, turns_per_round=2, ricochet=1, back_step=60)
    kinds = {}
    for way, name in (("to", "toBot"), ("from", "fromBot")):
        check = jsonschema.Draft202012Validator({**SCHEMA, "$ref": f"#/$defs/{name}"})
        messages = [json.loads(line) for lines in heard[way] for line in lines.splitlines()]
        for message in messages:
            check.validate(message)
        kinds[way] = {message["type"] for message in messages}
    assert kinds == {"to": {"hello", "game", "decide", "result", "quit"}, "from": {"ready", "play"}}
    for bad in (
        {"type": "play", "id": 1, "command": 7},
        {"type": "play", "command": "M"},
        {"type": "partial", "id": 1},
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(bad, {**SCHEMA, "$ref": "#/$defs/fromBot"})


HARNESS = """
import { BotView } from MODULE;
let text = "";
for await (const part of process.stdin) text += part;
const answers = JSON.parse(text).map(({ mine, theirs, rules, seat, token }) => {
  const [me, foe] = BotView.pair(mine, theirs, rules, seat), after = me.simulate(token);
  const state = ({ x, y, rot, health, shield, charge }) => [x, y, rot, health, Number(shield), charge];
  return [state(after.me), state(after.foe), me.wouldHit(foe), me.isShieldedFrom(foe), me.strikes(foe), me.canStep(foe),
    me.lineTo(foe), me.banks(foe).map(({ turn, part, damage }) => [turn, part, damage])];
});
process.stdout.write(JSON.stringify(answers));
"""


@needs("node")
def test_the_helpers_in_javascript_see_what_those_in_python_see():
    rng, asked, expected = random.Random(3), [], []
    for number in range(800):
        rules = ARENA if number >= 400 else COUCH
        rules = replace(rules, battery=rules.battery if number % 3 else 0, second_charge=0)
        if number % 5 == 0:
            rules = replace(rules, bump_push=0, bump_turn=0, bots_collide=False)
        rules = replace(rules, bounce_cap=(1, 1.5, 0)[number % 7 % 3])
        arena = game_rules.start(rng, rules)
        bots = [arena.left, arena.right]
        for index, each in enumerate(bots):
            place = {"x": 500 + rng.uniform(-200, 200), "y": 500 + rng.uniform(-200, 200)} if number % 2 else {}
            odd = {"shield": rng.random() < 0.5, "charge": rng.randint(1, 9) if rules.battery else 0}
            bots[index] = replace(each, **place, **odd)
        seat, token = (
            number % 2,
            rng.choice(["M", "M", "B", "B", "S", "S0", "S1", "C77.5", "A190", "A180", "M-60", None, "nonsense"]),
        )
        me, foe = BotView.pair(type(arena)(*bots), seat, rules)
        if number % 3 == 0:  # aimed, more or less: the other cases mostly miss
            off_a_wall = bank_shots(type(arena)(*bots), seat, rules)
            aimed = rng.choice(off_a_wall).rot if off_a_wall else game_rules.bearing(foe.x - me.x, foe.y - me.y)
            bots[seat] = replace(bots[seat], rot=(aimed + rng.uniform(-9, 9)) % 360)
            me, foe = BotView.pair(type(arena)(*bots), seat, rules)
        after = me.simulate(token)
        states = [figures(after.me), figures(after.foe)]
        line = {"turn": me.line_to(foe).turn, "distance": me.distance_to(foe), "aimed": me.aims_at(foe),
                "blocked": foe.is_shielded_from(me)}  # fmt: skip
        expected.append([*states, me.would_hit(foe), me.is_shielded_from(foe), me.strikes(foe), me.can_step(foe), line])
        shots = bank_shots(type(arena)(*bots), seat, rules)
        expected[-1].append([(shot.turn, shot.part, shot.damage) for shot in shots])
        mine, theirs = asdict(bots[seat]), asdict(bots[1 - seat])
        asked.append({"mine": mine, "theirs": theirs, "rules": asdict(rules), "seat": seat, "token": token})
    code = HARNESS.replace("MODULE", json.dumps((BOTS / "helpers" / "arena.mjs").as_uri()))
    run = subprocess.run(
        ["node", "--input-type=module", "-e", code], input=json.dumps(asked), capture_output=True, text=True, check=True
    )
    for question, wanted, found in zip(asked, expected, json.loads(run.stdout), strict=True):
        assert found[2:6] == wanted[2:6], question
        assert found[6] == pytest.approx(wanted[6], abs=1e-6), question
        for theirs, mine in zip(found[7], wanted[7], strict=True):
            assert (theirs[1:], theirs[0]) == (pytest.approx([*mine[1:]]), pytest.approx(mine[0], abs=1e-6)), question
        for mine, theirs in zip(wanted[:2], found[:2], strict=True):
            assert theirs == pytest.approx(mine, abs=1e-6), question


def figures(bot: BotView) -> list[float]:
    state: BotState = bot._state()
    return [state.x, state.y, state.rot, state.health, int(state.shield), state.charge]
