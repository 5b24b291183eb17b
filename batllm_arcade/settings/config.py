"""Read a YAML configuration and the command line's part of it into one frozen, validated Config."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args, get_type_hints

from batllm_arcade.brains.protocol import BUTTONS, Gamepad, PayloadStyle, Spec
from batllm_arcade.configs import SHIPPED as SHIPPED
from batllm_arcade.core.commands import Nothing
from batllm_arcade.core.model import Rules, RulesError, rules_from
from batllm_arcade.core.rules import read_command
from batllm_arcade.errors import UsageError, is_whole, quoted
from batllm_arcade.files.reading import argument_text, read_text
from batllm_arcade.prompts import payload
from batllm_arcade.settings import user_settings as settings
from batllm_arcade.settings.foreign import brain_of_file, own_file
from batllm_arcade.settings.parsing import mapping, parse_shipped, parse_yaml, plain_text


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that is chosen before a match; `seats` and `prompts` are left first."""

    rules: Rules = Rules()
    style: PayloadStyle = PayloadStyle()
    gamepad: Gamepad = Gamepad()
    header_template: str = ""
    seats: tuple[Spec | None, Spec | None] = (None, None)
    prompts: tuple[str, str] = ("", "")
    fallback: Spec = Spec("scripted", "random")
    deadline_s: float = 30.0
    plugins_dir: Path | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Settings that hold for this session only, as in a settings file."""


def load(name: str) -> Config:
    """Return a shipped configuration by name, or that of a YAML file; raise UsageError naming what is wrong in it."""
    if name in SHIPPED:
        text, folder = (files("batllm_arcade.configs") / f"{name}.yaml").read_text("utf-8"), Path()
    else:
        text, folder = _read(Path(name)), Path(name).parent.absolute()
    try:
        values = parse_shipped(text) if name in SHIPPED else parse_yaml(text)
        return _config(mapping("it", {} if values is None else values), folder)
    except (UsageError, RulesError) as error:
        raise UsageError(f"the configuration {Path(name).name!r}: {error}") from None


def _read(path: Path) -> str:
    try:
        return read_text(path)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"the configuration {str(path)!r} cannot be read{_why(error)}; "
            f"name a YAML file or one of {', '.join(SHIPPED)}"
        ) from None


def _why(error: Exception) -> str:
    return f" ({error.strerror})" if isinstance(error, OSError) and error.strerror else ""


READERS: Mapping[str, Callable[[Any, Path], Any]] = {
    "rules": lambda value, _: rules_from(mapping("rules", value)),
    "payload": lambda value, _: style_of(mapping("payload", value)),
    "left": lambda value, folder: _brain("left", value, folder),
    "right": lambda value, folder: _brain("right", value, folder),
    "prompts": lambda value, _: _prompts(mapping("prompts", value)),
    "fallback": lambda value, folder: _brain("fallback", value, folder),
    "deadline_s": lambda value, _: seconds_of(value),
    "plugins_dir": lambda value, folder: plugins_folder(folder, plain_text("plugins_dir", value)),
    "system_header": lambda value, folder: _header(folder, plain_text("system_header", value)),
    "gamepad": lambda value, _: gamepad_of(mapping("gamepad", value)),
    "settings": lambda value, _: _settings(value),
}
"""What may stand in a configuration, and what reads it, given its value and the configuration's folder."""


def _config(values: Mapping[str, Any], folder: Path) -> Config:
    for key in values:
        if key not in READERS:
            raise UsageError(f"{quoted(key)} is not a setting; the settings are {', '.join(READERS)}")
    read = {key: READERS[key](value, folder) for key, value in values.items()}
    shipped = (files("batllm_arcade.assets") / "headers" / "duel.txt").read_text("utf-8")
    return checked(
        Config(
            rules=read.get("rules", Rules()),
            style=read.get("payload", PayloadStyle()),
            gamepad=read.get("gamepad", Gamepad()),
            header_template=read.get("system_header", shipped),
            seats=(read.get("left"), read.get("right")),
            prompts=read.get("prompts", ("", "")),
            fallback=read.get("fallback", Spec("scripted", "random")),
            deadline_s=read.get("deadline_s", 30.0),
            plugins_dir=read.get("plugins_dir"),
            settings=read.get("settings", {}),
        )
    )


