"""Names stay honest: what CONTRIBUTING and the documentation name exists, and one class name means one thing."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache

from contributing import section
from paths import ROOT, TESTS
from sources import constant, tree

HOST = ROOT / "batllm_arcade"
PAGES = sorted([*ROOT.glob("docs/*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"])
PATH = re.compile(r"`((?:[\w.-]+/)+(?:[\w-]+\.\w+)?|\w+\.py)`")
"""A folder (with a slash at its end), a file in one, or a module by its name alone, in backquotes."""
PATHS = [(page.name, path) for page in PAGES for path in PATH.findall(page.read_text("utf-8"))]


@cache
def nodes():
    """Every named node of the host's modules, and every assignment at a module's top."""
    trees = [tree(path) for path in HOST.rglob("*.py")]
    return [node for each in trees for node in ast.walk(each) if hasattr(node, "name")], [
        node for each in trees for node in each.body if isinstance(node, ast.Assign)
    ]


def test_a_path_that_is_named_exists():
    assert len(PATHS) > 100
    folders = (ROOT, HOST, ROOT / "plugins")
    assert [named for named in PATHS if not any((folder / named[1]).exists() for folder in folders)] == []


def test_the_rooms_are_described_in_the_order_in_which_they_may_import_each_other():
    rooms = constant(TESTS / "test_layers.py", "ROOMS")
    described = [row[0].strip("`").removesuffix("/").removesuffix(".py") for row in section("Where things live")]
    assert [name.replace("/", ".") for name in described] == list(rooms)


def test_a_class_or_function_in_the_glossary_exists():
    named_nodes, assignments = nodes()
    known = {node.name for node in named_nodes} | {ast.unparse(node.targets[0]) for node in assignments}
    rows = section("Glossary")
    assert len(rows) > 40
    named = {name for _, meaning in rows for name in re.findall(r"\(`(\w+)`\)", meaning)}
    assert len(named) > 20
    assert named <= known


def test_no_two_classes_have_the_same_name():
    names = Counter(node.name for node in nodes()[0] if isinstance(node, ast.ClassDef))
    assert {name for name, count in names.items() if count > 1} == set()
