"""Fonts, prompts and headers."""
