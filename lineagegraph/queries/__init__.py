"""Read models of the graph."""
