"""Words to pixels: whatever a model sends is made safe and fits, in any script."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pygame
import pytest

from batllm_arcade.render import fonts, text
from batllm_arcade.render import fonts as reading_order
from batllm_arcade.render import fonts as system_fonts
from batllm_arcade.render.fonts import runs, script_of
from batllm_arcade.render.text import MOST_CHARACTERS, TextRenderer, clean, ended_line, words_of, wrap


@pytest.mark.parametrize(
    "hostile",
    [
        "a\0b",
        "\ud800",
        "\x1b[31mred",
        "\u202eabc",
        "\u2066x",
        "\ufeff",
        "x" * 1_000_000,
        "\n" * 5000,
        "\U0001f600" * 50,
    ],
)
def test_hostile_text_is_drawn_safely_and_within_its_box(hostile):
    text_renderer = TextRenderer(1.0)
    block = text_renderer.block(hostile, "mono", 13, (255, 255, 255), 200, 4)
    line = text_renderer.line(hostile, "title", 28, (255, 255, 255), 200)
    assert block.get_width() <= 200
    assert block.get_height() <= 4 * text_renderer.font("mono", 13).get_linesize()
    assert line.get_width() <= 200


def test_control_marks_are_taken_out_and_long_text_is_cut():
    assert clean("a\0\x1b\u202eb") == "ab"
    assert clean("one\ttwo\nthree") == "one  two\nthree"
    assert len(clean("x" * 5000)) == MOST_CHARACTERS + 1


def test_no_line_is_wider_than_its_block_as_it_is_drawn():
    text = 'in doubt: attacks 59%, closes in 27%; clearer: "shoot him"; only the first 40 of 46 words are read'
    renderer = TextRenderer(0.98)
    for width in range(150, 600, 3):
        rows = renderer.wrapped(text, "label", 15, width)
        assert max(renderer.line(row, "label", 15, (255, 255, 255)).get_width() for row in rows) <= width


def test_lines_are_wrapped_at_words_and_long_words_are_broken():
    assert wrap("aa bb cc", len, 5) == ["aa bb", "cc"]
    assert wrap("aaaaaaa b", len, 3) == ["aaa", "aaa", "a b"]
    assert wrap("one\n\ntwo", len, 10) == ["one", "", "two"]
    assert all(len(line) <= 7 for line in wrap("the quick brownish fox jumps", len, 7))


@pytest.mark.parametrize("width", range(90, 180, 9))
def test_rows_that_are_cut_end_at_a_word_and_fit(width):
    render, words = TextRenderer(1.0), "its side or back is open and it is coming out for a shot"
    rows = render.rows(words, "label", 18, width, 2)
    assert len(rows) == 2
    assert rows[-1].endswith("\u2026")
    assert all(word in words.split() for word in rows[-1].rstrip("\u2026").split())
    assert render.measure(rows[-1], "label", 18) <= width


@pytest.mark.parametrize("width", range(100, 240, 20))
def test_rows_without_spaces_are_filled_and_fit_with_their_ellipsis(width):
    render, orders = TextRenderer(1.0), "靠近他，从侧面打他，别浪费子弹；如果他的护盾已经打开，就绕到他的后面去"
    rows = render.rows(orders, "label", 20, width, 2)
    assert all(render.measure(row, "label", 20) <= width for row in rows)
    assert rows[-1].endswith("\u2026")
    assert len(rows[-1]) > len(rows[0]) / 2


def test_a_score_is_never_on_two_lines():
    lines = [wrap("3. SmolLM2 hits the back, 2 : 1", len, width) for width in range(5, 32)]
    assert all(any("2 : 1" in row for row in rows) for rows in lines)
    lines = [wrap("wins 28 : 0 in round 1, turn 18", len, width) for width in range(11, 31)]
    assert all(any(kept in row for row in rows) for rows in lines for kept in ("28 : 0", "in round 1,", "turn 18"))


def test_every_character_has_a_face_or_a_name():
    assert runs("go \u2192 Ж🎯", "label") == [("label", "go \u2192 "), ("mono", "Ж"), ("emoji", "🎯")]
    assert clean("👍🏽 ❤️") == "👍 ❤"
    assert clean("𝓗𝓲") == "Hi"
    assert clean("a" + "\u0301" * 40) == "á" + "\u0301" * 2


def test_no_bundled_face_draws_an_empty_box():
    text_renderer = TextRenderer(1.0)
    boxed = text_renderer.font("mono", 30).render("\ue000", True, (255, 255, 255))
    for character in "é→◆Ж🎯😀α":
        image = text_renderer.line(character, "label", 30, (255, 255, 255))
        assert pygame.image.tobytes(image, "RGBA") != pygame.image.tobytes(boxed, "RGBA")


def test_the_lines_of_a_growing_text_stay_where_they_are():
    text_renderer = TextRenderer(1.0)
    story = " ".join(f"Sentence {number} goes on for a while." for number in range(200))
    moved = 0
    for length in range(3000, 3200):
        one, two = (text_renderer.rows(story[:n], "label", 17, 260, 8, tail=True) for n in (length, length + 1))
        moved += one[0] != two[0] and one[1] != two[0]
    assert moved <= 10  # only where the story's beginning drops out, at a pause


def test_a_megabyte_costs_no_more_than_what_is_shown():
    text_renderer = TextRenderer(1.0)
    began = time.process_time()
    for number in range(50):
        text_renderer.block("x" * 1_000_000 + str(number), "mono", 13, (255, 255, 255), 200, 4, tail=number % 2 == 0)
    assert time.process_time() - began < 5


def test_a_title_is_shrunk_before_it_is_cut():
    text_renderer = TextRenderer(1.0)
    whole = text_renderer.line("a rather long name", "title", 30, (255, 255, 255))
    fitted = text_renderer.fitted("a rather long name", "title", 30, (255, 255, 255), whole.get_width() * 0.8)
    assert fitted.get_width() <= whole.get_width() * 0.8
    assert fitted.get_height() < whole.get_height()


def test_lines_stay_lines_whatever_is_in_them():
    assert clean("caf\u00e9\nau lait \U0001f600\n") == "caf\u00e9\nau lait \U0001f600\n"


@pytest.mark.parametrize(
    ("whole", "cut", "shown"),
    [
        ("its shield ran out of charge", "its shield ran o", "its shield ran\u2026"),
        ("blocked by the shield", "blocked by the", "blocked\u2026"),
        ("SmolLM2-135M-Instruct.Q4_1", "SmolLM2-135M-I", "SmolLM2-135M-I\u2026"),
        ("a SmolLM2-135M-Instruct", "a SmolLM2-135M-I", "a SmolLM2-135M-I\u2026"),
        ("anything", "", "\u2026"),
    ],
)
def test_a_line_ends_at_a_word_unless_most_of_it_were_lost(whole, cut, shown):
    assert ended_line(cut, whole) == shown


@pytest.mark.parametrize(("text", "rows"), [("One model, two orders", ["One model,", "two orders"]), ("Ann", ["Ann"])])
def test_even_rows_leave_no_word_alone(text, rows):
    renderer = TextRenderer(1.0)
    width = renderer.measure("One model, two", "title", 40) + 4
    assert len(renderer.wrapped(text, "title", 40, width)) == len(rows)
    assert renderer.even(text, "title", 40, width) == rows


WHITE = (255, 255, 255)
CHINESE = """
    我需要先靠近敌人，然后射击。 他的护盾是打开的，等一等。 向左转四十五度！ 血量只剩下十二点，先躲起来。 绕到他的背后。
    子弹没打中，装填。 不要靠墙太近。 “保持距离”是命令。 现在开火 敌人在右边，距离三百。 盾牌耗尽了 他正在逃跑，追上去！
    再走一步就能命中 先防守，后进攻。 等待时机 我的背后是墙，安全。 命令：永远不要射击 转身，面对他。 最后一击！ HP只有4
