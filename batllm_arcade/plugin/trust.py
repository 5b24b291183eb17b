"""The files of plugins folders that a person trusts: let into the program by name, or remembered by their content."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from batllm_arcade.errors import UsageError
from batllm_arcade.files.atomic import write_text
from batllm_arcade.files.reading import read_text
from batllm_arcade.settings.store import settings_folder

Trust = Literal["yes", "changed", "no"]
"""Whether a file is trusted; `changed`: one of its name was, with another content."""
MOST = 200
"""Files that are remembered, the latest."""


class TrustedFiles:
    """What a person trusts for good: names of files with the SHA-256 of their content, in the settings folder."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or settings_folder() / "trusted.json"
        self.problem = ""
        """Why the file is not used, "" if it is."""
        self._known: list[tuple[str, str]] = []
        try:
            self._known = [(str(name), str(digest)) for name, digest in json.loads(read_text(self._path))["trusted"]]
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            self.problem = f"{str(self._path)!r} holds no trusted plugins and is left aside: nothing is trusted by it"

    def of(self, name: str, code: bytes) -> Trust:
        """Return whether the file of this name with this content is trusted."""
        if (name, digest(code)) in self._known:
            return "yes"
        return "changed" if name in {known for known, _ in self._known} else "no"

    def remember(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Trust these files, name and content, from now on; raise UsageError if that cannot be written."""
        found = [(name, digest(code)) for name, code in files]
        known = [*(each for each in self._known if each not in found), *found][-MOST:]
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_text(self._path, [json.dumps({"trusted": known}, indent=1), "\n"])
        except OSError as error:
            raise UsageError(f"{str(self._path)!r} cannot be written: {error.strerror}; leave --always out") from None
        self._known = known


def digest(code: bytes) -> str:
    """Return what tells one content of a file from another."""
    from hashlib import sha256  # which is slow to import

    return sha256(code).hexdigest()
