"""The options of `versus` to two games: recorded ones, or two that are played first."""

from __future__ import annotations

import argparse
import re
import sys
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.session.recorded import open_recorded
from batllm_arcade.video.film_plan import Compared

_GAME = re.compile(r"(.+)#([0-9]{1,6})", re.ASCII)


class Source(NamedTuple):
    """A session's file and the number of a game in it."""

    path: Path
    game: int


def sources_of(options: argparse.Namespace) -> list[Source]:
    """Return the files that are named; raise UsageError where it cannot be told what is to be compared."""
    given = [_source(text) for text in options.files]
    played = [name for name in ("orders_a", "orders_b") if getattr(options, name) is not None]
    if given and played:
        raise UsageError("these games are played already; leave out --orders-a and --orders-b, or the files")
    if len(given) not in (0, 2):
        raise UsageError("name two games (FILE or FILE#N)")
    if not given and len(played) < 2:
        raise UsageError("name two games, or --left, --right, --orders-a and --orders-b")
    return given


def _source(text: str) -> Source:
    """Return the game that `FILE#N` names; a file of just that name comes first."""
    found = _GAME.fullmatch(text)
    if found is None or Path(text).exists():
        return Source(Path(text), 1)
    return Source(Path(found[1]), int(found[2]))


def games_of(options: argparse.Namespace, sources: list[Source]) -> tuple[Compared, Compared]:
    """Return both games; if none are named they are played, and their sessions kept in the data folder."""
    named = sources or [Source(file, 1) for file in _sessions(options)]
    first, second = (Compared(open_recorded(source.path), source.game) for source in named)
    return first, second


def _sessions(options: argparse.Namespace) -> list[Path]:
    from batllm_arcade.cli.match_plan import config_of, isolation_of, load_plugins, plan_of
    from batllm_arcade.session import headless
    from batllm_arcade.session.live_session import new_history_file, new_seed
    from batllm_arcade.settings.config import prompt_text

    options.seed = new_seed() if options.seed is None else options.seed
    options.history, options.history_name, options.games = None, "", 1
    told = [prompt_text(text) for text in (options.orders_a, options.orders_b)]
    files: list[Path] = []
    with redirect_stdout(sys.stderr):
        config = config_of(options, "default")
        plugins = load_plugins(config, isolation_of(options))
        for orders in told:
            plan = plan_of(options, replace(config, prompts=(orders, config.prompts[1])), (None, None))
            file = new_history_file()
            code = headless.run(replace(plan, history=file, force=False), plugins, out=None)
            if code >= 128 or not file.exists():
                raise ArcadeError("the games were not played to their end; there is no film")
            files.append(file)
    return files
