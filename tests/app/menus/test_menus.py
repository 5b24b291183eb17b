"""The menus: from the title to a fight, by keyboard, mouse and gamepad; off screen."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest
from fakes import ScriptedBrain, kinds
from menus import click, finish, give, press, shell, tap, text
from shells import draw

from batllm_arcade.app.input.controls import Controls
from batllm_arcade.app.kit.text_fields import MOST
from batllm_arcade.app.match.screen import MatchScreen
from batllm_arcade.app.menus.help import HelpScreen
from batllm_arcade.app.menus.settings import SettingsScreen
from batllm_arcade.app.menus.setup import PromptsScreen, SetupScreen
from batllm_arcade.app.menus.title import TitleScreen
from batllm_arcade.app.orders import library
from batllm_arcade.brains.protocol import BrainKind, Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.match.series import Series
from batllm_arcade.plugin import manager
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings import config as configuration
from batllm_arcade.settings import user_settings as key_bindings
from batllm_arcade.settings import user_settings as settings
from batllm_arcade.settings.config import Config
from batllm_arcade.settings.user_settings import FIELDS


@pytest.fixture
def plugins():
    found = manager.load()
    found.kinds.clear()
    found.kinds.update(kinds(aaa=ScriptedBrain(["M", "M"])))
    found.kinds["zzz"] = BrainKind("zzz", "takes orders", lambda spec: ScriptedBrain(["B", "B"]), prompted=True)
    return found


@pytest.fixture
def plan():
    config = Config(rules=Rules(total_rounds=1, turns_per_round=2), fallback=Spec("aaa"))
    return SessionPlan(config, (Spec("aaa"), Spec("zzz")), seed=7)


@pytest.fixture
def app(plugins, plan):
    with shell(plan, plugins) as made:
        yield made


def test_a_first_match_takes_three_keys_from_the_title(app):
    app.go.title()
    press(app, pygame.K_RETURN)
    assert isinstance(app.screen, SetupScreen)
    press(app, pygame.K_RETURN)
    assert isinstance(app.screen, PromptsScreen)
    press(app, pygame.K_RETURN)
    assert isinstance(app.screen, MatchScreen)


def test_an_event_is_looked_up_once_whoever_takes_it(app, monkeypatch):
    looked_up, meaning = [], Controls.meaning
    monkeypatch.setattr(Controls, "meaning", lambda self, event: looked_up.append(event) or meaning(self, event))
    app.go.title()
    for screen in (TitleScreen, SetupScreen, PromptsScreen, MatchScreen):
        assert isinstance(app.screen, screen)
        press(app, pygame.K_RETURN)
    assert len(looked_up) == 2 * 4  # a key goes down and comes up


def test_three_buttons_of_a_gamepad_do_the_same(app):
    app.go.title()
    for _ in range(3):
        tap(app, "a")
    assert isinstance(app.screen, MatchScreen)


def test_without_anybody_to_order_about_the_seats_lead_to_the_match(app, plan):
    app.go.seats(replace(plan, seats=(Spec("aaa"), Spec("aaa"))))
    press(app, pygame.K_RETURN)
    assert isinstance(app.screen, MatchScreen)


def test_brains_rules_and_orders_are_chosen_by_keys_alone(app, plan):
    app.go.seats(plan)
    press(app, pygame.K_TAB)  # the right card
    press(app, pygame.K_LEFT)  # from zzz to aaa
    press(app, pygame.K_TAB)  # the left card
    press(app, pygame.K_RIGHT)  # from aaa to zzz
    press(app, pygame.K_TAB, pygame.K_UP)
    chosen = app.screen.plan()
    assert [str(spec) for spec in chosen.seats] == ["zzz", "aaa"]
    press(app, pygame.K_RETURN, mod=pygame.KMOD_CTRL)
    assert isinstance(app.screen, PromptsScreen)
    press(app, pygame.K_TAB)
    text(app, "rush \u00e9")
    press(app, pygame.K_BACKSPACE)
    text(app, "it")
    assert app.screen.plan().config.prompts == ("rush it", "")
    press(app, pygame.K_RETURN, mod=pygame.KMOD_CTRL)
    assert isinstance(app.screen, MatchScreen)


def test_going_back_keeps_what_was_chosen_and_written(app, plan):
    app.go.seats(plan)
    press(app, pygame.K_RETURN, pygame.K_TAB)
    text(app, "hide")
    press(app, pygame.K_ESCAPE, pygame.K_ESCAPE)
    assert isinstance(app.screen, SetupScreen)
    press(app, pygame.K_ESCAPE)
    assert isinstance(app.screen, TitleScreen)
    press(app, pygame.K_RETURN, pygame.K_RETURN)
    assert app.screen.plan().config.prompts == ("", "hide")


def test_the_handicap_and_the_lengths_are_in_the_rules(app, plan):
    app.go.seats(plan)
    card = app.screen.cards[0]
    card.health, card.damage = 0.5, 1.5
    rules = app.screen.plan().config.rules
    assert rules.initial_health == (50, 100)
    assert rules.bullet_damage == (7.5, 5)
    assert (rules.total_rounds, rules.turns_per_round) == (1, 2)
    app.go.seats(app.screen.plan())
    assert (app.screen.cards[0].health, app.screen.cards[0].damage) == (0.5, 1.5)


def test_the_models_a_server_has_can_be_chosen(app, plan, plugins):
    plugins.kinds["zzz"] = replace(plugins.kinds["zzz"], models=lambda spec: ["tiny", "huge"])
    app.go.seats(plan)
    card = app.screen.cards[1]
    app.screen.update(1.0)
    finish("availability")
    app.screen.update(1.0)
    row = next(row for row in card.widgets if row.label == "Model")
    assert row.options == ("any", "tiny", "huge")
    row.take("right")
    row.take("right")
    assert str(app.screen.plan().seats[1]) == "zzz:model=huge"


def test_the_prompt_library_fills_the_editor_and_undo_brings_the_text_back(app, plan):
    app.go.prompts(plan)
    press(app, pygame.K_TAB)
    text(app, "mine")
    press(app, pygame.K_F2, pygame.K_DOWN, pygame.K_RETURN)
    assert app.screen.plan().config.prompts[1] == library()[1][1] != "mine"
    press(app, pygame.K_z, mod=pygame.KMOD_CTRL)
    assert app.screen.plan().config.prompts[1] == "mine"


def test_hidden_orders_are_covered_until_their_owner_looks_and_again_afterwards(app, plan):
    app.go.prompts(replace(plan, seats=(Spec("zzz"), Spec("zzz"))))
    press(app, pygame.K_F6)
    left, right = app.screen.pair.areas
    assert left.covered
    assert right.covered
    press(app, pygame.K_TAB, pygame.K_RETURN)
    assert not left.covered
    text(app, "secret")
    press(app, pygame.K_TAB)
    assert left.covered
    text(app, "seen?")
    assert app.screen.plan().config.prompts == ("secret", "")


@pytest.mark.parametrize("prompt", ["\udcff bad", "long " * 20_000, "\0\x1b[31m", "\u202eabc", "\U0001f600" * 900])
def test_hostile_orders_are_edited_like_any_others(prompt, app, plan):
    app.go.prompts(replace(plan, config=replace(plan.config, prompts=("", prompt))))
    press(app, pygame.K_TAB)
    editor = app.screen.pair.areas[1].editor
    taken = editor.text
    assert 0 < len(taken) <= MOST
    assert taken.isprintable()
    for key in (pygame.K_UP, pygame.K_HOME, pygame.K_PAGEDOWN):
        press(app, key)
    place = editor.cursor
    press(app, pygame.K_BACKSPACE, pygame.K_DELETE)
    assert editor.text == taken[: place - 1] + taken[place + 1 :]


def test_settings_and_help_are_over_the_screen_they_came_from(app):
    app.go.title()
    below = app.screen
    app.go.settings_screen()
    assert isinstance(app.screen, SettingsScreen)
    press(app, pygame.K_F1)
    assert isinstance(app.screen, HelpScreen)
    press(app, pygame.K_F1)
    assert isinstance(app.screen, SettingsScreen)
    press(app, pygame.K_ESCAPE)
    assert app.screen is below


def open_page(app, name: str):
    """The settings with the cursor in a page's first row."""
    app.go.title()
    app.go.settings_screen()
    screen = app.screen
    while next(button for button in screen.form.widgets if button.chosen).text != name.upper():
        press(app, pygame.K_DOWN)
    press(app, pygame.K_RETURN)
    return screen


