"""The program's name and version in the files it writes."""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, version

NAME = "batllm-arcade"


@cache  # the installation's metadata are read and parsed for it, and a league asks for every game
def program() -> str:
    """Return name and version as recorded in a session."""
    try:
        return f"{NAME} {version(NAME)}"
    except PackageNotFoundError:
        return NAME
