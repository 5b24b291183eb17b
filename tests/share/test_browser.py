"""Pages in a real browser: what is shown is what was played, whoever wrote it and however it is reached."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from browser import DESKTOP, Browser, browser
from charged import THOUGHT, charged_match
from fakes import written
from golden import assert_looks_like
from paths import DATA
from sessions import HOSTILE, every_kind, hostile_match

from batllm_arcade.core.model import Arena
from batllm_arcade.history.reader import read
from batllm_arcade.history.replay import replay
from batllm_arcade.history.verification import verify
from batllm_arcade.match.records import GameEnded, GameStarted, Play, RoundStarted
from batllm_arcade.match.series import reason_text
from batllm_arcade.share.shown import PageLook, Shown
from batllm_arcade.share.write import write_page

pytestmark = pytest.mark.timeout(400)  # whichever comes first also starts the browser
COUCH = DATA / "couch_match.json"
STATES = """
const seek = document.getElementById("seek"), found = [];
for (let done = 0; done <= Number(seek.max); done++) {
  seek.value = done;
  seek.dispatchEvent(new Event("input"));
  found.push(["left", "right"].map(seat => {
    const { x, y, rot, health, shield, charge } = document.getElementById(seat).dataset;
    return [x, y, rot, health, shield, charge].map(Number);
  }));
}
return found;
"""
SMALL = """
document.getElementById("stage").style.width = "60px";
for (const seat of ["left", "right"]) document.getElementById(seat).style.display = "none";
history.replaceState = () => {};
"""
"""Laying the panels out and keeping the address takes most of the time of going through a page's states."""
NOTED = """
const own = CanvasRenderingContext2D.prototype, { fillText } = own, strip = document.getElementById("marks");
window.noted = [];
own.fillText = function (text, x, y) {
  if (this.canvas === strip) window.noted.push([text, x, y, x + this.measureText(text).width]);
  fillText.call(this, text, x, y);
};
"""
"""Notes where words of the timeline are drawn from now on."""


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    with browser(tmp_path_factory.mktemp("browser")) as found:
        yield found


@pytest.fixture(scope="module")
def armour(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("armour")
    page = folder / "armour.html"
    write_page(written(charged_match(), folder / "armour.json"), page)
    return page


def states(arena: Arena) -> list[list[float]]:
    return [[bot.x, bot.y, bot.rot, bot.health, bot.shield, bot.charge] for bot in (arena.left, arena.right)]


def computed(session: Path) -> list[list[list[float]]]:
    """Both bots at the start and after every play, as `verify` computes them."""
    records = list(replay(read(session)))
    first = next(record.arena for record in records if isinstance(record, GameStarted))
    return [states(first), *(states(record.after) for record in records if isinstance(record, Play))]


def test_the_states_of_every_second_kind_of_session_are_those_that_verify_computes(opened: Browser, tmp_path, capsys):
    sessions = dict([*every_kind(tmp_path).items()][::2])  # test_page_motion.py has all
    assert len(sessions) >= 10
    opened.resize(320, 240)  # small pictures: there are many
    try:
        for number, (name, session) in enumerate(sessions.items()):
            page = tmp_path / f"{number}.html"
            write_page(session, page, look=PageLook(chances=number % 4 == 0))  # their curve takes most of a page's time
            assert [str(each) for each in verify(read(page))] == [str(each) for each in verify(read(session))], name
            opened.open(page)
            opened.run(SMALL)
            opened.wait("document.getElementById('arena').width <= 60")
            assert opened.run(STATES) == computed(session), name
            assert opened.console() == [], name
    finally:
        opened.resize(*DESKTOP)


def test_a_page_asks_for_nothing_but_itself_from_a_file_and_from_a_server(opened: Browser, armour):
    opened.open(armour)
    assert (opened.requests(), opened.console()) == ([armour.as_uri()], [])
    asked = []

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *args):
            asked.append(self.path)

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(armour.parent)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        url = f"http://127.0.0.1:{server.server_address[1]}/armour.html"
        opened.open(url)
        opened.run(STATES)
        assert (opened.requests(), opened.console(), asked) == ([url], [], ["/armour.html"])
    finally:
        server.shutdown()
        server.server_close()


