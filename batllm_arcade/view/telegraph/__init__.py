"""What a person sees in their turn of who can hurt whom: lines of fire, their step, one sentence."""
