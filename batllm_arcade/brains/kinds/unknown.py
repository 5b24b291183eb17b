"""What is said of a brain that does not exist, with what was probably meant."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import PurePath

from batllm_arcade.brains.protocol import BrainKind, Spec
from batllm_arcade.errors import UsageError

BOT_FILES = (".py", ".js", ".mjs", ".sh")


def unknown_brain(kinds: Mapping[str, BrainKind], spec: Spec) -> UsageError:
    """Return the error for a spec whose name no brain has: what is like it, how a file is played, else all names."""
    if PurePath(spec.name).suffix.lower() in BOT_FILES:
        folder = str(PurePath(spec.name).parent)
        return UsageError(
            f"there is no brain {spec.name!r}; a bot's file is played as proc:{spec.name}, or by the name in its @bot "
            f"with --plugins-dir {folder} (from Python plugins_dir={folder!r})"
        )
    near = _near(kinds, spec)
    meant = f" (did you mean {near}?)" if near else ""
    return UsageError(f"there is no brain {spec.name!r}{meant}; choose one of {', '.join(sorted(kinds))}")


def _near(kinds: Mapping[str, BrainKind], spec: Spec) -> str:
    variants = {variant: f"{kind.name}:{variant}" for kind in kinds.values() for variant in kind.variants}
    found = get_close_matches(spec.name, [*kinds, *variants], 1, cutoff=0.7)
    if not found:
        return ""
    if found[0] not in kinds:
        return variants[found[0]]
    return f"{found[0]}:{spec.variant}" if spec.variant in kinds[found[0]].variants else found[0]