def test_the_name_of_the_speed_button_has_what_it_shows(opened: Browser, armour):
    opened.open(armour)
    button = "document.getElementById('speed')"
    for shown, name in opened.run(
        f"const seen = () => [{button}.textContent, {button}.getAttribute('aria-label')], first = seen();"
        f"{button}.click(); return [first, seen()]"
    ):
        assert shown
        assert shown in name


MOMENTS = {"start": "#t=0", "hit": "#t=1.4.1", "refused": "#t=1.5.1", "back": "#t=1.9.1", "breaking": "#t=1.12.1"}


def test_five_moments_of_a_match_look_as_they_should(opened: Browser, armour):
    opened.open(armour)
    opened.run("return document.fonts.ready.then(() => null)")
    for name, link in MOMENTS.items():
        opened.seek(link)
        assert_looks_like(f"page-{name}", opened.picture())


def test_the_player_is_led_by_links_keys_buttons_and_the_slider(opened: Browser, armour):
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    opened.driver.get("about:blank")
    opened.open(f"{armour.as_uri()}#t=1.3.2")
    value = lambda: int(opened.run("return document.getElementById('seek').value"))  # noqa: E731, short
    assert (value(), opened.text("now"), opened.text("thought-left")) == (6, "1.3", THOUGHT)
    assert opened.run("return document.querySelector('#raw-left mark').textContent") == "B"
    body = opened.driver.find_element(By.TAG_NAME, "body")
    for key, then in (
        (Keys.ARROW_RIGHT, 7), (Keys.ARROW_LEFT, 6), (Keys.SHIFT + Keys.ARROW_RIGHT + Keys.NULL, 8),
        (Keys.HOME, 0), (Keys.END, int(opened.run("return document.getElementById('seek').max"))),
    ):  # fmt: skip
        body.send_keys(key)
        assert value() == then
    opened.run("location.hash = '#t=1.1.2.1'")  # with the game in front
    opened.wait("location.hash === '#t=1.2.1' && document.getElementById('seek').value === '3'")
    body.send_keys(" ")
    opened.wait("Number(document.getElementById('seek').value) > 3")  # it plays
    opened.driver.find_element(By.ID, "play").click()
    assert opened.run("return document.getElementById('play').getAttribute('aria-pressed')") == "false"
    stands = value()
    assert opened.run("return location.hash").startswith("#t=1.")
    opened.driver.find_element(By.ID, "back").click()
    assert value() == stands - 1
    assert opened.console() == []


def test_a_phone_has_everything_below_one_another_and_answers_to_touch(opened: Browser, armour):
    with opened.sized(390, 844, phone=True):
        opened.open(armour)
        box = "return (({left, top, right, bottom}) => [left, top, right, bottom])({}.getBoundingClientRect())"
        boxes = {
            name: opened.run(box.replace("{}.get", f"document.querySelector({name!r}).get"))
            for name in ("#arena", "#left .head", "#right .head", "#left .body", "#right .body", "#play", "#seek")
        }
        assert opened.run("return document.documentElement.scrollWidth") <= 390
        assert boxes["#arena"][2] - boxes["#arena"][0] >= 350
        assert boxes["#left .head"][2] <= boxes["#right .head"][0]
        assert boxes["#left .head"][3] <= boxes["#arena"][1] < boxes["#arena"][3] <= boxes["#seek"][1]
        assert boxes["#play"][3] - boxes["#play"][1] >= 44
        assert boxes["#play"][3] <= min(844, boxes["#left .body"][1])
        assert opened.run("return document.getElementById('arena').width") >= 2 * 350  # as sharp as the screen
        middle = {"x": 195, "y": round((boxes["#arena"][1] + boxes["#arena"][3]) / 2)}
        touch = lambda kind, points: opened.driver.execute_cdp_cmd(  # noqa: E731, short
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": points}
        )
        touch("touchStart", [middle])
        touch("touchEnd", [])
        opened.wait("document.body.classList.contains('playing')")
        assert opened.console() == []


def test_what_others_wrote_is_shown_and_does_nothing(opened: Browser, tmp_path):
    session = hostile_match(tmp_path / "hostile.json")
    page = tmp_path / "hostile.html"
    write_page(session, page, look=PageLook(title=HOSTILE[1]))
    opened.open(page)
    shown = set()
    for done in range(1, 2 * len(HOSTILE) + 3):
        opened.run("seek.value = arguments[0]; seek.dispatchEvent(new Event('input'))", done)
        shown |= {opened.text(f"{part}-{seat}") for part in ("thought", "raw") for seat in ("left", "right")}
    assert all(f"thought {text}".replace("\ud800", "\ufffd") in shown for text in HOSTILE)
    assert any(len(text) == 100_000 for text in shown)
    assert opened.run("return window.struck") is None
    assert opened.run("return document.images.length + document.querySelectorAll('script').length") == 4
    assert (opened.console(), opened.requests()) == ([], [page.as_uri()])


