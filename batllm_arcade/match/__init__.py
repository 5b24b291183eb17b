"""The match runner, its records, unfinished games, transcripts."""
