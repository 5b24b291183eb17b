"""Fonts, headers, prompts and sounds."""
