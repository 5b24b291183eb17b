"""Plugins outside of the program."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from batllm_arcade.brains.protocol import HOST_OPTIONS, Brain, BrainKind, Spec
from batllm_arcade.errors import PLACED, UsageError, quoted
from batllm_arcade.files.paths import whole_path
from batllm_arcade.files.reading import read_text
from batllm_arcade.history.schema import Node
from batllm_arcade.isolation.dialect import FIRST, HOST_LINE, BotMessage, Garbage, HostDialect, OtherMessage
from batllm_arcade.isolation.process_brain import BotExchange, BotFaults, BotProtocol, ProcessBrain, bot_bounds
from batllm_arcade.isolation.sandbox import (
    AUTO,
    BOT_LIMITS,
    ISOLATION_OPTIONS,
    BotIsolation,
    Mode,
    bot_files,
    bot_launch,
    here,
    mode_of,
    package_paths,
    shared_files,
)
from batllm_arcade.plugin.dropins import ASKS
from batllm_arcade.plugin.hookspecs import hookimpl
from batllm_arcade.processes.child import Child, ChildLog, Ended, python_command

MOST_KINDS = 100
MOST_TEXTS = 500
"""Variants of a brain, and descriptions of them."""
LONGEST = 4000
"""Characters of a text."""
MOST_PROBLEMS = 20


@dataclass(frozen=True, slots=True)
class Offer:
    """What a file offers: of each brain the fields of its `BrainKind`; its problems; what it `asks` to be, "" if no
    more than a bot: information for a sentence, never a reason to let it into the program."""

    kinds: tuple[dict[str, Any], ...]
    problems: tuple[str, ...]
    asks: str


def read_offer(values: Mapping[str, Any]) -> Offer:
    """Return the offer in a message; raise HistoryError, which names the place, if it is none."""
    root = Node(dict(values), "its offer")
    problems = [_text(each)[:1000] for each in _few(root["problems"], "problem", MOST_PROBLEMS)]
    kinds = [_kind(each) for each in _few(root["kinds"], "brain", MOST_KINDS)]
    asks = root["inside"]
    if asks.text() not in ("", *ASKS):
        raise asks.refuse(f"must be empty, {', '.join(ASKS[:-1])} or {ASKS[-1]}, not {quoted(asks.value)}")
    return Offer(tuple(kinds), tuple(problems), asks.text())


def _kind(node: Node) -> dict[str, Any]:
    texts = {key: _text(node[key]) for key in ("name", "summary", "place")}
    lists = {key: tuple(_text(each) for each in _few(node[key], key, MOST_TEXTS)) for key in _LISTS}
    mappings = {key: _texts(node[key]) for key in _MAPPINGS}
    if not PLACED.fullmatch(texts["place"].strip()):
        texts["place"] = ""
    return {
        **texts, **lists, **mappings, "prompted": node["prompted"].one_of((False, True)),
        "prepare_s": float(node["prepare_s"].number()),
    }  # fmt: skip


_LISTS = ("variants", "level_variants")
_MAPPINGS = ("about", "levels", "titles")


def _text(node: Node) -> str:
    text = node.text()
    if len(text) > LONGEST:
        raise node.refuse(f"is longer than {LONGEST} characters")
    return text


def _texts(node: Node) -> dict[str, str]:
    found = dict(node.members())
    if len(found) > MOST_TEXTS or any(len(key) > LONGEST for key in found):
        raise node.refuse(f"has more than {MOST_TEXTS} texts, or one that is longer than {LONGEST} characters")
    return {key: _text(each) for key, each in found.items()}


def _few(node: Node, name: str, most: int) -> list[Node]:
    found = list(node.items(name))
    if len(found) > most:
        raise node.refuse(f"has more than {most} entries")
    return found


# -- Bots of plugins that run in processes of their own

Isolate = Literal["nothing", "files", "all"]
"""What runs in processes of its own: nothing, the files of a plugins folder, or installed plugins, too."""
LOAD_S = 20.0
"""Seconds in which a file has to be loaded, Python's own start included."""
AT_ONCE = 4
"""Files that are looked at at once."""
_PROCESS_OPTIONS = ("memory_mb", "processes", *ISOLATION_OPTIONS)
_HOST = "from batllm_arcade.plugin.bot_host import serve; serve(*sys.argv[1:])"


