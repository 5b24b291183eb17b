"""Plays to session files and back: writing, reading, replaying, verifying."""
