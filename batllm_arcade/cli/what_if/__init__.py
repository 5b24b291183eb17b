"""Commands that ask what if: playing on from a recorded session, comparing two."""
