"""Which parameter a server refused, read from its words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from batllm_arcade.models.adaptation import (
    FORMS,
    LENGTHS,
    ROOTS,
    Adaptation,
    Body,
    adapt,
    has_system,
    is_held,
    is_plain,
    lengths,
    named,
    parameters,
    schema_at,
    spaced,
    value_at,
)
from batllm_arcade.models.failures import ServerWords, failure_of
from batllm_arcade.prompts.unwrap import json_object

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
BUDGETS = ("thinkingBudget", "budget_tokens", "thinking_budget")
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
        return _budget(value, text) if name in BUDGETS else _within(name, value, text)
    return None


def rank(word: Any) -> int:
    """Return how hard a value asks a model to think, 0 for not at all."""
    if type(word) in (int, float):
        return int(word > 0)
    text = str(word).lower()
    return EFFORTS.index(_OTHER_WORDS.get(text, text)) if _OTHER_WORDS.get(text, text) in EFFORTS else 3


def _effort(value: Any, text: str) -> Any:
    marks = list(_LIST.finditer(text))
    words = re.findall(r"[a-z]+", text[marks[0].end() :].lower()) if marks else []
    known = [word for word in dict.fromkeys(words) if word in EFFORTS or word in ("default", "true", "false")]
    others = [word for word in known if word != str(value).lower()]
    if others and (len(others) > 1 or len(known) > len(others) or re.search("one of|must be|instead", text)):
        best = min(others, key=lambda word: (abs(rank(word) - rank(value)), rank(word)))
        return {"true": True, "false": False}.get(best, best)
    if rank(value) < rank("low") and re.search(r"mandatory|cannot be (?:disabled|turned off)|only works", text):
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


STATUSES = (400, 404, 422)
"""What servers answer to a request that they refuse for what is in it."""
GUESSES = ("thinkingConfig", "think", "reasoning_effort", "schema", "seed", "random_seed", "temperature")
"""What a server is likely to refuse that does not say what, most likely first."""
LENGTH_NAMES = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
"""The other name of a parameter that servers call differently."""
SYNONYMS = {
    "think": ("thinking",), "thinkingConfig": ("thinking",), "thinkingBudget": ("budget",),
    "reasoning_effort": ("reasoning", "effort"), "stream": ("streaming",), "chat_template_kwargs": ("chat template",),
}  # fmt: skip
"""Other words for a parameter, looked for where no name is found."""
ADDABLE = ("reasoning_effort", "enable_thinking", "think", "stream")
"""Parameters that servers want to be set although no request had them."""
_SYSTEM = re.compile(
    r"\b(?:system|developer) (?:role|instruction|message|prompt)s? (?:is |are )?(?:not|un|isn)"
    r"|role (?:does not|doesn t|cannot|can t) (?:support|be|accept)\w* system|(?:variant|role) system\b(?! user)"
    r"|only user and assistant|roles must alternate"
)
_SCHEMA = re.compile(r"schema|response format|response mime type|json mode|structured output|grammar")
_KEYWORD = re.compile(
    r"\b(?:pattern|(?:min|max) (?:items|length)|minimum|maximum|additional properties|keyword|fields|any of|features)"
)
"""What of a schema servers refuse."""
_ITS_TYPE = re.compile(
    r"format type|type json schema|format json schema|json schema is not supported|format of type|type must be"
    r"|format of type string|unavailable now"
)
_UNKNOWN_PARAMETER = re.compile(
    r"unknown|unrecogni[sz]ed|extra inputs|extra forbidden|unexpected|unsupported parameter|cannot find field"
    r"|(?:json mode|structured outputs?|response format|response mime type|format|grammar)s? (?:is |are )?not "
    r"|does not support (?:parameter|structured|json mode|response format(?! json| type))|not support\w* format$"
)
_QUOTED = re.compile(r"['\"`]([\w.-]+)['\"`]")
_MUST = re.compile(
    r"\bset [`'\"]?(\w+)[`'\"]? to [`'\"]?(\w+(?:\.\d+)?)|\b(\w+)[`'\"]? must be set to [`'\"]?(\w+(?:\.\d+)?)"
)
_INSTEAD = re.compile(
    r"use [`'\"]?([\w.]+)[`'\"]? instead|(?:renamed to|replaced by|superseded by) [`'\"]?([\w.]+)", re.I
)
_THINKING_TYPE = re.compile(r"thinking\.type\.\w+\W+is not supported.*?thinking\.type\.(\w+)", re.DOTALL)
_NAMELESS = re.compile(
    r"(?:(?:the )?request contains (?:an )?)?invalid arguments?|(?:invalid|bad) request"
    r"|(?:litellm [\w ]+ )?provider returned error"
)


def refusal(
    status: int, said: ServerWords, body: Body, already: Sequence[Adaptation] = (), answer: int = 0
) -> Adaptation | None:
    """Return what to change in a refused request, None if its words tell of nothing that could be changed.

    `already` is what was changed before: nothing is changed twice, and what was renamed is not renamed back.
    `answer` is how many tokens the answer's text takes, below which its limit never falls.
    """
    kind = failure_of(status, said.text).kind
    if status not in STATUSES or kind == "model":
        return None
    found = _smaller(said, body, answer) if kind == "context" else _named_change(said, body)
    # A parameter that would get the name back that it had before: a server may refuse both.
    before = [_last(each.name) for each in already if each.kind == "rename"]
    if found is not None and found.kind == "rename" and found.value in before:
        found = Adaptation("drop", found.name)
    return found if found is not None and found not in already and adapt(body, [found]) != body else None


def guesses(said: ServerWords, body: Body) -> list[Adaptation]:
    """Return what is worth a try after a refusal that names nothing, most likely first; none if it says more."""
    lines = {line for line in map(spaced, said.text.split("\n")) if line}
    nameless = [line for line in lines if _NAMELESS.fullmatch(line)]
    if said.names or not nameless or any(len(line.split()) > 2 for line in lines.difference(nameless)):
        return []
    form = Adaptation("schema", "", _weaker(body))
    tries = [form if name == "schema" else Adaptation("drop", name) for name in GUESSES]
    return [each for each in tries if adapt(body, [each]) != body][:4]


def unthinking(body: Body) -> Adaptation | None:
    """Return what leaves out the order not to think, which some servers obey by ignoring the form; None without one."""
    for path, value in parameters(body):
        name = _last(path)
        off = value is False if name in ("think", "enable_thinking") else name in EFFORT_NAMES and value == "none"
        if off or (name == "thinking" and value == {"type": "disabled"}):
            return Adaptation("drop", path, value)
    return None


def looser(body: Body, text: str) -> Adaptation | None:
    """Return the next weaker form for a request whose form this text does not have, None if it has no schema."""
    if not schema_at(body):
        return None
    return Adaptation("schema", "", FORMS[1] if json_object(text) is None else _weaker(body))


def _named_change(said: ServerWords, body: Body) -> Adaptation | None:
    text = re.split(r"did you mean", said.text, flags=re.IGNORECASE)[0]
    plain = spaced(f"{text} {' '.join(said.names)}")
    if _SYSTEM.search(plain) and has_system(body):
        return Adaptation("system", "", "user")
    kind = _THINKING_TYPE.search(text)
    if kind and "thinking" in body:
        return Adaptation("set", "thinking", {"type": kind[1]})
    must = _MUST.search(text)
    name, value = (must[1] or must[3], must[2] or must[4]) if must else ("", "")
    if name in ADDABLE or (name and named(body, name)):
        return Adaptation("set", name, value_of(value))
    path = _path_in(said, text, body)
    if is_held(body) and (_SCHEMA.search(plain) or path.partition(".")[0] in ROOTS or _last(path) in ROOTS):
        plainer = schema_at(body) and _ITS_TYPE.search(plain) and not _KEYWORD.search(plain)
        if plainer or "the word json" in plain:
            return Adaptation("schema", "", "object")
        return Adaptation("schema", "", "none" if _UNKNOWN_PARAMETER.search(plain) else _weaker(body))
    return _of_parameter(path, text, body) if path else None


def _weaker(body: Body) -> str:
    if not schema_at(body):
        return FORMS[2]
    return FORMS[1] if is_plain(body) else FORMS[0]


def _path_in(said: ServerWords, text: str, body: Body) -> str:
    paths = [path for path, _ in parameters(body) if _may_go(path)]
    for name in said.names:
        words = f" {spaced(name)}"
        for path in reversed(paths):  # what is within another one comes first
            if words.endswith(f" {spaced(_last(path))}"):
                return path
    plain, quoted = f" {spaced(text)} ", _QUOTED.findall(text)
    named = _first(plain, paths, lambda last: (last,)) or _first(plain, paths, lambda last: SYNONYMS.get(last, ()))
    efforts = (path for path, value in parameters(body) if _last(path) in EFFORT_NAMES and str(value) in quoted)
    return named or next(efforts, "")


def _may_go(path: str) -> bool:
    """Return whether a parameter can be left out by itself, as what holds the model to a form cannot."""
    parent, _, name = path.rpartition(".")
    return not (parent and (name in ("type", "name") or any(each in ROOTS for each in parent.split("."))))


def _first(plain: str, paths: Sequence[str], called: Callable[[str], tuple[str, ...]]) -> str:
    """Return the path whose name stands first in the words, the longer of two names at one place; "" without one.

    Of a parameter and one within it, both named, it is the inner one.
    """
    named = [(plain.find(f" {spaced(word)} "), -len(word), path) for path in paths for word in called(_last(path))]
    best = [path for place, _, path in sorted(named) if place >= 0]
    return next((path for path in best if path.startswith(f"{best[0]}.")), best[0] if best else "")


def _last(path: str) -> str:
    return path.rpartition(".")[2]


def _of_parameter(path: str, text: str, body: Body) -> Adaptation:
    """Return the change of one parameter: an allowed value before another name, and that before none at all."""
    name, value = _last(path), value_at(body, path)
    allowed = allowed_value(path, value, text)
    if allowed is not None and allowed != value:
        shorter = path in lengths(body) and allowed < value
        return Adaptation("most", "", allowed) if shorter else Adaptation("replace", path, (value, allowed))
    instead = _INSTEAD.search(text)
    other = (instead[1] or instead[2]).rpartition(".")[2] if instead else LENGTH_NAMES.get(name, "")
    if other and other not in (name, *body) and not is_value(other) and not named(body, other):
        return Adaptation("rename", path, other)
    if name == "stream" and value is True:
        return Adaptation("set", "stream", False)
    return Adaptation("drop", path)


def _smaller(said: ServerWords, body: Body, answer: int) -> Adaptation | None:
    """Return a smaller limit where prompt and answer do not fit the context together, but the answer still does."""
    asked = max((value_at(body, path) for path in lengths(body)), default=0)
    room = re.search(r"(?:context (?:length|window|size)|n_ctx)\D{0,30}(\d+)", said.text)
    prompt = re.search(r"(\d+) (?:tokens )?(?:in the (?:messages|prompt)|of text input|input tokens)", said.text)
    half = max(asked // 2, answer)
    smaller = min(int(room[1]) - int(prompt[1]), half) if room and prompt else half
    return Adaptation("most", "", smaller) if answer <= smaller < asked else None
