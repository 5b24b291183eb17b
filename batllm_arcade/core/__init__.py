"""The rules of the game: pure, no pygame, no clock, no files."""
