"""Large session files are read in pieces: what is no part of a session takes no memory."""

from __future__ import annotations

import ast
import inspect
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from fakes import eventful, session_values
from hypothesis import given, settings
from hypothesis import strategies as st

from batllm_arcade.cli.main import main
from batllm_arcade.history import original_import, reader, schema
from batllm_arcade.history.paths import journal_of
from batllm_arcade.history.reader import MOST_VALUES, LargeJson, TooManyValues, read

SPINE, KEEP = ("games", "rounds"), ({"games", "a", "b"}, {"rounds", "c"}, {"d"})
DECODER = json.JSONDecoder(object_pairs_hook=dict)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda part: st.lists(part, max_size=5) | st.dictionaries(st.sampled_from("abcd") | st.text(), part, max_size=5),
    max_leaves=12,
)


def loaded(text: str) -> Any:
    return LargeJson(text, DECODER, SPINE, KEEP).value()


@settings(max_examples=40)
@given(st.fixed_dictionaries({"a": VALUES, "games": st.lists(
    st.fixed_dictionaries({"c": VALUES, "rounds": st.lists(st.fixed_dictionaries({"d": VALUES}), max_size=4)}),
    max_size=4)}),
    st.sampled_from([None, 3]))  # fmt: skip
def test_what_is_read_in_pieces_is_what_is_read_at_once(value, indent):
    text = json.dumps(value, indent=indent)
    assert loaded(text) == LargeJson(text, DECODER).value() == json.loads(text)


@given(VALUES, st.integers(0, 200))
def test_a_text_cut_short_is_no_json(value, cut):
    text = json.dumps({"a": value, "games": [{"rounds": [{"d": value}]}]})[: -1 - cut]
    with pytest.raises(ValueError):
        loaded(text)


@pytest.mark.parametrize("text", ["", "{", '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":1,}', '{"games":[',
                                  '{"games":[{}', '{"games":[{},', '{"games":[{},]}', '{"games":[]}{}',
                                  '{"games":[]} x', "{1:2}",
                                  '{"games":[{"rounds":[1 2]}]}'])  # fmt: skip
def test_what_is_no_json_is_refused(text):
    with pytest.raises(ValueError):
        loaded(text)


def test_what_is_not_kept_is_dropped_at_every_level():
    text = json.dumps({"x": 1, "games": [{"y": 2, "rounds": [{"z": 3, "d": 4}, 5], "c": {"k": 6}}]})
    assert loaded(text) == {"games": [{"rounds": [{"d": 4}, 5], "c": {"k": 6}}]}


@pytest.mark.parametrize("text", ['{"a": [%s]}', '{"x": [%s]}', '{"games": [{"x": {"y": [%s]}}]}',
                                  '{"games": [{"rounds": [{"d": [%s]}]}]}', "[%s]"])  # fmt: skip
def test_too_many_values_are_refused_wherever_they_are(text):
    assert loaded(text % ",".join(["[]"] * 2000)) is not None
    with pytest.raises(TooManyValues):
        loaded(text % ",".join(["[]"] * MOST_VALUES))


def test_commas_and_brackets_within_a_text_are_no_values():
    assert loaded(json.dumps({"a": '[,"\\' * MOST_VALUES})) == {"a": '[,"\\' * MOST_VALUES}


@pytest.fixture
def in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "IN_PIECES", 100)


@pytest.mark.usefixtures("in_pieces")
@pytest.mark.parametrize("journal", [False, True])
def test_a_large_session_is_read_as_a_small_one(tmp_path, monkeypatch, journal):
    path = tmp_path / "s.json"
    if journal:
        path = journal_of(path)
        path.write_text("".join(json.dumps(schema.entry(record)) + "\n" for record in eventful()))
    else:
        path.write_text(json.dumps(session_values(eventful())))
    large = read(path)
    monkeypatch.setattr(reader, "IN_PIECES", 10**9)
    assert large == read(path)


@pytest.mark.parametrize("module", [reader, original_import])
def test_every_name_that_is_read_in_a_session_is_kept_in_a_large_one(module):
    """Names that are read further inside, such as those of a state or a seat, are in pieces that are kept whole."""
    inside = {
        "name", "brain", "model", "options", "why", "winner", "reason", "x", "y", "rot", "shield", "health", "charge",
        "configured_model", "prompt", "bot_id", "bot_diameter", "bot_step_length", "bullet_damage", "shield_size",
        "shield_initial_state", "initial_health", "cmd", "current_prompt", "llm_response", "latency_s", "best_of",
        "adapted", "isolation", "view", "earlier", "version", "requested_model", "context_policy", "request_started_at",
        "normalized_command", "response", "text", "content",
    }  # fmt: skip
    texts = [call.slice for call in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(call, ast.Subscript)]
    for call in (node for node in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(node, ast.Call)):
        if getattr(call.func, "attr", getattr(call.func, "id", "")) in ("get", "text_of"):
            texts += call.args
    values = [text.value for text in texts if isinstance(text, ast.Constant)]
    read_names = {value for value in values if isinstance(value, str) and value.isidentifier()}
    assert read_names
    assert not read_names - inside - set().union(*reader.KEPT)


@pytest.mark.parametrize("filling", ["[],", "0.123456,", '{"a":1},'])
@pytest.mark.parametrize("where", ["session", "game", "round", "play", "journal"])
def test_a_huge_unknown_member_is_refused_without_its_memory(tmp_path, capsys, filling, where):
    session = session_values(eventful())
    first = session["games"][0]
    holder = {"session": session, "game": first, "round": first["rounds"][0], "play": first["rounds"][0]["turns"][0]}
    path = tmp_path / "s.json"
    if where == "journal":
        path = journal_of(path)
        text = json.dumps({"session": {"schema": schema.SCHEMA, "more": ["@"]}})
    else:
        holder[where]["more"] = ["@"]
        text = json.dumps(session)
    size = 4_000_000
    path.write_text(text.replace('"@"', filling * (size // len(filling)) + "0"))
    del text
    tracemalloc.start()
    try:
        assert main(["verify", str(path)]) == 2
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    said = capsys.readouterr().err
    assert "more than 10,000 values beside games" in said
    assert said.count("\n") == 1
    assert peak < 5 * size, "the member was read"


def test_the_seeds_of_the_fuzzing_hold_what_they_are_for():
    corpus = Path(__file__).parents[2] / "fuzz" / "corpus"
    for folder in ("sessions", "original"):
        for path in (corpus / folder).iterdir():
            assert main(["verify", str(path)]) == 0, path
