"""The times in session files: ISO 8601."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timezone

from batllm_arcade.match.records import Play, Record

_FRACTION = re.compile(r"\.(\d+)")


def parse_time(text: str) -> datetime:
    """Return the time a text names, with its zone if it has one; raise ValueError if it is not ISO 8601."""
    # Python 3.10 reads neither Z nor fractions of other than three or six digits.
    return datetime.fromisoformat(_FRACTION.sub(lambda found: f".{found[1][:6]:0<6}", text.replace("Z", "+00:00")))


def utc_time(text: str) -> datetime:
    """Return the time a text names, in UTC where it has no zone; raise ValueError if it is not ISO 8601."""
    time = parse_time(text)
    return time if time.tzinfo else time.replace(tzinfo=timezone.utc)


def last_time(records: Iterable[Record]) -> datetime | None:
    """Return the time of the last play among records, None where that has none."""
    found = None
    for record in records:
        if isinstance(record, Play):
            found = record.timestamp
    with suppress(ValueError):
        return None if found is None else utc_time(found)
    return None
