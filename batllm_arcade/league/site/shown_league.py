"""A league as a site shows it: read from its folder, without what concerns nobody but its machine."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.brains.redaction import public_options, public_variant, without_folders
from batllm_arcade.errors import UsageError
from batllm_arcade.league.coordinator import ended
from batllm_arcade.league.kept_files import LEAGUE
from batllm_arcade.league.league_file import opened
from batllm_arcade.league.output.title import title_of
from batllm_arcade.league.plan import LeaguePlan, LeaguePlayer
from batllm_arcade.league.prices import prices_of
from batllm_arcade.league.statistics.standings import table
from batllm_arcade.league.statistics.table import LeagueTable
from batllm_arcade.league.statistics.tally import LeagueTally
from batllm_arcade.league.store import lines_of


@dataclass(frozen=True, slots=True)
class ShownLeague:
    """A league, the folder it is in, its own folder in the site, and the day of its last pair ("" without any)."""

    folder: Path
    place: str
    plan: LeaguePlan
    table: LeagueTable
    day: str

    @property
    def title(self) -> str:
        """Return what it is called."""
        return self.table.name or title_of(self.plan)


def leagues_in(folders: Iterable[Path]) -> list[Path]:
    """Return the folders of leagues among these and, of a folder that is none, those in it, each once.

    Raise UsageError if there are none, or one in a folder is a link: it may lead to a league that nobody named.
    """
    found: dict[Path, Path] = {}
    for folder in folders:
        inner = [folder] if (folder / LEAGUE).is_file() else sorted(each.parent for each in folder.glob(f"*/{LEAGUE}"))
        if not inner:
            raise UsageError(f"there is no league in {str(folder)!r}; name the folder of a league, or one with leagues")
        for each in inner:
            if each != folder and each.is_symlink():
                raise UsageError(f"{str(each)!r} is a link; name the folder that it leads to, or remove it")
            found[each.resolve()] = each
    return list(found)


def shown_leagues(folders: Sequence[Path]) -> list[ShownLeague]:
    """Return the leagues in these folders, the last played first; raise UsageError if one is damaged."""
    places: list[str] = []
    found = []
    for folder in folders:
        short = re.sub(r"[^a-z0-9]+", "-", folder.name.lower()).strip("-") or "league"
        taken = [short, *(f"{short}-{number}" for number in range(2, len(folders) + 2))]
        places.append(next(place for place in taken if place not in places))
        found.append(_shown(folder, places[-1]))
    return sorted(found, key=lambda league: league.day, reverse=True)


def _shown(folder: Path, place: str) -> ShownLeague:
    setup, run, _ = opened(folder)
    tally, day = LeagueTally(setup.plan), ""
    try:
        for line in lines_of(folder, setup.plan, setup.plan.total, setup.config.rules):
            tally.add(line)
            day = line["finished"]
    except FileNotFoundError:  # nothing has been played yet
        pass
    except OSError as error:
        raise UsageError(f"the pairs of the league in {str(folder)!r} cannot be read: {error.strerror}") from None
    except UsageError as error:
        raise UsageError(f"the league in {str(folder)!r} is damaged: {error}") from None
    end = ended(setup.plan, tally)
    standings = table(
        setup.plan,
        tally,
        complete=end is not None and end.complete,
        notes=[without_folders(note) for note in setup.notes],
        name=run.name,
        prices=prices_of(setup.plan, run.prices),
    )
    return ShownLeague(folder, place, published(setup.plan), standings, day)


def published(plan: LeaguePlan) -> LeaguePlan:
    """Return a plan as it may be published: its folders, keys and users of addresses are left out."""
    return replace(
        plan,
        config=PurePath(plan.config).name,
        plugins_dir=PurePath(plan.plugins_dir).name if plan.plugins_dir else "",
        players=tuple(_published(player) for player in plan.players),
    )


def _published(player: LeaguePlayer) -> LeaguePlayer:
    brain, fallback = public_brain(player.brain), public_brain(player.fallback) if player.fallback else ""
    return replace(player, brain=brain, fallback=fallback, orders_file="")


def public_brain(text: str) -> str:
    """Return a brain as on the command line, without folders and secrets."""
    spec = Spec.parse(text)
    options = [f"{key}={value}" for key, value in public_options(spec.options).items()]
    shown = ",".join([*([public_variant(spec.variant)] if spec.variant else []), *options])
    return f"{spec.name}:{shown}" if shown else spec.name
