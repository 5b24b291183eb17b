"""Plugins: found, loaded, asked and watched."""

from __future__ import annotations

import inspect
import os
import re
import shlex
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import partial
from importlib.metadata import Distribution, EntryPoint, entry_points
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar, cast

import pluggy

from batllm_arcade.brains.bots import MARK, bot_kind
from batllm_arcade.brains.protocol import BrainKind, BrainKinds, looks_like
from batllm_arcade.brains.redaction import without_folders
from batllm_arcade.errors import (
    PLACED,
    ArcadeError,
    UsageError,
    method_of,
    named,
    one_line,
    place_of_code,
    place_of_error,
    quoted,
)
from batllm_arcade.files.paths import whole_path
from batllm_arcade.match.records import Record
from batllm_arcade.plugin import hookspecs
from batllm_arcade.plugin.dropins import TrustedFiles, digest, import_file, plugin_files, read_code
from batllm_arcade.plugin.isolated import (
    ISOLATED,
    ChosenIsolation,
    Inspected,
    IsolationChoice,
    PluginSource,
    inspect_all,
)
from batllm_arcade.seats.plugin_calls import PluginCall
from batllm_arcade.terminal.output import OutputError

HOOKS: dict[str, FunctionType] = {
    name: hook
    for name, hook in vars(hookspecs).items()
    if name.startswith("batllm_") and isinstance(hook, FunctionType)
}
_MARK = f"{hookspecs.PROJECT}_impl"


def check_hooks(plugin: Any) -> None:
    """Raise UsageError for the first function of a plugin that was meant as a hook and is none."""
    for name, function in _functions(plugin):
        marked = getattr(function, _MARK, None)
        if marked is not None:
            problem = _marked(marked.get("specname") or name, function)
        else:
            problem = _unmarked(name, function, plugin)
        if problem:
            raise UsageError(problem + place_of_code(function))


def check_observer(observer: Any, made_by: object) -> None:
    """Raise UsageError if what a hook returned as an observer cannot be told of records."""
    if isinstance(observer, type):
        name = observer.__name__
        raise UsageError(f"batllm_observer returned the class {name}; return {name}(){place_of_code(made_by)}")
    if not callable(getattr(observer, "notify", None)):
        near = get_close_matches("notify", dir(observer), 1)
        place = place_of_code(method_of(observer, near[0])) if near else ""
        meant = f"; is its {near[0]} meant?" if near else ""
        place = place or place_of_code(made_by)
        raise UsageError(f"{named(observer)} is no observer: it has no notify(record){meant}{place}")


def _functions(plugin: Any) -> Iterator[tuple[str, FunctionType]]:
    for name, value in vars(plugin if isinstance(plugin, ModuleType) else type(plugin)).items():
        if isinstance(value, FunctionType):
            yield name, value


def _marked(name: str, function: FunctionType) -> str:
    if name not in HOOKS:
        return f"there is no hook {name!r}; {_meant(name) or 'the hooks are ' + ', '.join(HOOKS)}"
    known = inspect.signature(HOOKS[name]).parameters
    given = inspect.signature(function).parameters.values()
    unknown = [each.name for each in given if each.default is each.empty and each.name not in ("self", *known)]
    if not unknown:
        return ""
    takes = f"the argument {', '.join(known)}" if known else "no argument"
    return f"{name} takes {takes}, not {', '.join(unknown)}"


def _unmarked(name: str, function: FunctionType, plugin: Any) -> str:
    if not name.startswith("batllm_") or function.__module__ != getattr(plugin, "__name__", None):
        return ""
    if name in HOOKS:
        return f"{name} has no @hookimpl above it, so it is not called"
    return f"there is no hook {name!r}; {meant} It needs @hookimpl, too" if (meant := _meant(name)) else ""


def _meant(name: str) -> str:
    near = get_close_matches(name, HOOKS, 1)
    return f"did you mean {near[0]}?" if near else ""


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
        with Dropping(name, self.problems) as attempt:
            required = bool(getattr(observer, "required", False))  # asked once: a property is a plugin's code
        if attempt.good:
            self._observers.append(_Entry(name, observer, required, method_of(observer, "notify")))
            self._observers.sort(key=lambda entry: not entry.required)

    @property
    def names(self) -> list[str]:
        """Return the plugins they are of."""
        return [entry.name for entry in self._observers]

    def notify(self, record: Record) -> None:
        """Pass a record to all observers, recorders first."""
        for entry in tuple(self._observers):
            with Dropping(entry.name, self.problems, plainly=entry.required, called=entry.code) as attempt:
                entry.observer.notify(record)
            if not attempt.good:
                self._observers.remove(entry)
                self.loss = self.loss or (attempt.problem if entry.required else "")
                self.unwritten = self.unwritten or attempt.unwritten


