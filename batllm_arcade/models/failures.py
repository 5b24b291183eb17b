"""Failures of servers: what they say, whether to ask again, what the user reads."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from random import Random
from typing import Any, Literal

from batllm_arcade.brains.kinds import Why
from batllm_arcade.brains.protocol import BrainError
from batllm_arcade.prompts.unwrap import json_value

Kind = Literal["", "model", "payment", "quota", "filter", "context", "cut"]
"""What an error is about where its status alone does not say: a model that is not there, money, an amount that is used
up, what was written, its length, that of the answer."""
USED_UP: tuple[Kind, ...] = ("payment", "quota")
"""What no waiting within a play will change, whatever pause the server names."""
NO_ROUTE = (404, 405, 501)
"""What servers answer where an API has a route and they have none."""
LOADING = (503, 529)
"""What servers answer that load a model or have too much to do: they are there."""
FIRST_S, LONGEST_S, LONGEST_BROKEN_S = 0.25, 2.0, 8.0
"""Seconds before the second request, between later ones, and between those for answers that break off: they cost."""
ANSWER_S = 0.2
"""Seconds an answer takes at least: with less left after a pause, why there is none is told instead of a timeout."""
SENTENCE = 4000
"""Characters of a sentence at most: the names of all models of a server have room."""
_KEY = r"api[ _-]?key|authenticat|unauthori[sz]ed|credential"
"""Words of servers that refuse a key with the status of a bad request."""
_MODEL = (
    r"model_not_found|no such model|(unknown|invalid) model\b|\bmodels?\b.{0,120}(not found|does not exist)|NOT_FOUND"
    r"|models?[ :/]+['\"`]?[\w./:@-]+['\"`]? (is |was )?not (exist|available)"
)
_CONTEXT = (
    r"context_length_exceeded|exceed_context_size|context (length|window|size)|maximum context|context exceeded"
    r"|prompt is too long|(prompt|input|request) (is |was )?(too long|longer than)|input token count.{0,40}exceed"
    r"|too large for model with [0-9]+ maximum|reduce the length of the|too many (input )?tokens"
)
_PAYMENT = r"insufficient[ _](credit|fund|balance)|credit balance is too low|payment required|billing_error"
_QUOTA = (
    r"insufficient_quota|spend(ing)?[ _]limit|PerDay|limit: 0,|(daily|monthly) (\w+ )?(limit|quota)"
    r"|(quota|limit).{0,30}used up"
)
_FILTER = (
    r"content[ _-]?(filter|policy|management)|ResponsibleAI|moderation|flagged|usage polic|inappropriate"
    r"|safety (system|filter)"
)
_CUT = r"could not finish the message because|(max_(completion_)?tokens|output limit) was reached"
_KINDS: tuple[tuple[Kind, tuple[int, ...], str], ...] = (
    ("payment", (400, 403, 429), _PAYMENT),
    ("quota", (403, 429), _QUOTA),
    ("cut", (400,), _CUT),
    ("context", (400, 413, 422, 500), _CONTEXT),
    ("model", (400, 404), _MODEL),
    ("filter", (400, 403, 422, 451), _FILTER),
)
"""The statuses and words of each kind, the first that fits."""
_NAMES = ("param", "loc", "field", "parameter", "property")
"""Keys whose value names what is wrong."""
_ECHOES = ("input", "url", "id", "request_id", "user_id", "documentation_url", "model", "help")
"""Keys whose value says nothing about the error; `input` quotes the request."""
_LONGEST, _DEEPEST = 4000, 8


class ServerError(BrainError):
    """A server did not answer; `again` says that asking again may help, `fatal` that it never will.

    `wait_s` is how many seconds the server asks to be left alone, `status` its HTTP status if that is an error's,
    `answer` the whole body of that, `kind` what it refused then, `raw` the text of an answer that it ended itself,
    `why` what a player could do something about. The sentence becomes one line of visible characters.
    """

    status: int | None = None
    answer: str = ""
    kind: Kind = ""

    def __init__(
        self, sentence: str, *, again: bool = False, fatal: bool = False, wait_s: float | None = None, raw: str = "",
        why: Why = "other",
    ) -> None:  # fmt: skip
        super().__init__(clean(sentence, SENTENCE), raw=raw)
        self.again, self.fatal, self.wait_s, self.why = again, fatal, wait_s, why


def too_slow(where: str, limit_s: float) -> ServerError:
    """Return the error for a server that did not answer within `limit_s` seconds."""
    sentence = f"{where} did not answer within {limit_s:g} s; it may be overloaded or stuck"
    return ServerError(sentence, again=True, why="late")


@dataclass(frozen=True, slots=True)
class Patience:
    """How a server is asked again: at most `tries` times in all, for `away_s` seconds while it is not merely busy.

    Without limits it is asked until the deadline of the call.
    """

    tries: float = math.inf
    away_s: float = math.inf

    def ends(self, error: ServerError, failures: int, waited_s: float) -> bool:
        """Return whether to give up after this many failures and seconds."""
        away = error.status not in LOADING and error.wait_s is None and waited_s >= self.away_s
        return not error.again or failures >= self.tries or away


UNTIL_DEADLINE = Patience()
ONCE = Patience(tries=1)
STARTING = Patience(away_s=3.0)
"""Before a match: a server that loads is waited for, one that is not there is told soon."""


def pause_s(error: ServerError, failures: int, jitter: Random, *, broken: bool) -> float:
    """Return the seconds to wait after this many failures; `broken`: an answer had begun and is paid for."""
    longest = LONGEST_BROKEN_S if broken else LONGEST_S
    usual = min(longest, FIRST_S * 2.0 ** min(failures - 1, 10)) * jitter.uniform(0.5, 1.5)
    return usual if error.wait_s is None else max(error.wait_s + jitter.uniform(0.0, 0.1), usual)


def waiting_words(name: str, error: ServerError, left_s: float) -> str:
    """Return what is said while the server called `name` is asked again."""
    what = "does not answer" if error.status is None else f"failed ({error.status})"
    if error.status in (429, *LOADING):
        what = "takes no requests now" if error.status == 429 else "is busy or loading"
    return f"{name[:1].upper()}{name[1:]} {what}; asking again, {left_s:.0f} s left"


# What servers write


def unescaped(value: Any, change: Callable[[str], str]) -> Any:
    """Return a JSON value with `change` made to its text without escapes; None if there is none then."""
    try:
        return json_value(change(json.dumps(value, ensure_ascii=False)))
    except RecursionError:
        return None


def clean(text: str, longest: int) -> str:
    """Return one line of visible characters, cut to `longest`."""
    # isprintable is False for line ends, escape codes and marks that turn the reading direction
    text = " ".join("".join(char if char.isprintable() else " " for char in text[: 4 * longest]).split())
    return text if len(text) <= longest else text[: longest - 3] + "..."


def retry_after(text: str) -> float | None:
    """Return the seconds a Retry-After header asks for, in either of its spellings, or None."""
    text = text.strip()
    if re.fullmatch(r"[0-9]{1,9}", text):
        return float(text)
    try:
        when = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=timezone.utc)
    return max(0.0, (when - datetime.now(timezone.utc)).total_seconds())


def own_words(body: Any) -> str:
    """Return a server's own words for an error, wherever its kind of body keeps them, or ""."""
    for _ in range(3):
        if not isinstance(body, dict):
            break
        body = next((body[key] for key in ("error", "message", "detail") if body.get(key)), None)
    return clean(body, 200) if isinstance(body, str) else ""


