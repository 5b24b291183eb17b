"""Widgets, text areas, dialogs; they know nothing of matches."""
