"""Deliver notifications and forwarded events, each at least once."""
