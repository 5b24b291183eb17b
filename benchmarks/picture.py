"""What the window's picture costs off screen at 1280 x 720, whole HUD, on one core.

    python benchmarks/picture.py

A couch match of two scripted bots is drawn frame by frame at 60 frames a second, then once more with
a brain that streams text all the time. The bare copy of the background in the same run is the floor
that no picture of this kind can be cheaper than.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from dataclasses import replace

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from batllm_arcade import config, match, plugin_manager
from batllm_arcade.brains import Spec
from batllm_arcade.seating import Table
from batllm_arcade.view.draw import Picture
from batllm_arcade.view.scene import Scene, Thinking
from batllm_arcade.view.timeline import Timeline

SIZE = (1280, 720)
WORDS = "the enemy is to my right and its shield is down, so I turn towards it and fire before it raises it again; "


def recorded() -> tuple[Timeline, config.Config]:
    """A whole match on a timeline."""
    couch = config.load("couch")
    seats = (Spec("scripted", "sharpshooter"), Spec("scripted", "dancer"))
    table = Table(plugin_manager.load().kinds, seats, fallback=seats[0])
    plan = match.MatchPlan(couch.rules, seed=7, games=2, prompts=("rush it", "dance"), header_template="$commands")
    return Timeline.of(match.play(plan, table)), couch


def milliseconds(frames: int, draw: Callable[[int], None]) -> list[float]:
    """The cost of each frame, sorted."""
    costs = []
    for number in range(frames):
        began = time.perf_counter()
        draw(number)
        costs.append((time.perf_counter() - began) * 1000)
    return sorted(costs)


def main() -> None:
    timeline, couch = recorded()
    picture, surface = Picture(SIZE, couch.rules), pygame.Surface(SIZE)
    background = pygame.Surface(SIZE)
    frames = int(timeline.end * 60)

    def quiet(number: int) -> None:
        picture.draw(surface, timeline.at(number / 60))

    def streaming(number: int) -> None:
        scene: Scene = timeline.at(number / 60)
        text = (WORDS * 4)[: 10 + number % 400]
        picture.draw(surface, replace(scene, thinking=Thinking(number // 300 % 2, number / 60 % 30, text, False)))

    rows = {
        "background alone": lambda number: surface.blit(background, (0, 0)) and None,
        "ordinary": quiet,
        "streaming": streaming,
    }
    milliseconds(min(frames, 300), quiet)  # fill the caches, as the first seconds of any match do
    results = {name: milliseconds(frames, draw) for name, draw in rows.items()}
    floor = statistics.median(results["background alone"])
    print(f"| frames of a {timeline.end:.0f} s match | median ms | 99% ms | slowest ms | times the background alone |")
    print("| --- | --- | --- | --- | --- |")
    for name, costs in results.items():
        median, late = statistics.median(costs), costs[int(0.99 * len(costs))]
        print(f"| {name} | {median:.2f} | {late:.2f} | {costs[-1]:.2f} | {median / floor:.1f} |")


if __name__ == "__main__":
    main()