def test_without_javascript_the_match_can_be_read(opened: Browser, armour):
    opened.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        opened.driver.get("about:blank")
        opened.driver.get(armour.as_uri())
        words = opened.driver.find_element("tag name", "body").text
    finally:
        opened.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    assert "Round 1" in words
    assert "a \u00d73 hit in the back!" in words
    assert THOUGHT in words
    assert "LINK" not in words


UNREACHABLE = """
const found = new Set(), hides = way => /hidden|clip/.test(way);
for (const start of document.querySelectorAll("#left *, #right *")) {
  if (!start.textContent.trim() || start.closest(".out ~ .cells, .wordless .reply, .busy")) continue;
  for (let each = start; each; each = each.parentElement) {
    const { display, visibility, overflowX, overflowY } = getComputedStyle(each);
    const wide = each.scrollWidth > each.clientWidth + 1, high = each.scrollHeight > each.clientHeight + 1;
    const cut = display !== "inline" && (wide && hides(overflowX) || high && hides(overflowY));
    if (cut || display === "none" || visibility === "hidden") found.add(`${each.id} ${each.className}`);
  }
}
const { right, bottom } = document.querySelector(".buttons").getBoundingClientRect();
return [...found, ...(right > innerWidth || bottom > innerHeight ? ["the buttons"] : [])];
"""


@pytest.mark.parametrize(("width", "height", "phone"), [(1280, 800, False), (390, 844, True), (844, 390, True)])
def test_every_word_of_both_panels_can_be_reached(opened: Browser, tmp_path, width, height, phone):
    page = tmp_path / "hostile.html"
    write_page(hostile_match(tmp_path / "hostile.json"), page)
    with opened.sized(width, height, phone=phone):
        opened.open(page)
        for link in ("#t=0", "#t=1.1.1", "#t=1.1.2", "#t=1.2.1", "#t=1.2.2"):
            opened.seek(link)
            assert opened.run(UNREACHABLE) == [], link
        assert opened.run("return document.documentElement.scrollWidth") <= width
        if width > height and phone:
            assert opened.run("return document.getElementById('arena').getBoundingClientRect().width") >= 0.45 * width
        assert opened.console() == []


def test_the_first_view_has_both_orders_and_a_large_button_and_the_last_the_score(opened: Browser, armour):
    from selenium.webdriver.common.by import By

    shown = lambda name: opened.driver.find_element(By.ID, name).is_displayed()  # noqa: E731, short
    opened.open(armour)
    told = [opened.driver.find_element(By.ID, f"told-{seat}") for seat in ("left", "right")]
    assert [each.text for each in told] == ["attack", "hide"]
    assert all(float(each.value_of_css_property("font-size").removesuffix("px")) >= 24 for each in told)
    assert opened.driver.find_element(By.ID, "start").size["width"] >= 84
    assert not shown("ending")
    assert opened.run("return document.getElementById('read').getAttribute('aria-pressed')") == "true"
    opened.driver.find_element(By.ID, "start").click()
    opened.wait("document.body.classList.contains('playing')")
    assert not shown("opening")
    opened.run("document.getElementById('last').click()")
    opened.wait("!document.getElementById('ending').hidden")
    health = [opened.text(f"health-{seat}") for seat in ("left", "right")]
    assert [opened.text(f"score-{seat}") for seat in ("left", "right")] == health
    ended = next(record.result for record in replay(read(armour)) if isinstance(record, GameEnded))
    assert (opened.text("ending-title"), opened.text("ending-reason")) == ("gemma3 wins", reason_text(ended))
    opened.driver.find_element(By.ID, "again").click()
    opened.wait("document.body.classList.contains('playing') && document.getElementById('ending').hidden")
    assert opened.console() == []


