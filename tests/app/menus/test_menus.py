"""The menus: from the title to a fight, by keyboard, mouse and gamepad; off screen."""

from __future__ import annotations

import time
from dataclasses import replace

import pygame
import pytest
from fakes import ScriptedBrain, kinds
from layout import cut_words
from menus import click, finish, finish_loading, give, press, shell, tap, text
from shells import draw

from batllm_arcade.app.input.controls import Controls
from batllm_arcade.app.kit.text_fields import MOST
from batllm_arcade.app.match.screen import MatchScreen
from batllm_arcade.app.menus.help import HelpScreen
from batllm_arcade.app.menus.settings import SettingsScreen
from batllm_arcade.app.menus.setup import PromptsScreen, SetupScreen
from batllm_arcade.app.menus.title import TitleScreen
from batllm_arcade.brains.protocol import BrainKind, Spec
from batllm_arcade.brains.ready_made import library
from batllm_arcade.core.model import Rules
from batllm_arcade.match.series import Series
from batllm_arcade.plugin import manager
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings import config as configuration
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


@pytest.mark.parametrize("by", ["keys", "a gamepad"])
def test_a_first_match_takes_three_presses_from_the_title_each_looked_up_once(by, app, monkeypatch):
    looked_up, meaning = [], Controls.meaning
    monkeypatch.setattr(Controls, "meaning", lambda self, event: looked_up.append(event) or meaning(self, event))
    app.go.title()
    for screen in (TitleScreen, SetupScreen, PromptsScreen):
        assert isinstance(app.screen, screen)
        press(app, pygame.K_RETURN) if by == "keys" else tap(app, "a")
    assert isinstance(app.screen, MatchScreen)
    assert len(looked_up) == 2 * 3  # it goes down and comes up


def test_hints_name_no_key_to_somebody_with_a_gamepad(app, plan):
    app.ui.controls.feed(pygame.event.Event(pygame.JOYBUTTONDOWN, joy=0, instance_id=0, button=1), 0.0)
    named = []
    for opened in (lambda: app.go.prompts(plan), app.go.sessions, app.go.help_screen):
        opened()
        for button in ("", "rightshoulder"):
            tap(app, *button.split())
            named += hints(app)
    assert {"RB", "START"} <= set(named)
    assert not {"TAB", "F2", "CTRL ENTER", "SPACE", "V", "DEL", "G"} & set(named)
    app.ui.apply(replace(app.ui.settings, guided=False))
    tap(app, "a")
    assert app.ui.settings.guided, "help offers the guide by a button, too"


def test_without_anybody_to_order_about_the_seats_lead_to_the_match(app, plan):
    app.go.seats(replace(plan, seats=(Spec("aaa"), Spec("aaa"))))
    press(app, pygame.K_RETURN)
    assert isinstance(app.screen, MatchScreen)


def test_a_seat_that_takes_no_orders_plays_with_none_and_those_of_the_other_one_stay(app, plan):
    plan = replace(plan, config=replace(plan.config, prompts=("of who sat there", "mine")))
    app.go.start(plan)
    finish_loading(app)
    assert app.screen.state.plan.config.prompts == ("", "mine")


def test_a_recorded_model_plays_with_the_orders_it_was_recorded_with(app, plan, plugins):
    plugins.kinds["cassette"] = replace(plugins.kinds["aaa"], name="cassette")
    config = replace(plan.config, prompts=("of the left", "of the right"))
    app.go.start(replace(plan, config=config, seats=(Spec("cassette"), Spec("aaa"))))
    finish_loading(app)
    assert app.screen.state.plan.config.prompts == config.prompts


def test_a_press_leads_from_the_phones_back_to_where_they_were_opened(app, plan):
    for wanted, screen in ((None, TitleScreen), (("seat", ""), SetupScreen)):
        app.go.phones(plan, wanted)
        press(app, pygame.K_ESCAPE)
        assert isinstance(app.screen, screen)


def test_players_who_can_play_stand_before_those_who_cannot_and_each_is_still_chosen(app, plan, plugins):
    plugins.kinds["aa"] = replace(plugins.kinds["aaa"], name="aa", missing=lambda spec: "it is broken")
    app.go.seats(plan)
    card = app.screen.cards[0]
    for choice in card.choices:
        card.brains.availability.check(choice)
    ends = time.monotonic() + 20
    while any(card.brains.problem(choice) is None for choice in card.choices):
        assert time.monotonic() < ends
        time.sleep(0.01)
    card.pick_brain()
    rows = app.screen.picker.items
    assert [row.text for row in rows][1:] == ["Zzz", "Aaa", "Aa"]
    rows[3].take("confirm")
    assert str(card.spec) == "aa"


