"""Keys of model servers: where they are found, kept and hidden."""

from __future__ import annotations

import json
import os
import threading
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.brains.redaction import SECRETS
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.files.atomic import read_private, write_private
from batllm_arcade.files.paths import data_folder
from batllm_arcade.models.failures import ServerError
from batllm_arcade.models.presets import Preset, is_loopback, origin_of, parse_address

HIDDEN = "***"
LEAST = 8
"""The shortest key that is hidden: a placeholder such as `x`, which local servers take, stands in half of all words."""


def without_key(text: str, key: str) -> str:
    """Return the text without the key: as it is, in an address, in hex or base64, also within a longer text.

    JSON stays JSON. Who has the key could write it in any other way; this is for servers that repeat what they got.
    """
    if len(key) < LEAST:
        return text
    for form in _forms(key):
        text = text.replace(form, HIDDEN)
    return text


@lru_cache(maxsize=8)
def _forms(key: str) -> tuple[str, ...]:
    found = [key, quote(key, safe=""), key.encode().hex()]
    for before in range(3):  # which of four characters the key begins with depends on what stands before it
        data = bytes(before) + key.encode()
        whole = slice(-(-8 * before // 6), 8 * len(data) // 6)
        found += [b64encode(data).decode()[whole], urlsafe_b64encode(data).decode()[whole]]
    return tuple(dict.fromkeys(found))


LARGEST = 256 * 1024
"""Bytes of the largest file that is read; one with fifty keys has some ten thousand."""
_VERSION = 1


class KeysUnusable(ArcadeError):
    """The file of keys or the keyring cannot be used; `str()` is one sentence that says what to do."""


class KeyFile:
    """The file at `find()`: by a server's origin, `{"key": TEXT}` or `{"keyring": true}`."""

    def __init__(self, find: Callable[[], Path]) -> None:
        self._find = find
        self._seen: tuple[int, int, int] | None = None
        self._entries: Mapping[str, Mapping[str, Any]] = {}

    def entries(self) -> Mapping[str, Mapping[str, Any]]:
        """Return what is kept, {} if nothing is; raise KeysUnusable if others can read the file or it is damaged."""
        try:
            path = self._find()
            found = os.lstat(path)
        except OSError:
            self._seen, self._entries = None, {}
            return {}
        seen = (found.st_mtime_ns, found.st_ino, found.st_size)
        if seen != self._seen:
            self._entries, self._seen = _read_keys(path), seen
        return self._entries

    def change(self, origin: str, entry: Mapping[str, Any] | None) -> None:
        """Write the file with this entry, None: without it; raise KeysUnusable if that cannot be done."""
        entries = {name: dict(each) for name, each in self.entries().items() if name != origin}
        if entry is not None:
            entries[origin] = dict(entry)
        try:
            text = json.dumps({"version": _VERSION, "keys": entries}, indent=1) + "\n"
            write_private(self._find(), text.encode())
        except OSError as error:
            raise KeysUnusable(
                f"the key could not be kept in your data folder ({error.strerror}); it can be used for this run only"
            ) from None


def _read_keys(path: Path) -> Mapping[str, Mapping[str, Any]]:
    try:
        values = json.loads(read_private(path, LARGEST).decode("utf-8-sig", "replace"))
    except OSError as error:
        raise KeysUnusable(f"your file of keys {path.name!r} cannot be used: {error.strerror}") from None
    except (ValueError, RecursionError):
        values = None
    keys = values.get("keys") if isinstance(values, dict) else None
    if not isinstance(keys, dict):
        raise KeysUnusable(f"your file of keys {path.name!r} is damaged; remove it, and give the keys again")
    return {name: each for name, each in keys.items() if isinstance(each, dict)}


SERVICE = "batllm-arcade"


def has_keyring() -> bool:
    """Return whether there is a keyring that keeps keys safe; takes a moment when first asked."""
    if find_spec("keyring") is None:
        return False
    try:
        import keyring

        # Those below 1 are no system's keyring: plain files, or one that refuses everything.
        return float(keyring.get_keyring().priority) >= 1
    except Exception:  # noqa: BLE001 - a backend is a plugin of the system's
        return False


def read(origin: str) -> str:
    """Return the key kept for a server's origin, "" without one; raise KeysUnusable."""
    return str(_asked("get_password", SERVICE, origin) or "")


def write(origin: str, key: str) -> None:
    """Keep a key; raise KeysUnusable."""
    _asked("set_password", SERVICE, origin, key)


def forget(origin: str) -> None:
    """Remove a key that is kept; raise KeysUnusable."""
    if read(origin):
        _asked("delete_password", SERVICE, origin)


def _asked(method: str, *values: str) -> Any:
    try:
        import keyring

        return getattr(keyring, method)(*values)
    except Exception as error:  # noqa: BLE001 - a backend is a plugin of the system's; its words may hold the key
        raise KeysUnusable(
            f"the keyring does not work ({type(error).__name__}); unlock it, or keep the key in a file or for this run"
        ) from None


Place = Literal["run", "keyring", "file"]


@dataclass(frozen=True, slots=True)
class KeptKey:
    """Where a key is: `where` is "" without one; `name` is the environment variable of one that is there."""

    where: Literal["", "run", "keyring", "file", "variable"] = ""
    name: str = ""


def data_file() -> Path:
    """Return the file of keys in the user's data folder; raise NoUserFolder where nobody knows of one."""
    return data_folder() / "keys.json"


class KeyStore:
    """The keys of one user; every method is thread-safe. `keep`, `forget` and `places` may take their time."""

    def __init__(self, path: Callable[[], Path] = data_file) -> None:
        self._kept = KeyFile(path)
        self._lock = threading.RLock()
        self._run: dict[str, str] = {}
        self._from_keyring: dict[str, str] = {}

    def places(self) -> tuple[Place, ...]:
        """Return where keys can be kept here, the safest that lasts first."""
        lasting: tuple[Place, ...] = ("keyring", "file") if has_keyring() else ("file",)
        return (*lasting, "run")

    def keep(self, origin: str, key: str, where: Place) -> None:
        """Keep a key for a server's origin, in place of any other; raise an ArcadeError that says why it cannot be."""
        key = key.strip()
        if problem := problem_of(key):
            raise UsageError(f"that is no key: {problem}")
        SECRETS.add(key)
        if where == "keyring":  # which may ask the user first: nobody else waits for that
            write(origin, key)
        with self._lock:
            if where == "run":
                self._run[origin] = key
                return
            self._kept.change(origin, {"keyring": True} if where == "keyring" else {"key": key})
            self._run.pop(origin, None)
            self._from_keyring.pop(origin, None)

    def forget(self, origin: str, where: Place | None = None) -> None:
        """Remove the key kept for an origin, wherever it is, or only there; raise an ArcadeError if that cannot be."""
        with self._lock:
            if where in (None, "run"):
                self._run.pop(origin, None)
            entry = self._kept.entries().get(origin)
            lasting: Place = "keyring" if entry and entry.get("keyring") else "file"
            if entry is None or where not in (None, lasting):
                return
            self._from_keyring.pop(origin, None)
        if lasting == "keyring":
            forget(origin)
        with self._lock:
            self._kept.change(origin, None)

    def kept(self, origin: str) -> KeptKey:
        """Return where the key for an origin is kept; quick, and it never raises."""
        with self._lock:
            if origin in self._run:
                return KeptKey("run")
            try:
                entry = self._kept.entries().get(origin)
            except ArcadeError:
                return KeptKey()
        return KeptKey() if entry is None else KeptKey("keyring" if entry.get("keyring") else "file")

    def key(self, origin: str) -> str:
        """Return the key kept for an origin, "" without one; raise an ArcadeError if its place cannot be read.

        A keyring that is locked may ask the user first.
        """
        with self._lock:
            known = self._run.get(origin) or self._from_keyring.get(origin)
            entry = None if known else self._kept.entries().get(origin)
        if known or entry is None:
            return known or ""
        if not entry.get("keyring"):
            key = entry.get("key")
            return SECRETS.add(key) if isinstance(key, str) else ""
        found = SECRETS.add(read(origin))
        with self._lock:
            self._from_keyring[origin] = found
        return found


@lru_cache(maxsize=1)
def key_store() -> KeyStore:
    """Return the keys of the user who runs the program."""
    return KeyStore()


def problem_of(key: str) -> str:
    """Return why a text cannot be a key, in a few words; "" if it can."""
    if not key:
        return "it is empty"
    if not (key.isascii() and key.isprintable()) or " " in key:
        return "it holds characters that no key has"
    return "" if len(key) <= 8192 else "it is too long"


VARIABLE = "key_env"
"""The option that names the environment variable with a key; it counts where the user has written it."""


@dataclass(frozen=True, slots=True)
class KeySource:
    """Where the key for the server at `origin` is looked for: first in the key store, then in `variables`.

    `needed`: without one nothing is asked. `named`: the user has named the variable, which then comes first. `hint` is
    a variable to name.
    """

    origin: str
    variables: tuple[str, ...] = ()
    needed: bool = False
    named: bool = False
    hint: str = ""

    @property
    def variable(self) -> str:
        """The variable that sentences name, "" without one."""
        return next(iter(self.variables), "")

    @property
    def kept(self) -> KeptKey:
        """Where the key is that would be sent."""
        stored = KeptKey() if self.named else key_store().kept(self.origin)
        found = next((name for name in self.variables if os.environ.get(name, "").strip()), "")
        return stored if stored.where or not found else KeptKey("variable", found)


def key_source(
    base_url: str, named: str, preset: Preset | None, own: tuple[str, str] = ("", ""), *, optional: bool = False
) -> KeySource:
    """Return where the key for an address comes from.

    `named` is the variable that the user has named, `own` the address and the variable of the brain that asks. A
    provider's variable is for its own addresses; any other server gets a key only if the user has named a variable, or
    has kept a key for that very origin.
    """
    origin = origin_of(parse_address(base_url).base)
    if named:
        return KeySource(origin, (named,), needed=True, named=True)
    if preset is not None and preset.key_variable and preset.is_at(base_url):
        return KeySource(origin, (preset.key_variable, *preset.other_keys), needed=True)
    home, variable = own
    if variable and home and origin == origin_of(parse_address(home).base):
        return KeySource(origin, (variable,), needed=not (optional and is_loopback(base_url)))
    return KeySource(origin, hint=(preset.key_env if preset is not None else "") or variable)


def variable_named(spec: Spec, option: str = VARIABLE, holds: str = "the key") -> str:
    """Return the variable that a spec names in an option, "" without one; raise UsageError if that is no name."""
    name = spec.text(option)
    if name and not _is_name(name):  # not quoted: it may be the key itself
        raise UsageError(
            f"{option} of {spec.name} takes the name of an environment variable that holds {holds}, such as "
            f"OPENROUTER_API_KEY, not {holds} itself"
        )
    return name


def _is_name(text: str) -> bool:
    return text.isascii() and text.isidentifier()


@dataclass(frozen=True, slots=True)
class NamedHeader:
    """A header whose value an environment variable holds; with `basic` that is `USER:PASSWORD`."""

    header: str
    variable: str
    basic: bool = False

    @property
    def secrets(self) -> tuple[str, ...]:
        """What the variable holds, and what of it is secret by itself: a password, the last word of a value."""
        value = os.environ.get(self.variable, "").strip()
        encoded = b64encode(value.encode("utf-8", "replace")).decode()
        parts = value, value.rpartition(":" if self.basic else " ")[2], encoded if self.basic else ""
        return tuple(map(SECRETS.add, parts))

    @property
    def value(self) -> str:
        """What is sent, "" where the variable holds nothing, or nothing that can be sent."""
        value, _, encoded = self.secrets
        if not value.isascii() or not value.isprintable() or (self.basic and ":" not in value):
            return ""
        return f"Basic {encoded}" if self.basic else value


def named_headers(spec: Spec) -> tuple[NamedHeader, ...]:
    """Return the headers that a spec names with `header_env` and `auth_env`; raise UsageError if they are no names."""
    found = []
    if login := variable_named(spec, "auth_env", "USER:PASSWORD"):
        found.append(NamedHeader("Authorization", login, basic=True))
    for part in filter(None, spec.text("header_env").split("+")):
        header, _, variable = part.partition(":")
        if not header.replace("-", "").isalnum() or not header.isascii() or not _is_name(variable):
            raise UsageError(
                f"header_env of {spec.name} takes HEADER:NAME, such as X-Team:TEAM_TOKEN, where NAME is an environment "
                "variable that holds what is sent, not the value itself; several are joined by +"
            )
        found.append(NamedHeader(header, variable))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class ApiKey:
    """The key from `source` for the server at `base_url`.

    It is sent in `header`, as a bearer token if that is Authorization, unless one of the headers in `named`, which are
    sent as well, has that name. With `proxied` even a server on this computer gets them over https only.
    """

    source: KeySource
    header: str
    base_url: str
    proxied: bool = False
    named: tuple[NamedHeader, ...] = ()

    def headers(self, where: str) -> dict[str, str]:
        """Return the headers that carry secrets, none without any; raise ServerError that says what to set."""
        for each in self.named:
            if not each.value:
                login = "USER:PASSWORD" if each.basic else f"the header {each.header}"
                sentence = f"{where} needs {login}; set the environment variable {each.variable} to it"
                raise ServerError(sentence, fatal=True, why="key")
            self._check_way(f"what {each.variable} holds")
        named = {each.header: each.value for each in self.named}
        return named if self.header.lower() in map(str.lower, named) else {**self._key(where), **named}

    def _key(self, where: str) -> dict[str, str]:
        name, key = self._found(where)
        if not key and self.source.needed:
            sentence = f"{where} needs a key; set the environment variable {self.source.variable}"
            raise ServerError(sentence, fatal=True, why="key")
        if not key:
            return {}
        if problem_of(key):
            raise ServerError(f"{name} holds characters that no key has; set it again", fatal=True, why="wrong key")
        self._check_way(f"the key in {name}" if name in self.source.variables else "your key")
        return {self.header: f"Bearer {key}" if self.header == "Authorization" else key}

    def _check_way(self, what: str) -> None:
        if not self.base_url.startswith("https://") and (self.proxied or not is_loopback(self.base_url)):
            sentence = f"{what} must not travel to {self.base_url} unencrypted; use an https:// address"
            raise ServerError(sentence, fatal=True, why="options")

    @property
    def is_there(self) -> bool:
        """Whether there is a key, or a header that stands for one, that is sent."""
        with suppress(ServerError):
            return bool(self.named or self._found("")[1])
        return False

    @property
    def hint(self) -> str:
        """What to do about a key that a server refuses, or that it wants."""
        source = self.source
        if self.named:
            return f"check what is in {' and '.join(each.variable for each in self.named)}"
        if self.is_there:
            name = self._found("")[0]
            return f"check the key in {name}" if name in source.variables else f"check {name}"
        name = source.hint or source.variable or "NAME"
        return f"it wants a key or a permission; say which variable holds its key: key_env={name}"

    def redact(self, text: str) -> str:
        """Return the text without the key and what the named headers hold."""
        secrets = [secret for each in self.named for secret in each.secrets]
        with suppress(ServerError):
            secrets.append(self._found("")[1])
        for secret in secrets:
            text = without_key(text, secret)
        return text

    def _found(self, where: str) -> tuple[str, str]:
        """Return where the key is from, in words, and the key itself, "" without one."""
        source = self.source
        try:
            stored = "" if source.named else key_store().key(source.origin)
        except ArcadeError as problem:
            raise ServerError(f"{where} needs a key: {problem}", fatal=True, why="key") from None
        if stored:
            return "the key that you have kept", stored
        values = ((name, os.environ.get(name, "").strip()) for name in source.variables)
        return next((found for found in values if found[1]), (source.variable, ""))
