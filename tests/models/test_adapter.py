"""What is kept of refusals, what is known before, and the options that shape a request."""

from __future__ import annotations

import json
import multiprocessing
import os

import pytest

from batllm_arcade.files.atomic import lock
from batllm_arcade.models import adapter as memory_module
from batllm_arcade.models.adaptation import MOST_ROOM, Adaptation, from_json
from batllm_arcade.models.adapter import KEPT_S, MOST, MOST_CHANGES, Adapter, Memory, known_adaptations
from batllm_arcade.models.failures import ServerError
from batllm_arcade.models.presets import preset_at

COLD, ROOM = Adaptation("drop", "temperature"), Adaptation("room", "", MOST_ROOM)
HERE = "http://127.0.0.1:9/api m1"
DAY = 86_400


class Time:
    """The time of a memory, set by hand."""

    now = 1_000_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def kept(tmp_path):
    noon = Time()
    return lambda now=noon: Memory(lambda: tmp_path / "folder" / "adapted.json", now)


def an_adapter(memory, address="http://127.0.0.1:9/api", **more):
    adapter = Adapter(address, "the server", memory, lambda: "m1", **more)
    adapter.ready(48)
    return adapter


def test_what_was_learnt_is_kept_for_thirty_days(kept):
    now = Time()
    kept(now).keep(HERE, [COLD, Adaptation("replace", "think", (False, "low")), ROOM])
    now.now += KEPT_S - 1
    assert kept(now).recall(HERE) == (COLD, Adaptation("replace", "think", (False, "low")), ROOM)
    now.now += 1
    assert kept(now).recall(HERE) == ()
    assert KEPT_S == 30 * DAY


def test_every_address_and_model_has_its_own(kept):
    memory = kept()
    memory.keep(HERE, [COLD])
    assert memory.recall("http://127.0.0.1:9 m1") == memory.recall("http://127.0.0.1:9/api m2") == ()
    memory.keep("http://127.0.0.1:9/api m2", [ROOM])
    assert (memory.recall(HERE), memory.recall("http://127.0.0.1:9/api m2")) == ((COLD,), (ROOM,))


def test_what_one_seat_has_learnt_the_other_finds_in_its_next_play(kept):
    left, right = an_adapter(kept()), an_adapter(kept())
    assert left.refused(400, '{"error": "Unknown parameter: temperature"}', {"temperature": 1})
    left.worked()
    right.ready(48)
    assert right.adapted({"temperature": 1, "seed": 2}) == {"seed": 2}


@pytest.mark.parametrize(
    "what",
    [{"most": 0}, {"room": 10**9}, {"drop": ""}, {"drop": "messages"}, {"set": ["model", "x"]}, {"rename": ["", "x"]}],
)
def test_no_file_takes_the_answer_or_the_question_away(what):
    assert from_json(what) is None


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"servers": []}', '{"servers": {"http://127.0.0.1:9/api m1": 7}}', "[" * 100_000, "\x00",
     json.dumps({"servers": {HERE: {"learnt": "today", "adaptations": [{"drop": "seed"}]}}}),
     json.dumps({"servers": {HERE: {"learnt": 1e6, "adaptations": [7, {"drop": 7}, {"burn": "it"}, {"room": -1}]}}})],
)  # fmt: skip
def test_a_damaged_file_is_empty_and_is_written_anew(kept, tmp_path, text):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "adapted.json").write_text(text)
    memory = kept()
    assert memory.recall(HERE) == ()
    memory.keep(HERE, [COLD])
    assert memory.recall(HERE) == (COLD,)


def test_a_folder_that_cannot_be_written_changes_nothing(tmp_path):
    (tmp_path / "folder").write_text("no folder")
    adapter = an_adapter(Memory(lambda: tmp_path / "folder" / "adapted.json", Time()))
    assert adapter.refused(400, "temperature is not supported", {"temperature": 1})
    adapter.worked()
    assert adapter.adapted({"temperature": 1}) == {}


def test_a_file_that_another_program_writes_is_left_alone(kept, tmp_path, monkeypatch):
    memory, path = kept(), tmp_path / "folder" / "adapted.json"
    memory.keep(HERE, [COLD])
    monkeypatch.setattr(memory_module, "WAIT_S", 0.0)
    handle = os.open(path, os.O_RDWR)
    lock(handle)
    memory.keep(HERE, [ROOM])
    assert memory.recall(HERE) == (COLD,)
    os.close(handle)
    memory.keep(HERE, [ROOM])
    assert memory.recall(HERE) == (ROOM,)


def write_many(path, name):
    memory = Memory(lambda: path, Time())
    for number in range(20):
        memory.keep(f"{name} {number}", [COLD])