def test_brains_rules_and_orders_are_chosen_by_keys_alone(app, plan):
    app.go.seats(plan)
    press(app, pygame.K_TAB, pygame.K_LEFT)  # the right card, from zzz to aaa
    press(app, pygame.K_TAB, pygame.K_RIGHT)  # the left one, from aaa to zzz
    press(app, pygame.K_TAB, pygame.K_UP)
    assert [str(spec) for spec in app.screen.plan().seats] == ["zzz", "aaa"]
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
    assert (rules.initial_health, rules.bullet_damage) == ((50, 100), (7.5, 5))
    assert (rules.total_rounds, rules.turns_per_round) == (1, 2)
    app.go.seats(app.screen.plan())
    assert (app.screen.cards[0].health, app.screen.cards[0].damage) == (0.5, 1.5)


def card_row(app, seat: int, label: str):
    return next((row for row in app.screen.cards[seat].widgets if getattr(row, "label", "") == label), None)


def test_the_models_a_server_has_can_be_chosen(app, plan, plugins):
    plugins.kinds["zzz"] = replace(plugins.kinds["zzz"], models=lambda spec: ["tiny", "huge"])
    app.go.seats(plan)
    app.screen.update(1.0)
    finish("availability")
    app.screen.update(1.0)
    row = card_row(app, 1, "Model")
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
    press(app, pygame.K_UP, pygame.K_HOME, pygame.K_PAGEDOWN)
    place = editor.cursor
    press(app, pygame.K_BACKSPACE, pygame.K_DELETE)
    assert editor.text == taken[: place - 1] + taken[place + 1 :]


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
    for cursor, selected in ((0, ""), (4, "word")):
        click(app, area.box.x + 14, area.box.y + 14)
        assert (area.editor.cursor, area.editor.selected) == (cursor, selected)
    press(app, pygame.K_PAGEDOWN)
    assert area.editor.cursor > 60


def test_m_mutes_unless_a_letter_is_typed_which_goes_into_the_orders_wherever_the_focus_is(app, plan):
    app.go.prompts(plan)
    screen = app.screen
    for focus in ("FIGHT!", "the orders"):
        press(app, pygame.K_m)
        text(app, "m")
        assert screen.form.focus is screen.pair.areas[1], focus
    assert screen.plan().config.prompts == ("", "mm")
    assert not app.ui.settings.muted
    app.go.seats(plan)
    press(app, pygame.K_m)
    assert app.ui.settings.muted


# The settings


def test_settings_and_help_are_over_the_screen_they_came_from(app):
    app.go.title()
    below = app.screen
    app.go.settings_screen()
    for kind in (SettingsScreen, HelpScreen, SettingsScreen):
        assert isinstance(app.screen, kind)
        press(app, pygame.K_F1)
    press(app, pygame.K_F1, pygame.K_ESCAPE)
    assert app.screen is below


@pytest.mark.parametrize("size", [(1280, 720), (960, 540), (1280, 1024)])
def test_no_price_and_no_key_is_cut_in_the_help(size, app):
    app.go.help_screen()
    assert cut_words(lambda: draw(app.screen, pygame.Surface(size))) == []


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


def row_of(screen, label: str):
    row = next(row for row in rows(screen) if row.label == label)
    screen.form.set_focus(row)
    return row


@pytest.mark.parametrize("page", ["picture", "sound", "play", "keys", "gamepad"])
def test_every_setting_has_a_row(page, app):
    names = {"keys": "left right screen", "gamepad": "pad"}.get(page, "").split()
    expected = [len(settings.ACTIONS[name]) for name in names] or [len(FIELDS[page])]
    assert len(rows(open_page(app, page))) == sum(expected)


def test_a_changed_setting_holds_at_once_is_marked_and_delete_has_it_as_shipped(app):
    screen = open_page(app, "sound")
    row_of(screen, "Music")
    for key, volume, mark in ((pygame.K_RIGHT, 0.45, True), (pygame.K_DELETE, 0.4, False)):
        press(app, key)
        row = screen.form.focus
        assert (row.label, app.ui.settings.music_volume, row.value, row.mark) == ("Music", volume, volume, mark)


