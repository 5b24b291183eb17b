"""What the source says of a class or function: fields, methods and parameters as they are written, and sentences."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple


class Row(NamedTuple):
    """A field, attribute, property or method: its name, its type or what it returns, its default, a sentence."""

    name: str
    type: str = ""
    default: str = ""
    sentence: str = ""
    call: str = ""
    """The parameters of a method, "" for what is none."""


def sentences(text: str | None) -> str:
    """Return a docstring as one paragraph a line."""
    paragraphs = inspect.cleandoc(text or "").split("\n\n")
    return "\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


@cache
def tree_of(thing: Any) -> ast.ClassDef | ast.FunctionDef:
    """Return the syntax tree of a class or function."""
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(thing))).body
    assert isinstance(node, (ast.ClassDef, ast.FunctionDef))
    return node


def function_tree(function: Any) -> ast.FunctionDef:
    """Return the syntax tree of a function."""
    node = tree_of(function)
    assert isinstance(node, ast.FunctionDef)
    return node


def fields_of(cls: type) -> list[Row]:
    """Return the public fields and attributes of a class, its own, in their order."""
    body = tree_of(cls).body
    found = [*_annotated(body)]
    for node in body:
        if isinstance(node, ast.FunctionDef) and node.name == "__init__":
            found += _set_on_self(node)
        if isinstance(node, ast.FunctionDef) and _is_read(node):
            found.append(Row(node.name, _text(node.returns), "", _what_it_is(node)))
    return [row for row in {row.name: row for row in reversed(found)}.values() if not row.name.startswith("_")][::-1]


def _is_read(node: ast.FunctionDef) -> bool:
    return _decorated(node, "property") or _decorated(node, "cached_property")


def _what_it_is(node: ast.FunctionDef) -> str:
    """Return the first sentences of a property as those of a field: it is read, not called."""
    said = sentences(ast.get_docstring(node)).split("\n")[0].removeprefix("Return ")
    return said[:1].upper() + said[1:]


def methods_of(cls: type) -> list[Row]:
    """Return the public methods of a class, its own, in their order."""
    found = []
    for node in tree_of(cls).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and not _is_read(node):
            own = not _decorated(node, "staticmethod")
            sentence = sentences(ast.get_docstring(node)).replace("\n", " ")
            found.append(Row(node.name, _text(node.returns), "", sentence, parameters(node, skip=own)))
    return found


def parameters(node: ast.FunctionDef, *, skip: bool = False) -> str:
    """Return the parameters of a function in brackets; `skip` leaves the first one out."""
    given = node.args
    positional = [*given.posonlyargs, *given.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(given.defaults))
    parts = [_parameter(each, value) for each, value in zip(positional, [*defaults, *given.defaults], strict=True)]
    parts = parts[1:] if skip else parts
    if given.vararg or given.kwonlyargs:
        parts.append(f"*{given.vararg.arg}" if given.vararg else "*")
    parts += [_parameter(each, value) for each, value in zip(given.kwonlyargs, given.kw_defaults, strict=True)]
    parts += [f"**{given.kwarg.arg}"] if given.kwarg else []
    return f"({', '.join(parts)})"


def constructor(cls: type) -> str:
    """Return the parameters with which a class is made, "" where it has none of its own."""
    made = [node for node in tree_of(cls).body if isinstance(node, ast.FunctionDef) and node.name == "__init__"]
    return parameters(made[0], skip=True) if made else ""


def _parameter(argument: ast.arg, default: ast.expr | None) -> str:
    text = f"{argument.arg}: {_text(argument.annotation)}" if argument.annotation else argument.arg
    between = " = " if argument.annotation else "="
    return text if default is None else f"{text}{between}{ast.unparse(default)}"


def _annotated(body: list[ast.stmt]) -> Iterator[Row]:
    for node, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield Row(node.target.id, _text(node.annotation), _default(node.value), _said(after))
        elif isinstance(node, ast.Assign):
            names = node.targets[0].elts if isinstance(node.targets[0], ast.Tuple) else node.targets
            yield from (Row(each.id, "", "", _said(after)) for each in names if isinstance(each, ast.Name))


def _set_on_self(made: ast.FunctionDef) -> Iterator[Row]:
    """Yield what `__init__` sets on the object."""
    for node, after in zip(made.body, [*made.body[1:], None], strict=True):
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            for each in target.elts if isinstance(target, ast.Tuple) else [target]:
                if isinstance(each, ast.Attribute) and ast.unparse(each.value) == "self":
                    kind = _text(node.annotation) if isinstance(node, ast.AnnAssign) else ""
                    yield Row(each.attr, kind, "", _said(after))


def _said(node: ast.stmt | None) -> str:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return sentences(node.value.value).replace("\n", " ")
    return ""


def _text(node: ast.expr | None) -> str:
    text = "" if node is None else ast.unparse(node)
    return text.removeprefix("ClassVar[").removesuffix("]") if text.startswith("ClassVar[") else text


def _default(node: ast.expr | None) -> str:
    """Return a default as it is written; of `field(...)` what it makes."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "field":
        given = {each.arg: each.value for each in node.keywords}
        made = given.get("default", given.get("default_factory"))
        text = "" if made is None else ast.unparse(made)
        return {"dict": "{}", "list": "[]"}.get(text, "a new one" if "default_factory" in given else text)
    return "" if node is None else ast.unparse(node)


def _decorated(node: ast.FunctionDef, name: str) -> bool:
    return any(ast.unparse(each) == name for each in node.decorator_list)
