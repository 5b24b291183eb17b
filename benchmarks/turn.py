"""What a frame of a person's turn costs off screen at 1280 x 720, beside the same frame of another checkout.

    python benchmarks/turn.py [--beside PYTHON] [--rounds N]

`--beside` is the interpreter of another checkout (its `.venv/bin/python`), which may be from before telegraphs. Both
draw the frames of one couch match, in a process each that works while the other waits: the same few seconds here,
then there, and so on, so that a slow spell of the machine meets both. Telegraphs are asked of the rules in the frame
that shows them. Milliseconds are processor time.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import batllm_arcade

sys.path.insert(0, str(Path(batllm_arcade.__file__).parents[1] / "benchmarks"))  # of the checkout that draws

import picture
import pygame
from common import BenchmarkParser, progress

from batllm_arcade.render.renderer import Renderer
from batllm_arcade.view.scene import Aim, Scene

MODES = (
    "ordinary, nobody is asked",
    "ordinary, aim at rest",
    "ordinary, aim swings",
    "worst, nobody is asked",
    "worst, aim at rest",
    "worst, aim swings",
)


class EarlierPerson:
    """A person in checkouts that have no turn which is kept: from before that, or from before telegraphs."""

    def asked(self, scene: Scene, turned: float) -> Scene:
        """The scene in a turn of the left bot's person, who aims so many degrees aside."""
        if not (scene.bots[0].alive and scene.bots[1].alive):
            return scene
        aim = Aim(0, scene.arena.left.rot + turned, turned)
        try:
            from batllm_arcade.view import telegraph as module
        except ImportError:
            return replace(scene, aim=aim)
        asked = (scene.arena, scene.board.rules, 0)
        shown = module.telegraph(*asked, rot=aim.rot, turned=turned, keys=picture.KEYS, title="YOUR TURN")  # type: ignore[attr-defined]
        return replace(scene, aim=aim, telegraph=shown)


def serve(block: int) -> None:
    """Draw a block of frames for each line of input: the number of a mode and the first frame."""
    timeline, couch = picture.recorded("couch")
    drawn, surface = Renderer(picture.SIZE, couch.rules), pygame.Surface(picture.SIZE)
    frames = int(timeline.end * 60)
    person = getattr(picture, "Person", EarlierPerson)()

    def painter(mode: str) -> Callable[[int], object]:
        def paint(number: int) -> None:
            scene = timeline.at(number % frames / 60)
            if mode.startswith("worst"):
                scene = picture.worst(scene, number)
            if mode.endswith("at rest"):
                scene = person.asked(scene, 0.0)
            elif mode.endswith("swings"):
                scene = person.asked(scene, float(number % 240 - 120))
            drawn.draw(surface, scene)

        return paint

    def from_frame(paint: Callable[[int], object], first: int, number: int) -> object:
        return paint(first + number)

    print(frames, flush=True)
    for line in sys.stdin:
        mode, first = line.split()
        costs = picture.milliseconds(block, partial(from_frame, painter(MODES[int(mode)]), int(first)))
        print(*(f"{cost:.4f}" for cost in costs), flush=True)


class Checkout:
    """A process that draws with one checkout's code."""

    def __init__(self, python: str, block: int) -> None:
        command = [python, __file__, "--serve", "--block", str(block)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.frames = int(self._answer())
        self.costs: dict[int, list[float]] = {mode: [] for mode in range(len(MODES))}

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def draw(self, mode: int, first: int, *, kept: bool) -> None:
        """Draw a block of frames and keep what each cost."""
        assert self._process.stdin is not None
        print(mode, first, file=self._process.stdin, flush=True)
        costs = [float(cost) for cost in self._answer().split()]
        if kept:
            self.costs[mode] += costs

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def main() -> None:
    parser = BenchmarkParser(__doc__, rounds=1, block=3)
    parser.add_argument("--beside", metavar="PYTHON", help="the interpreter of another checkout")
    parser.add_argument("--rounds", type=int, default=8, help="blocks of frames a row (default: 8)")
    parser.add_argument("--block", type=int, default=300, help="frames that one draws before it is the other's turn")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse()
    if options.serve:
        serve(options.block)
        return
    checkouts = [Checkout(python, options.block) for python in (options.beside, sys.executable) if python]
    for number in range(-1, options.rounds):  # the first blocks fill the caches
        progress(f"round {number + 1} of {options.rounds}")
        for mode in range(len(MODES)):
            for checkout in checkouts[:: 1 if number % 2 else -1]:
                checkout.draw(mode, max(0, number) * options.block, kept=number >= 0)
    for checkout in checkouts:
        checkout.close()
    head = (
        "| ms a frame | before: median | 99% | now: median | 99% | times |"
        if options.beside
        else "| ms a frame | median | 99% |"
    )
    print(head, "| --- |" + " ---: |" * (head.count("|") - 2), sep="\n")
    for mode, name in enumerate(MODES):
        figures = [figure for checkout in checkouts for figure in summed_up(checkout.costs[mode])]
        times = [f"{figures[2] / figures[0]:.2f}"] if options.beside else []
        print(f"| {' | '.join([name, *(f'{figure:.2f}' for figure in figures), *times])} |")


def summed_up(costs: list[float]) -> tuple[float, float]:
    """The median and what 99 of 100 frames stay below."""
    return statistics.median(costs), sorted(costs)[int(0.99 * len(costs))]


if __name__ == "__main__":
    main()
