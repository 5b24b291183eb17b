"""Draws a film's frames: scenes, overlays and title cards."""
