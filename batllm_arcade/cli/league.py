"""`league`: many pairs of games between many players, and a table that says how sure it is."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

from batllm_arcade.cli.arguments import add_allowed_addresses, add_plugin_options, amount, positive, seed
from batllm_arcade.cli.matches import own_output
from batllm_arcade.configs import SHIPPED
from batllm_arcade.errors import UsageError
from batllm_arcade.terminal.output import write_line, write_lines

if TYPE_CHECKING:
    from batllm_arcade.cli.arguments import Commands

SITE = "site"
"""In place of players: make a site of leagues."""
BOARD = "board"
"""In place of players: join leagues into one table."""
_OF_SITE = ("players", "site", "name", "quiet", "games", "run")
"""The options that a site takes, and those that every command has."""
_OF_BOARD = (*_OF_SITE, "json", "csv", "export", "anchor")


def add_league(commands: Commands) -> None:
    parser = commands.add_parser("league", help="many pairs of games between many players, and a table")
    add: Any = parser.add_argument
    add(
        "players",
        nargs="*",
        metavar="PLAYER|FILE.yaml",
        help="who plays: BRAIN or NAME=BRAIN; or a league's "
        "file; `site DIR...`: make a site of the leagues in these folders; `board DIR...`: one table of them",
    )
    for names, how in (
        ("--config", {"metavar": "NAME|FILE", "help": f"{', '.join(SHIPPED)}, or a YAML file (couch)"}),
        ("--seed", {"type": seed, "help": "the k-th pair of every pairing has the seed SEED + k - 1 (1)"}),
        ("--pairs", {"type": positive, "help": "pairs of games for each two players (50)"}),
        ("--rounds", {"type": positive, "help": "rounds a game"}),
        ("--turns", {"type": positive, "help": "turns a round"}),
        ("--schedule", {"choices": ("roundrobin", "gauntlet"), "help": "gauntlet: the first against all others"}),
        ("--sessions", {"choices": ("none", "decisive", "all"), "help": "the games to keep (decisive)"}),
        ("--on-failure", {"choices": ("forfeit", "fallback"), "help": "what three failures in a row cost: the game "
                          "(forfeit) or the seat (fallback)"}),
        ("--shared", {"action": "store_const", "const": True, "help": "models are sent their rival's orders, too"}),
        ("--think", {"choices": ("off", "low", "high", "auto"), "help": "how much every model thinks that does not say "
                     "so itself (off); auto: each as it does by itself"}),
        ("--temperature", {"metavar": "NUMBER|none|auto", "help": "that of every model without its own (0.8)"}),
        ("--notes", {"choices": ("off", "league"), "help": "league: models carry their notes (their option notes) from "
                     "game to game of a pairing (off)"}),
        ("--accuracy", {"nargs": "?", "const": 8, "type": positive, "metavar": "PLAYS", "help": "judge so many plays "
                        "(8) of each player in a game by the chance that they lost"}),
        ("--sprt", {"metavar": "ELO0,ELO1[,ALPHA,BETA]", "help": "two players: end as soon as it is decided"}),
        ("--sprt-model", {"choices": ("logistic", "normalized"), "help": "what the Elo of --sprt are (logistic)"}),
        ("--workers", {"type": positive, "help": "processes that play (one a processor)"}),
        ("--max-tokens", {"type": positive, "help": "pause when so many tokens are spent, each time it is started"}),
        ("--max-cost", {"type": amount, "metavar": "MONEY", "help": "pause when so much is spent; needs prices"}),
        ("--minutes", {"type": amount, "help": "pause after so many minutes, each time it is started"}),
        ("--fail-below", {"type": float, "metavar": "ELO", "help": "exit 1 if the first player is surely less than ELO "
                          "better than another"}),
        ("--name", {"help": "what the league is called"}),
        ("--anchor", {"metavar": "PLAYER=ELO", "help": "set this player's rating to so many Elo"}),
        ("--export", {"type": Path, "metavar": "FILE", "help": "write every game on a row: .csv, .jsonl, .parquet; "
                      "and a card of them"}),
        ("--max-requests", {"type": positive, "help": "pause after so many requests to servers"}),
        ("--cluster", {"metavar": "tls://HOST:PORT", "help": "play on a Dask cluster, see docs/league.md"}),
        ("--scheduler-file", {"type": Path, "metavar": "FILE", "help": "the same, at the address that dask "
                              "scheduler wrote to this file"}),
        ("--tls-ca", {"type": Path, "metavar": "FILE", "help": "who signs the cluster's certificates"}),
        ("--tls-cert", {"type": Path, "metavar": "FILE", "help": "your certificate"}),
        ("--tls-key", {"type": Path, "metavar": "FILE", "help": "its key"}),
        ("--out", {"type": Path, "metavar": "DIR", "help": "the league's folder (else one in your data folder)"}),
        ("--resume", {"type": Path, "metavar": "DIR", "help": "go on with this league; --pairs and --add let it grow"}),
        ("--add", {"action": "append", "metavar": "PLAYER|FILE.yaml", "help": "with --resume: another player"}),
        ("--from", {"action": "append", "type": Path, "metavar": "DIR", "dest": "reuse",
                    "help": "take over the pairs of this league that are the same"}),
    ):  # fmt: skip
        # Those that may stand before the command, too, have no default here: it would overwrite what was given there.
        before = names in ("--config", "--seed", "--rounds", "--turns")
        add(names, default=argparse.SUPPRESS if before else None, **how)
    add("-o", dest="site", type=Path, metavar="DIR", help="with `site` or `board`: its folder; --name is its title")
    add("--csv", type=Path, metavar="FILE", help="write the table as CSV, too")
    add("--pgn", type=Path, metavar="FILE", help="write the games as PGN headers, which ordo and BayesElo read")
    add_allowed_addresses(parser)
    add_plugin_options(parser)
    add("--dry-run", action="store_true", help="what would be played, how long, how many tokens; nothing is kept")
    add(
        "--force",
        action="store_true",
        help="with --resume: go on though the program or bots have changed; the table says so",
    )
    add("--json", action="store_true", help="the table as one JSON object on standard output")
    add("--quiet", action="store_true", help="no progress")
    parser.set_defaults(run=run_league)


def run_league(options: argparse.Namespace) -> int:
    """Play the league; return 0 if it is complete, 1 if it paused; 0 when a site was made of leagues."""
    if options.players[:1] == [SITE]:
        return _site(options)
    if options.players[:1] == [BOARD]:
        return _board(options)
    if options.site is not None:
        raise UsageError("-o is for league site DIR... -o DIR; the folder of a league is --out DIR")
    from batllm_arcade.cli.league_plan import start

    out = own_output() if options.json else sys.stdout
    with redirect_stdout(sys.stderr):  # standard output is for the table alone, whatever a plugin prints
        return start(options, out)


def _folders(options: argparse.Namespace, what: str, allowed: Sequence[str]) -> list[Path]:
    """Return the folders that a site or a board is of; raise UsageError if other options are given."""
    given = [key for key, value in vars(options).items() if value not in (None, False, ()) and key not in allowed]
    if given:
        raise UsageError(f"league {what} takes no --{given[0].replace('_', '-')}; leave it out")
    return list(map(Path, options.players[1:]))


def _board(options: argparse.Namespace) -> int:
    from batllm_arcade.league.board import board_of, table_of
    from batllm_arcade.league.output.files import Exports, values_of, write_board
    from batllm_arcade.league.output.words import lines
    from batllm_arcade.league.plan import league_name
    from batllm_arcade.league.plan_file import anchor_of
    from batllm_arcade.league.run import check_anchor
    from batllm_arcade.league.site import leagues_in
    from batllm_arcade.plugin.manager import load

    folders = _folders(options, BOARD, _OF_BOARD)
    if not folders:
        raise UsageError("league board takes the folders of leagues: board DIR...")
    exports = Exports(options.csv, None, options.export)
    exports.check()
    board = board_of(leagues_in(folders), {name: key for key, names in load(None).offers.items() for name in names})
    anchor = anchor_of(options.anchor) if options.anchor else None
    check_anchor(anchor, [player.name for player in board.plan.players])
    found = table_of(board, league_name(options.name) if options.name else "", anchor)
    write_board(options.site, found, board.plan, board.lines, exports)
    write_lines([json.dumps(values_of(found))] if options.json else lines(found), sys.stdout)
    return 0


def _site(options: argparse.Namespace) -> int:
    from batllm_arcade.league.plan import league_name
    from batllm_arcade.league.site import INDEX, write_site
    from batllm_arcade.share.write import QuickPages
    from batllm_arcade.video.films import poster_writer

    folders = _folders(options, SITE, _OF_SITE)
    if not folders or options.site is None:
        raise UsageError("league site takes the folders of leagues and where the site goes: site DIR... -o DIR")
    title = league_name(options.name) if options.name else "Leagues"
    leagues = write_site(folders, options.site, title, lambda: QuickPages().write, poster_writer)
    for league in leagues:
        write_line(f"{league.title}: {league.table.pairs:,} pairs")
    write_line(f"site: {options.site / INDEX}")
    return 0
