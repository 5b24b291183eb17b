"""The scripts of the world: set with the system's fonts where there are some, named where there are none."""

from __future__ import annotations

import os
from pathlib import Path

import pygame
import pytest

from batllm_arcade.render import fonts, text
from batllm_arcade.render import fonts as reading_order
from batllm_arcade.render import fonts as system_fonts
from batllm_arcade.render.fonts import script_of
from batllm_arcade.render.text import TextRenderer, clean, words_of, wrap

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