def test_programs_that_write_at_once_lose_nothing_of_each_other(tmp_path, monkeypatch):
    monkeypatch.setattr(memory_module, "WAIT_S", 20.0)
    path, start = tmp_path / "adapted.json", multiprocessing.get_context("fork")
    writers = [start.Process(target=write_many, args=(path, name)) for name in "ab"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
    assert len(json.loads(path.read_text())["servers"]) == 40


def test_the_file_stays_small_and_holds_no_query(kept, tmp_path):
    memory = kept()
    for number in range(3):
        memory.keep(f"x {number}", [COLD])
    many = {f"x {number}": {"learnt": 1e6, "adaptations": []} for number in range(MOST + 50)}
    path = tmp_path / "folder" / "adapted.json"
    path.write_text(json.dumps({"servers": many}))
    adapter = an_adapter(memory, "https://h.example/openai?api-key=canary-7f")
    adapter.refused(400, "temperature is not supported", {"temperature": 1})
    adapter.worked()
    assert len(json.loads(path.read_text())["servers"]) == MOST
    assert "canary-7f" not in path.read_text()
    assert "https://h.example/openai m1" in path.read_text()


def test_a_server_that_refuses_whatever_comes_is_asked_so_often_and_no_more(kept):
    adapter, asked = an_adapter(kept()), 0
    body = {f"option_{number}": 1 for number in range(50)}
    while adapter.refused(400, f"Unknown parameter: option_{asked}", adapter.adapted(body)):
        asked += 1
    assert asked == MOST_CHANGES


NAMELESS = '{"error": {"code": 400, "message": "Request contains an invalid argument.", "status": "INVALID_ARGUMENT"}}'
GUESSED = {"generationConfig": {"thinkingConfig": {"thinkingBudget": 0}, "seed": 1, "temperature": 0.8}}


def test_without_a_name_the_likely_ones_are_left_out_one_after_the_other(kept):
    adapter, sent = an_adapter(kept()), []
    while True:
        sent.append(list(adapter.adapted(GUESSED)["generationConfig"]))
        if not adapter.refused(400, NAMELESS, adapter.adapted(GUESSED)):
            break
    everything = ["thinkingConfig", "seed", "temperature"]
    assert sent == [everything, everything[1:], ["thinkingConfig", "temperature"], everything[:2]]
    assert adapter.told == ()
    assert adapter.adapted(GUESSED) is GUESSED
    memory = kept()
    for learns in (False, True):  # nothing is kept of a question that was never answered
        adapter = an_adapter(memory)
        for _ in range(2):
            assert adapter.refused(400, NAMELESS, adapter.adapted(GUESSED))
        if learns:
            adapter.worked()
        assert memory.recall(HERE) == ((Adaptation("drop", "seed"),) if learns else ())


def test_guesses_that_were_all_wrong_are_not_tried_again_until_an_answer_has_come(kept):
    adapter = an_adapter(kept())

    def requests():
        asked = []
        adapter.asked(GUESSED, lambda body: asked.append(body) or refused())
        return len(asked)

    def refused():
        error = ServerError("no")
        error.status, error.answer = 400, NAMELESS
        return error

    assert [requests(), requests(), requests()] == [4, 1, 1]
    adapter.asked(GUESSED, lambda body: "an answer")
    assert requests() == 4


def test_what_is_changed_is_said_when_it_is(kept):
    adapter, said = an_adapter(kept()), []
    adapter.ready(48, said.append)
    adapter.refused(400, "temperature is not supported", {"temperature": 0.8})
    adapter.worked()
    adapter.ready(48, said.append)
    assert said == ["the server refused that; asked again: temperature left out"]


def test_what_is_told_does_not_say_when_it_was_learnt(kept):
    first, second = an_adapter(kept()), an_adapter(kept())
    for adapter, words in ((first, ("seed", "temperature")), (second, ("temperature", "seed"))):
        for word in words:
            adapter.refused(400, f"{word} is not supported", {"seed": 1, "temperature": 2})
    assert first.told == second.told == ("seed left out", "temperature left out")


def test_nothing_is_learnt_before_a_model_is_chosen(kept):
    names = [""]
    adapter = Adapter("http://127.0.0.1:9", "the server", kept(), lambda: names[-1])
    adapter.ready(48)
    assert not adapter.refused(400, "temperature is not supported", {"temperature": 0.8})
    names.append("m1")
    adapter.ready(48)
    assert adapter.refused(400, "temperature is not supported", {"temperature": 0.8})


@pytest.mark.parametrize(
    ("address", "model", "asked", "told"),
    [
        ("http://127.0.0.1:1", "llama3.2", "", []),
        ("https://openrouter.ai/api", "anthropic/claude-opus-4.7", "", ["temperature left out"]),
        ("https://openrouter.ai/api", "anthropic/claude-opus-4.7", "temperature", []),
        ("https://x.example", "gemini-3.1-flash", "", ["room for 4096 tokens of thought", "temperature left out"]),
        ("https://api.openai.com", "gpt-4o", "", [
            "max_tokens sent as max_completion_tokens", "room for 4096 tokens of thought", "temperature left out",
        ]),
        ("http://127.0.0.1:11434", "gpt-oss:20b", "", [
            "reasoning_effort low for none", "room for 4096 tokens of thought", "think low for false",
        ]),
        ("https://api.deepseek.com", "deepseek-flash", "", ["json_object for the schema", "seed left out"]),
    ],
)  # fmt: skip
def test_what_is_known_to_be_refused_or_ignored_is_not_sent(address, model, asked, told):
    asked, server = frozenset({asked} - {""}), preset_at(address, "openai")
    assert sorted(each.told() for each in known_adaptations(model, asked, server.adaptations if server else ())) == told
