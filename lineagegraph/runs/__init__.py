"""Queue, cancel, report and reap runs."""
