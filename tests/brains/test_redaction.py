"""No key, user, password or query of an address is recorded or shown, whatever its scheme."""

from __future__ import annotations

import pytest

from batllm_arcade.brains.redaction import Secrets, without_folders, without_secrets


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("GET https://bob:CANARY@models.example/v1?key=CANARY failed", "GET https://models.example/v1 failed"),
        ("wss://CANARY@a.example:9/x#CANARY", "wss://a.example:9/x"),
        ("ftp://u:p%40CANARY@a.example, 'postgres://u:CANARY@b/c?d=CANARY'", "ftp://a.example, 'postgres://b/c'"),
        ("at //bob:CANARY@a.example/v1", "at //a.example/v1"),
        ("http://a.example?key=CANARY", "http://a.example"),
        ("is this right? yes: a@b.example, C#", "is this right? yes: a@b.example, C#"),
    ],
)
def test_users_passwords_and_queries_are_taken_out_of_addresses(text, left):
    assert without_secrets(text) == left


def test_a_file_s_address_loses_its_query_and_its_folder():
    assert without_folders("cannot open file:///srv/models/x.gguf?key=CANARY today") == "cannot open x.gguf today"


def test_a_key_of_the_environment_is_not_shown(monkeypatch):
    monkeypatch.setenv("MY_API_KEY", "CANARY-12345")
    assert without_secrets("refused CANARY-12345") == "refused ***"


def test_of_a_long_text_only_the_beginning_is_read_and_no_part_of_a_key_is_left_at_its_end():
    secrets = Secrets()
    key = secrets.add("abcdefghij" * 3)
    text = "x" * 95 + key + "x" * 1000
    for most in range(60, 130):
        head = secrets.left_out(text, most)
        assert most - len(key) <= len(head) <= most + len(key)
        assert "abc" not in head
    assert secrets.left_out("x" * 50, 100) == "x" * 50
