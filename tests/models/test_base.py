"""The base of model brains: reply forms, the repair request, queued plays."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from random import Random

import asking
import pytest
from fakes import FakeTable, Function
from model_server import ScriptedServer, answer, closed_port
from paths import DOCS

from batllm_arcade import (
    BrainError,
    BrainKind,
    Cancelled,
    Decision,
    Live,
    ModelBrain,
    ModelReply,
    Spec,
    UsageError,
    command_grammar,
    command_schema,
    payload_messages,
)
from batllm_arcade.brains.protocol import Gamepad
from batllm_arcade.core.model import Rules
from batllm_arcade.match import runner
from batllm_arcade.match.records import Play
from batllm_arcade.match.runner import MatchPlan
from batllm_arcade.models.answers import QUOTED
from batllm_arcade.plugin import manager
from batllm_arcade.plugin.isolated import INSIDE
from batllm_arcade.prompts import buttons
from batllm_arcade.prompts.buttons import ButtonFormat
from batllm_arcade.seats.table import Table


def pressing(*presses, **more):
    reply = {"button_presses": presses, "reasoning": "r", "observations": "o", "context_detected": "battle", **more}
    return json.dumps(reply)


class Scripted(ModelBrain):
    """Answers what its list says, which must be used up."""

    label, home, suggested = "Scripted", "http://127.0.0.1:1", "parrot"

    def __init__(self, *replies, **options):
        super().__init__(Spec("scripted", "", options))
        self.replies = [ModelReply(reply) if isinstance(reply, str) else reply for reply in replies]
        self.requests = []

    def ask(self, request):
        self.requests.append(request)
        reply = self.replies.pop(0)
        if isinstance(reply, BaseException):
            raise reply
        return reply

    def catalogue(self):
        return "/models"

    def choose(self, listing):
        self.model = self.wanted or listing["first"]


class Corvid(Scripted):
    """Its server's list has a shape of its own, which `names` alone knows."""

    suggested, choose = "", ModelBrain.choose

    def names(self, listing):
        return [each["bird"] for each in listing["brains"]]


@pytest.mark.parametrize(("options", "model"), [({}, "rook"), ({"model": "crow"}, "crow"), ({"model": "owl"}, None)])
def test_names_alone_is_enough_to_choose_a_model(options, model):
    brain = Corvid(**options)
    listing = {"brains": [{"bird": "rook"}, {"bird": "crow"}]}
    if model:
        brain.choose(listing)
        assert brain.model == model
    else:
        with pytest.raises(BrainError, match=r"has no model 'owl'.*it has rook, crow"):
            brain.choose(listing)


class Sized(Scripted):
    larger_context = "num_ctx={tokens}"

    def __init__(self, size, **options):
        super().__init__(**options)
        self.context_size = size


@pytest.mark.parametrize(("size", "turns", "options", "fits"), [
    (4096, 20, {}, True), (2048, 20, {}, False), (2048, 8, {}, True), (6000, 20, {"reply": "json"}, False),
    (16384, 20, {"reply": "json"}, True), (4096, 20, {"context": "conversation"}, False),
    (8192, 20, {"context": "conversation"}, True), (8192, 8, {"max_tokens": "8000"}, False), (0, 900, {}, True),
])  # fmt: skip
def test_a_round_whose_requests_will_not_fit_is_told_before_it_begins(size, turns, options, fits):
    view = a_view(rules=Rules(turns_per_round=turns))
    note = Sized(size, **options).foresee(view)
    assert (note == "") == fits
    if not fits:
        assert f"has room for {size:,} tokens" in note
        larger = int(re.search(r"num_ctx=(\d+)", note)[1])
        assert Sized(larger, **options).foresee(view) == "", "what it says to set is enough"
        assert size < larger
    windowed = replace(view, style=replace(view.style, history_window=2))
    assert options.get("context") or "max_tokens" in options or not Sized(size, **options).foresee(windowed)


def a_view(number=1, health=100, **more):
    arena = replace(asking.ARENA, left=replace(asking.ARENA.left, health=health))
    return asking.a_view(number, arena=arena, **more)


# Tokens


def test_a_token_is_asked_for_with_its_schema_and_grammar_and_one_seed():
    brain, view = Scripted("C17"), a_view()
    assert brain.decide(view).command == "C17"
    (request,) = brain.requests
    assert request.messages == payload_messages(view)
    assert (request.schema, request.grammar, request.max_tokens) == (command_schema(), command_grammar(), 48)
    stream = Random(7)
    assert request.seed == stream.getrandbits(31)
    assert view.rng.random() == stream.random()


