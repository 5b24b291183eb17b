"""Bots in processes of their own: the line protocol, the process, its guard, and the brain made of them."""
