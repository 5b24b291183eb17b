"""The command line; what a subcommand needs is imported when it runs, so that --help costs next to nothing."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TextIO

from batllm_arcade.video.arguments import add_arguments, whole_number

if TYPE_CHECKING:
    from batllm_arcade.plugin.manager import Plugins
    from batllm_arcade.session.live_session import Console, SessionPlan
    from batllm_arcade.settings.config import Config


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; the exit code is 0 done, 1 failed or lost something, 2 bad arguments or files."""
    options = _parser().parse_args(arguments)
    from batllm_arcade.errors import ArcadeError, UsageError

    try:
        command: Callable[[argparse.Namespace], int] = options.run
        return command(options)
    except UsageError as error:
        return _complain(error, 2)
    except ArcadeError as error:
        return _complain(error, 1)
    except KeyboardInterrupt:
        return _complain("stopped", 1)
    except BrokenPipeError:
        sys.stderr.close()
        return 1


def _complain(what: object, code: int) -> int:
    print(f"batllm-arcade: {what}", file=sys.stderr)
    return code


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """One line, without the usage."""
        self.exit(2, f"batllm-arcade: {message} (see '{self.prog} --help')\n")


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_given: object) -> NoReturn:
        """Look it up only when it is asked for: that costs more than --help."""
        from batllm_arcade.session.version import program

        print(program())
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="batllm-arcade",
        description="Two bots fight, and a plugin decides for each. "
        "Without a command the arcade opens; it takes the options of play.",
    )
    parser.set_defaults(run=_arcade)
    parser.add_argument("--version", action=_Version, nargs=0, help="say which version this is")
    _match_options(parser, hidden=True)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    play = commands.add_parser("play", help="straight into a match, in a window")
    _match_options(play)
    play.add_argument("--record", type=Path, metavar="OUT", help="film the window into this file, an .mp4")
    play.set_defaults(run=_play)
    run = commands.add_parser("run", help="play without a window")
    _match_options(run)
    run.add_argument("--json", action="store_true", help="one JSON object per game on standard output")
    run.add_argument("--plays", action="store_true", help="a line per play on standard error, not the conversations")
    run.add_argument("--quiet", action="store_true", help="nothing but who won each game on standard error")
    run.set_defaults(run=_run)
    replay = commands.add_parser("replay", help="watch a recorded session in a window")
    replay.add_argument("file", type=Path, metavar="FILE", help="a session file or its journal")
    replay.set_defaults(run=_replay)
    verify = commands.add_parser("verify", help="play a recorded session again and compare it with the file")
    verify.add_argument("file", type=Path, metavar="FILE", help="a session file or its journal")
    verify.set_defaults(run=_verify)
    video = commands.add_parser("video", help="make a film of a recorded session")
    add_arguments(video)
    video.set_defaults(run=_video)
    taken = commands.add_parser("import", help="make a session file of one saved by the original game")
    taken.add_argument("file", type=Path, metavar="FILE", help="a saved session of BatLLM, schema 2")
    taken.add_argument("-o", "--out", type=Path, metavar="OUT", help="the file to write (else one in your data folder)")
    taken.add_argument("--force", action="store_true", help="overwrite an existing session file")
    taken.set_defaults(run=_import)
    transcript = commands.add_parser("transcript", help="print a recorded session as the bots' conversations")
    transcript.add_argument("file", type=Path, metavar="FILE", help="a session file or its journal")
    transcript.add_argument("--seat", choices=("left", "right"), help="one bot's conversation (else both in one)")
    transcript.add_argument("--json", action="store_true", help="the arrays themselves, one JSON object per game")
    transcript.set_defaults(run=_transcript)
    brains = commands.add_parser("brains", help="what is installed, and whether each could play now")
    brains.add_argument("--config", metavar="NAME|FILE", default=argparse.SUPPRESS, help="whose plugins_dir to look in")
    brains.add_argument(
        "--plugins-dir", type=Path, metavar="DIR", default=argparse.SUPPRESS, help="load your plugins from this folder"
    )
    brains.set_defaults(run=_brains)
    return parser


def _match_options(parser: argparse.ArgumentParser, *, hidden: bool = False) -> None:
    def add(*names: str, **how: object) -> None:
        if hidden:
            how["help"] = argparse.SUPPRESS
        else:  # what is given before the command counts too; a default here would overwrite it
            how["default"] = argparse.SUPPRESS
        parser.add_argument(*names, **how)  # type: ignore[arg-type]

    add("--config", metavar="NAME|FILE", help="default, couch, classic, or a YAML file")
    add("--left", metavar="BRAIN", help="who plays left: NAME or NAME:VARIANT,key=value,...")
    add("--right", metavar="BRAIN", help="who plays right")
    add("--seed", type=_seed, help="the same seed and the same answers give the same games")
    add("--games", type=_count, default=1, help="how many games (1)")
    add("--rounds", type=_count, help="rounds a game")
    add("--turns", type=_count, help="turns a round")
    add("--left-prompt", metavar="TEXT|@FILE", help="the left player's prompt")
    add("--right-prompt", metavar="TEXT|@FILE", help="the right player's prompt")
    add("--history", type=Path, metavar="FILE", help="the session file to write (else one in your data folder)")
    add("--plugins-dir", type=Path, metavar="DIR", help="load your plugins from this folder")
    add("--force", action="store_true", help="overwrite an existing session file")


def _count(text: str) -> int:
    return whole_number(text, 1, 1_000_000)


def _seed(text: str) -> int:
    return whole_number(text, 1 - 10**18, 10**18 - 1)


