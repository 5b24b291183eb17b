"""Checks a page: its markup is a page's, and it shows the match in it, as the page does that this program makes."""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from html.parser import HTMLParser
from math import isclose
from typing import Any

from batllm_arcade.errors import UsageError
from batllm_arcade.history.reader import SessionTape, compact_json, without_session
from batllm_arcade.share.page import page, policy, replay_of
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
        difference = _difference(text.replace("\r\n", "\n"), Shown(session, chosen), values, look, by)
    except UsageError:
        difference = "the page shows a part of the match that is not in its session"
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError):
        difference = _UNSAID
    return NOT_COMPARED if difference and type(by) is str and by not in ("", maker()) else difference


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


def _first_difference(shown: Any, expected: Any) -> tuple[Any, ...] | None:
    if isinstance(expected, dict) and isinstance(shown, dict):
        if shown.keys() != expected.keys():
            return (min(shown.keys() ^ expected.keys()),)
        pairs: Any = ((key, shown[key], expected[key]) for key in expected)
    elif isinstance(expected, list) and isinstance(shown, list):
        if len(shown) != len(expected):
            return (min(len(shown), len(expected)),)
        pairs = zip(range(len(expected)), shown, expected, strict=True)
    else:
        return None if _alike(shown, expected) else ()
    for key, one, other in pairs:
        inner = _first_difference(one, other)
        if inner is not None:
            return (key, *inner)
    return None


def _alike(shown: Any, expected: Any) -> bool:
    if isinstance(expected, bool) or not isinstance(expected, (int, float)):
        return type(shown) is type(expected) and bool(shown == expected)
    return type(shown) in (int, float) and isclose(shown, expected, **_CLOSE)


def _named(place: tuple[Any, ...], expected: dict[str, Any]) -> str:
    name = ".".join(map(str, place))
    if place[:1] == ("segments",) and len(place) > 1 and place[1] < len(expected["segments"]):
        segment = expected["segments"][place[1]]
        if "play" in segment:
            return f"play {'.'.join(map(str, segment['play']))} ({name})"
    return name


# What a page's markup may be made of

Attributes = dict[str, str]

_ANYWHERE = frozenset({"id", "class", "hidden", "role", "tabindex", "aria-label", "aria-hidden", "aria-pressed"})
_PLAIN = (
    "head", "title", "style", "body", "main", "section", "header", "footer", "article", "div", "p", "h1", "h2", "h3",
    "b", "i", "span", "small", "q", "code", "samp", "canvas", "button", "output", "dialog", "dl", "dt", "dd",
    "noscript",
)  # fmt: skip
_ELEMENTS = {
    **dict.fromkeys(_PLAIN, _ANYWHERE),
    "html": frozenset({"lang"}),
    "meta": frozenset({"charset", "http-equiv", "name", "property", "content"}),
    "link": frozenset({"rel", "href"}),
    "svg": _ANYWHERE | {"viewbox"},
    "path": _ANYWHERE | {"d"},
    "input": _ANYWHERE | {"type", "min", "max", "value", "step"},
    "a": _ANYWHERE | {"href"},
    "script": frozenset({"type", "id"}),
}
"""The elements of a page, and the attributes that each may have."""
_VIEWER: Attributes = {}
PAGE_SCRIPTS: tuple[Attributes, ...] = (
    {"type": "text/plain", "id": "replay"},
    {"type": "application/json", "id": "made"},
    {"type": "application/json", "id": "session"},
    _VIEWER,
)
"""The scripts of a page, of which only the last one, the viewer, is code."""
_BEGINNING = ("html", "head", "meta", "meta")
_TAG = re.compile(r'<[a-z][a-z0-9]*(?: [A-Za-z-]+(?:="[^"<>]*")?)*(/?)>')
_NO_ENDING = re.compile(r"</(?![a-z][a-z0-9]*>)")
_DOCTYPE = re.compile(r"\s*<!doctype html>", re.IGNORECASE)
_ELSEWHERE = re.compile(r"url\(\s*['\"]?(?!data:)|@import", re.IGNORECASE)
_PROBLEM = "the page holds what no page of this program does"


