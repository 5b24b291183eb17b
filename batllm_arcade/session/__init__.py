"""One run of the program: a session of games, with or without a window."""
