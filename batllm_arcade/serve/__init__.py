"""Pages for seats, orders and spectators: phones and other computers take part in a match, or watch it."""
