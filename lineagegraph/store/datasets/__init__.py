"""Statements about datasets, their versions, fields and sources."""
