"""Addresses of model servers, and the presets for known ones."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal
from urllib.parse import parse_qsl, urlsplit

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.brains.redaction import is_secret
from batllm_arcade.errors import UsageError
from batllm_arcade.models.adaptation import MOST_ROOM, Adaptation

_ENDPOINT = re.compile(
    r"/(chat/completions|completions|responses|messages|api/(chat|generate|tags|show|version)|models(/[^/]+)?)$"
)
"""The end of an address that was copied whole out of a provider's documentation."""
_VERSION = re.compile(r"v[0-9]+[a-z0-9]*")
_OURS = re.compile(r"/(v1|v1beta)$")
"""The versions that stand in the requests themselves."""


@dataclass(frozen=True, slots=True)
class Address:
    """A server's `base` address without the version of each request, and the `query` that ends every request.

    With `exact` nothing is put between the base and the last part of a request: the base has its own version, or was
    cut out of a whole address.
    """

    base: str
    query: str = ""
    exact: bool = False

    def url(self, path: str) -> str:
        """Return the address of a path such as `/v1/models` or `/api/chat`, without what the base has already."""
        path, _, own = path.partition("?")
        first, slash, rest = path.removeprefix("/").partition("/")
        present = self.exact and _VERSION.fullmatch(first)
        if slash and (present or self.base.endswith(f"/{first}")):
            path = f"/{rest}"
        query = "&".join(part for part in (own, self.query) if part)
        return f"{self.base}{path}{'?' if query else ''}{query}"

    @property
    def without_version(self) -> Address | None:
        """Return where the server may be if it knows no version, None for an address that leaves no doubt."""
        return replace(self, exact=True) if urlsplit(self.base).path and not self.exact else None


def parse_address(text: str, option: str = "base_url") -> Address:
    """Return the address that `text` means; raise UsageError, naming `option`, if it is not an http address."""
    check_address(text, option)
    parts = urlsplit(text)
    if parts.fragment or "#" in text:
        raise UsageError(f"{option} must end without #, unlike {text.partition('#')[0]!r}")
    for name, _ in parse_qsl(parts.query, keep_blank_values=True):
        if is_secret(name) or name in ("sig", "code"):
            raise UsageError(
                f"{option} must not hold a key ({name}=); put it into an environment variable and write key_env=NAME"
            )
    path = parts.path.rstrip("/")
    short = _ENDPOINT.sub("", path)
    pasted = path[len(short) :] if short != path else ""
    base = _OURS.sub("", short)
    folders = short.split("/")
    versioned = any(map(_VERSION.fullmatch, folders if folders[-1] == "openai" else folders[-1:]))
    whole = (pasted and not pasted.startswith("/api/")) or "api-version=" in parts.query or versioned
    return Address(f"{parts.scheme}://{parts.netloc}{base.rstrip('/')}", parts.query, bool(whole) and base == short)


def check_address(text: str, option: str) -> None:
    """Raise UsageError, naming `option`, if `text` is not an http address."""
    if "@" in text:  # not quoted: it may hold a password
        todo = "leave out what is before the @"
        if option != "proxy":
            todo = "put USER:PASSWORD into an environment variable and write auth_env=NAME"
        raise UsageError(f"{option} must not hold a user name or a password; {todo}")
    try:
        parts = urlsplit(text)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good or not text.isascii() or not text.isprintable() or " " in text or "\\" in text:
        raise UsageError(f"{option} must be an address like http://127.0.0.1:11434, not {text.partition('?')[0]!r}")


def address_in(text: str, variable: str, port: int | None) -> str:
    """Return the address that an environment variable holds, whole: a bare host has this port, or that of http.

    Raise UsageError if it is none.
    """
    text = text.strip("'\" ")
    if "://" not in text:
        host, slash, path = text.partition("/")
        text = f"http://{host if re.search(r':[0-9]+$', host) or not port else f'{host}:{port}'}{slash}{path}"
    text = re.sub(r"://(0\.0\.0\.0|\[::\]|)(?=[:/]|$)", "://127.0.0.1", text)  # where a server listens to everybody
    parse_address(text, variable)
    return text


def is_loopback(url: str) -> bool:
    """Return whether an address is on this very computer, so that nobody else can listen in."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def is_near(url: str) -> bool:
    """Return whether an address is on this computer or in its own network: nobody is paid for a question there."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return "." not in host or host.endswith((".localhost", ".local", ".lan", ".home", ".internal"))


