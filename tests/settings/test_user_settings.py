"""Settings: what is written, what is read, what is said about what is wrong."""

from __future__ import annotations

import os
import re
from dataclasses import fields
from pathlib import Path

import pytest
import yaml
from approved import approve
from fakes import kind
from paths import DOCS
from values import changeable, roomy

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.errors import UsageError
from batllm_arcade.settings import user_settings as settings
from batllm_arcade.settings.store import SettingsFile, given, named, people
from batllm_arcade.settings.user_settings import FIELDS, SETTINGS, DisplayOptions, Number, Settings, assigned


def test_only_what_differs_is_written_and_read_again():
    changed = settings.changed(settings.changed(Settings(), "ui_scale", 1.3), "muted", True)
    changed = settings.bound(settings.bound(changed, "left", "fire", ("f",)), "pad", "fire", ("x", "righttrigger"))
    kept = settings.values(changed)
    assert kept == {
        "picture": {"ui_scale": 1.3},
        "sound": {"muted": True},
        "keys": {"left": {"fire": ["f"]}},
        "pad": {"fire": ["x", "righttrigger"]},
    }
    assert settings.read(kept) == changed
    assert settings.values(Settings()) == {}


def test_every_setting_is_a_row_of_the_table_with_a_default_that_it_takes():
    rows = {setting.name: setting for setting in SETTINGS}
    assert len(rows) == len(SETTINGS)
    elsewhere = {"display", "bots", "servers", "keys", "pad"}
    assert set(rows) == {each.name for kind in (Settings, DisplayOptions) for each in fields(kind)} - elsewhere
    for name, setting in rows.items():
        assert setting.kind.read(settings.value(Settings(), name)) == settings.value(Settings(), name)
        if isinstance(setting.kind, Number):
            assert setting.kind.read(setting.kind.slides_to) == setting.kind.slides_to


def test_the_documentation_has_every_setting_that_has_a_page():
    block = re.search(r"```yaml\n(picture:.*?)```", (DOCS / "controls.md").read_text("utf-8"), re.DOTALL)
    written = yaml.safe_load(block[1])
    assert settings.read(written).keys["left"]["fire"] == ("f",)
    shown = {(setting.group, setting.name) for setting in SETTINGS if setting.label}
    assert shown == {(group, name) for group in FIELDS for name in written.get(group, {})}


def test_what_is_wrong_is_named_with_what_would_be_right():
    def refusal(values):
        with pytest.raises(UsageError, match=r"^[^\n]*$") as error:
            settings.read(values)
        return str(error.value)

    approve(Path(__file__).parent / "approved" / "settings.txt", refusal)


def test_a_file_is_written_and_holds_the_next_time(tmp_path):
    path = tmp_path / "folder" / "of" / "settings.yaml"
    assert SettingsFile(path).save(settings.changed(Settings(), "music_volume", 0.1)) == ""
    assert SettingsFile(path).settings.music_volume == 0.1
    assert "effects" not in path.read_text()


@pytest.mark.parametrize("text", ["picture: [", "7", "\x00"])
def test_a_broken_file_is_named_left_aside_and_kept(text, tmp_path):
    path = tmp_path / "settings.yaml"
    path.write_text(text)
    file = SettingsFile(path)
    assert file.settings == Settings()
    assert file.problem.startswith("your settings file 'settings.yaml' was left aside: ")
    assert str(tmp_path) not in file.problem
    file.save(settings.changed(Settings(), "muted", True))
    assert SettingsFile(path).settings.muted
    assert path.with_suffix(".broken").read_text() == text


def test_a_second_broken_file_leaves_the_first_one_that_was_kept(tmp_path):
    path = tmp_path / "settings.yaml"
    for number in range(3):
        path.write_text(f"[precious {number}")
        SettingsFile(path).save(settings.changed(Settings(), "muted", True))
    kept = {name: (tmp_path / name).read_text() for name in os.listdir(tmp_path) if "broken" in name}
    assert kept == {f"settings.broken{mark}": f"[precious {n}" for n, mark in enumerate(("", "-2", "-3"))}


NEWER = {
    "future": {"a": 1},
    "picture": {"ui_scale": 1.2, "glow": "warm", "telegraphs": "some"},
    "play": {"left_name": "Anna"},
    "keys": {"left": {"fire": ["f"], "jump": ["x"]}, "middle": {"fire": ["g"]}},
    "pad": 7,
}
"""Settings of another version of the program, as far as they are known here: a size, a name, a key."""


