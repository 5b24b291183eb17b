"""Makes a film that has at most so many bytes: if it has more, it is made again with less, and that is said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from batllm_arcade.errors import ArcadeError
from batllm_arcade.video.encode.av_helpers import TooLarge
from batllm_arcade.video.encode.concessions import Concession, ladder, next_concession
from batllm_arcade.video.film_plan import FilmPlan
from batllm_arcade.video.progress import MessageCallback
from batllm_arcade.video.render_job import FilmResult


def within(plan: FilmPlan, make: Callable[[FilmPlan], FilmResult], notice: MessageCallback) -> FilmResult:
    """Make a film in at most `plan.most` bytes by `make`, which raises TooLarge; `notice` gets what it gave up.

    Raise ArcadeError if no film that shows all of it is so small.
    """
    asked = plan.shape
    rung: Concession | None = next(ladder(asked))
    while rung is not None:
        try:
            result = make(replace(plan, shape=rung.shape, pace=rung.pace))
        except TooLarge as found:
            rung = next_concession(asked, rung, found.size, plan.most, found.seen)
            continue
        if given_up := rung.words(asked):
            notice(f"to fit into {size_text(plan.most)} the film has {given_up} (--max-size for another size)")
        return result
    raise ArcadeError(
        f"{plan.out.name!r} does not fit into {size_text(plan.most)}, however small its pictures are; "
        "film a part of it (--highlights, --from, --to) or allow more (--max-size)"
    )


def size_text(size: float) -> str:
    """Return a number of bytes in words: `10 MB`, `800 kB`."""
    return f"{size / 1e6:g} MB" if size >= 1e6 else f"{size / 1e3:g} kB"
