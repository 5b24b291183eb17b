"""The files of bots: what is at a path that is typed, and which are remembered and offered."""

from __future__ import annotations

import time

from batllm_arcade.app.services.brain_list import AvailabilityCache, BotFinder, BrainList, bots_at, file_to_remember
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.plugin import manager
from batllm_arcade.settings import user_settings
from batllm_arcade.settings.user_settings import Settings, with_bot


def test_a_path_is_a_bot_or_a_folder_with_bots_or_a_sentence(tmp_path):
    for name in ("b.py", "a.sh", "notes.txt", "_helper.py", "run"):
        (tmp_path / name).write_text("")
    (tmp_path / "run").chmod(0o755)
    (tmp_path / "empty").mkdir()
    found = bots_at(str(tmp_path))
    assert [name.rpartition("/")[2] for name in found.others] == ["a.sh", "b.py", "run"]
    assert found.file == str(tmp_path / "a.sh")
    assert bots_at(str(tmp_path / "notes.txt")).file.endswith("notes.txt")  # who names a file means it
    for path, told in (
        (" ", "type the path"),
        (str(tmp_path / "no"), "no folder 'no'"),
        (str(tmp_path / "empty"), "no bot"),
    ):
        assert told in bots_at(path).problem


def test_only_the_path_asked_for_last_counts(tmp_path):
    (tmp_path / "b.py").write_text("")
    finder, ends = BotFinder(), time.monotonic() + 30
    finder.look(str(tmp_path / "nothing"))
    finder.look(str(tmp_path))
    while not finder.update():
        assert time.monotonic() < ends
        time.sleep(0.001)
    assert finder.found is not None
    assert finder.found.file == str(tmp_path / "b.py")
    assert not finder.update()


def test_a_policy_that_was_chosen_is_offered_as_one_and_a_bot_as_a_bot():
    kinds = manager.load().kinds
    chosen = [Spec("policy", "/trained/learned.py"), Spec("proc", "/bots/3.py")]
    offered = BrainList(kinds, AvailabilityCache(kinds), files=[file_to_remember(spec) for spec in chosen])
    assert [spec for spec in offered.specs if spec.variant.startswith("/")] == chosen
    assert [offered.called(spec) for spec in chosen] == ["Policy \u00b7 learned.py", "Bot \u00b7 3.py"]
    assert offered.called(Spec("policy")) == "Policy from a file"


def test_the_files_chosen_last_are_kept_and_offered():
    settings = Settings()
    for number in [*range(9), 3]:
        settings = with_bot(settings, f"/bots/{number}.py")
    assert settings.bots == tuple(f"/bots/{number}.py" for number in (3, 8, 7, 6, 5, 4, 2, 1))
    assert user_settings.read(user_settings.values(settings)) == settings
    kinds = manager.load().kinds
    everything = BrainList(kinds, AvailabilityCache(kinds), files=settings.bots)
    ready = BrainList(kinds, AvailabilityCache(kinds), files=settings.bots, with_files=False)
    assert Spec("proc") in everything.specs
    assert Spec("proc", "/bots/3.py") in everything.specs
    assert Spec("proc") not in ready.specs
    assert Spec("cassette") in everything.specs
    assert Spec("cassette") not in ready.specs, "there is no session to choose in the middle of a match"
    assert Spec("proc", "/bots/3.py") in ready.specs
    assert everything.called(Spec("proc", "/bots/3.py")) == "Bot \u00b7 3.py"
