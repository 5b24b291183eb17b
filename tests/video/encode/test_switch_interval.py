"""How soon threads are switched while films and analyses are made beside each other."""

from __future__ import annotations

import sys
from contextlib import ExitStack

import pytest

from batllm_arcade.video.encode.switch_interval import short_switch_interval


@pytest.mark.parametrize("first", [0, 1])
def test_two_at_once_leave_the_interval_as_it_was_in_whichever_order_they_end(first):
    usual = sys.getswitchinterval()
    blocks = [ExitStack(), ExitStack()]
    for block, seconds in zip(blocks, (0.002, 0.001), strict=True):
        block.enter_context(short_switch_interval(seconds))
    assert sys.getswitchinterval() == pytest.approx(0.001)
    blocks.pop(first).close()
    assert sys.getswitchinterval() == pytest.approx((0.001, 0.002)[first])
    blocks.pop().close()
    assert sys.getswitchinterval() == pytest.approx(usual)
