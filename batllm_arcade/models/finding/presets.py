"""The model servers that are known by name (assets/servers/presets.yaml): where each is, whose key it gets, what it
refuses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal
from urllib.parse import urlsplit

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.models.adapting.adaptation import MOST_ROOM, Adaptation
from batllm_arcade.models.finding.addresses import is_loopback

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
    own = {
        key: values[key]
        for key in ("title", "base_url", "ask", "check", "model", "price", "note", "think")
        if key in values
    }
    keys = {key: values[key] for key in ("key_env", "key_header", "key_page") if key in values}
    return Preset(
        brain, "" if name == DEFAULT else name, key_variable=values.get("key", ""),
        hosts=tuple(values.get("hosts", ())), other_keys=tuple(values.get("other_keys", ())),
        adaptations=tuple(_adaptations(values)), **own, **keys,
    )  # fmt: skip


def _adaptations(values: Mapping[str, Any]) -> list[Adaptation]:
    found = [Adaptation("rename", old, new) for old, new in values.get("rename", {}).items()]
    found += [Adaptation("drop", each) for each in values.get("leave_out", ())]
    found += [Adaptation("schema", "", values["schema"])] if "schema" in values else []
    return found + ([Adaptation("room", "", MOST_ROOM)] if values.get("room") else [])
