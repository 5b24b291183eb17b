"""Pages that others send: `verify` says first what it could not check, and lets nothing pass that a page never has."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from sessions import scripted_match

from batllm_arcade.cli.main import main
from batllm_arcade.share.write import write_page

Forge = Callable[[str], str]
SCRIPT, STYLE = re.compile(r"<script>(.*?)</script>", re.DOTALL), re.compile(r"<style>(.*?)</style>", re.DOTALL)

RECORDED = "'page.html': 1 game, 32 plays, all as recorded"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    out = tmp_path_factory.mktemp("page") / "match.html"
    write_page(scripted_match(out.with_name("match.json")), out)
    return out.read_text("utf-8")


def of_another_version(page: str) -> str:
    found = re.search(r'id="made">([^<]*)<', page)
    assert found
    made = json.dumps({**json.loads(found[1]), "by": "batllm-arcade 0.0.9 0123456789abcdef"}, separators=(",", ":"))
    return page.replace(found[1], made, 1)


def digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def with_code(page: str, pattern: re.Pattern[str], change: Forge) -> str:
    """The page with another script or style, which its policy allows."""
    found = pattern.search(page)
    assert found
    return page.replace(digest(found[1]), digest(change(found[1]))).replace(found[1], change(found[1]), 1)


def before(mark: str, markup: str) -> Forge:
    def changed(page: str) -> str:
        assert mark in page
        return page.replace(mark, markup + mark, 1)

    return changed


def swapped(old: str, new: str) -> Forge:
    def changed(page: str) -> str:
        assert old in page, old
        return page.replace(old, new, 1)

    return changed


POLICY = '<meta http-equiv="Content-Security-Policy"'
FOREIGN: dict[str, Forge] = {
    "a fifth script": before("</body>", "<script>alert(1)</script>"),
    "a script in the words": before("</noscript>", "<script>alert(1)</script>"),
    "the session twice": before("</body>", '<script type="application/json" id="session">{}</script>'),
    "no word of its making": lambda page: re.sub(r'<script type="application/json" id="made">.*?</script>', "", page),
    "a module": swapped("<script>", '<script type="module">'),
    "a script from elsewhere": swapped("<script>", '<script src="https://example.org/x.js">'),
    "what happens on a click": swapped('<h1>', '<h1 onclick="alert(1)">'),
    "a frame": before("</main>", '<iframe src="https://example.org"></iframe>'),
    "another base": before("<title>", '<base href="https://example.org">'),
    "a way to elsewhere": before("<title>", '<meta http-equiv="refresh" content="0;url=https://example.org">'),
    "a second policy": before("<title>", POLICY + ' content="script-src *">'),
    "no policy": lambda page: re.sub(POLICY + r".*?>", "", page),
    "a policy that comes too late": lambda page: re.sub(f"({POLICY}.*?>)(.*?)(<title>)", r"\2\1\3", page, flags=re.S),
    "a policy in the body": swapped("<head>", "<head></head><body><p></p>"),
    "a wider policy": swapped("default-src 'none'", "default-src *"),
    "another character set": swapped('charset="utf-8"', 'charset="iso-2022-jp"'),
    "a script as an address": swapped('href="#t=0"', 'href="javascript:alert(1)"'),
    "a link to a file": before("<title>", '<link rel="stylesheet" href="https://example.org/x.css">'),
    "another style sheet": before("<title>", "<style>p{color:red}</style>"),
    "a style of its own": swapped("<h1>", '<h1 style="background:url(https://example.org)">'),
    "a style that loads": lambda page: with_code(page, STYLE, lambda text: text + "p{background:url(//example.org/x)}"),
    "a script in a drawing": swapped('<path d="M6 3v14l11-7z"/>', "<script>alert(1)</script>"),
    "a drawing that moves": swapped('<path d="M6 3v14l11-7z"/>', '<animate attributeName="href" to="x"/>'),
    "an element that ends itself": before("</main>", "<style/>"),
    "a comment": before("</main>", "<!-- x -->"),
    "a comment that browsers end sooner": before("</main>", "<!--><script>alert(1)</script>-->"),
    "an end that only browsers see": swapped("</script>\n</body>", "</script/><img src=x></script>\n</body>"),
    "an end in an attribute": before("</noscript>", '<p title="</noscript><img src=x onerror=alert(1)>">'),
    "a tag in another form": before("</main>", "<p\tclass=x>"),
    "a tag that never ends": lambda page: page + "<script ",
}  # fmt: skip


def verified(text: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    (folder / "page.html").write_text(text, "utf-8")
    code = main(["verify", str(folder / "page.html")])
    printed = capsys.readouterr()
    return code, (printed.out + printed.err).splitlines()


@pytest.mark.parametrize(
    ("name", "version"),
    [*((name, of_another_version) for name in FOREIGN), *((name, str) for name in list(FOREIGN)[::9])],
)
def test_a_page_with_more_than_its_own_scripts_is_refused_whatever_version_it_names(
    page, tmp_path, capsys, name, version
):
    forged = FOREIGN[name](version(page))
    assert forged != page
    code, said = verified(forged, tmp_path, capsys)
    assert code == 1, said
    assert said[0].startswith("the page holds what no page of this program does: "), said


@pytest.mark.parametrize(
    "forge",
    [
        lambda page: with_code(page, SCRIPT, lambda text: text + "\nalert(1)"),
        lambda page: with_code(page, STYLE, lambda text: text + "#health-left{display:none}"),
        swapped("<h1>", "<h1>Eve won: "),
        lambda page: re.sub(r'(id="replay">)[^<]*', r"\1H4sIAAAAAAAC/6uuBQBDv6ajAgAAAA==", page),
    ],
)
def test_what_could_not_be_checked_is_said_first_and_has_an_exit_code_of_its_own(page, tmp_path, capsys, forge):
    code, said = verified(of_another_version(forge(page)), tmp_path, capsys)
    assert code == 3
    assert said[0].startswith("not checked: another version of the program made this page")
    code, said = verified(forge(page), tmp_path, capsys)  # which says that this program made it
    assert code == 1, said


def test_a_page_as_this_program_makes_it_is_checked_whatever_version_it_names(page, tmp_path, capsys):
    for text in (page, of_another_version(page)):
        assert verified(text, tmp_path, capsys) == (0, [RECORDED])


def test_what_a_page_holds_is_told_of_one_whose_session_is_forged_too(page, tmp_path, capsys):
    forged = page.replace('"cmd":"B"', '"cmd":"M"', 1) + "<script>alert(1)</script>"
    code, said = verified(forged, tmp_path, capsys)
    assert (code, "its four scripts" in said[0], len(said) > 1) == (1, True, True)
