"""The packages of the wheel; all else is in pyproject.toml."""

from setuptools import find_packages, setup

elsewhere = ["batllm_arcade.assets", "batllm_arcade.configs", "batllm_arcade.examples", "batllm_arcade_plugins"]
setup(packages=[*find_packages(include=["batllm_arcade", "batllm_arcade.*"]), *elsewhere])
