"""Reading sessions: whatever a file holds, it is read or refused with one sentence."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from fakes import eventful, session_values, written
from hostile import ODD, assert_read_or_refused, mutated, mutations
from hypothesis import given
from hypothesis import strategies as st

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.cli.main import main
from batllm_arcade.history import reader, schema
from batllm_arcade.history.paths import journal_of
from batllm_arcade.history.reader import HistoryError, read
from batllm_arcade.history.verification import verify
from batllm_arcade.history.writer import SessionWriter


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(eventful(), tmp_path_factory.mktemp("good") / "s.json")


def unfinished(path: Path, records: list[Any]) -> Path:
    """The session file of a program that was killed after these records."""
    writer = SessionWriter(path)
    for record in records:
        writer.notify(record)
    return path


def count(path: Path) -> int:
    return sum(len(tape.plays) for game in read(path).games for tape in game.rounds)


def test_a_session_is_read_back_as_it_was_recorded(good):
    tape = read(good)
    assert (tape.seed, len(tape.games), count(good)) == (4, 2, 22)
    assert tape.end is not None
    assert tape.games[0].rounds[1].swaps == (reader.SwapTape(7, 0, SeatInfo("fallback", "fake:fallback"), "fallback"),)
    assert tape.games[0].rules.bullet_damage == (20, 10)


@pytest.mark.parametrize("told", range(2, 34, 3))
def test_a_killed_session_is_read_by_its_file_and_by_its_journal(tmp_path, told):
    records = eventful()[:told]
    path = unfinished(tmp_path / "s.json", records)
    made = sum(type(record).__name__ == "Play" for record in records)
    for name in (path, journal_of(path)):
        assert count(name) == made
        assert list(verify(read(name))) == []
        assert read(name).end is None


@pytest.mark.parametrize("cut", [1, 2, 30, 200])
def test_a_half_written_last_line_is_the_moment_the_program_was_killed(tmp_path, cut):
    path = unfinished(tmp_path / "s.json", eventful()[:10])
    whole = journal_of(path).read_bytes()
    journal_of(path).write_bytes(whole[:-cut])
    assert count(path) == count(journal_of(path)) == 7 - (cut > 1)


BROKEN: dict[str, Any] = {
    "cut off": lambda line: line[:20],
    "empty": lambda line: b"",
    "a byte that is no text": lambda line: line[:40] + b"\xff" + line[41:],
    "another name": lambda line: line.replace(b'"play"', b'"plby"'),
    "a field with another name": lambda line: line.replace(b'"cmd"', b'"cmf"'),
    "a word that means nothing": lambda line: line.replace(b'"status":"ok"', b'"status":"oj"'),
    "no number": lambda line: line.replace(b'"latency_s":', b'"latency_s":NaN,"l":'),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_journal_with_a_broken_line_is_read_up_to_it_and_says_so(tmp_path, capsys, name):
    path = unfinished(tmp_path / "s.json", eventful()[:10])
    lines = journal_of(path).read_bytes().splitlines(keepends=True)
    assert b'"play"' in lines[5]
    lines[5] = BROKEN[name](lines[5].removesuffix(b"\n")) + b"\n"
    journal_of(path).write_bytes(b"".join(lines))
    assert count(path) == count(journal_of(path)) == 2  # the session, a game, a round, and these
    assert (read(path).bad_line, read(path).end) == (6, None)
    assert list(verify(read(path))) == []
    assert main(["verify", str(path)]) == 0
    damage = "read from the journal 's.json.journal' up to line 6, which is damaged"
    assert f"2 plays, all as recorded (the session never ended; {damage})" in capsys.readouterr().out
    assert main(["transcript", str(path)]) == 0
    assert f"it is {damage}" in capsys.readouterr().err
    assert main(["transcript", str(journal_of(path))]) == 0
    assert "'s.json.journal' is read up to line 6, which is damaged" in capsys.readouterr().err


def test_a_journal_whose_first_line_is_broken_is_refused(tmp_path):
    path = unfinished(tmp_path / "s.json", eventful()[:10])
    journal_of(path).write_bytes(b"x" + journal_of(path).read_bytes())
    with pytest.raises(HistoryError, match="line 1 continues nothing"):
        read(path)
    journal_of(path).write_bytes(journal_of(path).read_bytes().replace(b'"program"', b'"x"').removeprefix(b"x"))
    with pytest.raises(HistoryError, match="has no 'program'"):
        read(path)


def test_a_finished_file_counts_more_than_a_journal_that_was_left_behind(good, tmp_path):
    path = Path(shutil.copy(good, tmp_path / "s.json"))
    journal_of(path).write_text("left over")
    assert count(path) == 22


DEEP = "[" * 100_000


def changed(path: str, value: Any) -> Any:
    """A change of the good session: the value at this path of keys is replaced."""

    def change(session: dict[str, Any]) -> None:
        *keys, last = [int(key) if key.isdigit() else key for key in path.split("/")]
        node: Any = session
        for key in keys:
            node = node[key]
        node[last] = value

    return change


PLAY = "games/0/rounds/0/turns/0"
HOSTILE: dict[str, Any] = {
    "empty": b"",
    "binary": bytes(range(256)) * 10,
    "NULs": b"\0" * 1000,
    "not text": '{"games": "é"}'.encode("latin-1"),
    "nested deeply": DEEP.encode(),
    "nested deeply in a key": ('{"schema": ' + DEEP + "]" * 100_000 + "}").encode(),
    "a number": b"17",
    "a list": b"[]",
    "another program's": b'{"games": [], "version": 3}',
    "the seed document's": b'{"session_start": "2025", "session_end": null, "games": []}',
    "a key twice": b'{"schema": 1, "games": [], "games": []}',
    "a huge number": b'{"games": ' + b"9" * 5000 + b"}",
    "games is text": changed("games", "many"),
    "games holds a number": changed("games", [3]),
    "a session without a seed": lambda session: session.pop("seed"),
    "no rules": lambda session: session["games"][0].pop("rules"),
    "rules are a list": changed("games/0/rules", []),
    "an unknown rule": changed("games/0/rules/gravity", 9.81),
    "an unknown rule with a long name": changed("games/0/rules/" + "x" * 100_000, 1),
    "an infinite arena": changed("games/0/rules/arena_width", float("inf")),
    "a NaN": changed(f"{PLAY}/pre_state/x", float("nan")),
    "an infinity": changed(f"{PLAY}/pre_state/x", float("-inf")),
    "a huge integer as x": changed(f"{PLAY}/pre_state/x", 10**400),
    "a huge integer as a rule": changed("games/0/rules/step_length", 10**400),
    "a huge turn_number": changed(f"{PLAY}/turn_number", 10**30),
    "a fraction as turn_number": changed(f"{PLAY}/turn_number", 1.5),
    "true as an order": changed(f"{PLAY}/order", True),
    "a third bot": changed(f"{PLAY}/order", 2),
    "one state": changed("games/0/initial_state", []),
    "three seats": changed("games/0/seats", [{}, {}, {}]),
    "a seat without a brain": changed("games/0/seats/0", {"name": "Bob"}),
    "an acting order with one bot": changed("games/0/rounds/0/acting_order", [1, 1]),
    "too many plays": changed("games/0/rules/turns_per_round", 2),
    "an unknown status": changed(f"{PLAY}/status", "fine"),
    "an unknown reason": changed("games/0/result/reason", "boredom"),
    "a result without a winner": changed("games/0/result", {"reason": "draw"}),
    "tokens with words": changed(f"{PLAY}/tokens", {"prompt": "many"}),
    "a number as a response": changed(f"{PLAY}/llm_response", 3),
    "a swap without a brain": changed("games/0/rounds/1/swaps/0", {"turn_number": 7, "order": 0, "why": "fallback"}),
    "a state that is a list": changed(f"{PLAY}/post_state", [1, 2, 3]),
}


def hostile(name: str, good: Path) -> bytes:
    how = HOSTILE[name]
    if isinstance(how, bytes):
        return how
    session = json.loads(good.read_text())
    how(session)
    return json.dumps(session).encode()


@pytest.mark.parametrize("name", HOSTILE)
def test_a_file_that_is_no_session_is_refused_with_one_sentence(good, tmp_path, capsys, name):
    path = tmp_path / "hostile.json"
    path.write_bytes(hostile(name, good))
    assert main(["verify", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("batllm-arcade: ")
    assert err.count("\n") == 1
    assert len(err) < 500
    assert "Traceback" not in err


@pytest.mark.parametrize("size", [0, 1, 100, 2000, -2, -20])
def test_a_file_that_was_cut_short_is_refused(good, tmp_path, size):
    path = tmp_path / "cut.json"
    path.write_bytes(good.read_bytes()[:size])
    with pytest.raises(HistoryError, match="cut short: it is not valid JSON"):
        read(path)


def test_a_refusal_names_the_place(good, tmp_path):
    session = json.loads(good.read_text())
    session["games"][1]["rounds"][0]["turns"][3]["post_state"]["rot"] = "north"
    path = tmp_path / "s.json"
    path.write_text(json.dumps(session))
    with pytest.raises(HistoryError, match=r"'rot' of 'post_state' of play 4 of round 1 of game 2 of the session must"):
        read(path)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("missing.json", "No such file"),
        ("", "is a folder"),
        (".", "is a folder"),
        ("x" * 300, "File name too long"),
        ("missing.json.journal", "No such file"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path, monkeypatch, capsys, name, complaint):
    monkeypatch.chdir(tmp_path)
    assert main(["verify", name]) == 2
    err = capsys.readouterr().err
    assert complaint in err
    assert err.count("\n") == 1


READERS = ("verify", "replay", "transcript", "import", "video")
"""The commands that open a session file."""


def refused(command: str, path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What the command says to a file it cannot take: one sentence, and exit code 2."""
    out = [] if command not in ("import", "video") else ["-o", str(path.parent / "out.mp4")]
    assert main([command, str(path), *out]) == 2
    printed, err = capsys.readouterr()
    assert printed == ""
    assert err.startswith("batllm-arcade: ")
    assert err.count("\n") == 1
    assert len(err) < 400
    assert "Traceback" not in err
    return err