@dataclass(frozen=True, slots=True, eq=False)
class _Entry:
    """An observer, the plugin it is of, whether its failure loses something, and what of it is called."""

    name: str
    observer: Any
    required: bool
    code: object


class Dropping:
    """Turns whatever a plugin raises into one sentence, except KeyboardInterrupt; `good` if it raised nothing.

    With `plainly` an expected failure, which has a sentence of its own, is told in it alone.
    """

    def __init__(self, name: str, problems: list[str], *, plainly: bool = False, called: object = None) -> None:
        self._name, self._problems, self._plainly, self._called = name, problems, plainly, called
        self.good, self.problem = False, ""
        self.unwritten: OutputError | None = None

    def __enter__(self) -> Dropping:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _trace: object) -> bool:
        if error is None:
            self.good = True
            return True
        if isinstance(error, KeyboardInterrupt):
            return False
        self.unwritten = error if isinstance(error, OutputError) else None
        plain = self._plainly and isinstance(error, ArcadeError)
        told = one_line(error, 1000) if plain else without_folders(one_line(error, 1000))  # ours are named whole
        placed = plain or PLACED.search(told)
        place = "" if placed else place_of_error(error, self._called)
        self.problem = told if plain else f"the plugin {self._name!r} was dropped: {told[:300]}{place}"
        self._problems.append(self.problem)
        return True


# -- Finding, loading and isolating plugins

LOAD_S = 60.0
"""Seconds in which a plugin must be imported, and again in which it must say what it offers."""
LONGEST_NAME = 100
"""Characters of a brain's name."""
LONGEST_PREPARE_S = 86_400.0
"""The most seconds that a brain can have for getting ready: a day."""
DISTRIBUTION = "batllm-arcade"
"""Whose plugins are the bundled ones."""
NOTHING = 'mark a bot with @bot("NAME"), a hook with @hookimpl, or begin the name of a file that others import with _'
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file that was left out: what it says that it is, and the digest of what was in it."""

    asks: str
    digest: str


@dataclass
class Plugins:
    """The loaded plugins: brain kinds by name, and one sentence for every plugin that was dropped."""

    manager: pluggy.PluginManager
    kinds: BrainKinds = field(default_factory=BrainKinds)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What else a person should know about them, in sentences."""
    inspected: Mapping[str, Inspected] = field(default_factory=dict)
    """What those offer that were looked at in processes of their own."""
    offers: dict[str, list[str]] = field(default_factory=dict)
    """The names of the brains of each plugin."""
    trusted: dict[str, str] = field(default_factory=dict)
    """The files that run inside the program by a word for them alone: the digest of what each holds, by name."""
    untrusted: dict[str, LeftOut] = field(default_factory=dict)
    """The files that were left out because they need the program itself, and nobody has trusted them, by name."""
    installed: dict[str, EntryPoint] = field(default_factory=dict)
    """The plugins of installed packages, bundled ones included, by name."""
    left_out: set[str] = field(default_factory=set)
    """The names of those that a person has left out."""
    changed: set[str] = field(default_factory=set)
    """The names of files that were trusted with another content."""

    @classmethod
    def none(cls) -> Plugins:
        """Return no plugins at all."""
        manager = pluggy.PluginManager(hookspecs.PROJECT)
        manager.add_hookspecs(hookspecs)
        return cls(manager)

    @property
    def observing(self) -> list[str]:
        """The names of the plugins that have an observer."""
        return [each.plugin for each in _implementations(self.manager.hook.batllm_observer)]

    def observers(self, session: hookspecs.Session, of: Collection[str] | None = None) -> Observers:
        """Return new observers for one session, `of` these plugins alone or of all."""
        made = Observers(self.problems)
        for implementation in _implementations(self.manager.hook.batllm_observer):
            name = implementation.plugin
            if of is not None and name not in of:
                continue
            with Dropping(name, self.problems, called=implementation.function) as attempt:
                observer = implementation.call(session)
                if observer is not None:
                    check_observer(observer, implementation.function)
            if attempt.good and observer is not None:
                made.add(name, observer)
        return made


