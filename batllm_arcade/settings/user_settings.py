"""A person's settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, Union

from batllm_arcade.errors import UsageError, quoted
from batllm_arcade.settings.parsing import mapping

NAME_MOST = 16
"""Characters of a person's name."""


@dataclass(frozen=True, slots=True)
class Switch:
    """On or off."""

    def read(self, value: Any) -> bool:
        """Return the value; raise UsageError if it is another than true or false."""
        if not isinstance(value, bool):
            raise UsageError(f"must be true or false, not {quoted(value)}")
        return value


def percent(value: float) -> str:
    """Return a share in words: `80 %`."""
    return f"{value * 100:.0f} %"


@dataclass(frozen=True, slots=True)
class Number:
    """A number from `least` to `most`; a slider ends at `slides_to` and moves by `step`, `shown` puts it into words."""

    least: float
    most: float
    step: float
    slides_to: float
    shown: Callable[[float], str] = percent

    def read(self, value: Any) -> float:
        """Return the value; raise UsageError if it is no number within the limits."""
        if type(value) not in (int, float) or not self.least <= value <= self.most:
            raise UsageError(f"must be a number from {self.least:g} to {self.most:g}, not {quoted(value)}")
        return float(value)


@dataclass(frozen=True, slots=True)
class Name:
    """What somebody is called; it may become an option of a brain, so it holds no `,` and no `=`."""

    def read(self, value: Any) -> str:
        """Return the name without blanks around it; raise UsageError if it is none."""
        if not isinstance(value, str) or len(value) > NAME_MOST or not all(map(in_a_name, value)):
            raise UsageError(f"must be a name of at most {NAME_MOST} characters without , and =, not {quoted(value)}")
        return value.strip()


def in_a_name(character: str) -> bool:
    """Return whether a character may be in a name."""
    return character not in ",=" and character.isprintable()


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of some words, each with how it is shown."""

    words: Mapping[str, str]

    def read(self, value: Any) -> str:
        """Return the value; raise UsageError if it is none of the words."""
        names = tuple(self.words)
        if value not in names:
            raise UsageError(f"must be {', '.join(names[:-1])} or {names[-1]}, not {quoted(value)}")
        return str(value)


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its `group` in the file and page of the screen, its name, its values, its label and a hint."""

    group: str
    name: str
    kind: Union[Switch, Number, Name, OneOf]
    label: str
    hint: str


_LINES = OneOf({"all": "all", "own": "own line", "none": "off"})
_VOLUME = Number(0.0, 1.0, 0.05, 1.0)
_CLOCK = Number(0.0, 3600.0, 5.0, 120.0, lambda seconds: f"{seconds:g} s" if seconds else "off")

SETTINGS = (
    Setting(
        "picture", "reduced_motion", Switch(), "Reduced motion", "The picture keeps still: no shaking, no drifting"
    ),
    Setting("picture", "screen_shake", Switch(), "Screen shake", "The arena shakes a little on a hit"),
    Setting("picture", "freeze_frames", Switch(), "Hits hold still", "Everything stops for a moment on a hit"),
    Setting("picture", "camera", Switch(), "Camera", "Goes closer on hits, in matches you watch and in replays"),
    Setting("picture", "bubbles", Switch(), "Thought bubbles", "What a bot thinks and says, beside it"),
    Setting(
        "picture",
        "telegraphs",
        _LINES,
        "Lines of fire",
        "In your turn: both lines of fire, where a step lands, what to press; or your own line alone",
    ),
    Setting("picture", "ui_scale", Number(1.0, 1.5, 0.1, 1.5), "Size of words", "How large the words are"),
    Setting("picture", "fullscreen", Switch(), "Full screen", "Fill the whole screen"),
    Setting("sound", "effects_volume", _VOLUME, "Effects", "How loud shots and hits are"),
    Setting("sound", "music_volume", _VOLUME, "Music", "How loud the music is"),
    Setting("sound", "muted", Switch(), "Mute", "No sound at all"),
    Setting(
        "sound", "night", Switch(), "Night", "For headphones: loud sounds are held back, and everything is quieter"
    ),
    Setting("play", "turn_clock_s", _CLOCK, "Turn clock", "How long you may take for a turn"),
    Setting("play", "pause_away", Switch(), "Pause when away", "A match you play pauses when another window comes up"),
    Setting(
        "play",
        "hide_prompts",
        Switch(),
        "Hide orders",
        "Each player's orders stay covered while the other one can see the screen",
    ),
    Setting("play", "rumble", Switch(), "Rumble", "Gamepads shake on a hit"),
    Setting("play", "clips", Switch(), "Keep the last seconds", "So that they can be saved as a film at any time"),
    Setting("play", "guided", Switch(), "Guide", "The next match shows how to play, step by step"),
    Setting("play", "coach", Switch(), "Coach", "Against a bot H shows the best play and why, three times a game"),
    Setting("play", "left_name", Name(), "Left player's name", "Shown in matches and results"),
    Setting("play", "right_name", Name(), "Right player's name", "Shown in matches and results"),
    Setting("progress", "played", Switch(), "", "Whether a match has ever been begun"),  # on no page of the screen
    Setting("progress", "puzzles", Number(0, 99, 1, 99), "", "How many puzzles, from the first on, are solved"),
)
FIELDS: Mapping[str, Mapping[str, Setting]] = {
    group: {setting.name: setting for setting in SETTINGS if setting.group == group}
    for group in dict.fromkeys(setting.group for setting in SETTINGS)
}
"""The settings by group and name."""


