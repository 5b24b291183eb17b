"""Comparing a session file with what it must hold."""
