"""Make the pictures of README and docs anew, and the page in docs: `make pictures` (the embedded model, chromium).

The match is not picked by hand: of games with the seeds 1, 2, 3 ... between two embedded models that are told RUSH and
CAMP it is the first in which both are seen to do so. The one camps if both walls of a corner are within NEAR after
WANTED of its plays, the other rushes if WANTED of its steps lead nearer; and the game must end by knock-out.

Neither is that of the two games side by side: it is the first seed under which the model wins with one of two orders by
knock-out, and loses with the other one; the picture is that in the middle of the film. `python docs/make/pictures.py
versus` makes that one alone.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import av
import pygame

from batllm_arcade.core.commands import Move
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.history.reader import read
from batllm_arcade.history.replay import replay
from batllm_arcade.match.records import GameEnded, GameStarted, Play, Record

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
RUSH = "Rush the enemy and stay right in its face, shooting."
CAMP = "Camp in the nearest corner and shoot from there."
NEAR, WANTED, MOST_SEEDS = 250.0, 0.75, 40
PLAYERS = ("--left", "embedded", "--right", "embedded", "--left-prompt", RUSH, "--right-prompt", CAMP)
MATCH = ("--config", "couch", *PLAYERS)
TITLE = "One told to rush, one to camp"
FILM = ("--highlights", "--size", "720x404", "--fps", "16", "--max-size", "2500kB", "--title", TITLE)
TWO = ("Shoot from afar, never go close", "Rush him and stay in his face")
AGAINST = ("--config", "arena", "--left", "embedded", "--right", "scripted:dancer")
BOTH = ("--size", "1280x720", "--fps", "12")
DESK, PHONE = (1280, 800), (390, 844)


class Followed(NamedTuple):
    """How orders were carried out: shares of the camper's plays in a corner, and of the rusher's steps nearer to it."""

    camped: float
    rushed: float
    knockout: bool

    @property
    def enough(self) -> bool:
        """Return whether the rule takes the game."""
        return min(self.camped, self.rushed) >= WANTED and self.knockout


def followed(records: Sequence[Record]) -> Followed:
    """Return how a game's orders were carried out."""
    rules = next(record.rules for record in records if isinstance(record, GameStarted))
    plays = [record for record in records if isinstance(record, Play)]
    camper = [_in_a_corner(play.after.right, rules) for play in plays if play.bot == 1]
    steps = [play for play in plays if play.bot == 0 and isinstance(play.command, Move)]
    nearer = [_apart(play.after) < _apart(play.before) for play in steps]
    ended = next(record.result.reason for record in records if isinstance(record, GameEnded))
    return Followed(_share(camper), _share(nearer), ended == "knockout")


def _share(given: Sequence[bool]) -> float:
    return sum(given) / len(given) if given else 0.0


def _in_a_corner(bot: BotState, rules: Rules) -> bool:
    walls = min(bot.x, rules.arena_width - bot.x), min(bot.y, rules.arena_height - bot.y)
    return max(walls) <= NEAR


def _apart(arena: Arena) -> float:
    return math.dist((arena.left.x, arena.left.y), (arena.right.x, arena.right.y))


def chosen(folder: Path) -> Path:
    """Play games until the rule takes one; return its session, and print what each was like."""
    for seed in range(1, MOST_SEEDS + 1):
        session = folder / f"seed{seed}.json"
        program("run", *MATCH, "--seed", str(seed), "--history", str(session), "--force", "--quiet")
        found = followed(list(replay(read(session))))
        print(f"seed {seed}: camped {found.camped:.0%}, rushed {found.rushed:.0%}, knock-out: {found.knockout}")
        if found.enough:
            return session
    raise SystemExit(f"none of {MOST_SEEDS} seeds has a game that the rule takes")


