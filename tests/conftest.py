"""Shared by all tests."""

from __future__ import annotations

from hypothesis import settings

# The same examples in every run and on every machine; a slow one must not fail for being slow.
settings.register_profile("batllm", derandomize=True, max_examples=200, deadline=None)
settings.register_profile("quick", settings.get_profile("batllm"), max_examples=40)
settings.load_profile("batllm")
