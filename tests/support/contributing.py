"""The tables of CONTRIBUTING, for the tests that hold them against the tree."""

from __future__ import annotations

import re

from paths import ROOT

TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
HEADS = ("room", "word", "to add", "where is it decided")


def section(title: str) -> list[list[str]]:
    """The rows of the tables in a section, without their heads."""
    text = TEXT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    rows = [re.split(r" \| ", line.strip("| ")) for line in text.splitlines() if line.startswith("|")]
    return [row for row in rows if not row[0].startswith("---") and row[0] not in HEADS]
