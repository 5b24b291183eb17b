"""A person's settings: how the arcade looks, sounds and is operated; none of them changes the rules or a session.

In a settings file (or under `settings:` in a configuration) they are grouped; what is left out has its default.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from batllm_arcade.errors import UsageError, quoted
from batllm_arcade.settings.display import DisplayOptions
from batllm_arcade.settings.key_bindings import ACTIONS, KEYS, PAD, Bindings, refused
from batllm_arcade.settings.parsing import mapping
from batllm_arcade.settings.setting_table import FIELDS


@dataclass(frozen=True, slots=True)
class Settings:
    """Volumes are from 0 to 1; `turn_clock_s` is the seconds a person has for a turn, 0 for no limit."""

    display: DisplayOptions = DisplayOptions()
    effects_volume: float = 0.8
    music_volume: float = 0.4
    muted: bool = False
    night: bool = False
    """For headphones at night: loud sounds are held back, and everything is quieter."""
    fullscreen: bool = False
    rumble: bool = True
    clips: bool = True
    """Keep the last seconds in memory, to save them as a clip; needs the extra `video`."""
    turn_clock_s: float = 0.0
    left_name: str = ""
    right_name: str = ""
    """What the people at the seats are called, "" where nobody has said."""
    guided: bool = True
    """Whether the next match with a person explains itself; switched off when one has."""
    coach: bool = False
    """Whether a person who plays against a bot may ask for the best play, three times a game."""
    played: bool = False
    """Whether a match has ever been begun."""
    hide_prompts: bool = False
    """Hide a prompt while the other player writes theirs."""
    bots: tuple[str, ...] = ()
    """The files of bots chosen last, the latest first."""
    servers: tuple[str, ...] = ()
    """The model servers that the person has added, as brains with their options, the one used last first."""
    keys: Mapping[str, Bindings] = field(default_factory=lambda: KEYS)
    pad: Bindings = field(default_factory=lambda: PAD)


MOST_BOTS = 8
"""Files of bots that are remembered."""


MOST_SERVERS = 40
"""Model servers that a person can have."""


def with_server(settings: Settings, text: str) -> Settings:
    """Return the settings with this server, a brain with its options, as the first."""
    return replace(settings, servers=(text, *(each for each in settings.servers if each != text))[:MOST_SERVERS])


def without_server(settings: Settings, text: str) -> Settings:
    """Return the settings without this server."""
    return replace(settings, servers=tuple(each for each in settings.servers if each != text))


def _servers(value: Any) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(each, str) and each.strip() for each in value):
        raise UsageError(f"servers must be a list of brains such as openai:openrouter, not {quoted(value)}")
    return tuple(value[:MOST_SERVERS])


def _files(value: Any) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(each, str) and each.strip() for each in value):
        raise UsageError(f"bots must be a list of files, not {quoted(value)}")
    return tuple(value[:MOST_BOTS])


def with_bot(settings: Settings, path: str) -> Settings:
    """Return the settings with this file as the one chosen last."""
    return replace(settings, bots=(path, *(each for each in settings.bots if each != path))[:MOST_BOTS])


_DISPLAY = frozenset(each.name for each in fields(DisplayOptions))


def value(settings: Settings, name: str) -> Any:
    """Return a setting by its name in `FIELDS`."""
    return getattr(settings.display if name in _DISPLAY else settings, name)


def changed(settings: Settings, name: str, to: Any) -> Settings:
    """Return the settings with one of them changed."""
    if name in _DISPLAY:
        return replace(settings, display=replace(settings.display, **{name: to}))
    return replace(settings, **{name: to})


def bound(settings: Settings, group: str, action: str, names: tuple[str, ...]) -> Settings:
    """Return the settings with an action bound to other keys (group left, right, screen) or buttons (group pad)."""
    if group == "pad":
        return replace(settings, pad={**settings.pad, action: names})
    return replace(settings, keys={**settings.keys, group: {**settings.keys[group], action: names}})


def bindings(settings: Settings, group: str) -> Bindings:
    """Return the keys of a group, or the buttons of the group `pad`."""
    return settings.pad if group == "pad" else settings.keys[group]


def read(values: Any, over: Settings | None = None) -> Settings:
    """Return `over` (default: as shipped) with these values; raise UsageError naming the first that is wrong."""
    settings, wrong = read_known(values, over)
    if wrong:
        raise UsageError(wrong[0])
    return settings


def read_known(values: Any, over: Settings | None = None) -> tuple[Settings, list[str]]:
    """Return `over` (default: as shipped) with those of these values that are settings, and what the others are.

    A newer version of the program may know more of them. Raise UsageError if these are no values with names at all.
    """
    settings, wrong = over or Settings(), list[str]()
    for group, inner in _mapping("the settings", values).items():
        for name, given in _parts(group, inner, wrong):
            try:
                settings = _with(settings, group, name, given)
            except UsageError as error:
                wrong.append(str(error))
    return settings, wrong


def _parts(group: str, inner: Any, wrong: list[str]) -> Iterator[tuple[str, Any]]:
    """Yield each setting of a group with its value; a group that holds none is added to `wrong`."""
    if group not in FIELDS and group not in ("keys", "pad"):
        yield "", inner
        return
    try:
        for name, given in _mapping(group, inner).items():
            if group == "keys" and name in KEYS:
                yield from ((f"{name}.{action}", names) for action, names in _mapping(name, given).items())
            else:
                yield name, given
    except UsageError as error:
        wrong.append(str(error))


def _with(settings: Settings, group: str, name: str, given: Any) -> Settings:
    """Return the settings with one more; raise UsageError if there is no such setting or it has no such value."""
    if group == "bots":
        return replace(settings, bots=_files(given))
    if group == "servers":
        return replace(settings, servers=_servers(given))
    if group == "pad":
        return _with_binding(settings, "pad", name, given)
    if group == "keys":
        seat, _, action = name.partition(".")
        if seat not in KEYS:
            raise UsageError(f"keys has {', '.join(KEYS)}, not {quoted(seat)}")
        return _with_binding(settings, seat, action, given)
    if group not in FIELDS:
        known = ", ".join((*FIELDS, "bots", "servers", "keys", "pad"))
        raise UsageError(f"{quoted(group)} is not a group of settings; the groups are {known}")
    if name not in FIELDS[group]:
        raise UsageError(f"{group} has no {quoted(name)}; it has {', '.join(FIELDS[group])}")
    try:
        return changed(settings, name, FIELDS[group][name].kind.read(given))
    except UsageError as error:
        raise UsageError(f"{group}.{name} {error}") from None


def _with_binding(settings: Settings, group: str, action: str, names: Any) -> Settings:
    if action not in ACTIONS[group]:
        raise UsageError(f"{group} has no action {quoted(action)}; it has {', '.join(ACTIONS[group])}")
    listed = [names] if isinstance(names, str) else names
    if not isinstance(listed, list) or not all(isinstance(name, str) and name.strip() for name in listed):
        instead = list((PAD if group == "pad" else KEYS[group]).get(action, ()))
        raise UsageError(f"{group}.{action} must be a list of names such as {instead}, not {quoted(names)}")
    lowered = tuple(name.strip().lower() for name in listed)
    for name in lowered:
        if why := refused(group, action, name):
            raise UsageError(f"{group}.{action} cannot be on {quoted(name)}: {why}")
    return bound(settings, group, action, lowered)


def _mapping(name: str, given: Any) -> Mapping[str, Any]:
    return mapping(name, {} if given is None else given)


def values(settings: Settings) -> dict[str, Any]:
    """Return what differs from the settings as shipped, ready to be written as YAML."""
    shipped = Settings()
    found: dict[str, Any] = {}
    for group, names in FIELDS.items():
        differs = {name: value(settings, name) for name in names if value(settings, name) != value(shipped, name)}
        if differs:
            found[group] = differs
    if settings.bots:
        found["bots"] = list(settings.bots)
    if settings.servers:
        found["servers"] = list(settings.servers)
    keys = {group: _rebound(settings, group) for group in KEYS if _rebound(settings, group)}
    if keys:
        found["keys"] = keys
    if _rebound(settings, "pad"):
        found["pad"] = _rebound(settings, "pad")
    return found


def _rebound(settings: Settings, group: str) -> dict[str, list[str]]:
    ours, shipped = bindings(settings, group), bindings(Settings(), group)
    return {action: list(names) for action, names in ours.items() if names != shipped.get(action, ())}
