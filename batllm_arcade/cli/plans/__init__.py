"""From the options of a command to what is played: matches and leagues."""
