"""How requests to one server and model are changed: what is known, what was learnt, what a refusal just taught."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from batllm_arcade.models.adapting.adaptation import Adaptation, adapt
from batllm_arcade.models.adapting.known import ROOM, known_adaptations
from batllm_arcade.models.adapting.memory import Memory
from batllm_arcade.models.adapting.refused_parameters import STATUSES, guesses, refusal
from batllm_arcade.models.adapting.server_words import words_of
from batllm_arcade.models.server_error import ServerError

_Outcome = TypeVar("_Outcome")
MOST_CHANGES = 8
"""Requests that one question may take beside the first, one for each thing refused."""
LEAST_ROOM = 1024
"""Tokens of thought that a context which is too small leaves, as long as something else can be left out."""
_SINGLE = ("schema", "system", "most", "room")
"""Kinds of which only the last one holds."""


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
        self._begin()

    def _begin(self) -> None:
        self._guesses: list[Adaptation] | None = None
        self._guess: Adaptation | None = None
        self._tried: list[Adaptation] = []

    def ready(self, answer: int, say: Callable[[str], None] = lambda text: None, thinks: bool | None = None) -> int:
        """Get ready for a question whose answer takes `answer` tokens; return how many it may take, with room to think.

        `say` is told what is changed. `thinks` says whether the model does, None where only its name may tell.
        """
        self._answer, self._say, self._least_room = answer, say, LEAST_ROOM
        self._select(thinks)
        return self.limit

    def _select(self, thinks: bool | None) -> None:
        """Take up what is known and was learnt of the model that is chosen now."""
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
        return (*self._fixed, *self._learnt, *guess)

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
            sent = self.adapted(body)
            outcome = attempt(sent)
            if not isinstance(outcome, ServerError):
                self.worked()
                return outcome
            if outcome.kind == "cut" or not self.refused(outcome.status, outcome.answer, sent):
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
