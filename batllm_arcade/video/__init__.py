"""Films of matches: frames and sound of a timeline to files."""
