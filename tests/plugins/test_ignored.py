"""What a server ignores in silence is learnt like what it refuses: with one request more, once."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from asking import a_view
from fakes import PublishedTexts
from model_server import ReceivedRequest, ScriptedServer, Step, answer, ndjson
from outages import quick_brain
from providers import completion, line, reply

from batllm_arcade.cli.main import main

ANSWERS = {
    "token": '{"cmd": "B"}',
    "json": reply(),
    "tool": '{"toolCall": "playCommand", "command": "B", "reasoning": "r"}',
}
FORMS = {"token": {"reply": "token"}, "json": {"reply": "json"}, "tool": {"context": "conversation"}}
PROSE, FENCED = "I would turn to face the opponent and fire.", "```json\n{}\n```"
PLAYS = 4


@dataclass(frozen=True)
class Model:
    """What a model says to a request; `learnt` is what is kept of it, `more` how many requests that takes."""

    says: Callable[[dict, str], tuple[str, str, bool]]
    """Text, thought, and whether the answer was cut off, given the body and the answer that is right."""
    learnt: tuple[str, ...] = ()
    more: int = 0
    name: str = "m1"
    brain: str = "ollama"


def off(body):
    return body.get("think", True) is False


def thinks(body, text):
    """What comes of an answer with some thought before it, which counts as part of the answer."""
    limit = body.get("options", body).get("num_predict", body.get("max_tokens"))
    return ("", "Hm. " * 30, True) if limit < 300 else (text, "Hm. " * 60, False)


def gpt_oss(body, text):
    """It takes no true or false, and writes nothing to a form then."""
    return ("", "", False) if off(body) else thinks(body, text)


def in_words(body):
    return "JSON schema" in json.dumps(body["messages"])


ROOM = "room for 4096 tokens of thought"
FREED = ROOM, "think left out"
MODELS = {
    "gemma4": Model(lambda body, text: (PROSE, "", False) if off(body) else thinks(body, text), FREED, 1),
    "qwen3.5, fenced": Model(
        lambda body, text: (FENCED, "", False) if off(body) else thinks(body, text), FREED, 1,
        "qwen3.5:9b",
    ),
    "qwen3.5 that thinks although it is told not to": Model(
        lambda body, text: ("", "I fire now.", False) if off(body) else thinks(body, text), FREED, 1
    ),
    "gpt-oss": Model(gpt_oss, ("reasoning_effort low for none", ROOM, "think low for false"), 0, "gpt-oss:20b"),
    "gpt-oss by another name": Model(gpt_oss, FREED, 1, "house-model"),
    "llama3.2": Model(lambda body, text: (text, "", False), (), 0, "llama3.2"),
    "a format that is ignored with and without think": Model(
        lambda body, text: (text if in_words(body) else PROSE, "", False), ("json_object for the schema",), 2
    ),
    "an effort of none": Model(
        lambda body, text: (PROSE, "", False) if body.get("reasoning_effort") == "none" else (text, "", False),
        ("reasoning_effort left out", ROOM), 1, brain="openai",
    ),
    "a schema that is ignored": Model(
        lambda body, text: (text if in_words(body) else PROSE, "", False), ("json_object for the schema",), 1,
        brain="openai",
    ),
}  # fmt: skip


class Server(ScriptedServer):
    """A server of such a model."""

    def __init__(self, model: Model, form: str) -> None:
        super().__init__()
        self._model, self._form = model, form

    @property
    def questions(self):
        return [each.json for each in self.requests if each.method == "POST" and each.json["messages"]]

    def _next(self, request: ReceivedRequest) -> Step:
        with self._lock:
            self.requests.append(request)
        if request.method == "GET":
            name = self._model.name
            return answer({"models": [{"name": name}], "data": [{"id": name}]})
        text, thought, cut = self._model.says(request.json, ANSWERS[self._form])
        if self._model.brain == "ollama":
            said = line(text)
            said["message"]["thinking"] = thought
            return ndjson(said, line(done=True, done_reason="length" if cut else "stop"))
        body = completion(text, "length" if cut else "stop")
        body["choices"][0]["message"]["reasoning"] = thought
        return answer(body)


def played(model, form, url):
    options = {**FORMS[form], **({"think": "off"} if "effort" in str(model.learnt) and model.brain == "openai" else {})}
    brain, live = quick_brain(model.brain, url, model=model.name, **options), PublishedTexts()
    try:
        return (
            [brain.decide(a_view(number, live=live)).command for number in range(1, 2 * PLAYS, 2)],
            brain.adapted,
            live,
        )
    finally:
        brain.close()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", MODELS)
def test_what_is_ignored_is_learnt_with_one_request_more(name, form):
    model = MODELS[name]
    with Server(model, form) as server:
        commands, adapted, live = played(model, form, server.url)
        first = len(server.questions)
        again, same, _ = played(model, form, server.url)
    assert commands == again == ["B"] * PLAYS
    assert first == PLAYS + model.more
    assert len(server.questions) == first + PLAYS, "it is remembered"
    assert adapted == same == tuple(sorted(model.learnt))
    assert any("did not keep to the form; asked again: " in text for text in live.texts) is bool(model.more)


def test_thinking_that_is_asked_for_is_sent_all_the_same_afterwards():
    with Server(MODELS["gemma4"], "token") as server:
        for think in ("auto", "low"):
            brain = quick_brain("ollama", server.url, model="gemma4", think=think)
            assert brain.decide(a_view()).command == "B"
            brain.close()
    assert [each.get("think") for each in server.questions] == [False, None, "low"]


def test_an_answer_that_keeps_to_its_form_but_not_to_its_limits_is_no_form_ignored():
    texts = [reply(reasoning="x" * 900), reply()]
    with ScriptedServer(*[ndjson(line(text), line(done=True)) for text in texts]) as fake:
        brain = quick_brain("ollama", fake.url, reply="json")
        assert brain.decide(a_view()).command == "B"
        assert brain.adapted == ()
    assert [request.json["think"] for request in fake.requests] == [False, False]


def test_what_did_not_help_is_not_tried_again_nor_kept_and_is_told_after_the_game(tmp_path, capsys):
    model = Model(lambda body, text: (PROSE, "", False))
    with Server(model, "token") as server:
        left = f"ollama:model=m1,base_url={server.url}"
        code = main(
            ["run", "--left", left, "--right", "scripted:turtle", "--rounds", "1", "--turns", "4", "--quiet",
             "--history", str(tmp_path / "x.json")]
        )  # fmt: skip
        assert code == 0
        assert len(server.questions) == 2 * PLAYS + 1  # each is asked for a better one, the first without think, too
        assert off(server.questions[-1])
    said = capsys.readouterr().err
    assert "left: m1 gave a command in 0 of 4 plays; its first answer was 'I would" in said
    assert "; try reply=json or think=low" in said
    assert "adapted" not in (tmp_path / "x.json").read_text()
