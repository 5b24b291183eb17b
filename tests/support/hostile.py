"""Sessions with a few values changed at random: each must be read, or refused with one sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

from batllm_arcade.history.reader import SessionTape
from batllm_arcade.history.replay import replay
from batllm_arcade.history.schema import HistoryError
from batllm_arcade.history.verification import verify

Change = tuple[tuple[Any, ...], Any]

ODD = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5),
    st.sampled_from([10**400, -(10**18), 1e308, -0.0, "ERR", "M", "C360", [], {}, [0, 1], "\ud800"]),
    st.recursive(st.integers(), lambda part: st.lists(part) | st.dictionaries(st.text(max_size=3), part), max_leaves=4),
)  # fmt: skip


def nodes(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values within a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, part in inner for found in nodes(part, (*path, key)))]


def mutations(session: Any) -> st.SearchStrategy[list[Change]]:
    """Up to three changes: a path within the session, and what to put there."""
    paths = nodes(session)[1:]
    return st.lists(st.tuples(st.sampled_from(paths), ODD | st.just("DELETE")), min_size=1, max_size=3)


def mutated(session: Any, changes: Sequence[Change]) -> Any:
    """The session with these changes; the session itself stays as it is."""
    session = deepcopy(session)
    for path, value in changes:
        node: Any = session
        try:
            for key in path[:-1]:
                node = node[key]
            if value == "DELETE":
                del node[path[-1]]
            else:
                node[path[-1]] = value
        except (KeyError, IndexError, TypeError):
            continue  # an earlier change took this place away
    return session


def assert_read_or_refused(attempt: Callable[[], SessionTape]) -> None:
    """Either a session that can be played again and compared, or one clear sentence."""
    try:
        tape = attempt()
    except HistoryError as error:
        sentences = [str(error)]
    else:
        assert list(replay(tape))
        sentences = [str(difference) for difference in verify(tape)]
    assert all("\n" not in sentence and len(sentence) < 400 for sentence in sentences)
