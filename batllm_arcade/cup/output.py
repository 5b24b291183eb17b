"""What has come of a cup: places, and the files that show them, called as a league's are."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from html import escape
from pathlib import Path, PurePath
from typing import Any

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.cup.folder import POSTER, KeptCup
from batllm_arcade.cup.tree import CupGame, CupPlan, Match, Tree, champion, is_over, round_name
from batllm_arcade.errors import ArcadeError
from batllm_arcade.files.atomic import write_text
from batllm_arcade.league.kept_files import MARKDOWN, PAGE, PAGES, SESSIONS, TABLE
from batllm_arcade.league.output.report import document, grid, player_cards, sentence
from batllm_arcade.league.output.words import MOST_PAGES, Share, escaped, piped

SCHEMA = "batllm_arcade.cup_table.v1"


# Places


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """How somebody has done: `places` are the first and the last of those that are shared, None for who is still in.

    Games were won, drawn and lost; `how` tells in words how it ended.
    """

    name: str
    brain: str
    places: tuple[int, int] | None
    wins: int
    draws: int
    losses: int
    how: str

    @property
    def place(self) -> str:
        """Return the place in words: `1`, `3-4`, `-`."""
        return "-" if self.places is None else "-".join(map(str, dict.fromkeys(self.places)))


def results(plan: CupPlan, tree: Tree) -> list[PlayerResult]:
    """Return how everybody has done, the best first; who is still in comes before who is out."""
    every, found = [match for matches in tree for match in matches], []
    for entrant in plan.entrants:
        name, brain = entrant.name, Spec.parse(entrant.brain).short  # without options and folders
        own = [match for match in every if name in match.names]
        winners = [game.winner for match in own for game in match.games]
        won, drawn = winners.count(name), winners.count(None)
        out = next((match for match in own if match.ending and match.winner != name), None)
        places, how = None, "still in"
        if out is not None:
            worse = len(tree) - out.round
            places, how = (2**worse + 1, min(2 ** (worse + 1), len(plan.entrants))), _how(name, out, len(tree))
        elif champion(tree) == name:
            places, how = (1, 1), "won the cup"
        found.append(PlayerResult(name, brain, places, won, drawn, len(winners) - won - drawn, how))
    return sorted(found, key=lambda each: each.places or (0, 0))


def scores(match: Match, name: str = "") -> tuple[str, str]:
    """Return how a match stands: the health left after its only game, how many of several each has won.

    `name` is whose figure comes first, else that of the match's first name.
    """
    if not match.games:
        return "", ""
    names = [each or "" for each in match.names]
    figures = match.games[0].health if len(match.games) == 1 else dict(zip(names, match.wins, strict=True))
    one, other = (f"{figures.get(each, 0):g}" for each in names)
    return (other, one) if name and name == names[1] else (one, other)


def score(match: Match, name: str) -> str:
    """Return the score as `name` sees it, `health 62 : 18` or `games 2 : 1`; "" where no game was played."""
    one, other = scores(match, name)
    return f"{'health' if len(match.games) == 1 else 'games'} {one} : {other}" if one else ""


def _how(name: str, out: Match, rounds: int) -> str:
    """Return how somebody went out by a match."""
    where = f"in {_the(rounds, out.round)}"
    if out.ending != "games":
        return f"left {where}"
    shown = "by the health left" if out.wins[0] == out.wins[1] else score(out, name)
    return f"beaten by {out.winner} {where}, {shown}"


def _the(rounds: int, number: int) -> str:
    """Return a round within a sentence: `the final`, `round 1`."""
    name = round_name(rounds, number).lower()
    return name if name.startswith("round") else f"the {name}"


def title_of(plan: CupPlan) -> str:
    """Return what a cup is called: its name, else how many take part under which configuration."""
    return plan.name or f"A cup of {len(plan.entrants)}, {PurePath(plan.config).stem}"


def lead(plan: CupPlan, tree: Tree) -> str:
    """Return how a cup stands, in a sentence without a full stop."""
    winner, final = champion(tree), tree[-1][0]
    if winner is not None:
        other = final.loser
        if other is None or final.ending != "games":
            return f"{winner} has won the cup"
        shown = "by the health left" if final.wins[0] == final.wins[1] else score(final, winner)
        return f"{winner} has won the cup: {shown} against {other} in the final"
    if is_over(tree):
        return "all have left, so nobody has won"
    left = sum(not match.ending for matches in tree for match in matches)
    return f"matches still to be played: {left} of {len(plan.entrants) - 1}"


# Files


def values_of(plan: CupPlan, tree: Tree) -> dict[str, Any]:
    """Return what `table.json` holds: figures, names and brains, without folders and secrets."""
    return {
        "schema": SCHEMA,
        "name": plan.name,
        "best_of": plan.best_of,
        "config": PurePath(plan.config).stem,
        "seed": plan.seed,
        "complete": is_over(tree),
        "champion": champion(tree),
        "players": [asdict(each) for each in results(plan, tree)],
        "matches": [asdict(match) for matches in tree for match in matches],
    }


def write_results(cup: KeptCup, share: Share | None = None) -> None:
    """Write the files of what has been played so far, each in one step.

    `share` writes the pages that games lack, those of the last rounds first; one that cannot be made is left out.
    A thread beside the one that plays the cup gives it what `KeptCup.read` returns.
    Raise ArcadeError if the disk does not take the files.
    """
    folder, tree = cup.folder, cup.tree
    try:
        if share is not None:
            _write_pages(folder, tree, share)
        write_text(folder / TABLE, [json.dumps(values_of(cup.plan, tree)), "\n"])
        write_text(folder / MARKDOWN, [markdown(cup.plan, tree)])
        write_text(folder / PAGE, [report_page(cup, tree)])
    except OSError as error:
        raise ArcadeError(f"the cup's results cannot be written ({error.strerror}); make room and go on") from None


def _write_pages(folder: Path, tree: Tree, share: Share) -> None:
    (folder / PAGES).mkdir(exist_ok=True)
    games = [game for matches in tree for match in matches for game in match.games]
    for game in games[-MOST_PAGES:][::-1]:
        page = folder / _page_of(game)
        if not page.exists():
            with suppress(ArcadeError):  # the report then links to the session file
                share(folder / SESSIONS / game.session, page)


def _page_of(game: CupGame) -> str:
    return f"{PAGES}/{game.session.removesuffix('.json')}.html"


# The table in words, and the page

_NOTE = (
    "Games are won, drawn and lost. There are no ratings: a handful of games says nothing on who is stronger; "
    "a league does"
)
_BEST_OF = {1: "one game decides a match", 3: "who first wins two games wins a match"}


def table_rows(plan: CupPlan, tree: Tree) -> list[list[str]]:
    """Return the table, its heading first."""
    rows = [[each.place, each.name, f"{each.wins} - {each.draws} - {each.losses}", each.how]
            for each in results(plan, tree)]  # fmt: skip
    return [["#", "player", "games", "how it ended"], *rows]


def markdown(plan: CupPlan, tree: Tree) -> str:
    """Return places and matches as a Markdown page."""
    parts = [f"# {escaped(title_of(plan))}", "", f"**{escaped(capital(lead(plan, tree)))}.**", ""]
    parts += [*piped(table_rows(plan, tree), left=(1, 3)), "", f"{_NOTE}."]
    for matches in tree:
        head = [round_name(len(tree), matches[0].round), "", "", "won by"]
        lines = [[match.names[0] or "-", " : ".join(filter(None, scores(match))), match.names[1] or "-",
                  match.winner or ""] for match in matches if match.ending != "bye"]  # fmt: skip
        parts += ["", *piped([head, *lines], left=(0, 2, 3))] if lines else []
    return "\n".join([*parts, ""])


def report_page(cup: KeptCup, tree: Tree) -> str:
    """Return the cup's page: who has won, the tree with links to its games, places, and who was told what."""
    plan = cup.plan
    head, *rows = table_rows(plan, tree)
    told = [cup.entrant(each.name) for each in plan.entrants]
    winner = champion(tree)
    poster = f'<img class="poster" src="{POSTER}" alt="{escape(str(winner))} has won the cup">'
    parts = [
        f'<p class="lead">{escape(capital(lead(plan, tree)))}.</p>',
        sentence(f"{len(told)} players, {PurePath(plan.config).stem}; {_BEST_OF[plan.best_of]}"),
        "</header>",
        poster if winner is not None and (cup.folder / POSTER).is_file() else "",
        f'<h2>Matches</h2><div class="scroll"><div class="tree">{_tree(tree, cup.folder)}</div></div>',
        f"<h2>Places</h2>{grid(head, rows, text=(1, 3), bold=(1,), wraps=True)}{sentence(_NOTE, 'note')}",
        f"<h2>Players</h2>{player_cards(replace(each, brain=Spec.parse(each.brain).short) for each in told)}",
    ]
    return document(title_of(plan), "CUP", parts)


