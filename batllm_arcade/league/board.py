"""One table of several leagues that were played by the same program and rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from batllm_arcade.errors import UsageError
from batllm_arcade.league.kept_files import PAIRS
from batllm_arcade.league.league_file import opened
from batllm_arcade.league.plan import NAME_LIMIT, LeaguePlan, LeaguePlayer, Stage
from batllm_arcade.league.reuse import Providers, as_pair, check_same, key_of
from batllm_arcade.league.setup import LeagueSetup, prices_of
from batllm_arcade.league.site import published
from batllm_arcade.league.statistics.rating import Anchor
from batllm_arcade.league.statistics.table import LeagueTable, table
from batllm_arcade.league.statistics.tally import LeagueTally, PairLine
from batllm_arcade.league.store import lines_of


@dataclass(frozen=True, slots=True)
class Board:
    """A plan of all players, each once, and where their pairs are: of each league the players here by their names."""

    plan: LeaguePlan
    leagues: Sequence[tuple[Path, LeagueSetup, dict[str, int]]]
    prices: dict[str, str]

    def lines(self) -> Iterator[PairLine]:
        """Yield all pairs, numbered anew; one that several leagues have, the same two with the same seed, once.

        Raise UsageError if a line is none, OSError if it cannot be read.
        """
        names, seen = [player.name for player in self.plan.players], set[tuple[int, int, int]]()
        for folder, setup, players in self.leagues:
            for old in lines_of(folder, setup.plan, setup.plan.total, setup.config.rules):
                one, other = (players[name] for name in old["players"])
                key = (min(one, other), max(one, other), old["seed"])
                if one != other and key not in seen:
                    seen.add(key)
                    yield as_pair(old, len(seen), [names[each] for each in key[:2]], turned=one > other)


def board_of(folders: Sequence[Path], providers: Providers) -> Board:
    """Return the board of the leagues in these folders; raise UsageError if they cannot stand in one table.

    Players are the same whose brain, orders, fallback and files are, whatever they are called.
    """
    players: dict[str, LeaguePlayer] = {}
    leagues: list[tuple[Path, LeagueSetup, dict[str, int]]] = []
    prices: dict[str, str] = {}
    for folder in folders:
        setup, run, _ = opened(folder)
        if leagues:
            check_same(f"{str(folder)!r} cannot stand in one table with {str(folders[0])!r}", leagues[0][1], setup)
        own = {player.name: key_of(player, setup.agreed, providers) for player in setup.plan.players}
        for player in setup.plan.players:
            known = players.setdefault(own[player.name], _renamed(player, folder, players))
            prices.setdefault(known.name, run.prices.get(player.name, ""))
        leagues.append((folder, setup, {name: list(players).index(key) for name, key in own.items()}))
    first = leagues[0][1].plan
    looked_at = any(setup.plan.looked_at for _, setup, _ in leagues)
    plan = published(replace(
        first, seed=min(setup.plan.seed for _, setup, _ in leagues), players=tuple(players.values()),
        schedule="roundrobin", sprt=None, stages=(Stage(2, 1),) if looked_at else (),
    ))  # fmt: skip
    board = Board(plan, leagues, prices)
    try:
        most = Counter(frozenset(line["players"]) for line in board.lines())
    except FileNotFoundError as error:
        raise UsageError(f"no pair of {str(error.filename).removesuffix(PAIRS)!r} has been played yet") from None
    return replace(board, plan=replace(plan, pairs=max(most.values(), default=1)))


def _renamed(player: LeaguePlayer, folder: Path, others: dict[str, LeaguePlayer]) -> LeaguePlayer:
    """Return a player under a name that no other has."""
    taken, end = {each.name for each in others.values()}, f" ({folder.name[:12]})"
    names = [player.name, *(f"{player.name[: NAME_LIMIT - len(end) - 3]}{end}{more}" for more in ("", *range(2, 100)))]
    return replace(player, name=next(name for name in names if name not in taken))


def table_of(board: Board, name: str, anchor: Anchor | None) -> LeagueTable:
    """Return the table of a board."""
    tally = LeagueTally(board.plan)
    for line in board.lines():
        tally.add(line)
    notes = [f"of {len(board.leagues)} leagues: {', '.join(folder.name for folder, *_ in board.leagues)}"]
    prices = prices_of(board.plan, board.prices)
    return table(board.plan, tally, complete=True, notes=notes, name=name, prices=prices, anchor=anchor)
