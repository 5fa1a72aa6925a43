"""Statements about notifications and forwarded events."""
