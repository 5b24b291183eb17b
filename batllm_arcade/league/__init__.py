"""Leagues: many pairs of games between many players, and a table that says how sure it is."""
