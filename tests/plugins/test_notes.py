"""Models that take notes: asked between rounds, in each protocol; what stands in later requests, files and forks."""

from __future__ import annotations

import json
import threading
from dataclasses import replace

import pytest
from asking import a_view
from batllm_arcade_plugins import cassette
from fakes import FAILED, LATE, FakeTable, Sits, kinds, played, session_values, written
from model_server import ScriptedServer, answer
from outages import quick_brain as a_brain
from providers import PROVIDERS, reply

from batllm_arcade import UsageError
from batllm_arcade.brains.bots import BotBrain
from batllm_arcade.brains.protocol import BrainError, Decision, PastPlay, PastTurn, PayloadStyle, SeatInfo, Spec
from batllm_arcade.cli.main import main
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.history.forking import TurnPlace, fork_at
from batllm_arcade.history.paths import journal_of
from batllm_arcade.history.reader import read, session_of
from batllm_arcade.history.replay import replay
from batllm_arcade.history.verification import verify
from batllm_arcade.history.writer import SessionWriter
from batllm_arcade.match import runner
from batllm_arcade.match.notebook import Notebook
from batllm_arcade.match.records import GameEnded, GameStarted, NotesWritten, RoundEnded, SeatSwapped
from batllm_arcade.match.runner import MatchPlan
from batllm_arcade.match.transcript import all_lines
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.prompts.notes import MOST, NotesFormat, happened, kept
from batllm_arcade.seats.table import Table
from batllm_arcade.session.live_session import LiveSession, SessionPlan
from batllm_arcade.settings.config import Config
from batllm_arcade.view.statistics import report
from batllm_arcade.view.timeline import Timeline

SHORT = Rules(total_rounds=2, turns_per_round=2)


def over():
    """A round that is over, and of which notes are asked for within 20 s from now on."""
    return a_view(number=0, turn=1, over=True, notes="It hides.")


def texts(body):
    """All that a model is told in a request, whatever the protocol."""
    return json.dumps(body, ensure_ascii=False)


def payload(body):
    last = (body.get("messages") or body["contents"])[-1]
    content = last.get("content", last.get("parts"))
    return json.loads(content if isinstance(content, str) else "".join(part.get("text", "") for part in content))


@pytest.mark.parametrize("name", PROVIDERS)
def test_notes_are_asked_for_in_each_protocol_and_stand_in_the_next_request(name):
    provider = PROVIDERS[name]
    good = provider.said(reply())
    with ScriptedServer(provider.said('{"notes": "Stay far."}'), *4 * [good]) as fake:
        brain, plain = (a_brain(name, fake.url, reply="json", **more) for more in ({"notes": "20"}, {}))
        noted = brain.note(over())
        for each in (brain, plain, brain):
            each.decide(a_view(notes=noted.raw if each is brain and len(fake.requests) == 1 else ""))
        a_brain(name, fake.url, reply="json", context="conversation").decide(a_view(notes="Stay far."))
    asked, with_notes, without, empty, spoken = (request.json for request in fake.requests)
    assert noted.raw == "Stay far."
    assert noted.tokens["completion"] > 0
    assert "at most 20 words" in texts(asked)
    assert "Your notes so far: It hides." in texts(asked)
    assert payload(with_notes)["notes"] == "Stay far."
    assert payload(without) == payload(empty), "requests without notes are as they were"
    assert "notes" not in payload(without)
    assert '"notes":"Stay far."' in texts(spoken).replace("\\", "")


