"""The table of faults, against every provider: the right status and sentence, in time, and no key anywhere."""

from __future__ import annotations

import logging
import traceback
from pathlib import Path

import pytest
from approved import approve
from asking import a_view
from fakes import Function
from model_server import (
    ScriptedServer,
    answer,
    closed_port,
    drip_announced,
    drip_body,
    drip_headers,
    endless,
    flood,
    hang,
    html,
    not_utf8,
    reset,
    slow,
)
from outages import quick_brain, skipping
from providers import CANARY, PROVIDERS, reply, spoken
from resources import HANGS_S

from batllm_arcade.brains.protocol import BrainError, BrainKind, Decision, Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.history.writer import SessionWriter
from batllm_arcade.match import runner
from batllm_arcade.match.records import Play
from batllm_arcade.match.runner import MatchPlan
from batllm_arcade.seats.table import Table

FENCED = f"```json\n{reply()}\n```"
GOOD = reply()


class Watched:
    """A brain whose exceptions are kept as a user would see them with a traceback."""

    def __init__(self, brain):
        self.brain, self.traces = brain, []
        skipping(brain.server)

    def decide(self, view):
        try:
            return self.brain.decide(view)
        except BaseException as error:
            self.traces.append("".join(traceback.format_exception(error)))
            raise


def played(provider, url, tmp_path, deadline_s=20.0, **options):
    """The provider's one play of a match, and everything that was left behind as text."""
    made = []

    def make(spec):
        made.append(Watched(provider.make(spec)))
        return made[0]

    nobody = Function(lambda view: Decision("", None))
    kinds = {"model": BrainKind("model", "", make), "nobody": BrainKind("nobody", "", lambda spec: nobody)}
    named = {"key_env": provider.key} if provider.key else {}  # which a server on this computer gets only so
    given = {"base_url": url, "model": provider.model, "deadline_s": str(deadline_s), **named, **options}
    spec = Spec("model", "", given)
    table = Table(kinds, (spec, Spec("nobody")), fallback=Spec("nobody"))
    writer = SessionWriter(tmp_path / "session.json")
    records = []
    for record in runner.play(MatchPlan(Rules(total_rounds=1, turns_per_round=1), 1, prompts=("Go!", "")), table):
        writer.notify(record)
        records.append(record)
    made[0].brain.close()
    table.close()
    left = [repr(records), repr(table.seat(0)), *made[0].traces, *vars_of(made[0].brain)]
    left += [path.read_text("utf-8") for path in tmp_path.iterdir()]
    return next(record for record in records if isinstance(record, Play) and record.bot == 0), "\n".join(left)


def vars_of(brain):
    return [repr(vars(brain)), repr(vars(brain.server)), repr(brain.server)]


ERRORS = {
    "reset": (lambda p: [endless(reset())], "hung up"),
    "truncated": (lambda p: [endless(p.cut_off(GOOD[:-5]))], "hung up"),
    "429 with a long Retry-After": (
        lambda p: [answer(p.error("slow down"), 429, headers=("Retry-After: 60",))], "takes no requests",
    ),
    "503 in HTML": (lambda p: [endless(html(503))], "failed (503)"),
    "401 that quotes the key": (lambda p: [answer(p.error(f"bad key {p.key and CANARY}"), 401)], "does not let us in"),
    "unknown model": (lambda p: [p.unknown_model()], "has no model"),
    "HTML": (lambda p: [html()], "not JSON"),
    "not UTF-8": (lambda p: [not_utf8()], "not UTF-8"),
    "50 MB": (lambda p: [endless(flood())], "1 MiB"),
    "a list": (lambda p: [answer(["B"])], "not JSON"),
    "a text that is a number": (lambda p: [p.no_shape()], "does not answer as"),
    "white space": (lambda p: [endless(p.said(" \n "))], "its answer was empty"),
}  # fmt: skip
LATE = {
    "slow first byte": hang,
    "slow headers": drip_headers,
    "drip feed": drip_body,
    "announced drip feed": drip_announced,
}
PASSED = {
    "500 then fine": lambda p: [answer(p.error("busy"), 500), p.said(GOOD)],
    "reset then fine": lambda p: [reset(), p.said(GOOD)],
    "empty then fine": lambda p: [p.said(""), p.said(GOOD)],
    "truncated then fine": lambda p: [p.cut_off(GOOD[:40]), p.said(GOOD)],
    "429 with Retry-After then fine": lambda p: [answer(p.error("x"), 429, headers=("Retry-After: 0",)), p.said(GOOD)],
    "slow but in time": lambda p: [slow(0.2, p.said(GOOD))],
    "refused text, then fine": lambda p: [p.said(FENCED), p.said(GOOD)],
}
INVALID = {
    "JSON in fences": (FENCED, "ONLY the JSON object"),
    "prose around it": (f"Sure! {GOOD} Good luck.", "ONLY the JSON object"),
    "wrong types": (reply(reasoning=7), "reasoning must be a text"),
    "half an object": (GOOD[:60], "not valid JSON"),
}
TOKENS = {
    "prose and a fence": 'I would fire:\n```json\n{"cmd": "B"}\n```',
    "prose around it": "I would fire: B",
    "wrong types": '{"cmd": 7}',
    "buttons": GOOD,
}
FIRST = {name: 2 if name == "ollama" else 1 for name in PROVIDERS}
"""Answers without the form before the one that is asked for with the reason: Ollama's is told not to think, too."""


