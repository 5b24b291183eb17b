"""Forged sessions: `verify` finds what can be derived, and what nobody can prove is listed with the reason."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from approved import approve, cases_in
from duels import Duel
from fakes import written
from forging import simulated
from paths import DOCS, ROOT

from batllm_arcade.brains.protocol import SeatInfo, View
from batllm_arcade.cli.main import main
from batllm_arcade.core.model import rules_from
from batllm_arcade.history.paths import program
from batllm_arcade.match import runner
from batllm_arcade.match.runner import Answer, MatchPlan
from batllm_arcade.share.shown import ROOMS, PageLook
from batllm_arcade.share.write import write_page

Session = dict[str, Any]


class TimedDuel(Duel):
    """Two scripts, a tick of the clock for every time that is asked for."""

    def __init__(self, *names: str) -> None:
        super().__init__(*names)
        self.names, self.ticks = names, 0

    def begin_game(self) -> tuple[SeatInfo, SeatInfo]:
        left, right = (SeatInfo(name, f"scripted:{name}") for name in self.names)
        return left, right

    def ask(self, bot: int, view: View) -> Answer:
        return Answer(self.brains[bot].decide(view), "ok", "", 0.25, self.now())

    def now(self) -> str:
        self.ticks += 1
        return f"2026-01-01T12:{self.ticks // 60:02}:{self.ticks % 60:02}.000000Z"


RULES = {"total_rounds": 3, "turns_per_round": 12, "initial_health": 200, "bullet_damage": 10}
SHORT = {**RULES, "total_rounds": 2, "turns_per_round": 4}
COUCH = {**RULES, "battery": 9, "side_damage": 2, "back_damage": 3, "initial_shield": False}


def played(folder: Path, seed: int, figures: dict[str, Any] = RULES, games: int = 3) -> Session:
    rules = rules_from(figures)
    plan = MatchPlan(rules, seed, games, ("win", "hide"), header_template="hit for $bullet_damage", program=program())
    records = runner.play(plan, TimedDuel("sharpshooter", "turtle"))
    return json.loads(written(records, folder / f"{seed}.json").read_text())


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Session:
    return played(tmp_path_factory.mktemp("good"), 5)


@pytest.fixture(scope="module")
def couch(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """A session with battery and armour."""
    return played(tmp_path_factory.mktemp("couch"), 5, COUCH)


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """Another session, of another seed."""
    return played(tmp_path_factory.mktemp("other"), 6)


def found(session: Session | str, folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    file = folder / "forged.json"
    file.write_text(session if isinstance(session, str) else json.dumps(session))
    code = main(["verify", str(file)])
    printed = capsys.readouterr()
    return code, printed.out + printed.err


def plays(session: Session) -> list[dict[str, Any]]:
    return [play for game in session["games"] for entry in game["rounds"] for play in entry["turns"]]


def put(path: str, value: Any) -> Callable[[Session], Any]:
    """Put a value at a path of keys; `None` at the end of the path takes it away."""

    def change(session: Session) -> None:
        *keys, last = [int(key) if key.isdigit() else key for key in path.split("/")]
        node: Any = session
        for key in keys:
            node = node[key]
        if value == GONE:
            del node[last]
        else:
            assert (node[last] if isinstance(node, list) else node.get(last)) != value, "the change changes nothing"
            node[last] = value

    return change


GONE = "GONE"
GAME, ROUND = "games/0", "games/0/rounds/0"
PLAY = f"{ROUND}/turns/5"


def without_shots(bot: int) -> Callable[[Session], None]:
    def change(session: Session) -> None:
        shots = [play for play in plays(session) if play["order"] == bot and play["cmd"] == "B"]
        assert shots
        for play in shots:
            play["cmd"] = "ERR"
        simulated(session)

    return change


def moved(session: Session) -> None:
    session["games"][0]["initial_state"][0]["x"] += 1
    simulated(session)


def other_start(key: str, value: Any) -> Callable[[Session], None]:
    def change(session: Session) -> None:
        for state in session["games"][0]["initial_state"]:
            state[key] = value
        simulated(session)

    return change


def other_health(session: Session) -> None:
    session["games"][0]["rules"]["initial_health"] = 50
    simulated(session)


def other_order(session: Session) -> None:
    for entry in session["games"][0]["rounds"][:1]:
        entry["acting_order"].reverse()
        for play in entry["turns"]:
            play["order"] = 1 - play["order"]
    simulated(session)


def other_seed(*where: str) -> Callable[[Session], None]:
    def change(session: Session) -> None:
        if "session" in where:
            session["seed"] += 1
        for game in session["games"] if "game" in where else ():
            game["seed"] += 1

    return change


def renumbered(session: Session) -> None:
    for number, game in enumerate(session["games"], 1):
        game["game_number"] = number


def games(change: Callable[[list[Any]], Any], *, number: bool = False) -> Callable[[Session], None]:
    def changed(session: Session) -> None:
        change(session["games"])
        if number:
            renumbered(session)

    return changed


def swapped(**values: Any) -> Callable[[Session], None]:
    def change(session: Session) -> None:
        entry = session["games"][0]["rounds"][0]
        swap = {"turn_number": 5, "order": entry["turns"][4]["order"], "brain": "scripted:random", "why": "fallback"}
        entry["swaps"] = [swap | values]

    return change


def cut_short(session: Session) -> None:
    game = session["games"][0]
    game["rounds"] = game["rounds"][:1]
    game["rounds"][0]["turns"] = game["rounds"][0]["turns"][:5]
    simulated(session)


def failing(status: str, many: int) -> Callable[[Session], None]:
    """The left bot's first plays had no answer, and it played on."""

    def change(session: Session) -> None:
        turns = session["games"][0]["rounds"][0]["turns"]
        for play in [play for play in turns if play["order"] == 0][:many]:
            play |= {"cmd": "ERR", "llm_response": "", "status": status, "reason": "late"}
        simulated(session)

    return change


