"""Plugins that come with BatLLM Arcade; each file is also a valid drop-in to copy."""
