"""Spark Connect: lineage from the plans that a client sends, and from its server's answers."""