def test_notes_are_cut_at_their_words_and_what_no_reader_sees_is_left_out():
    form = NotesFormat(5)
    for raw, expected in {
        '{"notes": "one two\\nthree four five six"}': "one two three four five",
        '```json\n{"notes": "in a fence"}\n```': "in a fence",
        "<think>hm</think>no JSON at all": "no JSON at all",
        '{"notes": "cut off in the mid': "cut off in the mid",
        '{"notes": "a \\"b\\" c"': 'a "b" c',
        '{"reasoning": "hm", "notes": "behind other keys"}': "behind other keys",
        '{"notes": "\u0378 is new in Unicode"}': "\u0378 is new in Unicode",  # files must verify on every Python
        '{"cmd": "B"}': "",
        '{"notes": 7}': "",
        '{"notes": "\\u202eevil\\u0007\\u001b[2J\\ud800"}': "evil [2J",
        f'{{"notes": "{"x" * 900}"}}': "x" * 50,
    }.items():
        assert form.read(over(), raw)[0].raw == expected, raw
    assert len(kept("word " * 1000).split()) == MOST
    for wrong in ("301", "-1", "few"):
        with pytest.raises(UsageError, match="notes of openai must be a whole number from 0 to 300"):
            a_brain("openai", "http://127.0.0.1:9", notes=wrong)


