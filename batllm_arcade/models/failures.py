"""Failures of servers: what they say, what that means, whether to ask again, what the user reads."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from random import Random
from typing import Any, Literal, NamedTuple

from batllm_arcade.brains.kinds import Why
from batllm_arcade.brains.protocol import BrainError
from batllm_arcade.prompts.unwrap import json_value

Kind = Literal[
    "", "model", "payment", "quota", "filter", "context", "cut", "empty", "route", "signin", "browser", "passes", "eyes"
]  # fmt: skip
"""What an error is about where its status alone does not say: a model that is not there, money, an amount that is used
up, what was written, its length, that of the answer, an answer without a word, a model of another API, an account, a
page for browsers, what passes, a picture that the model cannot see."""
USED_UP: tuple[Kind, ...] = ("payment", "quota")
"""What no waiting within a play will change, whatever pause the server names."""
NO_ROUTE = (404, 405, 501)
"""What servers answer where an API has a route and they have none."""
LOADING = (503, 529)
"""What servers answer that load a model or have too much to do: they are there."""
FIRST_S, LONGEST_S, LONGEST_PAID_S = 0.25, 2.0, 8.0
"""Seconds before the second request, between later ones, and between those for answers that were begun: they cost."""
BUSY_FIRST_S, BUSY_LONGEST_S, BUSY_TRIES = 2.0, 30.0, 6
"""The same for a server that takes no requests for now (429), of which some count; and how often it is asked in all."""
ANSWER_S = 0.2
"""Seconds an answer takes at least: with less left after a pause, why there is none is told instead of a timeout."""
SENTENCE = 4000
"""Characters of a sentence at most: the names of all models of a server have room."""
TOLD = 300
"""Characters that are quoted of what a server says."""


class Failure(NamedTuple):
    """One row of the table: what an error with one of these statuses (() any) and words ("" any) means.

    `ends` is what becomes of it: `passes` is asked again, `never` is given up for good, `refused` for this play. In
    the sentence stand `{where}`, `{said}` (the status and the server's words), `{told}` (these words alone), `{key}`
    (what to do about its key), `{path}` (what was asked for), `{until}` (when a limit ends) and `{to}` (a redirect).
    """

    kind: Kind
    ends: Literal["passes", "refused", "never"]
    why: Why
    statuses: tuple[int, ...]
    words: str
    sentence: str


_AGAIN = "{where} failed{said}; try again, or look at its log"
_PAID = "{where} wants to be paid{said}; add credit to that account, or use another model"
_FULL = (
    "the prompt is longer than {where} has room for{said}; set payload.history_window, or use a model with a larger "
    "context"
)
_UNKNOWN = "{where} knows no such model or address{path}{said}; check both"
_DOOR = "{where} does not let us in{said}; {key}"
TABLE = (
    Failure("eyes", "refused", "options", (400, 404, 415, 422, 500, 501),
            r"image[ _-]?(url|input|content|modality)\b.{0,80}(support|enabled|allowed|expected)"
            r"|support.{0,30}\bimages?\b|part type.{0,12}image|data required for image|at most 0 images?"
            r"|not (a|compiled for) multimodal|content must be a string",
            "the model at {where} takes no pictures{said}; set view=figures, or use a model that sees"),
    Failure("signin", "never", "key", (401, 403), r"ollama\.com/connect",
            "{where} wants to be signed in for this model{said}; run `ollama signin` on its computer"),
    Failure("browser", "refused", "other", (403, 429, 503),
            r"just a moment|attention required|checking your browser|cloudflare to (restrict|protect)",
            "before {where} stands a page that lets only browsers through{said}; set base_url to an address behind it, "
            "or ask whoever runs it to let programs in"),
    Failure("route", "never", "model", (400, 403, 404, 405),
            r"supported in v1/responses|not a chat model|not accessible via the /chat/completions"
            r"|chatCompletion operation does not work|unsupported_api_for_model",
            "{where} has this model for another API than chats{said}; set model to one that chats"),
    Failure("payment", "never", "pay", (400, 402, 403, 429),
            r"insufficient[ _](credit|fund|balance)|credit balance is too low|payment required|billing_error", _PAID),
    Failure("quota", "refused", "pay", (400, 402, 403, 429),
            r"insufficient_quota|spend(ing)?[ _]limit|PerDay|per-day|limit: 0,"
            r"|(daily|weekly|monthly) (\w+ )?(limit|quota)|(quota|limit).{0,30}(used up|exhausted)|usage limit"
            r"|limit will reset",
            "the quota at {where} is used up{until}{said}; raise it there, wait, or use another model"),
    Failure("payment", "never", "pay", (402,), "", _PAID),
    Failure("passes", "passes", "down", (400, 409, 422, 424),
            r"json_validate_failed|operation cancell?ed|temporarily|overloaded|try again (later|in a )|timed out"
            r"|(still|is|while) loading", _AGAIN),
    Failure("cut", "refused", "other", (400,),
            r"could not finish the message because|(max_(completion_)?tokens|output limit) was reached",
            "{where} had no tokens left for an answer{said}; set think=low, or max_tokens to more"),
    Failure("context", "refused", "other", (400, 413, 422, 500),
            r"context_length_exceeded|exceed_context_size|context (length|window|size)|maximum context"
            r"|context exceeded|exceeds? the (available )?context|prompt is too long"
            r"|(prompt|input|request) (is |was )?(too long|longer than)|input token count.{0,40}exceed"
            r"|too large for model with [0-9]+ maximum|reduce the length of the|too many (input )?tokens", _FULL),
    Failure("context", "refused", "other", (413,), "", _FULL),
    Failure("model", "never", "model", (400, 404),
            r"model_not_found|no such model|(unknown|invalid) model\b|\bmodels?\b.{0,120}(not found|does not exist)"
            r"|NOT_FOUND|models?[ :/]+['\"`]?[\w./:@-]+['\"`]? (is |was )?not (exist|available)", _UNKNOWN),
    Failure("filter", "refused", "other", (400, 403, 422, 451),
            r"content[ _-]?(filter|policy|management)|ResponsibleAI|moderation|flagged|usage polic|inappropriate"
            r"|safety (system|filter)",
            "{where} will not have what is written there{said}; change the players' prompts, or the model"),
    Failure("", "never", "key", (401,), "", _DOOR),
    Failure("", "never", "key", (400, 403), r"api[ _-]?key|authenticat|unauthori[sz]ed|credential", _DOOR),
    Failure("", "never", "other", (403,), "", _DOOR),
    Failure("", "never", "model", (404,), "", _UNKNOWN),
    Failure("", "passes", "late", (429,), "", "{where} takes no requests{until}{said}; wait, or use another model"),
    Failure("", "refused", "down", (501, 505), "", _AGAIN),  # what a server does not know it will not learn
    Failure("", "passes", "down", (408, 409, 425, 498, 499, *range(500, 600)), "", _AGAIN),
    Failure("", "refused", "other", tuple(range(300, 400)), "",
            "{where} sends its callers elsewhere{said}{to}; set base_url to the final address"),
    Failure("", "refused", "other", tuple(range(400, 500)), "",
            "{where} refused the request{said}; check the options of this brain"),
    Failure("", "passes", "other", (), "", "{where} gave up: {told}; look at its log"),
)  # fmt: skip
"""What errors mean, whether they come as a status or within an answer: the first row that fits. One within an answer
may have no status; what its words say counts then."""
PASSING = ("error", "load", "other", "malformed_function_call", "unexpected_tool_call", "finish_reason_unspecified")
"""Reasons to end an answer that say nothing of the next one."""
STATUSES = {
    "invalid_request_error": 400, "authentication_error": 401, "billing_error": 402, "permission_error": 403,
    "not_found_error": 404, "request_too_large": 413, "rate_limit_error": 429, "api_error": 500, "timeout_error": 504,
    "overloaded_error": 529,
}  # fmt: skip
"""What the status of an error would have been that comes within an answer and has only a type."""


def failure_of(status: int | None, text: str) -> Failure:
    """Return the row for an error with this status, None where it has none, whose body says this."""
    return next(
        row for row in TABLE
        if (status in row.statuses or not row.statuses or (status is None and row.words))
        and re.search(row.words, text, re.IGNORECASE)
    )  # fmt: skip


def status_within(error: Any) -> int | None:
    """Return what the status of an error would have been that came within an answer, None where it does not say."""
    given = error if isinstance(error, Mapping) else {}
    for value in (given.get("code"), given.get("status"), STATUSES.get(str(given.get("type")))):
        if re.fullmatch("[45][0-9][0-9]", str(value)):
            return int(str(value))
    return None


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
    """How a server is asked again: at most `tries` times, within `away_s` seconds of a failure but a busy server's.

    Without limits it is asked until the deadline of the call; one that takes no requests for now, a few times.
    """

    tries: float = math.inf
    away_s: float = math.inf

    def ends(self, error: ServerError, failures: int, waited_s: float) -> bool:
        """Return whether to give up after this many failures and seconds."""
        away = error.status not in LOADING and error.wait_s is None and waited_s >= self.away_s
        most = min(self.tries, BUSY_TRIES) if error.status == 429 else self.tries
        return not error.again or failures >= most or away


UNTIL_DEADLINE = Patience()
ONCE = Patience(tries=1)
STARTING = Patience(away_s=2.0)
"""Before a match, and where somebody looks on: a server that loads is waited for, one that is not there told soon."""


def pause_s(error: ServerError, failures: int, jitter: Random, *, begun: bool) -> float:
    """Return the seconds to wait after this many failures; `begun`: headers of an answer had come."""
    paid = begun and (error.status is None or error.status < 500)  # a model has been at work for it
    doubled = 2.0 ** min(failures - 1, 10)
    usual = min(LONGEST_PAID_S if paid and error.status != 429 else LONGEST_S, FIRST_S * doubled)
    if error.wait_s is not None:
        return max(error.wait_s + jitter.uniform(0.0, 0.1), usual * jitter.uniform(0.5, 1.5))
    if error.status == 429:
        return min(BUSY_LONGEST_S, BUSY_FIRST_S * doubled) * jitter.uniform(1.0, 1.25)
    return usual * jitter.uniform(0.5, 1.5)


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


_UNITS = {"ms": 0.001, "milli": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
_SPAN = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)\s*(ms|milli|[smhd])[a-z]*", re.IGNORECASE)
_PAUSE = re.compile(
    r"(?:try again|retry|reset)s? (?:in|after) ((?:\d[\d.]*\s*(?:ms|[smhd])[a-z]*[ ,]*)+)", re.IGNORECASE
)


def retry_after(text: str) -> float | None:
    """Return the seconds until what a header or a field says of when to come back, or None.

    It may be a number of seconds, a span such as `6m0s`, a date of HTTP's or ISO 8601, or a time since 1970.
    """
    text, now = text.strip(), datetime.now(timezone.utc)
    if re.fullmatch(r"[0-9]{1,13}(\.[0-9]{1,9})?", text):
        number = float(text)
        number = number / 1000 if number >= 1e12 else number
        return max(0.0, number - now.timestamp()) if number >= 1e9 else number
    spans = _SPAN.findall(text)
    if spans and not _SPAN.sub("", text).strip(" ,"):
        return sum(float(number) * _UNITS[unit.lower()] for number, unit in spans)
    for parse in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            when = parse(text.replace("Z", "+00:00") if parse is not parsedate_to_datetime else text)
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
        when = when if when.tzinfo else when.replace(tzinfo=timezone.utc)
        return max(0.0, (when - now).total_seconds())
    return None


def wait_of(headers: Mapping[str, str], status: int, said: ServerWords) -> float | None:
    """Return the seconds for which a server asks to be left alone, in its headers or its words; None if it does not.

    Of limits it counts only which ones are used up: the others end later than that.
    """
    named = {name.lower(): text for name, text in headers.items()}
    waits = [
        retry_after(named.get("retry-after-ms", "") + "ms"),
        retry_after(named.get("retry-after", "")),
        said.wait_s,
    ]
    if status == 429:
        resets = {name: text for name, text in named.items() if "ratelimit" in name and "reset" in name}
        left = (named.get(name.replace("reset", "remaining"), "0") for name in resets)
        ends = [retry_after(text) for text, rest in zip(resets.values(), left, strict=True) if rest.strip() == "0"]
        waits.append(max((each for each in ends if each is not None), default=None))
    return next((each for each in waits if each is not None), None)


_NAMES = ("param", "loc", "field", "parameter", "property")
"""Keys whose value names what is wrong."""
_ECHOES = ("input", "url", "id", "request_id", "user_id", "documentation_url", "model", "help")
"""Keys whose value says nothing about the error; `input` quotes the request."""
_TOLD = ("", "error", "errors", "message", "msg", "detail", "raw", "signin_url")
"""Keys whose text is for people, also the body's own."""
_WAITS = re.compile(r"retry.?(after|delay)|ratelimit.?reset|resets?_(at|in)", re.IGNORECASE)
_LONGEST, _DEEPEST = 4000, 8


@dataclass(frozen=True, slots=True)
class ServerWords:
    """What an error's body says: all its texts, the parameters that it names outside of them, and what people read.

    `wait_s` is how many seconds to wait, where it says so.
    """

    text: str = ""
    names: tuple[str, ...] = ()
    told: str = ""
    wait_s: float | None = None


def words_of(body: Any) -> ServerWords:
    """Return what an error's body says: plain text, HTML, or JSON of any shape, as a value or a text, also in strings.

    Servers keep what a program can tell apart in `code`, `type`, `reason` or in words, and proxies the words of the
    server behind them in `metadata.raw`.
    """
    texts: list[str] = []
    names: list[str] = []
    told: list[str] = []
    waits: list[float | None] = []

    def collect(value: Any, key: str, depth: int) -> None:
        if depth > _DEEPEST or len(texts) > 50:
            return
        if _WAITS.search(key) and type(value) in (str, int, float):
            waits.append(retry_after(str(value)))
        if isinstance(value, str):
            inner = _parsed(value)
            if not isinstance(inner, str):
                collect(inner, key, depth + 1)
            elif inner.strip():
                texts.append(inner)
                told.extend([inner] if key in _TOLD else [])
        elif isinstance(value, list):
            for each in value:
                collect(each, key, depth + 1)
        elif isinstance(value, dict):
            for name, each in value.items():
                if name not in (*_NAMES, *_ECHOES):
                    collect(each, name, depth + 1)
                elif name in _NAMES and isinstance(each, str):
                    names.append(each)
                elif name in _NAMES and isinstance(each, list):  # `loc: ["body", "options", NAME]`
                    names.append(".".join(part for part in each if isinstance(part, str) and part != "body"))

    collect(body[: 16 * _LONGEST] if isinstance(body, str) else body, "", 0)
    text, named = " \n ".join(texts)[:_LONGEST], tuple(filter(None, names))
    pause = _PAUSE.search(text)
    waits.append(retry_after(pause[1].strip(" ,")) if pause else None)
    quoted = list(dict.fromkeys(told)) or [each for each in texts if each != "error"][:1]
    unsaid = [each for each in dict.fromkeys(named) if quoted and not any(each in words for words in quoted)]
    shown = ": ".join(quoted) + (f" ({', '.join(unsaid)})" if unsaid else "")
    return ServerWords(text, named, clean(shown, TOLD), next((each for each in waits if each is not None), None))


def _parsed(text: str) -> Any:
    """Return what a text is: a value of JSON, of a page of HTML its title, else itself."""
    start = text.lstrip()[:1]
    if start == "<":
        title = re.search(r"<(title|h1)\b[^>]*>([^<]{1,200})", text, re.IGNORECASE)
        return title[2].strip() if title else None
    value = json_value(text) if start in ("{", "[") else None
    return text if value is None else value


# What they mean by that


def lacks_model(status: int, said: ServerWords) -> bool:
    """Return whether an error with this status and words is about a model that the server has not got."""
    named, kind = "model" in said.text.lower() or "NOT_FOUND" in said.text, failure_of(status, said.text).kind
    return named and (kind == "model" or (status == 404 and not kind))  # Google says NOT_FOUND of nothing else


def refused(
    status: int | None, said: ServerWords, wait_s: float | None, where: str, key: str = "", path: str = "", to: str = ""
) -> ServerError:
    """Return the usual error for this status and these words of the server `where`, which asks to wait `wait_s`.

    `key` is what to do about its key, `path` what was asked for, `to` where it sends its callers.
    """
    row = failure_of(status, said.text)
    heard = ": ".join(str(each) for each in (status, said.told) if each)
    sentence = row.sentence.format(
        where=where, said=f" ({heard})" if heard else "", told=said.told or "it gives no reason", key=key,
        path=f" {path.partition('?')[0]}" if path and status == 404 else "", to=f" to {clean(to, TOLD)}" if to else "",
        until=f" for {span(wait_s)}" if wait_s and (wait_s >= 120 or row.ends == "passes")  # Google names some seconds
        else " for now" if row.ends == "passes" else "",
    )  # fmt: skip
    again, fatal = row.ends == "passes", row.ends == "never"
    return ServerError(sentence, again=again, fatal=fatal, wait_s=wait_s, why=row.why)


def span(seconds: float) -> str:
    """Return a time in words, such as `37 s`, `12 min` or `5 h`."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 2 * 3600 else f"{seconds / 3600:.0f} h"
