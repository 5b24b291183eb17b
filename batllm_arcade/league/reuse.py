"""Pairs of earlier leagues that need not be played again: the same players, program, rules and seed, by hashes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, cast, get_origin, get_type_hints

from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.files.reading import open_within, read_within
from batllm_arcade.history.schema import HistoryError
from batllm_arcade.league import identity as fingerprint
from batllm_arcade.league.engines.pair_play import PlayedPair
from batllm_arcade.league.identity import LeagueIdentity
from batllm_arcade.league.kept_files import LARGEST_SESSION, PAIRS, SESSIONS
from batllm_arcade.league.league_file import opened
from batllm_arcade.league.plan import LeaguePlayer, PairSchedule, ScheduledPair
from batllm_arcade.league.plan_file import RunOptions
from batllm_arcade.league.setup import LeagueSetup, config_values
from batllm_arcade.league.statistics.tally import GameLine, PairLine, mirrored
from batllm_arcade.league.store import LARGEST_LINE, lines_from, pair_of_line
from batllm_arcade.plugin.manager import Plugins

Providers = Mapping[str, str]
"""The plugin of each brain, by the brain's name."""
_BY_NAME = tuple(key for key, kind in get_type_hints(GameLine).items() if get_origin(kind) is dict)
"""What a game of a line holds by the names of its players."""


class _Found(NamedTuple):
    """Where the line of a pair is: in which league, at which byte."""

    league: int
    offset: int


class ReusedPairs:
    """What of the leagues in these folders is the same as in a league with this setup; `pairs` is how many pairs.

    Raise UsageError if a folder holds no league, or one that was played with another program or by other rules.
    """

    def __init__(self, setup: LeagueSetup, folders: Sequence[Path], providers: Providers) -> None:
        if folders and setup.plan.notes != "off":
            raise UsageError("nothing can be reused where notes are carried from pair to pair; leave --from out")
        self._plan, self._rules, self._folders = setup.plan, setup.config.rules, list(folders)
        self._keys = [key_of(player, setup.agreed, providers) for player in setup.plan.players]
        self._found: dict[tuple[str, str, int], _Found] = {}
        for number, folder in enumerate(folders):
            old = opened(folder)[0]
            check_same(f"nothing of {str(folder)!r} can be reused", setup, old)
            keys = {player.name: key_of(player, old.agreed, providers) for player in old.plan.players}
            for offset, line in _lines(folder, old):
                one, other = (keys[name] for name in line["players"])
                self._found.setdefault((one, other, line["seed"]), _Found(number, offset))
        self.pairs = sum(self._where(pair) is not None for pair in PairSchedule(setup.plan).from_number(1))

    def notes(self) -> list[str]:
        """Return a sentence on where pairs come from, none if all are to be played."""
        names = ", ".join(repr(folder.name) for folder in self._folders)
        return [f"{self.pairs:,} of {self._plan.total:,} pairs come from {names}"] if self._folders else []

    def _where(self, pair: ScheduledPair) -> tuple[_Found, bool] | None:
        one, other = self._keys[pair.first], self._keys[pair.second]
        if (place := self._found.get((one, other, pair.seed))) is not None:
            return place, False
        place = self._found.get((other, one, pair.seed))
        return None if place is None else (place, True)

    def get(self, pair: ScheduledPair) -> PlayedPair | None:
        """Return the pair as it was played, under its number and names here; None if it has to be played."""
        if (where := self._where(pair)) is None:
            return None
        (league, offset), turned = where
        folder = self._folders[league]
        try:
            with open(open_within(folder, PAIRS), "rb") as file:
                file.seek(offset)
                line = pair_of_line(file.readline(LARGEST_LINE), self._rules)
            return self._taken_over(folder, line, pair, turned)
        except (OSError, HistoryError):
            return None  # it has gone since: it is played

    def _taken_over(self, folder: Path, old: PairLine, pair: ScheduledPair, turned: bool) -> PlayedPair:
        players = [self._plan.players[index].name for index in (pair.first, pair.second)]
        line = as_pair(old, pair.number, players, turned=turned)
        return PlayedPair(line, self._sessions(folder, old["pair"], line, (1, 0) if turned else (0, 1)))

    def _sessions(self, folder: Path, number: int, line: PairLine, order: tuple[int, int]) -> dict[int, str]:
        texts: dict[int, str] = {}
        for game, old in enumerate(order):
            if self._plan.keeps(line["games"][game]["winner"]):
                with suppress(OSError):
                    texts[game] = read_within(folder, f"{SESSIONS}/{number}-{old + 1}.json", LARGEST_SESSION)
        return texts


