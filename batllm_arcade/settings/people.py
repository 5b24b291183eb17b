"""What the people who play are called: two of them never share a name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from batllm_arcade.brains.protocol import BrainKind, Spec

Names = tuple[str, str]
"""A name for the person at each seat, left first, "" for none."""
Seats = tuple[Spec, Spec]
UNNAMED: Names = ("Player 1", "Player 2")
"""What two people are called who have not said their names."""


def people(seats: Seats, kinds: Mapping[str, BrainKind]) -> tuple[bool, bool]:
    """Return which seats a person has."""
    left, right = (bool(kind and kind.human) for kind in (kinds.get(spec.name) for spec in seats))
    return left, right


def named(seats: Seats, kinds: Mapping[str, BrainKind], kept: Names) -> Seats:
    """Return the seats with names for the people at them: those given, else those kept, else two that differ."""
    human = people(seats, kinds)
    names = [spec.text("name") or (kept[seat] if human[seat] else "") for seat, spec in enumerate(seats)]
    if all(human):
        names = [name or instead for name, instead in zip(names, UNNAMED, strict=True)]
        if names[0].casefold() == names[1].casefold():
            names[1] = f"{names[1]} 2"
    left, right = (
        replace(spec, options={**spec.options, "name": name}) if human[seat] and name else spec
        for seat, (spec, name) in enumerate(zip(seats, names, strict=True))
    )
    return left, right


def given(seats: Seats, kinds: Mapping[str, BrainKind], kept: Names) -> Names:
    """Return the names to keep: those that the people at these seats have now, the others as they were."""
    human = people(seats, kinds)
    left, right = (
        spec.text("name") if human[seat] and spec.text("name") else kept[seat] for seat, spec in enumerate(seats)
    )
    return left, right
