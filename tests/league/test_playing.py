"""Leagues that are played: killed with -9 and gone on with, stopped by ctrl-C, what they print and keep."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from leagues import FOUR, SHORT, small, uninterrupted, written
from plays import game

from batllm_arcade.cli.main import main
from batllm_arcade.history.reader import read
from batllm_arcade.history.verification import verify
from batllm_arcade.league.engines.pair_play import GameCounts
from batllm_arcade.match.records import Play

PAIRS = 20
LEAGUE = [*FOUR, *SHORT, "--pairs", str(PAIRS), "--sessions", "none"]
PROGRAM = [sys.executable, "-m", "batllm_arcade", "league"]
BREAKABLE = """\
import os
import re
from batllm_arcade import bot
@bot("breakable")
def decide(me, foe, clock):
    if {when}:
        {what}
    return "M"
"""


def start(*arguments):
    return subprocess.Popen([*PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(condition, process):
    ends = time.monotonic() + 60
    while not condition():
        assert process.poll() is None, f"it ended first: {process.communicate()}"
        assert time.monotonic() < ends
        time.sleep(0.002)


def lines(folder):
    try:
        return (folder / "pairs.jsonl").read_bytes().count(b"\n")
    except FileNotFoundError:
        return 0


def workers(process):
    """The ids of a coordinator's processes that play: each is the child of a guard."""
    return [each for guard in children(process.pid) for each in children(guard)]


def children(pid):
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(FileNotFoundError, ProcessLookupError):
            found += map(int, task.read_text().split())
    return found


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc")
def test_a_league_that_is_killed_and_gone_on_with_is_that_which_was_never_ended(tmp_path):
    out, plan = tmp_path / "out", small(pairs=PAIRS)
    running = start(*LEAGUE, "--out", out, "--workers", 2)
    wait_for(lambda: lines(out) >= 10, running)
    os.kill(workers(running)[0], signal.SIGKILL)
    wait_for(lambda: lines(out) >= 30, running)
    left = workers(running)
    running.kill()
    running.communicate()
    with (out / "pairs.jsonl").open("ab") as file:
        file.write(b'{"pair": ')  # as if it had been writing
    code = main(["league", "--resume", str(out), "--quiet", "--workers", "1"])
    assert code == 0
    assert written(out) == uninterrupted(plan)
    ends = time.monotonic() + 60  # one that was being started notices when it has started
    while alive := [pid for pid in left if os.path.exists(f"/proc/{pid}")]:
        assert time.monotonic() < ends, f"left behind: {alive}"
        time.sleep(0.01)


def test_ctrl_c_pauses_a_league_in_order_and_says_how_to_go_on(tmp_path):
    out = tmp_path / "out"
    running = start(*LEAGUE, "--pairs", 5000, "--out", out, "--workers", 1, "--json")
    wait_for(lambda: lines(out) >= 3, running)
    running.send_signal(signal.SIGINT)
    printed, said = running.communicate(timeout=60)
    assert running.returncode == 1
    assert f"league --resume {out}" in said
    assert "Traceback" not in said
    table = json.loads(printed)
    assert (table["complete"], table["pairs"]) == (False, lines(out))
    assert json.loads((out / "table.json").read_text()) == table


def test_a_league_prints_its_table_and_keeps_what_it_is_told_to(tmp_path, capfd):
    out = tmp_path / "out"
    two = ["me=scripted:sharpshooter", "you=scripted:random", "--config", "couch", "--pairs", "3", "--workers", "1"]
    assert main(["league", *two, "--out", str(out), "--json", "--sessions", "all"]) == 0
    captured = capfd.readouterr()
    table = json.loads(captured.out)
    assert [player["name"] for player in table["players"]] == ["me", "you"]
    assert table["complete"] is True
    assert sorted(path.name for path in (out / "sessions").iterdir()) == [
        f"{n}-{g}.json" for n in (1, 2, 3) for g in (1, 2)
    ]
    game = json.loads((out / "pairs.jsonl").read_text().splitlines()[1])["games"][1]
    assert set(game["faults"]["me"]) == {"crashed", "silent", "garbage", "timeout", "error", "invalid"}
    session = read(out / "sessions" / "2-2.json")
    assert [seat.name for seat in session.games[0].seats] == ["you", "me"]
    assert not list(verify(session))
    result = session.games[0].result
    assert game["winner"] == (None if result.winner is None else ("you", "me")[result.winner])
    assert (out / "table.md").read_text().startswith("# me against you, couch, 3 pairs each")
    assert not (out / "workers.log").exists()
    for again in (
        ["--resume", str(out), "--pairs", "2"],
        [*two, "--out", str(out)],
        [*two[:1], "it=scripted:dancer", "--resume", str(out)],
    ):
        assert main(["league", *again]) == 2
    said = capfd.readouterr().err.splitlines()
    assert "has 3 pairs for each two players, and can only grow" in said[0]
    assert "holds a league already" in said[1]
    assert "other players (it)" in said[2]


