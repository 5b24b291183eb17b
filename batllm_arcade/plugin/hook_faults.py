"""What authors get wrong about hooks, in their own words: a missing mark, a misspelt name, other arguments."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from difflib import get_close_matches
from types import FunctionType, ModuleType
from typing import Any

from batllm_arcade.errors import UsageError, method_of, named, place_of_code
from batllm_arcade.plugin import hookspecs

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
