"""The leagues: the list of all with their tables and games, a league to come and its players."""
