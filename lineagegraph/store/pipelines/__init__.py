"""Statements about pipeline versions, definition files and archives."""