def checked(config: Config) -> Config:
    """Return the configuration; raise UsageError if its header or its gamepad does not go with its rules."""
    try:
        payload.header(config.header_template, config.rules, 0)
    except KeyError as error:
        raise UsageError(f"the system header asks for ${error.args[0]}, which is not a rule") from None
    except ValueError:
        raise UsageError("the system header has a lone $; write $$ for a dollar sign") from None
    for button in BUTTONS:
        token = getattr(config.gamepad, button)
        command = read_command(f"{token}1" if token.upper() in ("A", "C") else token or None, config.rules)
        if isinstance(command, Nothing) and command.reason:
            raise UsageError(f"gamepad.{button}: {command.reason}, and A or C alone turns by turn_degrees")
    return config


def _settings(value: Any) -> Mapping[str, Any]:
    values = mapping("settings", value)
    for own in ("servers", "bots"):
        if own in values:
            raise UsageError(f"settings: {own} are a person's own; leave them out")
    try:
        settings.read(values)
    except UsageError as error:
        raise UsageError(f"settings: {error}") from None
    return values


def _brain(name: str, value: Any, folder: Path) -> Spec:
    return brain_of_file(Spec.parse(plain_text(name, value)), name, folder)


def seconds_of(value: Any) -> float:
    if type(value) not in (int, float) or not 0 < value <= 86400:
        raise UsageError(f"deadline_s must be a number of seconds above 0, not {quoted(value)}")
    return float(value)


def _prompts(values: Mapping[str, Any]) -> tuple[str, str]:
    for seat, text in values.items():
        if seat not in ("left", "right"):
            raise UsageError(f"prompts has left and right, not {quoted(seat)}")
        if text is not None and not isinstance(text, str):
            raise UsageError(f"prompts.{seat} must be a text, not {quoted(text)}")
    return values.get("left") or "", values.get("right") or ""


def style_of(values: Mapping[str, Any]) -> PayloadStyle:
    hints = get_type_hints(PayloadStyle)
    for key, value in values.items():
        if key not in hints:
            raise UsageError(f"payload has no {quoted(key)}; it has {', '.join(hints)}")
        choices = get_args(hints[key])
        if hints[key] is int:
            good, what = is_whole(value, 0, 1_000_000), "a whole number, 0 or more"
        elif hints[key] is bool or bool in choices:
            good, what = isinstance(value, bool), "true or false"
        else:
            good, what = value in choices, " or ".join(choices)
        if not good:
            raise UsageError(f"payload.{key} must be {what}, not {quoted(value)}")
    return PayloadStyle(**values)


def gamepad_of(values: Mapping[str, Any]) -> Gamepad:
    names = get_type_hints(Gamepad)
    for key, value in values.items():
        if key not in names:
            raise UsageError(f"gamepad has no {quoted(key)}; it has {', '.join(names)}")
        if key == "turn_degrees":
            good, what = type(value) in (int, float) and 0 < value <= 360, "a number above 0, at most 360"
        else:
            good, what = value is None or isinstance(value, str), "a command, or nothing"
        if not good:
            raise UsageError(f"gamepad.{key} must be {what}, not {quoted(value)}")
    read: dict[str, Any] = {key: value or "" for key, value in values.items()}
    for key in BUTTONS:
        read[key] = read.get(key, getattr(Gamepad(), key)).strip()
    return Gamepad(**read)


def plugins_folder(folder: Path, text: str) -> Path:
    """Return the plugins folder that a file in this folder names; raise UsageError if it is elsewhere."""
    return own_file(folder, text, "plugins_dir", "write it on the command line: --plugins-dir DIR")


def _header(folder: Path, text: str) -> str:
    path = own_file(folder, text, "system_header", "put it there")
    try:
        return read_text(path)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"the system header {path.name!r} cannot be read{_why(error)}; name a text file beside the configuration"
        ) from None


def prompt_text(value: str) -> str:
    """Return a prompt given on the command line, a text or @FILE; raise UsageError if the file cannot be read."""
    if not value.startswith("@"):
        return argument_text(value)
    try:
        return read_text(Path(value[1:])).strip()
    except (OSError, ValueError) as error:
        raise UsageError(f"the prompt file {value[1:]!r} cannot be read{_why(error)}") from None


def with_lengths(config: Config, rounds: int | None, turns: int | None) -> Config:
    """Return the configuration with other numbers of rounds and turns; None leaves a number as it is."""
    rules = config.rules
    return replace(
        config,
        rules=replace(rules, total_rounds=rounds or rules.total_rounds, turns_per_round=turns or rules.turns_per_round),
    )
