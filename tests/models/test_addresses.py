"""Addresses as people write them: what is asked there."""

from __future__ import annotations

import pytest

from batllm_arcade.errors import UsageError
from batllm_arcade.models.presets import is_near, parse_address

CHAT = "/v1/chat/completions"


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("http://127.0.0.1:11434", "http://127.0.0.1:11434/v1/chat/completions"),
        ("http://127.0.0.1:11434/", "http://127.0.0.1:11434/v1/chat/completions"),
        ("http://localhost:1234/v1", "http://localhost:1234/v1/chat/completions"),
        ("http://localhost:1234/v1/", "http://localhost:1234/v1/chat/completions"),
        ("https://example.org/proxy", "https://example.org/proxy/v1/chat/completions"),
        ("https://example.org/proxy/v1", "https://example.org/proxy/v1/chat/completions"),
        ("https://openrouter.ai/api", "https://openrouter.ai/api/v1/chat/completions"),
        ("https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1/chat/completions"),
        ("https://api.groq.com/openai/v1", "https://api.groq.com/openai/v1/chat/completions"),
        ("https://api.z.ai/api/paas/v4", "https://api.z.ai/api/paas/v4/chat/completions"),
        ("https://api.z.ai/api/paas/v4/", "https://api.z.ai/api/paas/v4/chat/completions"),
        ("https://g.example/v1beta/openai", "https://g.example/v1beta/openai/chat/completions"),
        ("https://g.example/v1beta/openai/", "https://g.example/v1beta/openai/chat/completions"),
        ("https://gw.example/v1/me/mine/openai", "https://gw.example/v1/me/mine/openai/chat/completions"),
        ("http://localhost:1234/v1/chat/completions", "http://localhost:1234/v1/chat/completions"),
        ("http://localhost:1234/v1/chat/completions/", "http://localhost:1234/v1/chat/completions"),
        ("http://localhost:1234/chat/completions", "http://localhost:1234/chat/completions"),
        ("https://ui.example/api/chat/completions", "https://ui.example/api/chat/completions"),
        ("https://a.example/models/chat/completions", "https://a.example/models/chat/completions"),
        ("http://localhost:1234/v1/models", "http://localhost:1234/v1/chat/completions"),
        ("http://localhost:11434/api/chat", "http://localhost:11434/v1/chat/completions"),
        (
            "https://r.example/openai/deployments/d?api-version=2024-10-21",
            "https://r.example/openai/deployments/d/chat/completions?api-version=2024-10-21",
        ),
        (
            "https://r.example/openai/deployments/d/chat/completions?api-version=2024-10-21",
            "https://r.example/openai/deployments/d/chat/completions?api-version=2024-10-21",
        ),
        ("http://127.0.0.1:1/?a=1", "http://127.0.0.1:1/v1/chat/completions?a=1"),
        ("http://[::1]:8080", "http://[::1]:8080/v1/chat/completions"),
        ("http://[fe80::1]:8080/v1", "http://[fe80::1]:8080/v1/chat/completions"),
    ],
)
def test_an_address_leads_to_the_endpoint_it_means(written, asked):
    assert parse_address(written).url(CHAT) == asked


@pytest.mark.parametrize(
    ("written", "path", "asked"),
    [
        ("http://h:11434", "/api/chat", "http://h:11434/api/chat"),
        ("http://h:11434/api", "/api/chat", "http://h:11434/api/chat"),
        ("http://h:11434/api/", "/api/tags", "http://h:11434/api/tags"),
        ("http://h:11434/api/chat", "/api/tags", "http://h:11434/api/tags"),
        ("http://h:11434/api/generate", "/api/chat", "http://h:11434/api/chat"),
        ("http://h:11434/v1", "/api/chat", "http://h:11434/api/chat"),
        ("https://ollama.com/api", "/api/chat", "https://ollama.com/api/chat"),
        ("https://h/proxy/ollama", "/api/chat", "https://h/proxy/ollama/api/chat"),
        ("https://g.example/v1beta", "/v1beta/models?pageSize=9", "https://g.example/v1beta/models?pageSize=9"),
        ("https://g.example/v1alpha", "/v1beta/models/m:x", "https://g.example/v1alpha/models/m:x"),
        ("https://g.example/v1beta/models/m:generateContent", "/v1beta/models/m", "https://g.example/v1beta/models/m"),
        ("https://g.example/v1/me/google", "/v1beta/models/m", "https://g.example/v1/me/google/v1beta/models/m"),
        ("https://g.example?a=1", "/v1beta/models?pageSize=9", "https://g.example/v1beta/models?pageSize=9&a=1"),
    ],
)
def test_other_providers_paths_are_joined_to_it_without_doubling(written, path, asked):
    assert parse_address(written).url(path) == asked


def test_where_a_server_may_be_without_a_version_is_known_only_where_it_is_in_doubt():
    other = parse_address("https://example.org/inference").without_version
    assert other is not None
    assert other.url(CHAT) == "https://example.org/inference/chat/completions"
    assert parse_address("https://api.z.ai/api/paas/v4").without_version is None
    assert parse_address("http://127.0.0.1:1").without_version is None


@pytest.mark.parametrize(
    "written",
    ["", "127.0.0.1:11434", "ftp://x", "http://", "http://x:99999", "http://x:abc", "http://x/#a", "http://x y",
     "file:///x", "http://x\n", "http://ex\u00e4mple.org"],
)  # fmt: skip
def test_what_is_no_address_is_refused(written):
    with pytest.raises(UsageError, match="base_url"):
        parse_address(written)


@pytest.mark.parametrize("name", ["key", "api_key", "access_token", "sig", "subscription-key"])
def test_a_key_in_an_address_is_refused_and_not_shown(name):
    with pytest.raises(UsageError, match="must not hold a key") as caught:
        parse_address(f"https://x.example/v1?a=1&{name}=canary-1")
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "near"),
    [
        ("http://127.0.0.1:1", True), ("http://localhost:1", True), ("http://[::1]:1", True),
        ("http://192.168.1.7:1234", True), ("http://10.0.0.2", True), ("http://gaming-pc:1234", True),
        ("http://nas.local", True), ("https://api.openai.com", False), ("http://8.8.8.8", False),
    ],
)  # fmt: skip
def test_near_is_where_nobody_is_paid_for_a_question(url, near):
    assert is_near(url) is near
