"""The system's keyring, through the package `keyring` where it is installed; imported when it is first asked."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from batllm_arcade.errors import ArcadeError

SERVICE = "batllm-arcade"


class KeyringError(ArcadeError):
    """The keyring cannot be used; `str()` is one sentence that says what to do."""


def has_keyring() -> bool:
    """Return whether there is a keyring that keeps keys safe; takes a moment when first asked."""
    if find_spec("keyring") is None:
        return False
    try:
        import keyring

        # Those below 1 are no system's keyring: plain files, or one that refuses everything.
        return float(keyring.get_keyring().priority) >= 1
    except Exception:  # noqa: BLE001 - a backend is a plugin of the system's
        return False


def read(origin: str) -> str:
    """Return the key kept for a server's origin, "" without one; raise KeyringError."""
    return str(_asked("get_password", SERVICE, origin) or "")


def write(origin: str, key: str) -> None:
    """Keep a key; raise KeyringError."""
    _asked("set_password", SERVICE, origin, key)


def forget(origin: str) -> None:
    """Remove a key that is kept; raise KeyringError."""
    if read(origin):
        _asked("delete_password", SERVICE, origin)


def _asked(method: str, *values: str) -> Any:
    try:
        import keyring

        return getattr(keyring, method)(*values)
    except Exception as error:  # noqa: BLE001 - a backend is a plugin of the system's; its words may hold the key
        raise KeyringError(
            f"the keyring does not work ({type(error).__name__}); unlock it, or keep the key in a file or for this run"
        ) from None
