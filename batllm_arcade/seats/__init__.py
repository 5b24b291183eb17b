"""The live side of a match: who sits where, who is asked, deadlines, fallback, swaps, take-overs."""
