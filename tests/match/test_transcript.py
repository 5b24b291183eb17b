"""Transcripts: a match told as conversations, live and from its file alike."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import batllm_arcade_plugins.console_log as console_log
import pytest
from conversations import assert_valid
from fakes import FakeTable, eventful, played, written

from batllm_arcade.brains.protocol import Decision, PayloadStyle
from batllm_arcade.core.model import Rules
from batllm_arcade.history.reader import read
from batllm_arcade.history.replay import replay
from batllm_arcade.match.records import RoundStarted, SessionEnded
from batllm_arcade.match.runner import MatchPlan, play
from batllm_arcade.match.transcript import Transcript, all_json, all_lines
from batllm_arcade.prompts.conversation import FINISH


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_a_saved_session_prints_what_the_live_match_printed(tmp_path, seat):
    records = eventful()
    saved = replay(read(written(records, tmp_path / "s.json")))
    live = list(all_lines(iter(records), seat))
    assert len(live) > 50
    assert list(all_lines(saved, seat)) == live


def test_a_killed_programs_journal_prints_all_that_was_shown(tmp_path):
    records = eventful()[:12]
    journal = written(records, tmp_path / "s.json").with_name("s.json.journal")
    live = list(all_lines(iter(records)))
    assert list(all_lines(replay(read(journal))))[: len(live)] == live


class Session:
    history = None
    console = "conversation"


def test_the_console_log_prints_these_lines(capsys):
    observer = console_log.batllm_observer(Session())
    records = eventful()
    for record in records:
        observer.notify(record)
    assert capsys.readouterr().err == "\n".join(all_lines(iter(records))) + "\n"


def test_both_bots_are_shown_in_order_of_play_and_what_both_were_told_once():
    said = Decision("hi", "M", "thinking", "hello")
    records = played([said], ["S0"], rules=Rules(total_rounds=1, turns_per_round=1), seed=1, prompts=("win", "hide"),
                     header_template="Rules.")  # fmt: skip
    shown = [line for line in all_lines(iter(records)) if line[:1] not in ("🕐", "")]
    states = [line for line in shown if line.startswith("> Round 1")]
    assert len(states) == 2
    assert [line for line in shown if line not in states] == [
        "🧠 System: Rules.",
        "👤 User <@left> [Turn 1]", "> win", "👤 User <@right> [Turn 1]", "> hide",
        "👤 User <@left> [Turn 1]", "🤖 Assistant [Turn 1]", "💬 postMessage:", '   "hello"', "   └─ Reason: thinking",
        "🤖 Assistant [Turn 1]", "🔧 playCommand (command: M)", "   └─ Reason: thinking",
        "👤 User <@right> [Turn 1]", "🤖 Assistant [Turn 1]", "🔧 playCommand (command: S0)",
        "🤖 Assistant [Turn 1]", "✅ finishRequest", "   └─ Reason: Round 1 is over.",
    ]  # fmt: skip


def test_a_new_brain_is_given_the_header_again():
    transcript = Transcript()
    headers = []
    for record in eventful():
        headers += [added for added in transcript.add(record) if added.message["role"] == "system"]
    assert [told.bot for told in headers] == [0, 1, 0, 0, 1]
    assert headers[2].message["turn"] > 0
    assert headers[2].message["content"] == "hit for 20"


def test_the_arrays_are_printed_a_game_a_line(tmp_path):
    records = eventful()
    for source in (records, [record for record in records if not isinstance(record, SessionEnded)]):
        games = [json.loads(line) for line in all_json(iter(source))]
        assert [game["game_number"] for game in games] == [1, 2]
        for game in games:
            assert list(game["conversations"]) == ["left", "right"]
            for array in game["conversations"].values():
                assert_valid(array)
    assert [list(json.loads(line)["conversations"]) for line in all_json(iter(records), 1)] == [["right"]] * 2


def states(records, bot: int) -> list[str]:
    """What a bot was told before each of its plays, with sensors and both bots' states."""
    transcript = Transcript()
    added = [each for record in records for each in transcript.add(record)]
    texts = [each.message["content"]["text"] for each in added if each.bot == bot and each.message["role"] == "user"]
    return [text for text in texts if text.startswith("Round")]


def test_a_state_says_who_acts_first_and_what_both_did_in_the_turn_before():
    records = played(["M", "M", "M"], ["S0", "S0", "S0"], rules=Rules(total_rounds=1, turns_per_round=3), seed=1)
    first = next(record for record in records if isinstance(record, RoundStarted)).acting_order[0]
    for bot in (0, 1):
        order, did = ("first" if bot == first else "second"), ("you M, opponent S0", "you S0, opponent M")[bot]
        told = states(records, bot)
        assert [f"you act {order}." in text for text in told] == [True] * 3
        assert [f"Last turn: {did}." in text for text in told] == [False, True, True]


@pytest.mark.parametrize(
    ("rules", "decimals"), [(Rules(), 1), (Rules(arena_width=1, arena_height=1, bot_radius=0.05, step_length=0.03), 4)]
)
def test_places_are_told_to_as_many_decimals_as_the_arena_needs(rules, decimals):
    rules = replace(rules, total_rounds=1, turns_per_round=1)
    [told] = states(played(["M"], ["M"], rules=rules), 0)
    assert max(len(figure) for figure in re.findall(r"\.([0-9]+)", told)) == decimals


def test_a_round_left_before_its_first_play_ends_for_both_in_the_turn_it_would_have_begun_with():
    rules, style = Rules(total_rounds=2, turns_per_round=1), PayloadStyle(mode="independent")
    table = FakeTable(["M", FakeTable.ABANDON], ["M", FakeTable.ABANDON])
    transcript, ended = Transcript(), []
    for record in play(MatchPlan(rules, 1, prompts=("go", ""), style=style), table):
        ended += [each for each in transcript.add(record) if FINISH in str(each.message["content"])]
    assert [(each.bot, each.message["turn"]) for each in ended] == [(0, 1), (1, 1), (0, 2), (1, 2)]
