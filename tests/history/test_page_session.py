"""The session in a page: written so that it ends nothing, and found again."""

from __future__ import annotations

import json

import pytest

from batllm_arcade.history.reader import is_page, session_element, session_text

HARD = {"said": "</script><!-- & \u2028 \ud800", "games": [1, None]}


def page(element: str) -> str:
    return f"<!DOCTYPE html><body>{element}<script>play()</script>"


def test_what_is_written_into_a_page_is_read_from_it():
    element = session_element(HARD)
    assert element.count("</script>") == 1
    assert json.loads(session_text(page(element)) or "") == HARD
    assert is_page(page(element))
    assert not is_page(json.dumps(HARD))


@pytest.mark.parametrize(
    "text", ["", page(""), page('<script id="session">{}'), session_element({}).removesuffix("</script>")]
)
def test_a_page_without_a_session_or_with_half_of_one_has_none(text):
    assert session_text(text) is None
