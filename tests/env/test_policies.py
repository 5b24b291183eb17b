"""Policies as brains: a Python file with `load` and `act`, an ONNX file; what is wrong with one is said."""

from __future__ import annotations

import os
import re
import sys
from random import Random

import pytest
from blocks import blocks
from paths import DATA, ROOT

pytest.importorskip("pettingzoo")

import numpy as np
from batllm_arcade_plugins import policy as plugin

from batllm_arcade import BrainError, GameEnded, Play, Spec, UsageError, play
from batllm_arcade.env import ACTIONS, COMMANDS, make_single
from batllm_arcade.env.policy_brain import OnnxPolicy, PolicyBrain
from batllm_arcade.session import live_session

LEARNED = ROOT / "examples" / "training" / "learned.py"
AIMS = DATA / "aims.onnx"
"""Lowers its shield, faces the opponent, fires when it aims."""
LINEAR = """
import numpy as np
{names}
def load(folder):
    return (folder / "number.txt").read_text()
def act(policy, observation, action_mask, rng):
    assert observation.shape == (34,) and observation.dtype == np.float32
    return {answer}
"""


def written(folder, answer, names="ACTIONS = ('M', 'B', '@0')"):
    path = folder / "linear.py"
    path.write_text(LINEAR.format(answer=answer, names=names))
    (folder / "number.txt").write_text("2")
    return path


def played(brain, opponent="scripted:dancer", **choices):
    """The plays of the left seat in a short game."""
    choices = {"rounds": 1, "turns": 6, "seed": 3, "history": None, "config": "couch", **choices}
    return [each for each in play(brain, opponent, **choices) if isinstance(each, Play) and each.bot == 0]


def results(left, right, games):
    records = play(left, right, games=games, seed=1, config="couch", history=None)
    return [record.result.winner for record in records if isinstance(record, GameEnded)]


def test_the_shipped_policy_beats_whom_it_was_trained_against_from_both_seats():
    for opponent in ("scripted:random", "scripted:dancer"):
        brain = PolicyBrain(LEARNED)
        assert results(brain, opponent, 5).count(0) >= 4
        assert results(opponent, brain, 5).count(1) >= 4


def test_in_a_process_of_its_own_it_plays_as_inside_the_program(tmp_path, monkeypatch):
    monkeypatch.setattr(live_session, "session_secret", lambda _seed: "")  # so that who plays against it is the same
    apart = played(f"policy:{LEARNED},isolation=process")
    inside = played(PolicyBrain(LEARNED))
    assert [(each.decision, each.status) for each in apart] == [(each.decision, each.status) for each in inside]
    assert "%" in apart[0].decision.thought


def test_a_policy_of_ones_own_may_play_inside_the_program(tmp_path):
    path = written(tmp_path, "0, str(os.getpid())", "import os")
    inside, apart = (played(f"policy:{path},isolation={how}", turns=1)[0].decision for how in ("none", "process"))
    assert inside.thought == str(os.getpid()) != apart.thought


def test_a_policy_answers_with_a_number_of_its_own_actions_and_may_say_why(tmp_path):
    brain = PolicyBrain(written(tmp_path, "int(policy), 'because'"))
    (first, *_) = played(brain)
    assert first.decision.command[0] in "CA"
    assert (first.decision.thought, brain.title) == ("because", "linear")
    drawing = PolicyBrain(written(tmp_path, "rng.randrange(3)"))  # from the seat's stream
    assert [each.command for each in played(drawing)] == [each.command for each in played(drawing)]
    (tmp_path / "empty.py").write_text("")
    with pytest.raises(BrainError, match=r"empty.py is no policy: it needs load\(folder\) and act"):
        PolicyBrain(tmp_path / "empty.py").prepare(print)


def test_the_policy_of_the_page_hits(tmp_path):
    (code,) = (each.text for each in blocks("python") if each.page == "training.md" and "def act(" in each.text)
    (tmp_path / "page.py").write_text(code)
    played_through = played(PolicyBrain(tmp_path / "page.py"), turns=12)
    assert "I aim at it" in {each.decision.thought for each in played_through}
    assert {each.status for each in played_through} == {"ok"}


def test_an_onnx_policy_plays_the_likeliest_action_that_is_allowed():
    pytest.importorskip("onnxruntime")
    first, *rest = played(PolicyBrain(AIMS), config="default", turns=12)  # where shields are up at the start
    assert first.command.token == "S0"
    assert "B" in {each.command.token for each in rest}
    assert "FireRefused" not in {type(event).__name__ for each in rest for event in each.events}
    assert first.decision.thought == "S0 100%"


def test_an_onnx_policy_may_draw_by_its_chances():
    pytest.importorskip("onnxruntime")
    drawing, mask = OnnxPolicy(AIMS, sample=True), np.ones(len(ACTIONS), np.int8)
    mask[: len(COMMANDS)] = 0
    drawn = {drawing.act(np.zeros(34, np.float32), mask, Random(seed))[0] for seed in range(30)}
    assert ACTIONS.index("@0") in drawn
    assert all(mask[number] for number in drawn)


def test_a_policy_is_an_opponent_to_train_against():
    game = make_single(PolicyBrain(AIMS) if "onnxruntime" in sys.modules else PolicyBrain(LEARNED), config="couch")
    game.reset(seed=1)
    assert game.step(0)[0].shape == (34,)


@pytest.mark.filterwarnings("ignore:left")  # that it has failed, and who played on for it
@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("7", "there is no action 7; the actions are 0 to 2"),
        ("'M'", "act returned 'M'; return an action's number"),
        ("True", "act returned True"),
        ("(1, 2)", r"act returned \(1, 2\)"),
    ],
)
def test_an_answer_that_is_no_action_is_an_error_of_the_play(tmp_path, answer, sentence):
    (first, *_) = played(PolicyBrain(written(tmp_path, answer)))
    assert first.status == "error"
    assert re.search(sentence, first.reason)


def test_an_onnx_file_of_another_shape_or_none_at_all_says_so(tmp_path, monkeypatch):
    pytest.importorskip("onnxruntime")
    with pytest.raises(BrainError, match="has 34 outputs; it must have 29, or 21 for commands alone"):
        PolicyBrain(DATA / "no_policy.onnx").prepare(print)
    (tmp_path / "broken.onnx").write_bytes(b"nothing")
    with pytest.raises(BrainError, match=r"broken\.onnx cannot be loaded as ONNX"):
        PolicyBrain(tmp_path / "broken.onnx").prepare(print)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(BrainError, match=r"pip install 'batllm-arcade\[onnx\]'"):
        PolicyBrain(AIMS).prepare(print)


def test_what_a_policy_needs_is_named(monkeypatch):
    with pytest.raises(UsageError, match=r"policy needs a file: write policy:FILE\.py"):
        plugin.make(Spec("policy"))
    for variant, sentence in (("nowhere.py", "there is no policy 'nowhere.py'"), ("readme.txt", "is no policy")):
        assert sentence in plugin.missing(Spec("policy", variant))
        with pytest.raises(UsageError, match=sentence):
            plugin.make(Spec("policy", variant))
    assert plugin.missing(Spec("policy")) == ""
    assert plugin.missing(Spec("policy", str(LEARNED))) == ""
    monkeypatch.setattr(plugin, "find_spec", lambda name: None)
    assert plugin.missing(Spec("policy", str(LEARNED))) == "it needs numpy: pip install 'batllm-arcade[rl]'"
    assert plugin.missing(Spec("policy", str(AIMS))) == "it needs onnxruntime: pip install 'batllm-arcade[onnx]'"
