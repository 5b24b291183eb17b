"""Plain values of a file as typed ones: pydantic checks them, and its errors become one plain sentence."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, TypeVar

from annotated_types import Ge, Le

from batllm_arcade.errors import MOST_WHOLE, quoted
from batllm_arcade.history.schema import HistoryError

T = TypeVar("T")
Whole = Annotated[int, Ge(-MOST_WHOLE), Le(MOST_WHOLE)]
Count = Annotated[int, Ge(0), Le(MOST_WHOLE)]
Positive = Annotated[int, Ge(1), Le(MOST_WHOLE)]
NotNegative = Annotated[float, Ge(0), Le(1e12)]
Share = Annotated[float, Ge(0), Le(1)]
"""A share of 1."""

_MUST = {
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "string_type": "must be a text",
    "bool_type": "must be true or false",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "dict_type": "must hold names with values",
    "dataclass_type": "must hold names with values",
    "greater_than_equal": "must be {ge:,.12g} or more",
    "less_than_equal": "must be at most {le:,.12g}",
    "less_than": "must be below {lt:,.12g}",
    "literal_error": "must be {expected}",
    "too_short": "must have {min_length} values",
    "too_long": "must have {max_length} values",
}
"""What pydantic's errors say, by their types."""


@cache
def _adapter(kind: Any) -> Any:
    from pydantic import TypeAdapter  # a tenth of a second

    return TypeAdapter(kind)


def read_as(kind: type[T], values: Any, what: str) -> T:
    """Return plain values as a dataclass (or TypedDict) of this kind; names that it has not are passed over.

    Raise HistoryError, which names the place in `what` ("": a file's own keys), at the first value that is wrong.
    """
    from pydantic import ValidationError

    try:
        text = json.dumps(values, allow_nan=False, default=repr)
        typed: T = _adapter(kind).validate_json(text, strict=True)  # type: ignore[arg-type]
        return typed
    except ValidationError as error:
        raise HistoryError(_sentence(error.errors()[0], what)) from None
    except (ValueError, RecursionError):
        raise HistoryError(f"{what or 'it'} holds a figure that is no number") from None


def _sentence(error: Mapping[str, Any], what: str) -> str:
    if error["type"] == "missing":
        *outer, key = error["loc"]
        return f"{_place(outer, what) or 'it'} has no {key!r}"
    must = _MUST.get(error["type"], "is wrong").format(**error.get("ctx", {}))
    return f"{_place(error['loc'], what) or 'it'} {must}, not {quoted(error['input'])}"


def _place(path: Sequence[str | int], what: str) -> str:
    """Return a path in words, innermost part first: `'plays' of 'latency_s' of player 1 of the table`."""
    parts: list[str] = [what] if what else []
    for part in path:
        if isinstance(part, int):
            parts[-1] = f"{parts[-1].strip(chr(39)).removesuffix('s')} {part + 1}"
        else:
            parts.append(repr(part) if what else part)
    return " of ".join(reversed(parts))