def capital(text: str) -> str:
    """Return a text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def _tree(tree: Tree, folder: Path) -> str:
    rounds = []
    for matches in tree:
        shown = "".join(f'<div class="slot">{_match(match, folder)}</div>' for match in matches)
        name = round_name(len(tree), matches[0].round)
        rounds.append(f'<div class="round"><h3>{name}</h3><div class="slots">{shown}</div></div>')
    return "".join(rounds)


def _match(match: Match, folder: Path) -> str:
    if match.ending == "bye":
        name = f'<div class="won"><span>{escape(match.winner or "-")}</span><b></b></div>'
        return f'<div class="match bye">{name}<p>goes through</p></div>'
    sides = "".join(
        f'<div class="{"won" if name and name == match.winner else "lost" if match.ending else "open"}">'
        f"<span>{escape(name or '-')}</span><b>{shown}</b></div>"
        for name, shown in zip(match.names, scores(match), strict=True)
    )
    games = [
        f'<a href="{_address(folder, game)}">{"watch" if len(match.games) == 1 else f"game {number}"}</a>'
        for number, game in enumerate(match.games, 1)
    ]
    told = [*games, *(["forfeit"] if match.ending == "forfeit" else [])]
    return f'<div class="match">{sides}<p>{" ".join(told)}</p></div>'


def _address(folder: Path, game: CupGame) -> str:
    """Return where a game is, from the cup's folder: its page if there is one, else its session file."""
    page = _page_of(game)
    return page if (folder / page).is_file() else f"{SESSIONS}/{game.session}"