def load(
    plugins_dir: Path | None = None,
    choice: IsolationChoice = ISOLATED,
    inspected: Mapping[str, Inspected] | None = None,
    only: str = "",
) -> Plugins:
    """Load the drop-ins of this folder (no other is searched), or `only` that file, then the installed plugins.

    A file runs in processes of its own, whatever it says there of itself: only a person's word lets it into the
    program, the `choice` or a trust that was remembered. One that needs to be there and is not trusted is left out.
    Where `all` are chosen the bots of installed plugins run in processes, too. What was `inspected` before is not
    started for that again. Bundled names are reserved, of plugins and of brains, but for those that are `replaced`.

    Raise UsageError if the folder does not exist, a sandbox is chosen and none can be made, a name that is trusted or
    replaced is none, or the choice is `strict` and a file that is not trusted needs the program itself.
    """
    plugins = Plugins.none()
    bundled, entries = _installed(plugins, choice.replaced)
    codes = _codes(plugins, plugins_dir, only, {*bundled} - {*choice.replaced})
    _leave_out(plugins, {*choice.without} - {*bundled}, entries, codes)
    files, names = list(codes), {source.name for source in codes}
    for name in choice.trusted:
        if name not in names:
            where = f"{str(plugins_dir)!r}" if plugins_dir is not None else "a plugins folder: add --plugins-dir DIR"
            raise UsageError(f"there is no file {name + '.py'!r} to trust in {where}")
    digests = {source.name: digest(code) for source, code in codes.items()}
    inside = _trusted(plugins, digests, choice)
    _leave_out_takers(plugins, codes, inside, {entry.name for entry in entries} - {*choice.replaced})
    files, names = list(codes), {source.name for source in codes}
    packages = [PluginSource(entry.name, entry.module) for entry in entries] if choice.whose == "all" else []
    apart = [source for source in files if source.name not in inside]
    apart += [source for source in packages if source.name not in names]
    plugins.inspected = inspected = inspect_all(apart, choice.how) if inspected is None else inspected
    for source, code in codes.items():
        if source.name in inside:
            register(plugins, source.name, partial(import_file, Path(source.source), code))
        else:
            _load_apart(plugins, source.name, digests[source.name], inspected.get(source.name), choice)
    for entry in entries:
        if not plugins.manager.has_plugin(entry.name):
            found = inspected.get(entry.name) if entry.name not in names else None
            if found is None or found.asks:
                register(plugins, entry.name, entry.load)
            else:
                _register_stand_in(plugins, entry.name, found)
            plugins.installed[entry.name] = entry
        else:
            said = f"{entry.name}.py stands" if entry.name in names else f"another plugin {entry.name!r} stands"
            plugins.notes.append(f"{said} for the installed plugin {entry.name!r}, which is not loaded")
            if bundled.get(entry.name) is entry:
                plugins.kinds.replaced.update(_kinds_inside(entry.name, entry.load))
                del bundled[entry.name]
    loads = {
        source.name: partial(_kinds_inside, source.name, partial(import_file, Path(source.source))) for source in files
    }
    known = {*inside, *plugins.changed, *(entry.name for entry in entries)} - {*bundled, *choice.replaced}
    chosen = ChosenIsolation(choice, loads, inside)
    collect_kinds(plugins, chosen, bundled, choice.replaced, {*loads} - inside, known)
    for name in choice.replaced:
        if name not in {*plugins.kinds, *(entry.name for entry in entries)}:
            raise UsageError(f"there is no bundled brain or plugin {name!r} to replace")
    return plugins


def is_bundled(entry: EntryPoint) -> bool:
    """Return whether a plugin is one of this program's own."""
    return _is_own(entry.dist)


def bundled_kind(name: str) -> BrainKind:
    """Return the brain kind of the bundled plugin of this name, whatever else is installed or replaces it."""
    bundled, _ = _installed(Plugins.none(), ())
    if name not in bundled:
        raise UsageError(f"the plugin {name!r} of this program is not installed; install the program again")
    return _kinds_inside(name, bundled[name].load)[name]


def _installed(plugins: Plugins, replaced: Collection[str]) -> tuple[dict[str, EntryPoint], list[EntryPoint]]:
    found = entry_points(group=hookspecs.PROJECT)
    # Each time that a package is asked for its name it reads all of its metadata.
    own = {package for package in {entry.dist for entry in found} if _is_own(package)}
    bundled = {entry.name: entry for entry in found if entry.dist in own}
    entries = []
    for entry in sorted(found, key=lambda entry: (entry.name, entry.dist in own)):
        if entry.name in bundled and entry.dist not in own and entry.name not in replaced:
            plugins.problems.append(
                f"the installed plugin {entry.name!r} ({entry.value}) has the name of a bundled one; it was left out: "
                f"--replace {entry.name} lets it take that place"
            )
        else:
            entries.append(entry)
    return bundled, entries


