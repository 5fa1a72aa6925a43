"""Cypher statements as typed functions, one module for each folder of `cypher/`."""
