"""What was chosen for the bots of plugins: whose run in processes of their own, and how those are isolated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from batllm_arcade.brains.protocol import Brain, BrainKind, Spec
from batllm_arcade.errors import UsageError
from batllm_arcade.isolation.modes import AUTO, ISOLATION_OPTIONS, Mode, mode_of
from batllm_arcade.plugin.isolated import Isolate

Kinds = Mapping[str, BrainKind]


@dataclass(frozen=True, slots=True)
class IsolationChoice:
    """`whose` bots run in processes of their own, and `how` these are isolated, if they do not say so themselves."""

    whose: Isolate = "files"
    how: Mode = AUTO


ISOLATED, INSIDE = IsolationChoice(), IsolationChoice("nothing")
"""The usual choice; and no plugin in a process of its own."""


@dataclass(frozen=True, slots=True)
class ChosenIsolation:
    """Gives brain kinds the isolation that was chosen; `inside` loads the kinds of a folder's file in the program."""

    choice: IsolationChoice
    inside: Mapping[str, Callable[[], Kinds]]

    def of(self, plugin: str, kind: BrainKind) -> BrainKind:
        """Return a kind of this plugin as its bots run; one that can never be isolated as it is."""
        if kind.isolation:
            kind = replace(kind, isolation=self.choice.how)
            load = self.inside.get(plugin)
            return kind if load is None else replace(kind, make=partial(_either, kind.make, load))
        serves = kind.models or kind.missing or kind.orders_reader
        if plugin in self.inside and self.choice.whose == "nothing" and not (kind.human or serves):
            return replace(kind, isolation="none", make=partial(_inside, kind.make))
        return kind


def _either(make: Callable[[Spec], Brain], load: Callable[[], Kinds], spec: Spec) -> Brain:
    """Return a bot in a process, or one inside the program if it asks for that."""
    if spec.text("isolation") != "none":
        return make(spec)
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
            f"{spec.name} runs inside the program, as all bots of --plugins-dir shall; for isolation={mode} leave "
            "--isolation none and --trust-plugins out"
        )
    return make(_without_isolation(spec))


def _without_isolation(spec: Spec) -> Spec:
    return replace(spec, options={key: text for key, text in spec.options.items() if key not in ISOLATION_OPTIONS})
