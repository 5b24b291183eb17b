"""Session files: schema, journal, writer, reader, replay and verify, import of the original game's sessions."""
