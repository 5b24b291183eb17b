"""The published schemas of session files and leagues hold for what the program writes, and name all that is in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from blocks import blocks
from cups import plan, played
from leagues import begun, small
from paths import DATA, DOCS, ROOT
from sessions import every_kind

from batllm_arcade.cup.folder import Cup
from batllm_arcade.cup.output import write_results
from batllm_arcade.history.reader import KEPT, load
from batllm_arcade.league.engines.pair_play import PairPlayer
from batllm_arcade.league.output.files import write_table
from batllm_arcade.league.plan import PairSchedule, SprtPlan
from batllm_arcade.league.statistics.table import table
from batllm_arcade.league.store import PAIRS, LeagueStore

SCHEMAS = {
    path.name.partition(".")[0]: json.loads(path.read_text("utf-8"))
    for path in (ROOT / "assets" / "schemas").glob("*.json")
}


def strict(schema: Any) -> Any:
    """The schema with every key refused that it does not name: what the program writes must not have any."""
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: strict(value) for key, value in schema.items()}
    return {"additionalProperties": False, **closed} if isinstance(schema.get("properties"), dict) else closed


def checker(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(strict(SCHEMAS[name]))


def problems(name: str, value: Any) -> list[str]:
    return [f"{error.json_path}: {error.message[:200]}" for error in checker(name).iter_errors(value)]


def test_a_schema_is_one():
    assert set(SCHEMAS) == {"line-protocol", "session", "pairs", "table", "cup"}
    for schema in SCHEMAS.values():
        jsonschema.Draft202012Validator.check_schema(schema)


def test_sessions_of_every_kind_are_as_their_schema_says(tmp_path, capsys):
    files = {name: path for name, path in every_kind(tmp_path).items() if name != "the original's"}
    capsys.readouterr()
    assert len(files) > 15
    wrong = {name: problems("session", load(path)) for name, path in files.items()}
    assert {name: found for name, found in wrong.items() if found} == {}


ORIGINALS = (
    {"schema_version", "session_type", "app_version", "saved_at", "llm_metadata", "created_at", "model_provenance",
     "application_provenance"},
    {"start_time", "started_at"}, {"gameplay_settings_snapshot", "prompt_augmentation", "plays"},
    {"plays", "start_time"},
)  # fmt: skip
"""Names that only sessions of the original game have: of a session, a game, a round and a play."""


def test_the_schema_names_what_is_kept_of_a_large_session():
    parts = [SCHEMAS["session"], *(SCHEMAS["session"]["$defs"][name] for name in ("game", "round", "play"))]
    named = [{*part["properties"]} | originals for part, originals in zip(parts, ORIGINALS, strict=True)]
    assert named == [*KEPT]


@pytest.fixture(scope="module")
def league(tmp_path_factory) -> Path:
    """The folder of a small league, with a sequential test, as it is written."""
    folder = tmp_path_factory.mktemp("league") / "out"
    plan = small("one=scripted:dancer", "two=scripted:turtle", pairs=3, sprt=SprtPlan(0, 20))
    player, store = PairPlayer(begun(folder, plan)), LeagueStore(folder, plan)
    store.add([player.play(pair) for pair in PairSchedule(plan).from_number(1)])
    write_table(folder, table(plan, store.tally, complete=True), plan, "", page=False)
    store.close()
    player.close()
    return folder


def test_a_leagues_lines_are_as_their_schema_says(league):
    lines = [json.loads(line) for line in (league / PAIRS).read_text("utf-8").splitlines()]
    assert len(lines) == 3
    assert [problem for line in lines for problem in problems("pairs", line)] == []


def test_a_leagues_table_is_as_its_schema_says(league):
    values = json.loads((league / "table.json").read_text("utf-8"))
    assert values["sprt"] is not None
    assert problems("table", values) == []


def test_a_cups_table_is_as_its_schema_says_at_any_time(tmp_path):
    for cup in (played(tmp_path / "over", ["Ann", "Ben", "Cy"]), Cup.create(tmp_path / "new", plan("abc"))):
        write_results(cup)
        assert problems("cup", json.loads((cup.folder / "table.json").read_text("utf-8"))) == []
        cup.close()


def test_the_documented_game_is_as_the_schemas_say():
    said = [json.loads(block.text) for block in blocks("json") if block.page == "a-game-in-full.md"]
    kinds = {
        "hello": "toBot",
        "game": "toBot",
        "decide": "toBot",
        "result": "toBot",
        "ready": "fromBot",
        "play": "fromBot",
    }
    for message in (each for each in said if "type" in each):
        refer = {"$ref": f"#/$defs/{kinds.pop(message['type'])}", "$defs": SCHEMAS["line-protocol"]["$defs"]}
        jsonschema.validate(message, refer)
    assert kinds == {}
    assert problems("session", said[-1]) == []


def last_play(session: Any) -> Any:
    return session["games"][-1]["rounds"][-1]["turns"][-1]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda session: session.update(schema="batllm_arcade.session.v2"),
        lambda session: session.update(session_start="noon"),
        lambda session: session["games"][0].pop("rules"),
        lambda session: session["games"][0]["seats"].pop(),
        lambda session: session["games"][0]["result"].update(winner="left"),
        lambda session: session["games"][0]["rounds"][0].update(acting_order=[1, 1]),
        lambda session: last_play(session).pop("cmd"),
        lambda session: last_play(session).update(status="late"),
        lambda session: last_play(session)["post_state"].update(shield=True),
        lambda session: last_play(session)["post_state"].update(rot=360),
    ],
)
def test_a_session_that_is_none_is_refused(spoil: Callable[[Any], object]):
    session = load(DATA / "couch_match.json")
    spoil(session)
    assert problems("session", session)


def test_a_schema_names_no_key_that_the_documentation_of_the_files_has_not():
    """Else one of the two is out of date."""
    pages = {name: (DOCS / name).read_text("utf-8") for name in ("formats.md", "league.md", "rules.md")}
    of_leagues = pages["league.md"].partition("\n### Lines and tables\n")[2].partition("\n## ")[0]
    of_cups = pages["league.md"].partition("\n## A cup\n")[2].partition("\n## ")[0]
    texts = {"session": "".join(pages.values()), "pairs": of_leagues, "table": of_leagues, "cup": of_cups}
    for name, text in texts.items():
        keys = set(keys_of(SCHEMAS[name]))
        assert len(keys) > 20
        assert sorted(key for key in keys if f"`{key}`" not in text and f"  {key}:" not in text) == []


def keys_of(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        found = schema.get("properties")
        yield from found if isinstance(found, dict) else ()
        for value in schema.values():
            yield from keys_of(value)