def named(brain: str, *seats: int) -> Callable[[Session], None]:
    """A brain's name put in the place of others in all games."""

    def change(session: Session) -> None:
        for game in session["games"]:
            for seat in seats:
                game["seats"][seat]["brain"] = brain

    return change


def both(*changes: Callable[[Session], Any]) -> Callable[[Session], None]:
    def change(session: Session) -> None:
        for each in changes:
            each(session)

    return change


def queued(number: int, of: int) -> Callable[[Session], None]:
    """A play of models, without an answer of its own, that another one announced; both counted from 1."""

    def change(session: Session) -> None:
        named("gemini", 0, 1)(session)
        session["games"][0]["rounds"][0]["turns"][number - 1].update(llm_response="", queued_from=of)

    return change


def series(best_of: Any, **more: Any) -> dict[str, Any]:
    return {"best_of": best_of, **more}


def first_turn(session: Session) -> dict[str, Any]:
    return session["games"][0]["rounds"][0]["turns"][0]


CAUGHT: dict[str, tuple[Callable[[Session], Any], str]] = {
    "the winner's shots never were": (without_shots(0), r"play \d+: cmd is 'ERR' in the file and 'B' by its llm_resp"),
    "another start": (moved, r"game 1, left: initial_state\.x is .* as drawn from the seed"),
    "another health at the start": (other_start("health", 90), r"initial_state\.health is 90 .*drawn"),
    "another shield at the start": (other_start("shield", 0), r"initial_state\.shield is 0 .*drawn"),
    "another initial_health": (other_health, r"initial_state\.health is 200 in the file and 50"),
    "another acting order": (other_order, r"round 1: acting_order is .* as drawn"),
    "the session's seed": (other_seed("session"), r"the session: seed is 6 in the file and 5 in its first game"),
    "the games' seeds": (other_seed("game"), r"the session: seed is 5"),
    "all seeds": (other_seed("session", "game"), r"initial_state\.x is .* as drawn"),
    "the seed 0": (lambda s: (put("seed", 0)(s), put(f"{GAME}/seed", 0)(s)), r"game 1, left: initial_state"),
    "the first game dropped": (games(lambda g: g.pop(0)), r"game_number is 2 in the file and 1"),
    "the first game dropped, renumbered": (games(lambda g: g.pop(0), number=True), r"initial_state\.x"),
    "a game twice": (games(lambda g: g.insert(1, deepcopy(g[0]))), r"game_number is 1 in the file and 2"),
    "a game twice, renumbered": (games(lambda g: g.insert(1, deepcopy(g[0])), number=True), r"initial_state\.x"),
    "games swapped": (games(lambda g: g.reverse()), r"game_number is 3 in the file and 1"),
    "games swapped, renumbered": (games(lambda g: g.reverse(), number=True), r"initial_state\.x"),
    "a round dropped": (lambda s: s["games"][0]["rounds"].pop(0), r"round_number"),
    "a play dropped": (lambda s: s["games"][0]["rounds"][0]["turns"].pop(3), r"turn_number is 5 in the file and 4"),
    "a fallback that never was": (swapped(), r"swaps\.why is 'fallback' .* must come after 3 plays in a row"),
    "a swap of the wrong bot": (lambda s: swapped(order=1 - s["games"][0]["rounds"][0]["turns"][4]["order"])(s),
                                r"swaps\.order"),
    "a swap after the round": (swapped(turn_number=99), r"swaps\.turn_number is 99"),
    "three failures without a fallback": (failing("timeout", 3), r"swaps is 'without a swap here'"),
    "a model that got its seat back and failed": (lambda s: (failing("timeout", 1)(s), swapped(
        why="recovered", order=0, turn_number=1 + s["games"][0]["rounds"][0]["acting_order"].index(0))(s)),
        r"status is 'timeout' .* must be an answer where a model gets its seat back"),
    "a forfeit after one failure": (failing("forfeit", 1), r"status is 'forfeit' .* last of 3 in a row"),
    "an answer that came too late": (lambda s: (failing("timeout", 1)(s), s["games"][0]["rounds"][0]["turns"][
        s["games"][0]["rounds"][0]["acting_order"].index(0)].update(llm_response="S0")), r"no answer in time"),
    "NaN in a seat's options": (put(f"{GAME}/seats/0/options", {"x": float("nan")}), r"one of its numbers is 'NaN'"),
    "infinity in a seat's options": (put(f"{GAME}/seats/0/options", {"x": float("inf")}), r"numbers is 'Infinity'"),
    "NaN under an unknown name": (put("more", [float("nan")]), r"one of its numbers is 'NaN'"),
    "queued from a later play": (queued(6, 7), r"play 6: queued_from is 7"),
    "queued, with an answer": (lambda s: (named("gemini", 0, 1)(s), put(f"{PLAY}/queued_from", 4)(s)),
                               r"play 6: llm_response is .* must be empty"),
    "not augmented, with a header": (lambda s: [put(f"{GAME}/rounds/{n}/augmented", False)(s) for n in range(
        len(s["games"][0]["rounds"]))], r"system_header is"),
    "a seat named like the original game, its shots never were": (
        both(named("batllm", 0), without_shots(0)), r"cmd is 'ERR' in the file and 'B' by its llm_response"),
    "both seats named like it": (both(named("batllm", 0, 1), without_shots(1)), r"cmd is 'ERR' .* by its llm_resp"),
    "a swap to it": (both(swapped(why="swap", brain="batllm"), without_shots(0)), r"cmd is 'ERR' .* by its llm_resp"),
    "queued at a script": (both(put(f"{PLAY}/queued_from", 4), put(f"{PLAY}/llm_response", "")),
                           r"play 6: queued_from is 4 .* must not be there, as 'scripted:"),
    "queued from the other's play": (queued(6, 3), r"play 6: queued_from is 3 .* an earlier play of the same bot"),
    "queued from a queued play": (both(queued(4, 2), queued(6, 4)), r"play 6: queued_from is 4 .* queued by none"),
    "queued from before the round": (queued(6, 0), r"play 6: queued_from is 0 .* an earlier play of the same bot"),
    "a series that begins twice": (both(put("series", series(3)), put(f"{GAME}/series", series(5))),
                                   r"game 1: series is 5 .* the session's in its first game"),
    "a place a hair off": (lambda s: first_turn(s)["post_state"].update(x=first_turn(s)["post_state"]["x"] + 1e-9),
                           r"play 1: post_state\.x"),
    "once around": (lambda s: first_turn(s)["post_state"].update(rot=first_turn(s)["post_state"]["rot"] + 360), r"rot"),
    "the other's play": (lambda s: first_turn(s).update(order=1 - first_turn(s)["order"]), r"play 1: order is"),
    "plays behind the last": (lambda s: s["games"][0]["rounds"][0]["turns"].extend(
        deepcopy(s["games"][0]["rounds"][0]["turns"])), r"has 48 plays, more than its rules allow"),
    "another shield's width": (lambda s: [g["rules"].update(shield_degrees=0) for g in s["games"]], r"health is"),
    "another damage": (lambda s: [g["rules"].update(bullet_damage=11) for g in s["games"]], r"health is"),
    "a key twice": (lambda s: json.dumps(s).replace('"seed":', '"seed": 1, "seed":', 1), r"holds 'seed' twice"),
    "two sessions in one": (lambda s: json.dumps(s) * 2, r"is not valid JSON"),
}  # fmt: skip
"""Forgeries that `verify` finds, and what it says."""

