"""The page of a pairing: who is better and how sure that is, the orders of both, every game, the best one; pure."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from html import escape

from batllm_arcade.league.kept_files import PAIRINGS
from batllm_arcade.league.output import charts, words
from batllm_arcade.league.output.headline import difference
from batllm_arcade.league.output.html import Cell, document, grid, player_cards, sentence
from batllm_arcade.league.output.pages import Links, Number
from batllm_arcade.league.plan import LeaguePlan
from batllm_arcade.league.statistics.pair_line import GameLine, PairLine
from batllm_arcade.league.statistics.table import LeagueTable, Pairing

MOST_PAIRS = 500
"""Pairs whose games are listed on one page."""


@dataclass(frozen=True, slots=True)
class Best:
    """The game of a pairing that one should see: pair and game, and its poster, if there is one."""

    number: tuple[int, int]
    poster: str = ""


def address(plan: LeaguePlan, pairing: Pairing) -> str:
    """Return where a pairing's page is, from the folder of the league."""
    names = [player.name for player in plan.players]
    one, other = sorted(names.index(name) + 1 for name in pairing.players)
    return f"{PAIRINGS}/{one}-{other}.html"


def page(
    plan: LeaguePlan, table: LeagueTable, pairing: Pairing, lines: Sequence[PairLine], links: Links, best: Best | None
) -> str:
    """Return the page of a pairing, whose pairs these lines are."""
    (one, other), players = pairing.players, {player.name: player for player in plan.players}
    games = [game for line in lines for game in line["games"]]
    won, lost = (sum(game["winner"] == name for game in games) for name in (one, other))
    figures = [
        (words.percent(pairing.score), f"{one} scored of {2 * sum(pairing.pairs):,} games",
         "" if pairing.score is None else charts.share_bar(pairing.score)),
        (f"{won} - {len(games) - won - lost} - {lost}", "won, drawn, lost", ""),
        (words.chance(pairing.chance), f"likely that {one} is the better one", ""),
    ]  # fmt: skip
    cards = "".join(
        f'<div class="card"><p class="big">{escape(big)}</p>{bar}<p class="note">{escape(small)}</p></div>'
        for big, small, bar in figures
    )
    parts = [
        f'<p class="lead">{escape(_verdict(pairing))}.</p>',
        '<p class="state"><a href="../report.html">The whole league</a></p></header>',
        f'<div class="cards">{cards}</div>',
        _best(best, links),
        f"<h2>Orders</h2>{player_cards([players[name] for name in pairing.players])}",
        f"<h2>Games</h2>{_games(pairing, lines, links)}",
    ]
    return document(f"{one} against {other}", table.name or "LEAGUE", parts)


def _verdict(pairing: Pairing) -> str:
    one, other = pairing.players
    if pairing.difference is None or pairing.score is None:
        return f"{one} and {other} have not met yet"
    sure = pairing.chance is not None and max(pairing.chance, 1 - pairing.chance) >= 0.975
    verb = "is better" if sure else "may be better, which is not sure"
    return f"{one} {verb}: {difference(pairing)}"


def _best(best: Best | None, links: Links) -> str:
    if best is None or best.number not in links:
        return ""
    link = f"../{links[best.number]}"
    picture = (
        f'<img class="poster" src="../{escape(best.poster)}" alt="The opening of the game">' if best.poster else ""
    )
    text = f"Game {best.number[1]} of pair {best.number[0]}: the closest that somebody won"
    return f'<h2>The best game</h2><a class="best" href="{escape(link)}">{picture}<span>{escape(text)}</span></a>'


def _games(pairing: Pairing, lines: Sequence[PairLine], links: Links) -> str:
    one, other = pairing.players
    rows: list[list[Cell]] = []
    for line in lines[:MOST_PAIRS]:
        for number, game in enumerate(line["games"], 1):
            key = (line["pair"], number)
            shown = f"{key[0]}-{key[1]}"
            rows.append([(shown, f"../{links[key]}") if key in links else shown, str(line["seed"]), game["left"],
                         game["winner"] or "drawn", game["reason"], str(game["turns"]),
                         *(f"{game['health'][name]:g}" for name in (one, other))])  # fmt: skip
    head = ("game", "seed", "left", "won", "by", "turns", f"health of {one}", f"health of {other}")
    told = ["two games of a seed are a pair; those that were kept are links"]
    if any(link.endswith(".json") for link in links.values()):
        told.append("an address that ends in .json is opened with: batllm-arcade replay FILE")
    if len(lines) > MOST_PAIRS:
        told.append(f"the first {MOST_PAIRS} of {len(lines):,} pairs are listed")
    return grid(head, rows, text=(2, 3, 4)) + sentence("; ".join(told), "note")


def best_of(lines: Sequence[PairLine], among: Container[Number]) -> Number | None:
    """Return the kept game that was closest among those that somebody won, the longest of them; None without any."""
    kept = [
        ((line["pair"], number), game)
        for line in lines
        for number, game in enumerate(line["games"], 1)
        if (line["pair"], number) in among and game["winner"] is not None
    ]
    return min(kept, key=lambda each: _margin(each[1]))[0] if kept else None


def _margin(game: GameLine) -> tuple[float, int]:
    one, other = game["health"].values()
    return abs(one - other), -game["turns"]
