"""Model servers and model processes: HTTP, deadlines, retries, the base class of model brains."""
