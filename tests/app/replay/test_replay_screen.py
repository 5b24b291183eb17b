"""The replay: any moment at once, at any speed, and everything that was said can be read."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import combinations

import pygame
import pytest
from fakes import eventful, plays
from golden import assert_looks_like
from layout import SIZES, assert_words_fit
from shells import FakeShell, button, draw, key, mouse, parts

from batllm_arcade.app.kit.text_viewer import MOST_CHARACTERS, TextViewer, columned
from batllm_arcade.app.replay import timeline_bar
from batllm_arcade.app.replay.advisor import SPEEDS
from batllm_arcade.app.replay.keys_panel import COMMANDS
from batllm_arcade.app.replay.screen import ReplayScreen
from batllm_arcade.app.replay.timeline_bar import BUTTONS
from batllm_arcade.match.records import Play, RoundStarted
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.share.shown import Selection
from batllm_arcade.video.edit.selection import Turn
from batllm_arcade.view.timeline import Chapter, Timeline, TimelineIndex

RECORDS = eventful()
TIMELINE = Timeline.of(RECORDS)
STARTS = [segment.start for segment in TIMELINE.segments if isinstance(segment.record, Play)]
ROUNDS = [segment.start for segment in TIMELINE.segments if isinstance(segment.record, RoundStarted)]
K = pygame


@pytest.fixture(autouse=True)
def _off_screen(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()
    pygame.display.set_mode((1, 1))
    monkeypatch.setattr(pygame.mouse, "get_focused", lambda: True)


@pytest.fixture
def screen(tmp_path) -> ReplayScreen:
    made = ReplayScreen(*parts(FakeShell()), TIMELINE, tmp_path / "s.json")
    draw(made, pygame.Surface((1280, 720)))
    return made


def shown(screen: ReplayScreen, size: tuple[int, int] = (1280, 720), now: float = 0.0) -> pygame.Surface:
    surface = pygame.Surface(size)
    screen.update(now)
    draw(screen, surface)
    return surface


def pixels(screen: ReplayScreen) -> bytes:
    return pygame.image.tobytes(shown(screen), "RGB")


def run(screen: ReplayScreen, seconds: float) -> None:
    """Let so much of the clock pass, in one frame."""
    screen.cover(0.0)
    for now in (100.0, 100.0 + seconds):
        shown(screen, now=now)


# What there is on a timeline


def test_the_marks_are_what_happened_to_whom():
    found = [(moment.kind, moment.bot) for moment in TimelineIndex(TIMELINE).moments]
    failed = [(play.bot, play.status) for play in plays(RECORDS) if play.status != "ok"]
    assert found.count(("fumble", 0)) == len([1 for bot, _ in failed if bot == 0]) > 0
    assert [bot for kind, bot in found if kind == "knockout"] == [1]
    assert [bot for kind, bot in found if kind == "swap"] == [0]
    index = TimelineIndex(TIMELINE)
    landed = next(moment.t for moment in index.moments if (moment.kind, moment.bot) == ("hit", 0))
    assert landed > max(start for start in STARTS if start <= landed), "when the bullet lands"
    assert sum(kind in ("hit", "block") for kind, _ in found) == sum(
        type(event).__name__ in ("BotHit", "ShotBlocked") for play in plays(RECORDS) for event in play.events
    )


@pytest.mark.parametrize("unit", ["play", "turn", "round", "game"])
def test_steps_go_through_all_of_a_unit_and_back_again(unit):
    index, t, there = TimelineIndex(TIMELINE), 0.0, []
    while t < index.end:
        t = index.step(unit, 1, t)
        there.append(t)
    assert there[-1] == index.end
    expected = [start for start in index.starts[unit] if start > 0] + [index.end]
    assert there == expected
    back = []
    while t > 0:
        t = index.step(unit, -1, t)
        back.append(t)
    assert back == [*([0.0] if index.starts[unit][0] > 0 else []), *index.starts[unit]][::-1]


# Time


SHIFT = K.KMOD_SHIFT
WAYS = [
    (K.K_RIGHT, 0, "dpright", STARTS[0]), (K.K_RIGHT, 0, "dpright", STARTS[1]), (K.K_LEFT, 0, "dpleft", STARTS[0]),
    (K.K_RIGHT, SHIFT, "dpup", STARTS[2]), (K.K_PAGEDOWN, 0, "righttrigger", ROUNDS[1]),
    (K.K_PAGEUP, 0, "lefttrigger", ROUNDS[0]), (K.K_PAGEDOWN, SHIFT, "", TimelineIndex(TIMELINE).starts["game"][1]),
    (K.K_END, 0, "", TIMELINE.end), (K.K_HOME, 0, "", 0.0),
]  # fmt: skip
"""Keys one after the other, a gamepad's button for the same, and where they lead."""