@dataclass(frozen=True, slots=True)
class ServerWords:
    """All sentences in an error's body, joined, and the parameters that it names outside of them."""

    text: str = ""
    names: tuple[str, ...] = ()


def words_of(body: Any) -> ServerWords:
    """Return what an error's body says: plain text, or JSON of any shape, as a value or a text, also within strings.

    Servers keep what a program can tell apart in `code`, `type`, `reason` or in words.
    """
    texts: list[str] = []
    names: list[str] = []

    def collect(value: Any, depth: int) -> None:
        if depth > _DEEPEST or len(texts) > 50:
            return
        if isinstance(value, str):
            inner = _parsed(value) if depth and value[:1] in ("{", "[") else value
            texts.append(inner) if isinstance(inner, str) else collect(inner, depth + 1)
        elif isinstance(value, list):
            for each in value:
                collect(each, depth + 1)
        elif isinstance(value, dict):
            for key, each in value.items():
                if key not in (*_NAMES, *_ECHOES):
                    collect(each, depth + 1)
                elif key in _NAMES and isinstance(each, str):
                    names.append(each)
                elif key in _NAMES and isinstance(each, list):  # `loc: ["body", "options", NAME]`
                    names.append(".".join(part for part in each if isinstance(part, str) and part != "body"))

    collect(_parsed(body[: 16 * _LONGEST]) if isinstance(body, str) else body, 0)
    return ServerWords(" \n ".join(texts)[:_LONGEST], tuple(filter(None, names)))