def foreign_markup(text: str) -> str:
    """Return in one sentence what of a page no version of this program writes, "" if there is nothing."""
    text = text.replace("\r\n", "\n")
    reader = _Reader()
    try:
        reader.read(text)
    except _Foreign as found:
        return f"{_PROBLEM}: {found}"
    return ""


class _Foreign(Exception):
    """Something that does not belong into a page, in a few words."""


class _Reader(HTMLParser):
    """Reads a page; raises _Foreign at the first thing that is not known."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self._elements = 0
        self._scripts: list[tuple[Attributes, list[str]]] = []
        self._styles: list[list[str]] = []
        self._policies: list[str] = []
        self._within = ""  # a script, a style or a drawing

    def read(self, text: str) -> None:
        if not _DOCTYPE.match(text) or text.count("<!") != 1 or "<?" in text:
            raise _Foreign("a comment or a declaration")
        if _NO_ENDING.search(text):
            raise _Foreign("the end of an element in another form")
        self.feed(text)
        self.close()
        if sorted(map(sorted, (given.items() for given, _ in self._scripts))) != _KNOWN_SCRIPTS:
            raise _Foreign("not its four scripts")
        viewer = next("".join(content) for given, content in self._scripts if given == _VIEWER)
        style = "".join(self._styles[0]) if len(self._styles) == 1 else "@import"
        if _ELSEWHERE.search(style):
            raise _Foreign("another style sheet")
        if self._policies != [policy(viewer, style)]:
            raise _Foreign("another policy than that of its own script and style")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given, raw = {name: value or "" for name, value in attrs}, self.get_starttag_text() or ""
        self._check(tag, given, len(attrs), raw)
        place, self._elements = self._elements, self._elements + 1
        if place < len(_BEGINNING):
            self._check_beginning(place, tag, given)
        elif "charset" in given or "http-equiv" in given:
            raise _Foreign("a further policy or character set")
        if tag == "script":
            self._scripts.append((given, []))
        if tag == "style":
            self._styles.append([])
        if tag in ("script", "style", "svg"):
            self._within = tag

    def _check(self, tag: str, given: Attributes, number: int, raw: str) -> None:
        """Check an element; one that names an attribute twice has another one here than in a browser."""
        form = _TAG.fullmatch(raw)
        if tag not in _ELEMENTS:
            raise _Foreign(f"an element <{tag[:40]}>")
        for name in given:
            if name not in _ELEMENTS[tag]:
                raise _Foreign(f"{name[:40]!r} of a <{tag}>")
        if form is None or bool(form[1]) != (tag == "path") or len(given) != number:
            raise _Foreign(f"a <{tag}> in another form")
        if (tag == "path") != (self._within == "svg"):
            raise _Foreign(f"a <{tag}> where none is")
        if tag == "a" and not given.get("href", "#").startswith("#"):
            raise _Foreign("a link to elsewhere")
        if tag == "link" and not (given.get("rel") == "icon" and given.get("href", "").startswith("data:image/")):
            raise _Foreign("a link to a file")

    def _check_beginning(self, place: int, tag: str, given: Attributes) -> None:
        """Check that the character set and the policy come before all that they hold for."""
        if tag != _BEGINNING[place] or (place == 2 and given != {"charset": "utf-8"}):
            raise _Foreign("another beginning")
        if place == 3:
            if given.keys() != {"http-equiv", "content"} or given["http-equiv"] != "Content-Security-Policy":
                raise _Foreign("no policy at its beginning")
            self._policies.append(given["content"])

    def handle_endtag(self, tag: str) -> None:
        if tag == self._within:
            self._within = ""

    def handle_data(self, data: str) -> None:
        if self._within == "script":
            self._scripts[-1][1].append(data)
        elif "<" in data:
            raise _Foreign("a tag that is none")
        elif self._within == "style":
            self._styles[-1].append(data)
        elif data.strip() and self._elements < len(_BEGINNING):
            raise _Foreign("another beginning")

    def handle_entityref(self, name: str) -> None:
        self.handle_data("&")

    def handle_charref(self, name: str) -> None:
        self.handle_data("&")


_KNOWN_SCRIPTS = sorted(sorted(each.items()) for each in PAGE_SCRIPTS)
