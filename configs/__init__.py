"""The shipped configurations."""