Telegraphs = Literal["all", "own", "none"]


@dataclass(frozen=True, slots=True)
class DisplayOptions:
    """Options of the picture; `ui_scale` enlarges text (1.0 to 1.5), `bubbles` shows what bots think and say.

    With `camera` a match that is watched is shown larger where a shot meets a bot. `telegraphs` is what a person is
    shown in their turn: lines of fire and a sentence, what their `own` line strikes alone, or none of it: a bare line.
    """

    reduced_motion: bool = False
    screen_shake: bool = True
    freeze_frames: bool = True
    bubbles: bool = True
    camera: bool = True
    ui_scale: float = 1.0
    telegraphs: Telegraphs = "all"


Bindings = Mapping[str, tuple[str, ...]]
"""Maps an action to names of keys (pygame's) or gamepad buttons (SDL's)."""

KEYS: Mapping[str, Bindings] = {
    "left": {
        "left": ("a",),
        "right": ("d",),
        "move": ("w",),
        "fire": ("space",),
        "shield": ("s",),
        "fine": ("left shift",),
        "wait": ("x",),
        "retreat": ("q",),
    },
    "right": {
        "left": ("left",),
        "right": ("right",),
        "move": ("up",),
        "fire": ("return", "enter", "right ctrl"),
        "shield": ("down",),
        "fine": ("right shift",),
        "wait": ("backspace",),
        "retreat": ("delete",),
    },
    "screen": {
        "pause": ("p",),
        "step": (".",),
        "slower": ("-", "["),
        "faster": ("=", "]"),
        "skip": ("tab",),
        "swap": ("f3",),
        "wheel": ("f4",),
        "record": ("f9",),
        "clip": ("f10",),
        "folder": ("f8",),
        "fullscreen": ("f11",),
        "mute": ("m",),
        "help": ("f1",),
        "coach": ("h",),
    },
}
"""The default bindings: a set of keys for each seat (a person alone may use either), and the screen's.

Of two actions on one key the first is meant: a newer action comes last, so that it takes no key from older settings.
"""

MENU_KEYS = ("up", "down", "left", "right", "return", "enter", "space", "tab", "page up", "page down", "menu")
"""Keys that operate the menus."""
MENU_BUTTONS = ("dpup", "dpdown", "dpleft", "dpright", "a", "b", "leftshoulder", "rightshoulder", "start")
"""Gamepad buttons that operate the menus."""
ANYWHERE = ("record", "clip", "folder", "fullscreen", "mute", "help")
"""Actions that also work in menus."""

PAD: Bindings = {
    "left": ("dpleft",),
    "right": ("dpright",),
    "move": ("dpup", "y"),
    "fire": ("a",),
    "shield": ("b", "dpdown"),
    "fine": ("lefttrigger",),
    "wait": ("rightstick",),
    "pause": ("start",),
    "skip": ("x",),
    "slower": ("leftshoulder",),
    "faster": ("rightshoulder",),
    "swap": ("back",),
    "retreat": ("righttrigger",),
}

ACTIONS: Mapping[str, tuple[str, ...]] = {
    **{group: tuple(actions) for group, actions in KEYS.items()},
    "pad": (*KEYS["left"], *KEYS["screen"]),
}
"""The actions that can be bound in each group; a gamepad has those of a seat and of the screen."""


