"""Playing on from a recorded session, and comparing it with another one."""
