"""A provider of models: what each server's plugin is made from, and how its model is found."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Protocol
from urllib.parse import urlsplit

from batllm_arcade.brains.kinds import Option, PullProgress, SeatState, Why
from batllm_arcade.brains.live import Cancelled, Live
from batllm_arcade.brains.protocol import HOST, BrainError, Spec, check_spec
from batllm_arcade.errors import UsageError
from batllm_arcade.models.adaptation import MOST_ROOM, Adaptation
from batllm_arcade.models.adapter import Adapter, Memory
from batllm_arcade.models.answers import ModelReply, ModelRequest, no_command, separated
from batllm_arcade.models.api_keys import KeySource, key_source, named_headers, variable_named
from batllm_arcade.models.as_played import as_sent, unlike
from batllm_arcade.models.failures import (
    LOADING,
    NO_ROUTE,
    ONCE,
    PASSING,
    STARTING,
    USED_UP,
    Patience,
    ServerError,
    lacks_model,
    too_slow,
    words_of,
)
from batllm_arcade.models.http_client import ModelServer
from batllm_arcade.models.limits import ServerLimits
from batllm_arcade.models.presets import Preset, address_in, is_near, names_of, preset_at, preset_named
from batllm_arcade.prompts.conversation import RENDERINGS
from batllm_arcade.prompts.notes import MOST
from batllm_arcade.prompts.picture import PIXELS

THINK = ("auto", "off", "low", "high")
TEMPERATURE = 0.8
PREPARE_S = 300.0
"""Seconds for finding and loading a model before a match, without the option `prepare_s`."""
OPTIONS = (
    Option("model", "text", "", "the model's name; without it the first in the server's list that can chat"),
    Option("base_url", "address", "", "where the server is: host, base, or a pasted endpoint"),
    Option("key_env", "variable", "", "the environment variable that holds this server's key", advanced=True),
    Option(
        "header_env", "text", "", "a header and the environment variable that holds it, HEADER:NAME; several by +",
        advanced=True,
    ),
    Option("auth_env", "variable", "", "the environment variable that holds USER:PASSWORD", advanced=True),
    Option("think", "choice", "auto", "how much it thinks before it answers", THINK),
    Option(
        "max_tokens", "whole", "", "the longest answer in tokens, without what is thought before it", least=1,
        advanced=True,
    ),
    Option(
        "temperature", "number", f"{TEMPERATURE:g}", "how freely it chooses its words", words=("none",), advanced=True
    ),
    Option(
        "reply", "choice", "token", "what it answers: one command, or buttons as JSON", ("token", "json"), advanced=True
    ),
    Option(
        "context", "choice", "payload", "what it is sent: this moment, or the game so far", ("payload", "conversation"),
        advanced=True,
    ),
    Option(
        "rendering", "choice", RENDERINGS[0], "how a conversation is sent: as one JSON array, or as chat messages",
        tuple(RENDERINGS), advanced=True,
    ),
    Option(
        "view", "choice", "figures", "how it is shown the arena: by figures, by a picture in their place, or by both",
        ("figures", "picture", "both"), advanced=True,
    ),
    Option(
        "picture_px", "whole", f"{PIXELS}", "how many pixels a picture's longer side has", least=256, most=1024,
        advanced=True,
    ),
    Option(
        "notes", "whole", "0", "words that it notes after each round and is sent in later ones; 0: no notes", most=MOST,
        advanced=True,
    ),
    Option("price", "price", "", "what a million tokens read and a million written cost", advanced=True),
    Option("rpm", "number", "", "how many requests a minute its server takes in all", least=0.1, advanced=True),
    Option("tpm", "number", "", "how many tokens a minute its server takes in all", least=1, advanced=True),
    Option("proxy", "address", "", "an HTTP proxy; those of the environment are not used", advanced=True),
    Option("ca", "file", "", "a file of the authorities that sign its certificate", advanced=True),
    Option(
        "prepare_s", "number", f"{PREPARE_S:g}", "seconds before a match in which its server may start and load it",
        least=0.01, advanced=True,
    ),
)  # fmt: skip
"""The options of every brain that asks a model server."""
PROBE_S = 1.2
"""Seconds for one quick look at what a server has."""
PROBES_S = 1.4
"""Seconds for everything that is looked up to say what is missing."""
LOOK_S = 10.0
"""Seconds for one look at the list of a server's models before a match."""
NO_LIST = (401, 403, *NO_ROUTE)
"""What servers answer that have no list of models, or none for this key."""
LISTED = 100
"""Names of models that one sentence lists at most; it says how many more there are."""
_NO_CHAT_NAME = re.compile(
    r"embed|rerank|whisper|moderation|dall-e|stable-diffusion|flux|transcribe|guard"
    r"|(^|[/_:.-])(bge|e5|gte|tts|clip|sora|ocr|minilm|bert|realtime|(gpt-)?image|imagen|veo|babbage|davinci)([/_:.-]|[0-9]|$)",
    re.IGNORECASE,
)
_NO_CHAT_KIND = re.compile(r"embed|rerank|image|audio|speech|transcri|moderation|video", re.IGNORECASE)
_CHAT_ABLE = ("completion", "completions", "chat", "completion_chat", "chat_completion", "chat_completions")


