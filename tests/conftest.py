"""Shared by all tests."""

from __future__ import annotations

from hypothesis import settings

# The same examples in every run and on every machine; a slow one must not fail for being slow.
settings.register_profile("batllm", derandomize=True, max_examples=200, deadline=None)
settings.load_profile("batllm")
