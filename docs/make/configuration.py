"""The part of the reference that tells of what a configuration, and a league's file, may hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from markup import cell, code, section, table
from python_names import told
from source_text import fields_of

from batllm_arcade.brains.protocol import Gamepad, PayloadStyle
from batllm_arcade.core.model import Rules
from batllm_arcade.league import plan_file
from batllm_arcade.settings import config, user_settings
from batllm_arcade.settings import user_settings as setting_table

INTRO = f"""\
`--config` takes {", ".join(map(code, config.SHIPPED))}, or a YAML file with any of these keys; what is left out has its
default, the figures of `default`. A whole one is in [rules.md](rules.md#configurations)."""
KEYS = {
    "rules": ("", "The figures of the game, see below."),
    "payload": ("", "How [payloads](formats.md) are built, see below."),
    "left": ("", "Who plays left unless `--left` says otherwise."),
    "right": ("", "Who plays right."),
    "prompts": ("", "The players' orders: `left` and `right`, each a text."),
    "fallback": ("scripted:random", "Who takes a seat whose brain fails three plays in a row."),
    "deadline_s": ("30", "Seconds for one play of a brain that is no person."),
    "plugins_dir": ("", "The folder of your plugins, beside the configuration or below."),
    "system_header": (
        "",
        "A text file beside the configuration, or below, in place of the system message's first part.",
    ),
    "gamepad": ("", "What the [buttons](providers.md#buttons) do, see below."),
    "settings": ("", "A person's settings for this session only, see below."),
}
"""What stands at the top of a configuration: default and sentence."""
LEAGUE = {
    "players": "Who plays: a list of brains, or of "
    '`name`, `brain`, `orders` (a text or `"@FILE"`), `fallback`, `max_parallel`, '
    "`price` (`IN/OUT` of a million tokens).",
    "config": "The rules: a shipped name or a file.",
    "rounds": "Rounds a game.",
    "turns": "Turns a round.",
    "seed": "The k-th pair of every pairing has the seed SEED + k - 1.",
    "pairs": "Pairs for each two players.",
    "schedule": "`roundrobin`, or `gauntlet`: the first player against all others.",
    "sessions": "The games to keep: `none`, `decisive`, `all`.",
    "sprt": '`"ELO0,ELO1"` of a sequential test of two players.',
    "on_failure": "What three failures in a row cost a player: `forfeit` (the game) or `fallback` (its seat).",
    "shared": "Whether models are sent their rival's orders, too.",
    "think": "How much all models think that do not say so themselves: `off`, `low`, `high`, `auto`.",
    "temperature": "The temperature of all models without their own: a number, `none`, `auto`.",
    "notes": "`league`: models carry their notes from game to game of a pairing; `off`.",
    "accuracy": "Plays of each player in a game that are judged by the chance that they lost.",
    "sprt_model": "What the Elo of `sprt` are: `logistic` or `normalized`.",
    "plugins_dir": "The folder of your plugins.",
    "anchor": "A `player`, and the `elo` that its rating is set to.",
    "workers": "Processes that play; one a processor without it.",
    "max_tokens": "Pause when so many tokens are spent.",
    "max_requests": "Pause after so many requests.",
    "max_cost": "Pause when so much money is spent.",
    "minutes": "Pause after so many minutes.",
    "name": "What the league is called.",
    "fail_below": "Elo: exit code 1 if the first player is surely less than that better than another.",
    "brain": "The brain of all players without one of their own.",
    "orders": "The orders of all players without their own.",
    "price": "The price of all players without one of their own.",
}
"""What stands in a league's file."""


def keys() -> Iterator[tuple[str, str, str]]:
    """Yield every key of a configuration, its default as YAML and a sentence; raise KeyError for one without."""
    for name in config.READERS:
        default, sentence = KEYS[name]
        yield name, default, sentence
    for group, cls in (("rules", Rules), ("payload", PayloadStyle), ("gamepad", Gamepad)):
        for row in fields_of(cls):
            if row.default:
                yield f"{group}.{row.name}", _yaml(getattr(cls(), row.name)), told(cls, row)
    shipped = user_settings.Settings()
    for setting in setting_table.SETTINGS:
        words = setting.hint
        yield f"settings.{setting.group}.{setting.name}", _yaml(user_settings.value(shipped, setting.name)), f"{words}."


def _yaml(value: Any) -> str:
    """Return a default as a configuration would say it."""
    if isinstance(value, tuple) and len(set(value)) == 1:
        value = value[0]
    return "" if value in (None, "") else str(value).lower() if isinstance(value, bool) else str(value)


def sections() -> list[str]:
    """Return the sections of configurations and of leagues' files."""
    rows = [[code(name), code(default), cell(sentence)] for name, default, sentence in keys()]
    league = [[code(name), cell(LEAGUE[name])] for name in plan_file.KEYS]
    bindings = "`settings` also takes `keys`, `pad` and `bots`, as [a person's settings file](controls.md) does."
    return [
        section("Configuration", INTRO, table(("key", "default", "what it is"), rows), bindings),
        section("A league's file", "See [league.md](league.md#playing-one).", table(("key", "what it is"), league)),
    ]
