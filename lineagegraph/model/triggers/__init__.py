"""Trigger rules as values: conditions, constraints, schedules and backfills."""
