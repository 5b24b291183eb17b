"""Which mutants there are and which of them are drawn; Cosmic Ray finds the places and makes the changes."""

from __future__ import annotations

import ast
import difflib
import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.operators.provider import OperatorProvider
from parso.python.tree import Keyword

KINDS = (
    "AddNot", "ReplaceAndWithOr", "ReplaceOrWithAnd", "ReplaceTrueWithFalse", "ReplaceFalseWithTrue",
    "ReplaceBreakWithContinue", "ReplaceContinueWithBreak", "ZeroIterationForLoop", "ExceptionReplacer",
    "RemoveDecorator", "NumberReplacer", "ReplaceUnaryOperator_Delete_Not", "ReplaceUnaryOperator_Delete_USub",
    *(f"ReplaceComparisonOperator_{one}_{other}" for one, other in (
        ("Eq", "NotEq"), ("NotEq", "Eq"), ("Is", "IsNot"), ("IsNot", "Is"), ("Lt", "LtE"), ("Lt", "GtE"), ("LtE", "Lt"),
        ("LtE", "Gt"), ("Gt", "GtE"), ("Gt", "LtE"), ("GtE", "Gt"), ("GtE", "Lt"),
    )),
    *(f"ReplaceBinaryOperator_{one}_{other}" for one, other in (
        ("Add", "Sub"), ("Sub", "Add"), ("Mul", "Div"), ("Div", "Mul"), ("FloorDiv", "Div"), ("Mod", "FloorDiv"),
        ("Pow", "Mul"), ("BitOr", "BitAnd"), ("BitAnd", "BitOr"),
    )),
)  # fmt: skip
"""Cosmic Ray's changes that a slip could make; most of its others fail at once, such as shifting a float."""

Position = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change to one module; `name` stays the same when lines are moved or other lines are edited."""

    name: str
    rank: str
    room: str
    module: str
    line: int
    kind: str
    occurrence: int

    def mutated(self, source: str) -> str:
        """Return the module's text with the change."""
        text = mutate_code(source, _operator(self.kind), self.occurrence)
        assert text is not None
        return str(text)

    def difference(self, source: str) -> list[str]:
        """Return the lines taken away and put in, as a diff has them."""
        lines = difflib.ndiff(source.splitlines(), self.mutated(source).splitlines())
        return [f"{line[0]} {line[2:].strip()}" for line in lines if line[0] in "-+"]


class RemoveStatement(Operator):  # type: ignore[misc]  # its base class is untyped
    """Puts `pass` in the place of a call that is a statement; Cosmic Ray has nothing like it."""

    def mutation_positions(self, node: Any) -> Iterator[tuple[Position, Position]]:
        """Yield the node's place if it is such a statement."""
        is_call = node.type in ("atom_expr", "power") and node.children[-1].type == "trailer"
        if is_call and node.children[-1].children[0] == "(" and node.parent.type == "simple_stmt":
            yield node.start_pos, node.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        """Return what stands there instead."""
        return Keyword("pass", node.start_pos, node.get_first_leaf().prefix)

    @classmethod
    def examples(cls) -> tuple[()]:
        """Return none: they are for Cosmic Ray's own tests."""
        return ()


def _operator(kind: str) -> Any:
    return RemoveStatement() if kind == "RemoveStatement" else OperatorProvider()[kind]()


def drawn(root: Path, rooms: dict[str, list[Path]], seed: int, number: int) -> list[Mutant]:
    """Return so many mutants of these modules, no two at the same place, in an order that the seed decides.

    A mutant's rank depends on its own line alone: where other code changes, the same ones are drawn.
    """
    best: dict[tuple[str, Position, Position], Mutant] = {}
    for room, modules in rooms.items():
        for module in modules:
            for place, mutant in _mutants(room, module.relative_to(root).as_posix(), module.read_text("utf-8"), seed):
                key = (mutant.module, *place)
                best[key] = min(best.get(key, mutant), mutant, key=lambda each: each.rank)
    ranked = (mutant for mutant in sorted(best.values(), key=lambda each: each.rank) if _is_python(mutant, root))
    return list(islice(ranked, number))


def _is_python(mutant: Mutant, root: Path) -> bool:
    """Return whether the change can be compiled; `f(*all)` is taken for a product."""
    try:
        compile(mutant.mutated((root / mutant.module).read_text("utf-8")), mutant.module, "exec")
    except SyntaxError:
        return False
    return True


def _mutants(room: str, module: str, source: str, seed: int) -> Iterator[tuple[tuple[Position, Position], Mutant]]:
    nodes, lines, annotations = list(ast_nodes(get_ast(source))), source.splitlines(), _annotations(source)
    for kind in (*KINDS, "RemoveStatement"):
        operator, seen = _operator(kind), Counter[str]()
        places = [place for node in nodes for place in operator.mutation_positions(node)]
        for occurrence, (start, end) in enumerate(places):
            line = lines[start[0] - 1]
            told = f"{module} {kind} {start[1] - len(line) + len(line.lstrip())} {line.strip()}"
            seen[told] += 1
            if any(first <= start < last for first, last in annotations):
                continue  # nothing evaluates it
            name = _digest(f"{told} {seen[told]}")
            yield (start, end), Mutant(name, _digest(f"{seed} {name}"), room, module, start[0], kind, occurrence)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:10]


def _annotations(source: str) -> list[tuple[Position, Position]]:
    """Return where the annotations are."""
    found = []
    for node in ast.walk(ast.parse(source)):
        each = getattr(node, "annotation", None) or getattr(node, "returns", None)
        if isinstance(each, ast.expr) and each.end_lineno is not None and each.end_col_offset is not None:
            found.append(((each.lineno, each.col_offset), (each.end_lineno, each.end_col_offset)))
    return found
