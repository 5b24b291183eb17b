"""One HTML page that needs nothing else: the viewer, the replay's data and the session it is of."""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
from functools import lru_cache
from importlib.resources import files
from typing import Any

from batllm_arcade.history.page import compact_json, session_element
from batllm_arcade.share.look_export import LookExport, colors
from batllm_arcade.share.made import PageLook, made
from batllm_arcade.share.preview import preview_tags
from batllm_arcade.share.shown import Shown
from batllm_arcade.share.transcript_html import inert, transcript

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
    """Return a value as JSON, gzipped, in base64: a tenth of its size."""
    return base64.b64encode(gzip.compress(compact_json(value).encode(), 9, mtime=0)).decode()


def policy(script: str, style: str) -> str:
    """Return the policy of a page with this script and style: nothing but these, and pictures and fonts within it."""
    return (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:; "
        "font-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    """Return the source expression by which a policy allows exactly this script or style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8', 'replace')).digest()).decode()}'"


def _asset(name: str) -> str:
    return (files("batllm_arcade.assets") / "page" / name).read_text("utf-8")


def _style() -> str:
    """Return the style sheet: the theme's colours as variables, the fonts, the rules."""
    variables = "".join(f"--{name.replace('_', '-')}:{value};" for name, value in colors().items())
    return f":root{{{variables}}}\n{_fonts()}\n{_asset('page.css')}"


@lru_cache(maxsize=1)
def _fonts() -> str:
    """Return the faces with the fonts in them."""
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
