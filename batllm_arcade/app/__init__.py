"""The window: screens, input, background work."""
