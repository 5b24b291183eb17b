"""Learning what a server takes, and remembering it."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from batllm_arcade.files.atomic import locked, write_text
from batllm_arcade.files.paths import data_folder
from batllm_arcade.files.reading import read_text
from batllm_arcade.models.adaptation import MOST_ROOM, Adaptation, adapt, from_json
from batllm_arcade.models.failures import ServerError, words_of
from batllm_arcade.models.refused_parameters import STATUSES, guesses, looser, refusal, unthinking

ROOM = Adaptation("room", "", MOST_ROOM)
BLIND = Adaptation("drop", "picture")
"""A model that sees nothing: it is not the request that is changed then, but what the brain puts into it."""

KNOWN = (
    # Claude refuses sampling from Opus 4.7 on, gateways ignore it; Gemini 3 loops below its own temperature of 1.
    (Adaptation("drop", "temperature"), r"claude|gemini-(?:[3-9]|\d\d)"),
    # Some cannot be kept from thinking: asked for none, they get the least that they take.
    (Adaptation("replace", "reasoning_effort", ("none", "minimal")), r"gpt-5(?![.\d])"),
    (
        Adaptation("replace", "reasoning_effort", ("none", "low")),
        r"\bo[134]\b|gpt-6(?:-astra|\.)|grok-4\.[5-9]|gpt-oss",
    ),
    (Adaptation("replace", "think", (False, "low")), r"gpt-oss"),
    (Adaptation("replace", "thinkingLevel", ("minimal", "low")), r"gemini-3(?:\.\d)?-pro|gemini-3\.[7-9]"),
    (
        ROOM,
        r"gpt-oss|\bo[134]\b|gpt-[5-9]|deepseek-(?:r\d|reasoner|v4)|qwq|qwen-?3|magistral|glm-(?:4\.[5-9]|[5-9])"
        r"|grok-[4-9]|kimi-k2|minimax-m|nemotron|thinking|reason|gemini-(?:[3-9]|\d\d)|gemini-2\.5-pro"
        r"|claude-(?:(?:opus|sonnet|haiku)-(?:[5-9]|\d\d\b)|fable|mythos)",
    ),
)


def known_adaptations(
    model: str, asked: frozenset[str] = frozenset(), server: Sequence[Adaptation] = ()
) -> tuple[Adaptation, ...]:
    """Return what holds from the start for a model behind a server of which this is known.

    A parameter that was `asked` for stays.
    """
    known = [*server, *(change for change, names in KNOWN if re.search(names, model, re.IGNORECASE))]
    return tuple(each for each in dict.fromkeys(known) if not (each.kind == "drop" and each.name in asked))


KEPT_S = 30 * 86_400.0
"""Seconds after which a server is asked anew: it may have learnt meanwhile."""
MOST = 500
"""Servers and models that are remembered, the last ones."""
WAIT_S = 0.2
"""Seconds for which a file is waited for that another program writes just now."""
Kept = dict[str, Any]


def data_file() -> Path:
    """Return the file in the user's data folder."""
    return data_folder() / "adapted.json"


class Memory:
    """The file at `path()`; `now()` is the time in seconds since 1970.

    A file that is missing or damaged is empty, and one that cannot be written is left: what was learnt then holds
    until the program ends.
    """

    def __init__(self, path: Callable[[], Path] = data_file, now: Callable[[], float] = time.time) -> None:
        self._find, self._now = path, now
        self._seen: tuple[int, int] | None = None
        self._kept: Kept = {}

    @cached_property
    def _path(self) -> Path:
        return self._find()  # looked up once: that takes longer than to look at the file

    def recall(self, key: str) -> tuple[Adaptation, ...]:
        """Return what was learnt for a server and model within the last 30 days."""
        seen = None
        with suppress(OSError):
            stat = os.stat(self._path)
            seen = stat.st_mtime_ns, stat.st_ino
        if seen != self._seen:
            self._kept, self._seen = ({} if seen is None else _read(self._path)), seen
        entry = self._kept.get(key, {})
        listed = entry["adaptations"] if _is_fresh(entry, self._now()) and "adaptations" in entry else None
        return tuple(filter(None, map(from_json, listed if isinstance(listed, list) else ())))

    def keep(self, key: str, adaptations: Sequence[Adaptation]) -> None:
        """Write down what was learnt for a server and model, beside what others have."""
        now = self._now()
        with suppress(OSError), locked(path := self._path, WAIT_S):
            entries = {name: each for name, each in _read(path).items() if _is_fresh(each, now) and name != key}
            entries[key] = {"learnt": int(now), "adaptations": [each.json() for each in adaptations]}
            latest = dict(list(entries.items())[-MOST:])
            write_text(path, [json.dumps({"version": 1, "servers": latest}, indent=1), "\n"])


