"""The Cypher files as typed functions, one module a noun."""
