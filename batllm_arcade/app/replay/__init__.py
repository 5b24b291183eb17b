"""The replay screen."""