CHARGED: dict[str, tuple[Callable[[Session], Any], str]] = {
    "a charge": (
        lambda s: first_turn(s)["post_state"].update(charge=first_turn(s)["post_state"]["charge"] + 1), r"charge"),
    "no charge": (lambda s: first_turn(s)["post_state"].pop("charge"), r"charge"),
    "a charge that is true": (lambda s: first_turn(s)["post_state"].update(charge=True), r"charge"),
    "no armour": (
        lambda s: [g["rules"].pop(name) for g in s["games"] for name in ("side_damage", "back_damage")], r"health"),
}  # fmt: skip
"""Those of a session with battery and armour."""


def models(session: Session) -> None:
    """Say that models gave the answers: nobody can ask them again."""
    named("gemini", 0, 1)(session)


def told_as_fork(session: Session) -> None:
    """Say that one of the games plays on from another session."""
    models(session)
    turns, start = session["games"][0]["rounds"][0]["turns"], session["session_start"]
    del session["games"][1:]
    where = {"session_start": start, "game_number": 1, "round_number": 1, "turn": 1}
    session["games"][0]["forked_from"], session["session_start"] = where, turns[1]["timestamp"]


UNPROVABLE: dict[str, tuple[Callable[[Session], Any], str]] = {
    "where a bot ran": (
        both(named("mine", 0), put(f"{GAME}/seats/0/isolation", "sandbox")), "where a bot ran (`isolation`)"),
    "names": (put(f"{GAME}/seats/0/name", "Ann"), "names, models, options, `adapted`"),
    "another model": (both(models, put(f"{GAME}/seats/0/model", "m")), "names, models, options, `adapted`"),
    "other options": (both(models, put(f"{GAME}/seats/0/options", {"x": 1})), "names, models, options, `adapted`"),
    "other requests": (
        both(models, put(f"{GAME}/seats/0/adapted", ["x left out"])), "names, models, options, `adapted`"),
    "prompts": (put(f"{ROUND}/prompts", ["a", "b"]), "prompts, headers, `program`"),
    "the header": (put(f"{ROUND}/system_header", "hit"), "prompts, headers, `program`"),
    "the program": (put("program", "another"), "prompts, headers, `program`"),
    "a thought": (both(models, put(f"{PLAY}/thought", "hm")), "what a model answered, thought and said"),
    "what was said": (both(models, put(f"{PLAY}/say", "hi")), "what a model answered, thought and said"),
    "an answer with its command": (
        lambda s: (models(s), first_turn(s).update(cmd="C77", llm_response="C77"), simulated(s)),
        "what a model answered, thought and said"),
    "a model that failed": (
        lambda s: (models(s), failing("error", 1)(s), simulated(s)),
        "that a brain failed, a script's too, and the `reason`"),
    "a play that a model is said to have announced": (
        queued(6, 4), "that a model's play was announced by an earlier reply"),
    "tokens": (both(models, put(f"{PLAY}/tokens", {"prompt": 3})), "`tokens`, `raw_cut`"),
    "a cut where the answer is as long": (both(models, put(f"{PLAY}/raw_cut", 99)), "`tokens`, `raw_cut`"),
    "a latency": (put(f"{PLAY}/latency_s", 0.75), "a time, or a latency, that fits between its neighbours"),
    "a time between its neighbours": (
        put(f"{PLAY}/timestamp", "2026-01-01T12:00:07.5Z"), "a time, or a latency, that fits between its neighbours"),
    "a swap that a person asked for": (both(models, swapped(why="swap")), "swaps that a person asked for"),
    "a hint that a person got": (
        both(named("keyboard", 0), put(f"{GAME}/hints", [1, 0])),
        "swaps that a person asked for, hints that one got"),
    "a game as a fork": (told_as_fork, "that a game is a fork, and of which session"),
    "a rule that was never used": (put(f"{GAME}/rules/free_move", True), "rules that had no effect in the game"),
    "a series": (put("series", series(3)), "that the games are a series, and of how many"),
    "a series that stands at something": (
        both(put("series", series(5)), put("games/1/series", series(5, wins=[2, 0]))),
        "that the games are a series, and of how many"),
    "the last game dropped": (games(lambda g: g.pop()), "games after the last, plays after"),
    "a game cut short": (cut_short, "games after the last, plays after"),
    "the session's end": (put("session_end", None), "games after the last, plays after"),
    "a key of its own": (put("more", [1]), "keys that the table above does not have"),
    "a game marked as not drawn": (put(f"{GAME}/drawn", False), "A game with `drawn: false` was not drawn from a seed"),
}  # fmt: skip
"""Forgeries that nobody can find in the file alone, and where the documentation says so."""