def test_text_that_is_no_command_is_asked_for_once_more_with_the_reason():
    brain = Scripted("I would move", "M")
    assert brain.decide(a_view()).command == "M"
    assert "'I would move' is no command; a command is" in brain.requests[1].messages[-1]["content"]
    decision = Scripted("I would move", "Or so").decide(a_view())
    assert (decision.raw, decision.command) == ("Or so", None)
    assert decision.invalid.startswith("'Or so' is no command")


def test_a_slow_model_is_not_asked_once_more_when_there_is_no_time_left(monkeypatch):
    brain, now = Scripted("I would move"), [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    ask = brain.ask
    brain.ask = lambda request: (now.append(now.pop() + 25), ask(request))[1]
    assert brain.decide(a_view()).invalid.startswith("'I would move' is no command")


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (ModelReply(" \n"), "its answer was empty"),
        (ModelReply("", "B"), "it only thought"),
        (ModelReply("C1", cut=True), "cut off after 48 tokens"),
        (ModelReply('{"cmd": "C1', cut=True), "cut off after 48 tokens"),
        (ModelReply("<think>x</think>C1", cut=True), "cut off after (48|4144) tokens"),
        (BrainError("gone"), "gone"),
    ],
)
def test_what_is_no_whole_answer_is_a_failure(reply, why):
    with pytest.raises(BrainError, match=why):
        Scripted(reply, reply).decide(a_view())  # asked twice where a thought has taken the room


@pytest.mark.parametrize(
    ("returned", "named"), [("M", "a str"), (None, "None"), (ModelReply({"cmd": "M"}), "one whose text is a dict")]
)
def test_what_ask_returns_but_is_no_reply_is_told_with_the_authors_line(returned, named):
    class Hasty(Scripted):
        def ask(self, request):
            return returned

    said = r"^ask must return a ModelReply with a text, not NAMED \(test_base\.py, line \d+\)$"
    with pytest.raises(BrainError, match=said.replace("NAMED", named)):
        Hasty().decide(a_view())


def in_a_match(brain):
    """The brain's only play in a match, asked as in every match: on a thread, at a table."""
    kinds = {
        "asked": BrainKind("asked", "", lambda spec: brain),
        "still": BrainKind("still", "", lambda spec: Function(lambda view: Decision("", None))),
    }
    table = Table(kinds, (Spec("asked"), Spec("still")), fallback=Spec("still"))
    records = list(runner.play(MatchPlan(Rules(total_rounds=1, turns_per_round=1), 1), table))
    table.close()
    return next(record for record in records if isinstance(record, Play) and record.bot == 0)


@pytest.mark.parametrize("text", ['{"cmd": "C1', "C1", "S1,A10,A74.1, and so on"])
def test_an_answer_that_was_cut_off_is_kept_and_told_to_be_too_long(text):
    play = in_a_match(Scripted(ModelReply(text, cut=True)))
    assert (play.status, play.decision.raw, play.command.token) == ("error", text, "ERR")
    assert "wrote too much, it was cut off after 48 tokens" in play.reason
    assert "at once" not in play.reason


def test_buttons_that_were_cut_off_are_told_to_be_too_long_and_the_model_hears_it():
    brain = Scripted(ModelReply('{"button_presses": ["a"], "reas', cut=True), ModelReply("{", cut=True), reply="json")
    play = in_a_match(brain)
    assert (play.status, play.decision.raw) == ("invalid", "{")
    assert play.reason == "the answer is too long, it was cut off after 800 tokens"
    assert "Refused: the answer is too long, it was cut off after 800" in brain.requests[1].messages[-1]["content"]


@pytest.mark.parametrize("text", ['{"cmd": "C17"}  ', '"C17"', '<think>x</think>{"cmd": "C17"}'])
def test_an_answer_that_was_cut_counts_if_it_is_whole(text):
    assert Scripted(ModelReply(text, cut=True)).decide(a_view()).command == "C17"


# Buttons


def test_buttons_are_asked_for_in_the_system_message_with_their_schema():
    brain, view = Scripted(pressing("a"), reply="json"), a_view()
    decision = brain.decide(view)
    assert (decision.command, decision.raw) == ("B", pressing("a"))
    (request,) = brain.requests
    system, user = request.messages
    assert system["content"] == f"Duel.\n\n{ButtonFormat().instructions(view)}"
    assert user == payload_messages(view, ButtonFormat().this_turn(view))[1]
    assert list(json.loads(user["content"]))[-1] == "this_turn"
    assert (request.schema, request.grammar) == (buttons.schema("battle"), "")


