"""The screens of a match."""
