"""The scripts that are set with the system's fonts, and what is looked for and installed for each."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Script:
    """A script: its code in ISO 15924, a language written in it, the package of Debian and Ubuntu with its font, and
    the files that have it where there is no fontconfig; `rtl` ones run from right to left.
    """

    code: str
    language: str
    package: str
    files: tuple[str, ...] = ()
    rtl: bool = False


_CJK, _CORE = "fonts-noto-cjk", "fonts-noto-core"
_ARIAL = ("C:/Windows/Fonts/arial.ttf", "/Library/Fonts/Arial Unicode.ttf")
_HAN = Script("Hani", "zh-cn", _CJK, ("C:/Windows/Fonts/msyh.ttc", "/System/Library/Fonts/PingFang.ttc",
                                      "/System/Library/Fonts/STHeiti Medium.ttc"))  # fmt: skip
_KANA = Script("Kana", "ja", _CJK, ("C:/Windows/Fonts/msgothic.ttc", "/System/Library/Fonts/ヒラギノ角ゴシック W4.ttc"))
_HANGUL = Script("Hang", "ko", _CJK, ("C:/Windows/Fonts/malgun.ttf", "/System/Library/Fonts/AppleSDGothicNeo.ttc"))
_SCRIPTS = {
    **dict.fromkeys(("CJK", "IDEOGRAPHIC", "FULLWIDTH", "BOPOMOFO"), _HAN),
    **dict.fromkeys(("HIRAGANA", "KATAKANA", "HALFWIDTH"), _KANA),
    "HANGUL": _HANGUL,
    "ARABIC": Script("Arab", "ar", _CORE, (*_ARIAL, "/System/Library/Fonts/GeezaPro.ttc"), rtl=True),
    "HEBREW": Script("Hebr", "he", _CORE, (*_ARIAL, "/System/Library/Fonts/ArialHB.ttc"), rtl=True),
    "THAI": Script("Thai", "th", _CORE, ("C:/Windows/Fonts/leelawui.ttf", "/System/Library/Fonts/ThonburiUI.ttc")),
    "DEVANAGARI": Script("Deva", "hi", _CORE, ("C:/Windows/Fonts/Nirmala.ttf",)),
    "BENGALI": Script("Beng", "bn", _CORE, ("C:/Windows/Fonts/Nirmala.ttf",)),
    "TAMIL": Script("Taml", "ta", _CORE, ("C:/Windows/Fonts/Nirmala.ttf",)),
    "GEORGIAN": Script("Geor", "ka", _CORE),
    "ARMENIAN": Script("Armn", "hy", _CORE),
}


def all_scripts() -> tuple[Script, ...]:
    """Return every script once, those of most people first."""
    return tuple(dict.fromkeys(_SCRIPTS.values()))


@lru_cache(maxsize=4096)
def script_of(character: str) -> Script | None:
    """Return the script of a character, None for one that the system's fonts are not asked for."""
    if "\u3000" <= character <= "\u303f":  # brackets and marks
        return _HAN
    return _SCRIPTS.get(unicodedata.name(character, "SIGN").split()[0].split("-")[0])