class Look(Protocol):
    """Asks a server for the JSON object at a path: GET, or POST with a body, the first of what is streamed then."""

    def __call__(self, path: str, body: Any = None) -> Mapping[str, Any]:
        """Return the object; raise BrainError."""
        ...


class NotListed(ServerError):
    """The server's list does not hold the wanted model; it may have it all the same."""


def ca_file(spec: Spec) -> str:
    """Return the file of the option `ca`, "" without one; raise UsageError if there is none."""
    path = os.path.expanduser(spec.text("ca"))
    if path and not os.path.isfile(path):
        raise UsageError(f"ca of {spec.name} must be a file of certificates (PEM); there is none at {path!r:.200}")
    return path


class ModelProvider(ABC):
    """A model behind a server; a provider overrides `ask`, mostly `catalogue`, perhaps `choose` and `names`.

    `model` is the model's name, "" until one is chosen; `loaded` says that the server has it in memory, as far as its
    list tells.
    """

    loaded = False

    label: ClassVar[str]
    """What the server is called in sentences."""
    home: ClassVar[str]
    """The address without the option `base_url`."""
    address_variable: ClassVar[str] = ""
    """The environment variable that holds another address in its place, as the maker's own client reads it."""
    family: ClassVar[str] = ""
    """The brain whose presets its variants are; "" without any."""
    hint: ClassVar[str] = "check base_url"
    """What to do if nobody answers."""
    lacking: ClassVar[str] = "; set model to another"
    """What to do if the server has not got the model, which `{model}` stands for."""
    key_variable: ClassVar[str] = ""
    """The environment variable whose key goes to `home` (scheme, host, port), and nowhere else."""
    key_header: ClassVar[str] = "Authorization"
    key_optional: ClassVar[bool] = False
    """Whether `home` may do without a key if it is on this computer."""
    headers: ClassVar[Mapping[str, str]] = {}
    """What is sent with every request."""
    suggested: ClassVar[str] = ""
    """The model without the option `model`; "" takes the server's first."""
    reply: ClassVar[str] = "token"
    """The reply form without the option `reply`."""
    patterns: ClassVar[bool] = True
    """Whether the server's schemas know patterns and lengths; without them commands come as an action and an angle."""
    loads: ClassVar[bool] = False
    """Whether `question` does nothing but load the model, which is then done before every match."""
    options: ClassVar[tuple[Option | str, ...]] = ()
    """The options beyond those of every model brain; one of the same name takes the other's place."""
    context_size = 0
    """Tokens that a request and its answer may take together, as far as its server says; 0 where it does not."""
    larger_context: ClassVar[str] = "a larger context at the server"
    """What makes room for longer requests; `{tokens}` stands for how many."""
    thinks: bool | None = None
    """Whether the model thinks before it answers, and so needs more tokens; None where that is not known."""

    def __init__(self, spec: Spec) -> None:
        check_spec(spec, (*self.declared(), *HOST))
        spec.allow(*(each.name for each in self.declared()), variants=names_of(self.family))
        self.preset = self.preset_of(spec)
        named = self.preset if spec.variant else None
        cold = spec.text("temperature") == "none"
        self.temperature = TEMPERATURE if cold else spec.number("temperature", TEMPERATURE)
        self.think, self._longest = spec.text("think", "auto"), int(spec.number("max_tokens", 0))
        self.model = self.wanted = spec.text("model", named.model if named else self.suggested)
        self.title = named.title if named else ""
        """What the seat is called, "" for the brain's name."""
        self._streams, self._cold = True, cold
        self._answers = self._thoughts = 0  # since it sat down, and those that came with a thought
        self._to_name = f"{spec.short}{',' if spec.variant else ':'}model=NAME"
        self.key = self.key_source(spec)
        mine = self.preset if self.preset is not None and self.preset.brain == (self.family or "openai") else None
        self.server = ModelServer(
            named.title if named else self.label, self._address(spec, self.preset),
            hint=named.hint if named else self.hint, proxy=spec.text("proxy"), ca=ca_file(spec), explain=self.explain,
            key_source=self.key, headers=self.headers, named=named_headers(spec),
            key_header=(mine.key_header if mine else "") or self.key_header,
        )  # fmt: skip
        rpm, tpm = (spec.number(key, 0.0) for key in ("rpm", "tpm"))
        self.server.limits = ServerLimits(self.server.base_url, rpm, tpm)
        changes = [Adaptation("drop", "temperature")] if cold else []
        changes += [Adaptation("room", "", MOST_ROOM)] if self.think in ("low", "high") else []
        if not (spec.variant or "base_url" in spec.options) and self._usual() != self.home:
            self.server.where += f" (from {self.address_variable})"
        self.server.adapter = self._adapter = Adapter(
            self.server.base_url, self.server.where, Memory(), lambda: self.model, changes,
            frozenset({"temperature"} & spec.options.keys()), mine.adaptations if mine else (),
        )  # fmt: skip

    @classmethod
    def _address(cls, spec: Spec, preset: Preset | None) -> str:
        named = preset.base_url if preset is not None and spec.variant else ""
        address = spec.text("base_url", named or ("" if preset is not None and preset.ask else cls._usual()))
        if not address and preset is not None:
            raise UsageError(f"{preset.title} has an address of your own: add base_url={preset.ask}")
        return address

    @classmethod
    def _usual(cls) -> str:
        """Return the address of a spec that names none."""
        set_to = os.environ.get(cls.address_variable, "").strip() if cls.address_variable else ""
        return address_in(set_to, cls.address_variable, urlsplit(cls.home).port) if set_to else cls.home

    @classmethod
    def preset_of(cls, spec: Spec) -> Preset | None:
        """Return the known server that a spec names, or that is at its address; None for any other."""
        if spec.variant:
            return preset_named(cls.family, spec.variant)
        return preset_at(spec.text("base_url", cls._usual()), cls.family)

    @classmethod
    def key_source(cls, spec: Spec) -> KeySource:
        """Return where the key for a spec's server comes from; raise UsageError if its options are wrong."""
        preset = cls.preset_of(spec)
        own = (cls.home, cls.key_variable)
        return key_source(cls._address(spec, preset), variable_named(spec), preset, own, optional=cls.key_optional)

    @classmethod
    def declared(cls) -> tuple[Option, ...]:
        """Return the options of this brain, with their defaults here."""
        defaults = {"model": cls.suggested, "base_url": cls.home, "reply": cls.reply}
        own = {each.name: each for each in (Option(one) if isinstance(one, str) else one for one in cls.options)}
        shared = [own.pop(each.name, replace(each, default=defaults.get(each.name, each.default))) for each in OPTIONS]
        return (*shared, *own.values())

    @abstractmethod
    def ask(self, request: ModelRequest) -> ModelReply:
        """Return the model's whole answer; raise BrainError (`self.server.failure`) if there is none."""

    @property
    def adapted(self) -> tuple[str, ...]:
        """What requests to this server leave out, rename or add for this model."""
        return self._adapter.told

    @property
    def as_played(self) -> dict[str, str]:
        """How it plays by now: `think` and `temperature` as its requests hold them, the `model` that answers.

        Nothing before it has played.
        """
        if not self._answers or self._adapter.answered is None:
            return {}
        return {**as_sent(self._adapter.answered[1]), "model": self.server.served or self.model}

    @property
    def unlike(self) -> dict[str, str]:
        """In what it does not play as its options `think` and `temperature` say, with a clause for each.

        And the `limit` of its server that has cost it a play.
        """
        limit = {"limit": self.server.limited} if self.server.limited else {}
        if not self._answers or self._adapter.answered is None:
            return limit
        thought = 2 * self._thoughts > self._answers
        return {**unlike(self.think, *self._adapter.answered, thought=thought, cold=self._cold), **limit}

    def streamed(self, ask: Callable[[bool], ModelReply]) -> ModelReply:
        """Return `ask(True)`, or `ask(False)` of a server without a route for streams (404, 405, 501); remember which.

        For `ask` of a provider whose servers may have none.
        """
        if self._streams:
            try:
                return ask(True)
            except BrainError as error:
                if getattr(error, "status", None) not in NO_ROUTE or getattr(error, "fatal", False):
                    raise
        answer = ask(False)
        self._streams = False
        return answer

    # What a server lists

    def catalogue(self) -> str:
        """Return the path that lists the models, or the wanted one; "" for a server without such a list."""
        return ""

    def listed(self) -> str:
        """Return the path that lists all models, if that is not `catalogue`."""
        return self.catalogue()

    def choose(self, listing: Mapping[str, Any]) -> None:
        """Set `model`, given what is at `catalogue`: the wanted one, else the first; raise BrainError without it."""
        chatting = self.names(listing)
        if self.wanted and self.wanted not in (*chatting, *map(self.name_of, self.entries(listing))):
            raise self.unknown(chatting)
        if not self.wanted and not chatting:
            sentence = f"{self.server.where} serves no model that can chat; load one there, or check base_url"
            raise self.no_model(sentence)
        self.model = self.wanted or chatting[0]

    def names(self, listing: Mapping[str, Any]) -> list[str]:
        """Return the names of the models in what is at `listed` that can chat, for a menu."""
        listed = [self.name_of(each) for each in self.entries(listing) if self.can_chat(each)]
        return [name for name in listed if "*" not in name]  # gateways list patterns of names, too

    @staticmethod
    def entries(listing: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the models in a list, each with its name under `id`, `name` or `model` as the server has it."""
        models: list[Any] = next((listing[key] for key in ("data", "models") if isinstance(listing.get(key), list)), [])
        named = [{"id": each, "name": each} if isinstance(each, str) else each for each in models]
        return [each for each in named if isinstance(each, dict) and ModelProvider.name_of(each)]

    @staticmethod
    def name_of(entry: Mapping[str, Any]) -> str:
        """Return the name by which a model in a list is asked."""
        return next((entry[key] for key in ("id", "name", "model") if isinstance(entry.get(key), str)), "")

    @staticmethod
    def can_chat(entry: Mapping[str, Any]) -> bool:
        """Return whether a model in a list can chat, by what it says of itself, else by its name."""
        for key in ("type", "kind", "task", "object_type"):
            if isinstance(entry.get(key), str) and _NO_CHAT_KIND.search(entry[key]):
                return False
        able = entry.get("capabilities")
        if isinstance(able, list) and able:
            return any(each in _CHAT_ABLE for each in able) or not any(_NO_CHAT_KIND.search(str(each)) for each in able)
        if isinstance(able, Mapping) and (said := [able[key] for key in _CHAT_ABLE if type(able.get(key)) is bool]):
            return any(said)
        written = entry.get("architecture")
        modalities = written.get("output_modalities") if isinstance(written, Mapping) else None
        if isinstance(modalities, list) and modalities:
            return "text" in modalities
        return not _NO_CHAT_NAME.search(ModelProvider.name_of(entry))

    # What goes wrong

    def explain(self, status: int, body: Any) -> BrainError | None:
        """Return this provider's own sentence for an error, None for the usual one: here for a model it has not got."""
        said = words_of(body)
        if not lacks_model(status, said):
            return None
        return self.server.failure(f"{self._lacks()} ({said.told})" if said.told else self._lacks(), fatal=True)

    def unknown(self, names: Sequence[str], todo: str = "") -> BrainError:
        """Return the error for a server that does not list the wanted model but those `names`; `todo` as `lacking`."""
        more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
        sentence = f"{self._lacks(todo)} (it has {', '.join(names[:LISTED]) or 'none'}{more})"
        return NotListed(str(self.server.failure(sentence)), fatal=True, why="model")

    def _lacks(self, todo: str = "") -> str:
        return f"{self.server.where} has no model {self.model!r}{(todo or self.lacking).format(model=self.model)}"

    def no_model(self, sentence: str) -> BrainError:
        """Return the error for a server on which no model could play, with what to do about it."""
        error = self.server.failure(sentence, fatal=True)
        error.why = "model"
        return error

    def no_shape(self, style: str) -> BrainError:
        """Return the error for an answer that has not the shape of `style`, such as OpenAI's."""
        return self.server.failure(f"{self.server.where} does not answer as {style} does; check base_url")

    def failed(self, sentence: str, reply: ModelReply, *, again: bool = False) -> BrainError:
        """Return an error with what there is of an answer, to be recorded: its text or refusal, thought and tokens."""
        return self._keeping(self.server.failure(sentence, again=again), reply)

    def stopped(self, why: str, reply: ModelReply, todo: str = "ask again, or use another model") -> BrainError:
        """Return the error for an answer that the server ended for a reason that makes it none; it is asked again
        where that passes and nothing was written."""
        again = why.lower() in PASSING and not reply.text.strip()
        return self.failed(f"{self.model} stopped its answer ({why}); {todo}", reply, again=again)

    def said(self, reply: ModelReply) -> ModelReply:
        """Return the answer; one in which nothing is, for no reason of the model's, is an error and asked again."""
        if reply.text.strip() or reply.thinking or reply.refusal or reply.cut:
            return reply
        wrote = (reply.tokens or {}).get("completion", 0) > 1  # and nothing of it was left, which will not pass
        raise self.silent(reply, again=not (wrote and self._adapter.held_back))

    def silent(self, reply: ModelReply, *, again: bool = False) -> BrainError:
        """Return the error for an answer without a text."""
        error = self.server.failure(no_command(self.model, reply), again=again)
        error.kind = "" if reply.refusal or reply.cut else "empty"
        return self._keeping(error, reply)

    def _keeping(self, error: BrainError, reply: ModelReply) -> BrainError:
        whole = separated(reply, self.server.redact)
        error.raw = self.server.redact(whole.raw if whole.raw.strip() else whole.refusal)
        error.thought, error.tokens = whole.thinking, whole.tokens
        return error

    def gave_up(self, error: Any, reply: ModelReply | None = None) -> BrainError:
        """Return the error for one that comes within an answer, whose status then says nothing any more."""
        return self._keeping(self.server.gave_up(error), reply or ModelReply(""))

    # How its model is found

    def find(self, look: Look) -> None:
        """Set `model`, given what `look(path)` and `look(path, body)` return; raise BrainError that says what is wrong.

        A provider that has to look in several places overrides this.
        """
        path = self.catalogue()
        if path:
            listing = look(path)
            self.choose(listing)
            chosen = (each for each in self.entries(listing) if self.name_of(each) == self.model)
            self.context_size = self.context_size or _size_of(next(chosen, {}))
        elif not self.model:
            raise self.no_model(f"no model is named; name one, as in {self._to_name}")
        else:
            try:  # a server that is there may answer anything
                look("/")
            except ServerError as error:
                if error.status is None and error.why in ("down", "key", "options"):
                    raise

    def check_key(self, look: Look) -> None:
        """Raise BrainError if the key is wrong, where the list of models would not tell."""
        preset = self.preset
        if preset is not None and preset.check and preset.is_at(self.server.base_url):
            look(preset.check)

    def question(self) -> tuple[str, Any] | None:
        """Return path and body of the shortest question for `model`, None if there is none.

        It is asked before a match where the list does not hold the model, and where the model may have to be loaded.
        """
        return None

    def _find_and_load(self, report: Callable[[str], None], limit_s: float) -> None:
        server, ends = self.server, time.monotonic() + limit_s

        def look(path: str, body: Any = None) -> dict[str, Any]:
            while True:
                left_s = max(0.1, round(ends - time.monotonic(), 1))
                if body is not None:
                    return server.try_out(path, body, limit_s=left_s, patience=STARTING, say=report)
                try:  # a list comes at once or not at all, unless its server still loads
                    return server.fetch(path, limit_s=min(LOOK_S, left_s), patience=STARTING, say=report)
                except ServerError as error:
                    if error.status not in LOADING or left_s <= LOOK_S:
                        raise

        report(f"looking for {server.where}")
        if note := self._search(look):
            report(note)
        elif self.loads or (is_near(server.base_url) and not self.loaded and self.question()):
            report(f"loading {self.model} into {self.label}, the first time this takes a while")
            self._ask_shortly(look)
            report(f"{self.model} is loaded")

    def _search(self, look: Look, *, quick: bool = False) -> str:
        """Set `model`; return what to note of it, "" for nothing; raise BrainError if the server has not got it.

        A model that is not in the server's list, or whose server has no list, is asked the shortest question; `quick`:
        one that does not answer that in time is there all the same.
        """
        doubt = self._doubt(look)
        if doubt is None:
            return ""
        try:
            self._ask_shortly(look)
        except ServerError as error:
            if quick and error.again:
                return ""
            # What the list has says more than that the model is not there.
            listed = isinstance(doubt, NotListed) and error.status in (400, 404) and error.kind in ("", "model")
            raise doubt if listed else error from None
        return f"{self.server.where} does not list {self.model}; it is asked all the same"

    def _doubt(self, look: Look) -> ServerError | None:
        """Set `model`; return why it may not be there, None if it is listed; raise BrainError if it cannot be."""
        try:
            self._find_with_or_without_version(look)
        except ServerError as error:
            listed = not isinstance(error, NotListed)
            if self.question() is None or (listed and (error.kind not in ("", "model") or error.status not in NO_LIST)):
                raise
            if not self.wanted:
                if not listed or error.status in (401, 403):
                    raise
                raise self.server.failure(f"{error}, or set model if it has no list of them", fatal=True) from None
            self.model = self.wanted
            return error
        return None

    def _find_with_or_without_version(self, look: Look) -> None:
        server, other = self.server, self.server.address.without_version
        try:
            self.check_key(look)
        except ServerError as error:
            if error.status in (401, 403) or error.status is None:
                raise
        try:
            self.find(look)
        except ServerError as error:
            if error.status != 404 or other is None or not self.catalogue().startswith("/v1/"):
                raise
            usual, server.address = server.address, other
            try:
                self.find(look)
            except BrainError:
                server.address = usual
                raise error from None

    def _ask_shortly(self, look: Look) -> None:
        """Ask the shortest question, which has the model loaded; raise BrainError unless the model is there.

        A server that refuses how it is asked has the model, and one that fails may do better in the match.
        """
        question = self.question()
        assert question is not None
        try:
            if error := look(*question).get("error"):
                raise self.server.gave_up(error)
        except ServerError as problem:
            there = problem.status is not None and problem.status >= 400 and problem.status not in (*NO_ROUTE, *LOADING)
            if problem.fatal or self.loads or problem.kind in USED_UP or not there:
                raise

    # For menus, before anybody plays

    @classmethod
    def missing(cls, spec: Spec) -> str:
        """Return what is missing to play now, in one sentence; "" if nothing is."""
        return cls.state(spec).problem

    @classmethod
    def state(cls, spec: Spec) -> SeatState:
        """Return what is missing to play now, judged by this spec's own address, model and key."""
        try:
            brain = cls(spec)
        except UsageError as error:
            return SeatState(str(error), "options")
        with contextlib.closing(brain.server):
            return brain._state()

    def _state(self) -> SeatState:
        seen: dict[str, Mapping[str, Any]] = {}
        ends, problem = time.monotonic() + PROBES_S, None

        def look(path: str, body: Any = None) -> Mapping[str, Any]:
            seen[path] = probe(self.server, path, max(0.05, min(PROBE_S, ends - time.monotonic())), body)
            return seen[path]

        try:
            self.server.check_key()  # before anybody is asked, who may be slow
            self._search(look, quick=True)
        except BrainError as error:
            problem = error
        listing = seen.get(self.listed())
        names = tuple(self.names(listing)) if listing is not None else ()
        why: Why = "" if problem is None else problem.why if isinstance(problem, ServerError) else "other"
        return SeatState(str(problem or ""), why, self.model, names, self.key.variable or self.key.hint)

    @classmethod
    def models(cls, spec: Spec) -> list[str]:
        """Return the names that the option `model` may have; raise BrainError if the server does not say."""
        brain = cls(spec)
        with contextlib.closing(brain.server):
            path = brain.listed()
            return brain.names(probe(brain.server, path)) if path else []


def _size_of(entry: Mapping[str, Any]) -> int:
    """Return the tokens of context that a model in a list says it has, 0 where it says nothing."""
    meta = entry.get("meta")
    said = {**(meta if isinstance(meta, Mapping) else {}), **entry}
    names = ("context_length", "max_model_len", "context_window", "max_context_length", "inputTokenLimit", "n_ctx")
    return next((said[key] for key in names if type(said.get(key)) is int), 0)


def probe(server: ModelServer, path: str, limit_s: float = PROBE_S, body: Any = None) -> dict[str, Any]:
    """Return the JSON object at `path`, asked once, of a question's answer the first one.

    It is on time even if looking the name up hangs.
    """
    answers: queue.SimpleQueue[dict[str, Any] | BrainError] = queue.SimpleQueue()

    def ask() -> None:
        try:
            if body is None:
                answers.put(server.fetch(path, limit_s=limit_s, patience=ONCE))
            else:
                answers.put(server.try_out(path, body, limit_s=limit_s, patience=ONCE))
        except BrainError as error:
            answers.put(error)
        except Cancelled:
            pass

    threading.Thread(target=ask, daemon=True, name=f"probe {server.where}").start()
    answer: dict[str, Any] | BrainError = too_slow(server.where, limit_s)
    with contextlib.suppress(queue.Empty):
        answer = answers.get(timeout=limit_s + 0.1)
    if isinstance(answer, BrainError):
        raise answer
    return answer


LIMIT_S = 24 * 3600.0
"""Seconds that fetching a model may take."""
PATIENCE = Patience(away_s=30.0)
"""A server that is gone while it fetches a model is asked again for so long: it goes on where it was."""
CAP = 256 << 20
"""Bytes of progress that are read at most: some lines a second, for a day."""


def pull_model(
    server: ModelServer, path: str, model: str, live: Live, progress: Callable[[PullProgress], None]
) -> None:
    """Have the server fetch a model; return when it is there.

    Raise BrainError if it cannot be fetched, Cancelled when `live` is cancelled; the server keeps what has come.
    """

    def read(lines: Iterator[str]) -> bool | None:
        layers: dict[str, tuple[int, int]] = {}  # a model has several, each told by itself
        for line in server.json_lines(lines):
            if line.get("error"):
                sentence = f"{server.where} could not fetch {model!r}: {line['error']}; check its name"
                raise server.failure(sentence, fatal=True)
            digest, status = line.get("digest"), line.get("status")
            if isinstance(digest, str):
                layers[digest] = _count(line.get("completed")), _count(line.get("total"))
            done, total = (sum(counts[place] for counts in layers.values()) for place in (0, 1))
            progress(PullProgress(status if isinstance(status, str) else "", done, total))
            if status == "success":
                return True
        return None

    server.cap = CAP
    body = {"model": model, "stream": True}
    server.stream(path, body, read, live=live, limit_s=LIMIT_S, patience=PATIENCE)


def _count(value: Any) -> int:
    return value if type(value) is int and value > 0 else 0
