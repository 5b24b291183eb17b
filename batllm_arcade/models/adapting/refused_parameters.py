"""What a refused request has to change, told by the server's own words; pure, and of any wording."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from batllm_arcade.models.adapting.adaptation import Adaptation, adapt, lengths
from batllm_arcade.models.adapting.messages import has_system
from batllm_arcade.models.adapting.parameter_paths import Body, named, parameters, spaced, value_at
from batllm_arcade.models.adapting.schema_forms import FORMS, ROOTS, is_held, is_plain, schema_at
from batllm_arcade.models.adapting.server_words import ServerWords
from batllm_arcade.models.adapting.wrong_values import EFFORT_NAMES, allowed_value, is_value, value_of

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

_NO_MODEL = re.compile(
    r"models?[ :/]+['\"`]?[\w./:@-]+['\"`]? (?:is |was )?(?:not found|does not exist|not exist|not available)"
    r"|(?:invalid|unknown|no such) model",
    re.IGNORECASE,
)
_CONTEXT = re.compile(
    r"context (?:length|window|size)|context_length|exceeds? the (?:available )?context", re.IGNORECASE
)
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
_UNKNOWN = re.compile(
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
_NAMELESS = re.compile(r"(?:(?:the )?request contains (?:an )?)?invalid arguments?|(?:invalid|bad) request")


def refusal(
    status: int, said: ServerWords, body: Body, already: Sequence[Adaptation] = (), answer: int = 0
) -> Adaptation | None:
    """Return what to change in a refused request, None if its words tell of nothing that could be changed.

    `already` is what was changed before: nothing is changed twice, and what was renamed is not renamed back.
    `answer` is how many tokens the answer's text takes, below which its limit never falls.
    """
    if status not in STATUSES or _NO_MODEL.search(said.text):
        return None
    found = _smaller(said, body, answer) if _CONTEXT.search(said.text) else _named_change(said, body)
    if found is not None and found.kind == "rename" and _renamed_before(found, already):
        found = Adaptation("drop", found.name)
    return found if found is not None and found not in already and adapt(body, [found]) != body else None


def _renamed_before(found: Adaptation, already: Sequence[Adaptation]) -> bool:
    """Return whether a parameter would get the name back that it had before: a server may refuse both."""
    return any(each.kind == "rename" and _last(each.name) == found.value for each in already)


def guesses(said: ServerWords, body: Body) -> list[Adaptation]:
    """Return what is worth a try after a refusal that names nothing, most likely first; none if it says more."""
    lines = {line for line in map(spaced, said.text.split("\n")) if line}
    nameless = [line for line in lines if _NAMELESS.fullmatch(line)]
    if said.names or not nameless or any(len(line.split()) > 2 for line in lines.difference(nameless)):
        return []
    form = Adaptation("schema", "", _weaker(body))
    tries = [form if name == "schema" else Adaptation("drop", name) for name in GUESSES]
    return [each for each in tries if adapt(body, [each]) != body][:4]


def _named_change(said: ServerWords, body: Body) -> Adaptation | None:
    text = re.split(r"did you mean", said.text, flags=re.IGNORECASE)[0]
    plain = spaced(f"{text} {' '.join(said.names)}")
    if _SYSTEM.search(plain) and has_system(body):
        return Adaptation("system", "", "user")
    kind = _THINKING_TYPE.search(text)
    if kind and "thinking" in body:
        return Adaptation("set", "thinking", {"type": kind[1]})
    must = _MUST.search(text)
    if must and (change := _set(body, must[1] or must[3], must[2] or must[4])):
        return change
    path = _path_in(said, text, body) or _by_its_value(text, body)
    if is_held(body) and (_SCHEMA.search(plain) or path.partition(".")[0] in ROOTS or _is_root(path)):
        return Adaptation("schema", "", _form(plain, body))
    return _of_parameter(path, text, body) if path else None


def _is_root(path: str) -> bool:
    return _last(path) in ROOTS


def _set(body: Body, name: str, value: str) -> Adaptation | None:
    return Adaptation("set", name, value_of(value)) if name in ADDABLE or named(body, name) else None


def _form(plain: str, body: Body) -> str:
    """Return the form that a server may take which has refused the one in the body."""
    if "the word json" in plain or (_ITS_TYPE.search(plain) and schema_at(body) and not _KEYWORD.search(plain)):
        return "object"
    return "none" if _UNKNOWN.search(plain) else _weaker(body)


def _weaker(body: Body) -> str:
    if not schema_at(body):
        return FORMS[2]
    return FORMS[1] if is_plain(body) else FORMS[0]


def _path_in(said: ServerWords, text: str, body: Body) -> str:
    """Return the dotted name of the parameter that a server names, "" if it names none of the request's."""
    paths = [path for path, _ in parameters(body) if _may_go(path)]
    for name in said.names:
        words = f" {spaced(name)}"
        for path in reversed(paths):  # what is within another one comes first
            if words.endswith(f" {spaced(_last(path))}"):
                return path
    plain = f" {spaced(text)} "
    return _first(plain, paths, lambda last: (last,)) or _first(plain, paths, lambda last: SYNONYMS.get(last, ()))


def _may_go(path: str) -> bool:
    """Return whether a parameter can be left out by itself, as what holds the model to a form cannot."""
    parent, _, name = path.rpartition(".")
    return not (parent and (name in ("type", "name") or any(_is_root(each) for each in parent.split("."))))


def _by_its_value(text: str, body: Body) -> str:
    """Return how hard to think, where a server quotes only the value that it refuses."""
    efforts = [path for path, _ in parameters(body) if _last(path) in EFFORT_NAMES]
    return next((path for path in efforts if f"{value_at(body, path)}" in _QUOTED.findall(text)), "")


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
