"""What people are called: names given, names kept, and two who never share one."""

from __future__ import annotations

import pytest
from fakes import kind

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.settings.store import given, named, people

KINDS = {"person": kind("person", None, human=True), "script": kind("script", None)}
ANN, NOBODY, SCRIPT = (
    Spec("person", options={"name": "Ann"}),
    Spec("person"),
    Spec("script", options={"name": "Turtle"}),
)


def names(*seats: Spec) -> list[str]:
    return [seat.text("name") for seat in seats]


def test_a_person_is_who_sits_at_a_seat_that_people_have():
    assert people((ANN, SCRIPT), KINDS) == (True, False)
    assert people((Spec("unknown"), NOBODY), KINDS) == (False, True)


@pytest.mark.parametrize(
    ("seats", "kept", "called"),
    [
        ((ANN, SCRIPT), ("Old", "Bob"), ["Ann", "Turtle"]),
        ((NOBODY, SCRIPT), ("Old", "Bob"), ["Old", "Turtle"]),
        ((NOBODY, SCRIPT), ("", ""), ["", "Turtle"]),
        ((NOBODY, NOBODY), ("", ""), ["Player 1", "Player 2"]),
        ((ANN, NOBODY), ("", "Bob"), ["Ann", "Bob"]),
        ((ANN, NOBODY), ("", "ann"), ["Ann", "ann 2"]),
    ],
)
def test_people_have_the_name_given_else_the_one_kept_else_two_that_differ(seats, kept, called):
    assert names(*named(seats, KINDS, kept)) == called


def test_only_the_names_of_people_are_kept():
    assert given((ANN, SCRIPT), KINDS, ("Old", "Bob")) == ("Ann", "Bob")
    assert given((SCRIPT, ANN), KINDS, ("Old", "Bob")) == ("Old", "Ann")
    assert given((NOBODY, NOBODY), KINDS, ("Old", "Bob")) == ("Old", "Bob")
