"""Where the tests find the repository's files."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parents[1]
DATA = TESTS / "data"
SUPPORT = TESTS / "support"
ROOT = TESTS.parent
DOCS = ROOT / "docs"
