"""The JSON Schema of a league's `table.json`, made from the table's own types."""

from __future__ import annotations

import json
from typing import Any

from pydantic import TypeAdapter

from batllm_arcade.league.statistics.table import OLDER, SCHEMA, LeagueTable

HEAD = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "A league's table.json, which league --json prints",
}
PROMISED = ["schema", "players", "sprt", "complete", "pairs", "pairs_planned"]
"""What every table has, of whatever version."""
VERDICT = "How the best player compares with the next one, and what the league took, in one sentence."
LARGEST = 1e12
"""A limit from which on it is none that readers need."""


def table() -> str:
    """Return the schema as it is published."""
    made = _plain(TypeAdapter(LeagueTable).json_schema())
    parts = made["$defs"]
    for name, older in (("TableRow", OLDER["players"]), ("PlayTimes", OLDER["players"]["latency_s"]),
                        ("Pairing", OLDER["matrix"])):  # fmt: skip
        parts[name]["required"] = [key for key in parts[name]["required"] if isinstance(older.get(key, {}), dict)]
    parts["TableRow"]["properties"]["faults"]["required"] = list(OLDER["players"]["faults"])
    made["properties"] = {
        "schema": {"const": SCHEMA}, **made["properties"], "verdict": {"type": "string", "description": VERDICT},
    }  # fmt: skip
    made["description"] += " Keys that are not here are to be ignored."
    return json.dumps({**HEAD, **made, "required": PROMISED}, indent=2, ensure_ascii=False) + "\n"


def _plain(schema: Any) -> Any:
    """Return a schema without titles and limits that say nothing, its descriptions in one line."""
    if isinstance(schema, list):
        return [_plain(part) for part in schema]
    if not isinstance(schema, dict):
        return " ".join(schema.split()) if isinstance(schema, str) else schema
    limits = ("minimum", "maximum")
    return {
        key: _plain(value)
        for key, value in schema.items()
        if not (key == "title" and isinstance(value, str)) and not (key in limits and abs(value) >= LARGEST)
    }