@dataclass(frozen=True, slots=True)
class PluginSource:
    """A plugin that has not been loaded: its name, and the absolute path of its file or the name of its module."""

    name: str
    source: str

    @property
    def called(self) -> str:
        """Return what a sentence calls it."""
        return f"the file {self.name + '.py'!r}" if os.path.isabs(self.source) else f"the plugin {self.name!r}"

    @property
    def command(self) -> list[str]:
        """Return the command of a process that plays its brains."""
        return python_command(_HOST, self.source, self.name)

    @property
    def readable(self) -> tuple[str, ...]:
        """Return what its process has to read besides Python and this program."""
        if os.path.isabs(self.source):
            return self.source, *shared_files(os.path.dirname(self.source))
        return tuple(package_paths(self.source.partition(".")[0]))


class IsolatedPlugin:
    """Stands for a plugin whose brains run in processes of their own."""

    def __init__(self, kinds: Iterable[BrainKind]) -> None:
        self._kinds = list(kinds)

    @hookimpl
    def batllm_brains(self) -> list[BrainKind]:
        """Return the kinds of brain it offers."""
        return self._kinds


@dataclass(frozen=True, slots=True)
class Inspected:
    """What a plugin offers: the stand-in for it, or what it `asks` to be that only the program itself can run; and
    its problems."""

    plugin: IsolatedPlugin | None = None
    asks: str = ""
    problems: tuple[str, ...] = ()


def inspect_all(sources: Iterable[PluginSource], mode: Mode = AUTO) -> dict[str, Inspected]:
    """Return what each of these plugins offers, each loaded in a process of its own that then ends.

    Raise UsageError if `mode` asks for a sandbox and none can be made.
    """
    listed = list(sources)
    if not listed:
        return {}
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(min(AT_ONCE, len(listed)), thread_name_prefix="inspecting plugins") as threads:
        found = threads.map(partial(inspect, mode=mode, isolation=BotIsolation(here(mode))), listed)
        return {source.name: each for source, each in zip(listed, found, strict=True)}


def inspect(source: PluginSource, mode: Mode, isolation: BotIsolation) -> Inspected:
    """Return what a plugin offers, whose bots then run in this mode; a process that fails is a problem of its own."""
    log, offer = ChildLog(), _Offer(b"")
    protocol = BotProtocol(log, BotFaults())
    try:
        launch = bot_launch(source.command, BOT_LIMITS, isolation, source.readable)
        child = Child(launch, protocol, source.name, bot_bounds(HOST_LINE), log.write)
    except OSError as error:
        return _dropped(source, f"no process can be started for it: {error.strerror or error}")
    try:
        protocol.begin(offer)
        return _inspected(source, mode, offer.wait(LOAD_S), log)
    except TimeoutError:
        return _dropped(source, f"silent: it was not loaded within {LOAD_S:g} s")
    finally:
        child.kill()


class _Offer(BotExchange):
    def is_outcome(self, message: BotMessage) -> bool:
        """Return whether this is the offer, or none will come."""
        return isinstance(message, Garbage) or (isinstance(message, OtherMessage) and message.type == "loaded")


