"""What came of the mutants: a table, and the survivors that nobody has explained yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from mutants import Mutant

REASONS = Path(__file__).parent / "survivors.yaml"
"""Survivors by name, each with `equivalent` (whether no test could notice it) and `why`."""
LEAST = 0.85
"""The share of those not known to be equivalent that must be killed."""


@dataclass(frozen=True, slots=True)
class Tried:
    """How a mutant's tests ended (`failed`, `timeout`; `passed`: it survived), and after how many seconds."""

    how: str
    seconds: float


def told(mutants: Sequence[Mutant], tried: Mapping[str, Tried], root: Path) -> int:
    """Print the table and the unexplained survivors; return 0 if enough were killed."""
    reasons: dict[str, dict[str, Any]] = yaml.safe_load(REASONS.read_text("utf-8")) or {}
    print(f"\n{'room':20}{'mutants':>9}{'killed':>9}{'timeouts':>10}{'survived':>10}{'equivalent':>12}{'share':>8}")
    rooms = sorted({mutant.room for mutant in mutants})
    for room in rooms:
        print(_row(room, [mutant for mutant in mutants if mutant.room == room], tried, reasons))
    print(_row("all", mutants, tried, reasons))
    for mutant in mutants:
        if _survived(mutant, tried) and mutant.name not in reasons:
            print(f"\n{mutant.name}: {mutant.module}:{mutant.line} {mutant.kind}")
            print("\n".join(mutant.difference((root / mutant.module).read_text("utf-8"))))
    missing = sum(mutant.name not in tried for mutant in mutants)
    if missing:
        print(f"\n{missing} were not tried; run it again to go on")
    return 0 if _share(mutants, tried, reasons) >= LEAST and not missing else 1


def _survived(mutant: Mutant, tried: Mapping[str, Tried]) -> bool:
    return mutant.name in tried and tried[mutant.name].how == "passed"


def _equivalent(mutants: Sequence[Mutant], tried: Mapping[str, Tried], reasons: Mapping[str, Any]) -> int:
    return sum(_survived(mutant, tried) and reasons.get(mutant.name, {}).get("equivalent", False) for mutant in mutants)


def _share(mutants: Sequence[Mutant], tried: Mapping[str, Tried], reasons: Mapping[str, Any]) -> float:
    ended = [tried[mutant.name].how for mutant in mutants if mutant.name in tried]
    counted = len(ended) - _equivalent(mutants, tried, reasons)
    return sum(how != "passed" for how in ended) / counted if counted else 1.0


def _row(name: str, mutants: Sequence[Mutant], tried: Mapping[str, Tried], reasons: Mapping[str, Any]) -> str:
    ended = [tried[mutant.name].how for mutant in mutants if mutant.name in tried]
    killed, late, lived = (ended.count(how) for how in ("failed", "timeout", "passed"))
    equivalent, share = _equivalent(mutants, tried, reasons), _share(mutants, tried, reasons)
    return f"{name:20}{len(ended):>9}{killed:>9}{late:>10}{lived:>10}{equivalent:>12}{share:>8.1%}"