def test_arrows_go_play_by_play_shift_turn_by_turn_pages_round_by_round(screen):
    key(screen, K.K_k)
    for pressed, mod, _, t in WAYS:
        key(screen, pressed, mod=mod)
        assert screen.clock.t == t
    button(screen, "a", "a")
    for _, _, pressed, t in WAYS:
        if pressed:
            button(screen, pressed)
            assert screen.clock.t == t


def test_a_step_back_while_it_runs_gets_to_the_play_before_the_one_that_has_just_begun(screen):
    screen.clock.seek(STARTS[3] + 0.1)
    key(screen, K.K_LEFT)
    assert screen.clock.t == STARTS[2]


def test_the_speed_goes_from_a_quarter_to_eight_times(screen):
    for speed in (*SPEEDS[3:], 8.0):
        key(screen, K.K_UP)
        assert screen.clock.speed == speed
    screen.clock.seek(0.0)
    run(screen, 0.5)
    assert screen.clock.t == pytest.approx(4.0)
    key(screen, *[K.K_DOWN for _ in SPEEDS])
    assert screen.clock.speed == 0.25
    mouse(screen, K.MOUSEBUTTONDOWN, screen.bar.buttons["speed"].center)
    assert screen.clock.speed == 1.0, "a click on the speed makes it normal"


def test_at_the_end_it_stops_and_space_begins_anew(screen):
    key(screen, K.K_END)
    run(screen, 0.1)
    assert screen.clock.paused
    key(screen, K.K_SPACE)
    assert (screen.clock.t, screen.clock.paused) == (0.0, False)


def test_what_is_heard_is_what_is_passed(screen):
    screen.clock.seek(3.0)
    run(screen, 0.5)
    sounds = screen.ui.sounds
    before, now, speed = sounds.followed[-1]
    assert (before, now, speed) == (pytest.approx(3.0), pytest.approx(3.5), 1.0)
    sounds.followed.clear()
    key(screen, K.K_LEFT, K.K_HOME)
    assert all(now == before for before, now, _ in sounds.followed)


# The picture


def test_the_picture_of_a_moment_is_the_same_whichever_way_one_came(screen):
    key(screen, K.K_k)
    moment = STARTS[5] + 0.2
    screen.clock.seek(moment)
    direct = pixels(screen)
    screen.clock.seek(TIMELINE.end)
    shown(screen)
    screen.clock.seek(moment)
    assert pixels(screen) == direct


@pytest.mark.parametrize("share", [0.1, 0.37, 0.8, 1.0])
def test_without_the_bar_the_window_shows_exactly_what_a_film_shows(screen, share):
    key(screen, K.K_k, K.K_TAB)
    screen.clock.seek(TIMELINE.end * share)
    scene, film = TIMELINE.at(screen.clock.t), pygame.Surface((1280, 720))
    Renderer((1280, 720), scene.board.rules).draw(film, scene)
    filmed = pygame.image.tobytes(film, "RGB")
    assert pixels(screen) == filmed
    key(screen, K.K_TAB)
    assert pixels(screen) != filmed


def test_the_marks_are_painted_once_and_not_every_frame(screen, monkeypatch):
    shown(screen)
    monkeypatch.setattr(timeline_bar, "paint_mark", lambda *how: pytest.fail("painted again"))
    for t in (0.0, 5.0, 9.0):
        screen.clock.seek(t)
        shown(screen)


# The mouse


