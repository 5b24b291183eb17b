"""Finding, loading and isolating plugins: drop-in files first, installed packages second."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from glob import escape
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, TypeVar, cast

import pluggy

from batllm_arcade.brains.functions import MARK, bot_kind
from batllm_arcade.brains.protocol import BrainKind
from batllm_arcade.errors import (
    UsageError,
    named,
    place_of_code,
    quoted,
)
from batllm_arcade.plugin import hookspecs
from batllm_arcade.plugin.dropins import import_file
from batllm_arcade.plugin.hook_faults import check_hooks, check_observer
from batllm_arcade.plugin.isolated import Inspected, PluginSource, inspect_all
from batllm_arcade.plugin.isolation_choice import INSIDE, ChosenIsolation, IsolationChoice
from batllm_arcade.plugin.observers import Dropping, Observers
from batllm_arcade.seats.plugin_call import PluginCall

LOAD_S = 60.0
"""Seconds in which a plugin must be imported, and again in which it must say what it offers."""
NOTHING = 'mark a bot with @bot("NAME"), a hook with @hookimpl, or begin the name of a file that others import with _'
_T = TypeVar("_T")


@dataclass
class Plugins:
    """The loaded plugins: brain kinds by name, and one sentence for every plugin that was dropped."""

    manager: pluggy.PluginManager
    kinds: dict[str, BrainKind] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What else a person should know about them, in sentences."""
    inspected: Mapping[str, Inspected] = field(default_factory=dict)
    """What those offer that were looked at in processes of their own."""
    offers: dict[str, list[str]] = field(default_factory=dict)
    """The names of the brains of each plugin."""

    @classmethod
    def none(cls) -> Plugins:
        """Return no plugins at all."""
        manager = pluggy.PluginManager(hookspecs.PROJECT)
        manager.add_hookspecs(hookspecs)
        return cls(manager)

    def observers(self, session: hookspecs.Session) -> Observers:
        """Return new observers for one session."""
        made = Observers(self.problems)
        for implementation in _implementations(self.manager.hook.batllm_observer):
            name = implementation.plugin
            with Dropping(name, self.problems, called=implementation.function) as attempt:
                observer = implementation.call(session)
                if observer is not None:
                    check_observer(observer, implementation.function)
            if attempt.good and observer is not None:
                made.add(name, observer)
        return made


def load(
    plugins_dir: Path | None = None,
    choice: IsolationChoice = INSIDE,
    inspected: Mapping[str, Inspected] | None = None,
    only: str = "",
) -> Plugins:
    """Load the drop-ins of this folder (no other is searched), or `only` that file, then the installed plugins.

    A drop-in replaces the installed plugin of the same name. Where `files` are chosen the bots of the folder run in
    processes of their own, where `all` are those of installed plugins, too; observers and providers stay in the
    program. What was `inspected` before is not started for that again.

    Raise UsageError if the folder does not exist, or a sandbox is chosen and none can be made.
    """
    plugins = Plugins.none()
    files: list[PluginSource] = []
    if plugins_dir is not None:
        if not os.path.isdir(plugins_dir):
            raise UsageError(
                f"{str(plugins_dir)!r} is not a folder; --plugins-dir takes the folder your plugins are in"
            )
        # Absolute, for a plugin may change the current folder while it is imported.
        paths = sorted(plugins_dir.absolute().glob(escape(only) or "[!_]*.py"))
        files = [PluginSource(path.stem, str(path)) for path in paths]
    entries = sorted(entry_points(group=hookspecs.PROJECT), key=lambda entry: entry.name)
    packages = [PluginSource(entry.name, entry.module) for entry in entries] if choice.whose == "all" else []
    names = {source.name for source in files}
    apart = [*files, *(each for each in packages if each.name not in names)] if choice.whose != "nothing" else []
    plugins.inspected = inspected = inspect_all(apart, choice.how) if inspected is None else inspected
    for source in files:
        said = f"the plugin {source.name!r} has {{}}: it runs inside the program, where it can do what the program can"
        _load(plugins, source.name, partial(import_file, Path(source.source)), inspected.get(source.name), said)
    for entry in entries:
        if entry.name in names:
            plugins.notes.append(f"{entry.name}.py stands for the installed plugin {entry.name!r}, which is not loaded")
        if not plugins.manager.has_plugin(entry.name):
            found = inspected.get(entry.name) if entry.name not in names else None
            _load(plugins, entry.name, entry.load, found, "")
    collect_kinds(plugins, ChosenIsolation(choice, {source.name: partial(_kinds_inside, source) for source in files}))
    return plugins


def _kinds_inside(source: PluginSource) -> dict[str, BrainKind]:
    """Return the kinds of a folder's file, loaded inside the program; raise UsageError if it cannot be."""
    plugins = Plugins.none()
    register(plugins, source.name, partial(import_file, Path(source.source)))
    collect_kinds(plugins)
    for problem in plugins.problems:
        raise UsageError(problem)
    return plugins.kinds


