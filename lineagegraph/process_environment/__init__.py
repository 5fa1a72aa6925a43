"""Processes of runs: their environment variables, how they end, and the settings of our own."""
