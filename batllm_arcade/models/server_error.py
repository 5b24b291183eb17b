"""How a model server failed, in one plain sentence."""

from __future__ import annotations

from typing import Literal

from batllm_arcade.brains.kinds.seat_state import Why
from batllm_arcade.brains.protocol import BrainError
from batllm_arcade.models.server_text import clean

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