def _read(path: Path) -> Kept:
    try:
        values = json.loads(read_text(path))
    except (OSError, ValueError, RecursionError):
        return {}
    servers = values.get("servers") if isinstance(values, dict) else None
    return servers if isinstance(servers, dict) else {}


def _is_fresh(entry: Any, now: float) -> bool:
    learnt = entry.get("learnt") if isinstance(entry, Mapping) else None
    return isinstance(learnt, (int, float)) and 0 <= now - learnt < KEPT_S


_Outcome = TypeVar("_Outcome")
MOST_CHANGES = 8
"""Requests that one question may take beside the first, one for each thing refused."""
LEAST_ROOM = 1024
"""Tokens of thought that a context which is too small leaves, as long as something else can be left out."""
_SINGLE = ("schema", "system", "most", "room")
"""Kinds of which only the last one holds."""


def _told(changes: Iterable[Adaptation]) -> tuple[str, ...]:
    return tuple(each.told() for each in changes)


class Adapter:
    """Changes the requests to the server at `address`; one for each brain, asked by one thread at a time.

    `model` returns the model's name, "" until one is chosen: before that nothing is learnt. `options` is what the
    brain's options ask for, `asked` the parameters that they set, which are sent until they are refused, `server` what
    is known of the server. `where` names it in sentences.
    """

    def __init__(
        self, address: str, where: str, memory: Memory, model: Callable[[], str],
        options: Iterable[Adaptation] = (), asked: frozenset[str] = frozenset(), server: Iterable[Adaptation] = (),
    ) -> None:  # fmt: skip
        self._address, self._where, self._memory, self._current = address, where, memory, model
        self._options, self._asked, self._server = tuple(options), asked, tuple(server)
        self._model, self._answer, self._least_room = "", 0, LEAST_ROOM
        self._thinks: bool | None = None
        self._say: Callable[[str], None] = lambda text: None
        self._fixed: tuple[Adaptation, ...] = self._options
        self._learnt: tuple[Adaptation, ...] = ()
        self._recalled: tuple[Adaptation, ...] = ()
        self._unkept = self._vain = False
        self.answered: tuple[Any, Any] | None = None
        """The last body that was answered: as it was meant, and as it was sent."""
        self._sent: Any = None
        self._trial: tuple[Adaptation, ...] = ()
        self._failed: set[tuple[str, ...]] = set()
        self._begin()

    def _begin(self) -> None:
        self._guesses: list[Adaptation] | None = None
        self._guess: Adaptation | None = None
        self._tried: list[Adaptation] = []

    def ready(self, answer: int, say: Callable[[str], None] = lambda text: None, thinks: bool | None = None) -> int:
        """Get ready for a question whose answer takes `answer` tokens; return how many it may take, with room to think.

        `say` is told what is changed. `thinks` says whether the model does, None where only its name may tell.
        """
        self._answer, self._say, self._least_room, self._trial = answer, say, LEAST_ROOM, ()
        self._select(thinks)
        return self.limit

    def _select(self, thinks: bool | None) -> None:
        model = self._current()
        if (model, thinks) != (self._model, self._thinks):
            self._learnt, self._recalled = (self._learnt, self._recalled) if model == self._model else ((), ())
            self._model, self._thinks = model, thinks
            known = known_adaptations(model, self._asked, self._server)
            known = known if thinks is None else tuple(each for each in known if each != ROOM)
            self._fixed = (*self._options, *known, *((ROOM,) if thinks else ()))
        recalled = self._memory.recall(self._key) if model else ()
        if recalled != self._recalled:
            self._recalled = recalled
            for each in recalled:
                self._add(each)

    @property
    def _key(self) -> str:
        return f"{self._address.partition('?')[0]} {self._model}"

    @property
    def in_force(self) -> tuple[Adaptation, ...]:
        """What changes the requests, in the order in which it does."""
        guess = (self._guess,) if self._guess else ()
        return (*self._fixed, *self._learnt, *self._trial, *guess)

    @property
    def told(self) -> tuple[str, ...]:
        """What requests leave out, rename or add here, sorted: it does not tell when it was learnt."""
        learnt = {each.kind for each in self._learnt}
        held = (each for each in self._fixed if not (each.kind in _SINGLE and each.kind in learnt))
        return tuple(sorted({each.told() for each in (*held, *self._learnt)}))

    @property
    def room(self) -> int:
        """How many tokens of thought an answer may take beside its text, 0 if the model is not known to think."""
        return next((each.value for each in reversed(self.in_force) if each.kind == "room"), 0)

    @property
    def limit(self) -> int:
        """How many tokens an answer may take, what is thought before it included."""
        return self._answer + self.room

    def give_room(self) -> bool:
        """Give the model room to think from now on, and keep that; return whether it had less before."""
        if self.room >= ROOM.value:
            return False
        self._learn(ROOM)
        return True

    @property
    def blind(self) -> bool:
        """Whether the model is known to take no pictures."""
        return BLIND in self.in_force

    def put_out(self) -> None:
        """Send the model no pictures from now on, and keep that."""
        self._learn(BLIND)

    # What is ignored in silence: nobody says so, but the answer has not the form that was asked for.

    @property
    def held_back(self) -> tuple[Adaptation, ...]:
        """What would leave out the order not to think that the last request had, () if it had none."""
        change = unthinking(self._sent) if isinstance(self._sent, dict) else None
        return (change, ROOM) if change and _told((change, ROOM)) not in self._failed else ()

    def free(self) -> bool:
        """Try the next request without the order not to think; return whether there was one to leave out."""
        return self._try(*self.held_back)

    def loosen(self, text: str) -> bool:
        """Try the next request with a weaker form than the one that a text has not; return whether there is any."""
        change = looser(self._sent, text) if isinstance(self._sent, dict) else None
        return self._try(*((change,) if change else ()))

    def speaks(self, change: Adaptation) -> bool:
        """Return whether a change is in force, learnt now or before."""
        self._select(self._thinks)
        return change in self.in_force

    def turn_to(self, change: Adaptation) -> bool:
        """Make a change to all requests from now on; return whether it is a new one."""
        if self.speaks(change) or _told((change,)) in self._failed:
            return False
        self._learn(change)
        self._say(f"{self._where} refused that; asked again: {change.told()}")
        return True

    def turn_back(self, change: Adaptation) -> None:
        """Make a change no more."""
        self._learnt = tuple(each for each in self._learnt if each != change)
        self._failed.add(_told((change,)))

    def _try(self, *changes: Adaptation) -> bool:
        self._failed |= {_told(self._trial)} if self._trial else set()
        self._trial = changes if self._model and _told(changes) not in self._failed else ()
        if self._trial:
            self._say(f"{self._where} did not keep to the form; asked again: {', '.join(_told(changes))}")
        return bool(self._trial)

    def settle(self, *, worked: bool) -> None:
        """Keep what was tried if it has worked; else do without it, and do not try it again."""
        trial, self._trial = self._trial, ()
        if trial and worked:
            for each in trial:
                self._learn(each)
            self.worked()
        elif trial:
            self._failed.add(_told(trial))

    def squeeze(self) -> bool:
        """Let a context that is too small take the room to think of this question; return whether any can be taken."""
        before, self._least_room = self._least_room, 0
        return bool(before and self.room)

    def adapted(self, body: Any) -> Any:
        """Return the body as it is to be sent."""
        return adapt(body, self.in_force) if isinstance(body, dict) else body

    def asked(self, body: Any, attempt: Callable[[Any], _Outcome]) -> _Outcome:
        """Return what comes of `attempt` with the body as it is to be sent, changed as often as that makes sense.

        An outcome that is a ServerError is a failure, anything else an answer.
        """
        self._begin()
        self._select(self._thinks)
        while True:
            self._sent = sent = self.adapted(body)
            outcome = attempt(sent)
            if not isinstance(outcome, ServerError):
                self.worked()
                self.answered = body, sent
                return outcome
            other = outcome.again or outcome.kind in ("cut", "eyes")
            if other or not self.refused(outcome.status, outcome.answer, sent):
                return outcome

    def refused(self, status: int | None, text: str, sent: Any) -> bool:
        """Return whether another request makes sense after a server has refused `sent` with these words."""
        if status not in STATUSES or not self._model or not isinstance(sent, dict):
            return False
        if len(self._tried) >= MOST_CHANGES:
            return False
        said = words_of(text)
        least = self._answer + min(self.room, self._least_room)
        found = refusal(status, said, sent, (*self.in_force, *self._tried), least)
        if found is not None:
            self._keep_guess()
            self._learn(found)
        else:
            if self._guesses is None:
                self._guesses = [] if self._vain else guesses(said, sent)
            self._vain = self._vain or (self._guess is not None and not self._guesses)
            found = self._guess = self._guesses.pop(0) if self._guesses else None
        if found is None:
            return False
        self._tried.append(found)
        self._say(f"{self._where} refused that; asked again: {found.told()}")
        return True

    def worked(self) -> None:
        """Keep what was learnt: with it, an answer has come."""
        self._vain = False
        self._keep_guess()
        if self._unkept:
            self._unkept = False
            self._memory.keep(self._key, self._learnt)

    def _keep_guess(self) -> None:
        guess, self._guess = self._guess, None
        if guess is not None:
            self._learn(guess)

    def _learn(self, adaptation: Adaptation) -> None:
        self._unkept = True
        self._add(adaptation)

    def _add(self, adaptation: Adaptation) -> None:
        kept = [each for each in self._learnt if each.kind != adaptation.kind or each.kind not in _SINGLE]
        if adaptation not in kept:
            self._learnt = (*kept, adaptation)
