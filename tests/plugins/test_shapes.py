"""Every brain against servers as they are in use: each play is answered, and what a server refuses is asked once."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from approved import approve
from asking import ARENA, a_view
from fakes import Function, PublishedTexts
from model_server import ScriptedServer, answer
from providers import PROVIDERS, chunk, sse
from shapes import REFUSALS, THINKERS, Refused, Shape, ShapeServer, limit_of, openai_error

from batllm_arcade import BrainError, BrainKind, Decision, SeatAdapted, SessionWriter, Spec
from batllm_arcade.brains.protocol import PastPlay, PastTurn
from batllm_arcade.core.model import Rules
from batllm_arcade.history import reader, replay
from batllm_arcade.history.verification import verify
from batllm_arcade.match import runner
from batllm_arcade.match.records import GameStarted, Play
from batllm_arcade.match.runner import MatchPlan
from batllm_arcade.seats.table import Table

PLAYS = 3
FORMS = {
    "token": {"reply": "token"},
    "json": {"reply": "json"},
    "tool": {"context": "conversation", "rendering": "chat"},
}


def a_brain(shape, url, **options):
    return PROVIDERS[shape.brain].make(Spec(shape.brain, "", {"base_url": url, "model": shape.model, **options}))


def played(shape, url, form, **options):
    """What a brain of its own plays there, and how its requests are changed then."""
    brain = a_brain(shape, url, **FORMS[form], **options)
    try:
        return [brain.decide(a_view(number)).command for number in range(1, 2 * PLAYS, 2)], brain.adapted
    finally:
        brain.close()


def forms_of(shape):
    return ("token", "json") if shape.brain in ("gemini", "mistral") else tuple(FORMS)


def cases(shapes):
    return [(name, form) for name, shape in shapes.items() for form in forms_of(shape)]


@pytest.mark.parametrize(("name", "form"), cases(REFUSALS))
def test_what_is_refused_takes_one_more_request_once(name, form):
    shape = REFUSALS[name]
    extra = len(shape.refuses) + (shape.refuses == REFUSALS["gemini: without a name"].refuses) * 3
    with ShapeServer(shape, form) as server:
        commands, adapted = played(shape, server.url, form)
        first = len(server.questions)
        again, same = played(shape, server.url, form)
    assert commands == again == ["B"] * PLAYS
    assert PLAYS < first <= PLAYS + extra or not refuses_anything(shape, form, server)
    assert len(server.questions) - first == PLAYS
    assert adapted == same


def refuses_anything(shape, form, server):
    """Whether the first request was refused at all: buttons have no patterns, for one."""
    return any(refused.when(server.questions[0]) for refused in shape.refuses)


@pytest.mark.parametrize(("name", "form"), cases(THINKERS))
def test_a_thought_has_room_beside_the_answer(name, form):
    shape = THINKERS[name]
    with ShapeServer(shape, form) as server:
        commands, adapted = played(shape, server.url, form)
        first = len(server.questions)
        again, same = played(shape, server.url, form)
    assert commands == again == ["B"] * PLAYS
    assert first <= PLAYS + 1
    assert len(server.questions) - first == PLAYS
    assert max(map(limit_of, server.questions)) <= 4096 + 800
    assert adapted == same


def test_a_model_that_never_comes_to_its_answer_is_asked_twice_in_its_first_play_and_once_after():
    shape = Shape("openai", thinks=9000)
    with ShapeServer(shape) as server:
        brain = a_brain(shape, server.url)
        for number in (1, 3):
            with pytest.raises(BrainError, match="spent all its tokens on thinking; set think=off or think=low"):
                brain.decide(a_view(number))
        brain.close()
    assert [limit_of(body) for body in server.questions] == [48, 4144, 4144]


FIGURES = "maximum context length is 2048 tokens. However, you requested 5048 tokens (904 in the messages, 4144 in the)"


@pytest.mark.parametrize(
    ("said", "limits"), [(FIGURES, [4144, 1144]), ("the request exceeds the context size", [4144, 2072, 1072])]
)
def test_a_context_that_is_too_small_for_the_room_gets_less_until_it_fits(said, limits):
    shape = Shape("openai", (Refused(lambda body: limit_of(body) > 1144, openai_error(said)),), thinks=300)
    with ShapeServer(shape) as server:
        commands, adapted = played(shape, server.url, "token")
        assert played(shape, server.url, "token") == (commands, adapted)
    assert commands == ["B"] * PLAYS
    assert f"at most {limits[-1]} tokens" in adapted
    asked = [limit_of(body) for body in server.questions]
    assert asked == [48, *limits, *[limits[-1]] * (2 * PLAYS - 1)]


class SmallContext(ShapeServer):
    """A server that takes so many tokens of prompt and answer together, three characters each."""

    def __init__(self, room, thinks):
        super().__init__(Shape("openai", thinks=thinks))
        self._room = room

    def _answer(self, body):
        prompt = sum(len(each["content"]) for each in body["messages"]) // 3
        if prompt + limit_of(body) > self._room:
            return answer(openai_error(FIGURES.replace("2048", str(self._room)).replace("904", str(prompt))), 400)
        return super()._answer(body)


@pytest.mark.parametrize("room", [2500, 1500, 1200])
def test_a_context_that_fills_up_costs_a_model_that_thinks_its_oldest_turns_not_its_thought(room):
    past = [PastTurn(n, (PastPlay(0, "M", "M"), PastPlay(1, "S", "S")), ARENA) for n in range(1, 20)]
    with SmallContext(room, thinks=300) as server:
        for _ in range(2):
            brain = a_brain(Shape("openai"), server.url)
            for turns in (0, 2, 6, 12, 19, 0):
                view = replace(a_view(2 * turns + 1), history=tuple(past[:turns]))
                assert brain.decide(view).command == "B"
            brain.close()
        payload = json.loads(server.questions[-2]["messages"][-1]["content"])
    assert payload.get("history_omitted", 0) > 0


def test_an_error_in_place_of_an_answer_that_was_cut_off_is_given_room():
    said = "Could not finish the message because max_tokens or model output limit was reached. Try higher max_tokens."
    shape = Shape("openai", (Refused(lambda body: (limit_of(body) or 0) < 300, openai_error(said)),))
    with ShapeServer(shape) as server:
        commands, adapted = played(shape, server.url, "token")
    assert (commands, adapted) == (["B"] * PLAYS, ("room for 4096 tokens of thought",))
    assert [limit_of(body) for body in server.questions] == [48, *[4144] * PLAYS]


def test_a_thought_is_kept_where_the_request_with_more_room_is_refused():
    shape = Shape("openai", (Refused(lambda body: limit_of(body) > 48, openai_error("no")),), thinks=300)
    with ShapeServer(shape) as server, pytest.raises(BrainError) as caught:
        a_brain(shape, server.url).decide(a_view())
    assert caught.value.thought.startswith("hm hm")


@pytest.mark.parametrize("brain", PROVIDERS)
def test_a_refusal_that_says_nothing_of_use_is_no_loop(brain):
    shape = Shape(brain, (Refused(lambda body: True, {"error": {"message": "I would rather not"}}),))
    with ShapeServer(shape) as server, pytest.raises(BrainError, match="refused the request"):
        a_brain(shape, server.url).decide(a_view())
    assert len(server.questions) == 1


def test_the_panel_says_once_what_is_left_out():
    shape = REFUSALS["openai: temperature"]
    with ShapeServer(shape) as server:
        brain, live = a_brain(shape, server.url), PublishedTexts()
        for number in (1, 3):
            brain.decide(a_view(number, live=live))
        brain.close()
    (said,) = [text for text in live.texts if "asked again" in text]
    assert said == f"the OpenAI-style server at {server.url} refused that; asked again: temperature left out"


def recorded(shape, url, path, turns=2, **options):
    """The records of a match of that model against a bot that does nothing, and the file they are in."""
    still = Function(lambda view: Decision("", None))
    kinds = {
        "model": BrainKind("model", "", PROVIDERS[shape.brain].make),
        "still": BrainKind("still", "", lambda _: still),
    }
    spec = Spec("model", "", {"base_url": url, "model": shape.model, "reply": "token", **options})
    table, writer, records = Table(kinds, (spec, Spec("still")), fallback=Spec("still")), SessionWriter(path), []
    for record in runner.play(MatchPlan(Rules(total_rounds=1, turns_per_round=turns), 1, prompts=("Go!", "")), table):
        writer.notify(record)
        records.append(record)
    table.close()
    return records


def timeless(path):
    text = re.sub(r'"(timestamp|session_start|session_end)":"[^"]*"', "", path.read_text("utf-8"))
    return re.sub(r'"latency_s":[0-9.]+', "", text)


@pytest.mark.parametrize("name", ["openai: five things", "gemini: seed", "ollama: think"])
def test_a_session_says_what_is_left_out_and_is_the_same_at_the_first_and_at_later_runs(name, tmp_path):
    shape, paths = REFUSALS[name], [tmp_path / "first.json", tmp_path / "later.json"]
    with ShapeServer(shape) as server:
        first, later = (recorded(shape, server.url, path) for path in paths)
    told = reader.read(paths[0]).games[0].seats[0].adapted
    assert len(told) == len(shape.refuses)
    assert timeless(paths[0]) == timeless(paths[1])
    (learnt,) = [record for record in first if isinstance(record, SeatAdapted)]
    assert (learnt.bot, learnt.adapted) == (0, told)
    assert [record.seats[0].adapted for record in later if isinstance(record, GameStarted)] in ([told], [()])
    for path in paths:
        session = reader.read(path)
        assert list(verify(session)) == []
        (started,) = [record for record in replay.simulate(session) if isinstance(record, GameStarted)]
        assert started.seats[0].adapted == told


def test_a_journal_that_was_never_ended_says_it_too(tmp_path):
    shape, whole = REFUSALS["openai: temperature"], tmp_path / "whole.json"
    with ShapeServer(shape) as server:
        records = recorded(shape, server.url, whole)
    writer = SessionWriter(tmp_path / "killed.json")
    for record in records[:-3]:
        writer.notify(record)
    assert reader.read(tmp_path / "killed.json").games[0].seats[0].adapted == ("temperature left out",)


def plays_of(records):
    return [record for record in records if isinstance(record, Play) and record.bot == 0]


def test_a_play_without_an_answer_keeps_its_thought_and_its_tokens(tmp_path):
    shape = Shape("openai", thinks=9000)
    with ShapeServer(shape) as server:
        records = recorded(shape, server.url, tmp_path / "session.json")
    for play in plays_of(records):
        assert (play.status, play.decision.raw) == ("error", "")
        assert play.decision.thought.startswith("hm hm")
    tokens = [play.decision.tokens["completion"] for play in plays_of(records)]
    assert tokens == [48 + 4144, 4144]
    (game,) = json.loads((tmp_path / "session.json").read_text("utf-8"))["games"]
    kept = [play for play in game["rounds"][0]["turns"] if play["order"] == 0]
    assert [play["tokens"]["completion"] for play in kept] == tokens
    assert all(play["thought"].startswith("hm") for play in kept)
    assert list(verify(reader.read(tmp_path / "session.json"))) == []


def test_a_play_that_is_too_late_keeps_what_was_thought_until_then(tmp_path):
    shape = Shape("openai", thought=lambda *_: sse(chunk({"reasoning_content": "Hm."}), chunk({}), pause=5.0))
    with ShapeServer(shape) as server:
        (play,) = plays_of(recorded(shape, server.url, tmp_path / "session.json", turns=1, deadline_s="0.3"))
    assert (play.status, play.decision.raw, play.decision.thought) == ("timeout", "", "Hm.")


def sent(case):
    """What a request holds beside what is asked: its messages, its seed and its schema."""
    brain, model, options = case
    with ScriptedServer(PROVIDERS[brain].said("B")) as fake:
        a_brain(Shape(brain, model=model), fake.url, reply="token", **options).decide(a_view())
    return json.dumps(bare(fake.requests[0].json))


ASKED = ("model", "messages", "contents", "system", "systemInstruction", "seed", "responseJsonSchema", "schema")


def bare(value):
    if not isinstance(value, dict):
        return value
    kept = {name: each for name, each in value.items() if name not in ASKED}
    return {name: "..." if name in ("format", "grammar") else bare(each) for name, each in kept.items()}


def test_options_are_mapped_for_each_provider():
    approve(Path(__file__).parent / "approved" / "requests.txt", sent)
