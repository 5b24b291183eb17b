"""A parameter whose value a server refuses: the nearest value that it does allow, as its words tell; pure."""

from __future__ import annotations

import re
from typing import Any

from batllm_arcade.models.adapting.adaptation import LENGTHS

EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "ultra", "max")
"""How hard a model may be asked to think, from least to most, in the words of all servers."""
_OTHER_WORDS = {"default": "medium", "true": "medium", "enabled": "medium", "false": "none", "disabled": "none",
                "off": "none"}  # fmt: skip
EFFORT_NAMES = ("reasoning_effort", "effort", "think", "thinkingLevel", "thinking_level")
"""The names that servers have for it."""
_LIST = re.compile(
    r"(?:supported|allowed|valid|accepted|possible)(?: string)? (?:values?|levels?|options?|ones)(?: are| is)?:?"
    r"|must be|should be|expected|one of|choose|supports only|only supports?|use",
    re.IGNORECASE,
)
"""What stands before the values that are allowed."""
_BUDGETS = ("thinkingBudget", "budget_tokens", "thinking_budget")
_UNKNOWN = re.compile(
    r"cannot find field|unknown|unrecogni[sz]ed|extra inputs|unexpected|extra_forbidden", re.IGNORECASE
)


def value_of(word: str) -> Any:
    """Return the JSON value that a server's word for one means: a truth, a number or a text."""
    if re.fullmatch(r"\d{1,9}(?:\.\d{1,9})?", word):
        return float(word) if "." in word else int(word)
    return {"true": True, "false": False}.get(word.lower(), word)


def is_value(word: str) -> bool:
    """Return whether a word is a value to set, as in "use 'low' instead", and no parameter's name."""
    return value_of(word) != word or word.lower() in (*EFFORTS, *_OTHER_WORDS)


def allowed_value(path: str, value: Any, text: str) -> Any:
    """Return the value that the parameter at `path` may have in place of `value`, None if the words tell of none."""
    name = path.rpartition(".")[2]
    if name in EFFORT_NAMES:
        return _effort(value, text)
    if type(value) in (int, float) and not _UNKNOWN.search(text):
        return _budget(value, text) if name in _BUDGETS else _within(name, value, text)
    return None


def _rank(word: Any) -> int:
    text = str(word).lower()
    return EFFORTS.index(_OTHER_WORDS.get(text, text)) if _OTHER_WORDS.get(text, text) in EFFORTS else 3


def _effort(value: Any, text: str) -> Any:
    """Return the allowed effort that is nearest, the lower of two; where thinking cannot be off, a low one."""
    marks = list(_LIST.finditer(text))
    words = re.findall(r"[a-z]+", text[marks[0].end() :].lower()) if marks else []
    known = [word for word in dict.fromkeys(words) if word in EFFORTS or word in ("default", "true", "false")]
    others = [word for word in known if word != str(value).lower()]
    if others and (len(others) > 1 or len(known) > len(others) or re.search("one of|must be|instead", text)):
        best = min(others, key=lambda word: (abs(_rank(word) - _rank(value)), _rank(word)))
        return {"true": True, "false": False}.get(best, best)
    if _rank(value) < _rank("low") and re.search(r"mandatory|cannot be (?:disabled|turned off)|only works", text):
        return "low"
    return None


def _budget(value: float, text: str) -> int | None:
    """Return a budget of thought in the range that is told; else the least or the most that any model takes."""
    found = re.search(r"between (\d+) and (\d+)|from (\d+) to (\d+)", text)
    if found:
        low, high = (int(each) for each in found.groups() if each)
        return None if low <= value <= high else low if value < low else high
    if re.search(r"\binvalid\b(?!_)|only works", text, re.IGNORECASE):
        return 512 if value == 0 else 24576 if value > 24576 else None
    return None


def _within(name: str, value: float, text: str) -> float | None:
    """Return a number at the nearest bound that is told, None where it is within or none is."""
    numbers = [float(each) for each in re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\w)", text)]
    bounds = [each for each in numbers if each != value]
    low = re.search(r"between|range|minimum|at least|greater than|below|>=|\u2265", text)
    high = re.search(r"between|range|maximum|at most|up to|less than|too large|exceed|larger|above|<=|\u2264", text)
    if name in LENGTHS:
        below = [each for each in bounds if 16 <= each < value] if high else []
        above = [each for each in bounds if value < each < 1024] if low else []
        best = max(below, default=None) if below else min(above, default=None)
        return None if best is None else int(best)
    if not bounds or not (low or high) or min(bounds) <= value <= max(bounds):
        return None
    return max(bounds) if value > max(bounds) else min(bounds) if low else None