def test_a_click_into_the_timeline_seeks_and_dragging_goes_on_seeking(screen):
    track = screen.bar.track

    def at(share: float):
        return pytest.approx(TIMELINE.end * share, rel=0.01)

    mouse(screen, K.MOUSEBUTTONDOWN, (track.left + track.width // 4, track.centery))
    assert screen.clock.t == at(1 / 4)
    mouse(screen, K.MOUSEMOTION, (track.centerx, track.bottom + 200))
    assert screen.clock.t == at(1 / 2)
    run(screen, 5.0)
    assert screen.clock.t == at(1 / 2)
    mouse(screen, K.MOUSEMOTION, (track.right + 500, track.centery))
    mouse(screen, K.MOUSEBUTTONUP, (0, 0))
    mouse(screen, K.MOUSEMOTION, (track.left, track.centery))
    assert screen.clock.t == TIMELINE.end


def state(screen: ReplayScreen) -> tuple:
    """All that a command can change."""
    clock, films = screen.clock, screen.ui.films
    numbers = (clock.t, clock.speed, clock.paused, screen.bar_shown, type(screen.overlay))
    return (*numbers, screen.film_range.times, len(films.asked), films.stopped, tuple(screen.ui.calls))


@pytest.mark.parametrize("name", [name for name, _ in BUTTONS if name != "speed"])
def test_every_button_of_the_bar_does_what_its_key_does(name, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    states = []
    for use in ("nothing", "key", "button"):
        screen = ReplayScreen(*parts(FakeShell()), TIMELINE, tmp_path / "s.json")
        shown(screen)
        screen.clock.seek(STARTS[4] + 0.6)
        if use == "key":
            shift, _, named = next(each for each in COMMANDS if each.name == name).keys[0].rpartition("shift ")
            key(screen, pygame.key.key_code(named), mod=K.KMOD_SHIFT if shift else 0)
        elif use == "button":
            mouse(screen, K.MOUSEBUTTONDOWN, screen.bar.buttons[name].center)
            mouse(screen, K.MOUSEBUTTONUP, screen.bar.buttons[name].center)
        states.append(state(screen))
    nothing, by_key, by_button = states
    assert by_button == by_key != nothing


def test_the_mouse_says_what_is_under_it(screen):
    bar, moments = screen.bar, {moment.kind: moment for moment in screen.index.moments}
    said = {kind: screen.hint_at((round(bar.x(moment.t)), bar.track.centery)) for kind, moment in moments.items()}
    assert all(said.values())
    assert "orange is knocked out" in said["knockout"]
    assert "blue is played by somebody else" in said["swap"]
    assert "before the first play" in screen.hint_at((bar.track.left, bar.track.centery))
    assert screen.hint_at((640, 300)) == ""


def test_the_wheel_goes_play_by_play_and_a_click_into_the_arena_pauses(screen):
    screen.clock.paused = True
    screen.ui.give(screen, pygame.event.Event(K.MOUSEWHEEL, y=-1, x=0))
    assert screen.clock.t == STARTS[0]
    mouse(screen, K.MOUSEBUTTONDOWN, (640, 300))
    assert not screen.clock.paused


@pytest.mark.parametrize(("x", "page"), [(100, 0), (1200, 1)])
def test_a_click_into_a_panel_opens_what_it_says_in_full(screen, x, page):
    mouse(screen, K.MOUSEBUTTONDOWN, (x, 300))
    assert isinstance(screen.overlay, TextViewer)
    assert screen.overlay.page == page


# The gamepad


def test_a_gamepad_pauses_reads_and_leaves(screen):
    button(screen, "a")
    assert screen.clock.paused
    button(screen, "rightshoulder")
    assert screen.clock.speed == 2.0
    for opens in ("x", "start"):
        button(screen, opens)
        assert screen.overlay is not None
        button(screen, "b")
        assert screen.overlay is None
    button(screen, "b")
    assert screen.ui.calls == ["pop"]


def test_the_hint_names_the_buttons_of_the_device_in_use(screen):
    assert "SPACE" in screen.bar_state().words
    button(screen, "dpright")
    assert "SPACE" not in screen.bar_state().words
    assert "A pause" in screen.bar_state().words


# Reading in full


def rich(thought: str, raw: str) -> ReplayScreen:
    """A replay in which every play thinks and says this."""

    def says(record):
        told = isinstance(record, Play)
        return replace(record, decision=replace(record.decision, thought=thought, raw=raw)) if told else record

    screen = ReplayScreen(*parts(FakeShell()), Timeline.of([says(record) for record in RECORDS]))
    screen.clock.paused = True
    screen.clock.seek(STARTS[2])
    return screen


def read(screen: ReplayScreen) -> dict[str, str]:
    """What is read of both bots' last plays, by its heading."""
    return {section.heading: section.text for page in screen.overlay.pages for section in page.sections}


HOSTILE = {
    "one line of 64 KiB": "x" * 65_536, "a megabyte": "words and more words " * 50_000,
    "control characters": "\0\x1b[2J\x07\r\r\n\x08" * 200, "emoji and CJK": "\U0001f600\u65e5\u672c\u8a9e" * 3000,
    "right to left": "\u202eabc \u05d0\u05d1\u05d2 \u0627\u0644" * 500, "lone surrogates": "\ud800 \udfff" * 500,
    "lines": "\n" * 20_000,
}  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_any_text_is_read_safely_within_the_panel(text):
    screen = rich(text, text)
    key(screen, K.K_t)
    began = time.process_time()
    surface = shown(screen)
    assert time.process_time() - began < 5.0  # whatever it is, nobody waits for it
    panel = screen.overlay.panel
    assert surface.get_rect().contains(panel)
    key(screen, K.K_END)
    beside = pygame.Rect(panel.right + 2, panel.top, 20, panel.height)
    first, last = (pygame.image.tobytes(each.subsurface(beside), "RGB") for each in (surface, shown(screen)))
    assert first == last
    assert screen.overlay.visible[-1] == "hide", "the orders come last, and can be scrolled to"


def test_all_of_a_long_reply_can_be_reached():
    words = [f"word{number}" for number in range(7000)]
    text = " ".join(words)
    assert len(text) < MOST_CHARACTERS
    assert " ".join(columned(text, 100)) == text
    assert max(map(len, columned(text, 100))) <= 100
    assert "".join(columned("y" * 1234, 100)) == "y" * 1234


def test_reading_shows_the_other_bot_on_its_own_page_and_holds_the_replay_still():
    screen = rich("deep thought", '{"cmd": "C30"}')
    screen.clock.paused = False
    key(screen, K.K_t)
    run(screen, 2.0)
    assert screen.clock.t == STARTS[2]
    first = screen.overlay.page
    key(screen, K.K_RIGHT)
    assert screen.overlay.page != first
    texts = [section.text for page in screen.overlay.pages for section in page.sections]
    assert (texts.count("deep thought"), texts.count('{"cmd": "C30"}')) == (2, 2)
    key(screen, K.K_ESCAPE)
    assert (screen.overlay, screen.ui.calls) == (None, [])
    key(screen, K.K_ESCAPE)
    assert screen.ui.calls == ["pop"]


def test_a_fumble_is_read_with_its_reason_and_a_queued_play_with_where_it_was_announced(screen):
    screen.clock.paused = True
    numbers = {play.decision.queued_from or play.status: number for number, play in enumerate(plays(RECORDS))}
    screen.clock.seek(STARTS[numbers["timeout"]])
    key(screen, K.K_t)
    assert read(screen)["FUMBLE (timeout)"] == "no answer within 30 s"
    key(screen, K.K_ESCAPE)
    screen.clock.seek(STARTS[numbers[2]])
    key(screen, K.K_t)
    assert {"none: it was announced in play 2", "hello"} <= set(read(screen).values())


# Films and pages


def mark(screen: ReplayScreen, *marks: tuple[int, float]) -> None:
    """Let the part to film begin (i) or end (o) at these moments."""
    screen.clock.paused = True
    for pressed, t in marks:
        screen.clock.seek(t)
        key(screen, pressed)


def test_s_shares_a_page_of_the_whole_or_of_the_stretch_between_i_and_o(screen, monkeypatch):
    shared = []
    monkeypatch.setattr("batllm_arcade.app.replay.screen.share_page", lambda films, *chosen: shared.append(chosen))
    key(screen, K.K_s)
    mark(screen, (K.K_i, STARTS[2]))
    key(screen, K.K_s)
    turn, last = plays(RECORDS)[2].turn, plays(RECORDS)[-1]
    part = Selection(None, Turn(turn, 1, 1), Turn(last.turn, last.round, last.game))
    assert shared == [(screen.path, Selection()), (screen.path, part)]


def test_a_film_of_the_whole_or_of_the_stretch_between_i_and_o(screen, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    asked = screen.ui.films.asked
    key(screen, K.K_k, K.K_v)
    assert [(session.name, out.name, options) for session, out, options in asked] == [("s.json", "s.mp4", [])]
    key(screen, K.K_v)
    assert screen.ui.films.stopped == 1
    mark(screen, (K.K_i, STARTS[2]), (K.K_o, STARTS[5]))
    key(screen, K.K_v)
    first, last = plays(RECORDS)[2], plays(RECORDS)[5]
    assert asked[1][2] == ["--from", f"1.1.{first.turn}", "--to", f"1.1.{last.turn}"]
    key(screen, K.K_v, K.K_END, K.K_o, K.K_v)
    last = plays(RECORDS)[-1]
    assert last.game > first.game
    assert asked[2][2][-1] == f"{last.game}.{last.round}.{last.turn}"


def test_a_stretch_begins_with_a_round_s_first_turn_has_a_play_and_begins_anew_if_it_ended_before(screen):
    mark(screen, (K.K_i, screen.index.starts["round"][1]))
    key(screen, K.K_v)
    assert screen.ui.films.asked[0][2][:2] == ["--from", "1.2.1"]
    screen.ui.films.share = None
    screen.film_range.times = (screen.clock.t, screen.clock.t + 0.1)  # the round's banner alone
    key(screen, K.K_v)
    _, start, _, end = screen.ui.films.asked[1][2]
    assert start == end, "a stretch without a play still shows one"
    screen.film_range.times = None
    mark(screen, (K.K_i, 10.0), (K.K_o, 5.0))
    assert screen.film_range.times == (0.0, 5.0)


def test_what_became_of_a_film_is_told_whatever_was_pressed_meanwhile(screen):
    key(screen, K.K_v, K.K_RIGHT, K.K_UP)
    screen.ui.films.share, screen.ui.films.words = None, "s.mp4: 3.0 s"
    assert screen.bar_state().notice == "s.mp4: 3.0 s"
    key(screen, K.K_RIGHT)
    assert screen.bar_state().notice == ""


def test_a_game_s_name_is_on_the_timeline_even_where_a_round_begins_just_before_it(tmp_path):
    pictures = []
    for crowded in (False, True):
        screen = ReplayScreen(*parts(FakeShell()), TIMELINE, tmp_path / "s.json")
        game = next(chapter for chapter in screen.index.chapters if (chapter.game, chapter.round) == (2, 0))
        if crowded:
            screen.index.chapters.insert(screen.index.chapters.index(game), Chapter(game.t - 0.2, 1, 9))
        surface = shown(screen)
        bar = screen.bar
        name = pygame.Rect(round(bar.x(game.t)) + 2, bar.rect.top + 2, 40, bar.track.top - bar.rect.top - 8)
        pictures.append(pygame.image.tobytes(surface.subsurface(name), "RGB"))
    assert len(set(pictures[0])) > 9, "the name was looked for where it is not"
    assert pictures[0] == pictures[1]


# How it looks


def golden_screen() -> ReplayScreen:
    thought = "The enemy stands at bearing 31, its shield is down: a shot now would land. " * 4
    screen = rich(thought, f'<think>{thought}</think>\n{{"cmd": "C30"}}')
    screen.clock.seek(next(moment.t for moment in screen.index.moments if moment.kind == "knockout") + 0.2)
    return screen


@pytest.mark.parametrize("what", ["playing", "hover", "reading", "keys"])
def test_the_replay_looks_as_it_was_judged(what):
    screen = golden_screen()
    shown(screen)
    bar = screen.bar
    if what == "hover":
        screen.film_range.times = (TIMELINE.end * 0.2, TIMELINE.end * 0.5)
        swap = next(moment for moment in screen.index.moments if moment.kind == "swap")
        mouse(screen, K.MOUSEMOTION, (round(bar.x(swap.t)), bar.track.centery))
    key(screen, *{"reading": [K.K_t], "keys": [K.K_h]}.get(what, []))
    assert_looks_like(f"replay-{what}", shown(screen))


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_the_bar_and_the_keys_fit_any_window(screen, scale):
    display = replace(screen.ui.settings.display, ui_scale=scale)
    screen.ui.settings = replace(screen.ui.settings, display=display)
    for size in (*SIZES, (640, 400), (900, 1200), (2560, 1440), (1920, 700)):
        surface, bar = shown(screen, size), screen.bar
        assert surface.get_rect().contains(bar.rect)
        places = [bar.track, *bar.buttons.values()]
        assert all(bar.rect.contains(place) for place in places)
        assert all(not one.colliderect(other) for one, other in combinations(places, 2))
    key(screen, K.K_h)
    shown(screen, (999, 700))  # the panel is painted anew for another size
    for size in SIZES:
        assert_words_fit(lambda size=size: shown(screen, size), size)
