"""The files of a session: the session file, and the journal beside it while the session runs."""

from __future__ import annotations

from pathlib import Path

from batllm_arcade.errors import UsageError
from batllm_arcade.files.atomic import target_of
from batllm_arcade.files.bot_folder import check_unreadable
from batllm_arcade.files.lock import remove_unlocked
from batllm_arcade.files.paths import already_exists, check_output


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
