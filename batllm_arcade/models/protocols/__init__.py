"""How model servers are spoken to: the shapes of answers that several providers share."""
