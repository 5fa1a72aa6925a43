"""Pipelines as values: tasks, parameters, expansions and what differs between two."""