DEFAULT = "default"
"""The name of a brain's own server, which is chosen by the brain's name alone."""
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Preset:
    """A server that the brain `brain` asks; `name` stands where a variant does, "" for the brain's own server.

    `base_url` is "" where every user has an address of their own, written as in `ask`. The key is in the environment
    variable `key_variable` or one of `other_keys`; servers on one's own computer get one only where the user names
    `key_env`, or another variable.
    """

    brain: str
    name: str
    title: str
    base_url: str = ""
    ask: str = ""
    hosts: tuple[str, ...] = ()
    key_variable: str = ""
    other_keys: tuple[str, ...] = ()
    key_env: str = ""
    key_header: str = ""
    key_page: str = ""
    check: str = ""
    model: str = ""
    price: str = ""
    """What a million tokens that `model` reads, and a million that it writes, cost, in US dollars: `IN/OUT`."""
    note: str = ""
    adaptations: tuple[Adaptation, ...] = ()
    """What requests to it leave out or change from the start."""
    think: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """What is added to a request for how much to think: `off`, `low`, `high`."""

    @property
    def spec(self) -> Spec:
        """The brain as one writes it to play against this server."""
        return Spec(self.brain, self.name)

    @property
    def local(self) -> bool:
        """Whether it runs on one's own computer."""
        return bool(self.base_url) and is_loopback(self.base_url)

    @property
    def hint(self) -> str:
        """What to do if nobody answers."""
        if not self.local:
            return "check the network and base_url"
        return f"{self.note if self.note.startswith('start') else 'start it'}, or check base_url"

    @property
    def key(self) -> Literal["needed", "perhaps", "none"]:
        """Whether it wants a key; `perhaps`: one can set it up so."""
        return "needed" if self.key_variable else "perhaps" if self.key_env else "none"

    def is_at(self, base_url: str) -> bool:
        """Return whether an address is one of this server's: its own origin, or a host of it over https."""
        if self.base_url and origin_of(base_url) == origin_of(self.base_url):
            return True
        parts = urlsplit(base_url)
        host = parts.hostname or ""
        usual = parts.scheme == "https" and (parts.port or 443) == 443
        return usual and any(host == each or (each[0] == "*" and host.endswith(each[1:])) for each in self.hosts)


def presets(brain: str = "") -> tuple[Preset, ...]:
    """Return every known server, or those of one brain, in the order in which they are offered: those on one's own
    computer first."""
    found = (each for each in _known() if brain in ("", each.brain))
    return tuple(sorted(found, key=lambda each: not each.local))


def names_of(brain: str) -> tuple[str, ...]:
    """Return the names that may stand where the variant of this brain does."""
    return tuple(each.name for each in presets(brain) if each.name)


def preset_named(brain: str, name: str) -> Preset | None:
    """Return the server that this brain knows by a name, None without one; "" is the brain's own."""
    return next((each for each in presets(brain) if each.name == name), None)


def preset_at(base_url: str, brain: str = "") -> Preset | None:
    """Return the provider's server at an address, as this brain asks it, else as another does; None for any other.

    What runs on one's own computer cannot be told by its address: any program may listen there.
    """
    try:
        found = [each for each in presets() if each.key_variable and each.is_at(base_url)]
    except ValueError:  # no address at all
        return None
    return next((each for each in found if each.brain == brain), next(iter(found), None))


def origin_of(base_url: str) -> str:
    """Return scheme, host and port of an address, in which keys are kept apart; raise ValueError if it is none."""
    parts = urlsplit(base_url)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
    port = parts.port or _PORTS.get(parts.scheme, 0)
    shown = "" if port == _PORTS.get(parts.scheme) else f":{port}"
    return f"{parts.scheme}://{host}{shown}".lower()


@lru_cache(maxsize=1)
def _known() -> tuple[Preset, ...]:
    import yaml

    text = (files("batllm_arcade.assets") / "servers" / "presets.yaml").read_text("utf-8")
    read: Mapping[str, Mapping[str, Mapping[str, Any]]] = yaml.load(  # ours; a loader in C is ten times as fast
        text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    )
    return tuple(_preset(brain, name, values) for brain, named in read.items() for name, values in named.items())


def _preset(brain: str, name: str, values: Mapping[str, Any]) -> Preset:
    same = ("title", "base_url", "ask", "check", "model", "price", "note", "think", "key_env", "key_header", "key_page")
    return Preset(
        brain, "" if name == DEFAULT else name, key_variable=values.get("key", ""),
        hosts=tuple(values.get("hosts", ())), other_keys=tuple(values.get("other_keys", ())),
        adaptations=tuple(_adaptations(values)), **{key: values[key] for key in same if key in values},
    )  # fmt: skip


def _adaptations(values: Mapping[str, Any]) -> list[Adaptation]:
    changes = [Adaptation("rename", old, new) for old, new in values.get("rename", {}).items()]
    changes += [Adaptation("drop", name) for name in values.get("leave_out", ())]
    changes += [Adaptation("schema", "", values["schema"])] if "schema" in values else []
    return changes + ([Adaptation("room", "", MOST_ROOM)] if values.get("room") else [])
