"""What a page's markup may be made of, whichever version has made it: known elements, four scripts, nothing that acts.

What a browser could read in another way than Python's parser does is refused, too: each `<` begins a tag in one plain
form, and there is nothing like a comment.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

from batllm_arcade.share.page import policy

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
SCRIPTS: tuple[Attributes, ...] = (
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


_KNOWN_SCRIPTS = sorted(sorted(each.items()) for each in SCRIPTS)