def as_pair(old: PairLine, number: int, players: Sequence[str], *, turned: bool) -> PairLine:
    """Return a pair under another number and with these names, seen by the other player if it is `turned`."""
    named = dict(zip(old["players"][::-1] if turned else old["players"], players, strict=True))
    line = old.copy()
    line["pair"], line["players"] = number, list(players)
    line["games"] = [_renamed(game, named) for game in (old["games"][::-1] if turned else old["games"])]
    line["outcome"] = mirrored(old["outcome"]) if turned else old["outcome"]
    return line


def _renamed(game: Any, named: Mapping[str, str]) -> GameLine:
    renamed = {**game, "left": named[game["left"]], "first": named[game["first"]]}
    renamed["winner"] = None if game["winner"] is None else named[game["winner"]]
    for key in _BY_NAME:
        if key in game:
            renamed[key] = dict(sorted((named[name], value) for name, value in game[key].items()))
    return cast(GameLine, renamed)


def key_of(player: LeaguePlayer, agreed: LeagueIdentity, providers: Providers) -> str:
    """Return what two players share only if they play alike: brain, orders, fallback, plugins, files."""
    texts = [text for text in (player.brain, player.fallback) if text]
    brains = [text.partition(":")[0].partition(",")[0] for text in texts]
    folders = {
        folder: files
        for folder, files in agreed.folders.items()
        if any(f"{folder}/" in text or (folder == "." and text.startswith("proc:")) for text in texts)
    }
    files = {name: value for name, value in agreed.files.items() if name.startswith(f"{player.name}: ")}
    # A brain of a file that is not loaded here may come from any of the league's.
    hashes = [agreed.plugins.get(providers[name], "") if name in providers else dict(agreed.plugins) for name in brains]
    return fingerprint.of_value([player.brain, player.orders, player.fallback, hashes, sorted(files.values()), folders])


def check_same(where: str, setup: LeagueSetup, old: LeagueSetup) -> None:
    """Raise UsageError, which begins with `where`, unless two leagues are played by the same program and rules."""
    if not old.agreed.core:
        raise UsageError(f"{where}: it was begun by a version that kept no hash of its program")
    core = LeagueIdentity(old.agreed.program, old.agreed.core)
    for difference in core.differences(setup.agreed):
        raise UsageError(f"{where}: {difference.since()}")
    one, other = (_decides(each) for each in (setup, old))
    for key, value in one.items():
        if value != other[key]:
            raise UsageError(f"{where}: its {key} is another one")


def _decides(setup: LeagueSetup) -> dict[str, Any]:
    config = config_values(setup.config)
    del config["plugins_dir"]
    plan = setup.plan
    alike = {"on_failure": plan.on_failure, "think": plan.think, "temperature": plan.temperature, "notes": plan.notes}
    return {**config, "isolation": setup.isolation, **alike}


def _lines(folder: Path, league: LeagueSetup) -> Iterator[tuple[int, PairLine]]:
    try:
        yield from lines_from(folder, league.plan, league.config.rules, league.plan.total)
    except (OSError, UsageError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"nothing of {str(folder)!r} can be reused: {why}") from None


def reused_by(setup: LeagueSetup, run: RunOptions, plugins: Plugins, *, strict: bool) -> ReusedPairs:
    """Return what can be reused; unless `strict`, nothing of a league that has gone or differs by now."""
    providers = {brain: plugin for plugin, brains in plugins.offers.items() for brain in brains}
    folders = [Path(each) for each in run.reuse]
    if strict:
        return ReusedPairs(setup, folders, providers)
    good = []
    for folder in folders:
        with suppress(ArcadeError):
            ReusedPairs(setup, [folder], providers)
            good.append(folder)
    return ReusedPairs(setup, good, providers)
