"""What of this program's environment is handed on to a process that is a stranger's, or needs none of its secrets."""

from __future__ import annotations

import os

HANDED_ON = frozenset({
    # What a program needs to find programs, libraries, a place for temporary files, and its language,
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "LANG", "LANGUAGE", "TZ", "TERM", "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH", "PYTHONPATH", "PYTHONHOME",
    # and what none starts without on Windows.
    "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "USERNAME", "HOMEDRIVE",
    "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "COMMONPROGRAMFILES",
    "OS", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE",
})  # fmt: skip
"""The variables that are handed on, besides LC_*; names are told apart by more than their case nowhere."""


def handed_on(*beginnings: str) -> dict[str, str]:
    """Return the variables that are handed on, and those whose names begin so."""
    return {
        name: value
        for name, value in os.environ.items()
        if name.upper() in HANDED_ON or name.startswith(("LC_", *beginnings))
    }
