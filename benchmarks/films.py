"""What films tell, counted over recorded matches: can it be read, does it lie over anything, is it true.

    python benchmarks/films.py [--sessions 60] [--every 0.1]

Plays seeded matches of scripts and of the embedded model with orders, some of them series, under three
configurations. Their films are not made but looked at: every so many seconds of the whole film in four shapes, where
each word stands. Prints a Markdown table.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, combinations, count, islice
from pathlib import Path
from typing import Any

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame
from common import BenchmarkParser, progress

from batllm_arcade.brains.ready_made import library
from batllm_arcade.history.reader import read
from batllm_arcade.history.replay import replay
from batllm_arcade.match.records import GameEnded, GameStarted
from batllm_arcade.render.arena import ArenaRenderer, CloseUpRenderer
from batllm_arcade.render.arena_words import EffectLabels
from batllm_arcade.render.draw_list import DrawList
from batllm_arcade.render.hud.banners import Banners
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.session.games import play
from batllm_arcade.video.draw.frames import Overlay
from batllm_arcade.video.edit.cards import end_card
from batllm_arcade.video.encode.formats import FORMATS, Shape
from batllm_arcade.video.film_plan import FilmPlan
from batllm_arcade.video.render_job import RenderJob
from batllm_arcade.view.cut_words import reading_seconds
from batllm_arcade.view.play_words import word_count

SHAPES = {"wide": (1280, 720), "square": (1080, 1080), "phone": (1080, 1920), "gif": (800, 450)}
CONFIGS = ("couch", "classic", "default")
SCRIPTS = ("sharpshooter", "dancer", "turtle", "random")
FRAME_S = 0.051  # by which a caption may be shorter: film frames do not fall on its first moment
Where = tuple[str, pygame.Rect]


def recorded(folder: Path, number: int) -> Path:
    """The session of that number: its players, orders, configuration and games follow from it."""
    texts = [text for _, text in library()]
    pairs = list(combinations(SCRIPTS, 2))
    seats = [f"scripted:{name}" for name in pairs[number % len(pairs)]]
    orders: tuple[str | None, str | None] = (None, None)
    if number % 3 == 0:
        seats, orders = ["embedded", "embedded"], (texts[number % len(texts)], texts[(number + 3) % len(texts)])
    games, out = 3 if number % 5 == 4 else 1, folder / f"{number}.json"
    config = CONFIGS[number // 3 % len(CONFIGS)]
    for _ in play(*seats, games=games, seed=number + 1, config=config, orders=orders, history=out, force=True):
        pass
    return out


def matches(folder: Path, number: int, *, scripted: bool) -> list[Path]:
    """So many sessions; `scripted` ones are played by scripts alone, as the model may not be there."""
    numbers = islice((n for n in count() if n % 3 or not scripted), max(number, 1))
    return [recorded(folder, number) for number in numbers]


def planned(folder: Path, name: str, **options: Any) -> FilmPlan:
    """The plan of a film in one of the shapes."""
    suffix, fps = (".gif", 25) if name == "gif" else (".mp4", 60)
    made = Shape(FORMATS[suffix], SHAPES[name], fps, vertical=name == "phone")
    return FilmPlan(folder / "film.mp4", made, **options)


class Words:
    """Notes where the words of a picture stand, in pixels, while its commands are made."""

    def __init__(self) -> None:
        self.found: list[Where] = []
        self._back: tuple[pygame.Rect, pygame.Rect] | None = None

    def add(self, kind: str, rect: pygame.Rect) -> None:
        """Note words; those on a close-up's sheet stand where they are shown."""
        if self._back is not None:
            place, arena = self._back
            share = arena.width / place.width
            corner = arena.left + (rect.left - place.left) * share, arena.top + (rect.top - place.top) * share
            rect = pygame.Rect(*corner, rect.width * share, rect.height * share)
        self.found.append((kind, rect))

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Note what is drawn meanwhile."""
        kept: list[tuple[Any, str, Any]] = [
            (owner, name, getattr(owner, name))
            for owner, name in (
                (EffectLabels, "_draw_words"),
                (ArenaRenderer, "_draw_bubbles"),
                (Banners, "draw"),
                (CloseUpRenderer, "draw"),
            )
        ]
        old_label, old_bubbles, old_banner, old_close_up = (each for _, _, each in kept)

        def label(labels: Any, target: DrawList, *given: Any) -> None:
            old_label(labels, target, *given)
            source, where, *_ = target.commands[-1]
            self.add("words", pygame.Rect(where, source.get_size()))

        def bubbles(*given: Any) -> Any:
            rects = old_bubbles(*given)
            for rect in rects:
                self.add("bubble", rect)
            return rects

        def banner(*given: Any) -> Any:
            rect = old_banner(*given)
            if rect is not None:
                self.add("banner", rect)
            return rect

        def close_up(renderer: Any, target: DrawList, scene: Any, shown: Any, *rest: Any) -> None:
            place, arena = renderer._place(shown), renderer._arena
            self._back = None if place.size == arena.size else (place, arena)
            old_close_up(renderer, target, scene, shown, *rest)
            self._back = None

        for (owner, name, _), new in zip(kept, (label, bubbles, banner, close_up), strict=True):
            setattr(owner, name, new)
        try:
            yield
        finally:
            for owner, name, old in kept:
                setattr(owner, name, old)


def pictures(job: RenderJob, every: float) -> Iterator[tuple[list[Where], pygame.Rect, bool]]:
    """Yield where words stand every so many seconds of a film, the arena, and whether the camera is closer."""
    size, board = job.plan.shape.size, job.timeline.segments[0].board
    film = job.plan.shape.film
    renderer, words = Renderer(size, board.rules, film=film), Words()
    cuts = job.edit_list
    overlay = Overlay(renderer.layout, renderer.arena, ribbons=cuts.ribbons, until=cuts.last_ribbon)
    with words.noting():
        for step in range(int(job.edit_list.seconds / every)):
            moment = job.edit_list.at(step * every)
            if moment is None or moment.cut.card:
                continue
            words.found.clear()
            placed, scene = overlay.place(moment), job.scene_at(moment.t)
            renderer._commands(scene, overlay.kept_free(moment, placed))
            found = [*words.found, *(("overlay", each.rect) for each in placed)]
            yield found, renderer.arena, scene.frame is not None


def look(folder: Path, sessions: Sequence[Path], every: float) -> Iterator[tuple[str, str]]:
    """Yield how many words lie over words or outside the arena."""
    seen, kinds, outside = Counter[str](), Counter[str](), 0
    for number, session in enumerate(sessions):
        progress(f"words of session {number + 1} of {len(sessions)}")
        for name in SHAPES:
            for found, arena, closer in pictures(RenderJob(read(session), planned(folder, name)), every):
                seen["all"] += 1
                seen["closer"] += closer
                over = [(a, b) for (a, one), (b, two) in combinations(found, 2) if min(one.clip(two).size) > 1]
                seen["over"] += bool(over)
                kinds.update(" over ".join(sorted(pair)) for pair in over)
                outside += sum(not arena.inflate(2, 2).contains(rect) for _, rect in found)
    share = seen["over"] / max(1, seen["all"])
    yield "pictures looked at", f"{seen['all']}, {seen['closer']} with the camera closer"
    yield "words over words", f"{seen['over']} ({share:.2%}) {dict(kinds) or ''}".rstrip()
    yield "words outside the arena", str(outside)


def read_in_time(folder: Path, sessions: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """Yield how many captions can be read, what they cost, and whether one shows a share."""
    shown = enough = shares = 0
    longest = 0.0
    for session in sessions:
        for highlights in (False, True):
            job = RenderJob(read(session), planned(folder, "wide", highlights=highlights))
            fast = RenderJob(read(session), planned(folder, "wide", fast=True))
            cards = job.edit_list.card + job.edit_list.end_card
            if not highlights:
                longest = max(longest, (job.edit_list.seconds - cards) / fast.edit_list.seconds)
            for line in job.lines(job.frames):
                words = line.text.split(": ", 1)[1]
                shown += 1
                enough += line.end - line.start >= reading_seconds(word_count(words)) - FRAME_S
                shares += bool(re.search(r"\d\.\d", words))
    yield "captions that stay long enough to be read", f"{enough} of {shown}"
    yield "captions with a share", str(shares)
    yield "a whole film's length, times that with `--fast`, at most", f"{longest:.2f}"


def named(folder: Path, sessions: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """Yield in how many films of two equal names a ribbon, a caption or a card has one of them alone."""
    wrong = looked = 0
    for session in sessions:
        tape = read(session)
        left, right = (replace(seat, name="SmolLM2") for seat in tape.games[0].seats)
        tape = replace(tape, games=tuple(replace(game, seats=(left, right)) for game in tape.games))
        for highlights in (False, True):
            job = RenderJob(tape, planned(folder, "wide", highlights=highlights))
            card = end_card(job.timeline, job.timeline.end, job.points)
            said = [cut.text for cut in job.edit_list.cuts]
            said += [card.title, card.why, *(side.name for side in card.sides)]
            said += [line.text for line in job.lines(job.frames)]
            looked += len([text for text in said if "SmolLM2" in text])
            wrong += sum(len(re.findall(r"SmolLM2(?! \((blue|orange)\))", text)) for text in said)
    yield f"names in films of {len(sessions)} pairs of equal names; of one alone", f"{looked}; {wrong}"


def scored(folder: Path, sessions: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """Yield of how many series the end card has the score of the records, and the film every game's ending."""
    right = whole = series = 0
    for session in sessions:
        records = list(replay(read(session)))
        results = [record.result.winner for record in records if isinstance(record, GameEnded)]
        if sum(isinstance(record, GameStarted) for record in records) < 2:
            continue
        series += 1
        job = RenderJob(read(session), planned(folder, "wide", highlights=True))
        card = end_card(job.timeline, max(cut.end for cut in job.edit_list.cuts))
        right += card.score == (results.count(0), results.count(1)) and card.of == "games"
        ends = [segment.start for segment in job.timeline.segments if isinstance(segment.record, GameEnded)]
        whole += all(any(cut.start <= end + 0.3 < cut.end for cut in job.edit_list.cuts) for end in ends)
    yield "series whose end card has the score of their records", f"{right} of {series}"
    yield "series of which the highlights have every game's ending", f"{whole} of {series}"


def main() -> None:
    """Print the table."""
    parser = BenchmarkParser(__doc__, sessions=2, every=2.0, scripted=True)
    parser.add_argument("--sessions", type=int, default=60)
    parser.add_argument("--every", type=float, default=0.1)
    parser.add_argument("--scripted", action="store_true", help="scripts alone, without the embedded model")
    wanted = parser.parse()
    print("| | |\n| --- | ---: |")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sessions = matches(folder, wanted.sessions, scripted=wanted.scripted)
        for what, figure in chain(
            read_in_time(folder, sessions),
            look(folder, sessions, wanted.every),
            named(folder, sessions[:20]),
            scored(folder, sessions),
        ):
            print(f"| {what} | {figure} |", flush=True)


if __name__ == "__main__":
    main()
