"""The program's name and version in the files it writes."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def program() -> str:
    """Return name and version as recorded in a session."""
    try:
        return f"batllm-arcade {version('batllm-arcade')}"
    except PackageNotFoundError:
        return "batllm-arcade"
