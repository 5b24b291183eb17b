"""What the pairs of a league amount to: sums, ratings, tests; pure."""