def test_the_presses_are_the_next_plays_one_a_turn():
    brain = Scripted(pressing("up", "right", "a"), pressing("b"), reply="json")
    asked = [brain.decide(a_view(number)) for number in (3, 5, 7, 9)]
    assert [play.command for play in asked] == ["M", "C15", "B", "S"]
    assert [play.queued_from for play in asked] == [None, 3, 3, None]
    assert [bool(play.raw) for play in asked] == [True, False, False, True]
    assert asked[1].tokens is None
    assert len(brain.requests) == 2


@pytest.mark.parametrize(
    "later",
    [{"number": 3, "health": 95}, {"number": 1, "round": 2}, {"number": 1, "game": 2, "health": 100}],
)
def test_a_hit_taken_or_a_new_round_drops_what_is_left(later):
    brain = Scripted(pressing("up", "right", "a"), pressing("b"), reply="json")
    brain.decide(a_view(1))
    decision = brain.decide(a_view(**later))
    assert (decision.command, decision.queued_from) == ("S", None)
    assert brain.replies == []


@pytest.mark.parametrize(("back", "kept"), [(5, True), (3, False), (7, False), (9, False)])
def test_somebody_else_at_the_seat_in_between_drops_what_is_left(back, kept):
    brain = Scripted(pressing("up", "right", "a"), pressing("b"), reply="json")
    brain.decide(a_view(1))
    brain.decide(a_view(3))
    assert brain.decide(a_view(back)).command == ("B" if kept else "S")


def test_the_presses_of_a_reply_that_came_too_late_are_dropped():
    late = Live(20)
    brain = Scripted(pressing("up", "right"), pressing("b"), reply="json")
    brain.decide(a_view(1, live=late))
    late.cancel()
    assert brain.decide(a_view(3)).command == "S"
    brain = Scripted(pressing("up", "right"), reply="json")
    with pytest.raises(Cancelled):
        brain.decide(a_view(1, live=late))


def test_an_invalid_reply_is_asked_for_once_more_with_the_reason():
    first = ModelReply("```json\n{}\n```", tokens={"prompt": 100, "completion": 5})
    second = ModelReply(pressing("a"), tokens={"prompt": 110, "completion": 30})
    brain = Scripted(first, second, reply="json")
    decision = brain.decide(a_view())
    assert (decision.command, decision.raw, decision.invalid) == ("B", pressing("a"), "")
    assert decision.tokens == {"prompt": 210, "completion": 35}
    asked, again = brain.requests
    assert again.messages[:-2] == asked.messages
    assert again.messages[-2] == {"role": "assistant", "content": "```json\n{}\n```"}
    assert again.messages[-1]["role"] == "user"
    assert "ONLY the JSON object: no text or code fence" in again.messages[-1]["content"]
    assert again.seed != asked.seed
    brain = Scripted("x" * 100_000, pressing("a", "b", "a", "b"), reply="json")
    decision = brain.decide(a_view())
    assert len(brain.requests[1].messages[-2]["content"]) == QUOTED
    assert (decision.command, decision.raw) == (None, pressing("a", "b", "a", "b"))
    assert decision.invalid == "button_presses must hold 1 to 3 buttons, not 4"


def test_the_configured_gamepad_is_the_one_that_is_pressed():
    brain = Scripted(pressing("right", "right"), reply="json")
    table = FakeTable([brain.decide], ["M"])
    plan = MatchPlan(Rules(total_rounds=1, turns_per_round=1), 1, gamepad=Gamepad(turn_degrees=40))
    records = list(runner.play(plan, table))
    assert next(r for r in records if isinstance(r, Play) and r.bot == 0).command.token == "C80"


# Starting


@pytest.mark.parametrize(
    "options", [{"reply": "xml"}, {"context": "none"}, {"rendering": "picture"}, {"temperature": "hot"}, {"modle": "x"}]
)
def test_wrong_options_are_refused_when_it_is_made(options):
    with pytest.raises(UsageError):
        Scripted(**options)


def test_a_model_is_found_before_the_match_or_with_the_first_play():
    with ScriptedServer(answer({"first": "a"}), answer({"first": "b"}), answer({"first": "c"})) as fake:
        prepared, unprepared = (Scripted("M", base_url=fake.url, model="") for _ in range(2))
        prepared.prepare(lambda line: None)
        unprepared.decide(a_view())
        assert (prepared.model, unprepared.model) == ("a", "b")
        assert Scripted.missing.__func__(_Bare, Spec("bare", "", {"base_url": fake.url})) == ""


