"""Parse YAML texts and check that they hold names with values; shared by configurations and settings files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from batllm_arcade.errors import UsageError, quoted


def parse_yaml(text: str) -> Any:
    """Return the value of a YAML text; raise UsageError if it is malformed or gives a key twice."""
    import yaml  # costs 14 ms, which --help need not pay

    from batllm_arcade.settings.unique_keys import UniqueKeyLoader

    try:
        return yaml.load(text, UniqueKeyLoader)  # a SafeLoader
    except (yaml.YAMLError, RecursionError, ValueError, LookupError, AttributeError) as error:
        # PyYAML raises errors of its own, and lets those of a malformed date or number through.
        mark = getattr(error, "problem_mark", None)
        line = f" in line {mark.line + 1}" if mark else ""
        raise UsageError(f"it is not valid YAML{line}") from None


def mapping(name: str, value: Any) -> Mapping[str, Any]:
    """Return `value` if it is a mapping with names as keys; raise UsageError otherwise."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise UsageError(f"{name} must hold names with values, not {quoted(value)}")
    return value
