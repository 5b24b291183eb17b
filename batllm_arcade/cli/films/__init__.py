"""The commands that make films."""
