"""Who claims another's plays for a script is found; whoever has played as it is recorded is not accused."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from itertools import cycle, product
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from forging import Session, simulated
from honest import BOTS, best_of, fork, hand_back, live, outside, run, swap, take_over
from sandboxing import require_sandbox

from batllm_arcade.brains.bots import bot
from batllm_arcade.brains.protocol import BrainKinds
from batllm_arcade.cli.main import main
from batllm_arcade.history.paths import journal_of
from batllm_arcade.history.verification import NO_PEOPLE
from batllm_arcade.plugin.manager import bundled_kind, load
from batllm_arcade.session.games import play

NOT_CHECKED = 3
SCRIPTS = ("sharpshooter", "turtle", "dancer", "random", "strategist")
LEVELS = ("rookie", "merciless")
SECRET = "5e" * 32


@bot("hunter")
def hunter(me, foe, clock):
    """Someone's own bot, better than those it is told as."""
    return "S0" if me.shield else "B" if me.aims_at(foe) and me.loaded else "M" if clock.turn % 2 else me.turn_to(foe)


def values(path: Path) -> Session:
    return json.loads(path.read_text())


def verified(session: Session | Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    path = session if isinstance(session, Path) else folder / "forged.json"
    if not isinstance(session, Path):
        path.write_text(json.dumps(session))
    capsys.readouterr()
    code = main(["verify", str(path)])
    printed = capsys.readouterr()
    return code, printed.out + printed.err


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """Honest sessions from which forgeries are made, by name."""
    folder = tmp_path_factory.mktemp("honest")
    made = folder / "made.json"
    for _ in play(hunter, "scripted:turtle", config="couch", rounds=2, turns=8, seed=5, history=made):
        pass
    scripts = run(folder / "scripts.json", "scripted:sharpshooter", "scripted:random", "--games", "2")
    first = fork(scripts, folder / "fork.json", "2.1.2", "--left", "scripted:dancer")
    return {
        "scripts": values(scripts),
        "strategist": values(run(folder / "s.json", "scripted:strategist,depth=1", "scripted:random,level=rookie")),
        "own bot": values(made),
        "fork": values(first),
        "fork of it": values(fork(first, folder / "again.json", "1.1.4")),
        "fallback": values(
            run(folder / "fb.json", "fails", "scripted:random", *outside(folder / "fails", "fails"), code=1)
        ),
        "secret": values(run(folder / "keyed.json", "draws", "scripted:random", *outside(folder / "draws", "draws"))),
        "swap": values(live(folder / "swap.json", {4: swap(0, "scripted:turtle")})),
        "person": values(live(folder / "person.json", {2: take_over(0), 8: hand_back(0)})),
    }


def plays(session: Session, bot: int | None = None) -> list[dict[str, Any]]:
    turns = [turn for game in session["games"] for entry in game["rounds"] for turn in entry["turns"]]
    return [turn for turn in turns if bot is None or turn["order"] == bot]


def swaps(session: Session) -> list[dict[str, Any]]:
    return [each for game in session["games"] for entry in game["rounds"] for each in entry.get("swaps", [])]


def brain(name: str, *seats: int, **options: str) -> Callable[[Session], None]:
    """Say that somebody else has played, in all games."""

    def change(session: Session) -> None:
        for game, seat in product(session["games"], seats):
            told = game["seats"][seat]
            told.pop("isolation", None)
            told |= {"brain": name, "name": name.partition(":")[2] or name, "options": options}

    return change


def seat(**keys: Any) -> Callable[[Session], None]:
    return lambda session: session["games"][0]["seats"][0].update(keys)


def edit(number: int, **keys: Any) -> Callable[[Session], None]:
    """Change a script's play; what follows is played again."""

    def change(session: Session) -> None:
        turn = plays(session)[number]
        assert {**turn, **keys} != turn
        turn |= keys
        simulated(session)

    return change


def another(number: int) -> Callable[[Session], None]:
    def change(session: Session) -> None:
        cmd = "S1" if plays(session)[number]["cmd"] != "S1" else "M"
        edit(number, cmd=cmd, llm_response=cmd)(session)

    return change


def spared(session: Session) -> None:
    """The right one never fired."""
    for turn in plays(session, 1):
        if turn["cmd"] == "B":
            turn |= {"cmd": "ERR", "llm_response": ""}
    simulated(session)


def failed(*numbers: int, status: str = "timeout") -> Callable[[Session], None]:
    """A script that draws is said to have failed in some of its plays."""

    def change(session: Session) -> None:
        for number in numbers:
            plays(session, 1)[number] |= {"cmd": "ERR", "llm_response": "", "status": status, "reason": "late"}
        simulated(session)

    return change


def sits(number: int, name: str, why: str) -> Callable[[Session], None]:
    """From a play of the right bot in the first round on somebody else has sat there."""

    def change(session: Session) -> None:
        entry = session["games"][0]["rounds"][0]
        turn = [turn for turn in entry["turns"] if turn["order"] == 1][number]
        entry.setdefault("swaps", []).append(
            {"turn_number": turn["turn_number"], "order": 1, "brain": name, "why": why}
        )

    return change


def both(*changes: Callable[[Session], Any]) -> Callable[[Session], None]:
    def change(session: Session) -> None:
        for each in changes:
            each(session)

    return change


def swapped(**keys: Any) -> Callable[[Session], None]:
    return lambda session: swaps(session)[0].update(keys)


def no_swaps(session: Session) -> None:
    assert swaps(session)
    for game in session["games"]:
        for entry in game["rounds"]:
            entry.pop("swaps", None)


def origin(**keys: Any) -> Callable[[Session], None]:
    return lambda session: session["games"][0]["forked_from"].update(keys)


def forked_from(position: int, number: int = 1) -> Callable[[Session], None]:
    def change(session: Session) -> None:
        session["games"][position]["forked_from"] = {
            "session_start": session["session_start"], "game_number": number, "round_number": 1, "turn": 1,
        }  # fmt: skip

    return change


def alone(session: Session) -> None:
    """The second game as if it were a fork of a session that has been lost, which begins as it goes on behind there."""
    forked_from(1, 2)(session)
    del session["games"][0]
    session["games"][0]["game_number"] = 1
    session["session_start"] = session["games"][0]["rounds"][0]["turns"][1]["timestamp"]


def hints(*counts: int) -> Callable[[Session], None]:
    return lambda session: session["games"][0].update(hints=list(counts))


SHOWN = r"(cmd is .* and scripted:\w+ plays '[^']+' there|(status|llm_response) is .* by scripted:\w+)"
"""What is said of a play that is not the script's."""
NONE = r"brain is .* and must be one that can play"
ALIKE = r"brain is .* must not look like 'scripted'"
LOOK_ALIKES = (
    "Scripted",
    "scripted ",
    "s\u0441ripted",
    "scr\u0131pted",
    "scrip\u00adted",
    "\uff53cripted",
    "script\u00e9d",
)
FORGED: dict[str, tuple[str, Callable[[Session], Any], str]] = {
    "sharpshooter as turtle": ("scripts", brain("scripted:turtle", 0), SHOWN),
    **{f"random as {name}": ("scripts", brain(f"scripted:{name}", 1), SHOWN) for name in SCRIPTS[::2]},
    "both in each other's place": (
        "scripts", both(brain("scripted:random", 0), brain("scripted:sharpshooter", 1)), SHOWN),
    "left as a rookie": ("scripts", brain("scripted:sharpshooter", 0, level="rookie"), SHOWN),
    **{f"right as a {level}": ("scripts", brain("scripted:random", 1, level=level), SHOWN) for level in LEVELS},
    "a strategist that looks farther": ("strategist", brain("scripted:strategist", 0, depth="3"), SHOWN),
    "a strategist of the usual depth": ("strategist", brain("scripted:strategist", 0), SHOWN),
    "a script that there is not": ("scripts", brain("scripted:champion", 0), NONE),
    "a script without a name": ("scripts", brain("scripted", 0), NONE),
    "an option that there is not": ("scripts", brain("scripted:sharpshooter", 0, aim="best"), NONE),
    "a level that there is not": ("scripts", brain("scripted:sharpshooter", 0, level="perfect"), NONE),
    "a script with a model": ("scripts", seat(model="gpt"), r"model is 'gpt' .* must not be there"),
    "a script whose requests were adapted": ("scripts", seat(adapted=["x left out"]), r"model is .* must not be there"),
    "somebody's own bot as a sharpshooter": ("own bot", brain("scripted:sharpshooter", 0), SHOWN),
    "the first play": ("scripts", another(0), SHOWN),
    "the last play of the second game": ("scripts", another(-1), SHOWN),
    "shots that never were": ("scripts", spared, SHOWN),
    "a play left out on purpose": ("scripts", edit(4, cmd="ERR", llm_response=""), SHOWN),
    "a failure that never was": ("scripts", failed(2), SHOWN),
    "a thought": ("scripts", edit(3, thought="I shall win"), r"thought is 'I shall win' .* and '' by scripted:"),
    "an answer that was cut": ("scripts", edit(3, raw_cut=99), r"raw_cut is 99"),
    "a command in other letters": (
        "scripts", lambda s: edit(0, llm_response=plays(s)[0]["cmd"].lower())(s), r"llm_response is .* by scripted"),
    "a script's plays as a person's for a while": (
        "scripts", both(sits(2, "keyboard", "wheel"), sits(5, "scripted:random", "wheel")), SHOWN),
    "another script from a play on": ("scripts", sits(3, "scripted:turtle", "swap"), SHOWN),
    "a merciless one from a play on": ("scripts", lambda s: (sits(3, "scripted:random", "swap")(s), swapped(
        options={"level": "rookie"})(s)), SHOWN),
    "a swap that is left out": ("swap", no_swaps, SHOWN),
    "a swap earlier": ("swap", swapped(turn_number=1), SHOWN + r"|swaps\.order"),
    "a swap to another script": ("swap", swapped(brain="scripted:dancer"), SHOWN),
    "a person's plays as a script's": ("person", no_swaps, SHOWN),
    "a take-over by a script": ("person", swapped(brain="scripted:turtle"), SHOWN),
    "a person's return as another script's": (
        "person", lambda s: swaps(s)[1].update(brain="scripted:sharpshooter"), SHOWN),
    "another script as the fallback": ("fallback", swapped(brain="scripted:turtle"), SHOWN),
    "a better one as the fallback": ("fallback", swapped(options={"level": "merciless"}), SHOWN),
    "a fallback as a model that is asked again": (
        "fallback", swapped(why="recovered"), r"swaps\.brain is .* must be the one that lost this seat"),
    "another fork's player": ("fork", swapped(brain="scripted:turtle"), SHOWN),
    "a fork's player as a person's swap": ("fork", swapped(why="swap", brain="scripted:turtle"), SHOWN),
    "a fork without a fork": ("fork", lambda s: s["games"][0].pop("forked_from"), r"swaps\.why is 'fork'|" + SHOWN),
    "a fork of another game": ("fork", origin(game_number=1), r"as drawn from the seed"),
    "a fork later in the game": ("fork", origin(turn=7), r"must not be before|" + SHOWN),
    "a fork earlier in the game": ("fork", origin(turn=1), r"must not be before"),
    "a fork in a round that there is not": (
        "fork", origin(round_number=99), r"forked_from\.round_number is 99 .* must be from 1 to"),
    "a fork at a turn that there is not": (
        "fork", origin(turn=99), r"forked_from\.turn is 99 .* must be a turn of the round"),
    "a fork of no game": ("fork", origin(game_number=0), SHOWN + r"|forked_from\.game_number is 0"),
    "a fork of a later session": (
        "fork", origin(session_start="2100-01-01T00:00:00Z"), r"timestamp .* must not be before '2100-01-01"),
    "a fork of some day": ("fork", origin(session_start="some day"), r"session_start is 'some day' .* must be a time"),
    "a fork that began before": (
        "fork", lambda s: s.update(session_start="2020-01-01T00:00:00Z"), r"session_start is .* must not be before"),
    "a fork of a fork of the first session": (
        "fork of it", lambda s: s["games"][0]["forked_from"].pop("earlier"), r"swaps\.why is 'fork'|" + SHOWN),
    "a fork of a fork that was left elsewhere": (
        "fork of it", lambda s: s["games"][0]["forked_from"]["earlier"][0].update(turn=3), SHOWN),
    "a fork of a fork that was left nowhere": (
        "fork of it", lambda s: s["games"][0]["forked_from"]["earlier"][0].update(turn=0), r"earlier\.turn is 0"),
    "the first game as a fork": ("scripts", forked_from(0), r"forked_from is .* must not be there, as a fork is alone"),
    "the second game as a fork": ("scripts", forked_from(1), r"forked_from is .* must not be there, as a fork is al"),
    "one of two games, alone as a fork": ("scripts", alone, SHOWN),
    "a fork's swap in a game of its own": ("scripts", both(
        sits(3, "scripted:random", "fork")), r"swaps\.why is 'fork' .* behind 'forked_from'"),
    "hints for a script": ("scripts", hints(2, 0), r"hints is \[2, 0\] .* must count none for a seat without a person"),
    "fewer hints than none": ("scripts", hints(-1, 0), r"hints is \[-1, 0\] .* must be 0 or more"),
    "hints for a bot of a model": ("own bot", both(brain("ollama", 0), hints(1, 0)), r"hints is \[1, 0\]"),
    "a script that is told as isolated": ("scripts", seat(isolation="sandbox"), r"isolation is 'sandbox' .* secret"),
    "a script that is told as isolated, with a secret": (
        "scripts", both(seat(isolation="sandbox"), lambda s: s.update(secret=SECRET)), SHOWN),
    "no secret": ("secret", lambda s: s.pop("secret"), SHOWN),
    "another secret": ("secret", lambda s: s.update(secret=SECRET), SHOWN),
    "a bot of a file as one of the program": ("secret", brain("hunter", 0), SHOWN),
    "a level in the name": ("scripts", seat(brain="scripted:sharpshooter,level=merciless"), NONE),
    "a level in the name beside another": (
        "scripts", seat(brain="scripted:sharpshooter,level=merciless", options={"level": "rookie"}), NONE),
    "a script with a space behind": ("scripts", seat(brain="scripted:sharpshooter "), NONE),
    "a swap to one that looks like a script": ("swap", swapped(brain="scripted :turtle"), ALIKE),
    **{f"one that looks like a script: {name!a}": ("scripts", seat(brain=f"{name}:sharpshooter"), ALIKE)
       for name in LOOK_ALIKES},
    "a wide colon": ("scripts", seat(brain="scripted\uff1asharpshooter"), ALIKE),
    "one that looks like a model": ("scripts", seat(brain="Op\u0435nai"), r"must not look like 'openai'"),
    **{f"an idle foe of the program {name!r}": (
        "scripts", both(spared, lambda s, name=name: s.update(program=name)), SHOWN) for name in ("", " ")},
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_who_played_cannot_be_forged_for_a_script(games, tmp_path, capsys, name):
    kind, forge, said = FORGED[name]
    session = deepcopy(games[kind])
    forge(session)
    assert session != games[kind]
    code, printed = verified(session, tmp_path, capsys)
    assert code == 1, printed
    assert re.search(said, printed), printed


def test_the_sessions_that_are_forged_are_good_ones(games, tmp_path, capsys):
    for name, session in games.items():
        code, printed = verified(session, tmp_path, capsys)
        assert (code, "not played again" in printed) == (0, False), (name, printed)


@pytest.mark.parametrize("program", ["batllm-arcade 0.0.9", "batllm-arcade", "mine"])
def test_scripts_of_another_version_are_not_checked_and_that_is_said_first(games, tmp_path, capsys, program):
    session = {**deepcopy(games["scripts"]), "program": program}
    assert verified(session, tmp_path, capsys)[0] == 0  # they play as they do here
    spared(session)
    code, printed = verified(session, tmp_path, capsys)
    assert (code, printed.splitlines()[0].endswith("who played is not checked")) == (NOT_CHECKED, True), printed


def test_a_game_that_stands_alone_says_so(games, tmp_path, capsys):
    said = "this is one game of a session that is not here: others may have been left out"
    for name, forks in (("scripts", False), ("fork", True), ("fork of it", True)):
        assert (said in verified(games[name], tmp_path, capsys)[1]) == forks, name


def test_plays_that_cannot_be_played_again_are_counted(games, tmp_path, capsys):
    """A brain that may have drawn before, a session without its secret, a script that is said to have failed."""
    drew = deepcopy(games["own bot"])
    drew["games"][0]["rounds"][0]["swaps"] = [
        {"turn_number": 3 + turn["order"], "order": turn["order"], "brain": "scripted:turtle", "why": "swap"}
        for turn in drew["games"][0]["rounds"][0]["turns"][2:4]
        if turn["order"] == 0
    ]
    for each in drew["games"][0]["rounds"][0]["swaps"]:
        each["turn_number"] = next(
            turn["turn_number"] for turn in drew["games"][0]["rounds"][0]["turns"][2:] if turn["order"] == 0
        )
    unfinished = {**deepcopy(games["secret"]), "session_end": None}
    unfinished.pop("secret")
    last = deepcopy(games["scripts"])
    plays(last, 1)[-1].update(cmd="ERR", llm_response="", status="timeout", reason="late")
    simulated(last)
    for session, expected, said in (
        (drew, 0, r"\d+ plays of scripted:turtle not played again: another brain had drawn"),
        (
            unfinished,
            NOT_CHECKED,
            r"\d+ plays of scripted:random not played again: the session they were played in never ended",
        ),
        (last, NOT_CHECKED, r"1 play of scripted:random recorded as failed, which nobody can prove"),
    ):
        code, printed = verified(session, tmp_path, capsys)
        assert (code, bool(re.search(said, printed.splitlines()[0]))) == (expected, True), printed


def no_seed(session: Session) -> None:
    for game in session["games"]:
        game["drawn"] = False


def other_seat_apart(session: Session) -> None:
    """The other bot is said to be one of a file, in a session that never ended."""
    brain("hunter", 0)(session)
    for game in session["games"]:
        game["seats"][0]["isolation"] = "sandbox"
    session["session_end"] = None


OFF: dict[str, tuple[str, Callable[[Session], Any]]] = {
    "games that no seed began": ("scripts", both(spared, no_seed)),
    "a bot of a file at the other seat, and no end": ("scripts", both(spared, other_seat_apart)),
    "a fork of a session that never ended": (
        "fork", both(seat(brain="hunter", isolation="sandbox"), origin(ended=False))),
    "a failure told in its last play": ("scripts", failed(-1)),
}  # fmt: skip


@pytest.mark.parametrize("name", OFF)
def test_nobody_switches_off_in_silence_that_scripts_are_played_again(games, tmp_path, capsys, name):
    kind, forge = OFF[name]
    session = deepcopy(games[kind])
    forge(session)
    code, printed = verified(session, tmp_path, capsys)
    assert code == NOT_CHECKED, printed
    assert re.search(r"not played again|not checked|nobody can prove", printed.splitlines()[0]), printed


def test_scripts_that_play_as_recorded_need_no_seed(games, tmp_path, capsys):
    session = deepcopy(games["scripts"])
    no_seed(session)
    assert verified(session, tmp_path, capsys)[0] == 0


@pytest.mark.parametrize(
    "name",
    [
        "gr\u00f6\u00dfe",
        "scripted-ai",
        "Ann Lee",
        "\u0447\u0435\u043c\u043f\u0438\u043e\u043d",
        "proc2",
        "a=b",
        "\u7389",
    ],
)
def test_other_names_are_not_taken_for_bundled_ones(games, tmp_path, capsys, name):
    session = deepcopy(games["own bot"])
    brain(name, 0)(session)
    assert verified(session, tmp_path, capsys)[0] == 0


# ------------------------------------------------------------------------------ honest sessions

SHIPPED = ("default", "couch", "arena", "classic")
PLAYERS = (*(f"scripted:{name}" for name in SCRIPTS), *(f"scripted:random,level={level}" for level in LEVELS),
           "scripted:strategist,depth=1,level=rookie")  # fmt: skip


@pytest.mark.parametrize(("config", "left"), [*zip(cycle(SHIPPED), PLAYERS)])
def test_scripts_are_not_accused(tmp_path, capsys, config, left):
    path = run(
        tmp_path / "s.json", left, "scripted:sharpshooter", "--games", "2", config=config, seed=SHIPPED.index(config)
    )
    code, printed = verified(path, tmp_path, capsys)
    assert (code, len(printed.splitlines())) == (0, 1), printed


@cache
def recorded(*words: str) -> str:
    """The session file of a match that many forks begin from; bots are those of files."""
    with tempfile.TemporaryDirectory() as name:
        bots = outside(Path(name, "bots"), "draws") if "draws" in words else ()
        return run(Path(name, "s.json"), *words, *bots).read_text()


def beginning(folder: Path, *words: str) -> Path:
    path = folder / "s.json"
    path.write_text(recorded(*words))
    return path


SCRIPTED = ("scripted:random", "scripted:dancer", "--games", "2")
KEYED = ("draws", "scripted:random")


def forks(folder: Path, first: str, *further: str) -> Path:
    path = fork(beginning(folder, *SCRIPTED), folder / "f.json", first)
    for number, place in enumerate(further):
        path = fork(path, folder / f"f{number}.json", place, "--right", "scripted:random", "--left-prompt", "win")
    return path


def of_files(folder: Path, left: str, right: str, *options: str, code: int = 0) -> Path:
    bots = outside(folder / "bots", *(name for name in (left, right) if name in BOTS))
    return run(folder / "s.json", left, right, *bots, *options, code=code)


def forked_with_a_bot(folder: Path) -> Path:
    return fork(
        beginning(folder, *SCRIPTED), folder / "f.json", "1.3", "--right", "draws", *outside(folder / "bots", "draws")
    )


def forked_from_a_bot(folder: Path) -> Path:
    return fork(beginning(folder, *KEYED), folder / "f.json", "1.3", "--left", "scripted:random")


def killed_with_a_bot(folder: Path) -> Path:
    """A session with a bot of a file, as it is left where the program is killed: without an end, and its secret."""
    session = values(beginning(folder, *KEYED))
    session.pop("secret")
    path = folder / "killed.json"
    path.write_text(json.dumps({**session, "session_end": None}))
    return path


def forked_from_killed(folder: Path, *places: str, stays: bool = False) -> Path:
    path = killed_with_a_bot(folder)
    new = outside(folder / "bots", "draws") if stays else ("--left", "scripted:random")
    for number, place in enumerate(places):
        path = fork(path, folder / f"f{number}.json", place, *new)
    return path


def forked_elsewhere(folder: Path) -> Path:
    """A fork, by another installation, of a fork that was killed: the secret of the first session went with that."""
    path, bots = beginning(folder, *KEYED), outside(folder / "bots", "draws")
    first = values(fork(path, folder / "f.json", "1.4", *bots))
    first.pop("secret")
    path.write_text(json.dumps({**first, "session_end": None}))
    with pytest.MonkeyPatch.context() as here:
        here.setattr("batllm_arcade.match.runner.installation_key", lambda: b"e" * 32)
        return fork(path, folder / "g.json", "1.6", *bots)


def configured(folder: Path, text: str, *options: str) -> Path:
    file = folder / "mine.yaml"
    file.write_text(text)
    return run(folder / "s.json", "scripted:random", "scripted:turtle", *options, config=str(file))


def killed(folder: Path) -> Path:
    """The journal of a session whose program was killed in its second game."""
    path, kept = folder / "s.json", folder / "kept.json.journal"
    for count, _ in enumerate(
        play("scripted:random", "scripted:turtle", config="couch", games=2, seed=5, history=path)
    ):
        if count == 90:
            copyfile(journal_of(path), kept)
    return kept


def repeated(folder: Path) -> Path:
    first = beginning(folder, "scripted:random", "scripted:turtle")
    cassette = f"cassette:{first}"
    assert main(["run", "--left", cassette, "--right", cassette, "--history", str(folder / "c.json"), "--quiet"]) == 0
    return folder / "c.json"


def own(folder: Path) -> Path:
    for _ in play(hunter, "scripted:random", config="arena", seed=5, history=folder / "s.json"):
        pass
    return folder / "s.json"


def isolated(folder: Path) -> Path:
    require_sandbox()
    return run(folder / "s.json", "scripted:random", "scripted:dancer", "--isolate", "--rounds", "1", "--turns", "4")


HANDICAP = "rules: {initial_health: [60, 100], bullet_damage: [20, 7], total_rounds: 2, turns_per_round: 6}\n"
HONEST: dict[str, Callable[[Path], Path]] = {
    **{f"a fork at {place}": lambda f, place=place: forks(f, place) for place in ("1.1.8", "2.1.5")},
    "a fork of a fork, at the same turn": lambda f: forks(f, "1.1.3", "1.1.3"),
    "forks forth and back": lambda f: forks(f, "1.1.5", "1.1.2", "1.1.6", "1.2.1"),
    "a fork with a bot of a file": forked_with_a_bot,
    "a fork of a fork from a bot of a file": lambda f: fork(forked_from_a_bot(f), f / "g.json", "1.5"),
    "a fork with both new": lambda f: fork(
        beginning(f, *KEYED), f / "f.json", "1.4", "--left", "scripted:random", "--right", "scripted:dancer"),
    "a fork of a killed one with its bot": lambda f: forked_from_killed(f, "1.4", stays=True),
    "a fork of a fork of a killed one": lambda f: forked_from_killed(f, "1.4", "1.6"),
    "a fork of a killed fork": forked_elsewhere,
    "two fallbacks": lambda f: of_files(f, "fails", "fails_later", code=1),
    "an own bot": own,
    "scripts in a sandbox": isolated,
    "a journal": killed,
    "a cassette": repeated,
    "a handicap": lambda f: configured(f, HANDICAP),
    "apart": lambda f: configured(f, "payload: {mode: independent}\n"),
    "draws": lambda f: run(f / "s.json", "scripted:turtle", "scripted:turtle", "--rounds", "1", "--turns", "1"),
    "a series": lambda f: live(f / "s.json", {}, games=3, series=best_of(3)),
    "swaps at both seats, forth and back": lambda f: live(
        f / "s.json", {3: swap(0, "scripted:turtle"), 4: swap(1, "scripted:random"), 9: swap(0, "scripted:random")}),
    "a take-over": lambda f: live(f / "s.json", {4: take_over(0), 11: hand_back(0)}, games=2),
    "a take-over to the end": lambda f: live(f / "s.json", {4: take_over(1)}, games=2),
    "a person": lambda f: live(f / "s.json", {}, left="keyboard"),
    "a swap while a person plays": lambda f: live(f / "s.json", {2: take_over(0), 6: swap(0, "scripted:dancer")}),
    "a match that is left": lambda f: live(f / "s.json", {5: lambda table: table.stop()}),
    "a round that is left": lambda f: live(f / "s.json", {5: lambda table: table.abandon_round()}),
}  # fmt: skip


FALLBACKS = ("two fallbacks",)
"""Sessions whose scripts took the seats of brains that may have drawn before."""
UNKNOWN = ("a fork of a killed fork", "a fork of a killed one with its bot", "a fork of a fork of a killed one")
"""Sessions with plays of scripts whose random numbers nobody can tell any more."""


@pytest.mark.parametrize("name", HONEST)
def test_whoever_plays_as_recorded_is_not_accused(tmp_path, capsys, name):
    path = HONEST[name](tmp_path)
    code, printed = verified(path, tmp_path, capsys)
    assert code == (NOT_CHECKED if name in UNKNOWN else 0), printed
    assert ("not played again" in printed.splitlines()[0]) == (name in (*UNKNOWN, *FALLBACKS)), printed


def test_the_bundled_scripts_play_again_whatever_stands_in_their_place(tmp_path):
    """A plugin that is let into the name, or was installed under it, does not say how the bundled one plays."""
    assert isinstance(load().kinds, BrainKinds)
    assert bundled_kind("scripted").make.__module__ == "batllm_arcade_plugins.scripted"


def test_the_bundled_brains_that_are_no_people_are_known():
    bundled = {name for name, kind in load().kinds.items() if not kind.human}
    assert bundled == set(NO_PEOPLE)
