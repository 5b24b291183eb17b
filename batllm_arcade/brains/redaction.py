"""Redaction: what is recorded or shown names no key, no folder and no host of this machine."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Mapping
from pathlib import PurePath

_SECRET = re.compile(r"key|token|secret|password|credential|auth|^header_env$", re.IGNORECASE)
_A_KEY = re.compile(
    r"(?<![\w-])(?:(?:sk|xai|csk|nvapi|pplx|glpat)-|(?:sk|gsk|hf|fw|r8|ghp|github_pat)_|AIza|ya29\.|eyJ)[\w.-]{12,}"
    r"|\b(?:Bearer|Basic) +\S{8,}"
)
"""How the keys of model servers begin."""
_A_LONG_KEY = re.compile(
    r"(?<![\w/.-])(?<!sha256:)(?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[A-Za-z0-9]{32,}(?![\w/.-])", re.ASCII
)
"""A key without a beginning of its own: no word is as long. In paths of addresses there are accounts that are."""
_USER = re.compile(r"//[^\s/?#'\"]*@")
"""A user and a password in an address, with or without its scheme."""
_QUERY = re.compile(r"(\b[A-Za-z][A-Za-z0-9+.-]*:/[^\s?#'\"<>]*)[?#][^\s'\"<>]*")
"""The query and the fragment of an address of any scheme."""


class Secrets:
    """Keys that were given to the program while it runs: they are kept out of every sentence."""

    def __init__(self) -> None:
        self._known: tuple[str, ...] = ()

    def add(self, secret: str) -> str:
        """Return a key, which no sentence shows from now on."""
        # A placeholder such as `x`, which local servers take for a key, stands in half of all words.
        if len(secret) >= 8 and secret not in self._known:
            self._known = (*self._known, secret)
        return secret

    def left_out(self, text: str, most: int | None = None) -> str:
        """Return a text without these keys; of a long one no more than about its first `most` characters."""
        longest = max(map(len, self._known), default=0)
        head = text if most is None else text[: most + longest]
        unsure = longest if len(head) < len(text) else 0  # characters at its end that may begin a key
        for secret in self._known:
            head = head.replace(secret, "***")
        return head[: len(head) - unsure]


SECRETS = Secrets()
"""The keys that this program has been given."""


def is_secret(name: str) -> bool:
    """Return True if an option or environment variable of this name holds a secret; `max_tokens` counts some."""
    return name != "max_tokens" and _SECRET.search(name) is not None


def looks_like_key(text: str) -> bool:
    """Return whether a text holds what looks like the key of a model server."""
    return _A_KEY.search(text) is not None or _A_LONG_KEY.search(text) is not None


def public_options(options: Mapping[str, str]) -> dict[str, str]:
    """Return a brain's options as they may be recorded, without secrets and without `name`."""
    return {key: public(key, text) for key, text in options.items() if key != "name" and not is_secret(key)}


def public_variant(variant: str) -> str:
    """Return a brain's variant without the folders of one that is a file."""
    return PurePath(variant.replace("\\", "/")).name if "/" in variant or "\\" in variant else variant


def public(key: str, value: str) -> str:
    """Return an option's value without passwords and folders."""
    if key == "base_url" or "://" in value:
        scheme, _, rest = value.rpartition("://")
        host, slash, path = re.split(r"[?#]", rest)[0].partition("/")
        host = host.rpartition("@")[2]
        return f"{scheme}://{host}{slash}{path}" if scheme else f"{host}{slash}{path}"
    # `owner/model` is how many servers name their models; anything else with a slash is a file here.
    name = re.fullmatch(r"[\w.-]+(/[\w.:-]+)+", value) and value[0] != "." and not value.lower().endswith(".gguf")
    price = key == "price" and re.fullmatch(r"[0-9.e+-]+/[0-9.e+-]+", value)
    if price or (key == "model" and name) or not ("/" in value or "\\" in value):
        return value
    return PurePath(value.replace("\\", "/")).name


def without_secrets(text: str) -> str:
    """Return a sentence without the keys in the environment, and without users, passwords and queries of addresses."""
    for name, value in os.environ.items():
        if len(value) >= 8 and is_secret(name):
            text = text.replace(value, "***")
    text = SECRETS.left_out(text)
    return _QUERY.sub(r"\1", _USER.sub("//", text))


def without_folders(text: str) -> str:
    """Return a sentence without secrets, folders and the name of this machine."""
    text = without_secrets(text)
    for personal in (os.path.expanduser("~"), socket.gethostname()):
        if len(personal) > 3:
            text = text.replace(personal, "~" if "/" in personal else "this machine")
    text = text.replace("file://", "")
    text = re.sub(r"(['\"])(?:~|[A-Za-z]:)?[\\/][^'\"]*[\\/]([^'\"\\/]+)\1", r"\1.../\2\1", text)
    return re.sub(r"(?<![\w:/\\.])(?:~|[A-Za-z]:)?(?:[\\/]+[^\\/\s'\":]+)*[\\/]+(?=[^\\/\s'\":])", "", text)
