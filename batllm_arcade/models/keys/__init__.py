"""The keys of model servers: where they come from, where they are kept, to which host each of them goes."""
