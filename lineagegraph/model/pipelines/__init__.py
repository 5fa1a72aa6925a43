"""Pipelines as values: tasks, parameters, expansions and differences."""
