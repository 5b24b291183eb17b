"""The terminal: the one place that prints."""
