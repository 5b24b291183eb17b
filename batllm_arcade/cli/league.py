"""`league`: many pairs of games between many players, and a table that says how sure it is."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from batllm_arcade.cli.arguments import add_plugin_options, positive, seed

if TYPE_CHECKING:
    from batllm_arcade.cli.arguments import Commands
    from batllm_arcade.league.engines.cluster import ClusterAddress
    from batllm_arcade.league.engines.engine import Engine
    from batllm_arcade.league.plan import LeaguePlan
    from batllm_arcade.league.plan_file import RunOptions
    from batllm_arcade.league.setup import LeagueSetup

_PLAN = ("config", "rounds", "turns", "seed", "pairs", "schedule", "sessions", "sprt", "plugins_dir")
"""The options that decide what is played, under their names in the plan."""
_RUN = ("workers", "max_tokens", "max_requests")


def add_to(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("league", help="many pairs of games between many players, and a table")
    add: Any = parser.add_argument
    add("players", nargs="*", metavar="PLAYER|FILE.yaml", help="who plays: BRAIN or NAME=BRAIN; or a league's file")
    for names, how in (
        ("--config", {"metavar": "NAME|FILE", "help": "couch (the default), default, classic, or a YAML file"}),
        ("--seed", {"type": seed, "help": "the k-th pair of every pairing has the seed SEED + k - 1 (1)"}),
        ("--pairs", {"type": positive, "help": "pairs of games for each two players (50)"}),
        ("--rounds", {"type": positive, "help": "rounds a game"}),
        ("--turns", {"type": positive, "help": "turns a round"}),
        ("--schedule", {"choices": ("roundrobin", "gauntlet"), "help": "gauntlet: the first against all others"}),
        ("--sessions", {"choices": ("none", "decisive", "all"), "help": "the games to keep (decisive)"}),
        ("--sprt", {"metavar": "ELO0,ELO1[,ALPHA,BETA]", "help": "two players: end as soon as it is decided"}),
        ("--workers", {"type": positive, "help": "processes that play (one a processor)"}),
        ("--max-tokens", {"type": positive, "help": "pause when so many tokens are spent, each time it is started"}),
        ("--max-requests", {"type": positive, "help": "pause after so many requests to servers"}),
        ("--cluster", {"metavar": "tls://HOST:PORT", "help": "play on a Dask cluster, see docs/league.md"}),
        ("--tls-ca", {"type": Path, "metavar": "FILE", "help": "who signs the cluster's certificates"}),
        ("--tls-cert", {"type": Path, "metavar": "FILE", "help": "your certificate"}),
        ("--tls-key", {"type": Path, "metavar": "FILE", "help": "its key"}),
        ("--out", {"type": Path, "metavar": "DIR", "help": "the league's folder (else one in your data folder)"}),
        ("--resume", {"type": Path, "metavar": "DIR", "help": "go on with this league; nothing else is needed"}),
    ):  # fmt: skip
        # Those that may stand before the command, too, have no default here: it would overwrite what was given there.
        before = names in ("--config", "--seed", "--rounds", "--turns")
        add(names, default=argparse.SUPPRESS if before else None, **how)
    add_plugin_options(parser)
    add("--dry-run", action="store_true", help="what would be played, how long, how many tokens; nothing is played")
    add("--json", action="store_true", help="the table as one JSON object on standard output")
    add("--quiet", action="store_true", help="no progress")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Play the league; return 0 if it is complete, 1 if it paused."""
    from contextlib import redirect_stdout

    from batllm_arcade.cli.run import own_output

    out = own_output() if options.json else sys.stdout
    with redirect_stdout(sys.stderr):  # standard output is for the table alone, whatever a plugin prints
        return _run(options, out)


def _run(options: argparse.Namespace, out: Any) -> int:
    from dataclasses import replace

    from batllm_arcade.cli.match_plan import load_plugins
    from batllm_arcade.league import run as running
    from batllm_arcade.league.setup import check_brains
    from batllm_arcade.league.store import create
    from batllm_arcade.share.write import write_page

    cluster = _cluster_of(options)
    folder, setup, how = _resumed(options) if options.resume is not None else _new(options)
    if how.isolate != setup.isolate:
        setup = replace(setup, isolate=how.isolate)
    options.trust_plugins, options.isolate = how.isolate == "nothing", how.isolate == "all"
    kinds = load_plugins(setup.config, options).kinds
    check_brains(setup, kinds)
    if options.dry_run:
        from batllm_arcade.league.estimate import estimate
        from batllm_arcade.terminal.output import write_lines

        write_lines(estimate(setup, kinds, running.workers_of(how), folder if options.resume else None), out)
        return 0
    if options.resume is None:
        create(folder, setup, how)
    resume = running.resume_command(folder, _more(options))
    output = running.LeagueOutput(resume, options.quiet, out, options.json, write_page)
    connect = None if cluster is None else _connect(cluster)
    return running.run_league(folder, setup, how, kinds, output, connect)


