"""Where a test needs a sandbox: it is skipped where none can be made, and fails there if it must not be."""

from __future__ import annotations

import os

import pytest

from batllm_arcade.isolation.sandbox import sandboxes


def require_sandbox() -> None:
    """Skip the test where no sandbox can be made; fail it where BATLLM_REQUIRE_SANDBOX is set."""
    if problem := sandboxes().problem:
        (pytest.fail if os.environ.get("BATLLM_REQUIRE_SANDBOX") else pytest.skip)(f"no sandbox: {problem}")
