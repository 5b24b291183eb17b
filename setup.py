"""The packages of the wheel, and its published description with its links; all else is in pyproject.toml."""

import os
import re
from pathlib import Path

from setuptools import find_packages, setup

HOME = os.environ.get("BATLLM_ARCADE_HOME", "").rstrip("/")
"""The address of the repository, such as https://host/owner/name: set by whoever publishes a release."""


def absolute(link: re.Match[str]) -> str:
    """Return the end of a link, or a picture's, that leads from anywhere to a file of the repository."""
    target = link[1]
    return f"]({HOME}/{'raw' if target.endswith(('.webp', '.png')) else 'blob'}/HEAD/{target})"


elsewhere = ["batllm_arcade.assets", "batllm_arcade.configs", "batllm_arcade.examples", "batllm_arcade_plugins"]
readme = Path(__file__).with_name("README.md").read_text("utf-8")
setup(
    packages=[*find_packages(include=["batllm_arcade", "batllm_arcade.*"]), *elsewhere],
    long_description=re.sub(r"\]\(([\w./-]+)\)", absolute, readme) if HOME else readme,
    long_description_content_type="text/markdown",
    project_urls={"Source": HOME, "Changelog": f"{HOME}/blob/HEAD/CHANGELOG.md"} if HOME else {},
)