def _in_time(call: Callable[[], _T], what: str) -> _T:
    """Return what a plugin's code returns, and raise what it raises; raise BrainError if it takes too long."""

    def caught() -> tuple[_T | None, BaseException | None]:
        try:
            return call(), None
        except BaseException as error:  # noqa: BLE001 - a plugin may raise anything; it is told by `Dropping`
            return None, error

    value, error = PluginCall(caught, what, todo="what takes time belongs in a brain's prepare").result(LOAD_S)
    if error is not None:
        raise error
    return cast("_T", value)


def _load(plugins: Plugins, name: str, find: Callable[[], Any], found: Inspected | None, said: str) -> None:
    """Register a plugin: inside the program, or what stands for one whose bots run in processes of their own."""
    if found is None:
        register(plugins, name, find)
        return
    plugins.problems += found.problems
    if found.inside:
        if said:
            plugins.notes.append(said.format(found.inside))
        register(plugins, name, find)
    elif found.plugin is not None:
        stand_in = found.plugin
        register(plugins, name, lambda: stand_in)


def register(plugins: Plugins, name: str, find: Callable[[], Any]) -> None:
    """Register what `find` returns as the plugin of this name, unless there is one; a fault of it is a problem."""
    manager = plugins.manager
    if manager.has_plugin(name):
        return
    with Dropping(name, plugins.problems) as attempt:
        plugin = _in_time(find, "it was not imported")
        check_hooks(plugin)
        try:
            manager.register(plugin, name=name)
            manager.check_pending()
        except pluggy.PluginValidationError as error:
            raise UsageError(f"a hook in it is no good: {error}") from None
    if not attempt.good:
        _unregister(manager, name)


def _unregister(manager: pluggy.PluginManager, name: str) -> None:
    # pluggy keeps a plugin whose hooks it refused; it must neither act nor shadow another one.
    if manager.get_plugin(name) is not None:
        manager.unregister(name=name)


def collect_kinds(plugins: Plugins, chosen: ChosenIsolation | None = None) -> None:
    """Collect every plugin's brains in the order of loading; the first to offer a name keeps it."""
    hooks = {each.plugin: each for each in _implementations(plugins.manager.hook.batllm_brains)}
    observing = {each.plugin for each in _implementations(plugins.manager.hook.batllm_observer)}
    for name, plugin in plugins.manager.list_name_plugin():
        hook = hooks.get(name)
        with Dropping(name, plugins.problems, called=hook and hook.function) as attempt:
            kinds = _in_time(partial(_listed, hook.call if hook else tuple), "batllm_brains did not return")
            offered = [_checked(kind, hook and hook.function) for kind in kinds] + _bots(plugin)
        if not attempt.good:
            _unregister(plugins.manager, name)
            continue
        if not offered and name not in observing and hook is None:
            plugins.problems.append(f"the plugin {name!r} offers nothing: {NOTHING}")
        plugins.offers[name] = [kind.name for kind in offered]
        for kind in offered if chosen is None else [chosen.of(name, each) for each in offered]:
            if plugins.kinds.setdefault(kind.name, kind) is not kind:
                plugins.problems.append(
                    f"the plugin {name!r} offers a brain {kind.name!r} that is there already; it was left out"
                )


def _listed(hook: Callable[..., Any]) -> list[Any]:
    offered = hook()
    if offered is None or isinstance(offered, (str, BrainKind)):
        raise UsageError(f"batllm_brains must return a list of brain kinds, not {named(offered)}")
    return list(offered)


def _checked(kind: Any, code: object) -> BrainKind:
    """Return a kind that is one; raise UsageError, with the place of the code it is of, for any other thing."""
    place = place_of_code(code)
    if not isinstance(kind, BrainKind):
        raise UsageError(f"batllm_brains must return brain kinds, not {named(kind)}{place}")
    if not isinstance(kind.name, str) or not re.fullmatch(r"[^\s:,=]+", kind.name):
        raise UsageError(f"{quoted(kind.name)} is not a name for a brain; use letters, digits, - and _{place}")
    texts = (kind.summary, *kind.variants, *kind.about, *kind.about.values())
    if not all(isinstance(text, str) for text in texts) or not callable(kind.make):
        said = f"the brain {kind.name!r} needs a summary that is a text and a make that can be called"
        raise UsageError(said + place)
    return kind


def _bots(plugin: Any) -> list[BrainKind]:
    # In its own dictionary: a class that derives from a bot, and an object of one, are no further bots.
    values = (value for value in vars(plugin).values() if isinstance(getattr(value, "__dict__", {}).get(MARK), str))
    marked = {id(value): value for value in values}
    return [_checked(bot_kind(getattr(function, MARK), function), function) for function in marked.values()]


@dataclass(frozen=True, slots=True)
class _Implementation:
    """A plugin's implementation of a hook."""

    plugin: str
    function: Callable[..., Any]
    arguments: int

    def call(self, *values: Any) -> Any:
        """Call it with as many of the hook's arguments as it takes."""
        return self.function(*values[: self.arguments])


def _implementations(caller: pluggy.HookCaller) -> Iterator[_Implementation]:
    # Called one by one: pluggy calls no further implementation after one that raises.
    for each in caller.get_hookimpls():
        yield _Implementation(each.plugin_name, each.function, len(each.argnames))
