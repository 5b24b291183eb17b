"""Pages of the games that a league keeps: many of them, drawn alike."""

from __future__ import annotations

from pathlib import Path

from batllm_arcade.share.look_export import LookExport
from batllm_arcade.share.made import PageLook
from batllm_arcade.share.write import PageWritten, write_page


class QuickPages:
    """Writes pages of whole sessions without their chances: for many of them, all of games with the same rules.

    What they are drawn with is worked out once.
    """

    def __init__(self) -> None:
        self._drawn = LookExport()

    def write(self, session: Path, out: Path) -> PageWritten:
        """Write the page of a session; raise as `write_page` does."""
        return write_page(session, out, look=PageLook(chances=False), drawn=self._drawn)
