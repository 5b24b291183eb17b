"""What is taken of a brain that a file names: nothing by which whoever wrote the file would widen their rights.

Every brain out of a file passes `brain_of_file`: those of recorded matches (sessions, pages, leagues), which perhaps a
stranger has written, and those of plans and configurations, which a person has named.
"""

from __future__ import annotations

import ipaddress
import os
import re
import shlex
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from batllm_arcade.brains.kinds import Option
from batllm_arcade.brains.protocol import BrainKind, Spec, options_of
from batllm_arcade.brains.redaction import is_secret, public
from batllm_arcade.errors import UsageError
from batllm_arcade.files.paths import whole_path
from batllm_arcade.isolation.sandbox import ISOLATION_OPTIONS
from batllm_arcade.models.api_keys import VARIABLE
from batllm_arcade.models.presets import origin_of, parse_address, presets

_HOST = re.compile(r"([a-z0-9._-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?", re.IGNORECASE)
"""A host and its port, spelled in the one way that everybody reads alike."""
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_A_SERVER = re.compile(r"url|uri|host|server|address|endpoint", re.IGNORECASE)
"""Names of options that say where a server is, of a brain that does not declare them."""
_VARIABLES = re.compile(r"_env$", re.IGNORECASE)
_FENCED = {"isolation": "sandbox", "network": "no"}
"""All that a plan may say of how a bot is isolated."""


FILES: Mapping[str, Collection[str]] = {
    "cassette": ("", "file"), "embedded": ("model",), "policy": ("",), "proc": ("",),
    **dict.fromkeys(("anthropic", "gemini", "mistral", "ollama", "openai"), ("ca",)),
}  # fmt: skip
"""The options of bundled brains that are files, "" for the variant: a plan is read before any brain is loaded."""


class ForeignAddress(UsageError):
    """A recorded match would ask a server at an address that nobody here has named; `origin` is that address.

    `str()` says how to allow it on the command line.
    """

    def __init__(self, sentence: str, origin: str) -> None:
        super().__init__(sentence)
        self.origin = origin


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recorded match: the brains there are here, the origins that a person has allowed, what to do about a seat.

    `instead` is the end of a sentence about a brain that is not made again, with `{who}` for its seat or player.
    """

    kinds: Mapping[str, BrainKind]
    allowed: frozenset[str] = frozenset()
    instead: str = "add --{who} BRAIN"


def brain_of_file(spec: Spec, who: str, source: Recorded | Path) -> Spec:
    """Return the brain that a file names for a seat or a player, as it may play here.

    Of a plan or a configuration in the folder `source`: as it is; raise UsageError if it names a key's variable, says
    how its bot is isolated, or a file from elsewhere. Of a recorded match: without options that reach outside
    of it; raise UsageError if it is not the same without them, or a file, ForeignAddress if it asks an address that is
    neither this computer's own, nor a known provider's, nor one that was allowed.
    """
    return _of_match(spec, who, source) if isinstance(source, Recorded) else _of_plan(spec, who, source)


def _of_plan(spec: Spec, who: str, folder: Path) -> Spec:
    for key, value in spec.options.items():
        if key == VARIABLE or _VARIABLES.search(key):
            raise UsageError(
                f"{who} must not name a key's variable ({key}=...): it would send your key to an address that "
                f"somebody else has chosen; leave it out, and write it on the command line"
            )
        if key in ISOLATION_OPTIONS and value.lower() != _FENCED[key]:
            raise UsageError(
                f"{who} must not say how its bot is isolated ({key}={value}): whoever wrote the file would decide what "
                f"it can do to this computer; leave it out, and write it on the command line"
            )
    for path in named_files(spec):
        own_file(folder, path, f"{who}: the file", "put it there, or write the brain on the command line")
    return spec


def named_files(spec: Spec) -> list[str]:
    """Return the whole paths of all files that a brain names, but for its program by name or whole path.

    What is declared to be a file is among them also where there is none.
    """
    paths = []
    for key, value in [("", spec.variant), *spec.options.items()]:
        path = _path(value)
        always = value and key in FILES.get(spec.name, ())
        looks = key != "cmd" and re.search(r"[./\\~]", value) is not None
        if path and (always or (looks and (os.path.lexists(path) or os.path.lexists(f"{path}.journal")))):
            paths += [path, f"{path}.journal"]  # what a session that is being written is read from
    words = _words_of_command(spec.text("cmd"))
    named = [word for at, word in enumerate(words) if at or ("/" in word and not os.path.isabs(word))]
    # A sandbox shows its bot what its command names.
    return paths + [_path(word) for word in named if os.path.isfile(word)]


def _path(text: str) -> str:
    with suppress(OSError, RuntimeError, ValueError):
        return str(whole_path(Path(text)))
    return ""


def _words_of_command(command: str) -> list[str]:
    """Return the words of a command line; one that cannot be read is told where it is run."""
    try:
        return shlex.split(command)
    except ValueError:
        return []


def _of_match(spec: Spec, who: str, recorded: Recorded) -> Spec:
    instead = recorded.instead.format(who=who)
    kind = recorded.kinds.get(spec.name)
    if kind is None:
        raise UsageError(f"{who} was played by {spec.short!r}, which is not installed; {instead}")
    if kind.files:
        raise UsageError(f"{who} was played by {spec.short}, whose folder is not recorded; {instead}")
    if spec.variant and spec.variant not in (*kind.variants, *kind.presets):
        raise UsageError(f"{who} was played by {spec.short}, which is not taken from a file; {instead}")
    declared = {each.name: each for each in options_of(kind, spec.variant)}
    options = {}
    for key, value in spec.options.items():
        option = declared.get(key)
        if _reaches_outside(key, option):
            continue
        if _is_address(key, value, option):
            _check_address(key, value, who, recorded)
        elif (option is not None and option.type == "file") or public(key, value) != value or not _NAME.fullmatch(key):
            raise UsageError(f"{who} was played with {key}={value!r:.60}, which is not taken from a file; {instead}")
        options[key] = value
    return replace(spec, options=options)


def _reaches_outside(key: str, option: Option | None) -> bool:
    """Return whether an option is for the command line and a person's own settings alone."""
    variable = (option is not None and option.type == "variable") or _VARIABLES.search(key) is not None
    proxied = "proxy" in key.lower() or "header" in key.lower()
    return variable or proxied or is_secret(key) or key in ISOLATION_OPTIONS


