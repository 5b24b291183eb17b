"""`check`: figures of a bot, what is wrong with it, and what it needs."""

from __future__ import annotations

import io
import json
import random
import re
from contextlib import redirect_stderr, redirect_stdout
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from approved import approve, cases_in
from model_server import closed_port

from batllm_arcade.cli.main import main
from batllm_arcade.plugin import manager
from batllm_arcade.session import bot_check

BOT = "import random\nfrom batllm_arcade import bot\n@bot('mine')\ndef decide(me, foe, clock):\n    return "
GOOD = BOT + "'B' if me.would_hit(foe) else None if clock.turn % 2 else 'S0' if me.shield else me.turn_to(foe)\n"
OBSERVER = (
    "from batllm_arcade import Play, hookimpl\nclass Hits:\n    def notify(self, record):\n"
    "        if isinstance(record, Play): record.hits\n@hookimpl\ndef batllm_observer(session): return Hits()\n"
)
WRONG_KEY = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "decide":
        print(json.dumps({"type": "play", "id": message["id"], "cmd": "B"}), flush=True)
    elif message["type"] == "quit":
        break
"""


@pytest.fixture(autouse=True)
def short(tmp_path, monkeypatch):
    """Two games a pass, by both sets of rules, with files in a folder of their own."""
    monkeypatch.setattr(bot_check, "OPPONENTS", ("turtle",))
    monkeypatch.chdir(tmp_path)
    for name, text in {"good": GOOD, "observer": OBSERVER, "wrong_key": WRONG_KEY}.items():
        Path(f"{name}.py").write_text(text)
    Path("unseeded.py").write_text(BOT + "random.choice(['M', 'S', 'C30', 'B'])\n")
    Path("broken.py").write_text(BOT + "'FIRE' if clock.turn == 2 else me.nme if clock.turn == 4 else 'M'\n")
    Path("folder").mkdir()
    Path("folder/first.py").write_text(GOOD)
    Path("folder/second.py").write_text(BOT.replace("'mine'", "'other'") + "me.turn_to(foe)\n")


def checked(capsys, *arguments):
    code = main(["check", *arguments])
    return code, capsys.readouterr().out


INSIDE = ("--isolation", "none")


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["good.py", *INSIDE], 0, ["mine: 4 games, ", " nothing, 0% refused, 0% invalid, 0% error; ", "no findings"]),
        (["scripted:dancer"], 0, ["scripted:dancer: 4 games", "no findings"]),
        (["folder", *INSIDE], 0, ["mine: 4 games", "other: 4 games", "% refused", "no findings"]),
        (["unseeded.py", *INSIDE], 1, ["finding: other plays for the same seed: couch against turtle, round 1, turn "]),
        (
            ["broken.py", *INSIDE], 1,
            [
                "finding: 'FIRE' is no command; a command is",
                "finding: mine failed with AttributeError: 'BotView' object has no attribute 'nme' (broken.py, line 5)",
                "times, first: couch against turtle, round 1, turn 4)",
            ],
        ),
        (
            ["observer.py", "--trust", "observer"], 1,
            ["finding: the plugin 'observer' was dropped: AttributeError: 'Play' object has no attribute 'hits' "
             "(observer.py, line 4)"],
        ),
        (
            ["wrong_key.py", "--isolation", "process"], 1,
            [
                "100% error",
                "finding: garbage: a play with neither a command nor null as its 'command'; it has 'cmd' (6 times",
            ],
        ),
        (["keyboard"], 2, ["keyboard: not checked: it is a person's seat"]),
    ],
)  # fmt: skip
def test_a_check_tells_figures_and_findings(arguments, code, told, capsys):
    found, out = checked(capsys, *arguments)
    assert found == code, out
    for text in told:
        assert text in out


def test_a_server_that_is_away_is_no_finding(capsys):
    spec = f"openai:base_url=http://127.0.0.1:{closed_port()},deadline_s=0.2,prepare_s=5"
    code, out = checked(capsys, spec)
    assert (code, out.count("\n")) == (2, 1)
    assert "openai: not checked: the OpenAI-style server at http://127.0.0.1:" in out


@pytest.mark.parametrize("name", ["nofile.py", "bots/mine", "nobody"])
def test_what_is_not_there_is_named(name, capsys):
    assert main(["check", name]) == 2
    assert repr(name) in capsys.readouterr().err


def test_json_has_the_figures_of_every_bot(capsys):
    code, out = checked(capsys, "unseeded.py", *INSIDE, "--json")
    found = json.loads(out)
    (mine,) = found["bots"]
    assert (code, found["findings"], mine["name"], mine["games"], mine["needs"]) == (1, [], "mine", 4, "")
    assert sum(mine[kind] for kind in bot_check.KINDS) == pytest.approx(1, abs=0.001)
    assert 0 < mine["median_s"] <= mine["slowest_s"]
    (finding,) = mine["findings"]
    assert finding.startswith("other plays for the same seed")


HEADS = {
    "file": "from batllm_arcade import Reply, bot\n",
    "decide": "from batllm_arcade import Reply, bot\n@bot('mine')\ndef decide(me, foe, clock):\n    ",
    "plain": "",
}
MISTAKES = Path(__file__).parent / "approved" / "check.txt"


def test_each_usual_mistake_is_one_finding_with_its_file_and_line(monkeypatch):
    """All inside this one process, against one opponent."""
    monkeypatch.setattr(bot_check, "CONFIGS", ("couch",))
    monkeypatch.setattr(bot_check, "OPPONENTS", ("turtle", "dancer"))
    monkeypatch.setattr(manager, "entry_points", lambda group: entry_points(group=group, name="scripted"))

    def said(mistake):
        kind, text = mistake
        random.seed(1)
        monkeypatch.setattr(bot_check, "DEADLINE_S", 0.1 if "sleep(0.2" in text else 30)
        monkeypatch.setattr(bot_check, "SLOW_S", 0.02 if "sleep(0.0" in text else 30)
        Path("mine.py").write_text(HEADS[kind] + text + "\n")
        output = io.StringIO()
        with redirect_stdout(output), redirect_stderr(output):
            main(["check", "mine.py", *INSIDE])
        findings = re.findall(r"(?:finding: |^batllm-arcade: )(.*)", output.getvalue(), re.MULTILINE)
        return re.sub("takes [0-9.]+ s", "takes SOME s", "\n".join(findings))

    assert len(cases_in(MISTAKES)) >= 54
    approve(MISTAKES, said)
    findings = MISTAKES.read_text().splitlines()[1::2]  # one each
    assert [each for each in findings if not re.search(r"^    .*\(mine\.py, line \d+\)", each)] == []