@pytest.fixture(params=PROVIDERS)
def provider(request, monkeypatch):
    for each in PROVIDERS.values():
        if each.key:
            monkeypatch.setenv(each.key, CANARY)
    return PROVIDERS[request.param]


@pytest.fixture
def nowhere(tmp_path, capfd, caplog):
    """Checks that the key is in nothing a match leaves behind."""
    caplog.set_level(logging.DEBUG)

    def check(left):
        out, err = capfd.readouterr()
        assert CANARY not in left
        assert CANARY not in out + err
        assert not [record for record in caplog.records if CANARY in record.getMessage()]

    return check


def assert_nothing(play, status):
    assert (play.status, play.command.token) == (status, "ERR")
    assert play.before == play.after
    if status != "invalid":
        assert play.decision.raw == ""


def read_by_a_player(case):
    """What comes of a play whose server answers with this status and body, whenever it is asked."""
    name, status, body = case
    with ScriptedServer(endless(answer(body, status))) as fake, pytest.raises(BrainError) as caught:
        quick_brain(name, fake.url).decide(a_view())
    asked = len(fake.requests)
    return f"{caught.value}{' [asked again]' if asked > 2 else ' [asked twice]' if asked == 2 else ''}".replace(
        fake.url, "URL"
    )


def test_every_answer_of_a_server_that_is_no_play_has_its_sentence():
    approve(Path(__file__).parent / "approved" / "failures.txt", read_by_a_player)


@pytest.mark.parametrize("name", ERRORS)
def test_a_failure_is_an_error_with_its_sentence(provider, name, tmp_path, nowhere):
    script, words = ERRORS[name]
    with ScriptedServer(*script(provider)) as fake:
        play, left = played(provider, fake.url, tmp_path, reply="json")
    assert_nothing(play, "error")
    assert words in play.reason
    if name.startswith("40") and provider.key:
        assert provider.key in play.reason
    if name == "unknown model":
        assert provider.model in play.reason
    nowhere(left)


def test_nobody_there_is_an_error_with_what_to_do(provider, tmp_path, nowhere):
    play, left = played(provider, f"http://127.0.0.1:{closed_port()}", tmp_path)
    assert_nothing(play, "error")
    assert f"does not take connections; {provider.make.hint}" in play.reason
    nowhere(left)


@pytest.mark.parametrize(
    ("provider", "name"),
    [(name, late) for at, name in enumerate(PROVIDERS) for late in (*LATE, *LATE)[at % 4 : at % 4 + (2 if at else 4)]],
    indirect=["provider"],
)  # all ways for one, two of them for each other: a deadline is waited for
def test_what_takes_too_long_is_a_timeout(provider, name, tmp_path, nowhere):
    with ScriptedServer(LATE[name]()) as fake:
        play, left = played(provider, fake.url, tmp_path, deadline_s=1.2)  # a busy machine asks within that, too
        assert fake.hung_up.wait(HANGS_S)
    assert_nothing(play, "timeout")
    assert play.reason == "no answer within 1.2 s"
    nowhere(left)


@pytest.mark.parametrize("name", PASSED)
def test_what_has_passed_is_an_answer_like_any_other(provider, name, tmp_path, nowhere):
    with ScriptedServer(*PASSED[name](provider)) as fake:
        play, left = played(provider, fake.url, tmp_path, reply="json")
    assert (play.status, play.command.token, play.decision.raw) == ("ok", "B", GOOD)
    assert play.decision.tokens["prompt"] % 487 == 0
    nowhere(left)


@pytest.mark.parametrize("name", INVALID)
def test_a_text_that_is_no_response_is_asked_for_again_and_then_invalid(provider, name, tmp_path, nowhere):
    text, words = INVALID[name]
    with ScriptedServer(*[provider.said("Hm.")] * FIRST[provider.name], provider.said(text)) as fake:
        play, left = played(provider, fake.url, tmp_path, reply="json")
    assert_nothing(play, "invalid")
    assert words in play.reason
    assert play.decision.raw == text
    nowhere(left)


@pytest.mark.parametrize("name", TOKENS)
def test_a_text_that_is_no_token_is_asked_for_again_and_then_invalid(provider, name, tmp_path, nowhere):
    with ScriptedServer(*[provider.said("Hm.")] * FIRST[provider.name], provider.said(TOKENS[name])) as fake:
        play, left = played(provider, fake.url, tmp_path, reply="token")
    assert_nothing(play, "invalid")
    assert play.decision.raw == TOKENS[name]
    nowhere(left)


def test_an_answer_that_quotes_the_key_is_kept_without_it(provider, tmp_path, nowhere):
    if not provider.key:
        pytest.skip("it has no key")
    texts = [reply(reasoning=f"The key is {CANARY}", button_presses=["up"]), f"{CANARY} is the key"]
    with ScriptedServer(provider.said(texts[1]), provider.said(texts[0])) as fake:
        play, left = played(provider, fake.url, tmp_path, reply="json")
    assert play.decision.raw == texts[0].replace(CANARY, "***")
    assert CANARY.encode() not in fake.requests[1].body
    nowhere(left)


def test_a_key_that_comes_back_in_pieces_is_no_secret_lost(monkeypatch, tmp_path, nowhere):
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    with ScriptedServer(*[spoken("B ", CANARY[:9], CANARY[9:])] * 2) as fake:
        play, left = played(PROVIDERS["openai"], fake.url, tmp_path)
    assert play.decision.raw == "B ***"
    nowhere(left)