def rows(screen) -> list:
    return [widget for widget in screen.form.widgets if widget.group == "rows"]


def row_of(screen, label: str, number: int = 0):
    row = [row for row in rows(screen) if row.label == label][number]
    screen.form.set_focus(row)
    return row


@pytest.mark.parametrize("page", ["picture", "sound", "play", "keys", "gamepad"])
def test_every_setting_has_a_row(page, app):
    screen = open_page(app, page)
    names = {"keys": "left right screen", "gamepad": "pad"}.get(page, "").split()
    expected = [len(key_bindings.ACTIONS[name]) for name in names] or [len(FIELDS[page])]
    assert len(rows(screen)) == sum(expected)


def test_a_changed_setting_holds_at_once_is_marked_and_delete_has_it_as_shipped(app):
    screen = open_page(app, "sound")
    row = row_of(screen, "Music")
    press(app, pygame.K_RIGHT)
    assert app.ui.settings.music_volume == 0.45
    assert row.mark
    press(app, pygame.K_DELETE)
    assert app.ui.settings.music_volume == 0.4
    assert not row.mark


def rules_choice(app, name):
    return next(each for each in app.screen._rules_card.choices if each.name == name)


def test_the_rules_are_cards_of_which_one_is_chosen(app, plan):
    app.go.seats(replace(plan, config=configuration.load("couch")))
    assert [each.text for each in app.screen._rules_card.choices] == ["Quick", "Arena", "Long", "Original"]
    rules_choice(app, "arena").take("confirm")
    assert app.screen.plan().config.rules == configuration.load("arena").rules
    assert [each.name for each in app.screen._rules_card.choices if each.chosen] == ["arena"]
    rules_choice(app, "classic").press(0, 0, 1)
    assert app.screen.plan().config.rules == configuration.load("classic").rules
    app.go.seats(replace(plan, config=replace(plan.config, rules=Rules(arena_width=700))))
    own = rules_choice(app, "your own")
    assert own.chosen
    rules_choice(app, "couch").take("confirm")
    own.take("confirm")
    assert app.screen.plan().config.rules == Rules(arena_width=700)