@pytest.mark.parametrize("command", READERS)
@pytest.mark.parametrize(
    ("limits", "content", "complaint"),
    [
        ({"LARGEST": 100_000}, b"\0" * 200_000, "'large.json' is larger than any session"),
        ({"LARGE": 1000}, {"games": [{}] * 1000}, "does not begin like one"),
        ({"LARGE": 1000, "MOST_PARTS": 900}, {"schema": schema.SCHEMA, "games": [{}] * 1000}, "more objects and lists"),
    ],
)
def test_what_is_too_large_for_a_session_is_refused_before_it_is_parsed(
    command, limits, content, complaint, monkeypatch, tmp_path, capsys
):
    for name, limit in limits.items():
        monkeypatch.setattr(reader, name, limit)
    path = tmp_path / "large.json"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    assert complaint in refused(command, path, capsys)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
@pytest.mark.parametrize("command", READERS)
@pytest.mark.parametrize("name", ["pipe.json", "pipe.json.journal", "/dev/zero", "/dev/null"])
@pytest.mark.timeout(10)
def test_a_pipe_and_a_device_are_refused_and_not_waited_for(command, name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    path = Path(name)
    if not path.is_absolute():
        os.mkfifo(path)
    out = ["-o", "out.mp4"] if command in ("import", "video") else []
    assert main([command, name, *out]) == 2
    printed, err = capsys.readouterr()
    assert (printed, err.count("\n")) == ("", 1)
    assert "is no regular file" in err


def test_a_session_may_begin_with_a_byte_order_mark(good, tmp_path):
    (tmp_path / "s.json").write_bytes(b"\xef\xbb\xbf" + good.read_bytes())
    assert read(tmp_path / "s.json") == read(good)


@pytest.mark.parametrize("command", READERS)
@pytest.mark.parametrize("name", ["binary", "nested deeply", "a NaN", "a list", "a key twice", "another program's"])
def test_every_command_that_opens_a_session_refuses_what_is_none(command, name, good, tmp_path, capsys):
    path = tmp_path / "hostile.json"
    path.write_bytes(hostile(name, good))
    refused(command, path, capsys)


JOURNALS = [
    b"",
    b"\n",
    b"{}\n{}\n",
    b"[]\n[]\n",
    b'{"play": {}}\n{"play": {}}\n',
    b'{"session": {"seed": 1}}\n{"seed": 3}\n{"games": 3}\n{"games": []}\n',
    b'{"session": {}}\n{"game": {}}\n{"game_end": {"rounds": 3}}\n{"round": {"round_number": 1}}\n{"play": {}}\n',
    b'{"session": 3}\n{"game": {}}\n',
    b'{"session": {}}\n{"game": 3}\n{"round": 3}\n',
    b'{"session": {}, "game": {}}\n\n',
    b'{"session_end": "now"}\n',
    b"\xff\xfe\n\xff\n",
    (DEEP + "\n" + DEEP + "\n").encode(),
]


@pytest.mark.parametrize("content", JOURNALS, ids=range(len(JOURNALS)))
def test_a_file_that_is_no_journal_is_refused_with_one_sentence(tmp_path, capsys, content):
    path = tmp_path / "s.json.journal"
    path.write_bytes(content)
    assert main(["verify", str(path)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)


SESSION = session_values(eventful())


@given(mutations(SESSION))
def test_a_mutated_session_is_read_and_played_again_or_refused(changes):
    assert_read_or_refused(lambda: reader.session_of(json.loads(json.dumps(mutated(SESSION, changes)))))


@given(st.data())
def test_a_damaged_journal_is_read_or_refused(tmp_path_factory, data):
    lines = [json.dumps(schema.entry(record)) for record in eventful()]
    for _ in range(data.draw(st.integers(1, 3))):
        index = data.draw(st.integers(0, len(lines) - 1))
        how = data.draw(st.sampled_from(["drop", "cut", "twice", "swap", "odd"]))
        if how == "cut":
            lines[index] = lines[index][: data.draw(st.integers(0, len(lines[index])))]
        elif how == "odd":
            lines[index] = json.dumps(data.draw(ODD))
        else:
            line = lines.pop(index)
            lines[index:index] = {"drop": [], "twice": [line, line], "swap": []}[how]
            lines += [line] if how == "swap" else []
    path = tmp_path_factory.getbasetemp() / "damaged.json.journal"
    path.write_text("\n".join(lines))
    assert_read_or_refused(lambda: read(path))


@pytest.mark.parametrize("best_of", [1, 3, 5, 7, None])
def test_a_series_is_read(best_of):
    values = {**session_values(eventful()), "series": {"best_of": best_of}}
    assert reader.session_of(values).series.best_of == best_of


@pytest.mark.parametrize("best_of", [0, 2, 9, "3", True, 3.0])
def test_a_series_of_another_length_is_refused(best_of):
    values = {**session_values(eventful()), "series": {"best_of": best_of}}
    with pytest.raises(HistoryError, match=r"best_of.* must be 1, 3, 5, 7 or null"):
        reader.session_of(values)


@pytest.mark.parametrize("shield", [-1, 2, True, None])
def test_a_shield_is_up_or_down_and_nothing_else(shield):
    values = session_values(eventful())
    values["games"][0]["rounds"][0]["turns"][0]["pre_state"]["shield"] = shield
    with pytest.raises(
        HistoryError, match="'shield' of 'pre_state' of play 1 of round 1 of game 1 of the session must be one of 0, 1"
    ):
        list(verify(reader.session_of(values)))


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="the system does not list open files")
def test_what_is_no_file_is_refused_and_not_kept_open(tmp_path):
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        with pytest.raises(HistoryError, match="is a folder; name a session file in it"):
            read(tmp_path)
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize(("axis", "far"), [("x", 1.9), ("x", 2.1), ("y", 1.9), ("y", 2.1), ("x", -1.9), ("y", -2.1)])
def test_a_bot_that_starts_outside_is_read_and_found_wrong_but_none_that_could_not_be_drawn(axis, far):
    values = session_values(eventful())
    values["games"][0]["initial_state"][0][axis] = far * 1000
    if abs(far) > 2:
        with pytest.raises(HistoryError, match="has a bot far outside the arena"):
            reader.session_of(values)
    else:
        assert list(verify(reader.session_of(values)))
