"""Whose league a folder holds: one that was begun here goes on by itself, of any other a person says who plays."""

from __future__ import annotations

import os
import shlex
from contextlib import suppress
from dataclasses import replace
from pathlib import Path, PurePath

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.files.paths import data_folder
from batllm_arcade.files.reading import read_text
from batllm_arcade.isolation.modes import AUTO, here
from batllm_arcade.league import fingerprint
from batllm_arcade.league.plan import LeaguePlan
from batllm_arcade.league.plan_file import RunOptions
from batllm_arcade.league.setup import LeagueSetup
from batllm_arcade.plugin import manager
from batllm_arcade.plugin.isolation_choice import ISOLATED
from batllm_arcade.settings.config import SHIPPED
from batllm_arcade.settings.foreign import ForeignAddress, Recorded, brain_of_file, named_files

_LARGEST = 16 * 1024 * 1024
"""Bytes of the list that is read: some two hundred thousand leagues."""


def _list() -> Path:
    return data_folder() / "own-leagues.txt"


def _reach(setup: LeagueSetup, run: RunOptions) -> str:
    """Return the hash of all in a league that reaches outside of it: its brains, folders and files, its isolation.

    Of a file that is named from the current folder on its whole path is in it: elsewhere it is another file.
    """
    plan, config = setup.plan, setup.config
    players = [[player.brain, player.fallback, player.orders_file] for player in plan.players]
    folders = [plan.config, plan.plugins_dir, str(config.plugins_dir or "")]
    brains = {text for player in plan.players for text in (player.brain, player.fallback) if text}
    brains.add(str(config.fallback))
    files = {path for text in brains for path in named_files(Spec.parse(text))}
    others = [*folders, *run.reuse, *(player.orders_file for player in plan.players)]
    files |= {os.path.abspath(path) for path in others if path and path not in SHIPPED}
    places = [*folders, list(run.reuse), sorted(files)]
    return fingerprint.of_value([players, str(config.fallback), places, run.isolate, run.isolation])


def is_own(setup: LeagueSetup, run: RunOptions) -> bool:
    """Return whether this person has begun such a league here, or gone on with it."""
    with suppress(OSError, ValueError):
        return _reach(setup, run) in read_text(_list(), _LARGEST).split()
    return False


def remember(setup: LeagueSetup, run: RunOptions) -> None:
    """Keep in the person's data folder what their league may reach; where that cannot be written, it is asked again."""
    if is_own(setup, run):
        return
    with suppress(OSError):
        _list().parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(_list(), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with open(handle, "a", encoding="ascii") as file:
            file.write(f"{_reach(setup, run)}\n")


def taken(
    folder: Path, setup: LeagueSetup, run: RunOptions, said: frozenset[str], allowed: frozenset[str]
) -> tuple[LeagueSetup, RunOptions]:
    """Return a league of somebody else as it may go on here: isolated as is usual, without files and folders elsewhere.

    `said` are the brains, files and folders that a person has written, `allowed` the origins of servers. Raise
    UsageError for anything else that reaches outside, ForeignAddress for a server.
    """
    strange = f"the league in {str(folder)!r} was not begun by you on this computer"
    for place in (setup.plan.plugins_dir, str(setup.config.plugins_dir or "")):
        if place and place not in said:
            add = f"--plugins-dir {shlex.quote(place)}"
            raise UsageError(f"{strange}, and takes plugins from {place!r}; if they may play, add {add}")
    kinds = manager.load(setup.config.plugins_dir, ISOLATED).kinds
    recorded = Recorded(kinds, allowed, "begin a league of your own")
    brains = [(player.name, text) for player in setup.plan.players for text in (player.brain, player.fallback)]
    for name, text in (*brains, ("its fallback", str(setup.config.fallback))):
        if not text or text in said:
            continue
        spec = Spec.parse(text)
        try:
            harmless = brain_of_file(spec, name, recorded) == spec
        except ForeignAddress:
            raise
        except ArcadeError:
            harmless = False
        if not harmless:
            raise UsageError(
                f"{strange}, and {name} is {text!r:.200}, which reaches outside of the match; if that may play, write "
                "the players on the command line, too, as when it was begun: NAME=BRAIN ..., or the league's file"
            )
    return replace(setup, plan=_without_files(setup.plan, said, folder)), replace(
        run, workers=0, isolate="files", isolation=here(AUTO), reuse=()
    )


def _without_files(plan: LeaguePlan, said: frozenset[str], folder: Path) -> LeaguePlan:
    """Return a plan that names no file to compare itself with, for the whole of it is in its folder."""
    players = tuple(each if each.orders_file in said else replace(each, orders_file="") for each in plan.players)
    known = plan.config in SHIPPED or plan.config in said
    return replace(plan, players=players, config=plan.config if known else str(folder / PurePath(plan.config).name))
