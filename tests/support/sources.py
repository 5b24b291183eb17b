"""The program's own modules as syntax trees, each parsed once for all tests, and what they import."""

from __future__ import annotations

import ast
import gc
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple


@cache
def tree(path: Path) -> ast.Module:
    """The syntax tree of a module."""
    return ast.parse(path.read_text("utf-8"), str(path))


def constant(path: Path, name: str) -> Any:
    """The value that a module gives to a name at its top, without running it."""
    (value,) = (
        ast.literal_eval(node.value)
        for node in tree(path).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name
    )
    return value


class Module(NamedTuple):
    """A module of the host or a bundled plugin."""

    path: Path
    tree: ast.Module
    imported: tuple[tuple[str, bool, bool], ...]
    """What it imports, whether for type checkers alone, and whether inside a function."""

    def imports(self, typing=True, top_level=False):
        """Absolute names, `from a import b` as `a.b`; those for types alone and those in functions only if asked."""
        return [name for name, types, inside in self.imported if (typing or not types) and not (top_level and inside)]


@cache
def modules(folder):
    """Every module below the folder, by its dotted name within the package."""
    gc.disable()  # a tree is no garbage, and looking through all of them again and again takes twice as long as parsing
    try:
        return _parsed(folder)
    finally:
        gc.enable()


def _parsed(folder):
    found = {}
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        parsed = tree(path)
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = Module(path, parsed, tuple(imported(parsed)))
    return found


def imported(node, types=False, inside=False):
    """Yield an absolute name, whether it is for type checkers alone, and whether it is imported inside a function."""
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.Import):
            yield from ((alias.name, types, inside) for alias in each.names)
        elif isinstance(each, ast.ImportFrom):
            assert each.level == 0, f"a relative import in line {each.lineno}"
            yield from ((f"{each.module}.{alias.name}", types, inside) for alias in each.names)
        elif isinstance(each, ast.If) and "TYPE_CHECKING" in ast.unparse(each.test):
            yield from imported(each, True, inside)
        elif isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from imported(each, types, True)
        elif not isinstance(each, ast.expr):  # an expression imports nothing
            yield from imported(each, types, inside)


def is_in(name, *places):
    return any(name == place or name.startswith(f"{place}.") for place in places)