def _inspected(source: PluginSource, mode: Mode, offer: BotMessage | Ended, log: ChildLog) -> Inspected:
    if isinstance(offer, Ended):
        words = log.last_words()
        said = f"; its log ends with: {words}" if words else ""
        return _dropped(source, f"crashed while it was loaded: {offer.problem}{said}")
    if isinstance(offer, Garbage):
        return _dropped(source, f"garbage while it was loaded: {offer.problem}")
    assert isinstance(offer, OtherMessage)
    try:
        found = read_offer(offer.values)
    except UsageError as error:
        return _dropped(source, f"garbage while it was loaded: {error}")
    problems = tuple(f"{source.called} says: {problem}" for problem in found.problems)
    if found.asks:
        return Inspected(asks=found.asks)
    kinds = [_isolated_kind(source, mode, values) for values in found.kinds]
    return Inspected(IsolatedPlugin(kinds) if kinds or not found.problems else None, problems=problems)


def _dropped(source: PluginSource, why: str) -> Inspected:
    return Inspected(problems=(f"the plugin {source.name!r} was dropped: {why}",))


def _isolated_kind(source: PluginSource, mode: Mode, values: Mapping[str, Any]) -> BrainKind:
    prepare_s = values["prepare_s"]
    # Its maker and its `prepare` have that time each, in its process, which has to start as well.
    grace_s = prepare_s + LOAD_S + 10
    return BrainKind(make=partial(_brain, source, prepare_s), prepare_grace_s=grace_s, isolation=mode, **values)


def _brain(source: PluginSource, usual_s: float, spec: Spec, readable: tuple[str, ...] | None = None) -> ProcessBrain:
    own = {key: value for key, value in spec.options.items() if key not in _PROCESS_OPTIONS}
    prepare_s = spec.number("prepare_s", usual_s, least=0.01)
    dialect, path = HostDialect(replace(spec, options=own), prepare_s), Path(source.source)
    watched = path if path.is_absolute() else None
    ready_s = 2 * prepare_s + LOAD_S
    readable = source.readable if readable is None else readable
    return ProcessBrain(spec, source.command, own, dialect=dialect, ready_s=ready_s, watched=watched, readable=readable)


def imports_program(text: str) -> bool:
    """Return whether a Python file is a plugin, not a program that speaks the line protocol itself."""
    return re.search(r"^\s*(from|import)\s+batllm_arcade\b", text, re.MULTILINE) is not None


def hosted_bot(path: Path, spec: Spec) -> ProcessBrain | None:
    """Return a brain for the first bot in a Python file that is a plugin, None for any other file.

    `spec.options` are the bot's; it runs in a process of its own.
    """
    path = whole_path(path)
    if path.suffix != ".py" or not path.is_file():
        return None
    try:
        text = read_text(path)
    except OSError:
        return None
    if not imports_program(text):
        return None
    source = PluginSource(path.stem, str(path))
    return _brain(source, 10.0, replace(spec, name=FIRST, variant=""), bot_files(path))


def samples(spec: Spec) -> bool:
    """Return whether a policy of this spec draws its actions."""
    return spec.text("sample", "no") == "yes"


POLICY_MB = 2048
"""MiB that a policy may take unless its options say otherwise: what runs networks maps far more than a script does."""
_POLICY_S = 60.0


def hosted_policy(path: Path, spec: Spec) -> Brain:
    """Return a brain for a trained policy's file (docs/training.md), which is loaded in a process of its own.

    With `isolation=none`, which only a person can say, it is loaded inside the program.
    """
    path = whole_path(path)
    if spec.text("isolation") == "none":
        inside: Brain = import_module("batllm_arcade.env.policy_brain").PolicyBrain(path, sample=samples(spec))
        return inside
    # By its name only: the program itself need not be able to import what runs a policy.
    source = PluginSource("policy", "batllm_arcade.env.policy_host")
    own = {key: value for key, value in spec.options.items() if key not in (*_PROCESS_OPTIONS, *HOST_OPTIONS)}
    prepare_s = spec.number("prepare_s", _POLICY_S, least=0.01)
    dialect = HostDialect(replace(spec, variant=str(path), options=own), prepare_s)
    limited = replace(spec, options={"memory_mb": str(POLICY_MB), **spec.options})
    return ProcessBrain(
        limited, source.command, own, title=path.stem, dialect=dialect, ready_s=prepare_s + LOAD_S, watched=path,
        readable=(*source.readable, *bot_files(path)),
    )  # fmt: skip


