"""A gateway as people put in front of other models: it speaks Gemini's and Mistral's routes to an OpenAI-style server.

Like litellm it has no route of Gemini's for a single model.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.request import Request, urlopen

ROOM = 8
"""Times the tokens that were allowed: so small a model spends most of them on the white space that JSON may have."""


class GeminiGateway:
    """A gateway on loopback to the server at `url`; entering the `with` block returns its address."""

    def __init__(self, url: str) -> None:
        handler = type("Handler", (_Handler,), {"url": url})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> str:
        self._thread.start()
        return f"http://127.0.0.1:{self._server.server_port}"

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)


class _Handler(BaseHTTPRequestHandler):
    url = ""
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path not in ("/v1beta/models", "/v1/models"):
            self._send(404, {"detail": "Not Found"})
            return
        with urlopen(f"{self.url}/v1/models") as answer:
            listing = json.load(answer)
        names = [each["id"] for each in listing["data"]]
        self._send(200, listing if path == "/v1/models" else {"models": [{"name": f"models/{name}"} for name in names]})

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        mistral, streams = self.path == "/v1/chat/completions", "stream" in self.path or asked.get("stream", False)
        body = _of_mistral(asked) if mistral else _as_chat(asked)
        body |= {"stream": True, "stream_options": {"include_usage": True}} if streams else {}
        data = json.dumps(body).encode()
        with urlopen(Request(f"{self.url}/v1/chat/completions", data, {"Content-Type": "application/json"})) as answer:
            if streams:
                self._pass_on(answer, mistral)
            else:
                answered = json.load(answer)
                self._send(200, answered if mistral else _as_candidate(answered))

    def _pass_on(self, answer: Iterable[bytes], mistral: bool) -> None:
        """Send the events as they come, or what Gemini would send instead of them."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for line in answer:
            if mistral or not line.startswith(b"data: {"):
                self.wfile.write(b"" if line.startswith(b"data: [") and not mistral else line)
            else:
                self.wfile.write(b"data: " + json.dumps(_as_part(json.loads(line[6:]))).encode() + b"\n")

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def _send(self, status: int, body: dict[str, Any]) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _as_chat(asked: dict[str, Any]) -> dict[str, Any]:
    config, system = asked["generationConfig"], asked.get("systemInstruction", {"parts": []})
    messages = [{"role": "system", "content": part["text"]} for part in system["parts"]]
    for each in asked["contents"]:
        role = "assistant" if each["role"] == "model" else "user"
        messages.append({"role": role, "content": "".join(part["text"] for part in each["parts"])})
    if "responseJsonSchema" not in config:  # whether the model is there
        return {"messages": messages, "max_tokens": config["maxOutputTokens"]}
    form = {"name": "answer", "schema": _with_lengths(config["responseJsonSchema"])}
    return {
        "messages": messages, "max_tokens": ROOM * config["maxOutputTokens"], "temperature": config["temperature"],
        "seed": config["seed"], "response_format": {"type": "json_schema", "json_schema": form},
    }  # fmt: skip


def _of_mistral(asked: dict[str, Any]) -> dict[str, Any]:
    if "response_format" not in asked:
        return asked
    form = asked["response_format"]["json_schema"]
    schema = {"type": "json_schema", "json_schema": {**form, "schema": _with_lengths(form["schema"])}}
    room = ROOM * asked["max_tokens"]
    return {**asked, "max_tokens": room, "seed": asked["random_seed"], "response_format": schema}


def _with_lengths(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema with a length for every text: they have none, and so small a model may never end one."""
    texts = {
        name: {**part, "maxLength": 40} if part.get("type") == "string" and "enum" not in part else part
        for name, part in schema.get("properties", {}).items()
    }
    return {**schema, "properties": texts} if texts else schema


WHY = {"stop": "STOP", "length": "MAX_TOKENS"}


def _as_candidate(answer: dict[str, Any]) -> dict[str, Any]:
    choice = answer["choices"][0]
    return _candidate(choice["message"]["content"], choice["finish_reason"]) | _counts(answer["usage"])


def _as_part(event: dict[str, Any]) -> dict[str, Any]:
    choices = [_candidate(each["delta"].get("content") or "", each["finish_reason"]) for each in event["choices"]]
    return (choices[0] if choices else {}) | _counts(event.get("usage"))


def _candidate(text: str, why: str | None) -> dict[str, Any]:
    content = {"role": "model", "parts": [{"text": text}]}
    return {"candidates": [{"content": content, "finishReason": WHY.get(why or ""), "index": 0}]}


def _counts(usage: dict[str, Any] | None) -> dict[str, Any]:
    if not usage:
        return {}
    counts = {"promptTokenCount": usage["prompt_tokens"], "candidatesTokenCount": usage["completion_tokens"]}
    return {"usageMetadata": counts}
