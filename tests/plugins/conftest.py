"""Shared by the tests of plugins."""

from __future__ import annotations

import pytest
from paths import DATA
from providers import CANARY, PROVIDERS


@pytest.fixture(autouse=True)
def _no_certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let official clients read no certificates: they take 30 ms at each client, and all servers here speak HTTP."""
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.setenv("SSL_CERT_DIR", str(DATA))


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every provider a key."""
    for provider in PROVIDERS.values():
        if provider.key:
            monkeypatch.setenv(provider.key, CANARY)
