"""A user without a home, as in many containers: what needs no folder of theirs works, the rest says what to set."""

from __future__ import annotations

import pytest
from fakes import played, session_values

from batllm_arcade.cli.main import main
from batllm_arcade.core.model import Rules


@pytest.fixture
def night(tmp_path, monkeypatch):
    """A recorded session in the current folder, of a user whose folders nobody knows."""

    def nobody(*_arguments, **_options):
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr("platformdirs.user_data_dir", nobody)
    monkeypatch.setattr("platformdirs.user_config_dir", nobody)
    monkeypatch.chdir(tmp_path)
    import json

    path = tmp_path / "night.json"
    path.write_text(json.dumps(session_values(played(["M"], ["M"], rules=Rules(total_rounds=1, turns_per_round=1)))))
    return path.name


@pytest.mark.parametrize(
    "command",
    ["share NIGHT -o a.html", "analyse NIGHT", "verify NIGHT", "transcript NIGHT", "brains",
     "run --left scripted:turtle --right scripted:dancer --turns 1 --history b.json", "doctor"],
)  # fmt: skip
def test_what_needs_no_folder_works(command, night, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    code = main(command.replace("NIGHT", night).split())
    assert code == (1 if command == "doctor" else 0)


@pytest.mark.parametrize("command", ["run --left scripted:turtle --right scripted:dancer --turns 1", "play"])
def test_what_has_to_write_there_says_what_to_set(command, night, capsys):
    assert main(command.split()) == 2
    (line,) = capsys.readouterr().err.splitlines()[-1:]
    assert line.endswith("set HOME, or XDG_DATA_HOME, to a folder of yours")