def test_a_series_goes_on_at_another_level_and_begins_anew_with_others(app, plan):
    won = Series(5, (1, 0))
    app.go.seats(replace(plan, series=won))
    assert app.screen.plan().series == won
    card = app.screen.cards[1]
    card._set("level", "merciless")
    assert app.screen.plan().seats[1].text("level") == "merciless"
    assert app.screen.plan().series == won
    rules_choice(app, "arena").take("confirm")
    assert app.screen.plan().series == won
    card.choose([spec.name for spec in card.choices].index("aaa"))
    assert app.screen.plan().series == Series(5)
    app.go.seats(replace(plan, series=won))
    row = next(each for each in app.screen.form.widgets if getattr(each, "label", "") == "Best of")
    row.take("right")
    assert app.screen.plan().series == Series(7)
    row.take("left")
    assert app.screen.plan().series == won


def test_a_key_is_bound_anew_and_who_lost_it_is_told(app):
    screen = open_page(app, "keys")
    row_of(screen, "Fire")
    press(app, pygame.K_RETURN)
    press(app, pygame.K_F1)  # no help now: this is the key
    assert isinstance(app.screen, SettingsScreen)
    assert app.ui.settings.keys == settings.KEYS, "help cannot be on space, and would be left without a key"
    assert "'help' would be left without any" in screen.problem
    press(app, pygame.K_RETURN, pygame.K_p)
    assert app.ui.settings.keys["left"]["fire"] == ("p",)
    assert app.ui.settings.keys["screen"]["pause"] == ("space",)
    assert "'pause' is on SPACE now" in screen.problem
    press(app, pygame.K_RIGHT, pygame.K_f)
    assert app.ui.settings.keys["left"]["fire"] == ("p", "f")
    press(app, pygame.K_RETURN, pygame.K_ESCAPE)
    assert app.ui.settings.keys["left"]["fire"] == ("p", "f")


