"""Finding, loading and isolating plugins: drop-in files first, installed packages second."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, TypeVar, cast

import pluggy

from batllm_arcade.brains.functions import MARK, bot_kind
from batllm_arcade.brains.protocol import BrainKind
from batllm_arcade.brains.redaction import without_secrets
from batllm_arcade.errors import ArcadeError, UsageError, one_line, quoted
from batllm_arcade.match.records import Record
from batllm_arcade.plugin import hookspecs
from batllm_arcade.plugin.dropins import import_file
from batllm_arcade.plugin.isolated import Inspected, PluginSource, inspect_all
from batllm_arcade.plugin.isolation_choice import INSIDE, ChosenIsolation, IsolationChoice
from batllm_arcade.seats.plugin_call import PluginCall
from batllm_arcade.terminal.output import OutputError

LOAD_S = 60.0
"""Seconds in which a plugin must be imported, and again in which it must say what it offers."""
_T = TypeVar("_T")


@dataclass
class Plugins:
    """The loaded plugins: brain kinds by name, and one sentence for every plugin that was dropped."""

    manager: pluggy.PluginManager
    kinds: dict[str, BrainKind] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What else a person should know about them, in sentences."""

    @classmethod
    def none(cls) -> Plugins:
        """Return no plugins at all."""
        manager = pluggy.PluginManager(hookspecs.PROJECT)
        manager.add_hookspecs(hookspecs)
        return cls(manager)

    def observers(self, session: hookspecs.Session) -> Observers:
        """Return new observers for one session."""
        made = Observers(self.problems)
        for name, implementation in _implementations(self.manager.hook.batllm_observer):
            with _Dropping(name, self.problems) as attempt:
                observer = implementation(session)
            if attempt.good and observer is not None:
                made.add(name, observer)
        return made


class Observers:
    """Notifies observers one by one; one that fails is named and dropped, the others go on."""

    def __init__(self, problems: list[str] | None = None) -> None:
        self._observers: list[_Entry] = []
        self.problems = [] if problems is None else problems
        self.unwritten: OutputError | None = None
        """Why an observer was dropped that could not write its output, None while none was."""
        self.loss = ""
        """Why an observer that is `required` (a recorder) was dropped, "" while none was."""

    def add(self, name: str, observer: hookspecs.Observer) -> None:
        """Notify this observer from now on; recorders come first, so that nothing is shown that is not recorded."""
        with _Dropping(name, self.problems) as attempt:
            required = bool(getattr(observer, "required", False))  # asked once: a property is a plugin's code
        if attempt.good:
            self._observers.append(_Entry(name, observer, required))
            self._observers.sort(key=lambda entry: not entry.required)

    def notify(self, record: Record) -> None:
        """Pass a record to all observers, recorders first."""
        for entry in tuple(self._observers):
            with _Dropping(entry.name, self.problems, plainly=entry.required) as attempt:
                entry.observer.notify(record)
            if not attempt.good:
                self._observers.remove(entry)
                self.loss = self.loss or (attempt.problem if entry.required else "")
                self.unwritten = self.unwritten or attempt.unwritten


@dataclass(frozen=True, slots=True, eq=False)
class _Entry:
    """An observer, the plugin it is of, and whether its failure loses something."""

    name: str
    observer: Any
    required: bool


class _Dropping:
    """Turns whatever a plugin raises into one sentence, except KeyboardInterrupt; `good` if it raised nothing.

    With `plainly` an expected failure, which has a sentence of its own, is told in it alone.
    """

    def __init__(self, name: str, problems: list[str], *, plainly: bool = False) -> None:
        self._name, self._problems, self._plainly = name, problems, plainly
        self.good, self.problem = False, ""
        self.unwritten: OutputError | None = None

    def __enter__(self) -> _Dropping:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _trace: object) -> bool:
        if error is None:
            self.good = True
            return True
        if isinstance(error, KeyboardInterrupt):
            return False
        self.unwritten = error if isinstance(error, OutputError) else None
        told = without_secrets(one_line(error, 1000))
        plain = self._plainly and isinstance(error, ArcadeError)
        self.problem = told if plain else f"the plugin {self._name!r} was dropped: {told[:300]}"
        self._problems.append(self.problem)
        return True


