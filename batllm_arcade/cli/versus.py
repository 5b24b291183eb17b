"""`versus`: a film of two games side by side, on one clock of turns."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from batllm_arcade.cli.arguments import add_plugin_options, seed
from batllm_arcade.video.arguments import VERSUS, add_film

if TYPE_CHECKING:
    from batllm_arcade.cli.arguments import Commands


def add_to(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("versus", help="make a film of two games, or of two orders, side by side")
    which = "two sessions: of each game 1, or game N"
    parser.add_argument("files", nargs="*", metavar="FILE[#N]", help=which)
    add_film(parser)
    _add_match(parser)
    add_plugin_options(parser, few=True)
    parser.set_defaults(run=run, **VERSUS)


def _add_match(parser: argparse.ArgumentParser) -> None:
    def add(*names: str, **how: object) -> None:
        parser.add_argument(*names, default=argparse.SUPPRESS, **how)  # type: ignore[arg-type]

    for letter in ("a", "b"):
        what = f"play first: what the left player is told in game {letter.upper()}"
        parser.add_argument(f"--orders-{letter}", metavar="TEXT|@FILE", help=what)
    add("--left", metavar="BRAIN", help="who is told that: NAME or NAME:VARIANT,key=value,...")
    add("--right", metavar="BRAIN", help="whom it plays against, in both games")
    add("--right-prompt", metavar="TEXT|@FILE", help="what the right player is told, in both games")
    add("--seed", type=seed, help="of both games")
    add("--config", metavar="NAME|FILE", help="default, couch, arena, classic, or a YAML file")


def run(options: argparse.Namespace) -> int:
    """Play the games if they are to be played, and make the film; return 0, or what cut it short."""
    from functools import partial

    from batllm_arcade.cli.versus_plan import games_of, sources_of
    from batllm_arcade.video import options as video_options

    sources = sources_of(options)
    plan = video_options.plan_of(options, [path for path, _ in sources])
    first, second = games_of(options, sources)
    import batllm_arcade.render  # noqa: F401 - first, for it imports pygame
    from batllm_arcade.video.versus_job import VersusJob

    return video_options.make_film(partial(VersusJob, first, second), plan)
