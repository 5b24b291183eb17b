"""What is around the arena in films that are not wide."""
