"""Write the pages of docs/ that are made from the code: `make docs`. A test compares them with what they would be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import brain_options
import command_line
import configuration
import game_examples
import hooks
import python_names
import schemas

DOCS = Path(__file__).parents[1]
HEAD = """# Reference

Every public name, field, hook, command, option and key, made from the code by `make docs`. How to use them:
[plugins.md](plugins.md), [writing-a-provider.md](writing-a-provider.md), [bots.md](bots.md), [rules.md](rules.md)."""


def reference() -> str:
    """Return the page with everything that has a name."""
    made = (hooks, python_names, command_line, brain_options, configuration)
    parts = [part for each in made for part in each.sections()]
    return "\n\n".join([HEAD, *parts]) + "\n"


PAGES: dict[str, Callable[[], str]] = {
    "reference.md": reference,
    "a-game-in-full.md": game_examples.page,
    "../assets/schemas/table.schema.json": schemas.table,
}
"""The pages, from here, and what makes them."""


if __name__ == "__main__":
    for name, make in PAGES.items():
        (DOCS / name).write_text(make(), "utf-8")
