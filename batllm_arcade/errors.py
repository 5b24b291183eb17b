"""Expected failures: each becomes one plain sentence and an exit code; bugs keep their traceback."""

from __future__ import annotations


class ArcadeError(Exception):
    """The base of every expected failure; `str()` is one sentence that says what to do."""


class UsageError(ArcadeError):
    """Bad arguments, configuration or files (exit code 2)."""
