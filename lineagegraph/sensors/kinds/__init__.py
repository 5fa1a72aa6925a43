"""The kinds that come along."""
