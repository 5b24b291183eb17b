"""Films and pages made beside the window: on threads and in processes, and the folder they are in."""
