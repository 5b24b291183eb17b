"""docs/training.md: its tables are those of the code, its programs run."""

from __future__ import annotations

import re
import warnings

import pytest
from blocks import blocks
from paths import DOCS

pytest.importorskip("pettingzoo")

import gymnasium

from batllm_arcade.env import ACTIONS, COMMANDS, FEATURES
from batllm_arcade.env.agent import LOWEST

PAGE = (DOCS / "training.md").read_text("utf-8")
PROGRAMS = [block for block in blocks("python") if block.page == "training.md" and "__main__" in block.text]


def rows(title):
    """The rows of the first table of a section, as lists of cells."""
    text = PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    return [line.strip("| ").split(" | ") for line in text.splitlines() if re.match(r"\| \d", line)]


def numbered(cell):
    first, last = re.fullmatch(r"(\d+)(?:(?:,| to) (\d+))?", cell).groups()
    return range(int(first), int(last or first) + 1)


def test_the_table_of_what_an_agent_sees_is_that_of_the_code():
    told = {}
    for cell, names, reach, _ in rows("What an agent sees"):
        listed = re.findall(r"`(\w+)`", names)
        whole = list(FEATURES[8:16]) if " to " in names else listed
        assert listed[-1] == whole[-1]
        told |= {number: (name, reach) for number, name in zip(numbered(cell), whole, strict=True)}
    assert [name for name, _ in told.values()] == list(FEATURES)
    assert {number: reach.startswith("-1") for number, (_, reach) in told.items() if reach != "as above"} == {
        number: low == -1 for number, low in enumerate(LOWEST) if not 8 <= number < 16
    }


def test_the_table_of_actions_is_that_of_the_code():
    told = {}
    for cell, names, _ in rows("What it can do"):
        listed = re.findall(r"`([^`]+)`", names) or [""]
        told |= dict(zip(numbered(cell), listed, strict=True))
    assert tuple(told.values()) == ACTIONS
    assert f"0 to {len(COMMANDS) - 1} are commands" in PAGE


@pytest.mark.parametrize("block", PROGRAMS, ids=lambda block: block.name)
def test_a_program_of_the_page_runs(block, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if "import torch" in block.text:
        for name in ("torch", "sb3_contrib", "onnxscript"):
            pytest.importorskip(name)
        warnings.simplefilter("ignore")  # what torch says of itself
    exec(compile(block.text.replace("1_850_000", "200"), "training.py", "exec"), {"__name__": "__main__"})
    assert {each.name for each in tmp_path.iterdir()} == {*re.findall(r"training\.json|mine\.onnx", block.text)}


def test_the_module_of_the_page_is_an_environment_by_its_id(tmp_path, monkeypatch):
    (code,) = (each.text for each in blocks("python") if each.page == "training.md" and "register" in each.text)
    (tmp_path / "own_duels.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(gymnasium.registry, "Duel-v0", raising=False)  # another test of the page registers it
    games = gymnasium.vector.SyncVectorEnv([lambda: gymnasium.make("own_duels:Duel-v0")] * 3)
    games.reset(seed=1)
    for _ in range(60):
        games.step(games.action_space.sample())
    games.close()
