"""The brain `cassette`: a recorded seat plays once more, without the model that played it."""

from __future__ import annotations

import json
import socket

import pytest
from batllm_arcade_plugins import cassette
from fakes import FAILED, LATE, FakeTable, Sits, aim, eventful, kinds, plays, results, swaps, written

from batllm_arcade.brains.bots import BotBrain
from batllm_arcade.brains.live import Cancelled, Live
from batllm_arcade.brains.protocol import Decision, Spec, View
from batllm_arcade.cli.main import main
from batllm_arcade.core.model import Rules, rules_from
from batllm_arcade.errors import ArcadeError
from batllm_arcade.history.reader import read
from batllm_arcade.history.verification import verify
from batllm_arcade.match import runner
from batllm_arcade.match.runner import MatchPlan
from batllm_arcade.models.base import ModelBrain, ModelReply
from batllm_arcade.seats.table import Table

SHORT = Rules(total_rounds=2, turns_per_round=4)
COUCH = rules_from({"battery": 9, "side_damage": 2, "back_damage": 3, "total_rounds": 2, "turns_per_round": 4})
QUEUE = [Decision("up, up", "M", "near", "hi", {"prompt": 9, "completion": 2}), lambda view: _queued(view, "M")] * 4
CANARY = "sk-canary-4711-never-to-be-seen"
BROKEN = runner.Answer(Decision("half an ans", None, "hm", tokens={"prompt": 3}), "error", "cut off", 2.0, "")
REFUSED = runner.Answer(
    Decision("", None, thought="on and on"), "timeout", "no answer within 30 s; it babbled", 30.0, ""
)


def _queued(view, command):
    return Decision("", command, queued_from=view.number - 2)


COURSES = {
    "answers of all kinds": ([aim, "I fire!", None, Decision('{"x"}', None, invalid="no such field"), "B"], {}, SHORT),
    "presses of one reply": (QUEUE, {}, COUCH),
    "an error and a late answer": (["M", BROKEN, REFUSED, "M"], {}, SHORT),
    "the fallback": ([LATE, FAILED, BROKEN], {0: ["M", "B", aim, "B", "S0"]}, COUCH),
    "a forfeit": ([LATE, FAILED, LATE], {0: [FAILED] * 3}, SHORT),
    "the model comes back": ([LATE, FAILED, LATE], {0: ["M", Sits("fake:back", "recovered"), aim, "B"]}, SHORT),
    "a swap and a take-over": (["M", Sits("a:b"), aim, Sits("keyboard", "wheel"), "S", "S"], {}, SHORT),
}


def recorded(tmp_path, name, seed=3):
    left, fallbacks, rules = COURSES[name]
    right = ["M", aim, "B", Decision("no", None, "sulks")] * 4
    # A seat that the fallback takes must have nothing left to say; the others may be asked until the last turn.
    longer = {bot: script if FAILED in script else [*script, *["M"] * 8] for bot, script in fallbacks.items()}
    table = FakeTable(left if fallbacks else [*left, *["S"] * 16], right, longer)
    records = list(runner.play(MatchPlan(rules, seed), table))
    return records, written(records, tmp_path / "night.json")


def cassettes(left, right, *, rules, seed=3, games=1, others=None):
    """All records of a match at a real table."""
    known = {each.name: each for each in cassette.batllm_brains()} | kinds(**(others or {}))
    known |= kinds(mover=BotBrain("mover", lambda me, foe, clock: "M"))
    table = Table(known, (Spec.parse(left), Spec.parse(right)), fallback=Spec("mover"))
    try:
        table.prepare(lambda line: None)
        return list(runner.play(MatchPlan(rules, seed, games), table))
    finally:
        table.close()


def as_seen(play):
    return (
        play.game, play.round, play.number, play.bot, play.decision.raw, play.command.token, play.status, play.reason,
        play.decision.thought, play.decision.say, play.decision.tokens, play.decision.queued_from, play.before,
        play.after, play.events,
    )  # fmt: skip


@pytest.mark.parametrize("name", COURSES)
def test_a_recorded_match_is_played_again_play_by_play(tmp_path, name):
    records, file = recorded(tmp_path, name)
    again = cassettes(f"cassette:{file}", f"cassette:file={file}", rules=COURSES[name][2])
    assert list(map(as_seen, plays(again))) == list(map(as_seen, plays(records)))
    assert results(again) == results(records)
    played_again = read(written(again, tmp_path / "again.json"))
    assert [str(each) for each in verify(played_again)] == []


class Parrot(ModelBrain):
    """A model that says what its list has, again and again."""

    label, home = "the parrot", "http://127.0.0.1:9"

    def __init__(self, *replies, **options):
        super().__init__(Spec("parrot", "", {"model": "polly", **options}))
        self.replies = list(replies)

    def catalogue(self):
        return "/"

    def choose(self, listing):
        return

    def ask(self, request):
        self.replies.append(self.replies.pop(0))
        return ModelReply(self.replies[-1])


def buttons(*names):
    fields = {"reasoning": "r", "observations": "o", "context_detected": "battle"}
    return json.dumps({"button_presses": list(names), **fields})


