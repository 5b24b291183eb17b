"""A league from the options of its command: its plan, its folder, its players; imported when one is started."""

from __future__ import annotations

import argparse
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from batllm_arcade.cli.match_plan import isolation_of, load_plugins
from batllm_arcade.errors import UsageError
from batllm_arcade.isolation.sandbox import AUTO, here
from batllm_arcade.league import run as running
from batllm_arcade.league.engines.cluster import ClusterAddress, DaskCluster, address_in
from batllm_arcade.league.estimate import estimate, fitting_pairs
from batllm_arcade.league.identity import identity_of
from batllm_arcade.league.league_file import create, differences, keep, open_league
from batllm_arcade.league.output.files import Exports
from batllm_arcade.league.plan import LeaguePlan, checked, elo, grown, league_name
from batllm_arcade.league.plan_file import (
    RunOptions,
    added_players,
    anchor_of,
    is_plan_file,
    load_plan,
    new_folder,
    players_of,
    sprt_of,
    with_model,
)
from batllm_arcade.league.readings import readings
from batllm_arcade.league.reuse import reused_by
from batllm_arcade.league.setup import LeagueSetup, load_config, set_up
from batllm_arcade.settings.config import SHIPPED, load
from batllm_arcade.settings.foreign import own_origins
from batllm_arcade.share.write import QuickPages
from batllm_arcade.terminal.output import complain, write_lines
from batllm_arcade.video.films import poster_writer

_PLAN = (
    "config", "rounds", "turns", "seed", "pairs", "schedule", "sessions", "sprt", "plugins_dir", "on_failure", "shared",
    "think", "temperature", "notes", "accuracy",
)  # fmt: skip
"""The options that decide what is played, under their names in the plan."""
_RUN = ("anchor", "workers", "max_tokens", "max_requests", "max_cost", "minutes", "name", "fail_below")


def start(options: argparse.Namespace, out: TextIO) -> int:
    """Play the league of these options, its table to `out`; return 0 if it is complete, 1 if it paused."""
    cluster = _cluster_of(options)
    for name in ("force", "add", "allow-address"):
        if options.resume is None and getattr(options, name.replace("-", "_")):
            raise UsageError(f"--{name} is for a league that was begun; name its folder with --resume DIR")
    if options.replace:
        raise UsageError(
            "a league's table calls the bundled brains by their names, so that none can be replaced in it; leave "
            "--replace out, and give your bot a name of its own"
        )
    exports = Exports(options.csv, options.pgn, options.export)
    exports.check()
    begun = _resumed(options) if options.resume is not None else _new(options)
    folder, how, setup = begun.folder, begun.run, begun.setup
    isolation = isolation_of(options)
    choice = replace(
        how.choice, trusted=isolation.trusted, remember=isolation.remember, strict=isolation.strict,
        without=isolation.without,
    )  # fmt: skip
    plugins = load_plugins(setup.config, choice)
    setup = replace(setup, isolation=replace(how.choice.trusting(plugins.trusted), without=choice.without))
    for note in running.check_players(setup, how, plugins):
        complain(note)
    asked = options.resume is not None or options.pairs is not None or setup.plan.pairs != LeaguePlan(()).pairs
    if how.minutes and not asked:
        plan = replace(setup.plan, pairs=fitting_pairs(setup, plugins.kinds, running.workers_of(how), 60 * how.minutes))
        setup = replace(setup, plan=plan)
    reused = reused_by(setup, how, plugins, strict=bool(options.reuse))
    if options.reuse:
        setup = replace(setup, notes=(*setup.notes, *reused.notes()))
    setup = replace(setup, inspected=plugins.inspected if cluster is None else None)
    fresh = [player for player in setup.plan.players if player.name not in how.readings]
    if options.resume is None or (begun.changed and options.add):
        read, alike = readings(fresh, plugins.kinds)
        how = replace(how, readings={**how.readings, **read})
        setup = replace(setup, notes=(*setup.notes, *alike))
    if options.dry_run:
        played = folder if options.resume else None
        lines = estimate(setup, plugins.kinds, running.workers_of(how), played, how.prices)
        lines += [f"{name} is read as: {text}" for name, text in how.readings.items()]
        write_lines([*lines, *dict.fromkeys([*setup.notes, *reused.notes()])], out)
        return 0
    if options.resume is None:
        create(folder, setup, how)
    elif begun.changed:
        keep(folder, setup, how)
    resume = running.resume_command(folder, _more(options))
    new = options.resume is None
    output = running.LeagueOutput(
        resume, options.quiet, out, options.json, QuickPages().write, new, reused.get, poster_writer(folder), exports
    )
    connect = None if cluster is None else lambda setup, workers: DaskCluster(setup, cluster, workers)
    return running.run_league(folder, setup, how, plugins.kinds, output, connect)


def _more(options: argparse.Namespace) -> str:
    given = ("cluster", "scheduler_file", "tls_ca", "tls_cert", "tls_key")
    words = [(f"--{name.replace('_', '-')}", getattr(options, name)) for name in given]
    words += [("--without", name) for name in options.without]
    return "".join(f" {option} {shlex.quote(str(value))}" for option, value in words if value is not None)


class _Begun(NamedTuple):
    """A league that is to be played in its folder; `changed` if its file no longer says what is played."""

    folder: Path
    setup: LeagueSetup
    run: RunOptions
    changed: bool = False


