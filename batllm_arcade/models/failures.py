"""Failures of servers: what they say, whether to ask again, what the user reads."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from random import Random
from typing import Any, Literal

from batllm_arcade.brains.kinds import Why
from batllm_arcade.brains.protocol import BrainError

# -- Text by servers: JSON, error bodies, Retry-After


def json_value(text: str) -> Any:
    """Return the JSON value that `text` is, also behind a byte order mark, or None."""
    try:
        return json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None


def unescaped(value: Any, change: Callable[[str], str]) -> Any:
    """Return a JSON value with `change` made to its text without escapes; None if there is none then."""
    try:
        return json_value(change(json.dumps(value, ensure_ascii=False)))
    except RecursionError:
        return None


def json_object(text: str) -> dict[str, Any] | None:
    """Return the JSON object that `text` is, or None."""
    value = json_value(text)
    return value if isinstance(value, dict) else None


def words(body: Any) -> str:
    """Return a server's own words for an error, wherever its kind of body keeps them, or ""."""
    for _ in range(3):
        if not isinstance(body, dict):
            break
        body = next((body[key] for key in ("error", "message", "detail") if body.get(key)), None)
    return clean(body, 200) if isinstance(body, str) else ""


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


# -- How a model server failed, in one plain sentence

Kind = Literal["", "model", "payment", "quota", "filter", "context", "cut"]
"""What an error is about where its status alone does not say: a model that is not there, money, an amount that is used
up, what was written, its length, that of the answer."""
SENTENCE = 4000
"""Characters of a sentence at most: the names of all models of a server have room."""


class ServerError(BrainError):
    """A server did not answer; `again` says that asking again may help, `fatal` that it never will.

    `wait_s` is how many seconds the server asks to be left alone, `status` its HTTP status if that is an error's,
    `answer` the whole body of that, `kind` what it refused then, `raw` the text of an answer that it ended itself,
    `why` what a player could do something about.
    """

    status: int | None = None
    answer: str = ""
    kind: Kind = ""

    def __init__(
        self, sentence: str, *, again: bool = False, fatal: bool = False, wait_s: float | None = None, raw: str = "",
        why: Why = "other",
    ) -> None:  # fmt: skip
        super().__init__(sentence, raw=raw)
        self.again, self.fatal, self.wait_s, self.why = again, fatal, wait_s, why


def failure(
    sentence: str, *, again: bool = False, fatal: bool = False, wait_s: float | None = None, raw: str = ""
) -> ServerError:
    """Return an error fit to be shown: one line of visible characters."""
    return ServerError(clean(sentence, SENTENCE), again=again, fatal=fatal, wait_s=wait_s, raw=raw)


def cause(status: int, kind: Kind, *, keyed: bool, key_refused: bool) -> Why:
    """Return why a server has refused with this status; `keyed`: it was sent a key, which `key_refused` is about."""
    if kind in ("payment", "quota"):
        return "pay"
    if status == 401 or key_refused:
        return "wrong key" if keyed else "key"
    if kind == "model" or (status == 404 and not kind):
        return "model"
    if status == 429:
        return "late"
    return "down" if status >= 500 or status == 408 else "other"


def too_slow(where: str, limit_s: float) -> ServerError:
    """Return the error for a server that did not answer within `limit_s` seconds."""
    sentence = f"{where} did not answer within {limit_s:g} s; it may be overloaded or stuck"
    return ServerError(sentence, again=True, why="late")


# -- How often and how long a server that failed is asked again, and what is said meanwhile

LOADING = (503, 529)
"""What servers answer that load a model or have too much to do: they are there."""
FIRST_S, LONGEST_S, LONGEST_BROKEN_S = 0.25, 2.0, 8.0
"""Seconds before the second request, between later ones, and between those for answers that break off: they cost."""
ANSWER_S = 0.2
"""Seconds an answer takes at least: with less left after a pause, why there is none is told instead of a timeout."""


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


# -- What a server means by an answer with an error status, and one plain sentence for it