def test_what_a_newer_program_has_written_is_used_as_far_as_it_is_known_and_kept(tmp_path):
    path = tmp_path / "settings.yaml"
    path.write_text(yaml.safe_dump(NEWER))
    file = SettingsFile(path)
    now = file.settings
    assert (now.left_name, now.display.ui_scale, now.keys["left"]["fire"]) == ("Anna", 1.2, ("f",))
    assert file.problem == (
        "in your settings file 'settings.yaml' 'future' is not a group of settings; the groups are picture, sound, "
        "play, progress, bots, servers, keys, pad (and 5 more); it is kept, and not used"
    )
    assert file.save(settings.changed(now, "muted", True)) == ""
    assert yaml.safe_load(path.read_text()) == {**NEWER, "sound": {"muted": True}}
    assert os.listdir(tmp_path) == ["settings.yaml"]
    file.save(settings.changed(settings.changed(now, "muted", True), "telegraphs", "own"))
    assert yaml.safe_load(path.read_text())["picture"] == {"ui_scale": 1.2, "glow": "warm", "telegraphs": "own"}


def test_two_windows_keep_each_others_settings_and_what_is_changed_last_holds(tmp_path):
    path = tmp_path / "settings.yaml"
    one, other = SettingsFile(path), SettingsFile(path)
    muted = settings.changed(Settings(), "muted", True)
    one.save(muted)
    full = settings.changed(Settings(), "fullscreen", True)
    other.save(full)
    assert SettingsFile(path).settings == settings.changed(muted, "fullscreen", True)
    one.save(settings.changed(muted, "night", True))
    other.save(settings.changed(full, "muted", True))
    other.save(full)  # on and off again
    assert SettingsFile(path).settings == settings.changed(full, "night", True)
    path.unlink()  # as the documentation says: all of them are as shipped again
    one.save(settings.changed(settings.changed(muted, "night", True), "rumble", False))
    assert SettingsFile(path).settings == settings.changed(Settings(), "rumble", False)


def test_a_settings_file_that_is_a_link_stays_one_and_what_is_no_file_is_put_aside_and_not_replaced(tmp_path):
    (tmp_path / "dotfiles").mkdir()
    path, linked = tmp_path / "settings.yaml", tmp_path / "dotfiles" / "arcade.yaml"
    path.symlink_to(linked)
    SettingsFile(path).save(settings.changed(Settings(), "muted", True))
    assert path.is_symlink()
    assert yaml.safe_load(linked.read_text()) == {"sound": {"muted": True}}
    path.unlink()
    path.symlink_to(os.devnull)
    SettingsFile(path).save(settings.changed(Settings(), "muted", True))
    assert os.readlink(tmp_path / "settings.broken") == os.devnull
    assert SettingsFile(path).settings.muted


def test_a_file_that_cannot_hold_settings_by_its_size_kind_or_bytes_is_named_and_never_waited_for(tmp_path):
    file = tmp_path / "settings.yaml"
    file.write_bytes(b"\xff\xfe\x00")
    assert "not UTF-8 text" in SettingsFile(file).problem
    file.write_text("#" + "x" * (64 * 1024 - 1))
    assert SettingsFile(file).problem == ""
    file.write_text("#" + "x" * 64 * 1024)
    assert "larger than any settings are" in SettingsFile(file).problem
    if hasattr(os, "mkfifo"):
        file.unlink()
        os.mkfifo(file)
        assert "not a regular file" in SettingsFile(file).problem


def test_the_keys_shipped_can_be_bound_as_they_are():
    shipped = settings.Settings()
    for group, actions in settings.ACTIONS.items():
        for action in actions:
            for name in settings.bindings(shipped, group).get(action, ()):
                assert settings.refused(group, action, name) == ""


def test_what_a_configuration_sets_for_a_session_is_not_kept_unless_the_person_changes_it(tmp_path):
    path = tmp_path / "settings.yaml"
    SettingsFile(path).save(settings.changed(Settings(), "turn_clock_s", 9.0))
    file = SettingsFile(path, {"play": {"turn_clock_s": 20.0}, "picture": {"ui_scale": 1.5}})
    assert (file.settings.turn_clock_s, file.settings.display.ui_scale) == (20.0, 1.5)
    file.save(settings.changed(file.settings, "rumble", False))
    kept = SettingsFile(path).settings
    assert (kept.turn_clock_s, kept.display.ui_scale, kept.rumble) == (9.0, 1.0, False)
    file.save(settings.changed(file.settings, "turn_clock_s", 0.0))
    assert SettingsFile(path).settings.turn_clock_s == 0.0


