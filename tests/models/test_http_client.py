"""The HTTP client against a server that does everything wrong."""

from __future__ import annotations

import json
import random
import socket
import subprocess
import sys
import threading
import time
import traceback
from base64 import b64encode, urlsafe_b64encode
from email.utils import formatdate
from urllib.parse import quote

import pytest
from fakes import PublishedTexts
from model_server import (
    ScriptedServer,
    answer,
    closed_port,
    drip_announced,
    drip_body,
    drip_headers,
    drip_redirect,
    endless,
    flood,
    gzip_bomb,
    gzipped,
    hang,
    hang_up,
    html,
    not_utf8,
    redirect,
    reset,
    slow,
    streamed,
    truncated,
)
from outages import skipping
from resources import HANGS_S

from batllm_arcade.brains.live import Cancelled, Live
from batllm_arcade.errors import UsageError
from batllm_arcade.models.failures import ONCE as PATIENCE_ONCE
from batllm_arcade.models.failures import STARTING, ServerError
from batllm_arcade.models.http_client import ModelServer
from batllm_arcade.models.provider import probe

GOOD = {"good": True}
CANARY = "canary-7f3a9c51-key"


def a_server(url, **options):
    """A server that is asked again without a wait; what it would have waited is in `pauses`."""
    server = ModelServer("Fake", url, **options)
    server.pauses = []
    return skipping(server, server.pauses)


def failure(call):
    with pytest.raises(ServerError) as caught:
        call()
    return caught.value


def test_importing_it_does_not_import_requests():
    code = "import sys, batllm_arcade.models.http_client; sys.exit('requests' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_fetch_gets_without_a_body_and_posts_with_one_over_one_connection():
    with ScriptedServer(answer(GOOD), answer(GOOD), answer(GOOD)) as fake:
        server = a_server(fake.url + "/prefix/v1/")
        assert server.fetch("/api/tags") == GOOD
        assert server.fetch("/api/chat", {"a": 1}, live=Live(5)) == GOOD
        assert server.fetch("/api/chat", {"a": 2}) == GOOD
        server.close()
    assert [(request.method, request.path) for request in fake.requests] == [
        ("GET", "/prefix/api/tags"), ("POST", "/prefix/api/chat"), ("POST", "/prefix/api/chat"),
    ]  # fmt: skip
    assert fake.requests[1].json == {"a": 1}
    assert len({request.client for request in fake.requests}) == 1


AGAIN = {
    "hang up": (hang_up, "hung up"),
    "reset": (reset, "hung up"),
    "truncated": (lambda: truncated(GOOD), "hung up"),
    "chunked, cut off": (lambda: streamed(b'{"good":', whole=False), "hung up"),
    "50 MB": (flood, "1 MiB"),
    "gzip bomb": (gzip_bomb, "1 MiB"),
    "500": (lambda: answer({"error": "out of memory"}, 500), "500: out of memory"),
    "503 in HTML": (lambda: html(503), "503"),
    "408": (lambda: answer({"error": {"message": "too slow"}}, 408), "408: too slow"),
    "409": (lambda: answer({"error": {"message": "conflict"}}, 409), "409: conflict"),
    "529": (lambda: answer({"error": {"message": "overloaded"}}, 529), "529: overloaded"),
    "429 without Retry-After": (lambda: answer({"error": {"message": "slow down"}}, 429), "429: slow down"),
}
ONCE = {
    "400": (lambda: answer({"error": "bad option"}, 400), "bad option", False),
    "401": (lambda: answer({"error": "who are you"}, 401), "does not let us in (401: who are you)", True),
    "403": (lambda: answer({}, 403), "does not let us in", True),
    "404": (lambda: answer({"message": {"detail": "no such model"}}, 404), "no such model", True),
    "no route": (
        lambda: answer({"detail": "No"}, 404),
        "knows no such model or address /x (404: No); check both",
        True,
    ),
    "422": (lambda: answer({"detail": [{"loc": "seed"}]}, 422), "422", False),
    "501": (lambda: answer({}, 501), "failed (501)", False),
    "redirect": (lambda: redirect("http://127.0.0.1:1/"), "elsewhere", False),
    "HTML": (html, "not JSON", False),
    "not UTF-8": (not_utf8, "not UTF-8", False),
    "a list": (lambda: answer([1]), "not JSON", False),
    "too deep": (lambda: answer(b"[" * 200_000), "not JSON", False),
    "not really packed": (lambda: answer(b"xx", headers=("Content-Encoding: gzip",)), "unpacked", False),
}


