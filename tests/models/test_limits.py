"""The limits of a server: kept by all who ask it, learnt from its refusals, and no time of a play's."""

from __future__ import annotations

import pytest

from batllm_arcade.models.limits import LONGEST_S, ServerLimits

ADDRESS = "http://127.0.0.1:1"


class Clock:
    now = 1_000_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def seat(tmp_path):
    """Limits as another seat or process has them: they share a clock and a file."""
    clock = Clock()

    def make(address=ADDRESS, file="limits.json", **limits):
        made = ServerLimits(address, **limits, path=lambda: tmp_path / file, now=clock)
        made.clock = clock
        return made

    return make


@pytest.mark.parametrize(
    ("limits", "characters", "waits"),
    [
        ({}, 4000, [0, 0, 0]),
        ({"rpm": 60}, 4000, [0, 1, 2]),
        ({"tpm": 60_000}, 4000, [0, 1, 2]),  # a thousand tokens each
        ({"rpm": 60, "tpm": 12_000}, 4000, [0, 5, 10]),
        ({"rpm": 0.01}, 0, [0, LONGEST_S, LONGEST_S]),
    ],
)
def test_all_seats_and_processes_ask_one_after_the_other(seat, limits, characters, waits):
    assert [seat(**limits).wait_s(characters) for _ in waits] == pytest.approx(waits)
    assert seat("http://other").wait_s(characters) == 0


def test_tokens_that_were_written_count_too(seat):
    one, other = seat(tpm=60_000), seat(tpm=60_000)
    one.wait_s(4000)
    one.spent(1500)
    assert other.wait_s(4000) == pytest.approx(1.5)


@pytest.mark.parametrize("file", ["limits.json", "."])  # one that can be written, and one that cannot
def test_after_a_refusal_everybody_waits_and_asks_less_often_until_answers_come(seat, file):
    one = seat(file=file)
    other = seat(file=file) if file != "." else one
    one.refused(3.0)
    assert other.wait_s(0) == pytest.approx(3.0)
    assert 3 < one.wait_s(0) < 3.2
    one.clock.now += 10
    gaps = []
    for _ in range(5):  # it still refuses
        one.clock.now += 1
        one.refused(0)
        other.wait_s(0)
        gaps.append(other.wait_s(0))
    assert gaps == sorted(gaps)
    assert gaps[-1] > 0.15
    for _ in range(220):
        one.clock.now += 1
        one.worked()
    other.wait_s(0)
    assert other.wait_s(0) == 0


@pytest.mark.parametrize("text", ["", "{", "[]", '{"servers": {"x": {"gap": "much"}}}'])
def test_a_damaged_file_says_nothing(seat, tmp_path, text):
    (tmp_path / "limits.json").write_text(text)
    assert seat().wait_s(0) == 0
    assert [seat(rpm=60).wait_s(0) for _ in range(2)] == [0, pytest.approx(1)]
