"""Scripts that the bundled fonts have not: the system's fonts for them, where lines break, which way they run."""
