"""The times in session files: ISO 8601."""

from __future__ import annotations

import re
from datetime import datetime

_FRACTION = re.compile(r"\.(\d+)")


def parse_time(text: str) -> datetime:
    """Return the time a text names, with its zone if it has one; raise ValueError if it is not ISO 8601."""
    # Python 3.10 reads neither Z nor fractions of other than three or six digits.
    return datetime.fromisoformat(_FRACTION.sub(lambda found: f".{found[1][:6]:0<6}", text.replace("Z", "+00:00")))
