"""The commands that read recorded sessions: replay, verify, analyse, compare, transcript, share, import."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from batllm_arcade.cli.arguments import add_session_file, positive
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.terminal.output import write_line
from batllm_arcade.video.arguments import TURN

if TYPE_CHECKING:
    from batllm_arcade.cli.arguments import Commands
    from batllm_arcade.history.reader import GameTape, SessionTape
    from batllm_arcade.share.shown import Selection


def add_replay(commands: Commands) -> None:
    parser = commands.add_parser("replay", help="watch a recorded session in a window")
    add_session_file(parser)
    parser.set_defaults(run=run_replay)


def run_replay(options: argparse.Namespace) -> int:
    """Open a window with the replay; return its exit code."""
    from batllm_arcade.app import launch

    return launch.replay(options.file)


_MOST_DIFFERENCES = 10
NOT_CHECKED = 3
"""The exit code where it is not checked who played, or a page, for another version of the program may have made it, or
whether states follow from each other."""


def add_verify(commands: Commands) -> None:
    parser = commands.add_parser("verify", help="play a recorded session again and compare it with the file")
    add_session_file(parser)
    parser.set_defaults(run=run_verify)


def run_verify(options: argparse.Namespace) -> int:
    """Print the first differences; return 0, 1 if there are any, NOT_CHECKED where something is not."""
    from batllm_arcade.history import summary
    from batllm_arcade.history.reader import read_with_values
    from batllm_arcade.history.verification import (
        SCRIPTED,
        ScriptedSeats,
        not_checked,
        stands_alone,
        states_alone,
        verify,
    )
    from batllm_arcade.plugin.manager import bundled_kind

    session, values = read_with_values(options.file)
    scripts = ScriptedSeats(session, bundled_kind(SCRIPTED))
    differences = [str(each) for each in verify(session, scripts)]
    of_page, compared = _page_problem(options.file, session, values, as_recorded=not differences)
    differences[:0] = [of_page] if of_page and compared else []
    for difference in differences[:_MOST_DIFFERENCES]:
        write_line(difference, sys.stdout)
    if len(differences) > _MOST_DIFFERENCES:
        write_line(f"... and {summary.counted(len(differences) - _MOST_DIFFERENCES, 'more difference')}", sys.stdout)
    if differences:
        return 1
    alone = states_alone(session)
    found = "not verified, as it tells where its bots stood, not what led them there" if alone else "all as recorded"
    all_as_recorded = f"{summary.contents(session)}, {found}{summary.remark(session)}"
    session_of = "" if compared else "the session in "
    unsure = (of_page, *scripts.sentences())
    notes = (stands_alone(session), not_checked(session))
    for sentence in filter(None, (*unsure, f"{session_of}{options.file.name!r}: {all_as_recorded}", *notes)):
        write_line(sentence, sys.stdout)
    return NOT_CHECKED if of_page or alone or scripts.open else 0


def _page_problem(file: Path, session: SessionTape, values: Any, *, as_recorded: bool) -> tuple[str, bool]:
    """Return what is wrong with a page ("" if nothing is, or it is none), and whether it could be compared.

    One whose session is not `as_recorded` is looked at for what no page holds, and not made again.
    """
    from batllm_arcade.history import reader

    page = reader.page_of(file)
    if page is None:
        return "", True
    from batllm_arcade.share.page_check import NOT_COMPARED, foreign_markup, page_difference

    problem = page_difference(page, session, values) if as_recorded else foreign_markup(page)
    return problem, problem != NOT_COMPARED


_MANY_PLAYS = 400
"""Plays from which on it is said how far it is."""


def add_analyse(commands: Commands) -> None:
    parser = commands.add_parser("analyse", help="each side's chance after every play, and what would have been best")
    add_session_file(parser)
    parser.add_argument("--game", type=positive, metavar="N", help="only this game (else all of them)")
    parser.add_argument("--json", action="store_true", help="as one JSON object")
    parser.set_defaults(run=run_analyse)


def run_analyse(options: argparse.Namespace) -> int:
    """Print the analysis; return 0."""
    from batllm_arcade.analysis.session import analyse, games_of, lines
    from batllm_arcade.session.recorded import open_recorded

    session = open_recorded(options.file)
    analysis = analyse(session, options.game, report_progress)
    if options.json:
        write_line(json.dumps(analysis), sys.stdout)
        return 0
    for game, tape in zip(analysis["games"], games_of(session, options.game), strict=True):
        for line in lines(game, (tape.seats[0].name, tape.seats[1].name)):
            write_line(line, sys.stdout)
        write_line(f"  {_turning_point(session, tape, game)}", sys.stdout)
    return 0


def _turning_point(session: SessionTape, tape: GameTape, analysed: dict[str, Any]) -> str:
    from batllm_arcade.analysis.game import judgements
    from batllm_arcade.history.replay import replay
    from batllm_arcade.story.games import games_of
    from batllm_arcade.story.moments import turning
    from batllm_arcade.story.sentences import say

    (game,) = games_of(replay(replace(session, games=(tape,))))
    point = turning(game, judgements(analysed))
    return say("no turning") if point is None else point.sentence(game.names)


def report_progress(done: int, every: int) -> None:
    if every >= _MANY_PLAYS and done * 10 // every > (done - 1) * 10 // every:
        write_line(f"analysed {done:,} of {every:,} plays")


def add_compare(commands: Commands) -> None:
    parser = commands.add_parser("compare", help="where two recorded sessions part, or a fork and what it comes from")
    parser.add_argument("one", type=Path, metavar="A", help="a session file or its journal")
    parser.add_argument("other", type=Path, metavar="B", help="another one")
    parser.add_argument("--json", action="store_true", help="as one JSON object")
    parser.set_defaults(run=run_compare)


def run_compare(options: argparse.Namespace) -> int:
    """Print the first play of each game that differs; return 0, or 1 if there is one."""
    from batllm_arcade.history.comparison import as_json, compare, lines
    from batllm_arcade.session.recorded import open_recorded

    games = compare(open_recorded(options.one), open_recorded(options.other))
    equal = all(game.equal for game in games)
    if options.json:
        values = {"equal": equal, "games": [as_json(game) for game in games]}
        write_line(json.dumps(values), sys.stdout)
    else:
        for game in games:
            for line in lines(game, (options.one.name, options.other.name)):
                write_line(line, sys.stdout)
    return 0 if equal else 1


def add_transcript(commands: Commands) -> None:
    parser = commands.add_parser("transcript", help="print a recorded session as the bots' conversations")
    add_session_file(parser)
    parser.add_argument("--seat", choices=("left", "right"), help="one bot's conversation (else both in one)")
    parser.add_argument("--json", action="store_true", help="the arrays themselves, one JSON object per game")
    parser.set_defaults(run=run_transcript)


def run_transcript(options: argparse.Namespace) -> int:
    """Print the conversations; return 0."""
    from batllm_arcade.history.replay import replay
    from batllm_arcade.match import transcript
    from batllm_arcade.session.recorded import open_recorded

    records = replay(open_recorded(options.file))
    seat = None if options.seat is None else ("left", "right").index(options.seat)
    for line in transcript.all_json(records, seat) if options.json else transcript.all_lines(records, seat):
        write_line(line, sys.stdout)
    return 0


def add_share(commands: Commands) -> None:
    parser = commands.add_parser("share", help="make one web page that replays a recorded session anywhere")
    add_session_file(parser)
    add = parser.add_argument
    add("-o", "--output", type=Path, metavar="PAGE", required=True, help="the page, such as match.html")
    add("--game", type=positive, metavar="N", help="only this game (else all of them)")
    add("--from", metavar="TURN", help=f"from this turn on: {TURN}")
    add("--to", metavar="TURN", help="up to the end of this turn")
    add("--title", default="", metavar="TEXT", help="the page's title (else who plays whom)")
    add("--url", metavar="ADDRESS", help="where it will be: a picture is written beside it for posts with that address")
    add("--autoplay", action="store_true", help="it starts by itself")
    add("--loop", action="store_true", help="it begins again at its end")
    add("--embed", action="store_true", help="without a frame, for an iframe")
    add("--force", action="store_true", help="overwrite an existing file")
    parser.set_defaults(run=run_share)


def run_share(options: argparse.Namespace) -> int:
    """Write the page; return 0."""
    from batllm_arcade.files.paths import check_output
    from batllm_arcade.files.reading import argument_text
    from batllm_arcade.share.page import checked_address, picture_of
    from batllm_arcade.share.shown import PageLook, Selection
    from batllm_arcade.share.write import write_page
    from batllm_arcade.video.edit.selection import parse_turn_option

    chosen = Selection(
        options.game, parse_turn_option("--from", getattr(options, "from")), parse_turn_option("--to", options.to)
    )
    look = PageLook(argument_text(options.title), options.autoplay, options.loop, options.embed)
    if options.url is not None:
        picture = picture_of(options.output)
        look = replace(look, url=checked_address(argument_text(options.url)), picture=picture.name)
        check_output(picture, force=options.force)
    written = write_page(options.file, options.output, chosen, look, force=options.force)
    if options.url is not None:
        _write_page_picture(written.path, chosen, look.title, force=options.force)
    write_line(written.sentence, sys.stderr)
    return 0


def _write_page_picture(page: Path, chosen: Selection, title: str, *, force: bool) -> None:
    import batllm_arcade.render  # noqa: F401 - first, for it imports pygame
    from batllm_arcade.history.reader import read
    from batllm_arcade.share.page import SIZE, picture_of
    from batllm_arcade.share.shown import Shown
    from batllm_arcade.video.draw.cards import fight_poster, write_picture

    shown, out = Shown(read(page), chosen), picture_of(page)
    try:
        poster = fight_poster(shown.timeline, [(shown.start, shown.end)], title, SIZE)
        write_picture(poster, out, force=force)
    except OSError as error:
        raise ArcadeError(f"{str(out)!r} cannot be written: {error.strerror}") from None


def add_import(commands: Commands) -> None:
    parser = commands.add_parser("import", help="make a session file of one saved by the original game")
    parser.add_argument("file", type=Path, metavar="FILE", help="a session of BatLLM: schema 2, 3 or a list of games")
    parser.add_argument(
        "-o", "--out", type=Path, metavar="OUT", help="the file to write (else one in your data folder)"
    )
    parser.add_argument("--force", action="store_true", help="overwrite an existing session file")
    parser.set_defaults(run=run_import)


def run_import(options: argparse.Namespace) -> int:
    """Write the session file and print what the two games do not agree about; return 0."""
    from batllm_arcade.history import summary
    from batllm_arcade.history.original_import import import_session
    from batllm_arcade.history.paths import clear_session_path
    from batllm_arcade.history.reader import load_with_source, session_of
    from batllm_arcade.history.writer import SessionWriter
    from batllm_arcade.session.live_session import new_history_file

    values, source, *_ = load_with_source(options.file)
    taken_over = import_session(values, source.name)
    contents = summary.contents(session_of(taken_over.session))  # raises before anything is written
    out = options.out or new_history_file()
    if out.resolve() == options.file.resolve():
        raise UsageError(f"{str(out)!r} is the file that is taken over; name another one to write")
    clear_session_path(out, force=options.force)
    writer = SessionWriter(out)
    for record in taken_over.records:
        writer.notify(record)
    write_line(f"{options.file.name!r}: {contents} taken over", sys.stdout)
    for sentence in taken_over.report.sentences():
        write_line(sentence, sys.stdout)
    write_line(f"session: {out}")
    return 0
