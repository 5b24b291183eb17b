"""The pages: each one file with its script and style in it, which ask for nothing but their server's socket."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

from batllm_arcade.share import page as share

VIEWER = ("scene.js", "motion.js", "paint.js", "floor.js", "bots.js", "effects.js", "panels.js")
"""The parts of the viewer that are a match's picture; how a recorded one is played is not among them."""
_SCRIPTS = {
    "door": ("socket.js", "door.js"),
    "orders": ("socket.js", "writing.js", "orders.js"),
    "seat": ("socket.js", "lobby.js", *VIEWER, "live.js", "telegraph.js", "seat.js"),
    "watch": ("socket.js", "votes.js", "lobby.js", *VIEWER, "live.js"),
    "overlay": ("socket.js", "lobby.js", *VIEWER, "live.js"),
    "class": ("socket.js", "votes.js", "cup.js", "writing.js", "class.js"),
    "teach": ("socket.js", "cup.js", "teach.js"),
    "wall": ("socket.js", "votes.js", "cup.js", "wall.js", "lobby.js", *VIEWER, "live.js"),
}
"""The parts of each page's script, in their order."""
TITLES = {
    "door": "Join", "seat": "Play", "orders": "Orders", "watch": "Watch", "overlay": "Overlay", "class": "Class",
    "teach": "Lead", "wall": "Wall",
}  # fmt: skip
HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_PARTS = re.compile(
    r'(<header id="bar">.*?</header>|<section id="(?:left|right)" class="panel">.*?</section>)', re.DOTALL
)


@lru_cache(maxsize=len(TITLES))
def page(name: str) -> tuple[str, str]:
    """Return a page and its policy, to which the address of its socket is to be added."""
    script = share.joined(share.asset(part) if part in VIEWER else _own(part) for part in _SCRIPTS[name])
    css = f"{share.style()}\n{_own('serve.css')}"
    bar, left, right = _PARTS.findall(share.asset("page.html"))
    shown = share.filled(
        _own("page.html"), title=TITLES[name], kind=name, style=css, script=script,
        scheme="normal" if name == "overlay" else "dark",
        main=share.filled(
            _own("live.html" if name in ("seat", "watch", "overlay", "wall") else f"{name}.html"),
            hall=_own("hall.html") if name == "wall" else "",
            votes=_own("votes.html") if name in ("watch", "wall", "class") else "",
            bar=bar.replace("{{title}}", "Live"), left=left, right=right,
            controls=_own("controls.html") if name == "seat" else "",
        ),
    )  # fmt: skip
    return shown, share.policy(script, css)


def policy(name: str, host: str) -> str:
    """Return the policy of a page that is asked for at this address."""
    return f"{page(name)[1]}; connect-src ws://{host}/socket; frame-ancestors 'none'"


def _own(name: str) -> str:
    return (files("batllm_arcade.assets") / "serve" / name).read_text("utf-8")
