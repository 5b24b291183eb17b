"""Widgets, text areas and dialogs that all screens use."""
