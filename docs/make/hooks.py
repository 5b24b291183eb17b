"""The part of the reference that tells of the hooks of plugins."""

from __future__ import annotations

import inspect

from markup import cell, code, section, table
from source_text import function_tree, parameters, sentences

from batllm_arcade.plugin import hookspecs

INTRO = """\
A plugin is a module: a file in the folder of `--plugins-dir`, or one that an installed package names under the entry
point group `batllm_arcade`. What it implements of these is marked with `hookimpl`; a function, class or generator with
`@bot` needs no hook."""


def names() -> list[str]:
    """Return the names of the hooks."""
    return [name for name in vars(hookspecs) if name.startswith("batllm_")]


def sections() -> list[str]:
    """Return the section of the hooks."""
    rows = []
    for name in names():
        hook = getattr(hookspecs, name)
        returns = inspect.signature(hook).return_annotation
        rows.append(
            [code(f"{name}{parameters(function_tree(hook))}"), code(str(returns)), cell(sentences(hook.__doc__))]
        )
    return [section("Hooks", INTRO, table(("hook", "returns", "what it does"), rows))]
