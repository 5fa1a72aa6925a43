"""Freshness of batch tasks: start a task, skip it while it is fresh, or let it wait."""