def test_nobody_can_lock_themselves_out_of_the_menus(app):
    screen = open_page(app, "keys")
    row_of(screen, "Mute")
    press(app, pygame.K_RETURN, pygame.K_RETURN)
    assert app.ui.settings.keys["screen"]["mute"] == ("m",)
    assert "the menus need it" in screen.problem
    press(app, pygame.K_ESCAPE, pygame.K_ESCAPE)
    assert app.screen is not screen


def test_a_button_is_bound_by_pressing_it(app):
    screen = open_page(app, "gamepad")
    row_of(screen, "Move")
    tap(app, "a", "rightstick")
    assert app.ui.settings.pad["move"] == ("rightstick",)


def test_all_settings_are_had_back_only_after_asking(app):
    screen = open_page(app, "play")
    row_of(screen, "Rumble")
    press(app, pygame.K_LEFT)
    screen.form.set_focus(next(each for each in screen.form.widgets if each.group == "pages" and "RESET" in each.text))
    press(app, pygame.K_RETURN, pygame.K_RETURN)
    assert not app.ui.settings.rumble
    press(app, pygame.K_RETURN, pygame.K_DOWN, pygame.K_RETURN)
    assert app.ui.settings == settings.Settings()


def test_a_slider_follows_the_mouse_and_a_switch_takes_a_click(app):
    screen = open_page(app, "sound")
    press(app, pygame.K_UP)
    row = row_of(screen, "Effects")
    box = screen.form.shown(row)
    click(app, box.right - 106, box.y + 20)
    assert app.ui.settings.effects_volume == 1.0
    box = screen.form.shown(row_of(screen, "Mute"))
    click(app, box.x + 40, box.y + 20)
    assert app.ui.settings.muted


def test_text_is_edited_with_the_mouse_and_by_visual_lines(app, plan):
    app.go.prompts(plan)
    area = app.screen.pair.areas[1]
    press(app, pygame.K_TAB)
    text(app, "word " * 60)
    assert len(area.layout.rows) > 3
    press(app, pygame.K_UP, pygame.K_HOME)
    start = area.editor.cursor
    press(app, pygame.K_END, mod=pygame.KMOD_SHIFT)
    assert area.editor.selected == area.editor.text[start : start + len(area.editor.selected)] != ""
    box = area.box
    click(app, box.x + 14, box.y + 14)
    assert area.editor.cursor == 0
    click(app, box.x + 14, box.y + 14)
    assert area.editor.selected == "word"
    press(app, pygame.K_PAGEDOWN)
    assert area.editor.cursor > 60


def test_the_mouse_goes_back_with_its_right_button_and_opens_what_it_clicks(app, plan):
    app.go.title()
    for _ in range(2):
        app.screen.update(1.0)
        draw(app.screen, pygame.display.get_surface())
        click(app, *app.screen.form.widgets[0].box.middle)
        assert isinstance(app.screen, SetupScreen)
        click(app, 5, 5, button=3)
        assert isinstance(app.screen, TitleScreen)


def test_m_mutes_unless_a_letter_is_typed(app, plan):
    app.go.seats(plan)
    press(app, pygame.K_m)
    assert app.ui.settings.muted
    app.go.prompts(plan)
    press(app, pygame.K_TAB, pygame.K_m)
    text(app, "m")
    assert app.ui.settings.muted
    assert app.screen.plan().config.prompts[1] == "m"


def test_the_hints_show_the_device_used_last(app):
    app.go.title()
    press(app, pygame.K_DOWN)
    assert app.ui.controls.label("confirm") == "ENTER"
    tap(app, "dpup")
    assert app.ui.controls.label("confirm") == "A"


