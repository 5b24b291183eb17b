"""Session files and journals to plain JSON values; a file that is none is refused with one sentence."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

from batllm_arcade.errors import quoted
from batllm_arcade.history import schema
from batllm_arcade.history.node import HistoryError
from batllm_arcade.history.writer import journal_of

LARGEST = 512 * 1024 * 1024
"""Bytes of the largest session file that is read."""
LARGE = 32 * 1024 * 1024
"""Bytes from which a file must say within its first 4096 that it is a session, before it is parsed."""
MOST_PARTS = 2_000_000
"""Objects and lists of a large session; some 400,000 plays have as many."""
_HEAD = 4096


def load(path: Path) -> Any:
    """The session as plain JSON values, from a session file or from a journal; HistoryError otherwise."""
    journal = journal_of(path)
    if path.name.endswith(".journal") or (not os.path.exists(path) and os.path.exists(journal)):
        return _load_journal(path if path.name.endswith(".journal") else journal)
    values = _json(_text(path), path)
    unfinished = isinstance(values, dict) and values.get("session_end") is None and "schema_version" not in values
    return _load_journal(journal) if unfinished and os.path.exists(journal) else values


def _text(path: Path) -> str:
    try:
        with open(_opened(path), "rb") as file:
            content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise HistoryError(f"{path.name!r} is larger than any session this program writes")
        if len(content) > LARGE:
            _check_large(content, path)
        return content.decode("utf-8")
    except OSError as error:
        raise HistoryError(f"{str(path)!r} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise HistoryError(f"{path.name!r} is no session file: it is not text") from None
    except MemoryError:
        raise HistoryError(f"{path.name!r} is too large for this machine's memory") from None


def _check_large(content: bytes, path: Path) -> None:
    """Refuse what would take gigabytes to parse before it turns out to be no session."""
    if not any(word in content[:_HEAD] for word in (b'"schema', b'{"session"')):
        raise HistoryError(f"{path.name!r} is no session file: it is large and does not begin like one")
    if content.count(b"{") + content.count(b"[") > MOST_PARTS:
        raise HistoryError(f"{path.name!r} is no session file: it holds more objects and lists than any session")


def _opened(path: Path) -> int:
    """A descriptor of a regular file: a pipe would be waited for, a device may never end."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    mode = os.fstat(handle).st_mode
    if stat.S_ISREG(mode):
        return handle
    os.close(handle)
    if stat.S_ISDIR(mode):
        raise HistoryError(f"{str(path)!r} is a folder; name a session file in it")
    raise HistoryError(f"{str(path)!r} is no regular file; write the session to a file first")


def _json(text: str, path: Path) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_object)
    except HistoryError as error:
        raise HistoryError(f"{path.name!r} is no session file: {error}") from None
    except MemoryError:
        raise HistoryError(f"{path.name!r} is too large for this machine's memory") from None
    except (ValueError, RecursionError):
        raise HistoryError(f"{path.name!r} is no session file, or was cut short: it is not valid JSON") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise HistoryError(f"one of its objects holds {quoted(twice)} twice")
    return found


def _load_journal(path: Path) -> dict[str, Any]:
    session: dict[str, Any] = {}
    lines = _text(path).removesuffix("\n").split("\n")
    for number, line in enumerate(lines, 1):
        try:
            schema.add(session, json.loads(line, object_pairs_hook=_object))
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError, HistoryError):
            if number == len(lines) and number > 1:
                break  # the line the program was killed in
            raise HistoryError(f"{path.name!r} is no journal: line {number} continues nothing") from None
    if not session:
        raise HistoryError(f"{path.name!r} is an empty journal")
    return session
