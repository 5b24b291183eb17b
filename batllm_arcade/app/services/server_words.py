"""What is said of a model server in the window, where an option is a row and a list is one press away."""

from __future__ import annotations

_OTHERWISE = (
    ("base_url", "the address"),
    ("the key that you have kept", "the key"),
    ("needs a key; set the", "needs a key; type it in the row Server, or set the"),
)


def in_window(problem: str, models: int = 0) -> str:
    """Return a sentence about a server that has so many `models` in the window's words; others as they are."""
    problem, other, _ = problem.partition("; set model to another")
    if other:
        problem += f"; choose {f'one of the {models} that it has' if models > 1 else 'another'}"
    problem, unnamed, _ = problem.partition("; say which variable holds its key")
    if unnamed:
        problem += "; type its key in the row Server"
    for before, after in _OTHERWISE:
        problem = problem.replace(before, after)
    return problem


def size_words(done: int, total: int) -> str:
    """Return how much of so many bytes is there."""
    unit, name = (1e9, "GB") if total >= 1e9 else (1e6, "MB")
    return f"{done / unit:.1f} of {total / unit:.1f} {name}"


def as_sentence(problem: str) -> str:
    """Return a problem as a whole sentence of a dialog, "" for none."""
    said = in_window(problem)
    return f"{said[:1].upper()}{said[1:].rstrip('.')}." if said else ""
