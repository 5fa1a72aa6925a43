"""Statements about sensors, their shards and their waits."""
