"""Batches that JSON files state."""
