"""Answers are found where servers put them: in wrappings, behind streams without an end, in place of a thought."""

from __future__ import annotations

import json
import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from answer_shapes import TEXTS
from asking import a_view
from certificates import certificates
from model_server import ScriptedServer, answer
from outages import quick_brain as a_brain
from providers import DONE, PROVIDERS, chunk, completion, sse

from batllm_arcade import BrainError, UsageError

JSON = '{"cmd": "B"}'


def decided(name, *script, **options):
    with ScriptedServer(*script) as fake:
        return a_brain(name, fake.url, **{"reply": "token", **options}).decide(a_view())


@pytest.mark.parametrize(
    "raw",
    ["<answer>B</answer>", "<response>\nB\n</response>", "<|begin_of_box|>B<|end_of_box|>", "B<|im_end|>", "B</s>",
     "B<end_of_turn>\n", "<think>Hm.</think><answer>B</answer>", f"<answer>{JSON}</answer><|im_end|>",
     JSON + "<|endoftext|>", '<tool_call>\n{"name": "answer", "arguments": {"cmd": "B"}}\n</tool_call>',
     '<tool_call>{"name": "answer", "arguments": "{\\"cmd\\": \\"B\\"}"}<|im_end|>'],
)  # fmt: skip
@pytest.mark.parametrize("brain", ["openai", "ollama", "gemini"])
def test_marks_around_an_answer_are_no_part_of_it(brain, raw):
    decision = decided(brain, PROVIDERS[brain].said(raw))
    assert (decision.command, decision.raw) == ("B", raw)


@pytest.mark.parametrize(("raw", "fires"), [
    *((each, True) for each in (
        '{"cmd": "B",}', "{'cmd': 'B'}", '{"cmd": "B"} // fire', '{/* now */ "cmd": "B"}', '{"action": "fire",\n}',
        "{'action': 'fire', // it is lined up\n}",
    )),
    *((each, False) for each in ("I fire: <answer>B</answer>", "<answer>B", "B <b>")),
])  # fmt: skip
def test_an_object_that_is_nearly_json_is_a_command_and_words_beside_one_are_none(raw, fires):
    said = [PROVIDERS["openai"].said(raw)] * (1 if fires else 2)
    assert (decided("openai", *said).command == "B") is fires


@pytest.mark.parametrize("change", [lambda text: text[:-1] + ",}", lambda text: text + " // so"])
def test_buttons_have_to_be_json(change):
    wrong = PROVIDERS["openai"].said(change(TEXTS["json"]))
    assert decided("openai", wrong, wrong, reply="json").invalid


def test_the_whole_message_after_its_deltas_is_not_added_once_more():
    whole = {"choices": [{"index": 0, "message": {"role": "assistant", "content": JSON}, "finish_reason": "stop"}]}
    last = b"data: " + json.dumps(whole).encode() + b"\n\n"
    assert decided("openai", sse(chunk({"content": JSON[:5]}), chunk({"content": JSON[5:]}), last, DONE)).command == "B"


def test_a_stream_that_ends_without_a_word_is_whole_where_its_object_is():
    assert decided("openai", sse(chunk({"content": JSON}))).command == "B"
    half = sse(chunk({"content": "C1"}))  # of C170, perhaps
    assert decided("openai", half, PROVIDERS["openai"].said("C170")).command == "C170"


@pytest.mark.parametrize("where", ["reasoning_content", "reasoning"])
def test_a_thought_that_is_an_answer_is_the_answer_where_there_is_no_other(where):
    def thought(text):
        body = completion("")
        body["choices"][0]["message"] |= {where: text}
        return answer(body)

    decision = decided("openai", thought(JSON))
    assert (decision.command, decision.raw, decision.thought) == ("B", JSON, "")
    assert decided("openai", thought(TEXTS["json"]), reply="json").command == "B"
    for words in ("I fire now: B", "B", JSON + " it is"):
        with pytest.raises(BrainError, match="it only thought"):
            decided("openai", thought(words))


def test_a_body_too_large_is_a_context_too_small():
    page = answer("<html>Request Entity Too Large</html>", 413)
    with ScriptedServer(page) as fake, pytest.raises(BrainError) as caught:
        a_brain("openai", fake.url, reply="token").decide(a_view())
    assert caught.value.kind == "context"


@pytest.fixture
def https(tmp_path):
    """A server over TLS with a certificate that only its own authority signed: its address, and that authority."""
    ca, certificate, key = certificates(tmp_path)

    class Answering(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            body = json.dumps(completion("B")).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"https://127.0.0.1:{server.server_port}", ca
    server.shutdown()
    server.server_close()


def test_a_server_whose_authority_is_named_plays(https, monkeypatch, tmp_path):
    url, ca = https
    monkeypatch.delenv("REQUESTS_CA_BUNDLE", raising=False)
    with pytest.raises(BrainError, match="name its authority: ca=FILE"):
        a_brain("openai", url, reply="token").decide(a_view())
    assert a_brain("openai", url, reply="token", ca=str(ca)).decide(a_view()).command == "B"
    with pytest.raises(UsageError, match="ca of openai must be a file"):
        a_brain("openai", url, reply="token", ca=str(tmp_path / "none.pem"))
    for variable in ("REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"):
        monkeypatch.setenv(variable, str(ca))
        assert a_brain("openai", url, reply="token").decide(a_view()).command == "B"
        monkeypatch.delenv(variable)