def _leave_out(plugins: Plugins, names: set[str], entries: list[EntryPoint], codes: dict[PluginSource, bytes]) -> None:
    plugins.left_out = names & {*(entry.name for entry in entries), *(source.name for source in codes)}
    entries[:] = [each for each in entries if each.name not in names]
    for source in [each for each in codes if each.name in names]:
        del codes[source]


def _is_own(package: Distribution | None) -> bool:
    return package is not None and re.sub(r"[-_.]+", "-", package.name).lower() == DISTRIBUTION


def _codes(plugins: Plugins, folder: Path | None, only: str, reserved: Collection[str]) -> dict[PluginSource, bytes]:
    if folder is None:
        return {}
    if not os.path.isdir(folder):
        raise UsageError(f"{str(folder)!r} is not a folder; --plugins-dir takes the folder your plugins are in")
    found = {}
    # Absolute, for a plugin may change the current folder while it is imported.
    for path in plugin_files(whole_path(folder), only):
        if like := looks_like(path.stem, reserved):
            plugins.problems.append(
                f"the file {path.name!r} has the name of a bundled plugin; it was left out: give it another name, or "
                f"let it take that place with --replace {like}"
            )
            continue
        if path.is_symlink():  # its bot would read what it leads to, which may be anything of the person's
            plugins.problems.append(
                f"the file {path.name!r} is a link; it was left out: put a copy of what it leads to in its place"
            )
            continue
        with Dropping(path.stem, plugins.problems):
            found[PluginSource(path.stem, str(path))] = read_code(path)
    return found


def _leave_out_takers(
    plugins: Plugins, codes: dict[PluginSource, bytes], inside: Collection[str], installed: Iterable[str]
) -> None:
    """Take out the files with the names of `installed` plugins, but for those that a person lets in."""
    names = {*installed}
    for source in [each for each in codes if each.name not in inside and looks_like(each.name, names)]:
        del codes[source]
        plugins.problems.append(
            f"the file {source.name + '.py'!r} has the name of an installed plugin; it was left out: give it another "
            f"name, or let it take that place with --replace {looks_like(source.name, names)}"
        )


def _trusted(plugins: Plugins, digests: Mapping[str, str], choice: IsolationChoice) -> set[str]:
    """Return the names of the files that run inside the program, by a person's word; note those that do alone."""
    known = TrustedFiles()
    if known.problem and digests:
        plugins.problems.append(known.problem)
    if choice.remember:
        known.remember((name, digests[name]) for name in digests if name in choice.trusted)
    looked_at = dict(choice.contents)
    for name, content in digests.items():
        trust = known.trust_in(name, content)
        if looked_at.get(name, content) != content:
            raise UsageError(f"{name + '.py'!r} was changed since it was let into the program; begin again")
        if trust == "yes" or name in choice.trusted:
            plugins.trusted[name] = content
            plugins.notes.append(f"the plugin {name!r} runs inside the program, where it can do what the program can")
        elif trust == "changed":
            plugins.changed.add(name)
    return set(digests) if choice.whose == "nothing" else set(plugins.trusted)


def _load_apart(plugins: Plugins, name: str, content: str, found: Inspected | None, choice: IsolationChoice) -> None:
    if found is None:
        plugins.problems.append(f"the plugin {name!r} was left out: it was not there when the others were looked at")
    elif not found.asks:
        _register_stand_in(plugins, name, found)
    else:
        why = f"the plugin {name!r} has {found.asks}, which runs inside the program and can do what the program can"
        if name in plugins.changed:
            why += "; its file was changed since you trusted it"
        how = f"--trust {shlex.quote(name)} lets it in"
        if choice.strict:
            raise UsageError(f"{why}; {how}, or take the file away")
        plugins.untrusted[name] = LeftOut(found.asks, content)
        plugins.problems.append(f"{why}; it was left out: {how}")


def _register_stand_in(plugins: Plugins, name: str, found: Inspected) -> None:
    plugins.problems += found.problems
    if (stand_in := found.plugin) is not None:
        register(plugins, name, lambda: stand_in)


def _kinds_inside(name: str, find: Callable[[], Any]) -> dict[str, BrainKind]:
    plugins = Plugins.none()
    register(plugins, name, find)
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