def test_the_sessions_that_are_forged_are_good_ones(good, couch, other, tmp_path, capsys):
    for session in (good, couch, other, played(tmp_path, 7)):
        code, said = found(session, tmp_path, capsys)
        assert (code, "all as recorded" in said) == (0, True), said
    assert any(play["cmd"] == "B" for play in plays(couch))


APPROVED = Path(__file__).parent / "approved"


def test_a_value_that_was_changed_is_found_and_named_with_its_place(good, couch, tmp_path, capsys):
    def said_of(session: Session) -> Callable[[tuple[str, Any]], str]:
        def say(case: tuple[str, Any]) -> str:
            changed = deepcopy(session)
            put(*case)(changed)
            code, said = found(changed, tmp_path, capsys)
            assert code in (1, 2), said
            lines = [line for line in said.splitlines() if " plays " not in line and not line.startswith("...")]
            return "\n".join([line for line in lines if "_state." not in line] or lines[:1])

        return say

    files = (APPROVED / "forgeries.txt", APPROVED / "forgeries_of_charges.txt")
    for file, session in zip(files, (good, couch), strict=True):
        approve(file, said_of(session))
    assert len(CAUGHT) + len(CHARGED) + len(UNPROVABLE) + sum(len(cases_in(file)) for file in files) >= 70


