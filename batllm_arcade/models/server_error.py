"""How a model server failed, in one plain sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass

from batllm_arcade.brains.protocol import BrainError
from batllm_arcade.models.server_text import clean

SENTENCE = 4000
"""Characters of a sentence at most: the names of all models of a server have room."""


class ServerError(BrainError):
    """A server did not answer; `again` says that asking again may help, `fatal` that it never will.

    `wait_s` is how many seconds the server asks to be left alone, `status` its HTTP status if that is an error's,
    `raw` the text of an answer that it ended itself.
    """

    status: int | None = None

    def __init__(
        self, sentence: str, *, again: bool = False, fatal: bool = False, wait_s: float | None = None, raw: str = ""
    ) -> None:
        super().__init__(sentence, raw=raw)
        self.again, self.fatal, self.wait_s = again, fatal, wait_s


_KEY_WORDS = r"api[ _-]?key|authenticat|unauthori[sz]ed|credential"
"""Words of servers that refuse a key with the status of a bad request."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """An answer with an error status: what the server said with it, and the seconds it asks to wait."""

    status: int
    said: str = ""
    wait_s: float | None = None

    def error(self, where: str, key_variable: str) -> ServerError:
        """Return the usual sentence for this status; `where` names the server."""
        status, wait_s = self.status, self.wait_s
        said = f" ({status}: {self.said})" if self.said else f" ({status})"
        if 300 <= status < 400:
            return failure(f"{where} sends its callers elsewhere{said}; set base_url to the final address")
        if status in (401, 403) or (status == 400 and re.search(_KEY_WORDS, self.said, re.IGNORECASE)):
            todo = f"check the key in {key_variable}" if key_variable else "it wants a key or a permission"
            return failure(f"{where} does not let us in{said}; {todo}", fatal=True)
        if status == 404:
            return failure(f"{where} knows no such model or address{said}; check both", fatal=True)
        if status == 429:
            pause = f"for {wait_s:.0f} s" if wait_s else "for now"
            todo = "wait, or use another model"
            return failure(f"{where} takes no requests {pause}{said}; {todo}", again=True, wait_s=wait_s)
        if status >= 500:
            return failure(f"{where} failed{said}; try again, or look at its log", again=status != 501, wait_s=wait_s)
        return failure(f"{where} refused the request{said}; check the options of this brain")


def failure(
    sentence: str, *, again: bool = False, fatal: bool = False, wait_s: float | None = None, raw: str = ""
) -> ServerError:
    """Return an error fit to be shown: one line of visible characters."""
    return ServerError(clean(sentence, SENTENCE), again=again, fatal=fatal, wait_s=wait_s, raw=raw)


def too_slow(where: str, limit_s: float) -> ServerError:
    """Return the error for a server that did not answer within `limit_s` seconds."""
    return ServerError(f"{where} did not answer within {limit_s:g} s; it may be overloaded or stuck", again=True)
