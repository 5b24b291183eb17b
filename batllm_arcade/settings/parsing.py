"""Values out of YAML."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from batllm_arcade.errors import UsageError, quoted


class UniqueKeyLoader(yaml.SafeLoader):
    """`yaml.SafeLoader`, but UsageError names a key that is given twice: which one counts is a guess."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Return the mapping; raise UsageError for a key given twice."""
        seen: set[tuple[str, str]] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                name = (key.tag, key.value)
                if name in seen:
                    raise UsageError(f"{quoted(key.value)} is given twice, again in line {key.start_mark.line + 1}")
                seen.add(name)
        return super().construct_mapping(node, deep)


def parse_yaml(text: str) -> Any:
    """Return the value of a YAML text; raise UsageError if it is malformed or gives a key twice."""
    import yaml  # costs 14 ms, which --help need not pay

    try:
        return yaml.load(text, UniqueKeyLoader)  # a SafeLoader
    except (yaml.YAMLError, RecursionError, ValueError, LookupError, AttributeError) as error:
        # PyYAML raises errors of its own, and lets those of a malformed date or number through.
        mark = getattr(error, "problem_mark", None)
        line = f" in line {mark.line + 1}" if mark else ""
        raise UsageError(f"it is not valid YAML{line}") from None


def decoded(data: bytes) -> str:
    """Return the text of a table that any program has written: UTF-8, UTF-16 with its mark, else as in the West."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def parse_table(text: str, usual: Sequence[str]) -> list[dict[str, str]]:
    """Return the rows of a table of commas, semicolons or tabs, what is empty left out.

    Its heading is the first row if the last of the `usual` columns stands there, else it is those. Raise UsageError if
    it is no table, or a row has more columns.
    """
    import csv  # which few need
    import io

    first = re.sub('"[^"]*"', "", text.partition("\n")[0])
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count))
    try:
        table = [[cell.strip() for cell in row] for row in rows if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise UsageError(f"it is no table ({error})") from None
    head = [cell.lower() for cell in table[0]] if table else []
    head, table = (head, table[1:]) if usual[-1] in head else ([*usual], table)
    for number, row in enumerate(table, 1):
        if any(row[len(head) :]):
            raise UsageError(f"row {number} has more than {' and '.join(head)}; put {head[-1]} in quotation marks")
    return [{key: cell for key, cell in zip(head, row, strict=False) if key and cell} for row in table]


def parse_shipped(text: str) -> Any:
    """Return the value of a YAML text that is the program's own: a loader in C, where there is one, is much faster."""
    import yaml  # costs 14 ms, which --help need not pay

    return yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def mapping(name: str, value: Any) -> Mapping[str, Any]:
    """Return `value` if it is a mapping with names as keys; raise UsageError otherwise."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise UsageError(f"{name} must hold names with values, not {quoted(value)}")
    return value


def plain_text(key: str, value: Any) -> str:
    """Return a text without blanks around it; raise UsageError if there is none."""
    if not isinstance(value, str) or not value.strip():
        raise UsageError(f"{key} must be a text, not {quoted(value)}")
    return value.strip()
