"""A seat in a real browser of a phone's size."""

import threading

import pytest
from browser import browser
from served import Page, Told, serving

from batllm_arcade import Play, play
from batllm_arcade.brains.ready_made import library
from batllm_arcade.cup.tree import CupEntrant, CupPlan, tree
from batllm_arcade.serve.club import Club

NAME, ORDERS = "<b>Ann</b>", "<img src=x onerror=\"document.title='RUN'\"> rush"
MINE = "document.body.classList.contains('mine')"


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    with browser(tmp_path_factory.mktemp("browser")) as found:
        yield found


def test_names_and_orders_are_text_on_a_live_page(opened):
    """And a play is made by a finger, the seat is found again after the page was loaded anew, nobody else is asked."""
    with serving() as server:
        server.lobby.expect(0)
        opened.resize(390, 844)
        opened.driver.get("about:blank")
        opened.requests()  # of the browser's own first page
        opened.driver.get(f"http://127.0.0.1:{server.port}/seat#{server.lobby.codes.by_door['left']}")
        opened.run("document.getElementById('own-name').value = arguments[0]", NAME)
        opened.run("document.getElementById('sit').click()")
        opened.wait("document.getElementById('seats').children.length")
        records = []
        match = play("browser", "scripted:turtle", rounds=1, turns=1, orders=(ORDERS, None), seed=4, history=None)
        thread = threading.Thread(target=lambda: records.extend(match), daemon=True)
        thread.start()
        opened.wait(MINE)
        assert opened.text("name-left") == NAME
        assert opened.text("orders-left") == ORDERS
        opened.run("location.reload()")
        opened.wait(f"document.readyState === 'complete' && {MINE}")
        watching = Page(server)
        watching.join("watch")
        watching.hear("lobby")
        watching.hear("now")  # behind all that has happened so far
        opened.run("document.getElementById('wait').click()")
        thread.join(60)
        assert [record.command.token for record in records if isinstance(record, Play) and record.bot == 0] == ["ERR"]
        assert watching.hear("turn")["turn"]["cmd"] == "ERR"
        watching.close()
        assert opened.run("return document.title") == "Play - BatLLM Arcade"
        assert opened.run("return document.querySelectorAll('#app img, #app h2 b').length") == 0
        assert opened.console() == []
        assert {url.split("/")[2] for url in opened.requests()} == {f"127.0.0.1:{server.port}"}


def test_a_class_writes_and_sees_its_cup_in_pages(opened):
    """Names are text, orders go on from a page that is loaded anew, and the wall shows the tree."""
    with serving() as server:
        club = server.club = Club(server.lobby, "orders", library=library())
        cup = CupPlan((CupEntrant(NAME, "scripted:dancer"), CupEntrant("Ben", "scripted:dancer")))
        club.join(Told(), "", "Ben")
        opened.driver.get(f"http://127.0.0.1:{server.port}/class#{server.lobby.codes.by_door['class']}")
        opened.run("document.getElementById('own-name').value = arguments[0]", NAME)
        opened.run("document.querySelector('#join button').click()")
        opened.wait("!document.getElementById('writing').hidden")
        writes = "const text = document.getElementById('text'); text.value = arguments[0]"
        opened.run(f"{writes}; text.dispatchEvent(new Event('input'))", ORDERS)
        opened.run("document.getElementById('ready').click()")
        opened.wait("document.getElementById('ready').getAttribute('aria-pressed') === 'true'")
        opened.run("location.reload()")
        opened.wait("document.readyState === 'complete' && document.getElementById('text').value")
        assert opened.run("return document.getElementById('text').value") == ORDERS
        assert club.members[NAME].text == ORDERS
        club.begin(tree(cup, [], []))
        opened.wait("document.querySelectorAll('.who').length === 2")
        assert opened.run("return document.querySelector('.own').textContent") == NAME
        assert opened.run("return document.querySelectorAll('#tree b, #standing b').length") == 0
        opened.driver.get(f"http://127.0.0.1:{server.port}/wall")
        opened.wait("document.querySelectorAll('#bracket .who').length === 2")
        club.begin(tree(cup, [], ["Ben"]), ["Ben"])
        opened.wait("document.querySelector('.champion .trophy')")
        assert opened.run("return document.querySelector('.champion').textContent") == NAME
        assert opened.console() == []
