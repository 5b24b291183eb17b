"""Child processes: lines to them and from them, their whole lives, and what is asked of them."""
