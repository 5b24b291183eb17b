"""A network without sockets: model servers as tables by host, asked by the program's own client.

    network = FakeNetwork(monkeypatch)
    network.servers["api.mistral.ai"] = ModelHost("mistral", models=("m1",), key="secret")

Whoever is not in `servers` takes no connections. Every request that was sent is in `network.requests`.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests
import urllib3
from urllib3.exceptions import MaxRetryError, NewConnectionError

from batllm_arcade.models import connections


@dataclass(frozen=True)
class ModelHost:
    """A server that speaks as `style` does (ollama, openai, gemini, mistral, anthropic); with a `key` it wants that."""

    style: str
    models: tuple[str, ...] = ("m1", "m2")
    key: str = ""
    down: bool = False

    def answer(self, method: str, path: str, headers: Mapping[str, str], body: Any) -> tuple[int, Any]:
        """Return the status and the body of an answer."""
        if self.key and self.key not in "".join(headers.values()):
            return 401, _ERRORS.get(
                self.style, {"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}}
            )
        if method == "GET":
            return self._listed(path)
        wanted = path.rpartition("models/")[2].partition(":")[0] if self.style == "gemini" else body.get("model")
        if wanted not in self.models:
            return 404, {"error": {"message": f"model {wanted!r} not found", "type": "not_found_error"}}
        return 200, {"choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}], "done": True, "content": []}

    def _listed(self, path: str) -> tuple[int, Any]:
        if self.style == "ollama":
            return 200, {"models": [{"name": name, "details": {"family": "llama"}} for name in self.models]}
        if self.style == "gemini" and not path.endswith("/models"):
            name = path.rpartition("/")[2]
            if name not in self.models:
                message = f"models/{name} is not found for API version v1beta"
                return 404, {"error": {"code": 404, "message": message, "status": "NOT_FOUND"}}
            return 200, {"name": f"models/{name}", "supportedGenerationMethods": ["generateContent"]}
        if self.style == "gemini":
            how = {"supportedGenerationMethods": ["generateContent"]}
            return 200, {"models": [{"name": f"models/{name}", **how} for name in self.models]}
        if self.style == "anthropic" and not path.endswith("/models"):
            name = path.rpartition("/")[2]
            if name not in self.models:
                return 404, {"type": "error", "error": {"type": "not_found_error", "message": f"model: {name}"}}
            return 200, {"id": name, "type": "model"}
        listed = [{"id": name, "type": "model", "capabilities": {"completion_chat": True}} for name in self.models]
        return 200, {"object": "list", "data": listed, "has_more": False}


_ERRORS: dict[str, Any] = {
    "gemini": {
        "error": {
            "code": 401,
            "message": "API key not valid. Please pass a valid API key.",
            "status": "UNAUTHENTICATED",
        }
    },
    "mistral": {"detail": "Unauthorized"},
    "anthropic": {"type": "error", "error": {"type": "authentication_error", "message": "invalid x-api-key"}},
}


class FakeNetwork:
    """Stands in place of every connection to a model server."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.servers: dict[str, ModelHost] = {}
        self.requests: list[tuple[str, Mapping[str, str]]] = []
        """The host that was asked, and with which headers."""
        monkeypatch.setattr(connections, "new_session", lambda proxy="", ca="": _Session(self))


class _Session:
    def __init__(self, network: FakeNetwork) -> None:
        self._network = network

    def request(
        self, method: str, url: str, *, data: bytes | None, headers: dict[str, str], **_: Any
    ) -> requests.Response:
        parts = urlsplit(url)
        self._network.requests.append((parts.netloc, dict(headers)))
        host = self._network.servers.get(parts.netloc)
        if host is None or host.down:
            why = NewConnectionError(urllib3.connection.HTTPConnection("nowhere"), "refused")
            raise requests.ConnectionError(MaxRetryError(None, url, why))
        status, body = host.answer(method, parts.path, headers, json.loads(data) if data else {})
        return _response(status, json.dumps(body).encode())

    def close(self) -> None:
        """Nothing."""


def _response(status: int, body: bytes) -> requests.Response:
    response = requests.Response()
    response.status_code = status
    response.raw = urllib3.HTTPResponse(io.BytesIO(body), status=status, preload_content=False)
    response.headers["Content-Type"] = "application/json"
    return response
