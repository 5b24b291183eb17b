"""What all benchmarks share: their command line with `--smoke`, and their progress on standard error."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any


class BenchmarkParser(argparse.ArgumentParser):
    """A parser for `doc`, a module's docstring; `--smoke` stands for other defaults, those of `smoke`."""

    def __init__(self, doc: str | None, **smoke: Any) -> None:
        super().__init__(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
        self._smoke = smoke
        self.add_argument("--smoke", action="store_true", help="run the same code on next to nothing, in seconds")

    def parse(self, arguments: Sequence[str] | None = None) -> argparse.Namespace:
        """Return the options; what is given counts, also beside `--smoke`."""
        if "--smoke" in (sys.argv[1:] if arguments is None else arguments):
            unknown = set(self._smoke) - set(vars(self.parse_args([])))
            assert not unknown, f"no option is named {unknown}"
            self.set_defaults(**self._smoke)
        return self.parse_args(arguments)


def progress(text: str) -> None:
    """Say on standard error how far it is; standard output has the figures alone."""
    print(f"... {text}", file=sys.stderr, flush=True)
