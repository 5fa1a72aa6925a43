"""Statements about runs, launches, leases and events."""
