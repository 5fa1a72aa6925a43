"""Statements about skips, variables, tokens, tags, imports and processes."""