def refused(group: str, action: str, name: str) -> str:
    """Return why this key or button must not be bound to the action, "" if it may be."""
    if group != "pad" and name == "escape":
        return "it leads back from everywhere"
    if action in ANYWHERE and name in (MENU_BUTTONS if group == "pad" else MENU_KEYS):
        return "the menus need it"
    return ""


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
    puzzles: float = 0.0
    """How many puzzles, from the first on, have been solved."""
    pause_away: bool = True
    """Whether a match with a person pauses when the window loses the focus."""
    hide_prompts: bool = False
    """Hide a prompt while the other player writes theirs."""
    bots: tuple[str, ...] = ()
    """The files of bots chosen last, the latest first."""
    servers: tuple[str, ...] = ()
    """The model servers that the person has added, as brains with their options, the one used last first."""
    keys: Mapping[str, Bindings] = field(default_factory=lambda: KEYS)
    pad: Bindings = field(default_factory=lambda: PAD)


MOST_BOTS, MOST_SERVERS = 8, 40
"""Files of bots that are remembered, and model servers that a person can have."""


def with_server(settings: Settings, text: str) -> Settings:
    """Return the settings with this server, a brain with its options, as the first."""
    return replace(settings, servers=(text, *(each for each in settings.servers if each != text))[:MOST_SERVERS])


def without_server(settings: Settings, text: str) -> Settings:
    """Return the settings without this server."""
    return replace(settings, servers=tuple(each for each in settings.servers if each != text))


def _texts(key: str, what: str, most: int, value: Any) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(text, str) and text.strip() for text in value):
        raise UsageError(f"{key} must be a list of {what}, not {quoted(value)}")
    return tuple(value[:most])


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
    if group == "bots":
        return replace(settings, bots=_texts("bots", "files", MOST_BOTS, given))
    if group == "servers":
        return replace(settings, servers=_texts("servers", "brains such as openai:openrouter", MOST_SERVERS, given))
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
    differing: dict[str, Any] = {}
    for group, names in FIELDS.items():
        differs = {name: value(settings, name) for name in names if value(settings, name) != value(shipped, name)}
        if differs:
            differing[group] = differs
    if settings.bots:
        differing["bots"] = list(settings.bots)
    if settings.servers:
        differing["servers"] = list(settings.servers)
    keys = {group: _rebound(settings, group) for group in KEYS if _rebound(settings, group)}
    if keys:
        differing["keys"] = keys
    if _rebound(settings, "pad"):
        differing["pad"] = _rebound(settings, "pad")
    return differing


def _rebound(settings: Settings, group: str) -> dict[str, list[str]]:
    ours, shipped = bindings(settings, group), bindings(Settings(), group)
    return {action: list(names) for action, names in ours.items() if names != shipped.get(action, ())}


Place = tuple[str, str]
"""A group of bindings and an action in it."""
Names = tuple[str, ...]


def shipped(group: str, action: str) -> Names:
    """Return the keys or buttons of an action as shipped."""
    return bindings(Settings(), group).get(action, ())


def assigned(
    now: Settings, group: str, action: str, names: Names, *, swap: bool
) -> tuple[Settings, list[tuple[Place, Names]]] | Place:
    """Return the settings with an action on these keys, and what other actions that had one of them have now.

    An action that would be left without any gets a key that this one gives up or (without `swap`, before that) its own
    as shipped. If neither is possible nothing changes: return the action that would be left without.
    """
    given_up = tuple(name for name in bindings(now, group).get(action, ()) if name not in names)
    changed, others = bound(now, group, action, names), []
    for place in _holders(now, group, names):
        if place == (group, action):
            continue
        left = tuple(name for name in bindings(now, place[0])[place[1]] if name not in names)
        own = shipped(*place)
        instead = left or _free(changed, place, (*given_up, *own) if swap else (*own, *given_up))
        if not instead:
            return place
        changed = bound(changed, *place, instead)
        others.append((place, instead))
    return changed, others


def settled(now: Settings) -> Settings:
    """Return the settings with every action that has no key on its shipped ones, which are taken back."""
    for group, actions in {**KEYS, "pad": PAD}.items():
        for action in actions:
            if not bindings(now, group).get(action):
                result = assigned(now, group, action, shipped(group, action), swap=False)
                now = result[0] if isinstance(result[0], Settings) else now
    return now


def _holders(now: Settings, group: str, names: Names) -> Iterator[Place]:
    for other in ("pad",) if group == "pad" else KEYS:  # the others share a keyboard
        for action, held in bindings(now, other).items():
            if any(name in names for name in held):
                yield other, action


def _free(now: Settings, place: Place, candidates: Names) -> Names:
    """Return the first of the candidates that may be bound there and that nothing is bound to, "()" if none."""
    for name in candidates:
        if not refused(*place, name) and not list(_holders(now, place[0], (name,))):
            return (name,)
    return ()