SAID = '{"toolCall": "playCommand", "command": "M", "reasoning": "near"}'
MODELS = {
    "tokens": ({}, ["M", '"C17"', '{"cmd": "S0"}', "<think>hm</think>B", "I fire!", "b"]),
    "presses that queue": ({"reply": "json"}, [buttons("left", "up", "a"), buttons("select", "b"), "M", "M"]),
    "a conversation": ({"context": "conversation"}, [SAID, '{"toolCall": "postMessage", "text": "hello"}', "M"]),
    "presses in a conversation": ({"context": "conversation", "reply": "json"}, [buttons("up", "a", "b")]),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_model_s_match_is_played_again_without_network_and_key(tmp_path, monkeypatch, name):
    options, replies = MODELS[name]
    monkeypatch.setenv("PARROT_API_KEY", CANARY)
    models = [Parrot(*replies, **options, key_env="PARROT_API_KEY") for _ in range(2)]
    table = FakeTable(*([model.decide] * 8 for model in models))
    records = list(runner.play(MatchPlan(COUCH, 3, header_template="Hits take $bullet_damage."), table))
    file = written(records, tmp_path / "night.json")
    monkeypatch.setattr(socket.socket, "connect", lambda *_: pytest.fail("the network is used"))
    again = cassettes(f"cassette:{file}", f"cassette:{file}", rules=COUCH)
    assert list(map(as_seen, plays(again))) == list(map(as_seen, plays(records)))
    texts = [path.read_text() for path in (file, written(again, tmp_path / "again.json"))]
    assert not any(CANARY in text for text in texts)


def test_two_games_are_played_by_their_numbers_and_the_seats_are_named_as_recorded(tmp_path):
    file = written(eventful(), tmp_path / "night.json")
    again = cassettes(f"cassette:{file}", f"cassette:{file}", rules=read(file).games[0].rules, seed=4, games=2)
    assert list(map(as_seen, plays(again))) == list(map(as_seen, plays(eventful())))
    started = again[1]
    assert [(seat.name, seat.brain) for seat in started.seats] == [("left", "cassette:night.json"),
                                                                    ("right", "cassette:night.json")]  # fmt: skip
    assert [swap.seat.name for swap in swaps(again)] == ["fallback"]


def test_where_the_match_goes_another_way_it_says_so_and_the_fallback_plays_on(tmp_path):
    _, file = recorded(tmp_path, "answers of all kinds")
    still = BotBrain("still", lambda me, foe, clock: None)
    records = cassettes(f"cassette:{file}", "still", rules=SHORT, others={"still": still})
    failed = [play for play in plays(records) if play.bot == 0 and play.status == "error"]
    assert len(failed) == 3
    assert all(
        "goes another way than game 1 of 'night.json'" in play.reason and "(3)" in play.reason for play in failed
    )
    assert [swap.seat.brain for swap in swaps(records)] == ["mover"]


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("cassette", "write cassette:FILE"),
        ("cassette:{file},file={file}", "write cassette:FILE"),
        ("cassette:{file}.gone", "cannot be read"),
        ("cassette:{file},game=7", "has no game 7; it holds 1"),
        ("cassette:{file},seat=middle", "left or right"),
        ("cassette:{file},pace=fast", "number from 0"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(tmp_path, spec, said):
    _, file = recorded(tmp_path, "presses of one reply")
    with pytest.raises(ArcadeError, match=said):
        cassettes(spec.format(file=file), f"cassette:{file}", rules=SHORT)


def view_of(play, live):
    """What the brain saw when it made this play."""
    order = (play.bot, 1 - play.bot) if play.number % 2 else (1 - play.bot, play.bot)
    return View(
        play.bot, SHORT, 1, play.round, play.turn, play.number, order, ("", ""), play.before, play.before, live=live
    )  # fmt: skip


@pytest.mark.parametrize(
    ("pace", "deadline_s", "waits"), [("0", 30.0, False), ("1000", 30.0, True), ("1000", 0.2, False), ("1", None, True)]
)
def test_the_recorded_time_is_waited_for_until_just_before_the_deadline(tmp_path, pace, deadline_s, waits):
    records, file = recorded(tmp_path, "answers of all kinds")
    brain = cassette.Cassette(Spec("cassette", str(file), {"pace": pace}, seat="left"))
    brain.prepare(lambda line: None)
    live = Live(deadline_s)
    live.cancel()  # whoever waits notices it at once
    first = next(play for play in plays(records) if play.bot == 0)
    if waits:
        with pytest.raises(Cancelled):
            brain.decide(view_of(first, live))
    else:
        assert brain.decide(view_of(first, live)).raw == first.decision.raw


def test_on_the_command_line_seed_and_rules_come_from_the_recording(tmp_path, capsys):
    night, again = tmp_path / "night.json", tmp_path / "again.json"
    seats = ["--left", "scripted:dancer", "--right", "scripted:turtle"]
    how = ["--config", "arena", "--seed", "5", "--rounds", "1", "--turns", "6", "--left-prompt", "dance"]
    assert main(["run", *seats, *how, "--history", str(night), "--quiet"]) == 0
    assert main(["run", "--left", f"cassette:{night}", "--right", f"cassette:{night},pace=0", "--history", str(again),
                 "--quiet"]) == 0  # fmt: skip
    capsys.readouterr()
    one, other = (json.loads(path.read_text())["games"][0] for path in (night, again))
    assert [seat["name"] for seat in other["seats"]] == ["dancer", "turtle"]
    for game in (one, other):
        del game["seats"]
        for turn in game["rounds"][0]["turns"]:
            del turn["timestamp"], turn["latency_s"]
    assert other == one
    assert main(["verify", str(again)]) == 0
