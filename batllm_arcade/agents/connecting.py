"""How an agent's program is told where to connect: lines to copy."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple


class Client(NamedTuple):
    """A program that agents live in: what it is called, and how it is told, a command or lines of its file."""

    name: str
    told: str


def clients(address: str) -> list[Client]:
    """Return how the programs that people use are told of a server at this address."""
    return [
        Client("Claude Code", f"claude mcp add --transport http batllm-arcade {address}"),
        Client("Codex", f"codex mcp add batllm-arcade --url {address}"),
        Client("Gemini CLI", f"gemini mcp add --transport http batllm-arcade {address}"),
        Client("VS Code", f"code --add-mcp '{_json({'name': 'batllm-arcade', 'type': 'http', 'url': address})}'"),
        Client("Cursor and others, in mcp.json", _json({"mcpServers": {"batllm-arcade": {"url": address}}})),
    ]


def request(code: str) -> str:
    """Return what a person tells an agent whose seat is kept with this code."""
    return f"Play BatLLM Arcade: call new_match with the code {code}, then play until the game is over."


def _json(values: Mapping[str, object]) -> str:
    return json.dumps(values)


def lines(address: str) -> list[str]:
    """Return these as lines for a terminal."""
    return [f"agents connect to {address}", *(f"  {name}: {told}" for name, told in clients(address))]