@pytest.mark.parametrize("name", AGAIN)
def test_what_may_pass_is_tried_until_the_deadline_and_then_told_in_one_sentence(name):
    step, words = AGAIN[name]
    with ScriptedServer(endless(step())) as fake:
        server = a_server(fake.url)
        error = failure(lambda: server.fetch("/x", {}, live=Live(30)))
    assert words in str(error)
    assert fake.url in str(error)
    assert not error.fatal
    assert 13 < sum(server.pauses) < 30
    assert all(pause <= 12 for pause in server.pauses)
    assert 4 <= len(fake.requests) <= 40
    with ScriptedServer(step(), answer(GOOD)) as fake:  # what has passed is no failure
        assert a_server(fake.url).fetch("/x", {}, live=Live(20)) == GOOD


@pytest.mark.parametrize("name", ONCE)
def test_what_will_not_change_is_tried_once(name):
    step, words, fatal = ONCE[name]
    with ScriptedServer(step()) as fake:
        error = failure(lambda: a_server(fake.url).fetch("/x?at=once", {}, live=Live(20)))
    assert words in str(error)
    assert error.fatal is fatal


@pytest.mark.parametrize("left_s", [0.0, 1.0])
def test_a_last_try_that_has_hardly_any_time_is_not_told_as_too_slow(left_s):
    calls = []

    def late(conversation):
        calls[0].stop("late")
        return hang()(conversation)

    with ScriptedServer(hang_up(), *([late] if left_s else [])) as fake:
        server = a_server(fake.url)

        def pause(deadline, _):
            calls.append(deadline)
            deadline._ends = time.monotonic() + left_s

        server.pause = pause
        assert "hung up" in str(failure(lambda: server.fetch("/x", {}, live=Live(30))))


@pytest.mark.parametrize("status", [200, 302, 500])
def test_a_huge_body_is_not_taken_in(status):
    with ScriptedServer(flood(status=status)) as fake:
        failure(lambda: a_server(fake.url).fetch("/x", {}, patience=PATIENCE_ONCE))
        assert fake.hung_up.wait(HANGS_S)
    assert fake.sent < 30 << 20  # the rest is what the sockets' buffers hold


def test_a_packed_body_is_read_although_plain_text_was_asked_for():
    with ScriptedServer(gzipped(GOOD)) as fake:
        assert a_server(fake.url).fetch("/x") == GOOD
    assert fake.requests[0].headers["accept-encoding"] == "identity"


def test_refused_connections_are_told_with_the_hint():
    server = a_server(f"http://127.0.0.1:{closed_port()}", hint="start it with `fake serve`")
    error = failure(lambda: server.fetch("/x", live=Live(20)))
    assert str(error).endswith("does not take connections; start it with `fake serve`")


@pytest.mark.parametrize("as_a_date", [False, True])
def test_retry_after_is_honoured(as_a_date):
    asked = int(time.time() + 100)
    waiting = formatdate(asked, usegmt=True) if as_a_date else "99"
    with ScriptedServer(answer({}, 429, headers=(f"Retry-After: {waiting}",)), answer(GOOD)) as fake:
        server, before = a_server(fake.url), time.time()
        assert server.fetch("/x", {}, live=Live(300)) == GOOD
    (pause,) = server.pauses
    assert 97 <= pause < asked - before + 0.5


def test_a_retry_after_beyond_the_deadline_gives_up_at_once():
    with ScriptedServer(answer({}, 429, headers=("Retry-After: 37",))) as fake:
        server = a_server(fake.url)
        error = failure(lambda: server.fetch("/x", {}, live=Live(20)))
    assert server.pauses == []
    assert "takes no requests for 37 s" in str(error)


