"""Sound: the window's player and the films' mixer."""