def collect_kinds(
    plugins: Plugins,
    chosen: ChosenIsolation | None = None,
    bundled: Collection[str] = (),
    replaced: Collection[str] = (),
    strangers: Collection[str] = (),
    known: Collection[str] = (),
) -> None:
    """Collect every plugin's brains in the order of loading, those of `strangers` last; the first keeps a name.

    The names of the `bundled` plugins, and of their brains, are theirs, but for those that are `replaced`. No stranger
    takes the name of a plugin that is `known`, whatever this one offers.
    """
    hooks = {each.plugin: each for each in _implementations(plugins.manager.hook.batllm_brains)}
    observing = {*plugins.observing}
    offers: dict[str, list[BrainKind]] = {}
    for name, plugin in plugins.manager.list_name_plugin():
        hook = hooks.get(name)
        with Dropping(name, plugins.problems, called=hook and hook.function) as attempt:
            kinds = _in_time(partial(_listed, hook.call if hook else tuple), "batllm_brains did not return")
            offered = [_checked(kind, hook and hook.function) for kind in kinds] + _bots(plugin)
        if not attempt.good:
            _unregister(plugins.manager, name)
            continue
        if not offered and name not in observing and hook is None:
            plugins.problems.append(f"the plugin {name!r} offers nothing: {NOTHING}{_first_in(plugin)}")
        offers[name] = offered if chosen is None else [chosen.isolated(name, each) for each in offered]
    own = {kind.name for name in bundled for kind in offers.get(name, ())}
    reserved = ({*bundled} | own) - {*replaced}
    owners = {name: name for name in known}
    ranks = {**dict.fromkeys(strangers, 1), **dict.fromkeys(bundled, 2)}  # whose names are reserved anyway
    for name, kinds in sorted(offers.items(), key=lambda each: ranks.get(each[0], 0)):
        for kind in kinds:
            if name not in bundled and (like := looks_like(kind.name, reserved)):
                plugins.problems.append(
                    f"the plugin {name!r} offers a brain {kind.name!r}, which is a bundled one's name; it was left "
                    f"out: give it another, or let it take that place with --replace {like}{kind.place}"
                )
            elif (name not in strangers or owners.get(kind.name, name) == name) and (
                plugins.kinds.setdefault(kind.name, kind) is kind
            ):
                owners[kind.name] = name
                plugins.offers.setdefault(name, []).append(kind.name)
            elif name in bundled:
                plugins.kinds.replaced[kind.name] = kind
                plugins.notes.append(f"{kind.name} is not the bundled brain here (--replace {kind.name})")
            else:
                whose = (
                    "another of its own" if owners[kind.name] == name else f"that of the plugin {owners[kind.name]!r}"
                )
                plugins.problems.append(
                    f"the plugin {name!r} offers a brain {kind.name!r}, which is {whose}; it was left out{kind.place}"
                )
                if chosen is not None:
                    chosen.contested.add(kind.name)


def _first_in(plugin: Any) -> str:
    """Return where the first function or class is that a module defines."""
    own = (value for value in vars(plugin).values() if getattr(value, "__module__", None) == plugin.__name__)
    return next((place for place in map(place_of_code, own) if place), "") if isinstance(plugin, ModuleType) else ""


def _listed(hook: Callable[..., Any]) -> list[Any]:
    offered = hook()
    if offered is None or isinstance(offered, (str, BrainKind)):
        raise UsageError(f"batllm_brains must return a list of brain kinds, not {named(offered)}")
    return list(offered)


def _checked(kind: Any, code: object) -> BrainKind:
    place = place_of_code(code)
    if not isinstance(kind, BrainKind):
        raise UsageError(f"batllm_brains must return brain kinds, not {named(kind)}{place}")
    if not isinstance(kind.name, str) or not re.fullmatch(rf"[A-Za-z0-9_.-]{{1,{LONGEST_NAME}}}", kind.name):
        raise UsageError(f"{quoted(kind.name)} is not a name for a brain; use letters, digits, - and _{place}")
    texts = (kind.summary, *kind.variants, *kind.about, *kind.about.values())
    if not all(isinstance(text, str) for text in texts) or not callable(kind.make):
        said = f"the brain {kind.name!r} needs a summary that is a text and a make that can be called"
        raise UsageError(said + place)
    prepare_s: object = kind.prepare_s
    if isinstance(prepare_s, bool) or not isinstance(prepare_s, int | float) or not 0 < prepare_s <= LONGEST_PREPARE_S:
        most = f"above 0 and at most {LONGEST_PREPARE_S:,.0f}"
        raise UsageError(f"prepare_s of the brain {kind.name!r} must be {most}, not {quoted(prepare_s)}{place}")
    return kind


def _bots(plugin: Any) -> list[BrainKind]:
    # In its own dictionary: a class that derives from a bot, and an object of one, are no further bots.
    values = (value for value in vars(plugin).values() if isinstance(getattr(value, "__dict__", {}).get(MARK), str))
    marked = {id(value): value for value in values}
    return [_checked(bot_kind(getattr(function, MARK), function), function) for function in marked.values()]


@dataclass(frozen=True, slots=True)
class _Implementation:
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
