"""How many tokens a model evaluates a play, of those it is sent: what each way of telling a match leaves to the cache.

    python benchmarks/prefix_cache.py [--turns 20] [--seed 7] [--only NAME ...] [--shared]

Plays one round of `embedded:raw` (for json replies: of a brain like `openai`) with the small model on one thread:
against a script that never fires, then against itself, both bots taking turns on one model with a slot each; with
--shared also with one slot for both. Prints a Markdown row for each: tokens sent, evaluated, their share, and the same
of the last play. Token counts do not depend on how busy the machine is; it takes an hour.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from batllm_arcade_plugins import embedded
from common import BenchmarkParser, progress

from batllm_arcade import ModelBrain, ModelReply, ModelRequest, ProcessReply
from batllm_arcade.brains.live import Live
from batllm_arcade.brains.protocol import Decision, PayloadStyle, SeatInfo, Spec, View
from batllm_arcade.core.model import Rules
from batllm_arcade.match.runner import Answer, MatchPlan, TableProtocol, play
from batllm_arcade.models import llama
from batllm_arcade.models.base import now
from batllm_arcade.settings import config

LAYOUTS = {
    "payload, document": ("", PayloadStyle(order="document")),
    "payload, append": ("", PayloadStyle(order="append")),
    "conversation, array": ("context=conversation,rendering=array", PayloadStyle()),
    "conversation, chat": ("context=conversation,rendering=chat", PayloadStyle()),
    "conversation, chat of tokens": ("context=conversation,rendering=chat,reply=token", PayloadStyle()),
    "payload, document, json": ("reply=json", PayloadStyle(order="document")),
    "payload, append, json": ("reply=json", PayloadStyle()),
    "conversation, array, json": ("context=conversation,rendering=array,reply=json", PayloadStyle()),
    "conversation, chat, json": ("context=conversation,rendering=chat,reply=json", PayloadStyle()),
}
PROMPTS = ("Close distance and shoot.", "Keep your distance and keep the shield up.")
DANCE = ("C30", "M", "A45", "M", "S0", "M", "S1")
N_CTX = 16384


@dataclass
class Counter:
    """An engine in this process that counts; it takes what the brain sends and answers as its process would."""

    server: Any
    slots: int
    sent: list[int] = field(default_factory=list)
    evaluated: list[int] = field(default_factory=list)

    def ask(self, body: Mapping[str, Any], live: Live | None = None) -> ProcessReply:
        """Put a request to the model."""
        answer = self.server.handle_chat_completions({**body, "id_slot": body["id_slot"] % self.slots, "stream": False})
        if "error" in answer:
            raise SystemExit(f"the model refused: {answer['error']}")
        timings = answer["timings"]
        self.evaluated.append(timings["prompt_n"])
        self.sent.append(timings["prompt_n"] + timings["cache_n"])
        return ProcessReply(answer["choices"][0]["message"]["content"], {}, {})


class Buttons(ModelBrain):
    """A brain like `openai` that asks an engine in this process, for replies that `embedded:raw` does not give."""

    label, home, suggested = "llama.cpp", "http://127.0.0.1:1", "smollm2"

    def __init__(self, spec: Spec, engine: Counter, slot: int) -> None:
        super().__init__(spec)
        self._engine, self._slot = engine, slot

    def ask(self, request: ModelRequest) -> ModelReply:
        """The model's answer in the form asked for."""
        form = {"name": "answer", "schema": request.schema}
        body = {
            "messages": request.messages, "max_tokens": request.max_tokens, "temperature": 0.8, "seed": request.seed,
            "cache_prompt": True, "id_slot": self._slot, "chat_template_kwargs": {"enable_thinking": False},
            "response_format": {"type": "json_schema", "json_schema": form},
        }  # fmt: skip
        return ModelReply(self._engine.ask(body).text)

    def catalogue(self) -> str:
        """No path: there is one model."""
        return ""

    def choose(self, listing: Mapping[str, Any]) -> None:
        """Nothing to choose."""


class Script:
    """A bot that moves about and never fires."""

    def decide(self, view: View) -> Decision:
        """The next of its steps."""
        token = DANCE[view.turn % len(DANCE)]
        return Decision(token, token)


class Chairs(TableProtocol):
    """A table without threads."""

    def __init__(self, *brains: Any) -> None:
        self._brains = brains

    def begin_game(self) -> tuple[SeatInfo, SeatInfo]:
        """Who sits there."""
        return SeatInfo("benchmark", "benchmark"), SeatInfo("benchmark", "benchmark")

    def ask(self, bot: int, view: View) -> Answer:
        """The brain's answer."""
        return Answer(self._brains[bot].decide(view), "ok", "", 0.0, now())

    def now(self) -> str:
        """The time."""
        return now()


def load() -> Any:
    """The model, as the embedded brain's process loads it, on one thread."""
    path = embedded.model_file(Spec("embedded"))
    if path is None or embedded.missing(Spec("embedded")):
        raise SystemExit(embedded.missing(Spec("embedded")))
    return llama._load({"model": str(path), "n_ctx": N_CTX, "kv_unified": True, "threads": 1})


def measured(layout: str, bots: int, slots: int, turns: int, seed: int) -> Counter:
    """The counts of one round; it starts with an empty cache."""
    options, style = LAYOUTS[layout]
    counter = Counter(load(), slots)
    brains = [_brain(options, counter, slot) for slot in range(bots)]
    rules = Rules(total_rounds=1, turns_per_round=turns, initial_health=(10_000, 10_000))
    plan = MatchPlan(rules, seed, 1, PROMPTS, style, config.load("default").header_template)
    for _ in play(plan, Chairs(*brains, *[Script()] * (2 - bots))):
        pass
    return counter


def _brain(options: str, counter: Counter, slot: int) -> embedded.Raw | Buttons:
    if "reply=json" in options:
        return Buttons(Spec.parse(f"buttons:{options}"), counter, slot)
    brain = embedded.Raw(Spec.parse(f"embedded:raw,{options}" if options else "embedded:raw"))
    brain._engine = counter
    return brain


def rows(turns: int, seed: int, only: list[str], shared: bool, most: int) -> Iterator[str]:
    """The table, line by line."""
    yield "| told as | bots | slots | plays | tokens sent | evaluated | share | the last play sends | evaluates |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for layout in only or LAYOUTS:
        for bots, slots in ((1, 1), (2, 2), *([(2, 1)] if shared else []))[: None if most == 2 else 1]:
            progress(f"{layout}, {bots} bots")
            counter = measured(layout, bots, slots, turns, seed)
            sent, evaluated = sum(counter.sent), sum(counter.evaluated)
            last = f"{counter.sent[-1]:,} | {counter.evaluated[-1]:,}"
            figures = f"{len(counter.sent)} | {sent:,} | {evaluated:,} | {evaluated / sent:.1%} | {last}"
            yield f"| {layout} | {bots} | {slots} | {figures} |"


def main() -> None:
    """Print the table."""
    parser = BenchmarkParser(__doc__, turns=1, only=["payload, append"], bots=1)
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--only", nargs="*", choices=LAYOUTS, default=[])
    parser.add_argument("--shared", action="store_true")
    parser.add_argument("--bots", type=int, choices=(1, 2), default=2, help="at most so many on the model")
    wanted = parser.parse()
    for row in rows(wanted.turns, wanted.seed, wanted.only, wanted.shared, wanted.bots):
        print(row, flush=True)


if __name__ == "__main__":
    main()
