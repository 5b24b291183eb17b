"""A match as a page."""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache
from html import escape
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

from batllm_arcade.core.model import SEATS
from batllm_arcade.errors import UsageError
from batllm_arcade.history.reader import compact_json, session_element
from batllm_arcade.match.records import GameEnded, GameStarted, Play, RoundStarted, SeatSwapped
from batllm_arcade.match.series import describe_result, distinct
from batllm_arcade.share.look_export import LookExport, colors
from batllm_arcade.share.shown import PageLook, Shown, made
from batllm_arcade.terminal.output import printable
from batllm_arcade.video.edit.text import shortened
from batllm_arcade.view.animation import Segment
from batllm_arcade.view.play_text import describe, outcome
from batllm_arcade.view.play_words import play_words
from batllm_arcade.view.reading_words import reading_of

# What others show of a page where its address is posted

SIZE = (1200, 630)
"""The pixels of the picture, as sites ask for them."""
_LONGEST = 2000  # characters of an address


def checked_address(address: str) -> str:
    """Return the address of a page; raise UsageError if it is none."""
    odd = any(character.isspace() or not character.isprintable() for character in address)
    try:
        parts = urlsplit(address)
        if parts.scheme in ("http", "https") and parts.hostname and not odd and len(address) <= _LONGEST:
            return address
    except ValueError:  # of a host in brackets
        pass
    raise UsageError(f"--url: {address!r:.80} is no address of a page; write it like https://example.org/match.html")


def picture_of(page: Path) -> Path:
    """Return where the picture of a page is: beside it."""
    return page.with_suffix(".png")


def preview_tags(address: str, picture: str, alt: str) -> str:
    """Return the elements of a page's head that say where it is, and which file beside it is its picture.

    Raise ValueError for an address that none is beside.
    """
    width, height = SIZE
    found = {
        "og:type": "website", "og:url": address, "og:image": urljoin(address, quote(picture, errors="replace")),
        "og:image:width": str(width), "og:image:height": str(height), "og:image:alt": alt,
    }  # fmt: skip
    lines = [f'<meta property="{name}" content="{escape(value)}">' for name, value in found.items()]
    return "\n".join([*lines, '<meta name="twitter:card" content="summary_large_image">'])


# The match in words

_LONGEST_LINE = 1000  # characters of a thought, an answer or orders; the page's session holds all of it


def inert(text: str, longest: int = _LONGEST_LINE) -> str:
    """Return a text for HTML that shows as it is and does nothing: escaped, its controls as escapes, shortened."""
    return escape("\n".join(printable(line) for line in shortened(text, longest).split("\n")))


def transcript(shown: Shown) -> str:
    """Return every play that is shown, in order: what was thought, done, and what became of it."""
    return "\n".join(line for segment in shown.segments for line in _lines(segment))


def _lines(segment: Segment) -> Iterator[str]:
    record, board = segment.record, segment.board
    names = [inert(seat.name, 80) for seat in board.seats]
    if isinstance(record, GameStarted):
        yield f"<h2>Game {record.game}: {names[0]} (left) vs {names[1]} (right)</h2>"
    elif isinstance(record, RoundStarted):
        yield f"<h3>Round {record.round}</h3>"
        for seat, prompt in zip(SEATS, record.prompts, strict=True):
            if prompt:
                yield f"<p>Orders {seat}: {inert(prompt)}</p>"
    elif isinstance(record, SeatSwapped):
        yield f"<p>{SEATS[record.bot].capitalize()} is now {inert(record.seat.name, 80)}.</p>"
    elif isinstance(record, Play):
        yield _play(segment, record, inert(distinct((board.seats[0].name, board.seats[1].name))[record.bot], 88))
    elif isinstance(record, GameEnded):
        yield f"<p><b>{inert(describe_result(record.result, (board.seats[0].name, board.seats[1].name)), 200)}</b></p>"


