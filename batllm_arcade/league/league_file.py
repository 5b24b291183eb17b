"""The file of a league."""

from __future__ import annotations

import json
import os
import platform
import shlex
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext, suppress
from dataclasses import asdict, replace
from datetime import datetime, timezone
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.files.atomic import write_text
from batllm_arcade.files.bot_folder import check_unreadable
from batllm_arcade.files.paths import data_folder
from batllm_arcade.files.reading import read_text, read_within
from batllm_arcade.history.reader import parsed_json
from batllm_arcade.history.schema import HistoryError, Node
from batllm_arcade.isolation.sandbox import AUTO, here
from batllm_arcade.league import identity as fingerprint
from batllm_arcade.league.identity import identity_from, identity_of
from batllm_arcade.league.kept_files import LEAGUE, PAIRS, TABLE, WORKERS_LOG, check_files
from batllm_arcade.league.plan import LeaguePlan, plan_from
from batllm_arcade.league.plan_file import RunOptions, run_from
from batllm_arcade.league.setup import LeagueSetup, config_from, config_now, config_values
from batllm_arcade.league.store import LeagueStore
from batllm_arcade.plugin import manager
from batllm_arcade.plugin.isolated import ISOLATED
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


def fenced(
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


SCHEMA = "batllm_arcade.league.v1"
LARGEST_FILE = 16 * 1024 * 1024
"""Bytes of the largest `league.json` that is read."""


def create(folder: Path, setup: LeagueSetup, run: RunOptions) -> None:
    """Make the folder of a new league; raise UsageError if there is one, or it cannot be there or be written."""
    if (folder / LEAGUE).exists() or (folder / PAIRS).exists():
        name = shlex.quote(str(folder))
        raise UsageError(f"{str(folder)!r} holds a league already; go on with --resume {name}, or name another folder")
    check_unreadable(folder / LEAGUE)
    values = {
        "schema": SCHEMA,
        "program": setup.agreed.program,
        "python": platform.python_version(),
        "created": datetime.now(timezone.utc).isoformat(timespec="seconds").replace("+00:00", "Z"),
        **_agreed(setup, run),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"the folder {str(folder)!r} cannot be written: {error.strerror}") from None
    _write(folder, values)
    remember(setup, run)


def discard(folder: Path) -> None:
    """Remove what a league that could not begin has written, and its folder if it holds nothing else."""
    with suppress(OSError):
        for name in (PAIRS, WORKERS_LOG, TABLE, LEAGUE):
            (folder / name).unlink(missing_ok=True)
        folder.rmdir()


def keep(folder: Path, setup: LeagueSetup, run: RunOptions) -> None:
    """Write what a league has become: it has grown, or goes on with what has changed.

    Raise UsageError if another program plays it now, or its lines are not those of this plan.
    """
    store = LeagueStore(folder, setup.plan, setup.config.rules)  # which is locked meanwhile
    try:
        _write(folder, {**read_league(folder), "program": setup.agreed.program, **_agreed(setup, run)})
    finally:
        store.close()
    remember(setup, run)


def _write(folder: Path, values: Mapping[str, Any]) -> None:
    try:
        write_text(folder / LEAGUE, [json.dumps(values, indent=1), "\n"])
    except OSError as error:
        raise UsageError(f"the folder {str(folder)!r} cannot be written: {error.strerror}") from None


def _agreed(setup: LeagueSetup, run: RunOptions) -> dict[str, Any]:
    plan, config, agreed = setup.plan, config_values(setup.config), setup.agreed.values()
    del agreed["program"]
    return {
        "plan": plan.values(),
        "config": config,
        "run": asdict(run),
        "hashes": {
            "plan": _hashed(plan.values()),
            "config": _hashed(config),
            "orders": fingerprint.of_orders(plan),
            **agreed,
        },
        "notes": list(setup.notes),
    }


def _hashed(values: Mapping[str, Any]) -> dict[str, str]:
    return {key: fingerprint.of_value(value) for key, value in values.items()}


class OpenedLeague(NamedTuple):
    """A league that goes on; one that is not the person's `own` becomes theirs with `keep`."""

    setup: LeagueSetup
    run: RunOptions
    own: bool


def open_league(
    folder: Path, *, force: bool = False, said: frozenset[str] = frozenset(), allowed: frozenset[str] = frozenset()
) -> OpenedLeague:
    """Return a league that was begun; of one that was not begun here nothing that reaches outside, unless it is said.

    Raise UsageError for that, and one that names what has changed since: the plan, the configuration, orders, the
    program, a plugin, a bot's file. With `force` the last three do not matter: they are agreed on from now on, and the
    setup's notes say so. `said` and `allowed` are as in `fenced`.
    """
    setup, run, values = opened(folder)
    own, plan = is_own(setup, run), setup.plan
    if not own:
        setup, run = fenced(folder, setup, run, said, allowed)
    for problem in _changed(values, plan, own):
        raise UsageError(f"{problem}; change it back, or begin another league with --out")
    return OpenedLeague(_identified(folder, setup, force), run, own)


def opened(folder: Path) -> tuple[LeagueSetup, RunOptions, Mapping[str, Any]]:
    """Return the setup that a league was begun with, and all of its file; raise UsageError if that is damaged."""
    values = read_league(folder)
    node = Node(values, "it")
    try:
        plan, config = plan_from(node["plan"].value), config_from(node["config"].value)
        hashes, run = dict(node["hashes"].members()), run_from(node["run"].value)
        for key in ("plan", "config", "orders"):
            node["hashes"][key].texts()
        hashed = {key: each.value for key, each in hashes.items()}
        agreed = identity_from({"core": "", "folders": {}, **hashed, "program": node["program"].value})
        notes = tuple(note.text() for note in node.get("notes", []).items("note"))
    except ArcadeError as error:
        raise damaged(folder, str(error)) from None
    return LeagueSetup(plan, config, agreed, run.choice, notes=notes), run, values


def damaged(folder: Path, why: str) -> UsageError:
    """Return the error of a league whose file is none."""
    return UsageError(f"{LEAGUE} in {str(folder)!r} is damaged ({why}); take it from a backup")


def _identified(folder: Path, setup: LeagueSetup, force: bool) -> LeagueSetup:
    here = identity_of(setup.plan, setup.config.plugins_dir)
    changes = [difference.since() for difference in setup.agreed.differences(here)]
    if changes and not force:
        raise UsageError(f"{changes[0]}; change it back, go on all the same with --force, or begin another league")
    if not changes:
        return setup
    with (folder / PAIRS).open("rb") if (folder / PAIRS).exists() else nullcontext(()) as lines:
        first = 1 + sum(line.endswith(b"\n") for line in lines)
    notes = [f"from pair {first:,} on: {sentence}" for sentence in changes]
    return replace(setup, agreed=here, notes=(*setup.notes, *notes))


def _changed(values: Mapping[str, Any], plan: LeaguePlan, own: bool) -> Iterator[str]:
    """Yield a sentence for everything in the league's own plan that is no longer as it was when the league began.

    The files that it names are looked at only where it is the person's `own`.
    """
    since, known = "since the league began", values["hashes"]
    orders_now = _orders_now(plan) if own else {}
    for name in fingerprint.changes(known["orders"], {**fingerprint.of_orders(plan), **orders_now}):
        yield f"the orders of {name} have changed {since}"
    for key in fingerprint.changes(known["plan"], _hashed(values["plan"]), new_ones=False):
        yield f"{key} of the plan has changed {since}"
    for key in fingerprint.changes(known["config"], _hashed(values["config"])):
        yield f"{key} of the configuration has changed {since}"
    now = config_now(plan) if own else None
    if now is not None:
        for key in fingerprint.changes(known["config"], _hashed(config_values(now))):
            yield f"{key} of the configuration {Path(plan.config).name!r} has changed {since}"


def _orders_now(plan: LeaguePlan) -> dict[str, str]:
    from batllm_arcade.settings.config import prompt_text

    hashes = {}
    for player in plan.players:
        if player.orders_file and Path(player.orders_file).is_file():
            with suppress(UsageError):
                hashes[player.name] = fingerprint.of_value(prompt_text(f"@{player.orders_file}"))
    return hashes


def read_league(folder: Path) -> dict[str, Any]:
    """Return what is in a league's `league.json`; raise UsageError if it holds no league, or links or devices."""
    check_files(folder)
    try:
        values = parsed_json(read_within(folder, LEAGUE, LARGEST_FILE))
        if isinstance(values, dict) and values.get("schema") == SCHEMA:
            return values
    except OSError as error:
        raise UsageError(f"there is no league in {str(folder)!r} ({error.strerror})") from None
    except (ValueError, RecursionError, HistoryError):
        pass
    raise UsageError(f"{str(folder / LEAGUE)!r} holds no league")


def differences(before: LeaguePlan, now: LeaguePlan, keys: Iterable[str]) -> list[str]:
    """Return what differs between two plans in these keys, one text each: `seed 1, not 2`."""
    one, other = before.values(), now.values()
    return [_difference(key, one[key], other[key]) for key in keys if one[key] != other[key]]


def _difference(key: str, one: Any, other: Any) -> str:
    if key != "players":
        return f"{key} {one}, not {other}"
    names = [player["name"] for player in one]
    changed = [player["name"] for player in other if player not in one] or [
        name for name in names if name not in [player["name"] for player in other]
    ]
    return f"other players ({', '.join(changed or names)})"
