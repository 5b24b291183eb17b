"""What was chosen for the bots of plugins: whose run in processes of their own, and how those are isolated."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from batllm_arcade.brains.protocol import Brain, BrainKind, Spec
from batllm_arcade.errors import UsageError
from batllm_arcade.isolation.modes import AUTO, ISOLATION_OPTIONS, Mode, mode_of
from batllm_arcade.plugin.isolated import Isolate

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

    def of(self, plugin: str, kind: BrainKind) -> BrainKind:
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
    """Return a bot in a process, or one inside the program if that is asked for."""
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
