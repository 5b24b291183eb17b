"""Pages written."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.files.atomic import write_text
from batllm_arcade.files.paths import check_output
from batllm_arcade.history.reader import read_with_values
from batllm_arcade.session.recorded import report_journal
from batllm_arcade.share.look_export import LookExport
from batllm_arcade.share.page import page
from batllm_arcade.share.shown import PageLook, Selection, Shown
from batllm_arcade.terminal.output import complain

HEAVY, _BYTES_OF_PLAY = 10e6, 600
"""Bytes from which on it is said that a page will be large, and how it gets smaller; and about those of a play."""


@dataclass(frozen=True, slots=True)
class PageWritten:
    """A page that was written: its file, the plays it shows, its bytes."""

    path: Path
    plays: int
    size: int

    @property
    def sentence(self) -> str:
        """Return what was written, on one line."""
        plays = "1 play" if self.plays == 1 else f"{self.plays:,} plays"
        return f"{self.path.name}: {plays}, {max(1, round(self.size / 1000)):,} kB"


def write_page(
    session: Path,
    out: Path,
    chosen: Selection = Selection(),  # noqa: B008, frozen
    look: PageLook = PageLook(),  # noqa: B008, frozen
    *,
    force: bool = False,
    notice: Callable[[str], None] | None = None,
    drawn: LookExport | None = None,
) -> PageWritten:
    """Write the page of a session file, a journal or another page, in one step; return what was written.

    Raise UsageError for an output that cannot be or exists (without `force`), a file that is no session, or turns that
    it does not hold; ArcadeError if the disk does not take the page. `notice` gets what a user should know (a line on
    standard error unless it is given). `drawn` is what several pages are drawn with that share their rules.
    """
    if os.path.realpath(out) == os.path.realpath(session):
        raise UsageError(f"{str(session)!r} is the session that is shared; name another file to write")
    check_output(out, force=force)
    tape, values = read_with_values(session)
    report_journal(tape, session, notice)
    shown = Shown(tape, chosen)
    size = len(shown.plays) * _BYTES_OF_PLAY
    if size > HEAVY:
        heavy = f"a page of {len(shown.plays):,} plays has about {size / 1e6:.0f} MB and is slow to make and to load"
        (notice or complain)(f"{heavy}; --game, or --from and --to, show a part")
    text = page(shown, values, look, drawn)
    try:
        write_text(out, [text], new=not force)
    except OSError as error:
        raise ArcadeError(f"{str(out)!r} cannot be written: {error.strerror}") from None
    return PageWritten(out, len(shown.plays), len(text.encode()))


class QuickPages:
    """Writes pages of whole sessions without their chances: for many of them, all of games with the same rules.

    What they are drawn with is worked out once.
    """

    def __init__(self) -> None:
        self._drawn = LookExport()

    def write(self, session: Path, out: Path) -> PageWritten:
        """Write the page of a session; raise as `write_page` does."""
        return write_page(session, out, look=PageLook(chances=False), drawn=self._drawn)
