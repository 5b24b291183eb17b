"""How a league's figures read, the same on the terminal, in Markdown and on the page; pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from batllm_arcade.league.statistics.outcome import FAULTS

HEADINGS = (
    "#", "player", "Elo", "95%", "games", "won", "drawn", "lost", "score", "LL, LD, DD+WL, WD, WW", "better than next",
)  # fmt: skip
"""The columns of the table of ratings."""
BRAIN_HEADINGS = ("player", "plays", "median", "slowest", "plays/s", "tokens", "tokens/s", *FAULTS)
"""The columns of the table of what the brains did."""


def rating_row(player: Mapping[str, Any]) -> list[str]:
    """Return a player's cells under HEADINGS."""
    return [
        str(player["rank"]),
        player["name"],
        signed(player["rating"]),
        interval(player),
        str(player["games"]),
        str(player["wins"]),
        str(player["draws"]),
        str(player["losses"]),
        percent(player["score"]),
        ", ".join(map(str, player["pairs"])),
        "" if player["los"] is None else percent(player["los"]),
    ]


def brain_row(player: Mapping[str, Any]) -> list[str]:
    """Return a player's cells under BRAIN_HEADINGS."""
    seen = player["latency_s"]
    total = seen.get("total", 0.0)
    return [
        player["name"],
        f"{seen['plays']:,}",
        seconds(seen["median"]),
        seconds(seen["max"]),
        rate(seen["plays"], total),
        f"{player['tokens']:,}",
        rate(player["tokens"], total) if player["tokens"] else "",
        *(str(player["faults"][fault]) for fault in FAULTS),
    ]


def signed(elo: float) -> str:
    """Return a rating: `+35`, `-120`, `0`."""
    return f"{elo:+.0f}" if round(elo) else "0"


def interval(player: Mapping[str, Any]) -> str:
    """Return a rating's interval: `+12 to +58`."""
    return f"{signed(player['low'])} to {signed(player['high'])}"


def percent(share: float | None) -> str:
    """Return a share: `56.3%`, `-` where there is none."""
    return "-" if share is None else f"{share:.1%}"


def seconds(value: float) -> str:
    """Return a time: `0.21 ms`, `350 ms`, `2.4 s`."""
    if value >= 1:
        return f"{value:.1f} s"
    return f"{value * 1000:.0f} ms" if value >= 0.01 else f"{value * 1000:.2g} ms"


def rate(count: int, total_s: float) -> str:
    """Return how many a second: `12`, `0.8`, "" where no time was measured."""
    if not total_s:
        return ""
    value = count / total_s
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def duration(value: float) -> str:
    """Return a time in words: `40 s`, `12 min`, `3.5 h`, `2.1 days`."""
    if value < 99:
        return f"{value:.0f} s"
    if value < 5940:
        return f"{value / 60:.0f} min"
    return f"{value / 3600:.1f} h" if value < 48 * 3600 else f"{value / 86400:.1f} days"


def sides(table: Mapping[str, Any]) -> list[str]:
    """Return what there is to say on left against right, and on who acts first."""
    found = []
    for key, first, other in (("left", "left", "right"), ("first", "who acts first", "who acts second")):
        side = table[key]
        if side["share"] is not None:
            found.append(
                f"{first} won {percent(side['share'])} of the decided games "
                f"({side['wins']:,} to {side['losses']:,} of {other}; {side['draws']:,} drawn)"
            )
    return found


def test_words(table: Mapping[str, Any]) -> str:
    """Return how the sequential test stands, "" without one."""
    test = table["sprt"]
    if test is None:
        return ""
    verdict = {"H1": "H1 is accepted", "H0": "H0 is accepted", None: "undecided"}[test["decision"]]
    return (
        f"SPRT: log-likelihood ratio {test['llr']:.2f}, bounds {test['lower']:.2f} and {test['upper']:.2f}: {verdict}"
    )


def state(table: Mapping[str, Any]) -> str:
    """Return how far the league is: `1,200 of 1,200 pairs`."""
    done = f"{table['pairs']:,} of {table['pairs_planned']:,} pairs"
    if table["complete"]:
        return done if table["pairs"] == table["pairs_planned"] else f"{done}: the test has decided"
    return f"{done}, to be continued"


def matrix(table: Mapping[str, Any]) -> tuple[list[str], dict[tuple[str, str], Mapping[str, Any]]]:
    """Return the players' names, best first, and for both orders of each pairing its score and pairs."""
    cells: dict[tuple[str, str], Mapping[str, Any]] = {}
    for pairing in table["matrix"]:
        one, other = pairing["players"]
        score = pairing["score"]
        cells[one, other] = pairing
        mirrored: Sequence[int] = pairing["pairs"][::-1]
        cells[other, one] = {"score": None if score is None else 1 - score, "pairs": mirrored}
    return [player["name"] for player in table["players"]], cells
