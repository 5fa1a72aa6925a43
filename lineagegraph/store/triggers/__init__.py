"""Statements about triggers, conditions, cells, firings and backfills."""