def apart(folder: Path) -> list[Path]:
    """Play a game for each of two orders until a seed lets one win and the other lose by knock-out; return both."""
    for seed in range(1, MOST_SEEDS + 1):
        files = [folder / f"{letter}{seed}.json" for letter in "ab"]
        for file, orders in zip(files, TWO, strict=True):
            program("run", *AGAINST, "--left-prompt", orders, "--seed", str(seed), "--history", str(file), "--quiet")
        results = [each.result for file in files for each in replay(read(file)) if isinstance(each, GameEnded)]
        print(f"seed {seed}: {', '.join(f'{result.winner} {result.reason}' for result in results)}")
        if {result.winner for result in results} == {0, 1} and {each.reason for each in results} == {"knockout"}:
            return files
    raise SystemExit(f"none of {MOST_SEEDS} seeds tells two orders apart")


def still(film: Path) -> pygame.Surface:
    """Return the picture in the middle of a film."""
    with av.open(str(film)) as file:
        frames = list(file.decode(video=0))
    pixels = frames[len(frames) // 2].to_ndarray(format="rgb24")
    return pygame.surfarray.make_surface(pixels.swapaxes(0, 1))


def program(*words: str) -> None:
    """Run the program; raise CalledProcessError if it fails."""
    subprocess.run([sys.executable, "-m", "batllm_arcade", *words], check=True, cwd=ROOT)


def page_picture(page: Path, folder: Path, out: Path) -> None:
    """Write a picture of a page in a window and on a phone, a moment before its end."""
    sys.path.insert(0, str(ROOT / "tests" / "support"))
    from browser import browser

    with browser(folder) as chromium:
        shots = []
        for size in (DESK, PHONE):
            chromium.resize(*size, phone=size == PHONE)
            chromium.open(page)
            chromium.run("location.hash = arguments[0]", _before_the_end(page))
            chromium.wait("document.querySelector('#opening').hidden")
            chromium.driver.get_screenshot_as_file(str(folder / "shot.png"))
            shots.append(pygame.image.load(folder / "shot.png"))
    _write_webp(_side_by_side(shots), out)


def _before_the_end(page: Path) -> str:
    """Return the link to the moment after the last play but two."""
    plays = [record for record in replay(read(page)) if isinstance(record, Play)]
    play = plays[-3]
    return f"#t={play.round}.{play.turn}.{2 - play.number % 2}"


def _side_by_side(shots: Sequence[pygame.Surface], high: int = 640) -> pygame.Surface:
    scaled = [
        pygame.transform.smoothscale(shot, (shot.get_width() * high // shot.get_height(), high)) for shot in shots
    ]
    picture = pygame.Surface((sum(shot.get_width() for shot in scaled) + 24, high), 0, 32)
    picture.blit(scaled[0], (0, 0))
    picture.blit(scaled[1], (picture.get_width() - scaled[1].get_width(), 0))
    return picture


def _write_webp(picture: pygame.Surface, out: Path) -> None:
    wide, high = (side & ~1 for side in picture.get_size())
    with av.open(str(out), "w", "webp") as film:
        stream = film.add_stream("libwebp", 1, options={"quality": "82"})
        stream.width, stream.height, stream.pix_fmt = wide, high, "yuv420p"
        pixels = pygame.surfarray.array3d(picture).swapaxes(0, 1)[:high, :wide]
        frame = av.VideoFrame.from_ndarray(pixels.copy(), "rgb24")
        film.mux([*stream.encode(frame), *stream.encode(None)])


def main() -> None:
    """Make them all, or that of two orders alone."""
    with tempfile.TemporaryDirectory() as name:
        folder, both = Path(name), DOCS / "pictures" / "versus.webp"
        film = folder / "versus.mp4"
        program("versus", *map(str, apart(folder)), "-o", str(film), *BOTH)
        _write_webp(still(film), both)
        print(f"{both.relative_to(ROOT)}: {both.stat().st_size / 1000:.0f} kB")
        if sys.argv[1:] == ["versus"]:
            return
        session = chosen(folder)
        film, page = DOCS / "pictures" / "match.webp", DOCS / "match.html"
        program("video", str(session), "-o", str(film), *FILM, "--force")
        program("share", str(session), "-o", str(page), "--force")
        page_picture(page, folder, DOCS / "pictures" / "page.webp")
        for file in (film, page, DOCS / "pictures" / "page.webp"):
            print(f"{file.relative_to(ROOT)}: {file.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
