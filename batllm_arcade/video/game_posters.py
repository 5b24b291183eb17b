"""Pictures of games that a league keeps: who plays, and what both were told."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from batllm_arcade.history.reader import read
from batllm_arcade.history.replay import replay
from batllm_arcade.video.edit import selection
from batllm_arcade.video.edit.text import told_apart
from batllm_arcade.view.timeline import Timeline

POSTER = (960, 504)
"""Width and height of a picture."""


def poster_writer(folder: Path) -> Callable[[tuple[int, int], Path], object] | None:
    """Return what writes the picture of a game kept in a league's folder to a file, None without the extra `video`.

    The game is given by its pair and its number in it, 1 or 2. What is returned raises ArcadeError or OSError if it
    cannot.
    """
    return None if find_spec("av") is None else lambda number, out: _write(folder, number, out)


def _write(folder: Path, number: tuple[int, int], out: Path) -> None:
    import batllm_arcade.render  # noqa: F401 - first, for it imports pygame
    from batllm_arcade.video.draw.cards import write_opening

    timeline = Timeline()
    for record in told_apart(replay(read(folder / "sessions" / f"{number[0]}-{number[1]}.json"))):
        timeline.append(record)
    start, _ = selection.time_span(timeline, None, None)
    write_opening(timeline, start, "", POSTER, out, force=False)
