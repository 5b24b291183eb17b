"""A person's settings: how the arcade looks, sounds and is operated; none of them changes the rules or a session.

In a settings file (or under `settings:` in a configuration) they are grouped; what is left out has its default.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from batllm_arcade.errors import UsageError, quoted
from batllm_arcade.settings.display import TELEGRAPHS, DisplayOptions
from batllm_arcade.settings.key_bindings import ACTIONS, KEYS, PAD, Bindings, refused
from batllm_arcade.settings.parsing import mapping


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
    played: bool = False
    """Whether a match has ever been begun."""
    hide_prompts: bool = False
    """Hide a prompt while the other player writes theirs."""
    bots: tuple[str, ...] = ()
    """The files of bots chosen last, the latest first."""
    keys: Mapping[str, Bindings] = field(default_factory=lambda: KEYS)
    pad: Bindings = field(default_factory=lambda: PAD)


def _switch(value: Any) -> bool:
    if not isinstance(value, bool):
        raise UsageError(f"must be true or false, not {quoted(value)}")
    return value


def _within(least: float, most: float) -> Callable[[Any], float]:
    def read(value: Any) -> float:
        if type(value) not in (int, float) or not least <= value <= most:
            raise UsageError(f"must be a number from {least:g} to {most:g}, not {quoted(value)}")
        return float(value)

    return read


NAME_MOST = 16
"""Characters of a person's name."""


def _name(value: Any) -> str:
    if not isinstance(value, str) or len(value) > NAME_MOST or any(c in ",=" or not c.isprintable() for c in value):
        raise UsageError(f"must be a name of at most {NAME_MOST} characters without , and =, not {quoted(value)}")
    return value.strip()


def _one_of(*words: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in words:
            raise UsageError(f"must be {', '.join(words[:-1])} or {words[-1]}, not {quoted(value)}")
        return str(value)

    return read


MOST_BOTS = 8
"""Files of bots that are remembered."""


def _files(value: Any) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(each, str) and each.strip() for each in value):
        raise UsageError(f"must be a list of files, not {quoted(value)}")
    return tuple(value[:MOST_BOTS])


def with_bot(settings: Settings, path: str) -> Settings:
    """Return the settings with this file as the one chosen last."""
    return replace(settings, bots=(path, *(each for each in settings.bots if each != path))[:MOST_BOTS])


_DISPLAY = ("reduced_motion", "screen_shake", "freeze_frames", "bubbles", "telegraphs", "ui_scale")
FIELDS: Mapping[str, Mapping[str, Callable[[Any], Any]]] = {
    "picture": {
        "reduced_motion": _switch,
        "screen_shake": _switch,
        "freeze_frames": _switch,
        "bubbles": _switch,
        "telegraphs": _one_of(*TELEGRAPHS),
        "ui_scale": _within(1.0, 1.5),
        "fullscreen": _switch,
    },
    "sound": {
        "effects_volume": _within(0.0, 1.0),
        "music_volume": _within(0.0, 1.0),
        "muted": _switch,
        "night": _switch,
    },
    "play": {
        "turn_clock_s": _within(0.0, 3600.0),
        "hide_prompts": _switch,
        "rumble": _switch,
        "clips": _switch,
        "guided": _switch,
        "left_name": _name,
        "right_name": _name,
        "bots": _files,
    },
    "progress": {"played": _switch},
}
"""The settings by group, each with the function that validates its value."""


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
    settings = over or Settings()
    known = (*FIELDS, "keys", "pad")
    for group, inner in _mapping("the settings", values).items():
        if group not in known:
            raise UsageError(f"{quoted(group)} is not a group of settings; the groups are {', '.join(known)}")
        if group in FIELDS:
            settings = _read_fields(settings, group, _mapping(group, inner))
        elif group == "pad":
            settings = _read_bindings(settings, "pad", inner)
        else:
            for seat, more in _mapping("keys", inner).items():
                if seat not in KEYS:
                    raise UsageError(f"keys has {', '.join(KEYS)}, not {quoted(seat)}")
                settings = _read_bindings(settings, seat, more)
    return settings


def _read_fields(settings: Settings, group: str, inner: Mapping[str, Any]) -> Settings:
    for name, given in inner.items():
        if name not in FIELDS[group]:
            raise UsageError(f"{group} has no {quoted(name)}; it has {', '.join(FIELDS[group])}")
        try:
            settings = changed(settings, name, FIELDS[group][name](given))
        except UsageError as error:
            raise UsageError(f"{group}.{name} {error}") from None
    return settings


def _read_bindings(settings: Settings, group: str, inner: Any) -> Settings:
    shipped = PAD if group == "pad" else KEYS[group]
    for action, names in _mapping(group, inner).items():
        if action not in ACTIONS[group]:
            raise UsageError(f"{group} has no action {quoted(action)}; it has {', '.join(ACTIONS[group])}")
        listed = [names] if isinstance(names, str) else names
        if not isinstance(listed, list) or not all(isinstance(name, str) and name.strip() for name in listed):
            instead = list(shipped.get(action, ()))
            raise UsageError(f"{group}.{action} must be a list of names such as {instead}, not {quoted(names)}")
        lowered = tuple(name.strip().lower() for name in listed)
        for name in lowered:
            if why := refused(group, action, name):
                raise UsageError(f"{group}.{action} cannot be on {quoted(name)}: {why}")
        settings = bound(settings, group, action, lowered)
    return settings


def _mapping(name: str, given: Any) -> Mapping[str, Any]:
    return mapping(name, {} if given is None else given)


def values(settings: Settings) -> dict[str, Any]:
    """Return what differs from the settings as shipped, ready to be written as YAML."""
    shipped = Settings()
    found: dict[str, Any] = {}
    for group, names in FIELDS.items():
        differs = {name: value(settings, name) for name in names if value(settings, name) != value(shipped, name)}
        if differs:
            found[group] = {name: list(given) if isinstance(given, tuple) else given for name, given in differs.items()}
    keys = {group: _rebound(settings, group) for group in KEYS if _rebound(settings, group)}
    if keys:
        found["keys"] = keys
    if _rebound(settings, "pad"):
        found["pad"] = _rebound(settings, "pad")
    return found


def _rebound(settings: Settings, group: str) -> dict[str, list[str]]:
    ours, shipped = bindings(settings, group), bindings(Settings(), group)
    return {action: list(names) for action, names in ours.items() if names != shipped.get(action, ())}
