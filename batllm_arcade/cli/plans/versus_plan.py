"""The options of `versus` to two games: recorded ones, a league's clearest pair, or two that are played first."""

from __future__ import annotations

import argparse
import re
import sys
from contextlib import redirect_stdout
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.session.recorded import open_recorded
from batllm_arcade.video.film_plan import Compared

if TYPE_CHECKING:
    from batllm_arcade.video.edit.together.tally import SeriesTally

_GAME = re.compile(r"(.+)#([0-9]{1,6})", re.ASCII)


class Source(NamedTuple):
    """A session's file and the number of a game in it."""

    path: Path
    game: int


def sources_of(options: argparse.Namespace) -> list[Source]:
    """Return the files that are named; raise UsageError where it cannot be told what is to be compared."""
    given = [_source(text) for text in options.files]
    played = [name for name in ("orders_a", "orders_b") if getattr(options, name) is not None]
    if options.players is not None and not (len(given) == 1 and given[0].path.is_dir()):
        raise UsageError("--players names two of a league; give the league's folder, too")
    if given and options.games > 1:
        raise UsageError("these games are played already; --games goes with --orders-a and --orders-b")
    if given and played:
        raise UsageError("these games are played already; leave out --orders-a and --orders-b, or the files")
    if len(given) > 2 or (len(given) == 1 and not given[0].path.is_dir()):
        raise UsageError("name two games (FILE or FILE#N), or the folder of a league")
    if not given and len(played) < 2:
        raise UsageError("name two games, a league's folder, or --left, --right, --orders-a and --orders-b")
    return given


def _source(text: str) -> Source:
    """Return the game that `FILE#N` names; a file of just that name comes first."""
    found = _GAME.fullmatch(text)
    if found is None or Path(text).exists():
        return Source(Path(text), 1)
    return Source(Path(found[1]), int(found[2]))


class ComparedGames(NamedTuple):
    """Both games, what the film claims ("" for the usual), and the tally of the series they are of."""

    first: Compared
    second: Compared
    claim: str = ""
    tally: SeriesTally | None = None


def games_of(options: argparse.Namespace, sources: list[Source]) -> ComparedGames:
    """Return both games, which are played if none are named."""
    if not sources:
        return _played(options)
    if len(sources) == 1:
        from batllm_arcade.cli.plans.clearest_pair import clearest_pair

        pair = clearest_pair(sources[0].path, tuple(options.players) if options.players else None)
        sources = [Source(pair.first, 1), Source(pair.second, 1)]
        return ComparedGames(*_opened(sources), f"Why is {pair.better} better than {pair.other}?")
    return ComparedGames(*_opened(sources))


def _opened(sources: list[Source]) -> tuple[Compared, Compared]:
    first, second = (Compared(open_recorded(source.path), source.game) for source in sources)
    return first, second


def _played(options: argparse.Namespace) -> ComparedGames:
    """Play the games under each of the orders from the same starts, and keep their sessions in the data folder."""
    first, second = (open_recorded(file) for file in _sessions(options))
    if options.games == 1:
        return ComparedGames(Compared(first, 1), Compared(second, 1))
    from batllm_arcade.history.replay import replay
    from batllm_arcade.video.edit.selection import games_in
    from batllm_arcade.video.edit.together.standing import standing
    from batllm_arcade.video.edit.together.tally import SeriesTally

    both = (map(partial(standing, seat=0), games_in(replay(tape))) for tape in (first, second))
    tally = SeriesTally(tuple(zip(*both, strict=True)))
    return ComparedGames(Compared(first, tally.shown + 1), Compared(second, tally.shown + 1), tally=tally)


def _sessions(options: argparse.Namespace) -> list[Path]:
    """Play, and return the session of each of the orders; raise ArcadeError if not all of its games ended."""
    from batllm_arcade.cli.plans.match_plan import config_of, isolation_of, load_plugins, plan_of
    from batllm_arcade.session import headless
    from batllm_arcade.session.live_session import new_history_file, new_seed
    from batllm_arcade.settings.config import prompt_text

    options.seed = new_seed() if options.seed is None else options.seed
    options.history, options.history_name = None, ""
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