def test_who_has_no_orders_is_shown_by_what_it_does(opened: Browser, tmp_path):
    records = [replace(r, prompts=("attack", "")) if isinstance(r, RoundStarted) else r for r in charged_match()]
    write_page(written(records, tmp_path / "turtle.json"), tmp_path / "turtle.html")
    opened.open(tmp_path / "turtle.html")
    does = "Script: raises its shield when threatened, creeps up, fires"
    assert [opened.text(name) for name in ("told-right", "end-told-right")] == [does, does]
    assert opened.run("return parseFloat(getComputedStyle(document.getElementById('told-right')).fontSize)") >= 24


def marked(opened: Browser, records, curve, tmp_path, monkeypatch):
    """What a telephone draws on the timeline of a page of these records with this curve of chances and its marks."""
    monkeypatch.setattr(Shown, "_chances", lambda _: curve)
    write_page(written(records, tmp_path / "marked.json"), tmp_path / "marked.html")
    opened.open(tmp_path / "marked.html")
    opened.run(NOTED)
    with opened.sized(390, 844, phone=True):
        opened.wait("noted.some(([text]) => text === '??')")
        return opened.run("return noted")


@pytest.mark.parametrize(("chance", "top"), [(0.4, 0), (0.95, 14), (0.7, None)])
def test_no_mark_lies_on_the_label_of_a_round(opened: Browser, tmp_path, monkeypatch, chance, top):
    """The label is at the top, below a mark that is there, or left out where a mark is on both."""
    records = charged_match()
    curve = {"left": [1000 * chance] * (1 + sum(isinstance(r, Play) for r in records)), "marks": [[1, "??", 0, ""]]}
    noted = marked(opened, records, curve, tmp_path, monkeypatch)
    assert {y for text, _, y, _ in noted if text == "ROUND 1"} == ({top} if top is not None else set())


def test_of_marks_that_would_lie_on_each_other_the_gravest_is_drawn(opened: Browser, tmp_path, monkeypatch):
    records = charged_match()
    marks = [[1, "?", 0, ""], [1, "??", 0, ""], [1, "?!", 0, ""], [6, "!", 0, ""]]
    curve = {"left": [500] * (1 + sum(isinstance(r, Play) for r in records)), "marks": marks}
    noted = marked(opened, records, curve, tmp_path, monkeypatch)
    assert {text for text, *_ in noted if set(text) <= set("?!")} == {"??", "!"}


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844), (844, 390)])
def test_the_first_view_has_no_scroll_bars_beside_short_orders(opened: Browser, armour, width, height):
    opened.open(armour)
    with opened.sized(width, height, phone=width < 1000):
        assert opened.run("return [...document.querySelectorAll('.told')].every(e => e.scrollHeight <= e.clientHeight)")
        assert opened.run("return getComputedStyle(document.documentElement).overflowY") == "hidden"
        opened.run("document.getElementById('start').click()")
        assert opened.run("return getComputedStyle(document.documentElement).overflowY") != "hidden"


def test_a_page_prints_the_match_in_words_on_white(opened: Browser, armour):
    opened.open(armour)
    opened.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        opened.run("dispatchEvent(new Event('beforeprint'))")
        words = opened.driver.find_element("tag name", "body").text
        style = "const { color, backgroundColor } = getComputedStyle(document.body);"
        colors = opened.run(f"{style} return [color, backgroundColor]")
        opened.run("dispatchEvent(new Event('afterprint'))")
    finally:
        opened.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert colors == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
    assert "Orders left: attack" in words
    assert THOUGHT in words
    assert opened.run("return document.querySelectorAll('.transcript').length") == 0
    assert opened.console() == []


def test_a_page_starts_by_itself_if_asked_to_but_not_with_reduced_motion_and_embeds_without_a_frame(opened, tmp_path):
    page = tmp_path / "starts.html"
    write_page(COUCH, page, look=PageLook(autoplay=True, embedded=True))
    motion = lambda value: opened.driver.execute_cdp_cmd(  # noqa: E731, short
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": value}]}
    )
    playing = "document.body.classList.contains('playing')"
    try:
        motion("reduce")
        opened.open(page)
        assert not opened.run(f"return {playing}")
    finally:
        motion("")
    opened.open(page)
    opened.wait(playing)
    assert opened.run("return document.getElementById('read').getAttribute('aria-pressed')") == "false"
    assert opened.run("return document.getElementById('bar').offsetHeight") == 0
    assert opened.run("return document.getElementById('left').getBoundingClientRect().left") == 0
