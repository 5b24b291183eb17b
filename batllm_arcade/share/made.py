"""How a page was made, kept in it, so that `verify` can make it again: what it shows, its look, which program did."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import batllm_arcade
from batllm_arcade.history.loader import compact_json
from batllm_arcade.history.version import program
from batllm_arcade.share.shown import Selection
from batllm_arcade.video.edit.selection import Turn

ROOMS = ("core", "brains", "match", "analysis", "view", "video/edit", "share")
"""Where what a page shows is decided."""


@dataclass(frozen=True, slots=True)
class PageLook:
    """How a page presents itself: its title (else who plays whom), whether it starts by itself and begins again.

    An `embedded` page has no frame of its own. Where its `url` is posted others show the `picture` beside it. Without
    `chances` it has no curve of them, which takes longer to work out than all the rest.
    """

    title: str = ""
    autoplay: bool = False
    loop: bool = False
    embedded: bool = False
    url: str = ""
    picture: str = ""
    chances: bool = True


def made(chosen: Selection, look: PageLook, by: str = "") -> str:
    """Return how a page was made, as JSON for its script element; `by` is the program, this one unless it is given."""
    return compact_json({"by": by or maker(), "chosen": asdict(chosen), "look": asdict(look)})


def choices(values: Any) -> tuple[Selection, PageLook]:
    """Return the part and the look that a page names; raise KeyError, TypeError or ValueError if it names none."""
    chosen, look = dict(values["chosen"]), PageLook(**values["look"])
    for end in ("first", "last"):
        chosen[end] = None if chosen[end] is None else Turn(**chosen[end])
    turns = [turn for turn in (chosen["first"], chosen["last"]) if turn is not None]
    numbers = [chosen["game"], *(number for turn in turns for number in asdict(turn).values())]
    if not all(number is None or type(number) is int for number in numbers):
        raise ValueError("a turn's number is none")
    if [type(value) for value in asdict(look).values()] != [type(value) for value in asdict(PageLook()).values()]:
        raise ValueError("the look is none")
    return Selection(**chosen), look


@lru_cache(maxsize=1)
def maker() -> str:
    """Return what tells this very program from others that would make another page of the same session."""
    import hashlib  # only where a page is made or compared

    package, digest = Path(batllm_arcade.__file__).parent, hashlib.sha256()
    code = [path for room in ROOMS for path in (package / room).rglob("*.py")]
    viewer = [each for each in (files("batllm_arcade.assets") / "page").iterdir() if each.is_file()]
    fits = files("batllm_arcade.assets") / "analysis" / "fits.json"
    for path in (*sorted(code), *sorted(viewer, key=lambda each: each.name), fits):
        digest.update(path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return f"{program()} {digest.hexdigest()[:16]}"
