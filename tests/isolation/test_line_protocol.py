"""The line protocol: messages, random streams, what a bot is told when much has happened; all pure."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from approved import approve
from hypothesis import given
from hypothesis import strategies as st

from batllm_arcade.brains.protocol import PastPlay, PastTurn, Spec, View
from batllm_arcade.brains.redaction import public_options
from batllm_arcade.core import rules as game_rules
from batllm_arcade.core.model import Rules
from batllm_arcade.errors import UsageError
from batllm_arcade.isolation import dialect
from batllm_arcade.isolation.dialect import (
    LINE_LIMIT,
    Dialect,
    LogLine,
    read_line,
)
from batllm_arcade.isolation.sandbox import bot_file_command, split_command

LINES = Path(__file__).parent / "approved" / "lines.txt"


def test_a_line_is_a_message_or_log_or_garbage():
    approve(LINES, lambda line: repr(read_line(line)))
    deep = b'{"a":' * 30_000
    assert read_line(deep) == LogLine(deep)


DRAWS = (
    Random.random, lambda rng: rng.gauss(0, 1), lambda rng: rng.getrandbits(1), lambda rng: rng.getrandbits(70),
    lambda rng: rng.choice("abc"), lambda rng: rng.shuffle(list(range(9))), lambda rng: rng.sample(range(99), 5),
    lambda rng: rng.randint(0, 10**30), lambda rng: rng.randbytes(5), lambda rng: rng.betavariate(2, 3),
    lambda rng: rng.choices("ab", [1, 3], k=400), lambda rng: rng.getrandbits(0), lambda rng: rng.getrandbits(19968),
)  # fmt: skip
"""Ways to draw from a stream, of few words and of some thousands."""


@given(st.lists(st.sampled_from(DRAWS), max_size=12), st.lists(st.sampled_from(DRAWS), max_size=12))
def test_where_a_stream_stands_goes_over_as_a_count_whatever_was_drawn(before, since):
    stream = Random("7/1/left")
    for known_to_both, draws in ((dialect.named("7/1/left"), before), (None, since)):
        known = known_to_both or stream.getstate()
        for draw in draws:
            draw(stream)
        text = json.dumps(dialect.pack(stream.getstate(), known))
        assert len(text) < 40
        assert dialect.unpack(json.loads(text), known) == stream.getstate()


def test_a_stream_that_was_seeded_anew_goes_over_whole_and_what_is_no_place_in_one_is_refused():
    known = dialect.named("7/1/left")
    for odd in (Random(3).getstate(), (3, (0,) * 624 + (7,), None)):
        packed = dialect.pack(odd, known)
        assert dialect.unpack(json.loads(json.dumps(packed)), known) == odd
    backwards = Random("7/1/left")
    backwards.random()
    assert dialect.unpack(dialect.pack(known, backwards.getstate()), backwards.getstate()) == known
    whole = dialect.pack(Random(3).getstate(), known)[0]
    for bad in (None, False, [-1, None], [2**70, None], [True, None], [7, "x"], [7.0, None], [7], ["", None],
                ["AAAA", None], [whole, "x"]):  # fmt: skip
        with pytest.raises(ValueError):
            dialect.unpack(bad, known)


def play(turns: int, prompt: str = "") -> View:
    rules = Rules(turns_per_round=2000)
    arena = game_rules.start(Random(2), rules)
    plays = (PastPlay(0, "\u00e9" * 900, "M"), PastPlay(1, "M", "M"))
    history = tuple(PastTurn(turn, plays, arena) for turn in range(1, turns + 1))
    return View(0, rules, 1, 1, turns + 1, 2 * turns + 1, (0, 1), (prompt, prompt), arena, arena, history)


@pytest.mark.parametrize(("turns", "prompt"), [(3, ""), (1000, ""), (1000, "\u00e9" * 100_000), (0, "x" * 100_000)])
def test_a_play_fits_into_a_line_without_its_oldest_turns(turns, prompt):
    dialect = Dialect()
    dialect.reset()
    game, decide, end = dialect.question(7, play(turns, prompt), None).split(b"\n")
    assert (json.loads(game)["type"], end) == ("game", b"")
    assert len(decide) <= LINE_LIMIT
    seen = json.loads(decide)["view"]
    shown = [turn["turn"] for turn in seen["history"]]
    assert shown == list(range(turns - len(shown) + 1, turns + 1))
    assert seen.get("history_omitted", 0) == turns - len(shown)
    assert turns < 9 or len(decide) > 0.6 * LINE_LIMIT or prompt
    assert dialect.question(8, play(turns, prompt), None).count(b"\n") == 1  # the game is told once
    state, arena = seen["current_state"]["self"], play(turns, prompt).arena
    assert (state["x"], state["rot"]) == (arena.left.x, arena.left.rot), "at full precision"


def test_a_file_is_run_by_what_its_name_says_and_a_command_line_finds_files_here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("bot.py", "bot.sh", "plain", "-x"):
        Path(name).write_text("")
    assert Path(bot_file_command(Path("bot.sh"))[0]).name == "sh"
    assert bot_file_command(Path("bot.py"))[1] == str(tmp_path / "bot.py")
    assert split_command('sh bot.sh "a b" nothere')[1:] == [str(tmp_path / "bot.sh"), "a b", "nothere"]
    for wrong, told in (("plain", "cannot be run"), ("nothere.py", "there is no bot 'nothere.py'")):
        with pytest.raises(UsageError, match=told):
            bot_file_command(Path(wrong))
    for wrong, told in (
        ("", "names no program"),
        ('"open', "cannot be read"),
        ("no_such_program_1 x", "not installed"),
    ):
        with pytest.raises(UsageError, match=told):
            split_command(wrong)


@pytest.mark.parametrize(
    ("text", "variant", "options"),
    [
        ('proc:cmd="node bot.js, --fast",memory_mb=5', "", {"cmd": "node bot.js, --fast", "memory_mb": "5"}),
        ('proc:"/a=b,c.py",x=1', "/a=b,c.py", {"x": "1"}),
        (r'proc:x="a \"b\" \\"', "", {"x": 'a "b" \\'}),
        ('proc:size=5"', "", {"size": '5"'}),
    ],
)
def test_a_brain_may_be_written_with_quotes(text, variant, options):
    spec = Spec.parse(text)
    assert (spec.variant, spec.options) == (variant, options)
    assert Spec.parse(str(spec)) == spec


@given(st.text('ab"\\,= ', max_size=9).map(str.strip), st.text('ab"\\,= ', max_size=9))
def test_a_brain_that_is_written_down_is_read_as_the_same(variant, value):
    spec = Spec("n", variant, {"k": value})
    again = Spec.parse(str(spec))
    assert again.options == spec.options
    assert again.variant == variant


def test_a_bots_file_is_recorded_without_its_folders():
    spec = Spec.parse("proc:/home/ann/secret/bot.py,depth=3")
    assert spec.short == "proc:bot.py"
    assert public_options({"cmd": "node /home/ann/bot.js"}) == {"cmd": "bot.js"}