def test_a_direction_that_is_held_comes_again(app):
    app.go.title()
    events = app.ui.controls.feed(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_DOWN, mod=0), 1.0)
    assert len(events) == 1
    assert app.ui.controls.repeats(1.2) == []
    assert len(app.ui.controls.repeats(1.5)) == 1
    assert app.ui.controls.repeats(1.52) == []
    app.ui.controls.feed(pygame.event.Event(pygame.KEYUP, key=pygame.K_DOWN, mod=0), 1.53)
    assert app.ui.controls.repeats(3.0) == []


def test_a_larger_ui_still_shows_everything_that_can_be_chosen(app, plan):
    app.ui.apply(settings.changed(settings.changed(app.ui.settings, "ui_scale", 1.5), "reduced_motion", True))
    for show in (lambda: app.go.seats(plan), lambda: app.go.prompts(plan), app.go.settings_screen, app.go.title):
        show()
        screen, surface = app.screen, pygame.Surface((1280, 720))
        for _ in range(len(screen.form.widgets) or 1):
            screen.form.take("next")
            screen.update(0.0)
            draw(screen, surface)
            box = screen.form.shown(screen.form.focus)
            assert box.x >= 0
            assert box.y >= 0
            assert box.right <= surface.get_width() / screen.canvas.scale
            assert box.bottom <= surface.get_height() / screen.canvas.scale


# The mouse alone, and keys that change hands


def hint_at(app, key):
    """Where the hint of a key is, in pixels."""
    give(app, pygame.event.Event(pygame.NOEVENT))
    return next(hint.box.middle for hint in app.screen.hint_bar.hints if hint.key == key)


def hinted(app):
    """The keys of the hints that are shown."""
    give(app, pygame.event.Event(pygame.NOEVENT))
    return {hint.key for hint in app.screen.hint_bar.hints}


def pump(app):
    """Hand over what a click on a hint posted."""
    for event in pygame.event.get((pygame.KEYDOWN, pygame.KEYUP)):
        give(app, event)


def test_every_hint_is_a_button_and_every_screen_leads_back_at_its_top_left(app, plan):
    app.go.title()
    app.go.seats(plan)
    pygame.event.clear()
    for opened in (app.go.settings_screen, app.go.help_screen):
        opened()
        top = app.screen
        give(app, pygame.event.Event(pygame.MOUSEMOTION, pos=(30, 30), rel=(0, 0), buttons=(0, 0, 0)))
        assert top.corner.hovered
        click(app, 30, 30)
        assert isinstance(app.screen, SetupScreen)
    press(app, pygame.K_DOWN)
    x, y = hint_at(app, "TAB")
    give(app, pygame.event.Event(pygame.MOUSEMOTION, pos=(round(x), round(y)), rel=(0, 0), buttons=(0, 0, 0)))
    assert app.screen.hint_bar.lit == "TAB"
    before = app.screen.form.focus.group
    click(app, x, y)
    pump(app)
    assert app.screen.form.focus.group != before
    assert not {"TAB", "ENTER"} & hinted(app), "a click on the thing itself does that"
    click(app, *hint_at(app, "ESC"))
    pump(app)
    assert isinstance(app.screen, TitleScreen)
    app.go.prompts(plan)
    app.screen.form.set_focus(app.screen.pair.areas[1])
    click(app, 30, 30)  # out of the editor and of the screen
    assert isinstance(app.screen, SetupScreen)


def test_a_key_taken_from_another_action_is_swapped_and_delete_gives_it_back(app):
    screen = open_page(app, "keys")
    row_of(screen, "Move")
    press(app, pygame.K_RETURN, pygame.K_SPACE)
    assert app.ui.settings.keys["left"]["move"] == ("space",)
    assert app.ui.settings.keys["left"]["fire"] == ("w",)
    assert "'fire' of left is on W now" in screen.problem
    press(app, pygame.K_DELETE)
    assert app.ui.settings.keys["left"] == settings.KEYS["left"]


def test_letters_typed_while_fight_has_the_focus_go_into_the_orders(app, plan):
    app.go.prompts(plan)
    screen = app.screen
    press(app, pygame.K_m)  # a letter, not the key that mutes
    text(app, "m")
    assert screen.form.focus is screen.pair.areas[1]
    assert screen.plan().config.prompts == ("", "m")
    assert not app.ui.settings.muted


# Who plays against whom