def test_a_slider_follows_the_mouse_and_a_switch_takes_a_click(app):
    screen = open_page(app, "sound")
    press(app, pygame.K_UP)
    box = screen.form.shown(row_of(screen, "Effects"))
    click(app, box.right - 106, box.y + 20)
    assert app.ui.settings.effects_volume == 1.0
    box = screen.form.shown(row_of(screen, "Mute"))
    click(app, box.x + 40, box.y + 20)
    assert app.ui.settings.muted


def test_a_key_is_bound_anew_and_who_lost_it_is_told(app):
    screen = open_page(app, "keys")
    row_of(screen, "Fire")
    press(app, pygame.K_RETURN, pygame.K_F1)  # no help now: this is the key
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


def test_a_key_taken_from_another_action_is_swapped_and_delete_gives_it_back(app):
    screen = open_page(app, "keys")
    row_of(screen, "Step")
    press(app, pygame.K_RETURN, pygame.K_SPACE)
    left = app.ui.settings.keys["left"]
    assert (left["move"], left["fire"]) == (("space",), ("w",))
    assert "'fire' of left is on W now" in screen.problem
    press(app, pygame.K_DELETE)
    assert app.ui.settings.keys["left"] == settings.KEYS["left"]


def test_nobody_can_lock_themselves_out_of_the_menus(app):
    screen = open_page(app, "keys")
    row_of(screen, "Mute")
    press(app, pygame.K_RETURN, pygame.K_RETURN)
    assert app.ui.settings.keys["screen"]["mute"] == ("m",)
    assert "the menus need it" in screen.problem
    press(app, pygame.K_ESCAPE, pygame.K_ESCAPE)
    assert app.screen is not screen


def test_a_button_is_bound_by_pressing_it(app):
    row_of(open_page(app, "gamepad"), "Step")
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


# The rules and the series


def rules_choice(app, name):
    return next(each for each in app.screen._rules_card.choices if each.name == name)


def test_the_rules_are_cards_of_which_one_is_chosen(app, plan):
    app.go.seats(replace(plan, config=configuration.load("couch")))
    assert [each.text for each in app.screen._rules_card.choices] == ["Couch", "Arena", "Default", "Classic"]
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


def test_a_series_goes_on_at_another_level_and_begins_anew_with_others(app, plan, couch):
    won = Series(5, (1, 0))
    app.go.seats(replace(couch, series=won))
    assert app.screen.plan().series == won
    card = app.screen.cards[1]
    card_row(app, 1, "Level").take("right")
    assert app.screen.plan().series == won
    rules_choice(app, "arena").take("confirm")
    assert app.screen.plan().series == won
    card.choose([spec.name for spec in card.choices].index("aaa"))
    assert app.screen.plan().series == Series(5)
    app.go.seats(replace(plan, series=won))
    row = next(each for each in app.screen.form.widgets if getattr(each, "label", "") == "Best of")
    for intent, series in (("right", Series(7)), ("left", won)):
        row.take(intent)
        assert app.screen.plan().series == series


# The mouse alone


def test_the_mouse_goes_back_with_its_right_button_and_opens_what_it_clicks(app, plan):
    app.go.title()
    for _ in range(2):
        app.screen.update(1.0)
        draw(app.screen, pygame.display.get_surface())
        click(app, *app.screen.form.widgets[0].box.middle)
        assert isinstance(app.screen, SetupScreen)
        click(app, 5, 5, button=3)
        assert isinstance(app.screen, TitleScreen)


def move(app, x, y):
    give(app, pygame.event.Event(pygame.MOUSEMOTION, pos=(round(x), round(y)), rel=(0, 0), buttons=(0, 0, 0)))


def hints(app):
    """Where the hints that are shown now are, by their keys."""
    give(app, pygame.event.Event(pygame.NOEVENT))
    return {hint.key: hint.box.middle for hint in app.screen.hint_bar.hints}


def click_hint(app, key):
    """Click a hint, and hand over what that posts."""
    click(app, *hints(app)[key])
    for event in pygame.event.get((pygame.KEYDOWN, pygame.KEYUP)):
        give(app, event)