def _new(options: argparse.Namespace) -> _Begun:
    plan, how = _plan_of(options)
    setup = set_up(plan, load_config(plan))
    folder = options.out.absolute() if options.out is not None else Path() if options.dry_run else new_folder()
    return _Begun(folder, setup, _run_options(options, how))


def _plan_of(options: argparse.Namespace) -> tuple[LeaguePlan, RunOptions]:
    files = [text for text in options.players if is_plan_file(text)]
    if files and len(options.players) > 1:
        raise UsageError("name a league's file, or players, not both; a file holds its players")
    plan, how = load_plan(Path(files[0])) if files else (LeaguePlan(players_of(options.players)), RunOptions())
    return checked(_chosen(plan, options)), how


def _chosen(plan: LeaguePlan, options: argparse.Namespace) -> LeaguePlan:
    plan = replace(plan, **_choices(options))
    return replace(plan, sprt=with_model(plan.sprt, options.sprt_model)) if options.sprt_model else plan


def _choices(options: argparse.Namespace) -> dict[str, Any]:
    given = {key: getattr(options, key) for key in _PLAN if getattr(options, key, None) is not None}
    if "sprt" in given:
        given["sprt"] = sprt_of(given["sprt"])
    if "config" in given and given["config"] not in SHIPPED:
        given["config"] = str(Path(given["config"]).absolute())
    if "plugins_dir" in given:
        given["plugins_dir"] = str(Path(given["plugins_dir"]).absolute())
    return given


def _run_options(options: argparse.Namespace, how: RunOptions) -> RunOptions:
    choice = isolation_of(options)
    how = how if choice.whose == "files" else replace(how, isolate=choice.whose)
    if options.isolation is not None or how.isolation == AUTO:
        how = replace(how, isolation=here(choice.how))  # from now on it is the same for all who play
    if options.reuse:
        how = replace(how, reuse=(*how.reuse, *(str(folder.absolute()) for folder in options.reuse)))
    given = {key: getattr(options, key) for key in _RUN if getattr(options, key) is not None}
    if "name" in given:
        given["name"] = league_name(given["name"])
    if "anchor" in given:
        given["anchor"] = anchor_of(given["anchor"])
    if "fail_below" in given:
        given["fail_below"] = elo("--fail-below", given["fail_below"])
    return replace(how, **given)


def _resumed(options: argparse.Namespace) -> _Begun:
    if options.out is not None:
        raise UsageError("--resume goes on in its own folder; leave --out out")
    folder = options.resume.absolute()
    allowed = own_origins(options.allow_address or ())
    setup, how, own = open_league(folder, force=options.force, said=_named_by_options(options), allowed=allowed)
    _refuse_another(options, folder, setup)
    added, prices = added_players(options.add or (), setup.plan)
    plan = grown(setup.plan, options.pairs or running.more_pairs(folder, setup.plan), added)
    run = replace(_run_options(options, how), prices={**how.prices, **prices})
    differs = (run.reuse, run.name, run.prices, run.anchor) != (how.reuse, how.name, how.prices, how.anchor)
    changed = options.force or plan != setup.plan or differs or not own
    if plan != setup.plan:
        setup = replace(setup, plan=plan, agreed=identity_of(plan, setup.config.plugins_dir))
    return _Begun(folder, setup, run, changed)


def _named_by_options(options: argparse.Namespace) -> frozenset[str]:
    """Return the brains, files and folders that the options name themselves, as a league's folder has them."""
    chosen = _choices(options)
    name, texts = chosen.get("config", ""), [chosen.get("plugins_dir", "")]
    if options.players:
        plan = _plan_of(options)[0]
        texts += [text for each in plan.players for text in (each.brain, each.fallback, each.orders_file)]
        name, texts = plan.config, [*texts, plan.plugins_dir]
    if name:
        config = load(name)
        texts += [name, str(config.fallback), str(config.plugins_dir or "")]
    return frozenset(texts)


def _refuse_another(options: argparse.Namespace, folder: Path, setup: LeagueSetup) -> None:
    """Raise UsageError if the options ask for another league than that in the folder; --pairs and --add let it grow."""
    plan = setup.plan
    wished = _plan_of(options)[0] if options.players else _chosen(plan, options)
    if not plan.plugins_dir and wished.plugins_dir == str(setup.config.plugins_dir or ""):
        wished = replace(wished, plugins_dir="")  # which its configuration names
    given = [*_choices(options), *(("sprt",) if options.sprt_model else ())]
    keys = ["players", *_PLAN] if options.players else given
    for difference in differences(plan, wished, [key for key in keys if key != "pairs"]):
        raise UsageError(f"the league in {str(folder)!r} has {difference}; leave that out, or begin another league")


def _cluster_of(options: argparse.Namespace) -> ClusterAddress | None:
    if options.scheduler_file is not None and options.cluster is not None:
        raise UsageError("--scheduler-file has the cluster's address; leave --cluster out")
    where = options.cluster if options.scheduler_file is None else address_in(options.scheduler_file)
    if where is None:
        if any(path is not None for path in (options.tls_ca, options.tls_cert, options.tls_key)):
            raise UsageError("--tls-ca, --tls-cert and --tls-key belong to --cluster tls://HOST:PORT")
        return None
    address = ClusterAddress(where, options.tls_ca, options.tls_cert, options.tls_key)
    address.check()
    return address
