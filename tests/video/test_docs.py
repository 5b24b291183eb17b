"""What docs/video.md says is what happens."""

from __future__ import annotations

import argparse
import re
import shlex
from pathlib import Path

import pytest
from films import film, session
from paths import DOCS

from batllm_arcade.video.arguments import add_arguments

PAGE = (DOCS / "video.md").read_text("utf-8")
EXAMPLES = [line for line in PAGE.splitlines() if line.startswith("batllm-arcade video match.json ")]


@pytest.mark.parametrize("line", EXAMPLES)
def test_an_example_makes_the_film_it_names(line, tmp_path, monkeypatch):
    session(tmp_path)
    monkeypatch.chdir(tmp_path)
    words = shlex.split(line)[2:]
    options = [word for word in words[1:] if word not in ("-o", words[words.index("-o") + 1])]
    size = "136x240" if "--vertical" in options else "240x136"
    assert film(Path(words[0]), Path(words[words.index("-o") + 1]), "--size", size, "--fps", "20", *options) == 0
    assert Path(words[words.index("-o") + 1]).stat().st_size > 1000


def test_every_option_is_explained():
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    options = set(re.findall(r"--[a-z-]+", parser.format_usage())) - {"--output"}
    assert len(options) > 10
    assert [name for name in options if f"{name} " not in PAGE and f"{name}`" not in PAGE] == []