# -- What was chosen for the bots of plugins

Kinds = Mapping[str, BrainKind]


@dataclass(frozen=True, slots=True)
class IsolationChoice:
    """`whose` bots run in processes of their own, and `how` these are isolated, if they do not say so themselves.

    All of it is a person's word, never a file's.
    """

    whose: Isolate = "files"
    how: Mode = AUTO
    trusted: tuple[str, ...] = ()
    """The files of the folder that run inside the program, by their names without `.py`."""
    contents: tuple[tuple[str, str], ...] = ()
    """What these hold, as digests by name, where another program has let them in; () for whatever they hold."""
    replaced: tuple[str, ...] = ()
    """The bundled brains and plugins whose places others may take."""
    remember: bool = False
    """Whether those that are trusted are from now on, as long as they are not changed."""
    without: tuple[str, ...] = ()
    """The plugins that are left out, by name; bundled ones never are."""
    strict: bool = False
    """Whether a file that needs the program itself and is not trusted is refused, not left out."""

    def trusting(self, names: str | Iterable[str] | Mapping[str, str]) -> IsolationChoice:
        """Return the same choice with these files trusted, with or without `.py`; of a mapping with these contents."""
        given = (names,) if isinstance(names, str) else names
        contents = tuple(names.items()) if isinstance(names, Mapping) else ()
        return replace(self, trusted=tuple(name.removesuffix(".py") for name in given), contents=contents)


ISOLATED, INSIDE = IsolationChoice(), IsolationChoice("nothing")
"""The usual choice; and no plugin in a process of its own."""


@dataclass(frozen=True, slots=True)
class ChosenIsolation:
    """Gives brain kinds the isolation that was chosen; `files` load the kinds of a folder's file in the program.

    Those of a file in `inside` run there in any case.
    """

    choice: IsolationChoice
    files: Mapping[str, Callable[[], Kinds]]
    inside: Collection[str] = ()
    contested: set[str] = field(default_factory=set)
    """Names that several plugins offer: whoever asks for one inside the program could mean another file's."""

    def isolated(self, plugin: str, kind: BrainKind) -> BrainKind:
        """Return a kind of this plugin as its bots run; one that can never be isolated as it is."""
        if kind.isolation:
            kind = replace(kind, isolation=self.choice.how)
            load = self.files.get(plugin)
            if load is None:
                return kind
            return replace(kind, make=partial(_either, kind.make, load, plugin, self.contested))
        serves = kind.models or kind.missing or kind.orders_reader
        if plugin in self.inside and not (kind.human or serves):
            return replace(kind, isolation="none", make=partial(_inside, kind.make))
        return kind


def _either(
    make: Callable[[Spec], Brain], load: Callable[[], Kinds], plugin: str, contested: Collection[str], spec: Spec
) -> Brain:
    if spec.text("isolation") != "none":
        return make(spec)
    if spec.name in contested:
        raise UsageError(
            f"several plugins offer a brain {spec.name!r}; leave isolation=none out, or say which file you mean: "
            f"--trust {plugin}"
        )
    kinds = load()
    if spec.name not in kinds:
        raise UsageError(
            f"{spec.name} is not there when its file is loaded inside the program; leave isolation=none out"
        )
    return kinds[spec.name].make(_without_isolation(spec))


def _inside(make: Callable[[Spec], Brain], spec: Spec) -> Brain:
    mode = mode_of(spec.text("isolation", "none"), f"isolation of {spec.name}")
    if mode not in ("none", AUTO):
        raise UsageError(
            f"{spec.name} runs inside the program, as its file is trusted to; for isolation={mode} leave "
            "--isolation none, --trust-plugins or --trust out"
        )
    return make(_without_isolation(spec))


def _without_isolation(spec: Spec) -> Spec:
    return replace(spec, options={key: text for key, text in spec.options.items() if key not in ISOLATION_OPTIONS})
