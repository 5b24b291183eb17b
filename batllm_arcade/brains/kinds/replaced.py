"""The brains by name, and the bundled ones whose names others have: fallbacks and characters are these in any case."""

from __future__ import annotations

from batllm_arcade.brains.protocol import BrainKind


class BrainKinds(dict[str, BrainKind]):
    """The kinds of brain by name; `replaced` are the bundled ones whose places others were let into."""

    def __init__(self) -> None:
        super().__init__()
        self.replaced: dict[str, BrainKind] = {}
