"""Shared by all tests."""

from __future__ import annotations

import os
import sys

from hypothesis import settings

# Programs that tests start read compiled modules; compiling all of them anew each time costs half a second a program,
# and compiling the tests themselves costs four seconds a run.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# The same examples in every run and on every machine; a slow one must not fail for being slow.
settings.register_profile("batllm", derandomize=True, max_examples=200, deadline=None)
settings.register_profile("quick", settings.get_profile("batllm"), max_examples=40)
settings.load_profile("batllm")