@pytest.mark.parametrize(
    "waiting", ["soon", "-5", "Wed, 99 Nov 2026 00:00:00 GMT", "1e99", "Wed, 21 Oct 2015 07:28:00 GMT"]
)
def test_a_strange_retry_after_does_no_harm(waiting):
    with ScriptedServer(answer({}, 429, headers=(f"Retry-After: {waiting}",)), answer(GOOD)) as fake:
        assert a_server(fake.url).fetch("/x", {}, live=Live(20)) == GOOD


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (answer({}, 503), "Fake is busy or loading; asking again"),
        (answer({}, 429), "Fake takes no requests now; asking again"),
        (answer({}, 500), "Fake failed (500); asking again"),
        (hang_up(), "Fake does not answer; asking again"),
    ],
)
def test_it_is_said_why_a_server_is_asked_again(step, words):
    live = PublishedTexts(30)
    with ScriptedServer(step, answer(GOOD)) as fake:
        a_server(fake.url).fetch("/x", {}, live=live)
    assert live.texts[-1].startswith(words)


def test_a_server_that_is_not_there_before_a_match_is_told_after_seconds_one_that_loads_is_waited_for():
    server = a_server(f"http://127.0.0.1:{closed_port()}")
    failure(lambda: server.fetch("/x", {}, limit_s=300, patience=STARTING))
    assert 0.5 < sum(server.pauses) < 2
    with ScriptedServer(*[answer({"error": {"message": "Loading model"}}, 503)] * 40, answer(GOOD)) as fake:
        server = a_server(fake.url)
        assert server.fetch("/x", {}, limit_s=300, patience=STARTING) == GOOD
    assert sum(server.pauses) > 30


@pytest.mark.parametrize("waiting", ["0", "0.0", "-1"])
def test_a_server_that_asks_for_no_pause_is_not_flooded(waiting):
    with ScriptedServer(endless(answer({}, 503, headers=(f"Retry-After: {waiting}",)))) as fake:
        failure(lambda: a_server(fake.url).fetch("/x", {}, live=Live(30)))
    assert len(fake.requests) <= 40


STUCK = {
    "never answers": hang,
    "headers drip": drip_headers,
    "body drips": drip_body,
    "announced body drips": drip_announced,
    "redirect drips": drip_redirect,
    "late": lambda: slow(HANGS_S, answer(GOOD)),
}


@pytest.mark.parametrize("name", STUCK)
def test_the_deadline_holds_whatever_drips(name):
    with ScriptedServer(STUCK[name]()) as fake:
        began = time.monotonic()
        with pytest.raises(Cancelled):
            a_server(fake.url).fetch("/x", {}, live=Live(0.4))
        assert time.monotonic() - began >= 0.35
        assert fake.hung_up.wait(HANGS_S)


@pytest.mark.parametrize("name", STUCK)
def test_a_cancelled_request_ends_at_once_and_the_server_notices(name):
    with ScriptedServer(STUCK[name]()) as fake:
        live = Live(10 * HANGS_S)
        fake.when_asked(live.cancel)
        with pytest.raises(Cancelled):
            a_server(fake.url).fetch("/x", {}, live=live)
        assert fake.hung_up.wait(HANGS_S)


def test_without_a_deadline_the_limit_is_told():
    with ScriptedServer(hang()) as fake:
        error = failure(lambda: a_server(fake.url).fetch("/x", {}, live=Live(None), limit_s=0.3))
    assert "did not answer within 0.3 s" in str(error)


def test_no_time_left_asks_nobody():
    with ScriptedServer() as fake, pytest.raises(Cancelled):
        a_server(fake.url).fetch("/x", {}, live=Live(0))


def test_waiting_for_a_retry_is_cancelled_too():
    with ScriptedServer(answer({}, 503, headers=("Retry-After: 300",))) as fake:
        live = Live(600)  # pytest ends a test that waits as long
        fake.when_asked(live.cancel)
        with pytest.raises(Cancelled):
            ModelServer("Fake", fake.url).fetch("/x", {}, live=live)


def test_close_ends_what_is_under_way():
    with ScriptedServer(hang()) as fake:
        server = a_server(fake.url)
        fake.when_asked(server.close)
        with pytest.raises(Cancelled):
            server.fetch("/x", {}, live=Live(60))
        assert fake.hung_up.wait(HANGS_S)


