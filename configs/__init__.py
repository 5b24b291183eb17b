"""The shipped configurations."""

SHIPPED = ("default", "couch", "arena", "classic")
"""Their names."""
