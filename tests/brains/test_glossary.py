"""Orders in other languages are read word by word in English, English ones to the letter."""

from __future__ import annotations

import pytest
from paths import ROOT

from batllm_arcade.brains.orders import in_english


@pytest.mark.parametrize(
    ("orders", "english"),
    [
        ("geh in die ecke", "go in the corner"),
        ("SCHIESS nicht", "shoot not"),
        ("ne tire jamais", "shoot never"),
        ("éloigne-toi de lui, vite", "move away yourself from him, fast"),
        ("quedate en la esquina", "stay in the corner"),
        ("resta nell'angolo", "stay in corner"),
        ("corre até ele", "run until him"),
        ("wacht op een kans", "wait on a chance"),
        ("nie strzelaj", "not shoot"),
        ("geh zum kühlschrank", "go to kühlschrank"),
        ("fire", "fire"),
        ("no die, no camp", "no die, no camp"),
        ("去角落", "去角落"),
        ("", ""),
    ],
)
def test_an_order_is_read_in_english_if_most_of_its_words_are_not(orders, english):
    assert in_english(orders) == english


def test_no_english_order_of_the_table_is_changed():
    orders = [line.split("\t")[0] for line in (ROOT / "training/orders/orders.tsv").read_text("utf-8").splitlines()]
    assert [each for each in orders if in_english(each) != each] == []
