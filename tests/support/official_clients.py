"""The providers' official clients, imported when they are first used: together they take seconds, in every process."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class Client:
    """A module of that name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not name[0].isupper():
            raise AttributeError(name)  # pytest asks everything in a module whether it is a test
        return getattr(import_module(self._name), name)


openai_client, ollama_client, ollama_types = Client("openai"), Client("ollama"), Client("ollama._types")
genai, google_types = Client("google.genai"), Client("google.genai.types")
mistral_client, mistral_models = Client("mistralai.client"), Client("mistralai.client.models")
