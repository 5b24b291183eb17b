"""The commands that make films: video and versus."""

from __future__ import annotations

import argparse
import re
import sys
from contextlib import redirect_stdout
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from batllm_arcade.cli.arguments import add_plugin_options, seed
from batllm_arcade.configs import SHIPPED
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.terminal.output import complain
from batllm_arcade.video.arguments import VERSUS, add_arguments, add_film

if TYPE_CHECKING:
    from batllm_arcade.cli.arguments import Commands
    from batllm_arcade.video.film_plan import Compared


def add_video(commands: Commands) -> None:
    """Add the command to the command line, and `reel`, as its highlights were called, which --help does not name."""
    for parser, highlights in (
        (commands.add_parser("video", help="make a film of a recorded session, or of the best of many"), False),
        (commands.add_parser("reel"), True),
    ):
        add_arguments(parser)
        parser.set_defaults(run=_run_reel if highlights else run_video)


def run_video(options: argparse.Namespace) -> int:
    """Make the film; return 0, or 1 if it was stopped."""
    from batllm_arcade.video import films

    return films.film(options)


def _run_reel(options: argparse.Namespace) -> int:
    complain("reel is now called video FILE... --highlights; its old name will go")
    options.highlights = True
    return run_video(options)


def add_versus(commands: Commands) -> None:
    parser = commands.add_parser("versus", help="make a film of two games, or of two orders, side by side")
    which = "two sessions: of each game 1, or game N"
    parser.add_argument("files", nargs="*", metavar="FILE[#N]", help=which)
    add_film(parser)
    _add_versus_match(parser)
    add_plugin_options(parser, few=True)
    parser.set_defaults(run=run_versus, **VERSUS)


def _add_versus_match(parser: argparse.ArgumentParser) -> None:
    def add(*names: str, **how: object) -> None:
        parser.add_argument(*names, default=argparse.SUPPRESS, **how)  # type: ignore[arg-type]

    for letter in ("a", "b"):
        what = f"play first: what the left player is told in game {letter.upper()}"
        parser.add_argument(f"--orders-{letter}", metavar="TEXT|@FILE", help=what)
    add("--left", metavar="BRAIN", help="who is told that: NAME or NAME:VARIANT,key=value,...")
    add("--right", metavar="BRAIN", help="whom it plays against, in both games")
    add("--right-prompt", metavar="TEXT|@FILE", help="what the right player is told, in both games")
    add("--seed", type=seed, help="of both games")
    add("--config", metavar="NAME|FILE", help=f"{', '.join(SHIPPED)}, or a YAML file")


def run_versus(options: argparse.Namespace) -> int:
    """Play the games if they are to be played, and make the film; return 0, or what cut it short."""
    from batllm_arcade.video import film_plan, films

    sources = _sources(options)
    plan = film_plan.plan_of(options, films.TerminalReport(sys.stderr).notice)
    film_plan.check(plan, [path for path, _ in sources])
    first, second = _games(options, sources)
    import batllm_arcade.render  # noqa: F401 - first, for it imports pygame
    from batllm_arcade.video.versus_job import VersusJob

    return films.make_film(partial(VersusJob, first, second), plan)


_GAME = re.compile(r"(.+)#([0-9]{1,6})", re.ASCII)


class _GameSource(NamedTuple):
    """A session's file and the number of a game in it."""

    path: Path
    game: int


def _sources(options: argparse.Namespace) -> list[_GameSource]:
    """Return the files that are named; raise UsageError where it cannot be told what is to be compared."""
    given = [_game_source(text) for text in options.files]
    played = [name for name in ("orders_a", "orders_b") if getattr(options, name) is not None]
    if given and played:
        raise UsageError("these games are played already; leave out --orders-a and --orders-b, or the files")
    if len(given) not in (0, 2):
        raise UsageError("name two games (FILE or FILE#N)")
    if not given and len(played) < 2:
        raise UsageError("name two games, or --left, --right, --orders-a and --orders-b")
    return given


def _game_source(text: str) -> _GameSource:
    """Return the game that `FILE#N` names; a file of just that name comes first."""
    numbered = _GAME.fullmatch(text)
    if numbered is None or Path(text).exists():
        return _GameSource(Path(text), 1)
    return _GameSource(Path(numbered[1]), int(numbered[2]))


def _games(options: argparse.Namespace, sources: list[_GameSource]) -> tuple[Compared, Compared]:
    """Return both games; if none are named they are played, and their sessions kept in the data folder."""
    from batllm_arcade.session.recorded import open_recorded
    from batllm_arcade.video.film_plan import Compared

    named = sources or [_GameSource(file, 1) for file in _played_sessions(options)]
    first, second = (Compared(open_recorded(source.path), source.game) for source in named)
    return first, second


def _played_sessions(options: argparse.Namespace) -> list[Path]:
    from batllm_arcade.cli.match_plan import config_and_plugins, plan_of
    from batllm_arcade.session import headless
    from batllm_arcade.session.live_session import new_history_file, new_seed
    from batllm_arcade.settings.config import prompt_text

    options.seed = new_seed() if options.seed is None else options.seed
    options.history, options.history_name, options.games = None, "", 1
    both_orders = [prompt_text(text) for text in (options.orders_a, options.orders_b)]
    files: list[Path] = []
    with redirect_stdout(sys.stderr):
        config, plugins = config_and_plugins(options, "default")
        for orders in both_orders:
            plan = plan_of(options, replace(config, prompts=(orders, config.prompts[1])), (None, None))
            file = new_history_file()
            code = headless.run(replace(plan, history=file, force=False), plugins, out=None)
            if code >= 128 or not file.exists():
                raise ArcadeError("the games were not played to their end; there is no film")
            files.append(file)
    return files