@pytest.mark.parametrize(
    ("when", "what", "fault"),
    [
        ("clock.turn % 3 == 0", "raise ValueError('no luck')", "error"),
        ("clock.turn == 2", "return 'X'", "invalid"),
        ("clock.turn == 3", "os._exit(3)", "crashed"),
    ],
)
def test_faults_are_counted_apart(when, what, fault, tmp_path, capfd):
    (tmp_path / "breakable.py").write_text(BREAKABLE.format(when=when, what=what))
    arguments = [*f"breakable scripted:random --pairs 1 --workers 1 --plugins-dir {tmp_path}".split(), *SHORT]
    assert main(["league", *arguments, "--out", str(tmp_path / "out"), "--json", "--quiet"]) == 0
    faults = {player["name"]: player["faults"] for player in json.loads(capfd.readouterr().out)["players"]}
    assert faults["breakable"][fault] > 0
    assert sum(faults["breakable"].values()) == faults["breakable"][fault]
    assert not any(faults["random"].values())


def test_a_pair_that_kills_every_process_pauses_the_league(tmp_path, capfd):
    (tmp_path / "breakable.py").write_text(
        "import os\nfrom batllm_arcade import BotBrain, BrainKind, hookimpl\n"
        "class Deadly(BotBrain):\n    def decide(self, view):\n        os._exit(3)\n@hookimpl\n"
        "def batllm_brains():\n    return [BrainKind('deadly', 'ends it all', lambda spec: Deadly('deadly', None))]\n"
    )
    given = f"deadly scripted:random --pairs 2 --workers 1 --trust-plugins --plugins-dir {tmp_path}"
    arguments = [*given.split(), *SHORT]
    assert main(["league", *arguments, "--out", str(tmp_path / "out"), "--quiet"]) == 2
    assert "3 processes died while they played pair 1, the last with code 3" in capfd.readouterr().err


def test_a_dry_run_says_what_would_be_played_and_asks_nobody(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    models = ("a", "b,notes=20")
    players = ["scripted:dancer", *(f"ollama:base_url=http://127.0.0.1:9,model={each}" for each in models)]
    assert main(["league", *players, "--pairs", "10", "--rounds", "4", "--dry-run"]) == 0
    printed = capfd.readouterr().out
    plain, noting = (int(each.replace(",", "")) for each in re.findall(r": about ([\d,]+) requests", printed))
    assert noting - plain == pytest.approx(40 * 3, abs=1), "notes are asked for after all rounds but the last"
    assert "3 pairings of 10 pairs, 30 pairs, 60 games" in printed
    assert "a: about" in printed
    assert "million tokens" in printed
    assert not list(tmp_path.iterdir())


def test_tokens_of_plays_that_failed_count_too():
    counts = GameCounts(("ann", "bob"))
    for record in game("A B", "B late", "A C"):
        if isinstance(record, Play):
            used = replace(record.decision, tokens={"prompt": 100, "completion": 7})
            record = replace(record, decision=used)
        counts.notify(record)
    line = counts.line([True, True])
    assert line["faults"]["bob"]["timeout"] == 1
    assert (line["tokens"], line["written"]) == ({"ann": 214, "bob": 107}, {"ann": 14, "bob": 7})