def test_every_hint_is_a_button_and_every_screen_leads_back_at_its_top_left(app, plan):
    app.go.title()
    app.go.seats(plan)
    pygame.event.clear()
    for opened in (app.go.settings_screen, app.go.help_screen):
        opened()
        move(app, 30, 30)
        assert app.screen.corner.hovered
        click(app, 30, 30)
        assert isinstance(app.screen, SetupScreen)
    press(app, pygame.K_DOWN)
    move(app, *hints(app)["TAB"])
    assert app.screen.hint_bar.lit == "TAB"
    before = app.screen.form.focus.group
    click_hint(app, "TAB")
    assert app.screen.form.focus.group != before
    assert not {"TAB", "ENTER"} & hints(app).keys(), "a click on the thing itself does that"
    click_hint(app, "ESC")
    assert isinstance(app.screen, TitleScreen)
    app.go.prompts(plan)
    app.screen.form.set_focus(app.screen.pair.areas[1])
    click(app, 30, 30)  # out of the editor and of the screen
    assert isinstance(app.screen, SetupScreen)


# Who plays against whom


LEVELLED = BrainKind(
    "lll", "has levels", lambda spec: ScriptedBrain(["M", "M"]), levels={"rookie": "hesitates", "merciless": "aims"},
    prompted=True, titles={"": "Elle"},
)  # fmt: skip


@pytest.fixture
def couch(plugins, plan):
    """A plan for a person against a brain with levels."""
    plugins.kinds["lll"] = LEVELLED
    plugins.kinds["keyboard"] = replace(plugins.kinds["aaa"], name="keyboard", human=True)
    return replace(plan, seats=(Spec("keyboard"), Spec("lll")))


def test_the_first_opponent_ever_is_a_rookie_and_its_orders_are_written_for_it(app, couch):
    app.go.seats(couch)
    assert app.screen.cards[1].spec.options == {"level": "rookie"}
    press(app, pygame.K_RETURN)
    orders = app.screen.plan().config.prompts
    assert orders[0] == ""
    assert orders[1] in dict(library()).values()
    press(app, pygame.K_RETURN)
    assert app.ui.settings.played
    assert app.screen.state.table.seat(1).options["level"] == "rookie"
    app.go.seats(couch)
    assert app.screen.cards[1].spec.options == {}


@pytest.mark.parametrize(("variant", "options"), [("", {"level": "rookie"}), ("one", {"level": "rookie"}), ("two", {})])
def test_a_brain_without_a_variant_is_of_the_first_that_there_is_and_has_its_levels(
    variant, options, app, plugins, couch
):
    plugins.kinds["lll"] = replace(LEVELLED, variants=("one", "two"), level_variants=("one",))
    app.go.seats(replace(couch, seats=(Spec("keyboard"), Spec("lll", variant))))
    assert app.screen.cards[1].spec.options == options


def test_where_the_built_in_model_is_missing_a_script_of_the_same_level_plays_and_the_card_says_for_whom(
    app, plugins, couch
):
    shipped = manager.load().kinds
    plugins.kinds["scripted"] = shipped["scripted"]
    plugins.kinds["embedded"] = replace(shipped["embedded"], missing=lambda spec: "no model", state=None)
    app.go.seats(replace(couch, seats=(Spec("keyboard"), Spec("embedded"))))
    finish("availability")
    app.screen.update(1.0)
    card = app.screen.cards[1]
    assert (card.spec.short, card.spec.options) == ("scripted:sharpshooter", {"level": "rookie"})
    assert "SmolLM2" in card.note


def test_a_level_is_chosen_on_the_card_as_long_as_the_brain_has_levels(app, couch):
    app.ui.apply(replace(app.ui.settings, played=True))
    app.go.seats(couch)
    card, row = app.screen.cards[1], card_row(app, 1, "Level")
    assert row.shown == "Regular"
    app.screen.form.set_focus(row)
    for key, options in ((pygame.K_RIGHT, {"level": "merciless"}), (pygame.K_LEFT, {})):
        press(app, key)
        assert card.spec.options == options
    card.choose(next(n for n, choice in enumerate(card.choices) if choice.name == "aaa"))
    assert card_row(app, 1, "Level") is None


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
    card = app.screen.cards[0]
    assert card.spec.text("name") == "Ann"
    card.choose(next(n for n, each in enumerate(card.choices) if each.name == "lll"))
    assert "name" not in card.spec.options, "Ann is not what a model is called"


def test_cards_swaps_and_the_match_call_a_brain_the_same(app, couch):
    app.go.seats(couch)
    assert app.screen.cards[1].brains.called(Spec("lll")) == "Elle"
    shipped = manager.load().kinds["embedded"]
    made = shipped.make(Spec("embedded", "tactics"))
    assert shipped.titles["tactics"] == (made.title or "SmolLM2")
