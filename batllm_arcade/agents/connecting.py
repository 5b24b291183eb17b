"""How an agent's program is told where to connect, and an agent what to do: words to copy."""

from __future__ import annotations

import json


def clients(address: str) -> list[tuple[str, str]]:
    """Return programs that agents live in, and the command or the lines of a file that tell each of this address."""
    added = json.dumps({"name": "batllm-arcade", "type": "http", "url": address})
    return [
        ("Claude Code", f"claude mcp add --transport http batllm-arcade {address}"),
        ("Codex", f"codex mcp add batllm-arcade --url {address}"),
        ("Gemini CLI", f"gemini mcp add --transport http batllm-arcade {address}"),
        ("VS Code", f"code --add-mcp '{added}'"),
        ("Cursor and others, in mcp.json", json.dumps({"mcpServers": {"batllm-arcade": {"url": address}}})),
    ]


def request(code: str) -> str:
    """Return what a person tells an agent whose seat is kept with this code."""
    return f"Play BatLLM Arcade: call new_match with the code {code}, then play until the game is over."
