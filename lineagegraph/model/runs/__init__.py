"""Runs as values: ids, states, facts and reruns."""
