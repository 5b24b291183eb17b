"""Models that see: each protocol's image part, as the official types have it, and models that see nothing."""

from __future__ import annotations

import base64
import io
import json

import pygame
import pytest
from asking import a_view
from model_server import ScriptedServer, answer
from official_clients import Client, google_types, mistral_models, ollama_types
from outages import quick_brain as a_brain
from providers import PROVIDERS, reply
from pydantic import TypeAdapter

from batllm_arcade import Live
from batllm_arcade.cli.main import main
from batllm_arcade.models.failures import failure_of

anthropic_types, openai_types = Client("anthropic.types"), Client("openai.types.chat")
STATES = ("initial_state", "current_state", "sensors")


def openai_image(body):
    part = openai_types.ChatCompletionContentPartImageParam
    (_, image) = body["messages"][-1]["content"]
    return TypeAdapter(part).validate_python(image)["image_url"]["url"].removeprefix("data:image/png;base64,")


def mistral_image(body):
    whole = mistral_models.ChatCompletionRequest.model_validate(body)
    return whole.messages[-1].content[1].image_url.url.removeprefix("data:image/png;base64,")


def anthropic_image(body):
    block = TypeAdapter(anthropic_types.ImageBlockParam).validate_python(body["messages"][-1]["content"][-1])
    return block["source"]["data"]


def gemini_image(body):
    content = google_types.Content.model_validate(body["contents"][-1])
    assert content.parts[1].inline_data.mime_type == "image/png"
    return base64.b64encode(content.parts[1].inline_data.data)


def ollama_image(body):
    last = body["messages"][-1]
    images = [ollama_types.Image(value=each) for each in last["images"]]
    assert ollama_types.Message(**{**last, "images": images}).model_dump(exclude_none=True) == last
    return last["images"][0]


IMAGE = {
    "openai": openai_image, "mistral": mistral_image, "anthropic": anthropic_image, "gemini": gemini_image,
    "ollama": ollama_image,
}  # fmt: skip
BLIND = {
    "openai": (400, "Invalid content type. image_url is only supported by certain models."),
    "mistral": (400, "Image input is not supported for this model"),
    "anthropic": (400, "messages.0.content.1: this model does not support images"),
    "gemini": (400, "Image input modality is not enabled for models/x"),
    "ollama": (500, "failed to process inputs: this model is missing data required for image input"),
}
"""How each server refuses a picture."""


def payload(body):
    """The payload in a request."""
    last = (body.get("messages") or body["contents"])[-1]
    content = last.get("content", last.get("parts"))
    text = content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
    return json.loads(text)


@pytest.mark.parametrize("name", PROVIDERS)
def test_a_picture_comes_in_the_form_of_each_protocol_and_stands_for_the_states(name):
    good = PROVIDERS[name].said(reply())
    with ScriptedServer(*(3 * [good])) as fake:
        for how in ("picture", "both", "figures"):
            a_brain(name, fake.url, view=how, reply="json").decide(a_view())
    picture, both, figures = (request.json for request in fake.requests)
    for body in (picture, both):
        assert pygame.image.load(io.BytesIO(base64.b64decode(IMAGE[name](body)))).get_size() == (512, 512)
        assert "white ring" in json.dumps(body.get("system", body.get("systemInstruction", body.get("messages"))))
    assert [key in payload(picture) for key in STATES] == [False] * 3
    assert [key in payload(both) for key in STATES] == [True] * 3
    views = [payload(body)["ctx"].pop("view", None) for body in (picture, both, figures)]
    assert views == ["picture", "both", None]
    assert "base64" not in json.dumps(figures)
    assert "inlineData" not in json.dumps(figures)


@pytest.mark.parametrize("name", PROVIDERS)
def test_a_model_that_sees_nothing_is_told_figures_and_that_is_learnt(name):
    provider, (status, words) = PROVIDERS[name], BLIND[name]
    refuses, good = answer(provider.error(words), status), provider.said(reply())
    with ScriptedServer(refuses, good, good, good) as fake:
        said, brain = [], a_brain(name, fake.url, view="picture", reply="json")
        assert brain.decide(a_view(live=Live(20.0, published=said.append))).command == "B"
        a_brain(name, fake.url, view="picture", reply="json").decide(a_view())
        figures = a_brain(name, fake.url, reply="json")
        figures.decide(a_view())
    assert "picture left out" not in figures.adapted, "of whom no pictures were wanted lacks none"
    assert any("takes no pictures: it is sent figures" in line for line in said)
    assert "picture left out" in brain.adapted
    for request in fake.requests[1:]:
        body = payload(request.json)
        assert all(key in body for key in STATES)
        assert "view" not in body["ctx"]


@pytest.mark.parametrize(("status", "words"), [
    (500, "image input is not supported by this server"),
    (500, 'Failed to parse messages: Unsupported content part type: "image_url"; messages = ['),
    (404, "No endpoints found that support image input"),
    (400, "'messages.1' : for 'role:user' messages[1].content must be a string"),
    (422, "messages[1]: unknown variant `image_url`, expected `text` at line 1 column 9"),
    (400, "At most 0 image(s) may be provided in one prompt."),
    (400, "/models/x is not a multimodal model"),
])  # fmt: skip
def test_what_other_servers_say_of_pictures_is_understood(status, words):
    assert failure_of(status, words).kind == "eyes"


@pytest.mark.parametrize("name", ["openai", "gemini"])
def test_a_picture_stays_where_a_server_takes_no_system_message(name):
    provider = PROVIDERS[name]
    refuses = answer(provider.error("System role not supported"), 400)
    with ScriptedServer(refuses, provider.said(reply())) as fake:
        a_brain(name, fake.url, view="picture", reply="json").decide(a_view())
    assert len(base64.b64decode(IMAGE[name](fake.requests[1].json))) > 1000


def test_ollama_says_before_a_match_that_its_model_sees_nothing():
    show, tags = {"capabilities": ["completion"]}, {"models": [{"name": "llama3.2"}]}
    said = []
    with ScriptedServer(answer(tags), answer(show), answer({"done": True})) as fake:
        a_brain("ollama", fake.url, view="both").prepare(said.append)
    assert any("takes no pictures" in line for line in said)


def test_a_conversation_with_a_picture_has_no_figures_and_one_picture():
    good = PROVIDERS["openai"].said('{"cmd":"M"}')
    with ScriptedServer(good, good) as fake:
        brain = a_brain("openai", fake.url, view="picture", context="conversation", rendering="chat", reply="token")
        brain.decide(a_view())
        brain.decide(a_view(3))
    assert "Opponent: x" not in json.dumps(fake.requests[1].json)
    assert json.dumps(fake.requests[1].json).count("data:image/png") == 1


def test_a_session_says_who_sees_and_verifies(tmp_path):
    file = tmp_path / "s.json"
    good = PROVIDERS["openai"].said("M")
    with ScriptedServer(answer({"data": [{"id": "m"}]}), good, good) as fake:  # listed, loaded, asked
        left = f"openai:base_url={fake.url},model=m,view=both,prepare_s=5"
        main(f"run --left {left} --right scripted:turtle --rounds 1 --turns 1 --history {file}".split())
    seats = json.loads(file.read_text())["games"][0]["seats"]
    assert [seat.get("view") for seat in seats] == ["both", None]
    assert main(["verify", str(file)]) == 0