@pytest.mark.parametrize("name", [*CAUGHT, *CHARGED])
def test_a_forgery_is_found_and_named_with_its_place(good, couch, tmp_path, capsys, name):
    forge, expected = CAUGHT[name] if name in CAUGHT else CHARGED[name]
    session = deepcopy(good if name in CAUGHT else couch)
    text = forge(session)
    code, said = found(text if isinstance(text, str) else session, tmp_path, capsys)
    assert code in (1, 2), said
    assert re.search(expected, said), said
    assert "Traceback" not in said


def test_a_game_of_another_session_is_found(good, other, tmp_path, capsys):
    session = deepcopy(good)
    session["games"][1] = deepcopy(other["games"][1])
    code, said = found(session, tmp_path, capsys)
    assert code == 1, said


@pytest.mark.parametrize("name", UNPROVABLE)
def test_what_nobody_can_prove_is_not_claimed_and_stands_in_the_documentation(good, tmp_path, capsys, name):
    forge, told = UNPROVABLE[name]
    session = deepcopy(good)
    forge(session)
    assert session != good
    code, said = found(session, tmp_path, capsys)
    assert code == 0, said
    assert told in unprovable()


def unprovable() -> str:
    """What the documentation says that nobody can prove."""
    page = (DOCS / "formats.md").read_text("utf-8")
    return page.split("What nobody can prove from the file alone")[1].split("###")[0]


def test_every_row_of_what_nobody_can_prove_has_a_forgery_that_passes():
    rows = [line.split("|")[1].strip() for line in unprovable().splitlines() if line.startswith("| ")][2:]
    told = [row for _, row in UNPROVABLE.values()] + [OF_A_PAGE]
    by_hand = ["all of it, where whoever forges the file also plays the game again"]
    assert [row for row in rows if row not in by_hand and not any(row.startswith(each) for each in told)] == []


def test_a_game_of_the_original_is_not_compared_with_its_answers_and_that_is_said(good, tmp_path, capsys):
    session = deepcopy(good)
    both(named("batllm", 0, 1), without_shots(0), *(put(f"games/{n}/drawn", False) for n in range(3)))(session)
    code, said = found(session, tmp_path, capsys)
    assert (code, "nor are its commands compared with the answers" in said) == (0, True), said


