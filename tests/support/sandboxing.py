"""Where a test needs a sandbox: it is skipped where none can be made, and fails there if it must not be."""

from __future__ import annotations

import os

import pytest

from batllm_arcade.isolation.sandbox import pasta, sandboxes


def require_sandbox() -> None:
    """Skip the test where no sandbox can be made; fail it where BATLLM_REQUIRE_SANDBOX is set."""
    if problem := sandboxes().problem:
        (pytest.fail if os.environ.get("BATLLM_REQUIRE_SANDBOX") else pytest.skip)(f"no sandbox: {problem}")


def require_network() -> None:
    """Skip the test where a sandbox can be given no network; fail it where BATLLM_REQUIRE_NETWORK is set."""
    require_sandbox()
    if not pasta() or not os.access("/dev/net/tun", os.R_OK | os.W_OK):
        (pytest.fail if os.environ.get("BATLLM_REQUIRE_NETWORK") else pytest.skip)("no pasta, or no /dev/net/tun")
