"""What the window's picture costs off screen at 1280 x 720, whole HUD, on one core.

    python benchmarks/picture.py [--config NAME_OR_FILE] [--frames N]

A match of two scripted bots, of couch unless a configuration is named, is drawn frame by frame at 60 frames a
second; then once more with two brains that stream text all the time, a hit, a block and a knock-out burning in
every frame (and with a battery a shield that breaks and a refusal); then both again in a person's turn, the aim
swinging all the time and everything telegraphed. The bare copy of a background in the same run
is the floor that no picture of this kind can be cheaper than. The last table says which parts the slowest of the
worst frames spent its time on.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame
from common import BenchmarkParser, progress

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.match import runner
from batllm_arcade.plugin import manager
from batllm_arcade.render import arena as bullets
from batllm_arcade.render import arena as effects
from batllm_arcade.render import arena_words, bots, draw_list, renderer, telegraph_words
from batllm_arcade.render.hud import banners, bubbles, hud
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.seats.table import Table
from batllm_arcade.settings import config
from batllm_arcade.view.scene import Aim, Effect, Scene, Thinking
from batllm_arcade.view.telegraph.lines import PlayerKeys
from batllm_arcade.view.telegraph.person_turn import PersonTurn
from batllm_arcade.view.timeline import Timeline

SIZE = (1280, 720)
WORDS = "the enemy is to my right and its shield is down, so I turn towards it and fire before it raises it again; "
KEYS = PlayerKeys("SPACE", "W", "S", "A D", "X")
PARTS: tuple[tuple[str, Any, str], ...] = (
    ("bots", bots.BotRenderer, bots.BotRenderer.draw.__name__),
    ("effects", effects.Effects, effects.Effects.draw.__name__),
    ("dust and scorch", effects.Effects, effects.Effects.draw_below.__name__),
    ("words that pop up", arena_words.EffectLabels, arena_words.EffectLabels.draw.__name__),
    ("bullets", bullets.BulletRenderer, bullets.BulletRenderer.draw_bullet.__name__),
    ("words of a person's turn", telegraph_words.TelegraphWords, telegraph_words.TelegraphWords.draw.__name__),
    ("bubbles", bubbles.Bubbles, bubbles.Bubbles.draw_thought.__name__),
    ("panels and bar", hud.Hud, hud.Hud.draw.__name__),
    ("banners", banners.Banners, banners.Banners.draw.__name__),
    ("painting the arena", renderer, draw_list.paint.__name__),
)


def recorded(name: str) -> tuple[Timeline, config.Config]:
    """A whole match on a timeline."""
    couch = config.load(name)
    seats = (Spec("scripted", "sharpshooter"), Spec("scripted", "dancer"))
    table = Table(manager.load().kinds, seats, fallback=seats[0])
    plan = runner.MatchPlan(couch.rules, seed=7, games=2, prompts=("rush it", "dance"), header_template="$commands")
    return Timeline.of(runner.play(plan, table)), couch


def worst(scene: Scene, number: int) -> Scene:
    """The scene with both panels' text changing all the time and every kind of particle in the air."""
    seat, t = number % 2, scene.t
    text = (WORDS * 12)[: 20 + number % 1200]
    burning = [
        Effect(kind, t - (number % 40) / 40 * lasts, lasts, (200 + 600 * bot, 300 + 200 * bot), 40.0 * bot, bot, 80)
        for kind, lasts, bot in (
            ("knockout", 2.2, 0), ("hit", 0.9, 1), ("block", 0.6, 0), ("muzzle", 0.22, 1), ("dust", 1.1, 1),
            *((("break", 1.1, 0), ("uncharged", 1.5, 1)) if scene.board.rules.battery else ()),
        )
    ]  # fmt: skip
    thinking = Thinking(seat, number / 60 % 30, text, False)
    return replace(scene, thinking=thinking, effects=(*scene.effects, *burning), shake=(1.5, -1.0))


class Person:
    """The left bot's person, who is asked in every scene."""

    def __init__(self) -> None:
        self._turn: PersonTurn | None = None

    def asked(self, scene: Scene, turned: float) -> Scene:
        """The scene in the person's turn, who aims so many degrees aside."""
        if not (scene.bots[0].alive and scene.bots[1].alive):
            return scene
        turn = (scene.arena, scene.board.rules, 0, KEYS, "YOUR TURN")
        if self._turn is None or self._turn.asked != turn:
            self._turn = PersonTurn(*turn)
        return replace(scene, aim=Aim(0, scene.arena.left.rot + turned, turned), telegraph=self._turn.telegraph(turned))