Page = str
_REPLAY = re.compile(r'(<script type="text/plain" id="replay">)([^<]*)')
_MADE = re.compile(r'(<script type="application/json" id="made">)([^<]*)')
_SESSION = re.compile(r'(<script type="application/json" id="session">)([^<]*)')


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> tuple[Page, Page]:
    """Pages of two short sessions, the second for what is taken from it."""
    folder, made = tmp_path_factory.mktemp("pages"), []
    for seed in (5, 6):
        played(folder, seed, SHORT, games=2)
        write_page(folder / f"{seed}.json", folder / f"{seed}.html", look=PageLook("Ann's match"))
        made.append((folder / f"{seed}.html").read_text("utf-8"))
    return made[0], made[1]


def in_place_of(part: re.Pattern[str], text: str, page: Page) -> Page:
    return part.sub(lambda found: found[1] + text, page, count=1)


def packed(content: bytes) -> str:
    return base64.b64encode(gzip.compress(content, mtime=0)).decode()


def drawn(change: Callable[[dict[str, Any]], Any]) -> Callable[[Page, Page], Page]:
    """What the page draws, changed."""

    def changed(page: Page, _other: Page) -> Page:
        replay = json.loads(gzip.decompress(base64.b64decode(_REPLAY.search(page)[2])))
        before = deepcopy(replay)
        change(replay)
        assert json.dumps(replay) != json.dumps(before), "the change changes nothing"
        return in_place_of(_REPLAY, packed(json.dumps(replay).encode()), page)

    return changed


def said_of_its_making(change: Callable[[dict[str, Any]], Any]) -> Callable[[Page, Page], Page]:
    def changed(page: Page, _other: Page) -> Page:
        made = json.loads(_MADE.search(page)[2])
        change(made)
        return in_place_of(_MADE, json.dumps(made), page)

    return changed


def taken(part: re.Pattern[str]) -> Callable[[Page, Page], Page]:
    return lambda page, other: in_place_of(part, part.search(other)[2], page)


def replaced(old: str, new: str) -> Callable[[Page, Page], Page]:
    def changed(page: Page, _other: Page) -> Page:
        assert old in page
        return page.replace(old, new, 1)

    return changed


def shot(replay: dict[str, Any]) -> dict[str, Any]:
    """The first shot that is drawn."""
    return next(each for each in replay["segments"] if "bullet" in each)


def ends(replay: dict[str, Any]) -> dict[str, Any]:
    return next(each for each in reversed(replay["segments"]) if "bots" in each)


