"""Statements about freshness, dependencies and waits."""
