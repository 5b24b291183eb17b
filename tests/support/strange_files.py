"""Files that a stranger has made to take what is not theirs, and servers that see who is asked and what is sent.

`there` is the stranger's server: it is at an address that only the tests hold for another computer's. `here` is at
this computer's own, on the same port. Both remember every request.
"""

from __future__ import annotations

import atexit
import json
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from model_server import ReceivedRequest, ScriptedServer, answer, endless
from paths import DATA

from batllm_arcade.cli.main import main
from batllm_arcade.models import provider
from batllm_arcade.models.failures import ONCE
from batllm_arcade.settings import foreign

THERE = "127.9.9.9"
CANARY = "canary-0123456789abcdef"
VARIABLES = (
    "AWS_SECRET_ACCESS_KEY", "GEMINI_API_KEY", "MISTRAL_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY",
    "OPENROUTER_API_KEY", "GROQ_API_KEY", "OLLAMA_API_KEY", "AZURE_OPENAI_API_KEY", "LLAMA_API_KEY",
)  # fmt: skip
_CHAT = {
    "data": [{"id": "m"}], "models": [{"name": "m"}],
    "choices": [{"message": {"content": "M"}, "finish_reason": "stop"}],
    "message": {"content": "M"}, "done": True,
    "candidates": [{"content": {"parts": [{"text": "M"}]}, "finishReason": "STOP"}],
    "content": [{"type": "text", "text": "M"}], "stop_reason": "end_turn",
}  # fmt: skip
"""An answer that every brain here takes for one."""


@dataclass(frozen=True)
class Strange:
    """A person's folder with a secret in it, and the servers; `{there}`, `{secret}` and others stand for them."""

    work: Path
    here: ScriptedServer
    there: ScriptedServer

    @property
    def secret(self) -> Path:
        return self.work.parent / "private" / "secret.txt"

    def filled(self, value: Any) -> Any:
        """A value with what its texts stand for."""
        words = {"{there}": self.there.url, "{here}": self.here.url, "{port}": str(self.here.port),
                 "{secret}": str(self.secret), "{work}": str(self.work)}  # fmt: skip
        text = json.dumps(value)
        for name, word in words.items():
            text = text.replace(name, word)
        return json.loads(text)

    @property
    def leaks(self) -> list[ReceivedRequest]:
        """The requests that anybody received with a canary in them."""
        every = [*self.here.requests, *self.there.requests]
        return [each for each in every if CANARY in f"{each.path} {dict(each.headers)} {each.body!r}"]

    @property
    def harm(self) -> list[object]:
        """What has come of strange files: a canary somewhere, the stranger asked, a file of theirs run."""
        return [*self.leaks, *self.there.requests, *self.work.glob("stolen")]


@contextmanager
def strange_world(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[Strange]:
    """Both servers, the canaries, and names of other computers that lead to the stranger's server or nowhere."""
    for name in VARIABLES:
        patch.setenv(name, CANARY)
    private, work = folder / "private", folder / "work"
    private.mkdir()
    work.mkdir()
    (private / "secret.txt").write_text(CANARY)
    patch.chdir(work)
    patch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    real_lookup, own = socket.getaddrinfo, foreign._is_this_computer

    def lookup(host: Any, *rest: Any, **more: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else str(host)
        if "stranger" in name:
            return real_lookup(THERE, *rest, **more)
        if name.strip("0123456789abcdefx.:[]") and not name.startswith("localhost"):
            raise socket.gaierror(f"no test looks up {name}")
        return real_lookup(host, *rest, **more)

    patch.setattr(socket, "getaddrinfo", lookup)
    patch.setattr(provider, "STARTING", ONCE)  # nobody is waited for who is not there
    patch.setattr(foreign, "_is_this_computer", lambda origin: THERE not in origin and own(origin))
    step = endless(answer(_CHAT))
    with ScriptedServer(step) as here, ScriptedServer(step, host=THERE, port=here.port) as there:
        yield Strange(work, here, there)


def session_of(brain: str, options: dict[str, str], path: Path, *, swapped: bool = False) -> Path:
    """A session that was recorded with this brain on the left, from the first play on or after a swap."""
    session = json.loads((DATA / "couch_match.json").read_text())
    game = session["games"][0]
    if swapped:
        game["rounds"][0]["swaps"] = [
            {"turn_number": 5, "order": 0, "brain": brain, "why": "swap", "name": "x", "options": options}
        ]
    else:
        game["seats"][0] = {"name": "x", "brain": brain, "options": options}
    path.write_text(json.dumps(session))
    return path


def page_of(session: Path) -> Path:
    """A page that plays this session."""
    page = session.with_suffix(".html")
    assert main(["share", str(session), "-o", str(page)]) == 0
    return page


@cache
def _begun_elsewhere() -> Path:
    """A league that was played on another computer."""
    folder = Path(tempfile.mkdtemp(prefix="elsewhere-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    players = ["first=scripted:turtle", "scripted:dancer", "--pairs", "1", "--turns", "2", "--rounds", "1"]
    with pytest.MonkeyPatch.context() as elsewhere:
        elsewhere.setenv("XDG_DATA_HOME", str(folder))
        how = ["--workers", "1", "--sessions", "all", "--quiet", "--out", str(folder / "league")]
        assert main(["league", *players, *how]) == 0
    return folder / "league"


PLACES = {
    "brain": ("plan", "players", 0, "brain"), "orders_file": ("plan", "players", 0, "orders_file"),
    "player_fallback": ("plan", "players", 0, "fallback"), "config_fallback": ("config", "fallback"),
    "config_plugins_dir": ("config", "plugins_dir"),
}  # fmt: skip
"""Where changes of a league are written that are not named by where they are."""


def league_of(folder: Path, **changes: Any) -> Path:
    """A league that a stranger has begun on another computer, and changed as they like.

    `changes` of `brain` are those of the first player; others stand in the plan, the configuration or how it is run.
    """
    from batllm_arcade.league.league_file import LEAGUE, _hashed

    out = Path(shutil.copytree(_begun_elsewhere(), folder / "theirs"))
    values = json.loads((out / LEAGUE).read_text())
    for name, value in changes.items():
        *place, key = PLACES.get(name, ("run" if name in values["run"] else "plan", name))
        holder = values
        for step in place:
            holder = holder[step]
        holder[key] = value
    values["plan"]["pairs"] = 2
    hashes = {"plan": _hashed(values["plan"]), "config": _hashed(values["config"])}
    values["hashes"] = {**values["hashes"], **hashes, "files": {}, "plugins": {}, "folders": {}}
    (out / LEAGUE).write_text(json.dumps(values))
    return out


SPY = """
from pathlib import Path
from batllm_arcade import bot

Path({marker!r}).write_text("it was loaded")

@bot("spy")
def decide(me, foe, clock):
    return "M"
"""
"""A plugin that leaves a mark where it is loaded."""


def spy_in(folder: Path, marker: Path) -> Path:
    """A plugins folder with a spy in it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "spy.py").write_text(SPY.format(marker=str(marker)))
    return folder
