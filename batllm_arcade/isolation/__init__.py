"""Bots in processes of their own: the line protocol, what a process is given, and the brain made of them."""