def _more(options: argparse.Namespace) -> str:
    """Return the options that the command to go on needs beside the folder."""
    import shlex

    given = ("cluster", "tls_ca", "tls_cert", "tls_key")
    words = [(f"--{name.replace('_', '-')}", getattr(options, name)) for name in given]
    return "".join(f" {option} {shlex.quote(str(value))}" for option, value in words if value is not None)


def _new(options: argparse.Namespace) -> tuple[Path, LeagueSetup, RunOptions]:
    from batllm_arcade.errors import UsageError
    from batllm_arcade.league.folders import new_folder
    from batllm_arcade.league.setup import load_config, set_up
    from batllm_arcade.league.store import LEAGUE, PAIRS

    plan, how = _plan_of(options)
    setup = set_up(plan, load_config(plan))
    folder = options.out.absolute() if options.out is not None else Path() if options.dry_run else new_folder()
    if (folder / LEAGUE).exists() or (folder / PAIRS).exists():
        raise UsageError(f"{str(folder)!r} holds a league already; go on with --resume, or name another folder")
    return folder, setup, _run_options(options, how)


def _plan_of(options: argparse.Namespace) -> tuple[LeaguePlan, RunOptions]:
    """Return the plan of the arguments: a file's, or that of the players, with the options over it."""
    from dataclasses import replace

    from batllm_arcade.errors import UsageError
    from batllm_arcade.league.plan import LeaguePlan, checked
    from batllm_arcade.league.plan_file import RunOptions, is_plan_file, load_plan, players_of

    files = [text for text in options.players if is_plan_file(text)]
    if files and len(options.players) > 1:
        raise UsageError("name a league's file, or players, not both; a file holds its players")
    plan, how = load_plan(Path(files[0])) if files else (LeaguePlan(players_of(options.players)), RunOptions())
    return checked(replace(plan, **_choices(options))), how


def _choices(options: argparse.Namespace) -> dict[str, Any]:
    from batllm_arcade.league.plan_file import sprt_of
    from batllm_arcade.settings.config import SHIPPED

    given = {key: getattr(options, key) for key in _PLAN if getattr(options, key, None) is not None}
    if "sprt" in given:
        given["sprt"] = sprt_of(given["sprt"])
    if "config" in given and given["config"] not in SHIPPED:
        given["config"] = str(Path(given["config"]).absolute())
    if "plugins_dir" in given:
        given["plugins_dir"] = str(Path(given["plugins_dir"]).absolute())
    return given


def _run_options(options: argparse.Namespace, how: RunOptions) -> RunOptions:
    from dataclasses import replace

    from batllm_arcade.errors import UsageError

    if options.trust_plugins and options.isolate:
        raise UsageError("--trust-plugins and --isolate contradict each other; leave one of them out")
    if options.trust_plugins or options.isolate:
        how = replace(how, isolate="nothing" if options.trust_plugins else "all")
    return replace(how, **{key: getattr(options, key) for key in _RUN if getattr(options, key) is not None})


def _resumed(options: argparse.Namespace) -> tuple[Path, LeagueSetup, RunOptions]:
    from dataclasses import replace

    from batllm_arcade.errors import UsageError
    from batllm_arcade.league.store import differences, open_league

    if options.out is not None:
        raise UsageError("--resume goes on in its own folder; leave --out out")
    folder = options.resume.absolute()
    setup, how = open_league(folder)
    wished = _plan_of(options)[0] if options.players else replace(setup.plan, **_choices(options))
    keys = ["players", *_PLAN] if options.players else list(_choices(options))
    for difference in differences(setup.plan, wished, keys):
        raise UsageError(f"the league in {str(folder)!r} has {difference}; leave that out, or begin another league")
    return folder, setup, _run_options(options, how)


def _cluster_of(options: argparse.Namespace) -> ClusterAddress | None:
    from batllm_arcade.errors import UsageError
    from batllm_arcade.league.engines.cluster import ClusterAddress

    if options.cluster is None:
        if any(path is not None for path in (options.tls_ca, options.tls_cert, options.tls_key)):
            raise UsageError("--tls-ca, --tls-cert and --tls-key belong to --cluster tls://HOST:PORT")
        return None
    address = ClusterAddress(options.cluster, options.tls_ca, options.tls_cert, options.tls_key)
    address.check()
    return address


def _connect(address: ClusterAddress) -> Any:
    def connect(setup: LeagueSetup, workers: int) -> Engine:
        from batllm_arcade.league.engines.cluster import DaskCluster

        return DaskCluster(setup, address, workers)

    return connect
