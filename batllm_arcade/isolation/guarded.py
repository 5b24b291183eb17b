"""Starting a bot's process: behind its guard where the system has what that needs, else in a group of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import IO

from batllm_arcade.isolation.environment import Limits, scrubbed_environment

GUARD = Path(__file__).with_name("guard.py")


class GuardedChild:
    """A bot behind its guard, or alone where there is none (Windows); `process` is the one that is waited for."""

    def __init__(self, process: subprocess.Popen[bytes], control: int = -1, status: int = -1) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self.process, self._control, self._status = process, control, status
        self.stdin: IO[bytes] = process.stdin
        self.stdout: IO[bytes] = process.stdout
        self.stderr: IO[bytes] = process.stderr

    def wait(self, seconds: float) -> bool:
        """Return whether it is gone, with all it has started, after so many seconds at most."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def terminate(self) -> None:
        """Ask it and what it has started to end (SIGTERM); Windows ends it."""
        if self._control >= 0:
            with suppress(OSError):
                os.write(self._control, b"t")
        else:
            with suppress(OSError):
                self.process.terminate()

    def kill(self) -> None:
        """End it and what it has started; a guard that does not do so is ended, too."""
        control, self._control = self._control, -1
        if control >= 0:
            os.close(control)
            if self.wait(5.5):
                return
        with suppress(OSError):
            self.process.kill()

    def epitaph(self, limits: Limits) -> str:
        """Return how it has ended, once it is gone; its guard's line is read once."""
        said = b""
        if self._status >= 0:
            with suppress(OSError):
                said = os.read(self._status, 1000)
        word, _, what = said.decode("utf-8", "replace").partition(" ")
        code = self.process.returncode
        if word == "start":
            return f"it could not be started: {what}"
        if word == "processes":
            return f"it had {what} processes, and {limits.processes} are allowed"
        if word == "signal":
            return f"it was ended by {_signal_name(int(what))}"
        if word == "exit":
            return f"it ended with exit code {what}"
        return f"it ended with exit code {code}" if self._status < 0 else "it was ended together with its guard"

    def close(self) -> None:
        """Close what is still open of the pipes to the guard."""
        status, self._status = self._status, -1
        if status >= 0:
            os.close(status)


def started(command: Sequence[str], limits: Limits, folder: str) -> GuardedChild:
    """Start a bot in this working folder; raise OSError if that fails."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    environment = scrubbed_environment()
    if os.name != "posix":
        flags = getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
        return GuardedChild(
            subprocess.Popen(command, cwd=folder, env=environment, creationflags=flags, **pipes)  # type: ignore[call-overload]
        )
    watched, control = os.pipe()
    status, told = os.pipe()
    settings = json.dumps({**asdict(limits), "control": watched, "status": told, "folder": folder})
    try:
        process = subprocess.Popen(
            # Without the packages of the installation: the guard is there in an instant, and imports nothing of ours.
            [sys.executable, "-I", "-S", str(GUARD), settings, *command],
            cwd=folder, env=environment, start_new_session=True, pass_fds=(watched, told), **pipes,
        )  # type: ignore[call-overload]  # fmt: skip
    except BaseException:
        os.close(control)
        os.close(status)
        raise
    finally:
        os.close(watched)
        os.close(told)
    return GuardedChild(process, control, status)


def _signal_name(number: int) -> str:
    with suppress(ValueError):
        return signal.Signals(number).name
    return f"signal {number}"