def test_a_round_is_told_from_the_own_side_and_in_independent_mode_not_what_is_not_known():
    start = Arena(BotState(200, 500, 0, 10, False), BotState(800, 500, 0, 100, True))
    end = Arena(BotState(250, 500, 0, 0, False), BotState(800, 500, 180, 100, False))
    plays = (PastPlay(1, "C180", "C180"), PastPlay(0, "?", "ERR", status="invalid"), PastPlay(1, "S0", "S0"),
             PastPlay(0, "M", "M", status="ok"), PastPlay(1, "B", "B"))  # fmt: skip
    turns = tuple(PastTurn(1 + at // 2, plays[at : at + 2], end) for at in (0, 2, 4))
    rules = Rules(bullet_damage=(10, 10))
    view = replace(over(), initial=start, arena=end, history=turns, rules=rules, prompts=("Attack!", "Hide."))
    told = "\n".join(happened(view))
    assert "you lost it by a knock-out" in told
    assert "Your orders: Attack!" in told
    assert "Your health: 10 at the start, 0 at the end." in told
    assert "You: shots 0 (hits 0, blocked 0, missed 0), steps 1, turns lost without a valid command 1 of 2." in told
    assert "The opponent: shots 1 (hits 1" in told
    alone = "\n".join(happened(replace(view, style=PayloadStyle(mode="independent"))))
    assert "The opponent hit you 1 times." in alone
    assert "The opponent: " not in alone


def notes_of(records):
    return [
        (each.game, each.round, each.bot, each.text, each.reason) for each in records if isinstance(each, NotesWritten)
    ]


def match(notes, *, games=2, left=("M",) * 20, **plan):
    """The records of games in which the left brain takes these notes; its views."""
    table = FakeTable(left[: 4 * games], ["C5"] * 4 * games, notes={0: notes})
    records = list(runner.play(MatchPlan(SHORT, 1, games, **plan), table))
    table.assert_used_up()
    return records, table


def test_notes_replace_the_former_ones_and_a_failed_or_empty_answer_leaves_them():
    records, table = match(["first", FAILED, LATE, Decision("", None), "last"], games=3)
    assert [reason for *_, reason in notes_of(records)] == [
        "", "it broke", "no answer within 30 s", "its answer was empty", ""
    ]  # fmt: skip
    assert [view.notes for view in table.brains[0].views[::2]] == ["", "first", "first", "first", "first", "last"][:6]
    assert [record.notes for record in records if isinstance(record, GameStarted)] == [
        ("", ""), ("first", ""), ("first", "")
    ]  # fmt: skip
    assert all(view.over and view.notes in ("", "first") for view in table.notes[0].views)


def test_nothing_is_asked_once_the_match_is_left_or_no_game_follows():
    left = ["M", "M", "M", FakeTable.STOP]
    table = FakeTable(left, ["C5"] * 3, notes={0: ["one"]})
    records = list(runner.play(MatchPlan(SHORT, 1, 2), table))
    assert notes_of(records) == [(1, 1, 0, "one", "")]
    abandoned = FakeTable(["M", FakeTable.ABANDON, "M", "M"], ["C5"] * 4, notes={0: []})
    assert notes_of(runner.play(MatchPlan(SHORT, 1), abandoned)) == []
    forfeit = FakeTable([LATE, FAILED, LATE, *"M" * 4], ["C5"] * 7, notes={1: ["one", "two"]})
    assert [each[:2] for each in notes_of(runner.play(MatchPlan(SHORT, 1, 2), forfeit))] == [(1, 1), (2, 1)]
    assert [each[1] for each in notes_of(match(["one", "two"], games=1, notes_at_end=True)[0])] == [1, 2]


def test_who_takes_a_seat_from_a_brain_that_noted_begins_without_its_notes():
    table = FakeTable(["M", "M", Sits("fake:other"), "M", "M"], ["C5"] * 4, notes={0: ["mine"]})
    records = list(runner.play(MatchPlan(SHORT, 1), table))
    assert [view.notes for view in table.brains[0].views] == ["", "", "", ""]
    after = next(n for n, record in enumerate(records) if isinstance(record, NotesWritten))
    fallback = SeatSwapped(1, 1, 4, 0, SeatInfo("turtle", "scripted:turtle"), "fallback")
    for swapped in ([], [fallback]):
        told = [*records[: after + 1], *swapped, *records[after + 1 :]]
        assert any("Your notes: mine" in line for line in all_lines(told)) == (not swapped)


class Noting:
    """Steps, and notes what it is told to: words, or an exception."""

    notes, model = 5, "m"

    def __init__(self, *said):
        self.said, self.seen = list(said), []

    def decide(self, view):
        self.seen.append(view.notes)
        return Decision("M", "M")

    def note(self, view):
        said = self.said.pop(0)
        if isinstance(said, BaseException):
            raise said
        return said if isinstance(said, Decision) else Decision(said, None)


@pytest.mark.parametrize("said", [
    BrainError("away"), SystemExit(3), 17, Decision(b"x", None), Decision("\0\u202e", None),
])  # fmt: skip
def test_a_brain_that_notes_nothing_good_breaks_no_match(said):
    brain = Noting(said)
    brain.said = [said]
    known = kinds(noting=brain, other=BotBrain("other", lambda me, foe, clock: "M"))
    table = Table(known, (Spec("noting"), Spec("other")), fallback=Spec("other"))
    records = list(runner.play(MatchPlan(SHORT, 1), table))
    table.close()
    (written,) = notes_of(records)
    assert written[3] == ""
    assert written[4]
    assert brain.seen == [""] * 4


@pytest.mark.parametrize("left", [False, True])
def test_who_notes_too_slowly_is_not_waited_for_and_who_leaves_waits_for_nobody(left):
    brain, begun, over = Noting(), threading.Event(), threading.Event()
    brain.note = lambda view: begun.set() or over.wait(20)
    known = kinds(noting=brain, other=BotBrain("other", lambda me, foe, clock: "M"))
    table = Table(known, (Spec("noting"), Spec("other")), fallback=Spec("other"), deadline_s=20 if left else 0.05)
    if left:
        threading.Thread(target=lambda: begun.wait() and table.stop(), daemon=True).start()
    records = list(runner.play(MatchPlan(SHORT, 1), table))
    over.set()
    table.close()
    ended = records[-2]
    assert [each[3:] for each in notes_of(records)] == ([] if left else [("", "no answer within 0.05 s")])
    assert ended.result.reason == ("aborted" if left else ended.result.reason)


def test_a_server_that_is_away_for_a_moment_is_asked_for_notes_again():
    away, said = answer({"error": "overloaded"}, 503), PROVIDERS["openai"].said('{"notes": "Here."}')
    with ScriptedServer(away, said) as fake:
        assert a_brain("openai", fake.url, notes="9").note(over()).raw == "Here."


def test_a_brain_that_takes_no_notes_is_sent_none():
    brain = Noting()
    brain.notes = 0
    known = kinds(plain=brain, other=BotBrain("other", lambda me, foe, clock: "M"))
    table = Table(known, (Spec("plain"), Spec("other")), fallback=Spec("other"))
    assert notes_of(runner.play(MatchPlan(SHORT, 1, 2, notebook=Notebook(("theirs", ""))), table)) == []
    table.close()
    assert set(brain.seen) == {""}


def test_a_rematch_goes_on_with_the_notes_also_with_changed_sides_and_another_player_begins_anew():
    plugins = Plugins.none()
    brain = Noting(*"abcdefgh")
    plugins.kinds.update(kinds(noting=brain, other=BotBrain("other", lambda me, foe, clock: "M")))
    plan = SessionPlan(Config(rules=SHORT, fallback=Spec("other")), (Spec("noting"), Spec("other")), seed=1)
    session, begun = LiveSession(plan, plugins), []
    for seats in (plan.seats, plan.seats, plan.seats[::-1], (Spec("noting"), Spec("noting", "", {"name": "x"}))):
        wanted = replace(plan, seats=seats)
        table = session.table(wanted)
        records = list(session.match(wanted, table))
        begun.append(next(record.notes for record in records if isinstance(record, GameStarted)))
        session.give_back(wanted, table)
        table.close()
    session.close()
    assert begun == [("", ""), ("b", ""), ("", "d"), ("", "")]


def recorded(tmp_path, name="s.json"):
    records, _ = match(["first <b>", FAILED, "third"])
    return records, written(records, tmp_path / name)


def test_a_session_holds_the_notes_replays_and_verifies_and_what_cannot_be_is_found(tmp_path):
    records, file = recorded(tmp_path)
    tape = read(file)
    assert list(verify(tape)) == []
    assert notes_of(replay(tape)) == notes_of(records)
    game = json.loads(file.read_text())["games"][0]
    assert game["rounds"][0]["notes"] == [{"order": 0, "text": "first <b>"}]
    assert "notes" not in session_values(played(["M"] * 8, ["C5"] * 8, rules=SHORT, games=2))["games"][1]
    for change in (
        lambda game: game["rounds"][0]["notes"][0].update(text="two\nlines"),
        lambda game: game["rounds"][0]["notes"][0].update(reason="why"),
        lambda game: game["rounds"][0]["notes"].append({"order": 0, "text": "again"}),
        lambda game: game["seats"][0].update(brain="scripted:turtle"),
        lambda game: game["rounds"][0]["notes"][0].update(text="other"),
    ):
        forged = json.loads(file.read_text())
        change(forged["games"][0])
        assert [each for each in verify(session_of(forged)) if "notes" in str(each)]


def test_notes_survive_a_kill_in_mid_game_and_a_fork_begins_with_those_of_its_turn(tmp_path):
    records, _ = match(["first", "second", "third"])
    writer = SessionWriter(tmp_path / "killed.json")
    for record in records[:-3]:  # in the last round of the second game
        writer.notify(record)
    session = read(journal_of(tmp_path / "killed.json"))
    assert [each[3] for each in notes_of(replay(session))] == ["first", "second", "third"]
    for place, known in (((1, 1, 1), ["", "new"]), ((1, 2, 1), ["first"]), ((2, 1, 1), ["second", "new"])):
        fork = replace(fork_at(session, TurnPlace(*place)), new=(True, False))
        table = FakeTable(["M"] * 4, ["C5"] * 4, notes={0: ["new"]})
        found = list(runner.records(MatchPlan(SHORT, 1, prompts=fork.orders), table, fork))
        assert list(dict.fromkeys(view.notes for view in table.brains[0].views)) == known
        assert isinstance(found[-1], GameEnded)


def test_a_fork_sends_no_notes_that_no_model_could_have_written():
    forged = session_values(match(["first", FAILED, LATE])[0])
    forged["games"][0]["rounds"][0]["notes"][0]["text"] = "no\x1bte\n" * 5000
    forged["games"][1]["notes"][0] = "w " * 5000
    for place, least in ((1, 2, 1), 2), ((2, 1, 1), 1):
        fork = fork_at(session_of(forged), TurnPlace(*place))
        table = FakeTable(["M"] * 4, ["C5"] * 4, notes={0: ["new"]})
        list(runner.records(MatchPlan(SHORT, 1, prompts=fork.orders), table, fork))
        assert least <= len(table.brains[0].views[0].notes.split()) <= MOST
        assert table.brains[0].views[0].notes.isprintable()


def test_a_cassette_notes_what_was_noted(tmp_path):
    records, file = recorded(tmp_path)
    known = {each.name: each for each in cassette.batllm_brains()} | kinds(
        other=BotBrain("other", lambda me, foe, clock: "C5")
    )
    table = Table(known, (Spec("cassette", str(file)), Spec("other")), fallback=Spec("other"))
    table.prepare(lambda line: None)
    again = list(runner.play(MatchPlan(SHORT, 1, 2), table))
    table.close()
    assert notes_of(again) == notes_of(records)
    assert [each.notes for each in again if isinstance(each, GameStarted)] == [("", ""), ("first <b>", "")]


def test_a_command_plays_with_notes_counts_what_they_cost_and_shows_them(tmp_path, capsys):
    file, said = tmp_path / "s.json", PROVIDERS["openai"].said
    steps = [said("M"), said('{"notes": "Keep away from </script> walls."}'), said("M")]
    with ScriptedServer(answer({"data": [{"id": "m"}]}), steps[0], *steps) as fake:  # listed, loaded, asked
        left = f"openai:base_url={fake.url},model=m,notes=40,prepare_s=5"
        command = f"run --left {left} --right scripted:turtle --rounds 2 --turns 1 --history {file}"
        assert main(command.split()) == 0
    printed = capsys.readouterr()
    assert payload(fake.requests[-1].json)["notes"] == "Keep away from </script> walls."
    assert "Your notes: Keep away" in printed.err
    assert "1,461 read, 189 written" in printed.err
    assert main(["verify", str(file)]) == 0
    assert main(["share", str(file), "--output", str(tmp_path / "s.html")]) == 0
    shown = (tmp_path / "s.html").read_text()
    assert "<p>Notes left: Keep away from &lt;/script&gt; walls.</p>" in shown
    assert "</script> walls" not in shown


def test_what_is_shown_of_notes_stands_until_the_bot_plays_again():
    records, _ = match(["first", FAILED, LATE])
    timeline = Timeline.of(records)
    noted = next(each for each in timeline.segments if isinstance(each.record, NotesWritten))
    assert noted.end > noted.start
    assert timeline.at(noted.start).board.notes == ("first", "")
    after = [each for each in timeline.segments if each.start >= noted.end and isinstance(each.record, runner.Play)]
    mine = next(each for each in after if each.record.bot == 0)
    assert timeline.at(mine.start - 0.001).board.notes == ("first", "")
    assert timeline.at(mine.start).board.notes == ("", "")
    begun = [each for each in timeline.segments if isinstance(each.record, GameStarted)][1]
    assert begun.board.notes == ("first", "")
    assert report(records[: records.index(noted.record) + 1]).seats[0].notes == "first"


def test_a_round_ends_before_its_notes_and_they_before_the_next():
    names = [type(each).__name__ for each in match(["a", "b", "c"])[0] if not isinstance(each, runner.Play)]
    assert names[2:6] == ["RoundStarted", "RoundEnded", "NotesWritten", "RoundStarted"]
    assert names[6:10] == ["RoundEnded", "GameEnded", "NotesWritten", "GameStarted"]
    assert RoundEnded.__name__ in names
