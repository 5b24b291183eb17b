"""What is said of a server in the window: in the words of its rows."""

from __future__ import annotations

import pytest

from batllm_arcade.app.services.server_work import as_sentence, in_window, size_words


@pytest.mark.parametrize(
    ("problem", "models", "said"),
    [
        ("", 0, ""),
        ("no engine", 3, "no engine"),
        ("X does not take connections; start it, or check base_url", 0,
         "X does not take connections; start it, or check the address"),
        ("X knows no such key; check the key that you have kept", 0, "X knows no such key; check the key"),
        ("X has no model 'm'; set model to another (it has a, b, c)", 3,
         "X has no model 'm'; choose one of the 3 that it has"),
        ("X needs a key; set the environment variable X_API_KEY", 0,
         "X needs a key; type it in the row Server, or set the environment variable X_API_KEY"),
        ("X wants a key or a permission; say which variable holds its key: key_env=NAME", 0,
         "X wants a key or a permission; type its key in the row Server"),
        ("X has no model 'm'; set model to another", 0, "X has no model 'm'; choose another"),
    ],
)  # fmt: skip
def test_a_problem_is_told_in_the_window_s_words(problem, models, said):
    assert in_window(problem, models) == said


def test_a_dialog_says_it_as_a_sentence():
    assert as_sentence("left: it hung up; check base_url.") == "Left: it hung up; check the address."
    assert as_sentence("") == ""


def test_a_download_is_told_in_sizes():
    assert size_words(600_000_000, 2_019_377_376) == "0.6 of 2.0 GB"
    assert size_words(5_000_000, 90_000_000) == "5.0 of 90.0 MB"
