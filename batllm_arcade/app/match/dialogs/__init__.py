"""Dialogs over a match about what went wrong: a player who cannot go on, the logs of bots."""
