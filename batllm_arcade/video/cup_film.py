"""A cup's film, and the poster of who has won it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from batllm_arcade.cup.folder import POSTER, KeptCup
from batllm_arcade.cup.output import capital, lead, scores, title_of
from batllm_arcade.cup.tree import Tree, champion, round_name
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.history.reader import read
from batllm_arcade.history.replay import replay
from batllm_arcade.history.schema import HistoryError
from batllm_arcade.league.kept_files import SESSIONS
from batllm_arcade.session.recorded import open_recorded
from batllm_arcade.video.draw.cards import write_picture
from batllm_arcade.video.draw.winner import Step, WinnerCard, winner_picture
from batllm_arcade.video.edit.cards import UNTOLD, opening_card
from batllm_arcade.video.edit.text import told_apart
from batllm_arcade.video.film_job import MessageCallback
from batllm_arcade.video.film_plan import FilmPlan
from batllm_arcade.video.render_job import Evening, Game, HighlightsJob, games_of
from batllm_arcade.view.timeline import Timeline

POSTER_SIZE = (1280, 720)
MOST_GAMES = 15
"""Games of a cup that a film shows at most: the last one, and those in which there is most to see."""


def winner_poster(cup: KeptCup) -> Path:
    """Write the poster of who has won a cup into its folder, in one step, and return where it is.

    The cup's page shows it where it was there before the results were written. Raise UsageError while nobody has won,
    ArcadeError if the disk does not take it.
    """
    card, out = winner_card(cup), cup.folder / POSTER
    if card is None:
        raise UsageError("nobody has won this cup; play it to its end")
    try:
        write_picture(winner_picture(card, POSTER_SIZE), out, force=True)
    except OSError as error:
        raise ArcadeError(f"the poster cannot be written ({error.strerror}); make room and try again") from None
    return out


def winner_card(cup: KeptCup) -> WinnerCard | None:
    """Return what the poster says, None while nobody has won; without the session of the last game it says less."""
    tree = cup.tree
    name = champion(tree)
    if name is None:
        return None
    way, seat, told, day = list[Step](), 0, "", ""
    for match in (match for matches in tree for match in matches if match.winner == name):
        if match.loser is not None:
            shown = "left" if match.ending == "forfeit" else " : ".join(scores(match, name))
            way.append(Step(round_name(len(tree), match.round), match.loser, shown))
    last = next((game for game in reversed(cup.games) if name in game.health), None)
    if last is not None:
        seat = 0 if last.left == name else 1
        told, day = _told(cup.folder / SESSIONS / last.session, seat)
    return WinnerCard(name, seat, told, title_of(cup.plan), day, way)


def _told(session: Path, seat: int) -> tuple[str, str]:
    """Return what the bot of a seat was told, or what played it, and on which day; "" of what cannot be read."""
    try:
        tape = read(session)
        timeline = Timeline.of(told_apart(replay(tape)))
    except (HistoryError, OSError):
        return "", ""
    day = datetime.fromisoformat(tape.start.replace("Z", "+00:00")).astimezone()
    told = opening_card(timeline, 0.0, "").sides[seat].told if timeline.segments else ""
    return "" if told in UNTOLD else told, f"{day.day} {day:%B %Y}"


# The film


def cup_film(cup: KeptCup, notice: MessageCallback) -> Callable[[FilmPlan], HighlightsJob]:
    """Return what makes the film of a cup under a plan: the best of its games in the order in which they were played.

    Raise UsageError if nothing can be shown yet.
    """
    tree, played = cup.tree, list[tuple[str, Game]]()
    for number, game in enumerate(cup.games):
        try:
            found = games_of([open_recorded(cup.folder / SESSIONS / game.session, notice)], notice)
        except (HistoryError, UsageError):
            continue
        played.append((_called(cup, tree, number), found[-1]))
    if not played:
        raise UsageError("nothing was played in this cup yet; play it, or name another one")
    if len(played) < len(cup.games):
        notice(f"{len(cup.games) - len(played)} of {len(cup.games)} games have no session that can be shown")
    best = sorted(range(len(played) - 1), key=lambda number: -played[number][1][1])[: MOST_GAMES - 1]
    shown = [*sorted(best), len(played) - 1]
    if len(shown) < len(played):
        notice(f"of {len(played)} games the last one and those are shown in which there is most to see")
    title, name = cup.plan.name, title_of(cup.plan)
    titles = [played[number][0] for number in shown]
    titles[0] = f"{title}: {titles[0].lower()}" if title else titles[0]
    evening = Evening(name, _described(cup, tree), titles, winner_card(cup))
    return lambda plan: HighlightsJob([played[number][1] for number in shown], plan, evening)


def _called(cup: KeptCup, tree: Tree, number: int) -> str:
    """Return what a game is called on its card: its round, and its number where the match has several."""
    game = cup.games[number]
    own = tree[game.round - 1][game.place - 1].games
    name = round_name(len(tree), game.round)
    return f"{name}, game {own.index(game) + 1}" if len(own) > 1 else name


def _described(cup: KeptCup, tree: Tree) -> str:
    """Return what came of a cup: who has won, and a line for each match that was played."""
    lines = [
        f"{round_name(len(tree), match.round)}: {match.names[0]} {' : '.join(scores(match))} {match.names[1]}"
        for matches in tree
        for match in matches
        if match.games
    ]
    what = f"A cup of {len(cup.plan.entrants)} in BatLLM Arcade: bots in an arena, who decide by themselves."
    return "\n".join([f"{capital(lead(cup.plan, tree))}.", "", *lines, "", what])
