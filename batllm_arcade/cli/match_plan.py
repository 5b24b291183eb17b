"""Which match a command plays: its options to a configuration, plugins and a plan."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.errors import UsageError
from batllm_arcade.files.reading import argument_text
from batllm_arcade.history.paths import check_session_path, sessions_folder
from batllm_arcade.isolation.sandbox import AUTO, here
from batllm_arcade.match.runner import Fork
from batllm_arcade.plugin import manager
from batllm_arcade.plugin.isolated import Isolate, IsolationChoice
from batllm_arcade.seats.brain_thread import Kinds
from batllm_arcade.session.live_session import Console, SessionPlan, fork_config, fork_seats, new_history_file, new_seed
from batllm_arcade.session.recorded import recorded_game
from batllm_arcade.settings import config as configuration
from batllm_arcade.settings.config import Config
from batllm_arcade.settings.foreign import Recorded, own_origins
from batllm_arcade.terminal.output import complain


def as_recorded(seats: Iterable[Spec], config: Config, options: argparse.Namespace) -> tuple[Config, int | None]:
    """Return the configuration and the seed of a match, which are those of its first cassette unless they are given."""
    game = recorded_game(seats)
    if game is None:
        return config, options.seed
    if options.config is None:
        config = replace(config, rules=game.rules)
        config = configuration.with_lengths(config, options.rounds, options.turns)
    if game.rounds and options.left_prompt is None and options.right_prompt is None:
        config = replace(config, prompts=game.rounds[0].prompts)
    return config, game.seed if options.seed is None else options.seed


def settle_paths(options: argparse.Namespace) -> None:
    """Check the session file and make its path absolute, before a plugin can change the current folder.

    Raise UsageError if it cannot be written.
    """
    options.history_name = ""
    if options.history:
        check_session_path(options.history, force=options.force)
        options.history_name, options.history = str(options.history), options.history.absolute()


def config_of(options: argparse.Namespace, default: str) -> Config:
    """Return the configuration chosen, else the default, with lengths, prompts and plugins as the options say."""
    config = configuration.load(options.config or default)
    config = configuration.with_lengths(config, options.rounds, options.turns)
    given = (options.left_prompt, options.right_prompt)
    left, right = (
        old if new is None else configuration.prompt_text(new) for old, new in zip(config.prompts, given, strict=True)
    )
    return replace(config, prompts=(left, right), plugins_dir=options.plugins_dir or config.plugins_dir)


def isolation_of(options: argparse.Namespace) -> IsolationChoice:
    """Return whose bots run in processes of their own, and how these are isolated.

    Raise UsageError for options that contradict each other, and for a sandbox where none can be made.
    """
    mode = options.isolation
    inside = "--trust-plugins" if options.trust_plugins else "--isolation none" if mode == "none" else ""
    if inside and options.isolate:
        raise UsageError(f"{inside} and --isolate contradict each other; leave one of them out")
    if options.trust_plugins and mode not in (None, "none"):
        raise UsageError(f"--trust-plugins and --isolation {mode} contradict each other; leave one of them out")
    if options.always and not options.trust:
        raise UsageError("--always remembers whom you trust; name the file with --trust NAME")
    if mode == "sandbox":
        here(mode)
    whose: Isolate = "nothing" if inside else "all" if options.isolate else "files"
    choice = IsolationChoice(
        whose, mode or AUTO, replaced=tuple(options.replace), remember=options.always, strict=mode == "sandbox",
        without=tuple(options.without),
    )  # fmt: skip
    return choice.trusting(options.trust)


def load_plugins(config: Config, choice: IsolationChoice) -> manager.Plugins:
    """Load all plugins; what cannot be loaded and which of them run inside the program is said on standard error."""
    plugins = manager.load(config.plugins_dir, choice)
    for name in choice.without:
        if name not in plugins.left_out:
            raise UsageError(f"no plugin {name!r} can be left out; 'batllm-arcade plugins' lists those there are")
    for sentence in (*plugins.problems, *plugins.notes):
        complain(sentence)
    return plugins


def config_and_plugins(options: argparse.Namespace, default: str) -> tuple[Config, manager.Plugins]:
    """Return the configuration of a match and its plugins, loaded when all paths are settled."""
    settle_paths(options)
    config = config_of(options, default)
    return config, load_plugins(config, isolation_of(options))


def plan_of(
    options: argparse.Namespace,
    config: Config,
    defaults: tuple[str | None, str | None],
    console: Console = "",
    *,
    problems: list[str] | None = None,
) -> SessionPlan:
    """Return the session to play; `defaults` are the brains of seats that nobody named.

    Raise UsageError if a seat has no brain or the data folder cannot be written; with `problems` that is one more of
    them, and only a match that is begun is refused.
    """
    chosen = []
    written = (options.left, options.right)
    for name, given, configured, default in zip(("left", "right"), written, config.seats, defaults, strict=True):
        spec = written_spec(given) if given is not None else configured or (Spec.parse(default) if default else None)
        if spec is None:
            raise UsageError(f"nobody plays {name}; add --{name} BRAIN ('batllm-arcade brains' lists them)")
        chosen.append(spec)
    config, seed = as_recorded(chosen, config, options)
    return SessionPlan(
        config=config,
        seats=(chosen[0], chosen[1]),
        seed=new_seed() if seed is None else seed,
        games=options.games,
        history=options.history or _new_history(problems),
        console=console,
        force=options.force,
        history_name=options.history_name,
        bot_logs=getattr(options, "log", False),
    )


def written_spec(given: str) -> Spec:
    """Return a brain as written on the command line; its name is a text, whatever the locale says."""
    spec = Spec.parse(given)
    name = spec.text("name")
    return replace(spec, options={**spec.options, "name": argument_text(name)}) if name else spec


def _new_history(problems: list[str] | None) -> Path:
    try:
        return new_history_file()
    except UsageError as error:
        if problems is None:
            raise
        complain(error)
        problems.append(str(error))
        return sessions_folder() / "session.json"


def with_orders(fork: Fork, options: argparse.Namespace) -> Fork:
    """Return a fork with the new players and orders that the options name."""
    texts = [options.left_prompt, options.right_prompt]
    left, right = (None if text is None else configuration.prompt_text(text) for text in texts)
    return replace(fork, new=(options.left is not None, options.right is not None), prompts=(left, right))


def fork_plan(fork: Fork, options: argparse.Namespace, config: Config, kinds: Kinds) -> SessionPlan:
    """Return the session to play; raise UsageError if a seat's brain cannot be made again, or asks a strange server."""
    left, right = (None if given is None else written_spec(given) for given in (options.left, options.right))
    recorded = Recorded(kinds, own_origins(options.allow_address or ()))
    console: Console = "" if options.quiet else "plays"
    return SessionPlan(
        config=fork_config(config, fork),
        seats=fork_seats(fork, (left, right), recorded, complain),
        seed=fork.started.seed,
        history=options.history or new_history_file(),
        console=console,
        force=options.force,
        history_name=options.history_name,
        fork=fork,
    )