_KEY = r"api[ _-]?key|authenticat|unauthori[sz]ed|credential"
"""Words of servers that refuse a key with the status of a bad request."""
_MODEL = (
    r"model_not_found|no such model|(unknown|invalid) model\b|\bmodels?\b.{0,120}(not found|does not exist)|NOT_FOUND"
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
USED_UP: tuple[Kind, ...] = ("payment", "quota")
"""What no waiting within a play will change, whatever pause the server names."""
_DEEP, _LONG = 5, 4000


def kind_of(status: int, body: Any) -> Kind:
    """Return what an answer with this error status and parsed body is about, "" if its status says it all."""
    said = " ".join(_texts(body, _DEEP))[:_LONG]

    def says(pattern: str) -> bool:
        return re.search(pattern, said, re.IGNORECASE) is not None

    if status == 402 or (status in (400, 403, 429) and says(_PAYMENT)):
        return "payment"
    if status in (403, 429) and says(_QUOTA):
        return "quota"
    if status == 400 and says(_CUT):
        return "cut"
    if status in (400, 413, 422, 500) and says(_CONTEXT):
        return "context"
    if status in (400, 404) and says(_MODEL):
        return "model"
    return "filter" if status in (400, 403, 422, 451) and says(_FILTER) else ""


def _texts(body: Any, depth: int) -> Iterator[str]:
    """Yield all texts of a body: servers keep what a program can tell apart in `code`, `type`, `reason` or in words."""
    if isinstance(body, str):
        yield body
    elif depth and isinstance(body, (Mapping, list)):
        for each in body.values() if isinstance(body, Mapping) else body:
            yield from _texts(each, depth - 1)


def about_key(status: int, body: Any) -> bool:
    """Return whether an answer with this error status and parsed body is about the key."""
    said = " ".join(_texts(body, _DEEP))[:_LONG]
    return status == 401 or (status in (400, 403) and re.search(_KEY, said, re.IGNORECASE) is not None)


def refused(status: int, body: Any, wait_s: float | None, where: str, key_hint: str, path: str = "") -> ServerError:
    """Return the usual error for this status and parsed body of the server `where`, which asks to wait `wait_s`.

    `key_hint` is what to do about its key, `path` what was asked for.
    """
    text = words(body)
    said = f" ({status}: {text})" if text else f" ({status})"
    kind = kind_of(status, body)
    if kind and kind != "model":
        return _by_kind(kind, where, said)
    if 300 <= status < 400:
        return failure(f"{where} sends its callers elsewhere{said}; set base_url to the final address")
    if status in (401, 403) or (status == 400 and re.search(_KEY, text, re.IGNORECASE)):
        return failure(f"{where} does not let us in{said}; {key_hint}", fatal=True)
    if status == 404 or kind == "model":
        asked = f" {path.partition('?')[0]}" if path and status == 404 else ""
        return failure(f"{where} knows no such model or address{asked}{said}; check both", fatal=True)
    if status == 429:
        sentence = f"{where} takes no requests {f'for {wait_s:.0f} s' if wait_s else 'for now'}{said}"
        return failure(f"{sentence}; wait, or use another model", again=True, wait_s=wait_s)
    if status >= 500 or status in (408, 409):
        again = status not in (501, 505)  # what a server does not know it will not learn
        return failure(f"{where} failed{said}; try again, or look at its log", again=again, wait_s=wait_s)
    return failure(f"{where} refused the request{said}; check the options of this brain")


def _by_kind(kind: Kind, where: str, said: str) -> ServerError:
    if kind == "payment":
        return failure(f"{where} wants to be paid{said}; add credit to that account, or use another model", fatal=True)
    if kind == "quota":
        return failure(f"the quota at {where} is used up{said}; raise it there, wait, or use another model")
    if kind == "context":
        return failure(
            f"the prompt is longer than {where} has room for{said}; "
            "set payload.history_window, or use a model with a larger context"
        )
    if kind == "cut":
        return failure(f"{where} had no tokens left for an answer{said}; set think=low, or max_tokens to more")
    return failure(f"{where} will not have what is written there{said}; change the players' prompts, or the model")
