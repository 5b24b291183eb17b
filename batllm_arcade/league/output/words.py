"""A league's table in words."""

from __future__ import annotations

import math
import os
import re
import shlex
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from pathlib import Path, PurePath

from batllm_arcade.brains.kinds import money
from batllm_arcade.errors import ArcadeError
from batllm_arcade.league.kept_files import PAGES, SESSIONS
from batllm_arcade.league.plan import LeaguePlan, PairSchedule
from batllm_arcade.league.statistics.table import LeagueTable, Pairing, TableRow
from batllm_arcade.league.statistics.tally import FAULTS
from batllm_arcade.models.provider import TEMPERATURE


def signed(elo: float) -> str:
    """Return a rating: `+35`, `-120`, `0`."""
    return f"{elo:+.0f}" if round(elo) else "0"


def mark(row: TableRow) -> str:
    """Return what stands behind a rating that is not the player's alone: `*`, else ""."""
    return "*" if row.by_fallback or row.forfeits or _is_dumb(row) else ""


def _is_dumb(row: TableRow) -> bool:
    """Return whether a player gave no command in half of its plays."""
    return row.legal is not None and row.legal <= 0.5


def marked(table: LeagueTable) -> list[str]:
    """Return what the mark at a player's rating means, a sentence for each that has one."""
    sentences = []
    for row in table.players:
        reasons = []
        if row.by_fallback:
            reasons.append(f"{row.by_fallback:,} of its {row.latency_s.plays:,} plays were its fallback's")
        if row.forfeits:
            reasons.append(f"{row.forfeits:,} of its {row.games:,} games were forfeited after three failures in a row")
        if _is_dumb(row):
            reasons.append(f"it gave no command in {sum(row.faults.values()):,} of its {row.latency_s.plays:,} plays")
        sentences += [f"a * at {row.name}: {', '.join(reasons)}"] if reasons else []
    return sentences


def interval(figure: TableRow | Pairing) -> str:
    """Return an interval: `+12 to +58`, `+242 or more` where nothing bounds it, `unknown` on both sides."""
    if figure.low is None or figure.high is None:
        ends = ((figure.low, "more"), (figure.high, "less"))
        return next((f"{signed(end)} or {word}" for end, word in ends if end is not None), "unknown")
    return f"{signed(figure.low)} to {signed(figure.high)}"


def percent(share: float | None) -> str:
    """Return a share: `56.3%`, `-` where there is none."""
    return "-" if share is None else f"{share:.1%}"


def span(rows: Sequence[TableRow]) -> tuple[float, float]:
    """Return the lowest and the highest figure of these players' ratings and intervals, as far as they are known."""
    figures = [each for row in rows for each in (row.low, row.rating, row.high) if each is not None]
    return min(figures), max(figures)


def chance(share: float | None) -> str:
    """Return how likely something is, which is never certain: `97.5%`, `over 99.9%`, `under 0.1%`."""
    if share is not None and not 0.0005 <= share < 0.9995:
        return "over 99.9%" if share > 0.5 else "under 0.1%"
    return percent(share)


def cost(amount: float | None) -> str:
    """Return an amount of money, "" without a price."""
    return "" if amount is None else money(amount)


def circle(table: LeagueTable) -> str:
    """Return a warning where results go round in a circle, "" where they do not."""
    if not table.circle:
        return ""
    one, two, three = table.circle
    return (
        f"warning: results go round in a circle ({one} beats {two}, {two} beats {three}, {three} beats {one}), "
        "which no ratings tell; look at the pairings"
    )


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


def sides(table: LeagueTable) -> list[str]:
    """Return what there is to say on left against right, and on who acts first."""
    sentences = []
    for side, first, other in ((table.left, "left", "right"), (table.first, "who acts first", "who acts second")):
        if side.share is not None:
            sentences.append(
                f"{first} won {percent(side.share)} of the decided games "
                f"({side.wins:,} to {side.losses:,} of {other}; {side.draws:,} drawn)"
            )
    return sentences


def test_words(table: LeagueTable) -> str:
    """Return how the sequential test stands, "" without one."""
    test = table.sprt
    if test is None:
        return ""
    verdict = {"H1": "H1 is accepted", "H0": "H0 is accepted", None: "undecided"}[test.decision]
    return f"SPRT: log-likelihood ratio {test.llr:.2f}, bounds {test.lower:.2f} and {test.upper:.2f}: {verdict}"


def anchor(table: LeagueTable) -> str:
    """Return whose rating is set, "" where nobody's is."""
    elo = next((row.rating for row in table.players if row.name == table.anchor), 0.0)
    return f"{table.anchor} is set to {elo:g}; the others' 95% is of how far they are from it" if table.anchor else ""


