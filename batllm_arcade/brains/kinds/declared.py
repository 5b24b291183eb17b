"""The options of a brain's kind, as it has declared them: which there are, whether a spec's are right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from batllm_arcade.brains.kinds.option import Option
from batllm_arcade.brains.protocol import BrainKind, Spec
from batllm_arcade.errors import UsageError

HOST = (
    Option("deadline_s", "number", "30", "seconds for one play, after which nothing is done", least=0.01),
    Option("name", sentence="what the seat is called"),
    Option(
        "prepare_s", "number", "60", "seconds for getting ready before a match: starting, loading a model", least=0.01,
        advanced=True,
    ),
)  # fmt: skip
"""The options of every brain, which the host reads."""


def options_of(kind: BrainKind, variant: str = "") -> tuple[Option, ...]:
    """Return the options of a brain's variant, its own first; only the host's for a kind that declares none."""
    own = [each for each in kind.options or () if not each.variants or (variant or _first(kind)) in each.variants]
    usual = {"prepare_s": f"{kind.prepare_s:g}"}
    shared = (replace(each, default=usual.get(each.name, each.default)) for each in HOST)
    names = {each.name for each in own}
    return (*own, *(each for each in shared if each.name not in names))


def check_options(kind: BrainKind, spec: Spec) -> None:
    """Raise UsageError if an option of a spec is not one that its kind has declared, or has a wrong value."""
    if kind.options is not None:
        check_spec(spec, options_of(kind, spec.variant), other=kind.other_options)


def check_spec(spec: Spec, options: Iterable[Option], *, other: bool = False) -> None:
    """Raise UsageError if an option of a spec is not among these (unless it may have `other` ones) or is wrong."""
    known = {each.name: each for each in options}
    for key, text in spec.options.items():
        if key not in known and not other:
            raise UsageError(f"{spec.name} has no option {key!r}; it knows {', '.join(known)}")
        if key in known:
            of = f"{spec.name}:{spec.variant}" if known[key].variants and spec.variant else spec.name
            if problem := known[key].problem(of, text):
                raise UsageError(problem)


def with_option(spec: Spec, option: Option, text: str) -> Spec:
    """Return the spec with an option set; its default, or "", takes it out."""
    rest = {key: value for key, value in spec.options.items() if key != option.name}
    return replace(spec, options=rest if text in ("", option.default) else {**rest, option.name: text})


def option_lines(kind: BrainKind, variant: str = "") -> Iterator[str]:
    """Yield the lines of `batllm-arcade brains NAME --options`: each option's name, default and meaning."""
    for option in options_of(kind, variant):
        default = option.default or "-"
        values = f" ({option.values})" if option.values else ""
        yield f"{option.name:12} {default:24} {option.sentence}{values}".rstrip()


def _first(kind: BrainKind) -> str:
    return next(iter(kind.variants), "")
