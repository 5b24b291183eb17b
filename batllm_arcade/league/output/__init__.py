"""What a league shows: lines on the terminal, Markdown, a page."""
