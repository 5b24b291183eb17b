"""A session's nodes from its file or page."""

from __future__ import annotations

import json
import os
import re
import stat
from math import isfinite
from pathlib import Path
from sys import intern
from typing import Any, NamedTuple

from batllm_arcade.errors import quoted
from batllm_arcade.files.large_json import MOST_VALUES, LargeJson, TooManyValues
from batllm_arcade.history.manager import HistoryManager
from batllm_arcade.history.node import HistoryError
from batllm_arcade.history.paths import is_journal, journal_of

# -- The session in a page: written into its script element, and read from there like a session file

_OPENING = '<script type="application/json" id="session">'
_CLOSING = "</script>"
_HEAD = re.compile(r"\s*<!doctype html", re.IGNORECASE)
_ACTIVE = re.compile("[<>&\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
"""What could end the element or is no text; lone surrogates are none."""


def compact_json(value: Any) -> str:
    """Return a value as short JSON that means nothing to HTML: what could end its element is escaped."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return _ACTIVE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def session_element(session: Any) -> str:
    """Return the script element that holds a session, given as plain JSON values."""
    return f"{_OPENING}{compact_json(session)}{_CLOSING}"


def is_page(text: str) -> bool:
    """Return whether this text begins like a page."""
    return _HEAD.match(text) is not None


def session_text(page: str) -> str | None:
    """Return the JSON text of the session in a page, None if there is none."""
    return _parts(page)[1]


def without_session(page: str) -> str:
    """Return a page without the session in it; raise ValueError if there is none, or one that may end its element."""
    before, session, after = _parts(page)
    if session is None or "<" in session:
        raise ValueError("no session")
    return before + after


def _parts(page: str) -> tuple[str, str | None, str]:
    """Return what is before the session in a page, the session, and what is after it."""
    start = page.find(_OPENING)
    end = page.find(_CLOSING, start) if start >= 0 else -1
    begin = start + len(_OPENING)
    return (page[:begin], page[begin:end], page[end:]) if end >= 0 else (page, None, "")


# -- Load session JSON or a journal; reject invalid files with a one-line error

LARGEST = 512 * 1024 * 1024
"""Bytes of the largest session file that is read."""
LARGE = 32 * 1024 * 1024
"""Bytes from which a file must say within its first 4096 that it is a session, before it is parsed."""
IN_PIECES = 1024 * 1024
"""Characters from which a text is read in pieces, so that what is no part of a session takes no memory."""
MOST_PARTS = 2_000_000
"""Objects and lists of a large session; some 400,000 plays have as many."""
_HEAD_BYTES = 4096
_TOO_MANY = f"holds more than {MOST_VALUES:,} values beside games, rounds and plays"
SPINE = ("games", "rounds", "turns")
KEPT = (
    frozenset({
        "schema", "program", "session_start", "session_end", "seed", "series", "secret", "games",
        "schema_version", "session_type", "app_version", "saved_at", "llm_metadata",
    }),
    frozenset({
        "game_number", "total_rounds", "turns_per_round", "seed", "drawn", "series", "forked_from", "hints", "rules",
        "seats", "initial_state", "rounds", "result", "start_time",
    }),
    frozenset({
        "round_number", "prompts", "augmented", "independent_llms", "acting_order", "initial_state", "system_header",
        "ended", "swaps", "turns", "gameplay_settings_snapshot", "prompt_augmentation",
    }),
    frozenset({
        "turn_number", "turn", "order", "llm_response", "cmd", "status", "reason", "pre_state", "post_state",
        "opponent_state", "timestamp", "latency_s", "tokens", "thought", "say", "queued_from", "raw_cut",
        "plays", "start_time",
    }),
)  # fmt: skip
"""The names that are read in a session, a game, a round and a play, the original game's included: of a large file
all others are dropped."""
_LEVELS = {"session": 0, "game": 1, "round": 2, "play": 3}


class Loaded(NamedTuple):
    """A session as plain JSON `values`, and the file they come from; of a journal its first line that is no good, or 0.

    Of a journal that was cut short in its last line that line is none: the program was killed in it. `lines` is how
    many of its lines were read.
    """

    values: Any
    source: Path
    bad_line: int = 0
    lines: int = 0


def load(path: Path) -> Any:
    """Return a session file, a journal or a page's session as plain JSON values; raise HistoryError if it is none."""
    return load_with_source(path).values


def load_with_source(path: Path) -> Loaded:
    """Return a session and the file it comes from; raise HistoryError if it is no session.

    The journal beside a session file is read if the file is missing, or never ended and so is older than it.
    """
    if is_journal(path):
        return load_journal(path)
    journal = journal_of(path)
    if not os.path.exists(path) and os.path.exists(journal):
        try:
            return load_journal(journal)
        except HistoryError:
            if not os.path.exists(path):
                raise  # else the session ended in this moment, and its file is there
    values = _json(_text(path), path)
    unfinished = isinstance(values, dict) and values.get("session_end") is None and "schema_version" not in values
    return load_journal(journal) if unfinished and os.path.exists(journal) else Loaded(values, path)


def page_of(path: Path) -> str | None:
    """Return the text of a page, None for any other file; raise HistoryError if it cannot be read."""
    if is_journal(path) or not os.path.exists(path):
        return None
    try:
        text = _content(path).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None  # which whoever reads its session tells
    return text if is_page(text) else None


def _content(path: Path) -> bytes:
    with open(_opened(path), "rb") as file:
        content = file.read(min(LARGEST, os.fstat(file.fileno()).st_size) + 1)  # it makes room for all of that
    if len(content) > LARGEST:
        raise HistoryError(f"{path.name!r} is larger than any session this program writes")
    return content


def _text(path: Path) -> str:
    try:
        return _without_page(_checked(path).decode("utf-8"), path)
    except UnicodeDecodeError:
        raise HistoryError(f"{path.name!r} is no session file: it is not text") from None
    except MemoryError:
        raise HistoryError(f"{path.name!r} is too large for this machine's memory") from None


def _checked(path: Path) -> bytes:
    """Return the content of a file that may be a session; raise HistoryError if it cannot be read or is none."""
    try:
        content = _content(path)
    except OSError as error:
        raise HistoryError(f"{str(path)!r} cannot be read: {error.strerror}") from None
    except MemoryError:
        raise HistoryError(f"{path.name!r} is too large for this machine's memory") from None
    if len(content) > LARGE and not is_page(content[:_HEAD_BYTES].decode("utf-8", "replace")):
        _check_large(content, path)
    return content


def _without_page(text: str, path: Path) -> str:
    """Return the session in a page, any other text as it is; raise HistoryError for a page without a session."""
    if not is_page(text):
        return text
    session = session_text(text)
    if session is None:
        raise HistoryError(f"{path.name!r} is a page without a session; those that 'share' makes hold one")
    if len(session) > LARGE:
        _check_large(session.encode("utf-8", "replace"), path)
    return session


def _check_large(content: bytes, path: Path) -> None:
    """Raise HistoryError for a large file that is no session: parsing it could take gigabytes."""
    if not any(word in content[:_HEAD_BYTES] for word in (b'"schema', b'{"session"')):
        raise HistoryError(f"{path.name!r} is no session file: it is large and does not begin like one")
    if content.count(b"{") + content.count(b"[") > MOST_PARTS:
        raise HistoryError(f"{path.name!r} is no session file: it holds more objects and lists than any session")


def _opened(path: Path) -> int:
    """Return a descriptor of a regular file; others are rejected: a pipe may block, a device may never end."""
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
        return parsed_json(text)
    except HistoryError as error:
        raise HistoryError(f"{path.name!r} is no session file: {error}") from None
    except MemoryError:
        raise HistoryError(f"{path.name!r} is too large for this machine's memory") from None
    except TooManyValues:
        raise HistoryError(f"{path.name!r} is no session file: it {_TOO_MANY}") from None
    except (ValueError, RecursionError):
        raise HistoryError(f"{path.name!r} is no session file, or was cut short: it is not valid JSON") from None


def parsed_json(text: str, *, in_pieces: bool = True) -> Any:
    """Return JSON text as values; raise ValueError if it is none, HistoryError for a key twice or no finite number.

    The original game's sessions keep such numbers here: its import names the place.
    """
    odd: list[str] = []

    def number(text: str) -> float:
        value = float(text)
        if not isfinite(value):
            odd.append(text)
        return value

    decoder = json.JSONDecoder(object_pairs_hook=_object, parse_float=number, parse_constant=number)
    if len(text) <= IN_PIECES:
        values = decoder.decode(text)
    else:
        values = LargeJson(text, decoder, *((SPINE, KEPT) if in_pieces else ())).value()
    if odd and not (isinstance(values, dict) and "schema_version" in values):
        raise HistoryError(f"one of its numbers is {quoted(odd[0])}")
    return values


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = {intern(key): value for key, value in pairs}  # in pieces, every piece has its own copies of the keys
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise HistoryError(f"one of its objects holds {quoted(twice)} twice")
    return found


def _kept(entry: Any) -> Any:
    """Return a journal's entry without what is never read."""
    kind, value = next(iter(entry.items()))
    level = _LEVELS.get(kind)
    return entry if level is None else {kind: {key: value[key] for key in value if key in KEPT[level]}}


def load_journal(path: Path, most: int | None = None) -> Loaded:
    """Return the session in a journal, up to the first line that is no good, and in at most so many lines.

    Raise HistoryError if its first line is no good.
    """
    history, content = HistoryManager(), _checked(path)
    lines, large = content.removesuffix(b"\n").split(b"\n")[:most], len(content) > IN_PIECES
    bad_line = 0
    for number, line in enumerate(lines, 1):
        try:
            entry = parsed_json(line.decode("utf-8"), in_pieces=False)
            history.append(_kept(entry) if large else entry)
        except TooManyValues:
            raise HistoryError(f"{path.name!r} is no journal: line {number} {_TOO_MANY}") from None
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError, HistoryError):
            if number == 1:
                raise HistoryError(f"{path.name!r} is no journal: line 1 continues nothing") from None
            bad_line = number if number < len(lines) else 0  # the last is the one the program was killed in
            break
    if not history.session:
        raise HistoryError(f"{path.name!r} is an empty journal")
    return Loaded(history.session, path, bad_line, bad_line - 1 if bad_line else len(lines))
