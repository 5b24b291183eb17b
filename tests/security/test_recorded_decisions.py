"""Whatever a bot hands over as its play, the record of its match is one that `verify` accepts."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from batllm_arcade.brains.protocol import Decision, View
from batllm_arcade.cli.main import main
from batllm_arcade.history.reader import PlayTape, read
from batllm_arcade.session.games import play

pytestmark = pytest.mark.filterwarnings("ignore:left")


class Text(str):
    """A text that is another one when it is looked at."""

    def __str__(self) -> str:
        return "B"


class Hands:
    """Hands over what a function makes of the view."""

    def __init__(self, make: Callable[[View], Any]) -> None:
        self._make = make

    def decide(self, view: View) -> Any:
        return self._make(view)


def chained(view: View) -> Decision:
    """Each play is announced by the one before it."""
    return Decision("M", "M") if view.turn == 1 else Decision("", "M", queued_from=view.number - 2)


REFUSED: dict[str, tuple[Callable[[View], Any], str]] = {
    "another command than it answers": (lambda v: Decision("M", "B"), "garbage: .*cmd is 'B' and 'M' by its llm_resp"),
    "no command where it answers one": (lambda v: Decision("M", None), "garbage: .*cmd is 'ERR' and 'M' by its llm_re"),
    "another angle than it answers": (lambda v: Decision("C5", "C50"), "garbage: .*cmd is 'C50' and 'C5'"),
    "another shield than it answers": (lambda v: Decision(" s1 ", "S0"), "garbage: .*cmd is 'S0' and 'S1'"),
    "a reply in this very play": (lambda v: Decision("", "M", queued_from=v.number), "garbage: .*queued_from"),
    "a reply of a play to come": (lambda v: Decision("", "M", queued_from=v.number + 2), "garbage: .*queued_from"),
    "a reply of the other bot": (lambda v: Decision("", "M", queued_from=v.number - 1), "garbage: .*queued_from"),
    "a reply of no play": (lambda v: Decision("", "M", queued_from=-1), "garbage: .*queued_from"),
    "a reply with another answer": (
        lambda v: Decision("M", "M", queued_from=v.number - 2 if v.turn > 1 else 0), "garbage: "),
    "a chain of replies": (chained, "garbage: .*queued_from is .* queued by none"),
    "less than it was cut to": (lambda v: Decision("M M", "M", raw_cut=2), "garbage: .*raw_cut is 2"),
    "fewer tokens than none": (lambda v: Decision("M", "M", tokens={"prompt": -1}), "garbage: .*tokens"),
    "half a token": (lambda v: Decision("M", "M", tokens={"prompt": 0.5}), "no whole numbers"),
    "no number of tokens": (lambda v: Decision("M", "M", tokens={"prompt": float("nan")}), "no whole numbers"),
    "more tokens than there are": (lambda v: Decision("M", "M", tokens={"prompt": 10**30}), "no whole numbers"),
    "tokens without end": (lambda v: Decision("M", "M", tokens={str(n): n for n in range(20_000)}), "no whole numbers"),
    "tokens that are true": (lambda v: Decision("M", "M", tokens={"prompt": True}), "no whole numbers"),
    "a list of tokens": (lambda v: Decision("M", "M", tokens=[1]), "no whole numbers"),
    "a reply in words": (lambda v: Decision("", "M", queued_from="1"), "no whole numbers"),
    "a cut of no number": (lambda v: Decision("M", "M", raw_cut=float("inf")), "no whole numbers"),
    "an answer that is no text": (lambda v: Decision(7, "M"), "both must be text"),
    "an answer that is another text": (lambda v: Decision(Text("M"), "M"), "both must be text"),
    "a command that is no text": (lambda v: Decision("M", 7), "both must be text"),
    "no decision": (lambda v: "M", "must return a Decision"),
    "something like a decision": (lambda v: SimpleNamespace(raw="M", command="M"), "must return a Decision"),
}  # fmt: skip
"""What a bot may hand over that is no play of it, and what is said of that."""

TAKEN: dict[str, Callable[[View], Any]] = {
    "a command that is none": lambda v: Decision("M", "fly"),
    "an answer that its brain rejects": lambda v: Decision("M", "M", invalid="no good"),
    "a thought that is none": lambda v: Decision("M", "M", thought=None, say=None),
    "a thought that is no text": lambda v: Decision("M", "M", thought=[float("nan")], say=7),
    "a long thought": lambda v: Decision("M", "M", thought="x" * 10**6, say="y" * 10**6),
    "half a character": lambda v: Decision("\ud800", "M", thought="\udfff", say="\ud800"),
    "half a character as a command": lambda v: Decision("\ud800", "\ud800"),
    "control characters": lambda v: Decision("\x00\x1b[31m", "M", thought="\x00", say="\u202e"),
    "a long answer": lambda v: Decision("M " * 100_000, "M"),
    "a long command": lambda v: Decision("x", "M" * 10**6),
    "an answer that is cut to a command": lambda v: Decision("M" + " " * 70_000 + "!", "M"),
    "the command in other letters": lambda v: Decision(" c007.50 ", "C7.5"),
    "tokens of its own": lambda v: Decision("M", "M", tokens={"\ud800" * 50: 1}),
    "nothing": lambda v: Decision("", None),
}
"""What may be recorded as it is, or in a form that may."""


def recorded(make: Callable[[View], Any], path: Path, turns: int = 3) -> list[PlayTape]:
    other = Hands(lambda view: Decision("S1", "S1"))
    for _ in play(Hands(make), other, rounds=1, turns=turns, seed=3, config="couch", history=path):
        pass
    return [turn for entry in read(path).games[0].rounds for turn in entry.plays if turn.bot == 0]


@pytest.mark.parametrize("name", REFUSED)
def test_a_play_that_no_file_may_hold_is_its_bot_s_error(name, tmp_path, capsys):
    make, said = REFUSED[name]
    first, *others = recorded(make, tmp_path / "s.json")
    wrong = others[1] if name == "a chain of replies" else first
    assert (wrong.status, wrong.cmd, wrong.decision.raw) == ("error", "ERR", "")
    assert re.search(said, wrong.reason), wrong.reason
    assert main(["verify", str(tmp_path / "s.json")]) == 0, capsys.readouterr().out


def test_what_can_be_recorded_is_no_error_and_every_command_reads_it(tmp_path, capsys):
    file, page, left = tmp_path / "s.json", tmp_path / "s.html", list(TAKEN.values())
    made = recorded(lambda view: left.pop()(view), file, len(TAKEN))
    assert not left
    assert {each.status for each in made} <= {"ok", "invalid"}
    for command in (
        ["verify", file],
        ["transcript", file],
        ["analyse", file],
        ["share", file, "-o", page],
        ["verify", page],
    ):
        assert main([*map(str, command)]) == 0, capsys.readouterr().out


@pytest.mark.parametrize("isolation", ["process", "none"])
def test_so_it_is_of_a_bot_of_a_file(isolation, tmp_path, capsys):
    (tmp_path / "two_faced.py").write_text(
        "from batllm_arcade import BrainKind, Decision, hookimpl\n\n\nclass TwoFaced:\n"
        "    def decide(self, view):\n        return Decision('M', 'B')\n\n\n"
        "@hookimpl\ndef batllm_brains():\n    return [BrainKind('two_faced', 'two faces', lambda spec: TwoFaced())]\n"
    )
    how = ["--plugins-dir", str(tmp_path), "--isolation", isolation, "--rounds", "1", "--turns", "6", "--quiet"]
    file = tmp_path / "s.json"
    assert main(["run", "--left", "two_faced", "--right", "scripted:turtle", "--history", str(file), *how]) == 1
    first = read(file).games[0].rounds[0].plays
    assert {play.status for play in first if play.bot == 0 and play.turn <= 3} == {"error"}
    assert main(["verify", str(file)]) == 0, capsys.readouterr().out
