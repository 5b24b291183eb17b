"""The sessions that a league has kept, and pages of some of every pairing, to which its report links."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from batllm_arcade.errors import ArcadeError
from batllm_arcade.league.kept_files import PAGES, SESSIONS
from batllm_arcade.league.plan import LeaguePlan, PairSchedule

_NUMBER = re.compile(r"([1-9][0-9]{0,17})-([12])")
MOST_PAGES, MOST_OF_PAIRING = 100, 12
"""Pages of one league, and of two of its players; each is some 150 kB, and takes as long as a game of two scripts."""
Share = Callable[[Path, Path], object]
"""Writes the page of the session file at the first path to the second one; raises ArcadeError if it cannot."""
Number = tuple[int, int]
"""A kept session: its pair and its game, 1 or 2."""
Links = Mapping[Number, str]
"""Where kept games are, from the folder of the league."""


def kept(folder: Path, pairs: int, suffix: str = ".json") -> list[Number]:
    """Return pair and game of every session (or page, by its suffix) in a folder of the first pairs, in order.

    What is a link is none, and a folder that is one has none.
    """
    found = []
    try:
        with os.scandir(folder) as listing:
            names = [each.name for each in listing if each.is_file(follow_symlinks=False)]
    except OSError:
        return []
    for name in names if not folder.is_symlink() else ():
        number = _NUMBER.fullmatch(name.removesuffix(suffix))
        if name.endswith(suffix) and number is not None and int(number[1]) <= pairs:
            found.append((int(number[1]), int(number[2])))
    return sorted(found)


def links_of(folder: Path, pairs: int) -> dict[Number, str]:
    """Return where each kept game of the first pairs is: its page if there is one, else its session file."""
    found = {(pair, game): f"{SESSIONS}/{pair}-{game}.json" for pair, game in kept(folder / SESSIONS, pairs)}
    pages = {(pair, game): f"{PAGES}/{pair}-{game}.html" for pair, game in kept(folder / PAGES, pairs, ".html")}
    return dict(sorted({**found, **pages}.items()))


def page_of(folder: Path, number: Number) -> Path:
    """Return where the page of a kept session is, or would be."""
    return folder / PAGES / f"{number[0]}-{number[1]}.html"


def write_pages(
    folder: Path,
    plan: LeaguePlan,
    numbers: Sequence[Number],
    share: Share,
    best: Sequence[Number] = (),
    out: Path | None = None,
) -> None:
    """Write the pages that the league lacks, of the `best` games first; raise ArcadeError if there can be no folder.

    `out` is the folder in which they are wanted, else the league's. A session of which no page can be made has none.
    """
    out = out or folder
    chosen = chosen_of(plan, [*best, *(number for number in numbers if number not in best)])
    try:
        if chosen:
            (out / PAGES).mkdir(exist_ok=True)
    except OSError as error:
        raise ArcadeError(f"pages cannot be written ({error.strerror}); make room and go on with --resume") from None
    for number in chosen:
        page = page_of(out, number)
        with suppress(ArcadeError):  # the report then links to the session file
            if not page.exists():
                share(folder / SESSIONS / f"{number[0]}-{number[1]}.json", page)


def chosen_of(plan: LeaguePlan, numbers: Sequence[Number]) -> list[Number]:
    """Return the sessions that get a page: the first of every pairing, then the second of every one, and so on."""
    schedule, groups = PairSchedule(plan), dict[int, list[Number]]()
    for number in numbers:
        groups.setdefault(schedule.pairing(number[0]), []).append(number)
    return list(_in_turn([group[:MOST_OF_PAIRING] for group in groups.values()]))[:MOST_PAGES]


def _in_turn(groups: list[list[Number]]) -> Iterator[Number]:
    for at in range(max(map(len, groups), default=0)):
        yield from (group[at] for group in groups if at < len(group))