def test_a_late_cancel_leaves_the_next_request_alone():
    with ScriptedServer(answer(GOOD), slow(0.3, answer(GOOD))) as fake:
        server, first = a_server(fake.url), Live(60)
        assert server.fetch("/x", {}, live=first) == GOOD
        threading.Timer(0.1, first.cancel).start()
        assert server.fetch("/x", {}, live=Live(60), patience=PATIENCE_ONCE) == GOOD
    assert fake.requests[0].client == fake.requests[1].client


def test_a_kept_connection_that_was_closed_meanwhile_costs_no_try():
    with ScriptedServer(answer(GOOD), hang_up(), answer(GOOD)) as fake:
        server = a_server(fake.url)
        server.fetch("/x", {})
        assert server.fetch("/x", {}, patience=PATIENCE_ONCE) == GOOD
    with ScriptedServer(answer(GOOD), hang_up(), hang_up()) as fake:  # but not for ever
        server = a_server(fake.url)
        server.fetch("/x", {})
        assert "hung up" in str(failure(lambda: server.fetch("/x", {}, patience=PATIENCE_ONCE)))


def test_lines_are_read_as_they_arrive():
    seen: list[int] = []
    taken = threading.Semaphore(0)
    with ScriptedServer(streamed(b'{"a": 1}\n{"a"', b": 2}\n", b'\n{"a": 3}\n', taken=taken)) as fake:
        server = a_server(fake.url)

        def read(lines):
            for part in server.json_lines(lines):
                seen.append(part["a"])
                taken.release()
            return True

        assert server.stream("/x", {}, read, live=Live(2 * HANGS_S), patience=PATIENCE_ONCE)
    assert seen == [1, 2, 3]


def test_only_a_line_feed_ends_a_line_and_a_letter_may_be_split():
    text = "a\u2028b\x85c é".encode()
    with ScriptedServer(streamed(text[:-1], text[-1:] + b"\nx")) as fake:
        assert a_server(fake.url).stream("/x", {}, list) == ["a\u2028b\x85c é", "x"]


def test_an_answer_its_reader_finds_broken_off_is_asked_for_again_from_the_start():
    with ScriptedServer(streamed(b"one\n"), streamed(b"one\n", b"two\n")) as fake:
        read = a_server(fake.url).stream("/x", {}, lambda lines: got if len(got := list(lines)) == 2 else None)
    assert read == ["one", "two"]


def test_a_reader_that_stops_early_keeps_the_connection_if_the_end_is_there():
    with ScriptedServer(streamed(b"one\n"), answer(GOOD)) as fake:
        server = a_server(fake.url)
        assert server.stream("/x", {}, lambda lines: next(lines)) == "one"
        assert server.fetch("/x") == GOOD
    assert fake.requests[0].client == fake.requests[1].client


def test_a_probe_is_back_in_two_seconds():
    with ScriptedServer(hang()) as fake:
        error = failure(lambda: probe(a_server(fake.url), "/x", 0.3))
        assert fake.hung_up.wait(HANGS_S), "it was the server that hung up"
    assert "did not answer within 0.3 s" in str(error)


def test_a_probe_is_back_even_if_looking_up_the_name_hangs(monkeypatch):
    released, over = threading.Event(), threading.Event()

    def hangs(*args, **options):
        if not released.wait(HANGS_S):
            over.set()
        return []

    monkeypatch.setattr(socket, "getaddrinfo", hangs)
    failure(lambda: probe(a_server("http://fake.invalid"), "/x", 0.2))
    assert not over.is_set(), "the probe has waited for the name"
    released.set()


def test_a_name_nobody_knows_is_told(monkeypatch):
    def unknown(*args, **options):
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    assert "not known here" in str(failure(lambda: a_server("http://fake.invalid").fetch("/x", live=Live(20))))


def test_waiting_draws_nothing_from_the_shared_stream():
    random.seed(7)
    before = random.getstate()
    with ScriptedServer(hang_up(), answer(GOOD)) as fake:
        ModelServer("Fake", fake.url).fetch("/x", {})
    assert random.getstate() == before


