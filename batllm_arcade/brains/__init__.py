"""What decides for a bot: the Brain protocol, bots as functions, options, redaction."""
