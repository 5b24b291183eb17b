"""How long a payload takes to build at turns 20, 200 and 2000, in both key orders.

    python benchmarks/payload.py [--turns 20 200 2000] [--builds 15]

Every build is that of the next turn: one finished turn was added since the last one, as in a match.
Prints a Markdown row each: the median of the builds, and its share of the time that turning the same
body into JSON from scratch takes, measured in turn with it.
"""

from __future__ import annotations

import json
import time
from statistics import median

from common import BenchmarkParser

from batllm_arcade.brains.protocol import PastPlay, PastTurn, PayloadStyle, View
from batllm_arcade.core.commands import parse
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.core.rules import step
from batllm_arcade.prompts import payload

SCRIPT = ("C17", "M", "S0", "A33.5", "B", "M", "S1")


def view(turns: list[PastTurn], order: str, rules: Rules) -> View:
    """The view of the turn after `turns`."""
    return View(
        seat=0, rules=rules, game=1, round=1, turn=len(turns) + 1, number=2 * len(turns) + 1, acting_order=(0, 1),
        prompts=("Close distance and shoot.", "Keep distance and keep the shield up."),
        arena=turns[-1].after, initial=turns[0].after, history=tuple(turns),
        system_header="You control SELF.", style=PayloadStyle(order=order),  # type: ignore[arg-type]
    )  # fmt: skip


def played(turns: int, rules: Rules) -> list[PastTurn]:
    """Finished turns of one round, with the models' raw replies."""
    arena = Arena(BotState(200, 200, 45, 10_000, True), BotState(800, 700, 225, 10_000, True))
    past = []
    for turn in range(1, turns + 1):
        plays = []
        for bot in (0, 1):
            token = SCRIPT[(2 * turn + bot) % len(SCRIPT)]
            arena, _ = step(arena, bot, parse(token), rules)
            plays.append(PastPlay(bot, token, token))
        past.append(PastTurn(turn, tuple(plays), arena))
    return past


def measured(turns: int, order: str, builds: int) -> tuple[float, float]:
    """Median seconds of a payload's build, and of the same body's JSON from scratch."""
    rules = Rules(turns_per_round=turns + builds, initial_health=(10_000, 10_000))
    past = played(turns + builds, rules)
    payload.payload_messages(view(past[: turns - 1], order, rules))
    built, plain = [], []
    for now in range(turns, turns + builds):
        seen = view(past[:now], order, rules)
        begin = time.perf_counter()
        text = payload.payload_messages(seen)[-1]["content"]
        built.append(time.perf_counter() - begin)
        begin = time.perf_counter()
        assert json.dumps(payload.body(seen), separators=(",", ":")) == text
        plain.append(time.perf_counter() - begin)
    return median(built), median(plain)


def main() -> None:
    parser = BenchmarkParser(__doc__, turns=[20], builds=2)
    parser.add_argument("--turns", type=int, nargs="+", default=[20, 200, 2000])
    parser.add_argument("--builds", type=int, default=15)
    options = parser.parse()
    print("| turn | order | build | from scratch | share |")
    print("| ---: | --- | ---: | ---: | ---: |")
    for turns in options.turns:
        for order in ("document", "append"):
            built, plain = measured(turns, order, options.builds)
            print(f"| {turns} | {order} | {built * 1000:.2f} ms | {plain * 1000:.2f} ms | {built / plain:.0%} |")


if __name__ == "__main__":
    main()
