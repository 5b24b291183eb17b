"""Makes the README's pictures from a recorded match, off screen.

    batllm-arcade run --config couch --left scripted:sharpshooter --right embedded --seed 21 \\
        --right-prompt @assets/prompts/brawler.txt --history /tmp/match.json
    python docs/pictures/make.py /tmp/match.json SECONDS OUT.png [WIDTHxHEIGHT]
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import pygame

from batllm_arcade.history.reader import read
from batllm_arcade.history.replay import replay
from batllm_arcade.view.draw import Picture
from batllm_arcade.view.timeline import Timeline


def main(file: str, seconds: str, out: str, size: str = "1280x720") -> None:
    timeline = Timeline.of(replay(read(Path(file))))
    width, height = (int(part) for part in size.split("x"))
    scene, surface = timeline.at(float(seconds)), pygame.Surface((width, height))
    Picture((width, height), scene.board.rules).draw(surface, scene)
    pygame.image.save(surface, out)
    hits = [
        f"{s.flight[1]:.2f}"
        for s in timeline.segments
        if s.flight and any(e.kind in ("hit", "block") for e in s.effects)
    ]
    print(f"{timeline.end:.1f} s in all; bullets land on a bot or its shield at {' '.join(hits)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