def _is_address(key: str, value: str, option: Option | None) -> bool:
    if "://" in value or (option is not None and option.type == "address"):
        return True
    return option is None and _A_SERVER.search(key) is not None


def _check_address(key: str, value: str, who: str, recorded: Recorded) -> None:
    instead = recorded.instead.format(who=who)
    try:
        origin = address_origin(value, key)
    except UsageError as error:
        raise UsageError(f"{who}: {error}, or {instead}") from None
    if not (_is_this_computer(origin) or _is_a_provider(origin) or origin in recorded.allowed):
        raise ForeignAddress(
            f"{who} asks {origin}, which only the file names: it is neither this computer's own address nor that of "
            f"a known provider; add --allow-address {origin} if it may be asked, or {instead}",
            origin,
        )


def address_origin(text: str, option: str = "--allow-address") -> str:
    """Return scheme, host and port of an address; raise UsageError, naming `option`, if it is none or oddly spelled."""
    base = parse_address(text, option).base
    if not _HOST.fullmatch(urlsplit(base).netloc):
        raise UsageError(f"{option} must be an address like http://127.0.0.1:11434, not {text!r:.100}")
    return origin_of(base)


def own_origins(addresses: Iterable[str] = ()) -> frozenset[str]:
    """Return the origins that this person has named: these addresses, and the servers in their own settings.

    Raise UsageError if one of the addresses is none.
    """
    from batllm_arcade.settings.store import SettingsFile

    origins = set(map(address_origin, addresses))
    for text in SettingsFile().settings.servers:
        with suppress(UsageError):
            origins.add(address_origin(Spec.parse(text).text("base_url")))
    return frozenset(origins)


def _is_this_computer(origin: str) -> bool:
    """Return whether an origin is on this very computer beyond doubt: `localhost`, 127.0.0.0/8 or ::1."""
    host = urlsplit(origin).hostname or ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost"
    return address == ipaddress.IPv6Address("::1") or (address.version == 4 and address.is_loopback)


def _is_a_provider(origin: str) -> bool:
    """Return whether an origin is a known provider's own; below a name that its customers share it may be anybody's."""
    known = {origin_of(each.base_url) for each in presets() if each.base_url}
    return origin in known or origin in {f"https://{host}" for each in presets() for host in each.hosts}


def own_file(folder: Path, text: str, what: str, instead: str) -> Path:
    """Return the path of a file or folder that a plan names, beside it or below.

    Raise UsageError if it is elsewhere, also by a link, or hidden: whoever wrote the plan would have it read.
    """
    path = folder / text
    with suppress(OSError, RuntimeError, ValueError):
        inside = path.resolve().relative_to(folder.resolve())
        if not any(part.startswith(".") for part in inside.parts):
            return path
    raise UsageError(f"{what} {text!r:.300} is not beside the file that names it or below; {instead}")