def looks(table: LeagueTable) -> str:
    """Return that its figures hold however often one has looked, "" where nobody needs that."""
    why = "has a test that may end it" if table.sprt is not None else "has grown"
    text = f"the league {why}: its 95% and who is better hold however often one has looked at it"
    return text if table.always else ""


def state(table: LeagueTable) -> str:
    """Return how far the league is: `1,200 of 1,200 pairs`."""
    done = f"{table.pairs:,} of {table.pairs_planned:,} pairs"
    if table.complete:
        return f"{done}: the test has decided" if table.sprt is not None and table.pairs < table.pairs_planned else done
    return f"{done}, to be continued"


def matrix(table: LeagueTable) -> tuple[list[str], dict[tuple[str, str], Pairing]]:
    """Return the players' names, best first, and each pairing as either of its players sees it."""
    pairings: dict[tuple[str, str], Pairing] = {}
    for pairing in table.matrix:
        one, other = pairing.players
        pairings[one, other], pairings[other, one] = pairing, pairing.mirrored()
    return [row.name for row in table.players], pairings


# What a league is called, and the command that plays it


def title_of(plan: LeaguePlan) -> str:
    """Return what a league is called: who plays, under which configuration."""
    names = [player.name for player in plan.players]
    who = " against ".join(names) if len(names) == 2 else f"{len(names)} players"
    return f"{who}, {PurePath(plan.config).stem}, {plan.pairs} pairs each"


def command_of(plan: LeaguePlan) -> str:
    """Return the command that plays this league anew, "" where its players need a file."""
    if any(player.orders or player.fallback or player.max_parallel for player in plan.players):
        return ""
    parts = ["batllm-arcade", "league", *(f"{player.name}={player.brain}" for player in plan.players)]
    parts += ["--config", plan.config, "--pairs", str(plan.pairs), "--seed", str(plan.seed)]
    for option, value in (("--rounds", plan.rounds), ("--turns", plan.turns), ("--plugins-dir", plan.plugins_dir)):
        parts += [option, str(value)] if value else []
    usual = LeaguePlan(plan.players)
    for key in ("schedule", "think", "temperature", "notes", "on_failure", "accuracy"):
        value = getattr(plan, key)
        parts += [f"--{key.replace('_', '-')}", str(value)] if value != getattr(usual, key) else []
    parts += ["--shared"] if plan.shared else []
    if plan.sprt is not None:
        test = plan.sprt
        parts += ["--sprt", f"{test.elo0:g},{test.elo1:g},{test.alpha:g},{test.beta:g}"]
        parts += ["--sprt-model", test.model] if test.model != "logistic" else []
    return shlex.join(parts)