def test_a_provider_explains_its_own_errors():
    def explain(status, body):
        return server.failure(f"model {body['error']} is gone", fatal=True) if status == 400 else None

    with ScriptedServer(answer({"error": "x\x1b[31m\u202e"}, 400), answer({}, 403)) as fake:
        server = a_server(fake.url, explain=explain)
        error = failure(lambda: server.fetch("/x", {}))
        assert str(error) == "model x [31m is gone"
        assert error.fatal
        assert "does not let us in" in str(failure(lambda: server.fetch("/x", {})))
    with ScriptedServer(answer({"delay": 37}, 429), answer({"error": {"details": 5}}, 400)) as fake:
        server = a_server(fake.url, explain=lambda _, body: server.failure("later", again=True, wait_s=body["delay"]))
        assert failure(lambda: server.fetch("/x", {}, live=Live(5))).wait_s == 37
        assert "(400" in str(failure(lambda: server.fetch("/x"))), "one that it cannot explain is told as usual"


# Keys


@pytest.fixture
def key(monkeypatch):
    monkeypatch.setenv("FAKE_API_KEY", CANARY)
    return {"key_variable": "FAKE_API_KEY"}


def test_the_key_goes_into_its_header(key):
    with ScriptedServer(answer(GOOD), answer(GOOD)) as fake:
        a_server(fake.url, **key).fetch("/x")
        a_server(fake.url, key_header="x-goog-api-key", **key).fetch("/x")
    assert fake.requests[0].headers["authorization"] == f"Bearer {CANARY}"
    assert fake.requests[1].headers["x-goog-api-key"] == CANARY
    with ScriptedServer(answer({"text": f"the key is {CANARY}"})) as fake:  # a server that says it is not believed
        assert a_server(fake.url, **key).fetch("/x") == {"text": "the key is ***"}


def test_a_key_may_be_optional_on_loopback_only(monkeypatch):
    monkeypatch.delenv("FAKE_API_KEY", raising=False)
    with ScriptedServer(answer(GOOD)) as fake:
        assert a_server(fake.url, key_variable="FAKE_API_KEY", key_optional=True).fetch("/x") == GOOD
    for url, options in (("https://fake.invalid", {"key_optional": True}), ("http://127.0.0.1:1", {})):
        error = failure(lambda: a_server(url, key_variable="FAKE_API_KEY", **options).fetch("/x"))  # noqa: B023
        assert "set the environment variable FAKE_API_KEY" in str(error)
        assert error.fatal


@pytest.mark.parametrize(
    "options", [{"base_url": "http://192.0.2.1"}, {"base_url": "http://127.0.0.1:1", "proxy": "http://192.0.2.1:1"}]
)
def test_a_key_never_travels_unencrypted(key, options):
    server = a_server(options.pop("base_url"), **options, **key)
    error = failure(lambda: server.fetch("/x"))
    assert "unencrypted" in str(error)
    assert error.fatal


@pytest.mark.parametrize("bad", [f"{CANARY}\nX-Evil: 1", f"{CANARY} x", f"{CANARY}é"])
def test_a_key_that_is_none_is_not_sent_and_not_shown(monkeypatch, bad):
    monkeypatch.setenv("FAKE_API_KEY", bad)
    with ScriptedServer() as fake:
        error = failure(lambda: a_server(fake.url, key_variable="FAKE_API_KEY").fetch("/x"))
    assert "FAKE_API_KEY" in str(error)
    assert CANARY not in "".join(traceback.format_exception(error))


def test_a_redirect_never_takes_the_key_along(key):
    with ScriptedServer() as elsewhere, ScriptedServer(redirect(elsewhere.url + "/x")) as fake:
        failure(lambda: a_server(fake.url, key_header="x-goog-api-key", **key).fetch("/x", {}))
    assert elsewhere.requests == []


def test_netrc_and_proxies_of_the_environment_are_left_alone(key, monkeypatch, tmp_path):
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login me password other\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{closed_port()}")
    with ScriptedServer(answer(GOOD, headers=("Set-Cookie: a=b",)), answer(GOOD)) as fake:
        server = a_server(fake.url, **key)
        assert server.fetch("/x") == server.fetch("/x") == GOOD
    assert fake.requests[0].headers["authorization"] == f"Bearer {CANARY}"
    assert "cookie" not in fake.requests[1].headers


