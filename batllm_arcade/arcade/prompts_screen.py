"""Both players' prompts."""

from __future__ import annotations

from batllm_arcade.arcade.seats_screen import SeatsScreen


class PromptsScreen(SeatsScreen):
    """The seats with their prompts."""
