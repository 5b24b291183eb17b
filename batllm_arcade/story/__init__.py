"""What happened in a game, told once: games cut out of records, what each bot did, why it ended so, and sentences."""