def _play(segment: Segment, play: Play, name: str) -> str:
    decision = play.decision
    if play.status == "ok":
        words = f"<code>{inert(play.command.token, 40)}</code> {describe(play.command)}"
        result = outcome(play, segment.board.rules)[0]
        words += f", {inert(result, 200)}" if result else ""
    else:
        words = f"fumble: {inert(play.reason or play.status, 300)}"
    health = " : ".join(f"{bot.health:g}" for bot in (play.after.left, play.after.right))
    parts = [f"<p><b>{play.round}.{play.turn} {name}</b> {words} <small>{health}</small>"]
    if decision.thought:
        read = reading_of(decision.thought) is not None  # the figures of how orders were read are no words
        parts.append(f"<q>{inert(play_words(play) if read else decision.thought)}</q>")
    elif decision.raw.strip() not in ("", play.command.token):
        parts.append(f"<samp>{inert(decision.raw)}</samp>")
    if decision.say:
        parts.append(f"says <q>{inert(decision.say)}</q>")
    return " ".join(parts) + "</p>"


SCRIPTS = (
    "scene.js", "motion.js", "paint.js", "floor.js", "bots.js", "effects.js", "panels.js", "cards.js", "player.js",
)  # fmt: skip
"""The viewer's parts, in the order in which they are joined to one script."""
_FONTS = (
    ("Chakra Petch", 500, "ChakraPetch_500Medium.woff2"),
    ("Chakra Petch", 700, "ChakraPetch_700Bold.woff2"),
    ("JetBrains Mono", 400, "JetBrainsMono_400Regular.woff2"),
    ("JetBrains Mono", 700, "JetBrainsMono_700Bold.woff2"),
)
_NOT_CODE = re.compile(r"^(?:\s*/[/*].*\n|\s+)", re.MULTILINE)
"""Lines that are comments, and what stands before code: the viewer has no text of several lines."""
_TOO_OLD = """if (!self.DecompressionStream) {
document.body.textContent = "This page needs a browser of 2023 or later. Without JavaScript it is the match in words.";
return;
}"""
_NAME = re.compile(r"\{\{(\w+)\}\}")


def page(shown: Shown, session: Any, look: PageLook, drawn: LookExport | None = None) -> str:
    """Return the page of a session, which is given as plain JSON values, too.

    `drawn` is what several pages are drawn with that share their rules.
    """
    style, script = _style(), _script()
    title_text = " ".join((look.title or shown.title).split())
    title = inert(title_text, 120)
    return _filled(
        _asset("page.html"),
        policy=policy(script, style),
        title=title,
        summary=inert(shown.summary, 300),
        preview=preview_tags(look.url, look.picture, title_text) if look.url else "",
        kind="embed" if look.embedded else "page",
        style=style,
        script=script,
        transcript=transcript(shown),
        replay=_packed(replay_of(shown, look, drawn)),
        made=made(shown.chosen, look),
        session=session_element(session),
    )


def replay_of(shown: Shown, look: PageLook, drawn: LookExport | None = None) -> dict[str, Any]:
    """Return all that a page's script draws."""
    return {
        **shown.export(drawn, chances=look.chances),
        "claim": look.title,
        "autoplay": look.autoplay,
        "loop": look.loop,
    }


def _filled(template: str, **values: str) -> str:
    """Return a template with its {{names}} replaced in one go: what is inserted is not looked at again."""
    return _NAME.sub(lambda found: values[found[1]], template)


def _packed(value: Any) -> str:
    return base64.b64encode(gzip.compress(compact_json(value).encode(), 9, mtime=0)).decode()


def policy(script: str, style: str) -> str:
    """Return the policy of a page with this script and style: nothing but these, and pictures and fonts within it."""
    return (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:; "
        "font-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8', 'replace')).digest()).decode()}'"


def _asset(name: str) -> str:
    return (files("batllm_arcade.assets") / "page" / name).read_text("utf-8")


def _style() -> str:
    variables = "".join(f"--{name.replace('_', '-')}:{value};" for name, value in colors().items())
    return f":root{{{variables}}}\n{_fonts()}\n{_asset('page.css')}"


@lru_cache(maxsize=1)
def _fonts() -> str:
    faces = []
    for family, weight, name in _FONTS:
        font = base64.b64encode((files("batllm_arcade.assets") / "page" / name).read_bytes()).decode()
        source = f"url(data:font/woff2;base64,{font}) format('woff2')"
        faces.append(f"@font-face{{font-family:'{family}';font-weight:{weight};src:{source}}}")
    return "\n".join(faces)


@lru_cache(maxsize=1)
def _script() -> str:
    """Return the viewer's parts as one script, in which they share their names and nobody else does."""
    parts = "\n".join(_NOT_CODE.sub("", _asset(name)) for name in SCRIPTS)
    return f'(async () => {{\n"use strict";\n{_TOO_OLD}\n{parts}\n}})();'


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
