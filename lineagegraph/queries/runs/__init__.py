"""Read models of runs."""
