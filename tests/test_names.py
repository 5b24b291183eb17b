"""Names stay honest: what CONTRIBUTING and the documentation name exists, and one class name means one thing."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from contributing import section
from paths import ROOT, TESTS
from sources import constant

HOST = ROOT / "batllm_arcade"
PAGES = sorted([*ROOT.glob("docs/*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"])
PATH = re.compile(r"`((?:[\w.-]+/)+(?:[\w-]+\.\w+)?|\w+\.py)`")
"""A folder (with a slash at its end), a file in one, or a module by its name alone, in backquotes."""
PATHS = [(page.name, path) for page in PAGES for path in PATH.findall(page.read_text("utf-8"))]


NAMED = re.compile(r"^ *(?:async )?(?:def|class) (\w+)|^(\w+)(?:: [^=]+)? = ", re.MULTILINE)
"""A class or function, or what a module gives a name at its top."""
CLASS = re.compile(r"^ *class (\w+)", re.MULTILINE)


@cache
def text():
    """The host's modules, one after the other; by lines, since walking all their syntax trees takes seconds."""
    return "\n".join(path.read_text("utf-8") for path in HOST.rglob("*.py"))


def test_a_path_that_is_named_exists():
    assert len(PATHS) > 100
    folders = (ROOT, HOST, ROOT / "plugins")
    assert [named for named in PATHS if not any((folder / named[1]).exists() for folder in folders)] == []


def test_the_rooms_are_described_in_the_order_in_which_they_may_import_each_other():
    rooms = constant(TESTS / "test_layers.py", "ROOMS")
    described = [row[0].strip("`").removesuffix("/").removesuffix(".py") for row in section("Where things live")]
    assert [name.replace("/", ".") for name in described] == list(rooms)


def test_a_class_or_function_in_the_glossary_exists():
    known = {name for names in NAMED.findall(text()) for name in names if name}
    rows = section("Glossary")
    assert len(rows) > 40
    named = {name for _, meaning in rows for name in re.findall(r"\(`(\w+)`\)", meaning)}
    assert len(named) > 20
    assert named <= known


def test_no_two_classes_have_the_same_name():
    names = Counter(CLASS.findall(text()))
    assert len(names) > 300
    assert {name for name, count in names.items() if count > 1} == set()
