"""What a server means by an answer with an error status, and one plain sentence for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from batllm_arcade.models.server_error import Kind, ServerError, failure
from batllm_arcade.models.server_text import words

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
