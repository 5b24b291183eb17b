"""The one place that writes to the terminal: control characters are shown, and a stream that fails is an error."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TextIO

from batllm_arcade.errors import ArcadeError

_JOINERS = "\u200c\u200d"
"""Format characters that belong to words and to emoji, and change nothing else."""
_HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""The Unicode categories that are shown as escapes: controls, marks of direction, lone surrogates, line separators."""


class OutputError(ArcadeError):
    """Standard output or standard error takes no more; `str()` says why in one sentence."""

    def __init__(self, why: str, *, reader_gone: bool = False) -> None:
        super().__init__(why)
        self.reader_gone = reader_gone
        """Whether who read it has left, as `head` does; else it is closed, or what it goes to is full."""


def printable(text: str) -> str:
    """Return a line of text that cannot act on a terminal: controls, line ends and bidi marks as escapes."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped(character) for character in text)


def _escaped(character: str) -> str:
    if character == "\x7f":
        return "\\u007f"  # which is right in JSON, too: the only control that JSON does not escape
    import unicodedata

    hidden = unicodedata.category(character) in _HIDDEN and character not in _JOINERS
    return character.encode("unicode_escape").decode() if hidden else character


def write_lines(lines: Sequence[str], out: TextIO | None = None) -> None:
    """Write lines to `out` (standard error) in one piece, each `printable`; raise OutputError if that fails.

    A character that the stream cannot encode is written as an escape.
    """
    _write("".join(f"{printable(line)}\n" for line in lines), sys.stderr if out is None else out)


def write_line(line: str, out: TextIO | None = None) -> None:
    """Write one line, as `write_lines` does."""
    write_lines((line,), out)


def complain(sentence: object) -> None:
    """Write a sentence after the program's name to standard error; raise OutputError if that fails."""
    write_line(f"batllm-arcade: {sentence}")


def redraw(line: str, out: TextIO | None) -> None:
    """Write a line over the last one, without a line end: a bar of progress; raise OutputError if that fails."""
    _write(f"\r{printable(line)}\x1b[K", out)


def redraw_lines(lines: Sequence[str], before: int, out: TextIO | None) -> None:
    """Write lines, none wider than the terminal, in place of the last `before`; raise OutputError if that fails."""
    up = f"\r\x1b[{before}A" if before else ""
    _write(up + "\x1b[J" + "".join(f"{printable(line)}\n" for line in lines), out)


def flush() -> None:
    """Write what is still buffered for standard output; raise OutputError if that fails.

    Where it is closed nothing is: whatever was to be written there has failed already.
    """
    if sys.stdout is not None:
        _write("", sys.stdout)


def _write(text: str, out: TextIO | None) -> None:
    try:
        if out is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        if text:  # a full device refuses even the writing of nothing
            encoding = getattr(out, "encoding", None) or "utf-8"
            out.write(text.encode(encoding, "backslashreplace").decode(encoding))
        out.flush()
    except (OSError, ValueError) as error:
        _give_up(out)
        gone = isinstance(error, BrokenPipeError)
        why = "its reader has gone" if gone else getattr(error, "strerror", None) or error
        raise OutputError(f"the output cannot be written: {why}", reader_gone=gone) from None


def _give_up(out: TextIO | None) -> None:
    """Let nothing that is still buffered fail a second time when the program ends."""
    if out is None:
        return
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, out.fileno())
        os.close(nowhere)


def open_missing_streams() -> None:
    """Occupy the standard streams that are closed, so that no file gets their numbers; writing to them fails."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDONLY)  # takes the lowest number that is free: this one