def _parsed(text: str) -> Any:
    if text.lstrip()[:1] in ("{", "["):
        value = json_value(text)
        return text if value is None else value
    return None if text.lstrip()[:1] == "<" else text  # a page of HTML says nothing about a parameter


# What they mean by that


def kind_of(status: int, said: str) -> Kind:
    """Return what an error with this status is about whose body says so, "" if its status says it all."""
    if status in (402, 413):
        return "payment" if status == 402 else "context"
    fitting = (kind for kind, statuses, words in _KINDS if status in statuses and re.search(words, said, re.IGNORECASE))
    return next(fitting, "")


def lacks_model(status: int, body: Any) -> bool:
    """Return whether an error with this status and parsed body is about a model that the server has not got."""
    said = words_of(body).text
    named = "model" in said.lower() or "NOT_FOUND" in said  # which Google says of nothing else
    return named and (status == 404 or kind_of(status, said) == "model")


def about_key(status: int, said: str) -> bool:
    """Return whether an error with this status is about the key."""
    return status == 401 or (status in (400, 403) and re.search(_KEY, said, re.IGNORECASE) is not None)


def cause(status: int, kind: Kind, *, keyed: bool, key_refused: bool) -> Why:
    """Return why a server has refused with this status; `keyed`: it was sent a key, which `key_refused` is about."""
    if kind in USED_UP:
        return "pay"
    if status == 401 or key_refused:
        return "wrong key" if keyed else "key"
    if kind == "model" or (status == 404 and not kind):
        return "model"
    if status == 429:
        return "late"
    return "down" if status >= 500 or status == 408 else "other"


def refused(status: int, body: Any, wait_s: float | None, where: str, key_hint: str, path: str = "") -> ServerError:
    """Return the usual error for this status and parsed body of the server `where`, which asks to wait `wait_s`.

    `key_hint` is what to do about its key, `path` what was asked for.
    """
    text = own_words(body)
    said = f" ({status}: {text})" if text else f" ({status})"
    kind = kind_of(status, words_of(body).text)
    if kind and kind != "model":
        return _by_kind(kind, where, said)
    if 300 <= status < 400:
        return ServerError(f"{where} sends its callers elsewhere{said}; set base_url to the final address")
    if status in (401, 403) or (status == 400 and re.search(_KEY, text, re.IGNORECASE)):
        return ServerError(f"{where} does not let us in{said}; {key_hint}", fatal=True)
    if status == 404 or kind == "model":
        asked = f" {path.partition('?')[0]}" if path and status == 404 else ""
        return ServerError(f"{where} knows no such model or address{asked}{said}; check both", fatal=True)
    if status == 429:
        sentence = f"{where} takes no requests {f'for {wait_s:.0f} s' if wait_s else 'for now'}{said}"
        return ServerError(f"{sentence}; wait, or use another model", again=True, wait_s=wait_s)
    if status >= 500 or status in (408, 409):
        again = status not in (501, 505)  # what a server does not know it will not learn
        return ServerError(f"{where} failed{said}; try again, or look at its log", again=again, wait_s=wait_s)
    return ServerError(f"{where} refused the request{said}; check the options of this brain")


def _by_kind(kind: Kind, where: str, said: str) -> ServerError:
    if kind == "payment":
        sentence = f"{where} wants to be paid{said}; add credit to that account, or use another model"
        return ServerError(sentence, fatal=True)
    if kind == "quota":
        return ServerError(f"the quota at {where} is used up{said}; raise it there, wait, or use another model")
    if kind == "context":
        sentence = f"the prompt is longer than {where} has room for{said}"
        return ServerError(f"{sentence}; set payload.history_window, or use a model with a larger context")
    if kind == "cut":
        return ServerError(f"{where} had no tokens left for an answer{said}; set think=low, or max_tokens to more")
    return ServerError(f"{where} will not have what is written there{said}; change the players' prompts, or the model")
