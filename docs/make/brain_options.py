"""The part of the reference that tells of the options of brains."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

import batllm_arcade_plugins as plugins
from markup import cell, code, section, table

from batllm_arcade.brains.kinds import Option
from batllm_arcade.brains.protocol import HOST, BrainKind

INTRO = """\
As in `ollama:model=llama3.2,deadline_s=60`. `batllm-arcade brains NAME --options` lists those of one brain, also of
your own; more about [providers](providers.md), [bots](bots.md) and [the embedded model](embedded.md)."""


def bundled() -> list[BrainKind]:
    """Return the kinds of brain that the arcade itself has, by name."""
    modules = [import_module(f"batllm_arcade_plugins.{each.name}") for each in iter_modules(plugins.__path__)]
    found = [kind for module in modules for kind in getattr(module, "batllm_brains", list)()]
    return sorted(found, key=lambda kind: str(kind.name))


def sections() -> list[str]:
    """Return the section: a row for each option and the brains that have it alike."""
    alike: dict[tuple[str, str, str], dict[str, Option]] = {}
    for kind in bundled():
        for option in kind.options or ():
            alike.setdefault((option.name, option.sentence, option.values), {})[kind.name] = option
    rows = [_row(option, "all", code(option.default)) for option in HOST]
    for found in alike.values():
        first = next(iter(found.values()))
        rows.append(_row(first, ", ".join(map(code, found)), _defaults(found)))
    return [section("Options of brains", INTRO, table(("option", "of", "default", "what it does"), rows))]


def _row(option: Option, brains: str, default: str) -> list[str]:
    values = f" ({option.values})" if option.values else ""
    where = f" Only of {', '.join(option.variants)}." if option.variants else ""
    said = f"{option.sentence[:1].upper()}{option.sentence[1:]}{values}."
    return [code(option.name), brains, default, cell(said + where)]


def _defaults(found: dict[str, Option]) -> str:
    values = {option.default for option in found.values()}
    if len(values) == 1:
        return code(values.pop())
    return ", ".join(f"{name} {code(option.default)}" for name, option in found.items() if option.default)
