"""Where films are written: the name of a partial film, and the check of an output path."""

from __future__ import annotations

from pathlib import Path

from batllm_arcade.files.paths import check_output


def partial_of(out: Path) -> Path:
    """Return where a film is kept while it is being written; `-2` and so on is added where that is in use."""
    return out.parent / f"{out.stem}.partial{out.suffix}"


def check(path: Path, *, force: bool) -> None:
    """Raise UsageError if no film can be written at this path, or if one exists and `force` is false."""
    check_output(path, force=force, working_files=[partial_of(path)])
