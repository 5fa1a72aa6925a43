"""Commands that read the graph."""
