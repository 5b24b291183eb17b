"""Model servers in the window: adding one, trying it, its options as fields, pulling models."""
