"""Compares a page with the one that this program makes of the session in it: does it show that match?"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from math import isclose
from typing import Any

from batllm_arcade.errors import UsageError
from batllm_arcade.history.reader import SessionTape, compact_json, without_session
from batllm_arcade.share.page import foreign_markup, page, replay_of
from batllm_arcade.share.shown import PageLook, Shown, choices, made, maker

NOT_COMPARED = (
    "not checked: another version of the program made this page, so that nobody knows whether its script is ours and "
    "shows this match; do not open it unless you trust who sent it"
)
_MADE = re.compile(r'<script type="application/json" id="made">([^<]*)</script>')
_REPLAY = re.compile(r'<script type="text/plain" id="replay">([A-Za-z0-9+/=]*)</script>')
_UNSAID = "the page does not say as this program does how it was made"
_CLOSE = {"rel_tol": 1e-6, "abs_tol": 2e-3}
"""How far figures may differ that are drawn: machines differ in the last digit, which rounding may carry on."""


def page_difference(text: str, session: SessionTape, values: Any) -> str:
    """Return what of a page is not what the session in it shows, in one sentence, "" if all is.

    A page is compared whatever it says of who made it. `NOT_COMPARED` is returned for one that another version may
    have made, which nothing tells from one that this program makes but what it is compared with. `values` are the
    session's plain JSON values.
    """
    if (foreign := foreign_markup(text)) != "":
        return foreign
    by = ""
    try:
        how = json.loads(_MADE.findall(text)[0])
        by = how["by"]
        chosen, look = choices(how)
        found = _difference(text.replace("\r\n", "\n"), Shown(session, chosen), values, look, by)
    except UsageError:
        found = "the page shows a part of the match that is not in its session"
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError):
        found = _UNSAID
    return NOT_COMPARED if found and type(by) is str and by not in ("", maker()) else found


def _difference(text: str, shown: Shown, values: Any, look: PageLook, by: str) -> str:
    mine, replay = page(shown, values, look), _REPLAY.search(text)
    mine = mine.replace(made(shown.chosen, look), made(shown.chosen, look, by), 1)
    if replay is None or _around(text) != _around(mine):
        return "the page around its session is not as this program writes it: its viewer, its words or its title"
    expected = json.loads(compact_json(replay_of(shown, look)))
    place = _first_difference(_unpacked(replay[1], 2 * len(compact_json(expected)) + 1000), expected)
    if place is None:
        return ""
    return f"the page does not show the match in its session: it draws another {_named(place, expected)}"


def _around(text: str) -> str:
    """Return a page without its session and its replay, neither of which can end its element before a browser."""
    return _REPLAY.sub("", without_session(text), count=1)


def _unpacked(packed: str, most: int) -> Any:
    """Return the replay in a page; raise ValueError if it is none, or of more than so many bytes."""
    unzip = zlib.decompressobj(31)
    try:
        content = unzip.decompress(base64.b64decode(packed, validate=True), most)
    except (binascii.Error, zlib.error):
        raise ValueError("no replay") from None
    if not unzip.eof or unzip.unused_data:
        raise ValueError("not the whole replay")
    return json.loads(content)


def _first_difference(found: Any, expected: Any) -> tuple[Any, ...] | None:
    if isinstance(expected, dict) and isinstance(found, dict):
        if found.keys() != expected.keys():
            return (min(found.keys() ^ expected.keys()),)
        pairs: Any = ((key, found[key], expected[key]) for key in expected)
    elif isinstance(expected, list) and isinstance(found, list):
        if len(found) != len(expected):
            return (min(len(found), len(expected)),)
        pairs = zip(range(len(expected)), found, expected, strict=True)
    else:
        return None if _alike(found, expected) else ()
    for key, one, other in pairs:
        inner = _first_difference(one, other)
        if inner is not None:
            return (key, *inner)
    return None


def _alike(found: Any, expected: Any) -> bool:
    if isinstance(expected, bool) or not isinstance(expected, (int, float)):
        return type(found) is type(expected) and bool(found == expected)
    return type(found) in (int, float) and isclose(found, expected, **_CLOSE)


def _named(place: tuple[Any, ...], expected: dict[str, Any]) -> str:
    name = ".".join(map(str, place))
    if place[:1] == ("segments",) and len(place) > 1 and place[1] < len(expected["segments"]):
        segment = expected["segments"][place[1]]
        if "play" in segment:
            return f"play {'.'.join(map(str, segment['play']))} ({name})"
    return name
