"""How fast a page is in a real browser: script per frame, the first picture, seeking; and how large pages are.

    python benchmarks/share.py [SESSION] [--openings 9] [--frames 600]

needs Debian's chromium and chromium-driver; without SESSION it shares a couch match between two scripts.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
from browser import Browser, browser
from common import BenchmarkParser, progress

from batllm_arcade.share.write import write_page

SIZES = {"1280x800": (1280, 800, False), "a phone, 390x844 at 2x": (390, 844, True)}
WATCH = """
window.frames_ms = []; window.first_ms = null;
const ask = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = work => ask(now => {
  const start = performance.now();
  work(now);
  window.frames_ms.push(performance.now() - start);
});
const draw = CanvasRenderingContext2D.prototype.drawImage;
CanvasRenderingContext2D.prototype.drawImage = function (...what) {
  if (this.canvas.id === "arena" && window.first_ms === null) ask(() => setTimeout(() => {
    window.first_ms ??= performance.now(); // the picture has been handed to the screen
  }));
  return draw.apply(this, what);
};
"""
SEEKS = """
const seek = document.getElementById("seek"), arena = document.getElementById("arena").getContext("2d"), found = [];
for (let number = 0; number < 200; number++) {
  const start = performance.now();
  seek.value = (number * 61) % (Number(seek.max) + 1);
  seek.dispatchEvent(new Event("input"));
  arena.getImageData(320, 320, 1, 1);
  found.push(performance.now() - start);
}
return found;
"""


def figures(values: list[float]) -> str:
    """The median, what 19 of 20 stay below, and the most."""
    ordered = sorted(values)
    late = ordered[int(len(ordered) * 0.95)]
    return f"median {statistics.median(ordered):.1f} ms, 95% {late:.1f}, most {ordered[-1]:.1f}"


def measure(opened: Browser, page: Path, name: str, openings: int, frames: int) -> None:
    """Print the figures of one size of screen."""
    width, height, phone = SIZES[name]
    opened.resize(width, height, phone=phone)
    first = []
    for number in range(openings + 1):
        opened.open(page)
        opened.wait("window.first_ms !== null")
        if number:  # the first one also starts the browser's process for pages
            first.append(opened.run("return window.first_ms"))
    print(f"{name}: first picture after {figures(first)}")
    opened.run("window.frames_ms.length = 0; document.getElementById('play').click()")
    opened.wait(f"window.frames_ms.length > {frames}")
    opened.run("document.getElementById('play').click()")
    print(f"{name}: script per frame {figures(opened.run('return window.frames_ms'))}")
    print(f"{name}: seeking, its pixels included {figures(opened.run(SEEKS))}")


def main() -> None:
    """Print all figures."""
    parser = BenchmarkParser(__doc__, openings=1, frames=5)
    parser.add_argument("session", nargs="?", type=Path)
    parser.add_argument("--openings", type=int, default=9)
    parser.add_argument("--frames", type=int, default=600, help="of the page playing")
    options = parser.parse()
    os.environ["BATLLM_REQUIRE_BROWSER"] = "1"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        session = options.session or Path(folder) / "couch.json"
        if not options.session:
            seats = ("--left", "scripted:sharpshooter", "--right", "scripted:dancer", "--games", "2", "--seed", "3")
            more = ("--config", "couch", "--history", session, "--quiet")
            subprocess.run(
                [sys.executable, "-m", "batllm_arcade", "run", *seats, *more], check=True, capture_output=True
            )
        page = Path(folder) / "page.html"
        print(f"{write_page(session, page).sentence}, of a session of {session.stat().st_size / 1000:.0f} kB")
        with browser(Path(folder)) as opened:
            opened.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
            for name in SIZES:
                progress(name)
                measure(opened, page, name, options.openings, options.frames)


if __name__ == "__main__":
    main()
