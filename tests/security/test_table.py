"""SECURITY.md: each row of its table names tests that there are."""

from __future__ import annotations

import re

from paths import ROOT, TESTS


def rows():
    lines = (ROOT / "SECURITY.md").read_text("utf-8").splitlines()
    table = [line.strip("|").split(" | ") for line in lines if line.startswith("| ")]
    return table[1:]


def test_each_promise_has_a_test_with_its_name():
    there = set()
    for path in TESTS.rglob("test_*.py"):
        there |= set(re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.MULTILINE))
    assert len(rows()) > 20
    for row in rows():
        if set(row[0].strip()) == {"-"}:
            continue
        named = re.findall(r"`(test_\w+)`", row[-1])
        assert named, row[0]
        assert set(named) <= there, row[0]
