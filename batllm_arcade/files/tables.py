"""Tables for other programs: CSV without formulas, JSON lines, Parquet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from batllm_arcade.errors import UsageError
from batllm_arcade.files.atomic import write_text

Rows = Iterable[Mapping[str, Any]]
FORMS = (".csv", ".jsonl", ".parquet")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a text begins with that a spreadsheet takes for a formula and runs."""


def inert(text: str) -> str:
    """Return a text that spreadsheets show as it is: with an apostrophe before what would be a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def check_form(path: Path) -> None:
    """Raise UsageError unless a table of this name can be written here."""
    if path.suffix.lower() not in FORMS:
        raise UsageError(f"a table is written as {', '.join(FORMS)}, and {path.name!r} is none of them")
    if path.suffix.lower() == ".parquet":
        try:
            import_module("pyarrow.parquet")
        except ImportError:
            raise UsageError("a .parquet file needs pyarrow; run: pip install pyarrow; or write .csv") from None


def write_rows(path: Path, rows: Callable[[], Rows]) -> list[str]:
    """Write rows to a file by its form; return its columns, of all rows. Raise OSError if the disk does not take it."""
    columns = list(dict.fromkeys(key for row in rows() for key in row))
    if path.suffix.lower() == ".parquet":
        pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
        every = [{column: row.get(column) for column in columns} for row in rows()]
        parquet.write_table(pyarrow.Table.from_pylist(every), path)
    elif path.suffix.lower() == ".csv":
        write_text(path, csv_lines(columns, rows()))
    else:
        write_text(path, (f"{json.dumps({key: row.get(key) for key in columns})}\n" for row in rows()))
    return columns


def csv_lines(columns: Sequence[str], rows: Rows) -> Iterator[str]:
    """Yield the lines of CSV, the heading first; what is not known is empty."""
    for row in ({column: column for column in columns}, *rows):
        text = io.StringIO()
        values = [inert(each) if isinstance(each, str) else each for each in map(row.get, columns)]
        csv.writer(text, lineterminator="\n").writerow(values)
        yield text.getvalue()
