"""Bots to copy, in four languages, and helpers for them."""