def test_a_proxy_that_was_asked_for_is_used():
    with ScriptedServer(answer(GOOD), hang()) as proxy:
        server = a_server("http://fake.invalid", proxy=proxy.url)
        assert server.fetch("/x") == GOOD
        with pytest.raises(Cancelled):
            server.fetch("/y", live=Live(0.3))
    assert proxy.requests[0].path == "http://fake.invalid/x"


def test_a_proxy_that_is_not_there_is_told():
    server = a_server("https://fake.invalid", proxy=f"http://127.0.0.1:{closed_port()}")
    assert "check the option proxy" in str(failure(lambda: server.fetch("/x", live=Live(20))))


@pytest.mark.parametrize("name", [*AGAIN, *ONCE, "refused", "echo", "hang"])
def test_the_key_is_in_no_error_and_no_traceback(key, name):
    steps = {**AGAIN, **ONCE, "hang": (hang,)}
    echo = answer({"error": f"Incorrect API key provided: {CANARY}. Bearer {CANARY}"}, 401)
    script = [] if name == "refused" else [echo if name == "echo" else steps[name][0]()]
    with ScriptedServer(*script) as fake:
        url = f"http://127.0.0.1:{closed_port()}" if name == "refused" else fake.url
        server = a_server(url, **key)
        with pytest.raises((ServerError, Cancelled)) as caught:
            server.fetch("/x", {}, patience=PATIENCE_ONCE, live=Live(0.3 if name == "hang" else 20))
    assert [request.headers["authorization"] for request in fake.requests] == [f"Bearer {CANARY}"] * len(script)
    told = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
    ours = [line for line in told.format() if "test_http_client" not in line]
    assert CANARY not in "".join(ours)
    assert caught.value.__context__ is None
    assert caught.value.__cause__ is None
    assert CANARY not in repr(server)


@pytest.mark.parametrize("status", [401, 400, 500])
@pytest.mark.parametrize(
    "written",
    [
        lambda key: key.replace("/", "\\/"),
        lambda key: "".join(f"\\u{ord(char):04x}" for char in key),
        lambda key: b64encode(key.encode()).decode(),
        lambda key: b64encode(f"Bearer {key}".encode()).decode(),
        lambda key: urlsafe_b64encode(f"k={key}".encode()).decode(),
        lambda key: quote(key, safe=""),
        lambda key: key.encode().hex(),
    ],
    ids=["slashes", "all escaped", "base64", "base64 of the header", "base64 for addresses", "in an address", "hex"],
)
def test_a_key_is_known_in_the_forms_in_which_servers_repeat_it(monkeypatch, written, status):
    key = "sk-ab/cd+ef~12345678?=="
    monkeypatch.setenv("FAKE_API_KEY", key)
    body = f'{{"error": {{"message": "Not {written(key)} again"}}}}'.encode()
    with ScriptedServer(answer(body, status)) as fake:
        server = a_server(fake.url, key_variable="FAKE_API_KEY", key_optional=True)
        error = failure(lambda: server.fetch("/x", {}, patience=PATIENCE_ONCE))
    assert key not in f"{error} {json.loads(error.answer)}"
    assert written(key)[8:20] not in f"{error} {error.answer}"
    assert "***" in str(error)


# Addresses


@pytest.mark.parametrize("option", ["base_url", "proxy"])
def test_a_password_in_an_address_is_refused_and_not_shown(option):
    options = {"base_url": "http://x", option: f"http://me:{CANARY}@x"}
    with pytest.raises(UsageError, match=option) as caught:
        ModelServer("Fake", **options)
    assert CANARY not in str(caught.value)


@pytest.mark.parametrize("key", ["x", "1", "null"])
def test_a_placeholder_for_a_key_does_not_eat_into_answers(key, monkeypatch):
    monkeypatch.setenv("SOME_KEY", key)
    server = ModelServer("Fake", "http://127.0.0.1:1", key_variable="SOME_KEY")
    assert server.redact("mixtral S1 null") == "mixtral S1 null"