def load(plugins_dir: Path | None = None, choice: IsolationChoice = INSIDE) -> Plugins:
    """Load the drop-ins of this folder (no other is searched), then the installed plugins.

    A drop-in replaces the installed plugin of the same name. Where `files` are chosen the bots of the folder run in
    processes of their own, where `all` are those of installed plugins, too; observers and providers stay in the
    program. Raise UsageError if the folder does not exist, or a sandbox is chosen and none can be made.
    """
    plugins = Plugins.none()
    files: list[PluginSource] = []
    if plugins_dir is not None:
        if not os.path.isdir(plugins_dir):
            raise UsageError(
                f"{str(plugins_dir)!r} is not a folder; --plugins-dir takes the folder your plugins are in"
            )
        # Absolute, for a plugin may change the current folder while it is imported.
        paths = sorted(plugins_dir.absolute().glob("[!_]*.py"))
        files = [PluginSource(path.stem, str(path)) for path in paths]
    entries = sorted(entry_points(group=hookspecs.PROJECT), key=lambda entry: entry.name)
    packages = [PluginSource(entry.name, entry.module) for entry in entries] if choice.whose == "all" else []
    names = {source.name for source in files}
    apart = [*files, *(each for each in packages if each.name not in names)] if choice.whose != "nothing" else []
    inspected = inspect_all(apart, choice.how)
    for source in files:
        said = f"the plugin {source.name!r} has {{}}: it runs inside the program, where it can do what the program can"
        _load(plugins, source.name, partial(import_file, Path(source.source)), inspected.get(source.name), said)
    for entry in entries:
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
        except BaseException as error:  # noqa: BLE001 - a plugin may raise anything; it is told by `_Dropping`
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
    with _Dropping(name, plugins.problems) as attempt:
        plugin = _in_time(find, "it was not imported")
        try:
            manager.register(plugin, name=name)
            manager.check_pending()
        except pluggy.PluginValidationError as error:
            raise UsageError(f"a hook in it is misspelt or has other arguments: {error}") from None
    if not attempt.good:
        _unregister(manager, name)


def _unregister(manager: pluggy.PluginManager, name: str) -> None:
    # pluggy keeps a plugin whose hooks it refused; it must neither act nor shadow another one.
    if manager.get_plugin(name) is not None:
        manager.unregister(name=name)


def collect_kinds(plugins: Plugins, chosen: ChosenIsolation | None = None) -> None:
    """Collect every plugin's brains in the order of loading; the first to offer a name keeps it."""
    hooks = dict(_implementations(plugins.manager.hook.batllm_brains))
    for name, plugin in plugins.manager.list_name_plugin():
        with _Dropping(name, plugins.problems) as attempt:
            kinds = _in_time(partial(_listed, hooks.get(name, tuple)), "batllm_brains did not return")
            offered = [_checked(kind) for kind in kinds] + _bots(plugin)
        if not attempt.good:
            _unregister(plugins.manager, name)
            continue
        for kind in offered if chosen is None else [chosen.of(name, each) for each in offered]:
            if plugins.kinds.setdefault(kind.name, kind) is not kind:
                plugins.problems.append(
                    f"the plugin {name!r} offers a brain {kind.name!r} that is there already; it was left out"
                )


def _listed(hook: Callable[..., Any]) -> list[Any]:
    return list(hook())


def _checked(kind: Any) -> BrainKind:
    if not isinstance(kind, BrainKind):
        raise UsageError(f"batllm_brains must return brain kinds, not {quoted(kind)}")
    if not isinstance(kind.name, str) or not re.fullmatch(r"[^\s:,=]+", kind.name):
        raise UsageError(f"{quoted(kind.name)} is not a name for a brain; use letters, digits, - and _")
    texts = (kind.summary, *kind.variants, *kind.about, *kind.about.values())
    if not all(isinstance(text, str) for text in texts) or not callable(kind.make):
        raise UsageError(f"the brain {kind.name!r} needs a summary that is a text and a make that can be called")
    return kind


def _bots(plugin: Any) -> list[BrainKind]:
    # In its own dictionary: a class that derives from a bot, and an object of one, are no further bots.
    values = (value for value in vars(plugin).values() if isinstance(getattr(value, "__dict__", {}).get(MARK), str))
    marked = {id(value): value for value in values}
    return [_checked(bot_kind(getattr(function, MARK), function)) for function in marked.values()]


def _implementations(caller: pluggy.HookCaller) -> Iterator[tuple[str, Callable[..., Any]]]:
    # Called one by one: pluggy calls no further implementation after one that raises.
    for implementation in caller.get_hookimpls():
        yield implementation.plugin_name, _with_known_arguments(implementation)


def _with_known_arguments(implementation: pluggy.HookImpl) -> Callable[..., Any]:
    return lambda *values: implementation.function(*values[: len(implementation.argnames)])
