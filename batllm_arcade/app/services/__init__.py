"""Work on threads and processes beside the window."""