def _config(options: argparse.Namespace, default: str) -> Config:
    from dataclasses import replace

    from batllm_arcade.settings import config as configuration

    config = configuration.load(options.config or default)
    config = configuration.with_lengths(config, options.rounds, options.turns)
    given = (options.left_prompt, options.right_prompt)
    left, right = (
        old if new is None else configuration.prompt_text(new) for old, new in zip(config.prompts, given, strict=True)
    )
    return replace(config, prompts=(left, right), plugins_dir=options.plugins_dir or config.plugins_dir)


def _plan(
    options: argparse.Namespace, config: Config, seats: tuple[str | None, str | None], console: Console
) -> SessionPlan:
    from batllm_arcade.brains.protocol import Spec
    from batllm_arcade.errors import UsageError
    from batllm_arcade.history.writer import check_way
    from batllm_arcade.session import live_session as session

    chosen = []
    written = (options.left, options.right)
    for name, given, configured, default in zip(("left", "right"), written, config.seats, seats, strict=True):
        spec = Spec.parse(given) if given is not None else configured or (Spec.parse(default) if default else None)
        if spec is None:
            raise UsageError(f"nobody plays {name}; add --{name} BRAIN ('batllm-arcade brains' lists them)")
        chosen.append(spec)
    if options.history:
        check_way(options.history, force=options.force)
    return session.SessionPlan(
        config=config,
        seats=(chosen[0], chosen[1]),
        seed=session.new_seed() if options.seed is None else options.seed,
        games=options.games,
        history=options.history or session.new_history_file(),
        console=console,
        force=options.force,
    )


def _plugins(config: Config) -> Plugins:
    from batllm_arcade.plugin import manager

    plugins = manager.load(config.plugins_dir)
    for problem in plugins.problems:
        _complain(problem, 0)
    return plugins


def _run(options: argparse.Namespace) -> int:
    from contextlib import redirect_stdout

    from batllm_arcade.session import headless

    out = _own_output() if options.json else sys.stdout
    with redirect_stdout(sys.stderr):  # standard output is for --json alone, whatever a plugin prints
        config = _config(options, "default")
        plugins = _plugins(config)
        console: Console = "" if options.quiet else "plays" if options.plays else "conversation"
        plan = _plan(options, config, (None, None), console=console)
        return headless.run(plan, plugins, out=out if options.json else None)


def _own_output() -> TextIO:
    """Standard output for the program alone: what plugins and their children write there goes to standard error."""
    import os

    if sys.stdout is not sys.__stdout__:
        return sys.stdout  # taken over already, by a test or another program
    own = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return own


def _play(options: argparse.Namespace) -> int:
    from batllm_arcade.app import application, recording

    config = _config(options, "couch")
    plugins = _plugins(config)
    if options.record is not None:
        recording.check(options.record, force=options.force)
    return application.play(_plan(options, config, ("keyboard", "embedded"), console=""), plugins, options.record)


def _arcade(options: argparse.Namespace) -> int:
    from batllm_arcade.app import application

    config = _config(options, "couch")
    plugins = _plugins(config)
    return application.arcade(_plan(options, config, ("keyboard", "embedded"), console=""), plugins)


def _replay(options: argparse.Namespace) -> int:
    from batllm_arcade.app import application

    return application.replay(options.file)


def _verify(options: argparse.Namespace) -> int:
    from batllm_arcade.history import summary
    from batllm_arcade.history.reader import read
    from batllm_arcade.history.replay import verify
    from batllm_arcade.history.writer import journal_of

    session = read(options.file)
    differences = list(verify(session))
    for difference in differences[:10]:
        print(difference)
    if len(differences) > 10:
        print(f"... and {summary.counted(len(differences) - 10, 'more difference')}")
    if differences:
        return 1
    journal = options.file.name.endswith(".journal") or (session.end is None and journal_of(options.file).exists())
    remark = summary.unfinished(session, journal)
    print(f"{options.file.name!r}: {summary.contents(session)}, all as recorded{remark}")
    return 0


def _import(options: argparse.Namespace) -> int:
    from batllm_arcade.errors import UsageError
    from batllm_arcade.history import original_import, summary
    from batllm_arcade.history.loader import load
    from batllm_arcade.history.reader import session_of
    from batllm_arcade.history.writer import SessionWriter, make_way
    from batllm_arcade.session.live_session import new_history_file

    found = original_import.taken(load(options.file), options.file.name)
    out = options.out or new_history_file()
    if out.resolve() == options.file.resolve():
        raise UsageError(f"{str(out)!r} is the file that is taken over; name another one to write")
    make_way(out, force=options.force)
    writer = SessionWriter(out)
    for record in found.records:
        writer.notify(record)
    print(f"{options.file.name!r}: {summary.contents(session_of(found.session))} taken over")
    for sentence in found.report.sentences():
        print(sentence)
    print(f"session: {out}", file=sys.stderr)
    return 0


def _video(options: argparse.Namespace) -> int:
    from batllm_arcade.video import options as video_options

    return video_options.film(options)


def _transcript(options: argparse.Namespace) -> int:
    from batllm_arcade.history.reader import read
    from batllm_arcade.history.replay import replay
    from batllm_arcade.match import transcript

    records = replay(read(options.file))
    seat = None if options.seat is None else ("left", "right").index(options.seat)
    for line in transcript.all_json(records, seat) if options.json else transcript.all_lines(records, seat):
        # A terminal without the letters gets them spelt out.
        text_renderer = sys.stdout.encoding or "utf-8"
        print(line.encode(text_renderer, "backslashreplace").decode(text_renderer))
    return 0


def _brains(options: argparse.Namespace) -> int:
    from dataclasses import replace

    from batllm_arcade.plugin import availability
    from batllm_arcade.settings import config as configuration

    config = configuration.load(options.config or "default")
    config = replace(config, plugins_dir=options.plugins_dir or config.plugins_dir)
    for line in availability.lines(_plugins(config).kinds):
        print(line)
    return 0
