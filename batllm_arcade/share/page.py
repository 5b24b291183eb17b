"""A match as a page."""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from html import escape
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
from batllm_arcade.view.play_text import did, outcome
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
    tags = {
        "og:type": "website", "og:url": address, "og:image": urljoin(address, quote(picture, errors="replace")),
        "og:image:width": str(width), "og:image:height": str(height), "og:image:alt": alt,
    }  # fmt: skip
    lines = [f'<meta property="{name}" content="{escape(value)}">' for name, value in tags.items()]
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
        for heading, texts in (("Orders", record.prompts), ("Notes", board.notes)):
            for seat, text in zip(SEATS, texts, strict=True):
                if text:
                    yield f"<p>{heading} {seat}: {inert(text)}</p>"
    elif isinstance(record, SeatSwapped):
        yield f"<p>{SEATS[record.bot].capitalize()} is now {inert(record.seat.name, 80)}.</p>"
    elif isinstance(record, Play):
        yield _play(segment, record, inert(distinct((board.seats[0].name, board.seats[1].name))[record.bot], 88))
    elif isinstance(record, GameEnded):
        yield f"<p><b>{inert(describe_result(record.result, (board.seats[0].name, board.seats[1].name)), 200)}</b></p>"


def _play(segment: Segment, play: Play, name: str) -> str:
    decision = play.decision
    if play.status == "ok":
        words = f"<code>{inert(play.command.token, 40)}</code> {did(play)}"
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
    css, script = style(), _script()
    title_text = " ".join((look.title or shown.title).split())
    title = inert(title_text, 120)
    return filled(
        asset("page.html"),
        policy=policy(script, css),
        title=title,
        summary=inert(shown.summary, 300),
        preview=preview_tags(look.url, look.picture, title_text) if look.url else "",
        kind="embed" if look.embedded else "page",
        style=css,
        script=script,
        transcript=transcript(shown),
        replay=packed(compact_json(replay_of(shown, look, drawn))),
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


def filled(template: str, **values: str) -> str:
    """Return a template with its {{names}} replaced in one go: what is inserted is not looked at again."""
    return _NAME.sub(lambda found: values[found[1]], template)


def packed(text: str) -> str:
    """Return a text as a page holds it: gzipped, in base64."""
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()


def policy(script: str, style: str) -> str:
    """Return the policy of a page with this script and style: nothing but these, and pictures and fonts within it."""
    return (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:; "
        "font-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8', 'replace')).digest()).decode()}'"


def asset(name: str) -> str:
    """Return the text of one of the page's own files."""
    return (files("batllm_arcade.assets") / "page" / name).read_text("utf-8")


def style() -> str:
    """Return the page's style, with the theme's colours and the fonts in it."""
    variables = "".join(f"--{name.replace('_', '-')}:{value};" for name, value in colors().items())
    return f":root{{{variables}}}\n{_fonts()}\n{asset('page.css')}"


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
    return joined([asset(name) for name in SCRIPTS])


def joined(parts: Iterable[str]) -> str:
    """Return parts of a script as one, in which they share their names and nobody else does."""
    code = "\n".join(_NOT_CODE.sub("", part) for part in parts)
    return f'(async () => {{\n"use strict";\n{_TOO_OLD}\n{code}\n}})();'