"""
JAPANESE = """
    敵に近づいて、撃つ。 シールドが開いている。待とう。 左に45度回る！ 体力は残り12、隠れる。 背後に回り込む。
    弾が外れた。 壁に近づくな。 「距離を保て」という命令だ。 今だ、撃て 敵は右側、距離300。 シールド切れ
    逃げている、追え！ あと一歩で当たる まず守り、それから攻める。 チャンスを待つ 後ろは壁だから安全。
    命令：決して撃つな 振り向く。 最後だ！ HPは4
"""
THOUGHTS = {
    "Chinese": tuple(CHINESE.split()),
    "Japanese": tuple(JAPANESE.split()),
    "Korean": tuple(f"적에게 다가가서 쏜다, 거리 {number * 10}. 방패가 열려 있다!" for number in range(20)),
    "Arabic": tuple(f"اقترب من العدو ثم أطلق النار، المسافة {number * 10}. الدرع مفتوح!" for number in range(20)),
    "Hebrew": tuple(f"להתקרב לאויב ואז לירות, מרחק {number * 10}. המגן פתוח!" for number in range(20)),
    "Thai": tuple(f"เข้าใกล้ศัตรูแล้วยิง ระยะ {number * 10} โล่เปิดอยู่ ผู้เล่นต้องรอที่นี่!" for number in range(20)),
}  # fmt: skip


@pytest.fixture
def bare(monkeypatch):
    """A machine without fonts for these scripts."""
    monkeypatch.setattr(system_fonts, "_font_of", lambda script: None)
    monkeypatch.setattr(system_fonts, "_missing", {})
    caches = (fonts.face_for, fonts._named, text._cleaned)
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


def has_font(thought: str) -> bool:
    """Whether this machine has a font for the script of a thought; where it has to, it is an error if not."""
    fonts._coverage("label")  # opens them
    script = next(script for script in map(script_of, thought) if script)
    found = system_fonts._font_of(script) is not None and (not script.rtl or reading_order.can_order())
    assert found or not os.environ.get("BATLLM_REQUIRE_FONTS"), f"no font for {script}"
    return found


@pytest.mark.parametrize("script", THOUGHTS)
def test_thoughts_are_set_in_their_script_or_named_and_no_line_overflows(script):
    renderer, here = TextRenderer(1.0), has_font(THOUGHTS[script][0])
    for thought in THOUGHTS[script]:
        assert ("[" in clean(thought)) != here
        for width in (110, 260):
            drawn = [renderer.line(row, "label", 17, WHITE) for row in renderer.wrapped(thought, "label", 17, width)]
            assert max(image.get_width() for image in drawn) <= width
            assert max(image.get_height() for image in drawn) <= 1.35 * renderer.height("label", 17)


def test_fonts_are_opened_anew_after_a_window_was_closed():
    ends = "import pygame; pygame.quit(); pygame.display.init(); pygame.freetype.init()"
    script = f"from batllm_arcade.render import fonts; fonts.runs('é', 'mono'); {ends}; print(fonts.runs('ж', 'mono'))"
    done = subprocess.run([sys.executable, "-c", script], env=os.environ | {"SDL_VIDEODRIVER": "dummy"}, timeout=60)
    assert done.returncode == 0


@pytest.mark.parametrize("face", ["label", "mono"])
def test_european_letters_need_no_look_at_each(face, monkeypatch):
    assert fonts.runs("Él wartet: ¿ñ – “ü”?", face) == [(face, "Él wartet: ¿ñ – “ü”?")]
    assert fonts.runs("Жδ", "mono") == [("mono", "Жδ")]
    monkeypatch.setattr(fonts, "face_for", None)
    assert fonts.runs("tête à tête", face) == [(face, "tête à tête")]
    assert fonts.spell_out("tête à tête, Жδ") == "tête à tête, Жδ"
    assert not any(fonts.has_letters_only(f"tête{other}", face) for other in "漢ש\u0301")


def test_fonts_that_were_looked_up_ahead_are_not_looked_up_again(monkeypatch):
    system_fonts._file_of.cache_clear()
    asked = []
    monkeypatch.setattr(system_fonts, "_by_fontconfig", lambda script: asked.append(script))
    system_fonts.look_up_fonts()
    before = list(asked)
    system_fonts._file_of(script_of("漢"))
    system_fonts._file_of(script_of("ש"))
    system_fonts._file_of.cache_clear()
    assert asked == before
    assert len(set(before)) == len(before) > 6


@pytest.mark.usefixtures("bare")
def test_without_fonts_scripts_are_named_and_one_sentence_says_what_to_install():
    assert clean("漢字かな and שלום") == "[cjk] and [hebrew]"
    assert clean("สวัสดี") == "[thai]"
    said = system_fonts.missing_fonts()
    assert "apt install fonts-noto-cjk fonts-noto-core" in said
    assert said.count(". ") == 0


def test_nothing_is_said_of_fonts_where_nothing_is_missing(monkeypatch):
    monkeypatch.setattr(system_fonts, "_missing", {})
    assert clean("plain, é, Ж, 🎯")
    assert system_fonts.missing_fonts() == ""


def test_right_to_left_is_named_where_nothing_puts_it_in_order(monkeypatch):
    monkeypatch.setattr(system_fonts, "_font_of", lambda script: Path("/some/font.ttf"))
    monkeypatch.setattr(system_fonts, "_missing", {})
    monkeypatch.setattr(system_fonts, "can_order", lambda: False)
    assert system_fonts.system_font("ש") is None
    assert "python-bidi" in system_fonts.missing_fonts()
    assert "apt" not in system_fonts.missing_fonts()


def test_right_to_left_words_are_drawn_from_the_right_and_figures_between_them_stay():
    pytest.importorskip("bidi")
    assert reading_order.as_drawn("left to right é") == "left to right é"
    assert reading_order.as_drawn("אבג 12") == "12 גבא"
    assert reading_order.as_drawn("go אבג now") == "go גבא now"


def test_lines_break_between_characters_where_there_are_no_spaces():
    assert wrap("我需要靠近他，然后射击。", len, 6) == ["我需要靠近", "他，然后射", "击。"]
    assert wrap("go 我需要", len, 5) == ["go 我需", "要"]
    assert "".join(wrap("「距離」を保て。", len, 3)) == "「距離」を保て。"
    assert all(line[0] not in "」。" for line in wrap("「距離」を保て。", len, 3))
    assert wrap("one two", len, 3) == ["one", "two"]


def test_a_thai_vowel_stays_with_its_consonant():
    units = [unit for _, unit in words_of("ที่นี่ เข้า")]
    assert units == ["ที่", "นี่", "เข้", "า"] or units == ["ที่", "นี่", "เข้า"]


def test_a_font_of_the_system_keeps_to_the_line_of_the_bundled_ones():
    if not has_font("漢"):
        return
    renderer = TextRenderer(1.0)
    pure, mixed = (renderer.line(words, "title", 30, WHITE) for words in ("漢字", "a漢字"))
    assert pure.get_height() == mixed.get_height() == renderer.height("title", 30)
    assert pygame.mask.from_surface(pure).count() > 100
