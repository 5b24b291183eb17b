"""Whose key a server gets: the host decides, so that no address in a configuration collects another provider's key."""

from __future__ import annotations

from dataclasses import dataclass

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.errors import UsageError
from batllm_arcade.models.finding.addresses import is_loopback, parse_address
from batllm_arcade.models.finding.presets import Preset, origin_of
from batllm_arcade.models.keys.store import KeptKey, key_store

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
        import os

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


def own_source(base_url: str, variable: str, *, optional: bool = False) -> KeySource:
    """Return where the key comes from for a server that is certainly the one whose key `variable` holds."""
    return key_source(base_url, "", None, (base_url, variable), optional=optional)


def variable_named(spec: Spec) -> str:
    """Return the variable that a spec names with `key_env`, "" without one; raise UsageError if that is no name."""
    name = spec.text(VARIABLE)
    if name and not (name.isascii() and name.isidentifier()):  # not quoted: it may be the key itself
        raise UsageError(
            f"{VARIABLE} of {spec.name} takes the name of an environment variable that holds the key, such as "
            "OPENROUTER_API_KEY, not the key itself"
        )
    return name