# The columns of the two tables of players


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table of players: what stands above it and what stands in a player's row.

    One that may be `silent` is left out where it says nothing of anybody.
    """

    heading: str
    cell: Callable[[TableRow], str]
    silent: bool = False


def _each(total: float | None, number: int) -> str:
    """Return what one of so many cost, "" where nothing was paid or there is none."""
    return cost(total / number) if total and number else ""


RATINGS = (
    Column("#", lambda row: str(row.rank)),
    Column("player", lambda row: row.name),
    Column("Elo", lambda row: f"{signed(row.rating)}{mark(row)}"),
    Column("95%", lambda row: interval(row)),
    Column("games", lambda row: str(row.games)),
    Column("won", lambda row: str(row.wins)),
    Column("drawn", lambda row: str(row.draws)),
    Column("lost", lambda row: str(row.losses)),
    Column("score", lambda row: percent(row.score)),
    Column("loss a play", lambda row: loss(row), silent=True),
    Column("legal", lambda row: percent(row.legal), silent=True),
    Column("written a play", lambda row: rate(row.written, row.latency_s.plays) if row.written else "", silent=True),
    Column("cost a win", lambda row: _each(row.cost, row.wins), silent=True),
    Column("better than next", lambda row: "" if row.los is None else chance(row.los)),
)
"""The table of ratings."""
BRAINS = (
    Column("player", lambda row: row.name),
    Column("plays", lambda row: f"{row.latency_s.plays:,}"),
    Column("median", lambda row: seconds(row.latency_s.median)),
    Column("slowest", lambda row: seconds(row.latency_s.max)),
    Column("plays/s", lambda row: rate(row.latency_s.plays, row.latency_s.total)),
    Column("tokens", lambda row: f"{row.tokens:,}", silent=True),
    Column("written/s", lambda row: rate(row.written, row.latency_s.total) if row.written else "", silent=True),
    Column("cost", lambda row: cost(row.cost), silent=True),
    Column("cost a game", lambda row: _each(row.cost, row.games), silent=True),
    Column("think", lambda row: _values(row.think), silent=True),
    Column("temperature", lambda row: _values(row.temperature), silent=True),
    Column("model", lambda row: _values(row.model), silent=True),
)
"""The table of what the brains did."""
DETAILED = (
    Column("player", lambda row: row.name),
    Column("LL, LD, DD+WL, WD, WW", lambda row: ", ".join(map(str, row.pairs))),
    Column("by fallback", lambda row: str(row.by_fallback)),
    *(Column(fault, lambda row, fault=fault: str(row.faults[fault])) for fault in FAULTS),  # type: ignore[misc]
)
"""What few readers ask for, folded away on pages: pairs by their outcomes, plays that went wrong."""
TABLES = (RATINGS, BRAINS, DETAILED)


def loss(row: TableRow) -> str:
    """Return how much chance a play loses on average: `8.3% (7.1 to 9.5)`, "" where none was judged."""
    if row.loss is None:
        return ""
    ends = "" if row.loss_low is None or row.loss_high is None else f" ({row.loss_low:.1%} to {row.loss_high:.1%})"
    return f"{row.loss:.1%}{ends.replace('%', '')}"


def accuracy(table: LeagueTable) -> list[str]:
    """Return which neighbours that results do not tell apart differ in the chance that their plays lose."""
    sentences = []
    for one, other in pairwise(table.players):
        ends = (one.loss_low, one.loss_high, other.loss_low, other.loss_high)
        if one.loss is None or other.loss is None or None in ends or (one.los or 0.0) >= SURE:
            continue
        reach = math.hypot(*((row.loss_high or 0.0) - (row.loss or 0.0) for row in (one, other)))
        better, worse = (one, other) if one.loss < other.loss else (other, one)
        if abs(one.loss - other.loss) > reach:
            sentences.append(f"{better.name} plays better than {worse.name}: its plays lose less chance")
    return sentences


_SILENT = ("", "0", "-", percent(1))
DETAILS = "Pairs by outcome, and plays without a good answer"


def _values(values: Sequence[str]) -> str:
    """Return with what a model has played, `-` for what its requests did not say."""
    return ", ".join(value or "-" for value in values)


def shown(columns: Sequence[Column], rows: Sequence[TableRow]) -> list[list[str]]:
    """Return a table with these columns, its heading first, without those that say nothing of anybody."""
    told = [each for each in columns if not each.silent or any(each.cell(row) not in _SILENT for row in rows)]
    return [[each.heading for each in told], *([each.cell(row) for each in told] for row in rows)]


def policy(table: LeagueTable) -> str:
    """Return what all models were told alike, "" of a league without any."""
    if not any(row.model for row in table.players):
        return ""
    orders = {None: "", False: "was sent its own orders alone (payload independent)",
              True: "was sent its rival's orders, too (payload shared)"}[table.shared]  # fmt: skip
    wished = {
        "think": table.think,
        "temperature": str(TEMPERATURE) if table.temperature == "default" else table.temperature,
    }
    told = " and ".join(f"{key} {value}" for key, value in wished.items() if value != "auto")
    told = f"plays with {told} unless its brain says otherwise" if told else ""
    return f"each model {', and '.join(filter(None, (orders, told)))}" if orders or told else ""


# With what a league's report opens, and every league ends

SURE = 0.975
"""How likely somebody must be better to be called the best."""


def verdict(table: LeagueTable) -> str:
    """Return how the best player compares with the next one, without a full stop.

    `B is better than A by 38 to 92 Elo, 98.3%; 412 games, $0.31`: the 95% interval of the difference, and how likely
    B is the better one.
    """
    if not table.pairs:
        return "no pair has been played yet"
    best, second = table.players[0].name, table.players[1].name
    met = next((each for each in table.matrix if each.players == [best, second]), None)
    price = "" if table.cost is None else f", {money(table.cost)}"
    return f"{compared(best, second, met, table.players[0].los)}; {2 * table.pairs:,} games{price}"


def compared(best: str, second: str, met: Pairing | None, los: float | None = None) -> str:
    """Return how two players compare, by their pairing where there is one, else by how likely the first is better."""
    likely = met.chance if met is not None and met.chance is not None else los
    low = met.low if met is not None else None
    if likely is not None and likely >= SURE:
        by = ""
        if met is not None and low is not None and low > 0:
            by = f" by {low:.0f} Elo or more" if met.high is None else f" by {low:.0f} to {met.high:.0f} Elo"
        return f"{best} is better than {second}{by}, {chance(likely)}"
    between = "" if met is None else f": {interval(met)} Elo"
    if met is not None and signed(met.difference or 0.0) == "0":
        return f"{best} and {second} cannot be told apart{between}"
    return f"{best} may be better than {second}, which is not sure{between}, {chance(likely)}"


def shortfall(table: LeagueTable, plan: LeaguePlan, least: float) -> str:
    """Return where the first player of a plan is surely less than `least` Elo better than another, "" nowhere.

    A sequential test that has decided says how much better it is; else it is the 95% interval of the difference.
    """
    name = plan.players[0].name
    if plan.sprt is not None and table.sprt is not None and table.sprt.decision is not None:
        test, decision = plan.sprt, table.sprt.decision
        if (test.elo0 if decision == "H0" else test.elo1) >= least:
            return ""
        accepted, left = (test.elo0, test.elo1) if decision == "H0" else (test.elo1, test.elo0)
        against = f"{accepted:g} Elo against {plan.players[1].name} (and not {left:g}), as the test has decided"
        return f"{name} falls short: {against}; --fail-below asks for {least:g}"
    for pairing in table.matrix:
        seen = pairing if pairing.players[0] == name else pairing.mirrored()
        if seen.players[0] == name and seen.high is not None and seen.high < least:
            against = f"{interval(seen)} Elo against {seen.players[1]}"
            return f"{name} falls short: {against}; --fail-below asks for {least:g}"
    return ""


# A league's table as lines of text, and as Markdown

_WIDEST_MATRIX = 12


def lines(table: LeagueTable) -> list[str]:
    """Return the whole table for a terminal."""
    names, pairings = matrix(table)
    rows_of_text = [
        *ratings(table),
        "",
        *_aligned(shown(BRAINS, table.players), left=(0,)),
    ]
    if 2 < len(names) <= _WIDEST_MATRIX:
        head = ["score against", *(str(number) for number in range(1, len(names) + 1))]
        rows = [[f"{number} {name}", *_scores(name, names, pairings)] for number, name in enumerate(names, 1)]
        rows_of_text += ["", *_aligned([head, *rows], left=(0,))]
    return [*rows_of_text, "", *_below(table), "", verdict(table)]


def ratings(table: LeagueTable) -> list[str]:
    """Return the table of ratings alone."""
    return _aligned(shown(RATINGS, table.players), left=(1,))


def notes(table: LeagueTable) -> list[str]:
    """Return the sentences that readers of the ratings must know."""
    sentences = (circle(table), *marked(table), *accuracy(table), anchor(table), policy(table), looks(table))
    return [*filter(None, sentences), *table.notes]


def _below(table: LeagueTable) -> list[str]:
    return [*notes(table), *sides(table), *filter(None, [test_words(table)]), state(table)]


def _scores(name: str, names: Sequence[str], pairings: Mapping[tuple[str, str], Pairing]) -> list[str]:
    own = [pairings.get((name, other)) for other in names]
    return [
        "" if name == other else percent(pairing.score if pairing is not None else None)
        for other, pairing in zip(names, own, strict=True)
    ]


def _aligned(rows: Sequence[Sequence[str]], left: Sequence[int]) -> list[str]:
    widths = [max(columns(row[index]) for row in rows) for index in range(len(rows[0]))]
    return [
        "  ".join(padded(cell, widths[index], index in left) for index, cell in enumerate(row)).rstrip() for row in rows
    ]


def padded(text: str, width: int, left: bool) -> str:
    """Return a text with blanks up to this many columns, at its end or before it."""
    blanks = " " * (width - columns(text))
    return text + blanks if left else blanks + text


def columns(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    return sum(
        0 if unicodedata.combining(each) else 2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text
    )


def fitted(text: str, width: int) -> str:
    """Return a text cut to so many columns."""
    while columns(text) > width:
        text = text[:-1]
    return text


def markdown(table: LeagueTable, title: str, command: str) -> str:
    """Return the whole table as a Markdown page; `command` plays this league."""
    names, pairings = matrix(table)
    parts = [f"# {escaped(title)}", "", f"**{escaped(verdict(table))}.**", ""]
    if command:
        parts += [f"`{command}`" if "`" not in command else command, ""]
    parts += piped(shown(RATINGS, table.players), left=(1,))
    parts += ["", *(f"{line[:1].upper()}{line[1:]}." for line in _below(table))]
    if len(names) > 2:
        head = ["score against", *names]
        parts += ["", *piped([head, *([name, *_scores(name, names, pairings)] for name in names)], left=(0,))]
    parts += ["", *piped(shown(BRAINS, table.players), left=(0,))]
    folded = piped(shown(DETAILED, table.players), left=(0,))
    return "\n".join([*parts, "", f"<details><summary>{DETAILS}</summary>", "", *folded, "", "</details>", ""])


def piped(table: Sequence[Sequence[str]], left: Sequence[int]) -> list[str]:
    """Return a table, its heading first, as lines of Markdown; the columns `left` are of words."""
    head, *rows = table
    rule = ["---" if index in left else "---:" for index in range(len(head))]
    return [f"| {' | '.join(map(escaped, row))} |" for row in (head, rule, *rows)]


def escaped(text: str) -> str:
    """Return a text that Markdown shows as it is."""
    if set(text) <= {"-", ":"}:
        return text
    return "".join(f"\\{each}" if each in "\\`*_[]<>|#&~" and not text[:1].isdigit() else each for each in text)


# The sessions that a league has kept, and pages of some of them

_NUMBER = re.compile(r"([1-9][0-9]{0,17})-([12])")
MOST_PAGES, MOST_OF_PAIRING = 100, 12
"""Pages of one league, and of two of its players; each is some 150 kB, and takes as long as a game of two scripts."""
Share = Callable[[Path, Path], object]
"""Writes the page of the session file at the first path to the second one; raises ArcadeError if it cannot."""
Number = tuple[int, int]
"""A kept session: its pair and its game, 1 or 2."""
Links = Mapping[Number, str]
"""Where kept games are, from the folder of the league."""


def kept_numbers(folder: Path, pairs: int, suffix: str = ".json") -> list[Number]:
    """Return pair and game of every session (or page, by its suffix) in a folder of the first pairs, in order.

    What is a link is none, and a folder that is one has none.
    """
    numbers = []
    try:
        with os.scandir(folder) as listing:
            names = [each.name for each in listing if each.is_file(follow_symlinks=False)]
    except OSError:
        return []
    for name in names if not folder.is_symlink() else ():
        number = _NUMBER.fullmatch(name.removesuffix(suffix))
        if name.endswith(suffix) and number is not None and int(number[1]) <= pairs:
            numbers.append((int(number[1]), int(number[2])))
    return sorted(numbers)


def links_of(folder: Path, pairs: int) -> dict[Number, str]:
    """Return where each kept game of the first pairs is: its page if there is one, else its session file."""
    sessions = {(pair, game): f"{SESSIONS}/{pair}-{game}.json" for pair, game in kept_numbers(folder / SESSIONS, pairs)}
    pages = {(pair, game): f"{PAGES}/{pair}-{game}.html" for pair, game in kept_numbers(folder / PAGES, pairs, ".html")}
    return dict(sorted({**sessions, **pages}.items()))


def page_of(folder: Path, number: Number) -> Path:
    """Return where the page of a kept session is, or would be."""
    return folder / PAGES / f"{number[0]}-{number[1]}.html"


def write_pages(
    folder: Path,
    plan: LeaguePlan,
    numbers: Sequence[Number],
    share: Share,
    best: Sequence[Number] = (),
    out: Path | None = None,
) -> None:
    """Write the pages that the league lacks, of the `best` games first; raise ArcadeError if there can be no folder.

    `out` is the folder in which they are wanted, else the league's. A session of which no page can be made has none.
    """
    out = out or folder
    chosen = chosen_of(plan, [*best, *(number for number in numbers if number not in best)])
    try:
        if chosen:
            (out / PAGES).mkdir(exist_ok=True)
    except OSError as error:
        raise ArcadeError(f"pages cannot be written ({error.strerror}); make room and go on with --resume") from None
    for number in chosen:
        page = page_of(out, number)
        with suppress(ArcadeError):  # the report then links to the session file
            if not page.exists():
                share(folder / SESSIONS / f"{number[0]}-{number[1]}.json", page)


def chosen_of(plan: LeaguePlan, numbers: Sequence[Number]) -> list[Number]:
    """Return the sessions that get a page: the first of every pairing, then the second of every one, and so on."""
    schedule, groups = PairSchedule(plan), dict[int, list[Number]]()
    for number in numbers:
        groups.setdefault(schedule.pairing(number[0]), []).append(number)
    turns = zip_longest(*(group[:MOST_OF_PAIRING] for group in groups.values()))
    return [number for turn in turns for number in turn if number is not None][:MOST_PAGES]
