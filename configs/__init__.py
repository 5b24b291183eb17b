"""The shipped configurations."""

from pathlib import Path

SHIPPED = tuple(
    name
    for name in ("default", "couch", "arena", "billiards", "classic")
    if (Path(__file__).parent / f"{name}.yaml").is_file()
)
"""Their names."""
