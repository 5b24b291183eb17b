"""What plays the pairs of a league: processes of this machine, or a cluster."""
