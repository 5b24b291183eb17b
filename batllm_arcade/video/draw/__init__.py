"""Draws a film's frames: scenes, overlays and cards."""