class _Bare(Scripted):
    def __init__(self, spec):
        super().__init__(**spec.options)


class Listless(ModelBrain):
    """Has no list of models, so that only its address can be looked at before it plays."""

    label, home, suggested, hint = "Listless", "http://127.0.0.1:1", "one", "start it"
    ask = None


@pytest.mark.parametrize("status", [200, 404, 500])
def test_a_server_without_a_list_is_ready_if_anybody_answers_there(status):
    with ScriptedServer(answer("<p>hello</p>", status)) as fake:
        assert Listless.missing(Spec("listless", "", {"base_url": fake.url})) == ""
    assert "does not take connections; start it" in Listless.missing(Spec("listless"))


# The documentation's provider


@pytest.fixture
def parley(tmp_path):
    page = (DOCS / "plugins.md").read_text("utf-8")
    (code,) = re.findall(r"^```python\n([^`]*?ModelBrain.*?)^```", page, re.M | re.S)
    assert len([line for line in code.splitlines() if line.strip()]) <= 45
    (tmp_path / "parley.py").write_text(code, "utf-8")
    plugins = manager.load(tmp_path, INSIDE)
    assert plugins.problems == []
    return plugins.kinds["parley"]


def test_the_provider_in_the_documentation_plays(parley):
    models, replies = answer({"models": ["p1"]}), [{"text": "M"}, {"text": pressing("a", "up")}]
    with ScriptedServer(models, models, *map(answer, replies)) as fake:
        token, json_form = (
            parley.make(Spec("parley", "", {"base_url": fake.url, **options})) for options in ({}, {"reply": "json"})
        )
        for brain in (token, json_form):
            brain.prepare(lambda line: None)
        assert [token.decide(a_view()).command, json_form.decide(a_view(1)).command] == ["M", "B"]
        assert json_form.decide(a_view(3)).command == "M"
    assert fake.requests[2].json["schema"] == command_schema()
    assert fake.requests[2].json["messages"] == payload_messages(a_view())


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (answer({"text": None}), "does not answer as Parley does"),
        (answer({"text": "C1", "end": "longest"}), "was cut off"),
        (answer({"detail": "no"}, 401), "key_env=PARLEY_API_KEY"),
    ],
)
def test_the_provider_in_the_documentation_fails_in_plain_sentences(parley, step, words):
    with ScriptedServer(step) as fake, pytest.raises(BrainError, match=words):
        parley.make(Spec("parley", "", {"base_url": fake.url, "model": "p1"})).decide(a_view())


def test_the_provider_in_the_documentation_says_what_is_missing(parley):
    with ScriptedServer(answer({"models": ["p1"]}), answer({"models": []})) as fake:
        assert parley.missing(Spec("parley", "", {"base_url": fake.url})) == ""
        assert "serves no model that can chat" in parley.missing(Spec("parley", "", {"base_url": fake.url}))
    assert "start it with `parley serve`" in parley.missing(
        Spec("parley", "", {"base_url": f"http://127.0.0.1:{closed_port()}"})
    )


def test_the_provider_in_the_documentation_adapts_to_what_its_server_refuses(parley):
    refusals = [{"error": "temperature is not supported"}, {"error": "'pattern' is not permitted in a schema"}]
    steps = [*(answer(refusal, 400) for refusal in refusals), *[answer({"text": "M"})] * 3]
    with ScriptedServer(*steps) as fake:
        spec = Spec("parley", "", {"base_url": fake.url, "model": "p1", "max_tokens": "70"})
        first, later = parley.make(spec), parley.make(spec)
        assert [brain.decide(a_view()).command for brain in (first, first, later)] == ["M"] * 3
    assert ["temperature" in request.json for request in fake.requests] == [True, False, False, False, False]
    assert ["pattern" in json.dumps(request.json["schema"]) for request in fake.requests] == [True, True, *[False] * 3]
    assert {request.json["longest"] for request in fake.requests} == {70}
    assert first.adapted == later.adapted == ("schema without patterns and lengths", "temperature left out")


# What a second reader found


@pytest.mark.parametrize("rendering", ["array", "chat"])
def test_half_a_character_said_by_a_bot_does_not_spoil_the_conversation(rendering):
    said = json.dumps({"toolCall": "postMessage", "text": "hi \ud83d", "reasoning": "r"})
    brain = Scripted(said, "M", context="conversation", rendering=rendering)
    for number in (1, 3):
        brain.decide(a_view(number))
    for request in brain.requests:
        json.dumps(request.messages, ensure_ascii=False).encode("utf-8")
