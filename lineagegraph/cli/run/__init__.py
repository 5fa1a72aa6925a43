"""Commands that start, stop and schedule runs."""
