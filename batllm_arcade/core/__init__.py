"""The rules of the game: pure, deterministic, without pygame, files, clock or network."""
