"""The worker process of one run, and the launcher that starts it."""
