"""Names, folders and times of sessions, and the program that writes them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timezone
from functools import cache
from pathlib import Path

from batllm_arcade.errors import UsageError
from batllm_arcade.files.atomic import remove_unlocked, target_of
from batllm_arcade.files.bot_folder import check_unreadable
from batllm_arcade.files.paths import already_exists, check_output, data_folder
from batllm_arcade.match.records import Play, Record

NAME = "batllm-arcade"


@cache  # the installation's metadata are read and parsed for it, and a league asks for every game
def program() -> str:
    """Return name and version as recorded in a session."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"{NAME} {version(NAME)}"
    except PackageNotFoundError:
        return NAME


def sessions_folder() -> Path:
    """Return the folder of sessions without a named file; it may not exist yet."""
    return data_folder() / "sessions"


def films_folder() -> Path:
    """Return the folder of the window's films and clips, beside the sessions; it may not exist yet."""
    return sessions_folder().parent / "films"


def journal_of(path: Path) -> Path:
    """Return the journal that belongs to a session file."""
    return path.parent / f"{path.name}.journal"


def is_journal(path: Path) -> bool:
    """Return whether this is the name of a journal."""
    return path.name.endswith(".journal")


def in_use(path: Path) -> bool:
    """Return whether a session file of this name, or its journal, exists."""
    return path.exists() or journal_of(path).exists()


def check_session_path(path: Path, *, force: bool, how: str = "add --force") -> None:
    """Raise UsageError if no session can be written there, or if its file or journal exists and `force` is false.

    None is written where a bot could read it while it plays.
    `how` says what replaces an existing one.
    """
    journal = journal_of(path)
    check_unreadable(path)
    check_output(path, force=True, working_files=[journal])
    check_output(journal, force=True)
    if not force and in_use(path):
        note = " (it is of a session that never ended: verify and replay read it)" if journal.exists() else ""
        raise already_exists(path if path.exists() else journal, note, how)


def clear_session_path(path: Path, *, force: bool) -> None:
    """Check like `check_session_path`, then remove an old session file and journal; call it when a session begins."""
    check_session_path(path, force=force)
    try:
        remove_unlocked(journal_of(path))  # first: while another program writes it, nothing is taken away
        target_of(path).unlink(missing_ok=True)
    except BlockingIOError:
        raise UsageError(f"another program is writing {str(path)!r} now; name another file or wait for it") from None
    except OSError as error:
        raise UsageError(f"{str(path)!r} cannot be replaced: {error.strerror}") from None


_FRACTION = re.compile(r"\.(\d+)")


def parse_time(text: str) -> datetime:
    """Return the time a text names, with its zone if it has one; raise ValueError if it is not ISO 8601."""
    # Python 3.10 reads neither Z nor fractions of other than three or six digits.
    return datetime.fromisoformat(_FRACTION.sub(lambda found: f".{found[1][:6]:0<6}", text.replace("Z", "+00:00")))


def utc_time(text: str) -> datetime:
    """Return the time a text names, in UTC where it has no zone; raise ValueError if it is not ISO 8601."""
    time = parse_time(text)
    return time if time.tzinfo else time.replace(tzinfo=timezone.utc)


def last_time(records: Iterable[Record]) -> datetime | None:
    """Return the time of the last play among records, None where that has none."""
    found = None
    for record in records:
        if isinstance(record, Play):
            found = record.timestamp
    with suppress(ValueError):
        return None if found is None else utc_time(found)
    return None
