"""The parser: what definition files state, on its way into the graph."""
