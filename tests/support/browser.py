"""A real browser without a window: Debian's chromium, driven by selenium."""

from __future__ import annotations

import base64
import io
import json
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pygame
import pytest

DESKTOP = (1280, 800)
PATIENCE_S = 110
"""Seconds for one step of the browser; selenium gives up what chromedriver has not answered after 120."""


_PORT = re.compile(r"started successfully on port (\d+)")


class Browser:
    """One browser with one page open in it; `console` and `requests` are those of that page."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver
        self.resize(*DESKTOP)

    def open(self, address: Path | str, wanted: str = "#seek[max]") -> None:
        """Open a page anew, and wait until its script has made the element `wanted`."""
        url = address.as_uri() if isinstance(address, Path) else address
        if self.driver.current_url.partition("#")[0] == url.partition("#")[0]:
            self.driver.get("about:blank")  # else another link in a page that is open is only followed
        for kind in ("browser", "performance"):
            self.driver.get_log(kind)
        self.driver.get(url)
        self.wait(f"!document.querySelector('#app').hidden && document.querySelector({wanted!r}) !== null")

    def resize(self, width: int, height: int, *, phone: bool = False) -> None:
        """Give the page this many CSS pixels."""
        figures = {"width": width, "height": height, "deviceScaleFactor": 2 if phone else 1, "mobile": phone}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", figures)
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": phone})

    @contextmanager
    def sized(self, width: int, height: int, *, phone: bool = False) -> Iterator[None]:
        """Give the page this many CSS pixels for a while."""
        self.resize(width, height, phone=phone)
        try:
            yield
        finally:
            self.resize(*DESKTOP)

    def run(self, script: str, *arguments: Any) -> Any:
        """What a script returns in the page."""
        return self.driver.execute_script(script, *arguments)

    def wait(self, condition: str) -> None:
        """Wait until this expression is true in the page."""
        from selenium.webdriver.support.ui import WebDriverWait

        script = f"return Boolean({condition})"
        WebDriverWait(self.driver, PATIENCE_S, 0.02).until(lambda driver: driver.execute_script(script), condition)

    def seek(self, link: str) -> None:
        """Go to the moment of a link, and wait for it."""
        self.run("location.hash = arguments[0]", link)
        self.wait(f"document.querySelector('#link').getAttribute('href') === {link!r}")

    def text(self, name: str) -> str:
        """The text of the element with this id."""
        return self.run("return document.getElementById(arguments[0]).textContent.toWellFormed()", name)

    def picture(self) -> pygame.Surface:
        """The arena's pixels."""
        url = self.run("return document.getElementById('arena').toDataURL('image/png')")
        return pygame.image.load(io.BytesIO(base64.b64decode(url.partition(",")[2])))

    def console(self) -> list[str]:
        """What the page has written to the console since it was opened."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """The addresses requested since the page was opened; what it holds itself (data:, blob:) is none."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        urls = [each["params"]["request"]["url"] for each in messages if each["method"] == "Network.requestWillBeSent"]
        return [url for url in urls if not url.startswith(("data:", "blob:", "about:"))]


def _service(program: str) -> Any:
    """Chromedriver on a port it chooses itself: one chosen for it can be taken by others before it listens there."""
    from selenium.webdriver.chrome.service import Service

    class OwnPort(Service):
        def start(self) -> None:
            self.process = subprocess.Popen(
                [self.path, "--port=0"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            said = []
            for line in self.process.stdout:
                said.append(line)
                if found := _PORT.search(line):
                    self.port = int(found[1])
                    threading.Thread(target=self.process.stdout.read, daemon=True).start()  # so that it is never full
                    return
            raise AssertionError(f"chromedriver did not start: {''.join(said)}")

    return OwnPort(program)


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """A browser; skips the test where there is none, fails it where BATLLM_REQUIRE_BROWSER is set."""
    programs = [shutil.which(name) for name in ("chromium", "chromedriver")]
    if not all(programs):
        complain = pytest.fail if os.environ.get("BATLLM_REQUIRE_BROWSER") else pytest.skip
        complain("chromium and chromedriver not found; on Debian: apt-get install chromium chromium-driver")
    pytest.importorskip("selenium")
    os.environ["SE_OFFLINE"] = "true"  # selenium is to fetch nothing
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options

    options = Options()
    options.binary_location = str(programs[0])
    switches = ["headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", "hide-scrollbars", "no-first-run"]
    for switch in (*switches, "disable-background-networking", f"user-data-dir={folder / 'profile'}"):
        options.add_argument(f"--{switch}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    # Chromedriver gives a browser 60 s to start, of which a busy machine with several of them takes more.
    options.add_experimental_option("browserStartupTimeout", 1000 * PATIENCE_S)
    driver = webdriver.Chrome(options, _service(str(programs[1])))
    driver.set_page_load_timeout(PATIENCE_S)
    try:
        yield Browser(driver)
    finally:
        driver.quit()