LEVELLED = BrainKind(
    "lll", "has levels", lambda spec: ScriptedBrain(["M", "M"]), levels={"rookie": "hesitates", "merciless": "aims"},
    prompted=True, titles={"": "Elle"},
)  # fmt: skip


@pytest.fixture
def couch(app, plugins, plan):
    """A plan for a person against a brain with levels, and the seats' screen for any plan."""
    plugins.kinds["lll"] = LEVELLED
    plugins.kinds["keyboard"] = replace(plugins.kinds["aaa"], name="keyboard", human=True)
    return replace(plan, seats=(Spec("keyboard"), Spec("lll")))


def test_the_first_opponent_ever_is_a_rookie_and_its_orders_are_written_for_it(app, couch):
    app.go.seats(couch)
    card = app.screen.cards[1]
    assert card.spec.options == {"level": "rookie"}
    press(app, pygame.K_RETURN)
    orders = app.screen.plan().config.prompts
    assert orders[0] == ""
    assert orders[1] in dict(library()).values()
    press(app, pygame.K_RETURN)
    assert app.ui.settings.played
    assert app.screen.state.table.seat(1).options["level"] == "rookie"
    app.go.seats(couch)
    assert app.screen.cards[1].spec.options == {}


def test_a_brain_without_a_variant_is_of_the_first_that_there_is_and_has_its_levels(app, plugins, couch):
    plugins.kinds["lll"] = replace(LEVELLED, variants=("one", "two"), level_variants=("one",))
    for variant, options in (("", {"level": "rookie"}), ("one", {"level": "rookie"}), ("two", {})):
        app.go.seats(replace(couch, seats=(Spec("keyboard"), Spec("lll", variant))))
        assert app.screen.cards[1].spec.options == options


def test_a_level_is_chosen_on_the_card_which_says_what_it_changes(app, couch):
    app.ui.apply(replace(app.ui.settings, played=True))
    app.go.seats(couch)
    card = app.screen.cards[1]
    row = next(row for row in card.widgets if getattr(row, "label", "") == "Level")
    assert row.options[row.chosen] == "Regular"
    app.screen.form.set_focus(row)
    press(app, pygame.K_RIGHT)
    assert card.spec.options == {"level": "merciless"}
    assert "merciless: aims" in card._brains.about(card.spec)
    press(app, pygame.K_LEFT)
    assert card.spec.options == {}
    card.choose(next(n for n, choice in enumerate(card.choices) if choice.name == "aaa"))
    assert not any(getattr(row, "label", "") == "Level" for row in card.widgets)


def test_two_people_are_asked_for_their_names_once_and_never_share_one(app, couch):
    two = replace(couch, seats=(Spec("keyboard"), Spec("keyboard")))
    app.go.seats(two)
    press(app, pygame.K_RETURN)
    assert isinstance(app.screen, SetupScreen)
    assert "type your names" in app.screen.problem
    text(app, "Ann")
    press(app, pygame.K_RETURN, mod=pygame.KMOD_CTRL)
    assert isinstance(app.screen, MatchScreen)
    table = app.screen.state.table
    assert [table.seat(bot).name for bot in (0, 1)] == ["Ann", "Player 2"]
    assert (app.ui.settings.left_name, app.ui.settings.right_name) == ("Ann", "Player 2")
    app.go.seats(two)
    press(app, pygame.K_RETURN)
    assert isinstance(app.screen, MatchScreen), "they are asked once"
    app.go.seats(couch)
    assert app.screen.cards[0].spec.text("name") == "Ann"
    app.screen.cards[0].choose(next(n for n, each in enumerate(app.screen.cards[0].choices) if each.name == "lll"))
    assert "name" not in app.screen.cards[0].spec.options, "Ann is not what a model is called"


def test_cards_swaps_and_the_match_call_a_brain_the_same(app, couch):
    app.go.seats(couch)
    brains = app.screen.cards[1]._brains
    assert brains.called(Spec("lll")) == "Elle"
    shipped = manager.load().kinds["embedded"]
    made = shipped.make(Spec("embedded", "tactics"))
    assert shipped.titles["tactics"] == (made.title or "SmolLM2")