def swinging(number: int) -> float:
    """How far an aim is turned that swings by a degree a frame."""
    return float(number % 240 - 120)


def milliseconds(frames: int, paint: Callable[[int], object]) -> list[float]:
    """What each frame costs the processor, in order; what else the machine does in the meantime is not counted."""
    costs = []
    for number in range(frames):
        began = time.thread_time()
        paint(number)
        costs.append((time.thread_time() - began) * 1000)
    return costs


@contextmanager
def timed(spent: Counter[str]) -> Iterator[None]:
    """Count the milliseconds that each part takes."""
    kept = [(owner, name, getattr(owner, name)) for _, owner, name in PARTS]

    def counted(part: str, method: Callable[..., object]) -> Callable[..., object]:
        def run(*args: object, **named: object) -> object:
            began = time.thread_time()
            try:
                return method(*args, **named)
            finally:
                spent[part] += (time.thread_time() - began) * 1000  # type: ignore[assignment]

        return run

    for (part, owner, name), (_, _, method) in zip(PARTS, kept, strict=True):
        setattr(owner, name, counted(part, method))
    try:
        yield
    finally:
        for owner, name, method in kept:
            setattr(owner, name, method)


def slowest(frames: int, paint: Callable[[int], object]) -> tuple[float, Counter[str]]:
    """The slowest frame's milliseconds and what its parts took."""
    most, parts = 0.0, Counter[str]()
    for number in range(frames):
        spent = Counter[str]()
        with timed(spent):
            took = milliseconds(1, lambda _, n=number: paint(n))[0]  # type: ignore[misc]
        if took > most:
            most, parts = took, spent
    return most, parts


def main() -> None:
    parser = BenchmarkParser(__doc__, frames=8)
    parser.add_argument("--frames", type=int, help="at most so many of the match (default: all)")
    parser.add_argument("--config", default="couch", help="a shipped configuration or a YAML file (default: couch)")
    options = parser.parse()
    timeline, couch = recorded(options.config)
    picture, surface = Renderer(SIZE, couch.rules), pygame.Surface(SIZE)
    background, person = pygame.Surface(SIZE), Person()
    frames = min(int(timeline.end * 60), options.frames or sys.maxsize)
    rows: dict[str, Callable[[int], object]] = {
        "background alone": lambda number: surface.blit(background, (0, 0)),
        "ordinary": lambda number: picture.draw(surface, timeline.at(number / 60)),
        "two streams, worst particles": lambda number: picture.draw(surface, worst(timeline.at(number / 60), number)),
        "ordinary, a person's turn": lambda number: picture.draw(
            surface, person.asked(timeline.at(number / 60), swinging(number))
        ),
        "worst, a person's turn": lambda number: picture.draw(
            surface, person.asked(worst(timeline.at(number / 60), number), swinging(number))
        ),
    }
    first = milliseconds(min(frames, 300), rows["ordinary"])  # fills the caches, as the first seconds of a match do
    milliseconds(240, rows["two streams, worst particles"])
    results = {}
    for name, paint in rows.items():
        progress(f"{frames} frames: {name}")
        results[name] = milliseconds(frames, paint)
    floor = statistics.median(results["background alone"])
    print(f"| frames of a {timeline.end:.0f} s match | median ms | 99% ms | slowest ms | times the background alone |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, costs in results.items():
        median, late = statistics.median(costs), sorted(costs)[int(0.99 * len(costs))]
        print(f"| {name} | {median:.2f} | {late:.2f} | {max(costs):.2f} | {median / floor:.1f} |")
    print(f"\nthe very first frames: {first[0]:.1f} ms, then at most {max(first[1:]):.1f} ms\n")
    most, parts = slowest(frames, rows["two streams, worst particles"])
    print(f"| the slowest worst frame, {most:.2f} ms | ms |\n| --- | ---: |")
    for part, took in parts.most_common():
        print(f"| {part} | {took:.2f} |")
    print(f"| everything else | {most - sum(parts.values()):.2f} |")


if __name__ == "__main__":
    main()