DRAWN = r"^the page does not show the match in its session: it draws another "
AROUND = r"^the page around its session is not as this program writes it"
MARKUP = r"^the page holds what no page of this program does: "
MAKING = r"^the page (does not say as this program does how it was made|shows a part of the match that is not in)"
CAUGHT_PAGES: dict[str, tuple[Callable[[Page, Page], Page], str]] = {
    "another match": (taken(_REPLAY), DRAWN),
    "the session of another match": (taken(_SESSION), AROUND),
    "a command": (drawn(lambda r: shot(r).update(did=["S1", "raises its shield"])), DRAWN + r"play \d\.\d+\.\d "),
    "where a bullet flies": (drawn(lambda r: shot(r)["bullet"].__setitem__(5, 1)), DRAWN + r"play "),
    "a bot's place": (drawn(lambda r: ends(r)["bots"][0].__setitem__(0, 500)), DRAWN),
    "a bot's health": (drawn(lambda r: ends(r)["bots"][1].__setitem__(3, 200)), DRAWN),
    "what came of it": (drawn(lambda r: shot(r).update(outcome=["a miss", "#ffffff"])), DRAWN + r"play "),
    "the winner": (drawn(lambda r: r["ending"].update(title="turtle wins")), DRAWN + r"ending\.title"),
    "the banner of the end": (drawn(lambda r: r["segments"][-1]["banner"].__setitem__(0, "turtle wins")), DRAWN),
    "who sits where": (drawn(lambda r: r["segments"][0]["seats"].reverse()), DRAWN),
    "a play left out": (drawn(lambda r: r["segments"].remove(shot(r))), DRAWN),
    "a play twice": (drawn(lambda r: r["segments"].append(shot(r))), DRAWN),
    "how long it takes": (drawn(lambda r: r["segments"][3].update(e=r["segments"][3]["e"] + 9)), DRAWN),
    "what happened where": (drawn(lambda r: r["moments"].pop()), DRAWN + r"moments"),
    "the version of what is drawn": (drawn(lambda r: r.update(version=True)), DRAWN + r"version"),
    "one more thing to draw": (drawn(lambda r: r.update(more=1)), DRAWN + r"more"),
    "no numbers": (drawn(lambda r: ends(r)["bots"][0].__setitem__(0, float("nan"))), DRAWN),
    "a huge number": (drawn(lambda r: ends(r)["bots"][0].__setitem__(0, 10**400)), MAKING),
    "the viewer": (replaced('"use strict";', '"use strict";location = "x";'), MARKUP),
    "the style": (replaced("</style>", "#health-left{display:none}</style>"), MARKUP),
    "the policy": (replaced("default-src 'none'", "default-src *"), MARKUP),
    "another script": (lambda page, _: page + "<script>1</script>", MARKUP),
    "the match in words": (replaced("</article>\n</noscript>", "<p>turtle won</p></article>\n</noscript>"), AROUND),
    "a heading": (replaced("<h1>Ann&#x27;s match", "<h1>Eve won"), AROUND),
    "a session in a comment before it": (
        lambda page, other: page.replace("<body", f"<!--{_SESSION.search(other)[0]}</script>--><body", 1), MARKUP),
    "no replay": (lambda page, _: in_place_of(_REPLAY, "", page), MAKING),
    "half a replay": (lambda page, _: in_place_of(_REPLAY, _REPLAY.search(page)[2][:400], page), MAKING),
    "more than the replay": (
        lambda page, _: in_place_of(_REPLAY, packed(b"{}") + "", page).replace(packed(b"{}"), base64.b64encode(
            gzip.compress(b"{}") * 2).decode(), 1), MAKING),
    "a replay that fills the memory": (lambda page, _: in_place_of(_REPLAY, packed(b"[" * 10**7), page), MAKING),
    "a replay as deep as it is long": (lambda page, _: in_place_of(_REPLAY, packed(b"[" * 10**5), page), MAKING),
    "the part that is shown": (said_of_its_making(lambda made: made["chosen"].update(game=2)), AROUND),
    "a part that is not there": (said_of_its_making(lambda made: made["chosen"].update(game=9)), MAKING),
    "a part that is none": (said_of_its_making(lambda made: made["chosen"].update(game=True)), MAKING),
    "a title that is none": (said_of_its_making(lambda made: made["look"].update(title=["x"])), MAKING),
    "a look that is none": (said_of_its_making(lambda made: made.update(look=7)), MAKING),
    "a play of its session": (
        lambda page, _: in_place_of(_SESSION, _SESSION.search(page)[2].replace('"cmd":"B"', '"cmd":"M"', 1), page),
        r"post_state\.x is .* when played again"),
    "no session": (lambda page, _: _SESSION.sub("", page), r"is a page without a session"),
}  # fmt: skip
"""Forged pages that `verify` finds, and what it says."""

OF_A_PAGE = "a page's title and how it presents itself"
"""What nobody can prove of one: another page that presents another match is as good."""


def verified(page: Page, folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    (folder / "forged.html").write_text(page, "utf-8")
    code = main(["verify", str(folder / "forged.html")])
    printed = capsys.readouterr()
    return code, printed.out + printed.err


@pytest.mark.parametrize("how", [lambda page: page, lambda page: page.replace("\n", "\r\n")])
def test_a_page_as_it_was_made_shows_its_match(pages, tmp_path, capsys, how):
    for page in pages:
        code, said = verified(how(page), tmp_path, capsys)
        assert (code, len(said.splitlines())) == (0, 1), said
    assert OF_A_PAGE in unprovable()


@pytest.mark.parametrize("name", CAUGHT_PAGES)
def test_a_forged_page_is_found(pages, tmp_path, capsys, name):
    forge, expected = CAUGHT_PAGES[name]
    code, said = verified(forge(*pages), tmp_path, capsys)
    assert code in (1, 2), said
    assert re.search(expected, said.removeprefix("batllm-arcade: "), re.MULTILINE), said


def test_the_rooms_that_make_a_page_are_there():
    assert all(list((ROOT / "batllm_arcade" / room).glob("*.py")) for room in ROOMS)