def test_settings_that_cannot_be_written_say_so_and_hold_on(tmp_path):
    (tmp_path / "file").write_text("")
    said = SettingsFile(tmp_path / "file" / "settings.yaml").save(Settings())
    assert said.startswith("the settings could not be written")


def test_a_function_that_an_old_file_left_without_a_key_has_its_own_again(tmp_path):
    path = tmp_path / "settings.yaml"
    path.write_text("keys: {left: {fire: [], move: [space]}}\n")
    found = SettingsFile(path)
    assert found.problem == ""
    assert found.settings.keys["left"]["fire"] == ("space",)
    assert found.settings.keys["left"]["move"] == ("w",)


@pytest.mark.parametrize("swap", [True, False])
def test_no_change_of_hands_leaves_an_action_without_a_key(swap):
    everything = [(group, action) for group, keys in settings.KEYS.items() for action in keys]
    now = Settings()
    for taker in everything:
        for group, action in everything:
            wanted = settings.bindings(now, group)[action][:1]
            if not any(settings.refused(*taker, name) for name in wanted):
                done = assigned(now, *taker, wanted, swap=swap)
                now = done[0] if isinstance(done[0], Settings) else now
            used = [name for group, action in everything for name in settings.bindings(now, group)[action]]
            assert all(settings.bindings(now, group)[action] for group, action in everything)
            assert len(used) == len(set(used)), "a key does two things"


def test_a_name_may_have_sixteen_characters_and_is_kept_without_space_around_it():
    assert settings.read({"play": {"left_name": "x" * 16}}).left_name == "x" * 16
    assert settings.read({"play": {"left_name": " Ann "}}).left_name == "Ann"


def test_settings_are_values():
    assert changeable("batllm_arcade.settings") == roomy("batllm_arcade.settings") == set()


def test_a_key_that_is_taken_is_swapped_for_the_one_given_up():
    changed, others = assigned(Settings(), "left", "fire", ("w",), swap=True)
    assert (changed.keys["left"]["fire"], changed.keys["left"]["move"]) == (("w",), ("space",))
    assert others == [(("left", "move"), ("space",))]


def test_keys_taken_from_several_actions_at_once_leave_each_with_another_or_nothing_changes():
    changed, others = assigned(Settings(), "screen", "pause", ("p", "-", "="), swap=True)
    assert [place for place, _ in others] == [("screen", "slower"), ("screen", "faster")]
    assert [changed.keys["screen"][action] for action in ("slower", "faster")] == [("[",), ("]",)]
    assert assigned(Settings(), "left", "fire", ("a", "d"), swap=False) in [("left", "left"), ("left", "right")]


KINDS = {"person": kind("person", None, human=True), "script": kind("script", None)}
ANN, NOBODY, SCRIPT = (
    Spec("person", options={"name": "Ann"}),
    Spec("person"),
    Spec("script", options={"name": "Turtle"}),
)


def names(*seats: Spec) -> list[str]:
    return [seat.text("name") for seat in seats]


def test_a_person_is_who_sits_at_a_seat_that_people_have():
    assert people((ANN, SCRIPT), KINDS) == (True, False)
    assert people((Spec("unknown"), NOBODY), KINDS) == (False, True)


@pytest.mark.parametrize(
    ("seats", "kept", "called"),
    [
        ((ANN, SCRIPT), ("Old", "Bob"), ["Ann", "Turtle"]),
        ((NOBODY, SCRIPT), ("Old", "Bob"), ["Old", "Turtle"]),
        ((NOBODY, SCRIPT), ("", ""), ["", "Turtle"]),
        ((NOBODY, NOBODY), ("", ""), ["Player 1", "Player 2"]),
        ((ANN, NOBODY), ("", "Bob"), ["Ann", "Bob"]),
        ((ANN, NOBODY), ("", "ann"), ["Ann", "ann 2"]),
    ],
)
def test_people_have_the_name_given_else_the_one_kept_else_two_that_differ(seats, kept, called):
    assert names(*named(seats, KINDS, kept)) == called


def test_only_the_names_of_people_are_kept():
    assert given((ANN, SCRIPT), KINDS, ("Old", "Bob")) == ("Ann", "Bob")
    assert given((SCRIPT, ANN), KINDS, ("Old", "Bob")) == ("Old", "Ann")
    assert given((NOBODY, NOBODY), KINDS, ("Old", "Bob")) == ("Old", "Bob")
