"""Completion of names of the graph."""
